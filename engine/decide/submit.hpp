#pragma once

#include <vector>

#include "decide/rules.hpp"

namespace sluice::decide {

/// What rules on `submit` give to the fields that the submitter left open, as a mutating webhook would;
/// `workload` is changed. Returns what was set by which rule. Throws Unsupported for a compute class.
std::vector<RuleNote> apply_defaults(Workload& workload, const Rules& rules, const World& world, Instant now);

}  // namespace sluice::decide
