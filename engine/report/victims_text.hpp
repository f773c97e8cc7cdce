#pragma once

#include <string>

#include "decide/decision.hpp"
#include "report/scene.hpp"

/// Who is preempted, who is spared and why, for people. Every text ends in a newline or is empty.
namespace sluice::report {

/// The search for victims of a decision: each workload that holds quota in the tree, in the order in which they were
/// considered; then, in a line each, the searches on flavors that were not chosen.
std::string search_text(const decide::Decision& decision, const Scene& scene);

/// By whom a workload was preempted, when and why; `cluster_queue` is its own.
std::string preempted_text(const decide::Preempted& preempted, const std::string& cluster_queue, const Scene& scene);

/// What a search made of one candidate: `spared: enough is freed before its turn`. `queue`: of the preemptor.
std::string fate_text(const decide::Candidate& candidate, const decide::VictimSearch& search, const std::string& queue);

}  // namespace sluice::report
