#include "base/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace sluice {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Optimal string alignment distance, in three rows.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  // Longer than any name we know; the distance costs the product of both lengths.
  constexpr std::size_t longest = 200;
  if (word.empty() || word.size() > longest) return {};
  std::string_view best;
  std::size_t best_distance = longest;
  for (std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest) continue;
    std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    std::size_t d = distance(word, candidate);
    if (d > allowed || d >= best_distance) continue;
    best = candidate;
    best_distance = d;
  }
  return best;
}

}  // namespace sluice
