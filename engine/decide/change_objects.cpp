#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "decide/core.hpp"
#include "decide/eligibility.hpp"
#include "decide/object_list.hpp"
#include "model/requests.hpp"
#include "model/selector.hpp"

/// What Kueue's controllers do when an object is created, changed or deleted that is neither a queue nor a
/// workload.
/// Source   Kueue pkg/controller/core, pkg/cache/queue/manager.go, pkg/cache/scheduler/cache.go.
namespace sluice::decide {
namespace {

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
  World& world = own_objects();
  if (is_used(kind, name)) {
    ending_.emplace(kind, name);
    const AdmissionCheck* check = find_object(world.admission_checks, {}, name);
    if (kind == ObjectKind::admission_check && check != nullptr)
      cluster.deleted_checks.try_emplace(name, is_active(*check, world));
    return;
  }
  if (kind == ObjectKind::resource_flavor) {
    if (erase(world.flavors, {}, name)) shapes.forget_flavor(cluster.flavor_names.find(name));
  }
  if (kind == ObjectKind::admission_check) {
    erase(world.admission_checks, {}, name);
    cluster.deleted_checks.erase(name);
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
    const Work& work = std::as_const(works)[id];
    if (work.removed || work.finished || !concerns(*work.object)) continue;
    works[id].resources_valid = -1;  // also of those that have quota: they may lose it
    if (work.reserved) continue;
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
  std::optional<Node> before = put(own_objects().nodes, object);
  if (before && is_same(*before, object)) return;
  nodes_changed(before ? &*before : nullptr, &object);
}

/// A node of a flavor with a topology has every queue tried again.
void Core::nodes_changed(const Node* before, const Node* after) {
  bool counts = (before != nullptr && cluster.topologies.is_of_a_flavor(*before)) ||
                (after != nullptr && cluster.topologies.is_of_a_flavor(*after));
  recompile();
  const Node* known = after == nullptr ? nullptr : find_object(own_objects().nodes, {}, after->name);
  bool matters = before == nullptr || after == nullptr || before->ready != after->ready ||
                 (gates.tas_replace_node_on_node_taints && before->taints != after->taints);
  if (matters) check_node(after == nullptr ? before->name : after->name, known);
  if (!counts) return;
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    if (cluster.queues[id].active) wake(id);
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
    case ObjectKind::provisioning_request:
      return remove_request(name_space, name);
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
      if (std::optional<Node> before = erase(world.nodes, {}, name)) nodes_changed(&*before, nullptr);
      return;
    case ObjectKind::workload: {
      WorkId id = find({name_space, name});
      if (id == kNone) throw Error("unknown-workload", "no workload `" + name_space + "/" + name + "`");
      return remove(id);
    }
  }
}

}  // namespace sluice::decide
