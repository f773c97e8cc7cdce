#include <algorithm>

#include "decide/assign.hpp"

// Once flavors are found: whether the nodes have a place, now or in an empty cluster.
// Source: Kueue pkg/scheduler/flavorassigner flavorassigner.go assignFlavors, tas_flavorassigner.go.

namespace sluice::decide {

/// Pod sets of one group share their flavors, and with them what is to happen.
void Assigner::set_verdict(const Context& c, std::uint16_t pod_set, Verdicts verdict, Assignment& out) {
  const auto& pod_sets = c.work->object->pod_sets;
  const auto& topology = pod_sets[pod_set].topology;
  for (Choice& choice : out.choices) {
    bool shared = choice.pod_set == pod_set;
    if (!shared && topology && topology->group) {
      const auto& other = pod_sets[choice.pod_set].topology;
      shared = other && other->group == topology->group;
    }
    if (shared) choice.verdict = verdict;
  }
  out.pod_sets[pod_set].verdict = verdict;
  out.verdict = verdict;
}

void Assigner::take_placements(const PlacementResult& result, Assignment& out) {
  for (const PodSetPlacement& placed : result.placed) {
    PodSetResult& pod_set = out.pod_sets[placed.pod_set];
    pod_set.placement = placed;
    pod_set.is_placed = true;
    pod_set.to_repair = false;
    if (pod_set.delayed != Delayed::none) pod_set.delayed = Delayed::ready;
  }
}

void Assigner::place(const Context& c, Assignment& out) {
  PlacementRequests requests = placer_.requests(c.id, out);
  judge(out);
  if (out.verdict == Verdicts::fit) {
    PlacementResult result = placer_.find(c.id, requests, false);
    if (result.ok()) {
      take_placements(result, out);
    } else {
      auto failed = static_cast<std::uint16_t>(result.failed);
      out.pod_sets[failed].placement_failure = static_cast<std::int32_t>(out.placement_failures.size());
      out.pod_sets[failed].has_reasons = true;
      out.placement_failures.push_back(std::move(result.failure));
      set_verdict(c, failed, Verdicts::preempt, out);
    }
  }
  // For a failed node nobody is preempted.
  if (out.verdict != Verdicts::preempt || !c.work->unhealthy_nodes.empty()) return;
  PlacementResult result = placer_.find(c.id, requests, true);
  if (!result.ok()) {
    auto failed = static_cast<std::uint16_t>(result.failed);
    out.pod_sets[failed].no_place_at_all = result.flavor;
    set_verdict(c, failed, Verdicts::no_fit, out);
    return;
  }
  // The quota may be there and yet lie in pieces: whoever is placed may have to preempt.
  for (const auto& entry : requests.by_tree) {
    for (const PlacementAsk& ask : entry.second) set_verdict(c, ask.pod_set, Verdicts::preempt, out);
  }
}

}  // namespace sluice::decide
