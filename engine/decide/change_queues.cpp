#include <algorithm>

#include "decide/core.hpp"
#include "decide/object_list.hpp"

/// What Kueue's controllers do when a ClusterQueue, Cohort or LocalQueue is created, changed or deleted.
/// Source   Kueue pkg/controller/core, pkg/cache/queue/manager.go, pkg/cache/scheduler/cache.go.
namespace sluice::decide {
namespace {

/// The order of a group's resources means nothing.
std::vector<ResourceGroup> in_any_order(std::vector<ResourceGroup> groups) {
  for (ResourceGroup& group : groups) {
    std::sort(group.covered_resources.begin(), group.covered_resources.end());
    for (FlavorQuotas& flavor : group.flavors) {
      std::sort(flavor.resources.begin(), flavor.resources.end(),
                [](const ResourceQuota& a, const ResourceQuota& b) { return a.resource < b.resource; });
    }
  }
  return groups;
}

}  // namespace

template <class Visit>
void Core::for_works_of(const std::string& name_space, const std::string& local_queue, Visit visit) {
  for (WorkId id = 0; id < works.size(); ++id) {
    Work& work = works[id];
    if (work.removed || work.object->queue != local_queue || work.object->name_space != name_space) continue;
    visit(id, work);
  }
}

/// Into the queue as a LocalQueue or ClusterQueue that appears brings it: neither a back-off nor what is
/// known of its equals keeps it out.
void Core::push_untried(WorkId id) {
  Work& work = works[id];
  if (!work.is_queueable()) return;
  if (work.place == Work::Place::nowhere) pending.push(works, work.queue, id);
  if (work.place == Work::Place::in_flight && open_cycle_) open_cycle_->listed.insert(id);
}

void Core::queue_appears(QueueId id) {
  // Kueue decides it when the queue is made, and for good.
  if (cluster.queues[id].by_usage) pending.order_by_usage(id);
  const std::string& name = cluster.queues[id].object->name;
  for (const auto& [key, info] : cluster.local_queues) {
    if (info.queue != id) continue;
    for_works_of(key.first, key.second, [&](WorkId work_id, Work& work) {
      work.queue = id;
      if (work.local_stop == StopPolicy::none) work.seen_in = work.local;
      read_variant(work);
      push_untried(work_id);
      to_reconcile_.push_back(work_id);
    });
  }
  for (WorkId work_id = 0; work_id < works.size(); ++work_id) {
    Work& work = works[work_id];
    if (!work.holds_quota() || work.holds_in != kNone || work.object->admitted_queue != name) continue;
    read_holdings(work);
    begin_holding(work_id);
  }
  quotas_changed(cluster.queues[id].node);
  wake(id);
  counts_changed(id);
}

void Core::apply(const ClusterQueue& object) {
  World& world = own_objects();
  ClusterQueue* known = find_object(world.cluster_queues, {}, object.name);
  if (known == nullptr) {
    put(world.cluster_queues, object);
    recompile();
    return queue_appears(cluster.queue_by_name.find(object.name)->second);
  }
  if (is_same(*known, object)) return;
  if (cluster.terminating.contains(object.name)) {
    // The caches keep the queue as it was; the controller of workloads reads its stop policy from the object.
    QueueId id = cluster.queue_by_name.find(object.name)->second;
    known->stop_policy = object.stop_policy;
    cluster.set_stop(id, object.stop_policy);
    return look_at_workloads_of(id);
  }
  ClusterQueue before = *put(world.cluster_queues, object);
  bool stop_only = [&] {
    ClusterQueue other = before;
    other.stop_policy = object.stop_policy;
    return is_same(other, object);
  }();
  if (stop_only) {
    cluster.set_stop(cluster.queue_by_name.find(object.name)->second, object.stop_policy);
    bind_usage();
  } else {
    recompile();
  }
  QueueId id = cluster.queue_by_name.find(object.name)->second;
  if (before.cohort != object.cohort ||
      in_any_order(before.resource_groups) != in_any_order(object.resource_groups)) {
    quotas_changed(cluster.queues[id].node);
    if (before.cohort != object.cohort && before.cohort) cohort_changed(*before.cohort);
  }
  wake(id);
  counts_changed(id);  // its status tells the generation of the object
  if (before.admission_checks != object.admission_checks || before.stop_policy != object.stop_policy) {
    look_at_workloads_of(id);
  }
  release_unused();
}

void Core::look_at_workloads_of(QueueId id) {
  for (WorkId work = 0; work < works.size(); ++work) {
    if (works[work].queue == id) to_reconcile_.push_back(work);
  }
}

void Core::remove_cluster_queue(const std::string& name) {
  own_objects();
  auto it = cluster.queue_by_name.find(name);
  if (it == cluster.queue_by_name.end() || !cluster.terminating.insert(name).second) return;
  cluster.set_stop(it->second, cluster.queues[it->second].stop);
  look_at_workloads_of(it->second);
}

/// A ClusterQueue that is deleted goes when nobody holds quota in it; true if one went.
bool Core::drop_empty_queues() {
  const std::set<std::string, std::less<>> terminating = cluster.terminating;
  bool went = false;
  for (const std::string& name : terminating) {
    QueueId id = cluster.queue_by_name.find(name)->second;
    if (!reserving[id].empty()) continue;
    drop_queue(name, id);
    went = true;
  }
  return went;
}

void Core::drop_queue(const std::string& name, QueueId id) {
  bool wakes = cluster.queues[id].counts_wake_tree;
  for (WorkId work = 0; work < works.size(); ++work) {
    if (works[work].queue != id) continue;
    pending.erase(works, id, work);
    to_reconcile_.push_back(work);
  }
  cluster.terminating.erase(name);
  std::optional<ClusterQueue> before = erase(own_objects().cluster_queues, {}, name);
  recompile();
  if (before->cohort) {
    cohort_changed(*before->cohort);
    auto node = cluster.cohort_nodes.find(*before->cohort);
    if (wakes && node != cluster.cohort_nodes.end()) woken_roots_.insert(cluster.tree.root(node->second));
  }
  release_unused();
}

/// The quotas of its tree were summed up anew.
void Core::cohort_changed(const std::string& name) {
  auto it = cluster.cohort_nodes.find(name);
  if (it != cluster.cohort_nodes.end()) quotas_changed(it->second);
}

void Core::apply(const Cohort& object) {
  World& world = own_objects();
  const Cohort* known = find_object(world.cohorts, {}, object.name);
  if (known != nullptr && is_same(*known, object)) return;
  std::optional<Cohort> before = put(world.cohorts, object);
  recompile();
  if (before && before->parent && before->parent != object.parent) cohort_changed(*before->parent);
  cohort_changed(object.name);
  auto it = cluster.cohort_nodes.find(object.name);
  if (it != cluster.cohort_nodes.end()) woken_roots_.insert(cluster.tree.root(it->second));
}

/// Wakes nobody, though what it gave to its tree, or kept from it, has changed.
void Core::remove_cohort(const std::string& name) {
  std::optional<Cohort> before = erase(own_objects().cohorts, {}, name);
  if (!before) return;
  recompile();
  cohort_changed(name);
  if (before->parent) cohort_changed(*before->parent);
}

void Core::apply(const LocalQueue& object) {
  World& world = own_objects();
  const LocalQueue* known = find_object(world.local_queues, object.name_space, object.name);
  if (known != nullptr && is_same(*known, object)) return;
  std::optional<LocalQueue> before = put(world.local_queues, object);
  if (!before) recompile();
  LocalQueueInfo& info = cluster.local_queues.at({object.name_space, object.name});
  auto queue = cluster.queue_by_name.find(object.cluster_queue);
  info.queue = queue == cluster.queue_by_name.end() ? kNone : queue->second;
  info.stop = object.stop_policy;
  if (local_usage) {
    local_usage->mark(info.id);
    usage_changed(info.id);
  }
  bool stop_changed = !before || before->stop_policy != object.stop_policy;
  bool was_open = before && before->stop_policy == StopPolicy::none;
  for_works_of(object.name_space, object.name, [&](WorkId id, Work& work) {
    bool leaves = info.stop != StopPolicy::none || work.queue != info.queue;
    if (was_open && leaves && work.queue != kNone && !work.reserved && !keeps_in_flight(work)) {
      pending.erase(works, work.queue, id);
    }
    bool unlisted = was_open && keeps_in_flight(work);
    if (unlisted && work.queue != info.queue) work.place = Work::Place::nowhere;
    work.has_local_queue = true;
    work.queue = info.queue;
    work.local_stop = info.stop;
    read_variant(work);
    if (info.stop == StopPolicy::none && !was_open) work.seen_in = work.local;
    // One whose back-off runs is not in a LocalQueue, so it does not come along when that is led elsewhere.
    bool comes = !was_open || backoff_over(work);
    if (info.stop == StopPolicy::none && !unlisted && comes) push_untried(id);
    if (stop_changed) to_reconcile_.push_back(id);
  });
}

void Core::remove_local_queue(const std::string& name_space, const std::string& name) {
  if (!erase(own_objects().local_queues, name_space, name)) return;
  for_works_of(name_space, name, [&](WorkId id, Work& work) {
    if (work.queue != kNone && !work.reserved && !keeps_in_flight(work)) pending.erase(works, work.queue, id);
    work.has_local_queue = false;
    work.queue = kNone;
    work.local_stop = StopPolicy::none;
    to_reconcile_.push_back(id);
  });
  recompile();
  if (!local_usage) return;
  LocalQueueId id = cluster.local_queue(name_space, name);
  local_usage->ledger.forget(id);
  usage_changed(id);
}

}  // namespace sluice::decide
