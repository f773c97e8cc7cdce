#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace sluice::program {

/// The most instructions that something can take, as a function of the sizes of collections: the outer key is the
/// loops around, outermost first; `{}: 12, {workloads}: 5` is 12 + 5 for each workload.
using Cost = std::map<std::vector<CollectionId>, std::uint64_t>;

/// Of one chunk, with the predicates that it tests; a search for an instant (`next`) counts as one step.
Cost cost(const Program& program, std::uint32_t chunk);
/// Of a rule: guard, verdicts and text.
Cost cost(const Program& program, const Rule& rule);
Cost cost(const Program& program, const Fallback& fallback);

/// `at most 12 steps + 5 × workloads`.
std::string to_string(const Cost& cost);

}  // namespace sluice::program
