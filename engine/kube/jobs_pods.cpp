#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/names.hpp"
#include "kube/job_parts.hpp"
#include "kube/role_hash.hpp"

// Pods and pod groups. Source: Kueue pkg/controller/jobs/pod.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kGroupName = "kueue.x-k8s.io/pod-group-name";
constexpr std::string_view kTotalCount = "kueue.x-k8s.io/pod-group-total-count";
constexpr std::string_view kFastAdmission = "kueue.x-k8s.io/pod-group-fast-admission";
constexpr std::string_view kRoleHash = "kueue.x-k8s.io/role-hash";
constexpr std::string_view kManaged = "kueue.x-k8s.io/managed";
constexpr std::string_view kPodIndexLabel = "kueue.x-k8s.io/pod-group-pod-index";

/// The pod itself, or the template that a Deployment makes its pods of.
const Value* pod_of(const Job& job) {
  return job.object->kind == "Pod" ? job.object->value : job.object->value->at({"spec", "template"});
}

/// The API server fills in the missing requests of a pod (not of a template).
void default_requests(std::vector<Container>& containers) {
  for (Container& c : containers) {
    for (const auto& [resource, limit] : c.limits) c.requests.emplace(resource, limit);
  }
}

Draft pod_draft(const Job& job, std::string_view name) {
  Draft d = draft_of(job, name, 1, pod_of(job), job.object->kind == "Pod" ? "" : "spec.template");
  default_requests(d.pod_set.pod.containers);
  default_requests(d.pod_set.pod.init_containers);
  // Kueue copies the pod's spec only.
  d.pod_set.pod.labels.clear();
  d.pod_set.pod.annotations.clear();
  set_topology(job, d, job.annotations, {kPodIndexLabel, {}, {}});
  return d;
}

std::string role_of(const Job& job, const PodTemplate& pod) {
  if (auto at = job.annotations.find(std::string(kRoleHash)); at != job.annotations.end()) return at->second;
  const Value* spec = pod_of(job) ? pod_of(job)->find("spec") : nullptr;
  return role_hash(spec, pod);
}

bool failed(const Job& job) {
  return job.status() && text_of(job.status()->find("phase")) == "Failed";
}

std::optional<std::int64_t> total_count(const Job& job) {
  std::optional<std::int64_t> n = go_integer(job.annotation(kTotalCount));
  return n && *n >= 1 ? n : std::nullopt;
}

void check_group(const Job& job) {
  bool has_count = job.annotations.contains(std::string(kTotalCount));
  std::string group = pod_group_of(job.labels, job.annotations);
  if (group.empty()) {
    if (has_count) {
      job.refuse(RefusedBy::validating_webhook, job.place_of_annotation(kTotalCount),
                 fmt::format("annotation `{}` needs the label `{}`", kTotalCount, kGroupName));
    }
    return;
  }
  const Value& at = job.annotation(kGroupName).empty() ? job.place_of_label(kGroupName)
                                                       : job.place_of_annotation(kGroupName);
  if (!is_dns_subdomain(group))
    job.refuse(RefusedBy::validating_webhook, at, fmt::format("`{}` is no name of a pod group", group));
  if (!has_count) {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("`{}` needs the annotation `{}`", kGroupName, kTotalCount));
  }
  if (!total_count(job)) {
    job.refuse(RefusedBy::validating_webhook, job.place_of_annotation(kTotalCount),
               fmt::format("`{}` must be a whole number of at least 1, not `{}`", kTotalCount,
                           job.annotation(kTotalCount)));
  }
  std::string_view prebuilt =
      job.annotation(kPrebuilt).empty() ? job.label(kPrebuilt) : job.annotation(kPrebuilt);
  if (!prebuilt.empty() && prebuilt != group) {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("pod group `{}` and prebuilt workload `{}` must be equal", group, prebuilt));
  }
}

std::string disagreement(const Job& first, const Job& other, std::string_view what) {
  return fmt::format("pods `{}` and `{}` of the group differ in {}", first.name, other.name, what);
}

}  // namespace

