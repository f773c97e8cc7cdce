#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/names.hpp"
#include "kube/gate_names.hpp"
#include "kube/kinds.hpp"
#include "kube/pod_template.hpp"

// Workload, with its status.
// Source of the rules: Kueue v0.19.2 pkg/webhooks and the CEL rules of its CRD.

namespace sluice::kube {

namespace {

std::int32_t count_or(const Value* value, std::int32_t otherwise) {
  return static_cast<std::int32_t>(integer_or(value, otherwise));
}

std::optional<std::int32_t> optional_count(const Value* value) {
  if (value == nullptr) return {};
  return count_or(value, 0);
}

std::optional<std::string> optional_text(const Value* value) {
  if (value == nullptr || value->text().empty()) return {};
  return std::string(value->text());
}

/// The name of a pod set or of an assignment; alone it may be left out.
std::string pod_set_name(const Value& value) {
  std::string name = text_of(value.find("name"));
  return name.empty() ? "main" : name;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?`
bool is_reason(std::string_view text) {
  if (text.empty() || !is_letter(text.front()) || text.back() == ',' || text.back() == ':') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ',' || c == ':';
  });
}

class WorkloadReader {
 public:
  explicit WorkloadReader(const Input& input) : input_(input), object_(input.object) {}

  Workload read() {
    read_metadata();
    if (const Value* spec = object_.find("spec")) read_spec(*spec);
    if (const Value* status = object_.find("status")) read_status(*status);
    check_admission();
    return std::move(workload_);
  }

 private:
  void read_metadata() {
    workload_.name_space = namespace_name_of(object_);
    workload_.name = name_of(object_);
    workload_.origin = input_.origin;
    workload_.generation = generation_of(object_);
    workload_.created = input_.options.now;
    const Value* metadata = object_.find("metadata");
    workload_.uid = text_of(metadata->find("uid"));
    if (workload_.uid.empty()) {
      workload_.uid = workload_.name;
      workload_.synthetic_uid = !input_.options.scenario;
    }
    if (const Value* created = metadata->find("creationTimestamp"))
      workload_.created = instant_of(object_, *created);
    workload_.labels = labels_of(metadata->find("labels"));
    workload_.annotations = labels_of(metadata->find("annotations"));
    if (const Value* annotations = metadata->find("annotations")) check_annotations(*annotations);
    if (const Value* owners = metadata->find("ownerReferences"))
      for (const Value& owner : owners->items()) {
        if (!boolean_or(owner.find("controller"), owners->items().size() == 1)) continue;
        std::string api = text_of(owner.find("apiVersion"));
        std::size_t slash = api.find('/');
        workload_.owner = {text_of(owner.find("kind")),
                           slash == std::string::npos ? "" : api.substr(0, slash),
                           text_of(owner.find("name")), text_of(owner.find("uid"))};
      }
  }

  void check_annotations(const Value& annotations) {
    const Value* gates = annotations.find("kueue.x-k8s.io/admission-gated-by");
    if (gates != nullptr && input_.options.kueue.gates.admission_gated_by)
      if (auto gate = bad_gate_name(gates->text()))
        refuse(object_, *gates, fmt::format("`{}` is no gate", *gate),
               "gates are different names like `example.com/gate`, separated by commas");
    const Value* boost = annotations.find("kueue.x-k8s.io/priority-boost");
    if (boost != nullptr && input_.options.kueue.gates.priority_boost) {
      std::int32_t number = 0;
      std::string_view digits = boost->text();
      if (digits.starts_with('+')) digits.remove_prefix(1);
      auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (digits.empty() || result.ec != std::errc{} || result.ptr != digits.data() + digits.size())
        refuse(object_, *boost, fmt::format("`{}` is no priority boost", boost->text()), "write a whole number");
    }
  }

  void read_spec(const Value& spec) {
    workload_.queue = text_of(spec.find("queueName"));
    workload_.priority = count_or(spec.find("priority"), 0);
    workload_.active = boolean_or(spec.find("active"), true);
    if (const Value* seconds = spec.find("maximumExecutionTimeSeconds"))
      workload_.max_run_seconds = integer_or(seconds, 0);
    if (const Value* gates = spec.find("preemptionGates"))
      for (const Value& gate : gates->items())
        workload_.preemption_gates.push_back(text_of(gate.find("name")));
    read_priority_class(spec);
    const Value* pod_sets = spec.find("podSets");
    if (pod_sets == nullptr) return;
    if (pod_sets->items().size() > 18) refuse(object_, *pod_sets, "a workload has at most 18 pod sets");
    int variable = 0;
    for (const Value& value : pod_sets->items()) {
      workload_.pod_sets.push_back(read_pod_set(value));
      const PodSet& added = workload_.pod_sets.back();
      for (std::size_t i = 0; i + 1 < workload_.pod_sets.size(); ++i)
        if (workload_.pod_sets[i].name == added.name)
          refuse(object_, value, fmt::format("two pod sets are named `{}`", added.name));
      if (added.min_count && ++variable > 1 && input_.options.kueue.gates.partial_admission)
        refuse(object_, *value.find("minCount"), "only one pod set may have a `minCount`");
    }
    if (variable > 0 && input_.options.kueue.gates.elastic_slices && workload_.annotations.contains("kueue.x-k8s.io/elastic-job") &&
        workload_.annotations.at("kueue.x-k8s.io/elastic-job") == "true")
      refuse(object_, *pod_sets, "an elastic job cannot have a `minCount`");
  }

  void read_priority_class(const Value& spec) {
    const Value* at = nullptr;
    if (object_.version == "v1beta1") {
      at = spec.find("priorityClassName");
      std::string source = text_of(spec.find("priorityClassSource"));
      workload_.priority_class = text_of(at);
      if (source == "kueue.x-k8s.io/workloadpriorityclass")
        workload_.priority_class_kind = "WorkloadPriorityClass";
      if (source == "scheduling.k8s.io/priorityclass") workload_.priority_class_kind = "PriorityClass";
      if (workload_.priority_class_kind.empty()) workload_.priority_class.clear();
    } else if (const Value* reference = spec.find("priorityClassRef")) {
      at = reference;
      workload_.priority_class = text_of(reference->find("name"));
      workload_.priority_class_kind = text_of(reference->find("kind"));
      std::string group = text_of(reference->find("group"));
      bool matches = (group == "scheduling.k8s.io" && workload_.priority_class_kind == "PriorityClass") ||
                     (group == "kueue.x-k8s.io" && workload_.priority_class_kind == "WorkloadPriorityClass");
      if (!matches)
        refuse(object_, *reference,
               fmt::format("the group `{}` has no kind `{}`", group, workload_.priority_class_kind),
               "`scheduling.k8s.io` has PriorityClass, `kueue.x-k8s.io` has WorkloadPriorityClass");
    }
    if (at != nullptr && !at->text().empty() != at->is_map() && spec.find("priority") == nullptr)
      refuse(object_, *at, "a workload with a priority class needs `priority`, too",
             "Kueue writes the class's value there");
  }

  PodSet read_pod_set(const Value& value) {
    PodSet set;
    set.name = pod_set_name(value);
    set.count = count_or(value.find("count"), 1);
    if (set.count < 0) refuse(object_, *value.find("count"), "`count` is negative");
    // The webhook drops it when the gate is off.
    if (input_.options.kueue.gates.partial_admission) set.min_count = optional_count(value.find("minCount"));
    if (set.min_count && *set.min_count > set.count)
      refuse(object_, *value.find("minCount"),
             fmt::format("`minCount` {} is above `count` {}", *set.min_count, set.count));
    const Value* pod = value.find("template");
    set.pod = pod_template_of(*object_.manifest, pod);
    if (pod != nullptr) check_pod(*pod);
    if (const Value* request = value.find("topologyRequest")) set.topology = read_topology(*request);
    return set;
  }

  void check_pod(const Value& pod) {
    check_labels(object_, pod.at({"metadata", "labels"}));
    check_keys(pod.at({"metadata", "annotations"}), "annotation");
    const Value* spec = pod.find("spec");
    if (spec == nullptr) return;
    for (std::string_view list : {"initContainers", "containers"})
      if (const Value* containers = spec->find(list))
        for (const Value& container : containers->items()) check_resources(container.find("resources"));
    check_resources(spec->find("resources"));
  }

  void check_keys(const Value* map, std::string_view what) {
    if (map == nullptr) return;
    for (const Member& member : map->members())
      if (!is_qualified_name(member.key.text()))
        refuse(object_, member.key, fmt::format("`{}` is no key of an {}", member.key.text(), what));
  }

  void check_resources(const Value* resources) {
    if (resources == nullptr) return;
    for (std::string_view list : {"requests", "limits"}) {
      const Value* values = resources->find(list);
      if (values == nullptr) continue;
      for (const Member& member : values->members()) {
        if (member.key.text() == "pods")
          refuse(object_, member.key, "the resource `pods` is counted by Kueue itself");
        if (member.value.is_null()) continue;
        input_.options.kueue.gates.workload_validate_resources_are_non_negative ? amount_of(object_, member.value)
                                          : quantity_of(object_, member.value);
      }
    }
  }

  TopologyRequest read_topology(const Value& value) {
    TopologyRequest request;
    if (const Value* level = value.find("required")) {
      request.mode = TopologyRequest::Mode::required;
      request.level = level->text();
    } else if (const Value* preferred = value.find("preferred")) {
      request.mode = TopologyRequest::Mode::preferred;
      request.level = preferred->text();
    } else if (const Value* unconstrained = value.find("unconstrained")) {
      if (boolean_or(unconstrained, false)) request.mode = TopologyRequest::Mode::unconstrained;
      request.constrained = request.mode == TopologyRequest::Mode::none;
    }
    request.slice_level = optional_text(value.find("podSetSliceRequiredTopology"));
    request.slice_size = optional_count(value.find("podSetSliceSize"));
    if (request.slice_level.has_value() != request.slice_size.has_value())
      refuse(object_, value, "`podSetSliceRequiredTopology` and `podSetSliceSize` go together");
    if (request.slice_size && *request.slice_size < 1)
      refuse(object_, *value.find("podSetSliceSize"), "`podSetSliceSize` must be above 0");
    if (const Value* layers = value.find("podsetSliceRequiredTopologyConstraints")) {
      for (const Value& layer : layers->items())
        request.slice_layers.push_back({text_of(layer.find("topology")), count_or(layer.find("size"), 0)});
    }
    request.group = optional_text(value.find("podSetGroupName"));
    request.pod_index_label = optional_text(value.find("podIndexLabel"));
    request.sub_group_index_label = optional_text(value.find("subGroupIndexLabel"));
    request.sub_group_count = optional_count(value.find("subGroupCount"));
    return request;
  }

  void read_status(const Value& status) {
    if (const Value* admission = status.find("admission")) read_admission(*admission);
    if (const Value* conditions = status.find("conditions"))
      for (const Value& value : conditions->items()) workload_.conditions.push_back(read_condition(value));
    if (const Value* checks = status.find("admissionChecks"))
      for (const Value& value : checks->items()) workload_.checks.push_back(read_check(value));
    if (const Value* gates = status.find("preemptionGates"))
      for (const Value& gate : gates->items())
        workload_.gate_states.push_back({text_of(gate.find("name")), text_of(gate.find("position")) == "Open",
                                         time_or_now(gate.find("lastTransitionTime"))});
    if (const Value* reclaimable = status.find("reclaimablePods"))
      for (const Value& value : reclaimable->items()) read_reclaimable(value);
    if (const Value* requeue = status.find("requeueState")) {
      workload_.requeue_count = count_or(requeue->find("count"), 0);
      if (const Value* at = requeue->find("requeueAt")) workload_.requeue_at = instant_of(object_, *at);
    }
    if (const Value* nodes = status.find("unhealthyNodes"))
      for (const Value& node : nodes->items())
        workload_.unhealthy_nodes.push_back(text_of(node.find("name")));
    // v1beta1's name for it has a slip of the pen.
    std::string_view field = object_.version == "v1beta1" ? "accumulatedPastExexcutionTimeSeconds"
                                                          : "accumulatedPastExecutionTimeSeconds";
    workload_.past_run_seconds = integer_or(status.find(field), 0);
  }

  Condition read_condition(const Value& value) {
    Condition condition;
    condition.type = text_of(value.find("type"));
    if (!is_qualified_name(condition.type)) refuse(object_, value, "the condition needs a `type`");
    for (const Condition& other : workload_.conditions)
      if (other.type == condition.type)
        refuse(object_, value, fmt::format("the condition `{}` is given twice", condition.type));
    std::string status = text_of(value.find("status"));
    if (status != "True" && status != "False" && status != "Unknown")
      refuse(object_, value, "the `status` of a condition is `True`, `False` or `Unknown`");
    condition.status = status == "True";
    condition.reason = text_of(value.find("reason"));
    if (!is_reason(condition.reason))
      refuse(object_, value, "the condition needs a `reason`", "one word, like `QuotaReserved`");
    condition.message = text_of(value.find("message"));
    condition.since = time_or_now(value.find("lastTransitionTime"));
    condition.observed_generation = integer_or(value.find("observedGeneration"), 0);
    return condition;
  }

  void read_admission(const Value& admission) {
    workload_.admitted_queue = text_of(admission.find("clusterQueue"));
    const Value* assignments = admission.find("podSetAssignments");
    if (assignments == nullptr) return;
    for (const Value& value : assignments->items()) {
      PodSetAssignment& assignment = workload_.assignments.emplace_back();
      assignment.name = pod_set_name(value);
      assignment.flavors = labels_of(value.find("flavors"));
      assignment.usage = resources_of(*object_.manifest, value.find("resourceUsage"));
      assignment.count = optional_count(value.find("count"));
      if (const Value* topology = value.find("topologyAssignment"))
        assignment.topology = topology_assignment_of(object_, *topology);
      assignment.delayed_topology = text_of(value.find("delayedTopologyRequest"));
      if (find_pod_set(assignment.name) == nullptr)
        refuse(object_, value, fmt::format("the workload has no pod set `{}`", assignment.name));
    }
  }

  CheckStatus read_check(const Value& value) {
    CheckStatus check;
    check.name = text_of(value.find("name"));
    std::string state = text_of(value.find("state"));
    if (state == "Ready")
      check.state = CheckState::ready;
    else if (state == "Retry")
      check.state = CheckState::retry;
    else if (state == "Rejected")
      check.state = CheckState::rejected;
    check.message = text_of(value.find("message"));
    check.since = time_or_now(value.find("lastTransitionTime"));
    check.requeue_after_seconds = optional_count(value.find("requeueAfterSeconds"));
    check.retry_count = count_or(value.find("retryCount"), 0);
    if (const Value* updates = value.find("podSetUpdates"))
      for (const Value& update : updates->items()) check_update(update);
    check.updates = pod_set_updates_of(value.find("podSetUpdates"));
    return check;
  }

  void check_update(const Value& update) {
    std::string name = text_of(update.find("name"));
    if (find_pod_set(name) == nullptr)
      refuse(object_, update, fmt::format("the workload has no pod set `{}`", name));
    check_labels(object_, update.find("labels"));
    check_labels(object_, update.find("nodeSelector"));
    check_keys(update.find("annotations"), "annotation");
  }

  void read_reclaimable(const Value& value) {
    std::string name = text_of(value.find("name"));
    std::int32_t count = count_or(value.find("count"), 0);
    const PodSet* set = find_pod_set(name);
    if (set == nullptr) refuse(object_, value, fmt::format("the workload has no pod set `{}`", name));
    if (count > set->count)
      refuse(object_, value,
             fmt::format("{} pods of `{}` are reclaimable, but it has {}", count, name, set->count));
    workload_.reclaimable[name] = count;
  }

  void check_admission() {
    bool reserved = false;
    for (const Condition& condition : workload_.conditions)
      reserved = reserved || (condition.type == "QuotaReserved" && condition.status);
    if (!reserved) return;
    const Value* admission = object_.value->at({"status", "admission"});
    if (admission == nullptr)
      refuse(object_, *object_.find("status"),
             "the condition `QuotaReserved` is true but there is no `admission`");
    if (workload_.assignments.size() != workload_.pod_sets.size())
      refuse(object_, *admission,
             fmt::format("{} `podSetAssignments` for {} pod sets", workload_.assignments.size(),
                         workload_.pod_sets.size()));
    for (std::size_t i = 0; i < workload_.assignments.size(); ++i) {
      const PodSetAssignment& assignment = workload_.assignments[i];
      if (assignment.count.value_or(0) <= 0) continue;
      for (const auto& [resource, quantity] : assignment.usage)
        if (Amount::request(resource, quantity).value() % *assignment.count != 0)
          refuse(object_, *admission,
                 fmt::format("the usage of `{}` by `{}` is not a multiple of its {} pods", resource,
                             assignment.name, *assignment.count));
    }
  }

  Instant time_or_now(const Value* value) {
    return value == nullptr ? input_.options.now : instant_of(object_, *value);
  }

  const PodSet* find_pod_set(std::string_view name) const {
    for (const PodSet& set : workload_.pod_sets)
      if (set.name == name) return &set;
    return nullptr;
  }

  const Input& input_;
  const Object& object_;
  Workload workload_;
};

}  // namespace

Workload workload_of(const Input& input) {
  return WorkloadReader(input).read();
}

}  // namespace sluice::kube
