#include <algorithm>
#include <utility>

#include "decide/core.hpp"

// Workloads that have quota and are offered again for their placement: it waited for machines, or a node of it
// has failed. Source: Kueue pkg/cache/queue second_pass_queue.go, pkg/workload NeedsSecondPass.

namespace sluice::decide {
namespace {

/// 1, 2, 4, … up to 30 seconds.
Duration delay_before(std::int32_t iteration) {
  constexpr std::int64_t kMost = 30;
  std::int64_t seconds = iteration > 5 ? kMost : std::min<std::int64_t>(kMost, std::int64_t{1} << (iteration - 1));
  return Duration::seconds(seconds);
}

}  // namespace

bool Core::needs_second_pass(const Work& work) const {
  if (work.finished || work.removed || work.evicted || !work.reserved || work.on_hold) return false;
  bool ready = !work.checks.empty() && std::all_of(work.checks.begin(), work.checks.end(), [](const Check& c) {
    return c.state == CheckState::ready;
  });
  if (ready && !work.admitted && work.placement_pending()) return true;
  if (!work.admitted) return false;
  return std::any_of(work.placements.begin(), work.placements.end(), [&](const HeldPlacement& held) {
    return std::any_of(held.assignment.domains.begin(), held.assignment.domains.end(), [&](const TopologyDomain& d) {
      const auto& bad = work.unhealthy_nodes;
      return !d.values.empty() && std::find(bad.begin(), bad.end(), d.values.back()) != bad.end();
    });
  });
}

bool Core::awaits_second_pass() const {
  if (cluster.topologies.empty()) return false;
  return std::any_of(works.begin(), works.end(), [&](const Work& work) { return needs_second_pass(work); });
}

/// `iteration`: how often it was tried already; `pods`: what its object says about them. False if it needs none.
bool Core::queue_second_pass(WorkId id, std::int32_t iteration, const PodsStatus& pods) {
  if (!needs_second_pass(works[id])) {
    if (iteration > 0) second_passes_.erase(id);
    return false;
  }
  return second_passes_.wait(id, {iteration + 1, pods}, now + delay_before(iteration + 1));
}

void Core::wake_second_passes() {
  // Kueue offers it as it was when the timer was set: a check that is no longer ready does not take it back.
  second_passes_.wake(now, [&](WorkId id) {
    const Work& work = std::as_const(works)[id];
    return work.reserved && !work.evicted && !work.finished && !work.removed;
  });
}

void Core::take_heads_of_second_pass() {
  for (const auto& [id, attempt] : second_passes_.take_ready()) {
    Entry& entry = next_entry(id);
    entry.second_pass = true;
    entry.pods = attempt.pods;
    entry.iteration = attempt.iteration;
  }
}

/// Placements of an assignment into the workload that gets it.
void Core::write_placements(Work& work, const Assignment& assignment) {
  ThinVector<HeldPlacement> before = std::exchange(work.placements, {});
  work.delayed.clear();
  for (std::uint16_t i = 0; i < assignment.pod_sets.size(); ++i) {
    const PodSetResult& result = assignment.pod_sets[i];
    if (result.delayed != Delayed::none) {
      work.delayed.resize(assignment.pod_sets.size(), Delayed::none);
      work.delayed[i] = result.delayed;
    }
    if (!result.is_placed) continue;
    if (!result.placement.keeps) {
      work.placements.push_back({i, placer_.assignment_of(result.placement)});
      continue;
    }
    auto held = std::find_if(before.begin(), before.end(), [&](const HeldPlacement& h) { return h.pod_set == i; });
    if (held != before.end()) work.placements.push_back(std::move(*held));
  }
}

/// Its quota stays; where its pods are changes.
void Core::complete_second_pass(Entry& entry) {
  Work& work = works[entry.work];
  cluster.topologies.remove(cluster.tree, work.leaf_uses);
  write_placements(work, entry.assignment);
  work.unhealthy_nodes.clear();
  placer_.resolve(work);
  cluster.topologies.add(cluster.tree, work.leaf_uses);
  if (work.admitted && work.admitted_at == now) settle_usage(entry.work);
  ++generations[work.holds_in];
  counts_changed(work.holds_in);
  to_reconcile_.push_back(entry.work);
  if (rules != nullptr) tell_rules(entry.work);
}

}  // namespace sluice::decide
