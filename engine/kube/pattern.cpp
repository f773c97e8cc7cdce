#include "kube/pattern.hpp"

#include <map>
#include <string>
#include <variant>

#include "base/pattern.hpp"

namespace sluice::kube {

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // A cache only: compiling takes some 50 us, a list of 20,000 workloads asks 200,000 times, the CRDs have about 20
  // different patterns.
  thread_local std::map<std::string, std::variant<Pattern, PatternProblem>, std::less<>> compiled;
  auto at = compiled.find(pattern);
  if (at == compiled.end()) at = compiled.emplace(std::string(pattern), Pattern::compile(pattern)).first;
  const auto* regex = std::get_if<Pattern>(&at->second);
  return regex == nullptr || regex->is_found_in(text);
}

}  // namespace sluice::kube
