#pragma once

#include "model/world.hpp"
#include "tools/test_value.hpp"

namespace sluice::tools {

/// The Workload of `submit workload { … }`, as Kueue would make it of a job with these pod sets. Without a
/// pod set it has one pod `main` that asks for nothing. `number` counts the workloads of the test and names
/// it if nothing else does.
Workload workload_of_test(const lang::ast::SubmitWorkloadStep& step, const lang::Policy& policy,
                          const TestRow& row, const World& world, Instant now, std::size_t number);

}  // namespace sluice::tools
