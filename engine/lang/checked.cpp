#include "lang/checked.hpp"

#include <limits>

namespace sluice::lang {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return a > kMost - b ? kMost : a + b;
}

/// `pod set`, `workload × pod set`: what one step of a term is taken for.
std::string per(std::pair<int, int> exponents) {
  std::string text;
  auto append = [&](int times, const char* word) {
    for (int i = 0; i < times; ++i) text += (text.empty() ? "" : " × ") + std::string(word);
  };
  append(exponents.second, "workload");
  append(exponents.first, "pod set");
  return text;
}

}  // namespace

void Cost::add(const Cost& other) {
  for (const auto& [exponents, steps] : other.terms) {
    std::int64_t& mine = terms[exponents];
    mine = saturating_add(mine, steps);
  }
}

Cost Cost::times(int pod_sets, int workloads) const {
  Cost result;
  for (const auto& [exponents, steps] : terms) {
    result.terms[{exponents.first + pod_sets, exponents.second + workloads}] = steps;
  }
  return result;
}

std::string Cost::to_string() const {
  std::string text;
  for (const auto& [exponents, steps] : terms) {
    if (!text.empty()) text += " + ";
    text += std::to_string(steps);
    if (exponents != std::pair{0, 0}) text += " per " + per(exponents);
  }
  return text.empty() ? "0" : text;
}

}  // namespace sluice::lang
