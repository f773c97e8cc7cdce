#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::lang {

/// Why RE2 refuses a pattern, and which bytes of it.
struct PatternProblem {
  std::string message;
  std::size_t begin = 0;
  std::size_t length = 0;
};

/// Empty if `matches` can use the pattern.
std::optional<PatternProblem> problem_of_pattern(std::string_view pattern);

}  // namespace sluice::lang
