#include <algorithm>

#include "base/error.hpp"
#include "decide/core.hpp"
#include "decide/eligibility.hpp"
#include "model/requests.hpp"
#include "model/selector.hpp"

/// What Kueue's controllers do when an object other than a workload is created, changed or deleted.
/// Source   Kueue pkg/controller/core, pkg/cache/queue/manager.go, pkg/cache/scheduler/cache.go.
namespace sluice::decide {
namespace {

template <class T>
std::pair<std::string_view, std::string_view> key_of(const T& object) {
  if constexpr (requires { object.name_space; }) {
    return {object.name_space, object.name};
  } else {
    return {{}, object.name};
  }
}

template <class T>
auto place_of(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  return std::lower_bound(sorted.begin(), sorted.end(), std::pair(name_space, name),
                          [](const T& object, const auto& key) { return key_of(object) < key; });
}

template <class T>
T* find_object(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  auto it = place_of(sorted, name_space, name);
  return it != sorted.end() && key_of(*it) == std::pair(name_space, name) ? &*it : nullptr;
}

/// Replaces or inserts; the object that was there.
template <class T>
std::optional<T> put(std::vector<T>& sorted, const T& object) {
  auto [name_space, name] = key_of(object);
  auto it = place_of(sorted, name_space, name);
  if (it != sorted.end() && key_of(*it) == key_of(object)) {
    std::optional<T> before = std::move(*it);
    *it = object;
    return before;
  }
  sorted.insert(it, object);
  return std::nullopt;
}

template <class T>
std::optional<T> erase(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  auto it = place_of(sorted, name_space, name);
  if (it == sorted.end() || key_of(*it) != std::pair(name_space, name)) return std::nullopt;
  std::optional<T> before = std::move(*it);
  sorted.erase(it);
  return before;
}

/// Whether both say the same, wherever they were written.
template <class T>
bool is_same(T a, const T& b) {
  a.origin = b.origin;
  if constexpr (requires { a.generation; }) a.generation = b.generation;
  return a == b;
}

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

bool uses_flavor(const ClusterQueue& queue, const std::string& flavor) {
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (quotas.flavor == flavor) return true;
    }
  }
  return false;
}

bool uses_check(const ClusterQueue& queue, const std::string& check) {
  return std::any_of(queue.admission_checks.begin(), queue.admission_checks.end(),
                     [&](const AdmissionCheckRule& rule) { return rule.name == check; });
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
  if (work.place == Work::Place::nowhere && work.is_queueable()) pending.push(works, work.queue, id);
}

