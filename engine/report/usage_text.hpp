#pragma once

#include <span>
#include <string>

#include "decide/engine.hpp"
#include "model/world.hpp"

namespace sluice::report {

/// What the queues of these jobs have in use, beside their quota; empty if they have no queue.
std::string usage_table(const decide::Engine& engine, std::span<const decide::WorkloadReport> jobs,
                        const World& world);

}  // namespace sluice::report
