#include "lang/pattern.hpp"

#include <re2/re2.h>

namespace sluice::lang {

std::optional<PatternProblem> problem_of_pattern(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  RE2 compiled(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (compiled.ok()) return std::nullopt;
  PatternProblem problem;
  problem.message = compiled.error();
  // RE2 names the piece it could not read, as text; the first such piece is where reading stopped.
  std::size_t begin = compiled.error_arg().empty() ? 0 : pattern.find(compiled.error_arg());
  problem.begin = begin == std::string_view::npos ? 0 : begin;
  problem.length = begin == std::string_view::npos ? pattern.size() : compiled.error_arg().size();
  if (compiled.error_arg().empty()) problem.length = pattern.size();
  return problem;
}

}  // namespace sluice::lang
