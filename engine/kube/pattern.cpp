#include "kube/pattern.hpp"

#include <re2/re2.h>

namespace sluice::kube {

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Compiled at each use: a manifest has few such fields, and nothing has to be kept.
  RE2::Options options(RE2::Quiet);
  options.set_case_sensitive(true);
  RE2 compiled(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!compiled.ok()) return true;
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled);
}

}  // namespace sluice::kube
