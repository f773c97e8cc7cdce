#pragma once

#include <span>
#include <string>

#include "decide/engine.hpp"
#include "report/scene.hpp"

/// Every scheduling cycle of a run, head by head, for people.
namespace sluice::report {

/// `start`: the instant from which the cycles' times count. A loop is shown with the cycles that repeat. Ends in
/// a newline unless there was no cycle.
std::string trace_text(std::span<const decide::Cycle> cycles, const decide::RunEnd& end, Instant start,
                       const Scene& scene);

/// The cycles that repeat when a run would go on for ever, with their heads and outcomes; empty if it would not. Ends in
/// a newline.
std::string loop_text(std::span<const decide::Cycle> cycles, const decide::RunEnd& end, const Scene& scene);

}  // namespace sluice::report
