#pragma once

#include <string_view>
#include <vector>

namespace sluice {

/// The candidate that the writer of `word` most likely meant, for "did you mean"; empty if none is near.
/// Near: at most a third of the longer text differs (insertions, deletions, exchanges, swaps of neighbours),
/// case ignored. Equal distances: the first candidate.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace sluice
