#include <algorithm>

#include "decide/core.hpp"
#include "decide/unsupported.hpp"
#include "decide/view.hpp"
#include "model/requests.hpp"
#include "program/program.hpp"

/// What a head could get, before the heads of the cycle are put in order.
namespace sluice::decide {

HeadRefusal Core::refuse_head(Work& work) {
  for (const Check& check : work.checks) {
    if (check.state == CheckState::retry || check.state == CheckState::rejected)
      return HeadRefusal::failed_check;
  }
  if (work.asks() == kNone) return HeadRefusal::queue_missing;  // a second pass comes to where its quota is
  const Queue& queue = cluster.queues[work.asks()];
  if (!queue.usable || !queue.active) return HeadRefusal::queue_inactive;  // a second pass may come to a stopped one
  if (queue.accepts[work.name_space] == 0) return HeadRefusal::namespace_mismatch;
  if (work.resources_valid < 0) {
    work.resources_valid = refused_resources(*work.object, *cluster.world).empty() ? 1 : 0;
  }
  if (work.resources_valid == 0) return HeadRefusal::invalid_resources;
  return HeadRefusal::none;
}

/// The refusals that do not depend on the moment.
HeadRefusal Core::why_not_accepted(const Work& work) const {
  if (work.queue == kNone) return HeadRefusal::queue_missing;
  if (cluster.queues[work.queue].accepts[work.name_space] == 0) return HeadRefusal::namespace_mismatch;
  bool valid = work.resources_valid < 0 ? refused_resources(*work.object, *cluster.world).empty()
                                        : work.resources_valid == 1;
  return valid ? HeadRefusal::none : HeadRefusal::invalid_resources;
}

void Core::nominate(Entry& entry) {
  Work& work = works[entry.work];
  entry.refusal = refuse_head(work);
  if (entry.refusal != HeadRefusal::none) {
    entry.outcome = Outcome::inadmissible;
    entry.requeue =
        entry.refusal == HeadRefusal::namespace_mismatch ? Requeue::namespace_mismatch : Requeue::generic;
    return;
  }
  if (shapes[work.shape].has_claims)
    throw Unsupported("a workload with resource claims (" + name_of(work).to_string() + ")");
  const Progress* progress = &work.progress;
  if (progress->known) {
    bool other_shape = gates.scheduling_equivalence_hashing && progress->equivalence != work.equivalence;
    bool recent = cycle_number - progress->cycle <= 1;
    bool outdated = generation(work.asks()) > progress->generation;
    if (gates.preserve_scan_progress) outdated = other_shape || (!recent && outdated);
    if (outdated) progress = nullptr;
  }
  find_assignment(entry, progress, nullptr);
  place_preemptor(entry);
  order_.push_back(static_cast<std::uint32_t>(&entry - entries_.data()));
}

/// Refuses by name what rules of a point that is not asked yet could change.
void Core::refuse_rules_on(program::Point point, const Work& work) const {
  std::string rule = rules == nullptr ? std::string() : rules->rule_on(point);
  if (rule.empty()) return;
  throw Unsupported("rule `" + rule + "` on " + std::string(to_string(point)) + " (" + name_of(work).to_string() + ")");
}

void Core::find_assignment(Entry& entry, const Progress* progress, const std::vector<Choice>* pinned) {
  const Work& work = works[entry.work];
  entry.replaced = replaced_slice(work);
  assigner_.explain(is_explained(work));
  assigner_.replace(entry.replaced == kNone ? nullptr : &works[entry.replaced]);
  assigner_.assign(entry.work, cycle_number, generation(work.asks()), now, progress, pinned, true,
                   entry.assignment);
  bool wants_place = std::any_of(
      entry.assignment.pod_sets.begin(), entry.assignment.pod_sets.end(), [](const PodSetResult& pod_set) {
        return pod_set.is_placed || pod_set.delayed != Delayed::none || pod_set.placement_failure >= 0;
      });
  if (wants_place) refuse_rules_on(program::Point::place, work);
  entry.targets.clear();
  bool found = entry.assignment.verdict == Verdicts::fit;
  if (entry.assignment.verdict == Verdicts::preempt) {
    find_targets(entry.assignment, entry.work, entry.replaced, entry.targets);
    // A rule could protect these, or make others cheaper; without candidates it has nothing to say.
    if (!entry.targets.empty()) refuse_rules_on(program::Point::preempt, work);
    found = !entry.targets.empty();
  }
  if (!found && gates.partial_admission) found = shrink(entry, progress, pinned);
  assigner_.replace(nullptr);
  assigner_.explain(false);
  if (!found) entry.replaced = kNone;
  if (entry.replaced == kNone) return;
  // The slice that it replaces goes as victims do, and may be one of them as well.
  entry.targets.insert(entry.targets.begin(), {entry.replaced, Victim::Reason::in_cluster_queue, {}});
}

/// The demand is what the pod templates ask for: the implicit `pods` request is not in it, but in 0.17. Of a
/// workload that has quota it is everything that it has.
void Core::find_targets(Assignment& assignment, WorkId id, WorkId replaced, std::vector<Target>& targets) {
  const Work& work = works[id];
  std::vector<FlavorResource> needed;
  std::vector<Demand> demand;
  auto add = [&](FlavorResource cell, Amount amount) {
    if (amount == Amount(0)) return;
    auto known = std::find_if(demand.begin(), demand.end(), [&](const Demand& d) { return d.cell == cell; });
    if (known == demand.end()) {
      demand.push_back({cell, amount});
    } else {
      known->amount = known->amount + amount;
    }
  };
  for (const Choice& choice : assignment.choices) {
    if (choice.verdict == Verdicts::preempt &&
        std::find(needed.begin(), needed.end(), choice.cell) == needed.end()) {
      needed.push_back(choice.cell);
    }
    if (work.reserved || (gates.version == KueueVersion::v0_17 && choice.resource == cluster.pods)) {
      add(choice.cell, choice.amount);
      continue;
    }
    for (const Request& request : shapes[work.shape].pod_sets[choice.pod_set].requests) {
      if (request.resource != choice.resource) continue;
      const PodSetShape& pod_set = shapes[work.shape].pod_sets[choice.pod_set];
      std::int64_t pods = assignment.pod_sets[choice.pod_set].count;
      if (replaced != kNone) pods = pod_set.count - charged_pods(works[replaced], choice.pod_set);
      add(choice.cell, scaled(request.amount, pod_set.count, pods));
    }
  }
  PlacementRequests requests;
  PlacementTest placement{&placer_, id, &requests};
  if (gates.topology_aware) requests = placer_.requests(id, assignment);
  if (assigner_.explains()) {
    assignment.search = static_cast<std::int32_t>(assignment.searches.size());
    preemptor_.write_to(&assignment.searches.emplace_back());
  }
  preemptor_.search(id, cluster.queues[work.asks()], work.asks(), needed, demand, targets,
                    requests.by_tree.empty() ? nullptr : &placement);
  preemptor_.write_to(nullptr);
}

void Core::place_preemptor(Entry& entry) {
  if (!gates.topology_aware || entry.assignment.verdict != Verdicts::preempt) return;
  const Work& work = works[entry.work];
  if (work.admitted && !work.unhealthy_nodes.empty()) return;
  PlacementRequests requests = placer_.requests(entry.work, entry.assignment);
  if (requests.by_tree.empty()) return;
  std::size_t mark = cluster.tree.mark();
  for (const Target& target : entry.targets) preemptor_.remove_usage(works[target.work]);
  // Without victims the place is kept as if nobody were there, so that nobody behind takes it.
  PlacementResult result = placer_.find(entry.work, requests, entry.targets.empty());
  cluster.tree.rollback(mark);
  Assigner::take_placements(result, entry.assignment);
}

void Core::new_leaf_uses(const Entry& entry, std::vector<LeafUse>& out) {
  out.clear();
  const Work& work = works[entry.work];
  for (const PodSetResult& result : entry.assignment.pod_sets) {
    if (!result.is_placed || result.placement.keeps) continue;
    std::size_t first = out.size();
    placer_.uses(work, result.placement, out);
    if (!entry.second_pass) continue;
    for (const LeafUse& held : work.leaf_uses) {
      for (std::size_t i = first; i < out.size(); ++i) {
        if (out[i].tree == held.tree && out[i].leaf == held.leaf && out[i].demand == held.demand)
          out[i].count -= held.count;
      }
    }
    std::erase_if(out, [](const LeafUse& use) { return use.count <= 0; });
  }
}

}  // namespace sluice::decide
