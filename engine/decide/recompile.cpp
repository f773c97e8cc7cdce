#include <algorithm>

#include "decide/core.hpp"
#include "model/overlay.hpp"

namespace sluice::decide {

World& Core::own_objects() {
  shapes.forget_objects();
  if (own_world == nullptr) {
    own_world = std::make_unique<World>(without_workloads(*cluster.world));
    cluster.bind(*own_world);
  }
  return *own_world;
}

/// Compiles the configuration anew and takes everything that is kept by queue or node along. Usage is what
/// the workloads hold, counted again: an object's change may give a flavor-resource a place in a tree that
/// had none. Cost   the configuration, and one step for each workload.
Core::Activity Core::recompile() {
  Cluster next(*own_world, gates, cluster);
  std::vector<QueueId> to(cluster.queues.size(), kNone);
  std::vector<QueueId> woken;
  Activity activity;
  std::vector<std::uint64_t> next_generations(next.queues.size(), 1);
  std::vector<std::vector<WorkId>> next_reserving(next.queues.size());
  std::vector<Reported> next_reported(next.queues.size());
  std::set<QueueId> next_to_report;
  for (const auto& [name, id] : cluster.queue_by_name) {
    const Queue& queue = cluster.queues[id];
    auto it = next.queue_by_name.find(name);
    if (it == next.queue_by_name.end()) continue;
    to[id] = it->second;
    const Queue& now_is = next.queues[it->second];
    if (!queue.active && now_is.active) activity.activated.push_back(it->second);
    if (queue.inactive_reason != now_is.inactive_reason) activity.changed.push_back(it->second);
    next_generations[it->second] = generation(id);
    next_reserving[it->second] = std::move(reserving[id]);
    next_reported[it->second] = reported_[id];
    if (!is_reported(id)) next_reported[it->second] = report_of(id);
    bool stays_reported = options.kueue.fair_sharing || now_is.counts_wake_tree;
    if (to_report_.contains(id) && stays_reported) next_to_report.insert(it->second);
    if (woken_roots_.contains(cluster.tree.root(queue.node))) woken.push_back(it->second);
  }
  cluster = std::move(next);
  generations = std::move(next_generations);
  reserving = std::move(next_reserving);
  reported_ = std::move(next_reported);
  to_report_ = std::move(next_to_report);
  tree_generations.assign(cluster.tree.size(), 0);
  pending.renumber(to, cluster.queues.size());
  bind_usage();
  preemptor_.forget_tree();
  woken_roots_.clear();
  for (QueueId id : woken) wake(id);
  for (WorkId id = 0; id < works.size(); ++id) {
    Work& work = works[id];
    if (work.queue != kNone) work.queue = to[work.queue];
    if (work.holds_in != kNone) work.holds_in = to[work.holds_in];
  }
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    for (WorkId work_id : reserving[id]) {
      Work& work = works[work_id];
      for (Holding& holding : work.holdings) {
        holding.cell = cluster.cell_of(cluster.queues[id], holding.flavor, holding.resource);
      }
      if (!work.placements.empty()) placer_.resolve(work);
      preemptor_.add_usage(work);
    }
  }
  return activity;
}

/// Kueue reports a queue's activity in its status; what is woken by that is in `counts_changed`.
void Core::note_activity(const Activity& activity) {
  for (QueueId id : activity.activated) wake(id);
  for (QueueId id : activity.changed) counts_changed(id);
}

void Core::quotas_changed(NodeId node) {
  ++tree_generations[cluster.tree.root(node)];
}

}  // namespace sluice::decide