void Core::queue_appears(QueueId id) {
  // Kueue decides it when the queue is made, and for good.
  if (cluster.queues[id].by_usage) pending.order_by_usage(id);
  const std::string& name = cluster.queues[id].object->name;
  for (const auto& [key, info] : cluster.local_queues) {
    if (info.queue != id) continue;
    for_works_of(key.first, key.second, [&](WorkId work_id, Work& work) {
      work.queue = id;
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
  for (const std::string& name : cluster.terminating) {
    QueueId id = cluster.queue_by_name.find(name)->second;
    if (reserving[id].empty()) {
      drop_queue(std::string(name), id);
      return true;
    }
  }
  return false;
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
    if (was_open && leaves && work.queue != kNone && !work.reserved) {
      pending.erase(works, work.queue, id);
    }
    work.has_local_queue = true;
    work.queue = info.queue;
    work.local_stop = info.stop;
    if (info.stop == StopPolicy::none) push_untried(id);
    if (stop_changed) to_reconcile_.push_back(id);
  });
}

void Core::remove_local_queue(const std::string& name_space, const std::string& name) {
  if (!erase(own_objects().local_queues, name_space, name)) return;
  for_works_of(name_space, name, [&](WorkId id, Work& work) {
    if (work.queue != kNone && !work.reserved) pending.erase(works, work.queue, id);
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

void Core::apply(const ResourceFlavor& object) {
  World& world = own_objects();
  const ResourceFlavor* known = find_object(world.flavors, {}, object.name);
  if (ending_.contains({ObjectKind::resource_flavor, object.name})) return;
  if (known != nullptr && is_same(*known, object)) return;
  std::optional<ResourceFlavor> before = put(world.flavors, object);
  note_activity(recompile());
  shapes.forget_flavor(cluster.flavor_names.find(object.name));
  bool selects = before && (before->node_labels != object.node_labels || before->node_taints != object.node_taints ||
                            before->tolerations != object.tolerations);
  if (!selects) return;
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    if (uses_flavor(*cluster.queues[id].object, object.name)) wake(id);
  }
}

void Core::apply(const AdmissionCheck& object) {
  World& world = own_objects();
  const AdmissionCheck* known = find_object(world.admission_checks, {}, object.name);
  if (ending_.contains({ObjectKind::admission_check, object.name})) return;
  if (known != nullptr && is_same(*known, object)) return;
  put(world.admission_checks, object);
  note_activity(recompile());
  look_again_at_check(object.name);
}

void Core::apply(const ProvisioningRequestConfig& object) {
  std::optional<ProvisioningRequestConfig> before = put(own_objects().provisioning_configs, object);
  note_activity(recompile());
  auto in_any_order = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  bool asks_otherwise =
      !before || before->class_name != object.class_name || before->parameters != object.parameters ||
      in_any_order(before->managed_resources) != in_any_order(object.managed_resources);
  if (asks_otherwise) look_again_at_config(object.name);
}

/// The provisioning controller looks at the workloads that have a check.
void Core::look_again_at_check(const std::string& name) {
  CheckId check = cluster.check_names.find(name);
  for (WorkId id = 0; id < works.size(); ++id) {
    const Work& work = works[id];
    bool has = std::any_of(work.checks.begin(), work.checks.end(), [&](const Check& c) { return c.check == check; });
    if (has && !work.removed) to_reconcile_.push_back(id);
  }
}

void Core::look_again_at_config(const std::string& name) {
  for (const AdmissionCheck& check : cluster.world->admission_checks) {
    if (names_config(check) && check.parameters_name == name) look_again_at_check(check.name);
  }
}

void Core::apply(const Topology& object) {
  World& world = own_objects();
  if (ending_.contains({ObjectKind::topology, object.name})) return;
  bool is_new = !put(world.topologies, object);
  note_activity(recompile());
  if (!is_new) return;
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    for (const ResourceFlavor& flavor : world.flavors) {
      if (flavor.topology == object.name && uses_flavor(*cluster.queues[id].object, flavor.name)) wake(id);
    }
  }
}

/// Deleted but in use, an object stays until nothing uses it any more.
bool Core::is_used(ObjectKind kind, const std::string& name) const {
  const World& world = *cluster.world;
  const auto& queues = world.cluster_queues;
  if (kind == ObjectKind::topology) {
    return std::any_of(world.flavors.begin(), world.flavors.end(),
                       [&](const ResourceFlavor& flavor) { return flavor.topology == name; });
  }
  return std::any_of(queues.begin(), queues.end(), [&](const ClusterQueue& queue) {
    return kind == ObjectKind::resource_flavor ? uses_flavor(queue, name) : uses_check(queue, name);
  });
}

void Core::release_unused() {
  std::set<std::pair<ObjectKind, std::string>> ending;
  ending.swap(ending_);
  for (const auto& [kind, name] : ending) remove_or_wait(kind, name);
}

void Core::remove_or_wait(ObjectKind kind, const std::string& name) {
  if (is_used(kind, name)) {
    ending_.emplace(kind, name);
    return;
  }
  World& world = own_objects();
  if (kind == ObjectKind::resource_flavor) {
    if (erase(world.flavors, {}, name)) shapes.forget_flavor(cluster.flavor_names.find(name));
  }
  if (kind == ObjectKind::admission_check) {
    erase(world.admission_checks, {}, name);
    look_again_at_check(name);
  }
  if (kind == ObjectKind::topology) erase(world.topologies, {}, name);
  note_activity(recompile());
  if (kind == ObjectKind::resource_flavor) release_unused();  // its topology
}

/// Workloads take the new value of their class.
void Core::apply(const WorkloadPriorityClass& object) {
  std::optional<WorkloadPriorityClass> before = put(own_objects().workload_priority_classes, object);
  if (before && before->value == object.value) return;
  for (WorkId id = 0; id < works.size(); ++id) {
    const Work& work = works[id];
    if (work.removed || work.object->priority_class != object.name ||
        work.object->priority_class_kind != "WorkloadPriorityClass" || work.object->priority == object.value) {
      continue;
    }
    Workload changed = *work.object;
    changed.priority = object.value;
    apply(id, changed);
  }
}

void Core::apply(const PriorityClass& object) {
  put(own_objects().priority_classes, object);
}

/// Queues whose selector the new labels match are tried again.
void Core::apply(const Namespace& object) {
  std::optional<Namespace> before = put(own_objects().namespaces, object);
  recompile();
  auto labels_of = [](const Namespace& name_space) {
    Labels labels = name_space.labels;
    labels["kubernetes.io/metadata.name"] = name_space.name;
    return labels;
  };
  Labels old_labels = labels_of(before ? *before : Namespace{object.name, {}, {}});
  Labels new_labels = labels_of(object);
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    const LabelSelector& selector = cluster.queues[id].object->namespace_selector;
    if (matches(selector, new_labels) && !matches(selector, old_labels)) wake(id);
  }
}

void Core::apply(const LimitRange& object) {
  change_pods([&](const Workload& workload) { return workload.name_space == object.name_space; },
              [&](World& world) { put(world.limit_ranges, object); });
}

void Core::apply(const RuntimeClass& object) {
  change_pods([&](const Workload& workload) { return uses_runtime_class(workload, object.name); },
              [&](World& world) { put(world.runtime_classes, object); });
}

bool Core::uses_runtime_class(const Workload& workload, const std::string& name) {
  return std::any_of(workload.pod_sets.begin(), workload.pod_sets.end(),
                     [&](const PodSet& pod_set) { return pod_set.pod.runtime_class == name; });
}

/// What pods ask for changes: waiting workloads get another shape, and parked ones are tried again if theirs
/// is another.
void Core::change_pods(const std::function<bool(const Workload&)>& concerns,
                       const std::function<void(World&)>& change) {
  World& world = own_objects();
  auto pods_of = [&](const Workload& workload) {
    std::vector<PodTemplate> pods;
    for (const PodSet& pod_set : workload.pod_sets)
      pods.push_back(adjust_resources(pod_set.pod, workload.name_space, world));
    return pods;
  };
  std::vector<std::pair<WorkId, std::vector<PodTemplate>>> before;
  for (WorkId id = 0; id < works.size(); ++id) {
    const Work& work = works[id];
    if (work.removed || work.finished || work.reserved || !concerns(*work.object)) continue;
    before.emplace_back(id, pods_of(*work.object));
  }
  change(world);
  for (const auto& [id, pods] : before) {
    Work& work = works[id];
    reshape(work);
    if (!work.is_queueable()) continue;
    if (work.place != Work::Place::parked || pods_of(*work.object) != pods) touch(id);
  }
}

void Core::apply(const Node& object) {
  put(own_objects().nodes, object);
  nodes_changed();
}

void Core::nodes_changed() {
  recompile();
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    if (cluster.queues[id].has_topology) wake(id);
  }
}

