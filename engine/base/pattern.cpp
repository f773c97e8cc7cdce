#include "base/pattern.hpp"

#include <utility>

#include <re2/re2.h>

namespace sluice {

struct Pattern::Impl {
  RE2 regex;
  Impl(std::string_view text, const RE2::Options& options) : regex(re2::StringPiece(text.data(), text.size()), options) {}
};

Pattern::Pattern(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

std::variant<Pattern, PatternProblem> Pattern::compile(std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto impl = std::make_unique<const Impl>(text, options);
  const RE2& regex = impl->regex;
  if (regex.ok()) return Pattern(std::move(impl));
  // RE2 names the piece it could not read, as text; the first such piece is where reading stopped.
  const std::string& piece = regex.error_arg();
  const std::size_t begin = piece.empty() ? std::string_view::npos : text.find(piece);
  if (begin == std::string_view::npos) return PatternProblem{regex.error(), 0, text.size()};
  return PatternProblem{regex.error(), begin, piece.size()};
}

bool Pattern::is_found_in(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), impl_->regex);
}

}  // namespace sluice
