#include <fmt/core.h>

#include <set>

#include "kube/kinds.hpp"
#include "kube/pod_template.hpp"

// Checks, topologies and priorities of Kueue; the built-in kinds.

namespace sluice::kube {

WorkloadPriorityClass workload_priority_class_of(const Input& input) {
  const Object& object = input.object;
  const Value* value = object.find("value");
  if (value == nullptr) refuse(object, *object.value, "the priority class has no `value`");
  return {name_of(object), static_cast<std::int32_t>(integer_or(value, 0)),
          text_of(object.find("description")), input.origin};
}

AdmissionCheck admission_check_of(const Input& input) {
  const Object& object = input.object;
  AdmissionCheck check;
  check.name = name_of(object);
  check.origin = input.origin;
  check.controller = text_of(object.value->at({"spec", "controllerName"}));
  if (check.controller.empty())
    refuse(object, *object.value, "the admission check has no `spec.controllerName`");
  if (const Value* parameters = object.value->at({"spec", "parameters"})) {
    check.parameters_group = text_of(parameters->find("apiGroup"));
    check.parameters_kind = text_of(parameters->find("kind"));
    check.parameters_name = text_of(parameters->find("name"));
  }
  check.active = is_true_or_unsaid(object, "Active");
  return check;
}

ProvisioningRequestConfig provisioning_config_of(const Input& input) {
  const Object& object = input.object;
  ProvisioningRequestConfig config;
  config.name = name_of(object);
  config.origin = input.origin;
  const Value* spec = object.find("spec");
  if (spec == nullptr || text_of(spec->find("provisioningClassName")).empty())
    refuse(object, *object.value, "the config has no `spec.provisioningClassName`");
  config.class_name = text_of(spec->find("provisioningClassName"));
  config.parameters = labels_of(spec->find("parameters"));
  if (const Value* resources = spec->find("managedResources"))
    for (const Value& resource : resources->items()) config.managed_resources.emplace_back(resource.text());
  if (const Value* retry = spec->find("retryStrategy")) {
    auto seconds = [&](std::string_view field, std::int32_t otherwise) {
      return static_cast<std::int32_t>(integer_or(retry->find(field), otherwise));
    };
    config.retry.limit = seconds("backoffLimitCount", config.retry.limit);
    config.retry.base_seconds = seconds("backoffBaseSeconds", config.retry.base_seconds);
    config.retry.max_seconds = seconds("backoffMaxSeconds", config.retry.max_seconds);
  }
  if (const Value* updates = spec->at({"podSetUpdates", "nodeSelector"}))
    for (const Value& update : updates->items())
      config.node_selector_updates.emplace_back(text_of(update.find("key")),
                                                text_of(update.find("valueFromProvisioningClassDetail")));
  config.pod_set_merge_policy = text_of(spec->find("podSetMergePolicy"));
  return config;
}

ProvisioningRequest provisioning_request_of(const Input& input) {
  const Object& object = input.object;
  ProvisioningRequest request;
  request.name_space = namespace_name_of(object);
  request.name = name_of(object);
  request.origin = input.origin;
  auto time_or_now = [&](const Value* time) {
    return time == nullptr ? input.options.now : instant_of(object, *time);
  };
  request.created = time_or_now(object.value->at({"metadata", "creationTimestamp"}));
  if (const Value* owners = object.value->at({"metadata", "ownerReferences"})) {
    for (const Value& owner : owners->items()) {
      if (boolean_or(owner.find("controller"), false) && text_of(owner.find("kind")) == "Workload" &&
          text_of(owner.find("apiVersion")).starts_with("kueue.x-k8s.io/"))
        request.workload = text_of(owner.find("name"));
    }
  }
  if (const Value* spec = object.find("spec")) {
    request.class_name = text_of(spec->find("provisioningClassName"));
    request.parameters = labels_of(spec->find("parameters"));
    if (const Value* pod_sets = spec->find("podSets"))
      for (const Value& pod_set : pod_sets->items())
        request.pod_sets.push_back({text_of(pod_set.at({"podTemplateRef", "name"})),
                                    static_cast<std::int32_t>(integer_or(pod_set.find("count"), 0))});
  }
  request.class_details = labels_of(object.value->at({"status", "provisioningClassDetails"}));
  if (const Value* conditions = object.value->at({"status", "conditions"})) {
    for (const Value& value : conditions->items()) {
      Condition& condition = request.conditions.emplace_back();
      condition.type = text_of(value.find("type"));
      condition.status = text_of(value.find("status")) == "True";
      condition.reason = text_of(value.find("reason"));
      condition.message = text_of(value.find("message"));
      condition.since = time_or_now(value.find("lastTransitionTime"));
      condition.observed_generation = integer_or(value.find("observedGeneration"), 0);
    }
  }
  return request;
}

Topology topology_of(const Input& input) {
  const Object& object = input.object;
  Topology topology;
  topology.name = name_of(object);
  topology.origin = input.origin;
  const Value* levels = object.value->at({"spec", "levels"});
  if (levels == nullptr || levels->items().empty())
    refuse(object, *object.value, "the topology has no `spec.levels`");
  std::set<std::string_view> seen;
  for (const Value& level : levels->items()) {
    const Value* label = level.find("nodeLabel");
    if (label == nullptr || label->text().empty()) refuse(object, level, "the level has no `nodeLabel`");
    if (!seen.insert(label->text()).second)
      refuse(object, *label, fmt::format("the level `{}` is given twice", label->text()));
    if (label->text() == "kubernetes.io/hostname" && &level != &levels->items().back())
      refuse(object, *label, "`kubernetes.io/hostname` can only be the lowest level");
    topology.levels.push_back({{}, std::string(label->text())});
  }
  return topology;
}

PriorityClass priority_class_of(const Input& input) {
  const Object& object = input.object;
  const Value* value = object.find("value");
  return {name_of(object), static_cast<std::int32_t>(integer_or(value, 0)),
          boolean_or(object.find("globalDefault"), false), input.origin};
}

Namespace namespace_of(const Input& input) {
  const Object& object = input.object;
  Namespace space;
  space.name = name_of(object);
  space.origin = input.origin;
  const Value* labels = object.value->at({"metadata", "labels"});
  check_labels(object, labels);
  space.labels = labels_of(labels);
  space.labels["kubernetes.io/metadata.name"] = space.name;
  return space;
}

LimitRange limit_range_of(const Input& input) {
  const Object& object = input.object;
  LimitRange range;
  range.name_space = namespace_name_of(object);
  range.name = name_of(object);
  range.origin = input.origin;
  const Value* limits = object.value->at({"spec", "limits"});
  if (limits == nullptr) return range;
  for (const Value& limit : limits->items()) {
    LimitRangeItem& item = range.items.emplace_back();
    item.type = text_of(limit.find("type"));
    item.max = resources_of(*object.manifest, limit.find("max"));
    item.min = resources_of(*object.manifest, limit.find("min"));
    item.default_limits = resources_of(*object.manifest, limit.find("default"));
    item.default_requests = resources_of(*object.manifest, limit.find("defaultRequest"));
    item.max_ratio = resources_of(*object.manifest, limit.find("maxLimitRequestRatio"));
    if (input.options.scenario || item.type != "Container") continue;
    // As the API server stores it; a scenario holds what is stored.
    for (const auto& [resource, quantity] : item.max) item.default_limits.emplace(resource, quantity);
    for (const auto& [resource, quantity] : item.default_limits)
      item.default_requests.emplace(resource, quantity);
    for (const auto& [resource, quantity] : item.min) item.default_requests.emplace(resource, quantity);
  }
  return range;
}

RuntimeClass runtime_class_of(const Input& input) {
  const Object& object = input.object;
  return {name_of(object), resources_of(*object.manifest, object.value->at({"overhead", "podFixed"})),
          input.origin};
}

Node node_of(const Input& input) {
  const Object& object = input.object;
  Node node;
  node.name = name_of(object);
  node.origin = input.origin;
  const Value* labels = object.value->at({"metadata", "labels"});
  check_labels(object, labels);
  node.labels = labels_of(labels);
  node.taints = checked_taints(object, object.value->at({"spec", "taints"}));
  const Value* allocatable = object.value->at({"status", "allocatable"});
  if (allocatable == nullptr) allocatable = object.value->at({"status", "capacity"});
  node.allocatable = resources_of(*object.manifest, allocatable);
  node.ready = is_true_or_unsaid(object, "Ready");
  node.unschedulable = boolean_or(object.value->at({"spec", "unschedulable"}), false);
  return node;
}

}  // namespace sluice::kube
