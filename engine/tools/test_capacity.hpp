#pragma once

#include <vector>

#include "model/world.hpp"
#include "tools/test_value.hpp"

namespace sluice::tools {

/// The signals of `capacity { … }` in a test. Throws Error "not-yet-decided" for signals about machine types
/// and zones.
std::vector<CapacitySignal> capacity_of_test(const lang::ast::Capacity& capacity, const lang::Policy& policy,
                                             const TestRow& row, Instant now);

}  // namespace sluice::tools