std::string pod_group_of(const Labels& labels, const Labels& annotations) {
  if (auto at = annotations.find(std::string(kGroupName)); at != annotations.end() && !at->second.empty())
    return at->second;
  auto at = labels.find(std::string(kGroupName));
  return at == labels.end() ? "" : at->second;
}

void check_pod(const Job& job) {
  check_common(job);
  // With a queue the mutating webhook has set the label.
  auto at = job.labels.find(std::string(kManaged));
  if (at != job.labels.end() && at->second != "true" && job.queue().empty()) {
    job.refuse(RefusedBy::validating_webhook, job.place_of_label(kManaged),
               fmt::format("label `{}` can only be `true`", kManaged));
  }
  check_group(job);
  Draft d = draft_of(job, "main", 1, pod_of(job), "");
  // A slice may be larger than the pod set here: the webhook does not look at the count.
  d.pod_set.count = std::numeric_limits<std::int32_t>::max();
  check_topology(job, d, job.annotations);
}

std::vector<Workload> workloads_of_pod(const Job& job, std::string& note) {
  check_pod(job);
  if (job.queue().empty()) {
    note = "no queue name";
    return {};
  }
  if (job.annotations.contains(std::string(kSuspendedByParent)) && job.label(kManaged) != "true") {
    note = "the pod waits for the job that it belongs to";
    return {};
  }
  refuse_prebuilt(job);
  Workload w = new_workload(job, workload_name("Pod", "", job.name, job.uid, {}, job.longest_workload_name()));
  w.owner.own().kind = "Pod";
  w.owner.own().group.clear();
  Draft d = pod_draft(job, "main");
  w.pod_sets.push_back(d.pod_set);
  set_priority(job, w, {});
  require_containers(job, d);
  return {std::move(w)};
}

Workload workload_of_pod_group(std::span<const Job> pods, std::string& note, std::size_t& used) {
  const Job& first = pods.front();
  const std::size_t total = static_cast<std::size_t>(total_count(first).value_or(1));
  const bool fast = first.annotation(kFastAdmission) == "true";
  const std::string group = pod_group_of(first.labels, first.annotations);

  std::vector<const Job*> active;
  for (const Job& pod : pods) {
    if (failed(pod)) continue;
    active.push_back(&pod);
  }
  if (active.empty() || (!fast && active.size() < total)) {
    first.refuse(RefusedBy::reconciler,
                 fmt::format("pod group `{}` has {} pods, {} are expected", group, active.size(), total));
  }
  for (const Job* pod : active) {
    if (pod->queue() != first.queue()) note = disagreement(first, *pod, "the queue");
    if (total_count(*pod) != total_count(first)) note = disagreement(first, *pod, kTotalCount);
    if (!note.empty()) return {};
  }
  refuse_prebuilt(first);
  used = std::min(active.size(), total);
  active.resize(used);

  Workload w = new_workload(first, group);
  w.annotations[std::string(kGroupWorkload)] = "true";
  for (const Job* pod : active) {
    Draft d = pod_draft(*pod, "main");
    require_containers(*pod, d);
    d.pod_set.name = pod_set_name(role_of(*pod, d.pod_set.pod));
    if (fast) d.pod_set.count = static_cast<std::int32_t>(total);
    auto same = std::find_if(w.pod_sets.begin(), w.pod_sets.end(),
                             [&](const PodSet& p) { return p.name == d.pod_set.name; });
    if (same != w.pod_sets.end()) {
      ++same->count;
    } else {
      w.pod_sets.push_back(std::move(d.pod_set));
    }
    if (fast) break;
  }
  std::stable_sort(w.pod_sets.begin(), w.pod_sets.end(),
                   [](const PodSet& a, const PodSet& b) { return a.name < b.name; });
  if (w.pod_sets.size() > kMaxPodSets) {
    note = fmt::format("pod group `{}` has {} roles, more than {} pod sets", group, w.pod_sets.size(),
                       kMaxPodSets);
    return {};
  }
  set_priority(first, w, {});
  return w;
}

}  // namespace sluice::kube::jobs
