#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/names.hpp"
#include "kube/gate_names.hpp"
#include "kube/job_parts.hpp"

// What jobs of every kind go through: the shared checks of the webhooks, the priority, the Workload and what
// refuses it. Source: Kueue pkg/controller/jobframework validation.go, pkg/util/priority, pkg/webhooks
// workload_webhook.go, and the schema of Workload.
namespace sluice::kube::jobs {

namespace {

bool supports_elastic(std::string_view kind) {
  return kind == "Job" || kind == "RayCluster" || kind == "RayJob" || kind == "RayService";
}

void check_gates(const Job& job) {
  if (auto gate = bad_gate_name(job.annotation(kGatedBy))) {
    job.refuse(RefusedBy::validating_webhook, job.place_of_annotation(kGatedBy),
               fmt::format("`{}` lists different gates like `example.com/gate`, separated by commas; not `{}`",
                           kGatedBy, *gate));
  }
}

}  // namespace

void check_serving(const Job& job) {
  if (job.labels.contains(std::string(kQueue)) && !is_dns_subdomain(job.queue())) {
    job.refuse(
        RefusedBy::validating_webhook, job.place_of_label(kQueue),
        fmt::format("`{}` is no name of a LocalQueue: lower-case letters, digits, `-` and `.`", job.queue()));
  }
  if (job.elastic() && !supports_elastic(job.object->kind)) {
    job.refuse(RefusedBy::validating_webhook, job.place_of_annotation(kElastic),
               fmt::format("`{}` is not supported for {}", kElastic, job.object->kind));
  }
  check_gates(job);
}

void check_common(const Job& job) {
  check_serving(job);
  bool by_annotation = !job.annotation(kPrebuilt).empty();
  std::string_view prebuilt = by_annotation ? job.annotation(kPrebuilt) : job.label(kPrebuilt);
  bool given = by_annotation || job.labels.contains(std::string(kPrebuilt));
  if (given && !is_dns_subdomain(prebuilt)) {
    job.refuse(RefusedBy::validating_webhook, job.place_of_annotation(kPrebuilt),
               fmt::format("`{}` is no name of a Workload", prebuilt));
  }
  if (job.labels.contains(std::string(kMaxExecTime))) {
    std::optional<std::int64_t> seconds = go_integer(job.label(kMaxExecTime));
    if (!seconds || *seconds <= 0) {
      job.refuse(RefusedBy::validating_webhook, job.place_of_label(kMaxExecTime),
                 fmt::format("label `{}` must be a whole number greater than 0, not `{}`", kMaxExecTime,
                             job.label(kMaxExecTime)));
    }
  }
}

void set_priority(const Job& job, Workload& workload, const std::optional<std::string>& priority_class) {
  if (std::string name(job.label(kPriorityClass)); !name.empty()) {
    const auto& all = job.world->workload_priority_classes;
    auto at = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
    if (at == all.end()) {
      job.refuse(RefusedBy::reconciler, job.place_of_label(kPriorityClass),
                 fmt::format("WorkloadPriorityClass `{}` is not there", name));
    }
    workload.priority = at->value;
    workload.priority_class = name;
    workload.priority_class_kind = "WorkloadPriorityClass";
    return;
  }
  std::string name = priority_class.value_or("");
  if (!priority_class) {
    for (const PodSet& p : workload.pod_sets) {
      if (name.empty()) name = p.pod.priority_class;
    }
  }
  const PriorityClass* found = nullptr;
  for (const PriorityClass& c : job.world->priority_classes) {
    if (!name.empty() ? c.name == name : c.global_default && (!found || c.value < found->value)) found = &c;
  }
  if (!found && !name.empty()) {
    job.refuse(RefusedBy::reconciler, fmt::format("PriorityClass `{}` is not there", name));
  }
  if (!found) return;
  workload.priority = found->value;
  workload.priority_class = found->name;
  workload.priority_class_kind = "PriorityClass";
}

Workload new_workload(const Job& job, std::string name) {
  Workload w;
  w.name_space = job.name_space;
  w.uid = w.name = std::move(name);
  w.synthetic_uid = !job.options->scenario;
  const Value* created = job.object->value->at({"metadata", "creationTimestamp"});
  w.created = Instant::parse(text_of(created)).value_or(job.options->now);
  w.owner = {std::string(job.object->kind), std::string(job.object->group), job.name, job.uid};
  w.labels = job.labels;
  w.annotations = job.annotations;
  w.queue = job.queue();
  std::optional<std::int64_t> seconds = go_integer(job.label(kMaxExecTime));
  if (seconds && *seconds > 0 && *seconds == static_cast<std::int32_t>(*seconds))
    w.max_run_seconds = *seconds;
  w.origin.line = job.object->line;
  return w;
}

namespace {

std::optional<std::string> bad_resources(const PodTemplate& pod) {
  auto check = [](const Resources& resources) -> std::optional<std::string> {
    for (const auto& [name, quantity] : resources) {
      if (name == "pods") return "a container may not ask for `pods`: Kueue counts them itself";
      if (quantity.is_negative())
        return fmt::format("a container asks for `{}` of {}", quantity.to_string(), name);
    }
    return {};
  };
  for (const auto* list : {&pod.init_containers, &pod.containers}) {
    for (const Container& c : *list) {
      if (auto bad = check(c.requests)) return bad;
      if (auto bad = check(c.limits)) return bad;
    }
  }
  if (pod.pod_requests) {
    if (auto bad = check(*pod.pod_requests)) return bad;
  }
  return pod.pod_limits ? check(*pod.pod_limits) : std::nullopt;
}

/// What Kueue's webhook for Workloads says about a pod set.
std::optional<std::string> refused_by_webhook(const PodSet& p) {
  for (const auto& [key, value] : p.pod.labels) {
    if (!is_qualified_name(key) || !is_label_value(value))
      return fmt::format("pod set `{}` has a label that is none: `{}: {}`", p.name, key, value);
  }
  for (const auto& [key, value] : p.pod.annotations) {
    if (!is_qualified_name(pod_set_name(key)))
      return fmt::format("pod set `{}` has an annotation key that is none: `{}`", p.name, key);
  }
  if (std::optional<std::string> bad = bad_resources(p.pod))
    return fmt::format("pod set `{}`: {}", p.name, *bad);
  return {};
}

/// What the schema of Workload says about a pod set.
std::optional<std::string> refused_by_schema(const PodSet& p) {
  // Without a name the schema's default stands.
  if (!p.name.empty() && !is_dns_label(p.name)) {
    return fmt::format(
        "`{}` is no name of a pod set: lower-case letters, digits and `-`, at most 63 characters", p.name);
  }
  if (p.count < 0) return fmt::format("pod set `{}` has {} pods", p.name, p.count);
  std::set<std::string_view> names;
  for (const Container& c : p.pod.init_containers) {
    if (!names.insert(c.name).second)
      return fmt::format("pod set `{}` has two init containers called `{}`", p.name, c.name);
  }
  if (p.min_count && (*p.min_count < 1 || *p.min_count > p.count))
    return fmt::format("pod set `{}` could start with {} of {} pods", p.name, *p.min_count, p.count);
  if (p.topology) {
    constexpr std::size_t kLongestLevel = 63;
    constexpr std::size_t kLongestGroup = 256;
    const TopologyRequest& t = *p.topology;
    if (t.level.size() > kLongestLevel || (t.slice_level && t.slice_level->size() > kLongestLevel))
      return fmt::format("pod set `{}` names a topology level of more than {} characters", p.name,
                         kLongestLevel);
    if (t.group && t.group->size() > kLongestGroup)
      return fmt::format("pod set `{}` names a group of more than {} characters", p.name, kLongestGroup);
    if (t.sub_group_count && *t.sub_group_count < 0)
      return fmt::format("pod set `{}` has {} replicas", p.name, *t.sub_group_count);
  }
  return {};
}

}  // namespace

std::optional<JobRefusal> check_workload(const Job& job, const Workload& workload) {
  auto refusal = [&](RefusedBy by, const std::string& message) {
    return JobRefusal{by, job.object->error("refused-job", *job.object->value, message)
                              .help("the job would be stored, and stay suspended without a Workload")};
  };
  const auto& sets = workload.pod_sets;
  if (sets.empty()) return refusal(RefusedBy::workload_schema, "the job has no pod sets");
  if (sets.size() > kMaxPodSets) {
    return refusal(RefusedBy::workload_schema,
                   fmt::format("the job has {} pod sets, a Workload at most {}", sets.size(), kMaxPodSets));
  }
  std::set<std::string_view> names;
  for (const PodSet& p : sets) {
    if (std::optional<std::string> bad = refused_by_schema(p))
      return refusal(RefusedBy::workload_schema, *bad);
    if (!names.insert(p.name).second) {
      return refusal(RefusedBy::workload_schema,
                     fmt::format("two pod sets are called `{}`; names are lower-cased", p.name));
    }
  }
  for (const PodSet& p : sets) {
    if (std::optional<std::string> bad = refused_by_webhook(p))
      return refusal(RefusedBy::workload_webhook, *bad);
  }
  return {};
}

}  // namespace sluice::kube::jobs