void Core::remove(ObjectKind kind, const std::string& name_space, const std::string& name) {
  World& world = own_objects();
  switch (kind) {
    case ObjectKind::cluster_queue:
      return remove_cluster_queue(name);
    case ObjectKind::cohort:
      return remove_cohort(name);
    case ObjectKind::local_queue:
      return remove_local_queue(name_space, name);
    case ObjectKind::resource_flavor:
    case ObjectKind::admission_check:
    case ObjectKind::topology:
      return remove_or_wait(kind, name);
    case ObjectKind::workload_priority_class:
      erase(world.workload_priority_classes, {}, name);
      return;
    case ObjectKind::priority_class:
      erase(world.priority_classes, {}, name);
      return;
    case ObjectKind::provisioning_request_config:
      erase(world.provisioning_configs, {}, name);
      note_activity(recompile());
      return look_again_at_config(name);
    case ObjectKind::name_space:
      erase(world.namespaces, {}, name);
      recompile();
      return;
    case ObjectKind::limit_range:
      return change_pods([&](const Workload& workload) { return workload.name_space == name_space; },
                         [&](World& w) { erase(w.limit_ranges, name_space, name); });
    case ObjectKind::runtime_class:
      return change_pods([&](const Workload& workload) { return uses_runtime_class(workload, name); },
                         [&](World& w) { erase(w.runtime_classes, {}, name); });
    case ObjectKind::node:
      erase(world.nodes, {}, name);
      return nodes_changed();
    case ObjectKind::workload: {
      WorkId id = find({name_space, name});
      if (id == kNone) throw Error("unknown-workload", "no workload `" + name_space + "/" + name + "`");
      return remove(id);
    }
  }
}

}  // namespace sluice::decide
