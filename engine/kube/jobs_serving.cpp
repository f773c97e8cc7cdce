#include <fmt/format.h>

#include "base/limits.hpp"
#include "kube/job_parts.hpp"

// LeaderWorkerSet, StatefulSet, Deployment. Source: Kueue pkg/controller/jobs/leaderworkerset, statefulset,
// deployment.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kLwsPrefix = "leaderworkerset.sigs.k8s.io";
constexpr std::string_view kLwsName = "leaderworkerset.sigs.k8s.io/name";
constexpr std::string_view kLwsIndex = "leaderworkerset.sigs.k8s.io/worker-index";
/// The largest number of replicas that Kueue accepts.
constexpr std::int32_t kMaxReplicas = 1'000'000;

void check_workload_count(const Job& job, std::int32_t replicas) {
  if (replicas <= kMaxWorkloadsOfJob) return;
  job.refuse(RefusedBy::not_decided, *job.spec()->find("replicas"),
             fmt::format("{} replicas would be as many Workloads; {} are the most that are decided", replicas,
                         kMaxWorkloadsOfJob));
}

void drop_set_keys(Labels& labels) {
  std::erase_if(labels, [](const auto& entry) {
    return entry.first.starts_with(kLwsPrefix) && entry.first != kLwsName;
  });
}

/// Annotations that mark the Workload of an object that serves.
void add_owner_annotations(const Job& job, Workload& workload) {
  workload.annotations[std::string(kGroupWorkload)] = "true";
  workload.annotations["kueue.x-k8s.io/job-owner-gvk"] =
      fmt::format("{}/{}, Kind={}", job.object->group, job.object->version, job.object->kind);
  workload.annotations["kueue.x-k8s.io/job-owner-name"] = job.name;
}

/// What the mutating webhook writes into a template of a LeaderWorkerSet.
void mark_template(const Job& job, Draft& d, bool has_leader) {
  Labels& labels = d.pod_set.pod.labels;
  Labels& annotations = d.pod_set.pod.annotations;
  labels[std::string(kQueue)] = job.queue();
  if (!job.label(kPriorityClass).empty()) labels[std::string(kPriorityClass)] = job.label(kPriorityClass);
  annotations[std::string(kSuspendedByParent)] = "leaderworkerset.x-k8s.io/leaderworkerset";
  annotations["kueue.x-k8s.io/pod-group-serving"] = "true";
  bool worker = d.pod_set.name == "worker";
  if (job.options->kueue.gates.topology_aware && worker && has_leader &&
      !annotations.contains("kueue.x-k8s.io/podset-group-name"))
    annotations["kueue.x-k8s.io/pod-index-offset"] = "1";
}

}  // namespace

std::vector<Workload> workloads_of_leader_worker_set(const Job& job, std::string& note) {
  check_serving(job);
  const Value* spec = job.spec();
  std::int32_t replicas = int32_or(spec ? spec->find("replicas") : nullptr, 1);
  if (replicas < 0 || replicas > kMaxReplicas) {
    job.refuse(RefusedBy::validating_webhook, *spec->find("replicas"),
               fmt::format("`spec.replicas` must be from 0 to {}, not {}", kMaxReplicas, replicas));
  }
  const Value* parts = spec ? spec->find("leaderWorkerTemplate") : nullptr;
  const Value* leader = parts ? parts->find("leaderTemplate") : nullptr;
  std::int32_t size = int32_or(parts ? parts->find("size") : nullptr, 1);
  std::vector<Draft> drafts;
  if (leader)
    drafts.push_back(draft_of(job, "leader", 1, leader, "spec.leaderWorkerTemplate.leaderTemplate"));
  drafts.push_back(draft_of(job, leader ? "worker" : "main", leader ? size - 1 : size,
                            parts ? parts->find("workerTemplate") : nullptr,
                            "spec.leaderWorkerTemplate.workerTemplate"));
  for (Draft& d : drafts) {
    if (!job.queue().empty()) mark_template(job, d, leader != nullptr);
    Labels annotations = d.pod_set.pod.annotations;
    check_topology(job, d, annotations);
    set_topology(job, d, annotations, {d.pod_set.name == "leader" ? std::string_view() : kLwsIndex, {}, {}});
    drop_set_keys(d.pod_set.pod.labels);
    drop_set_keys(d.pod_set.pod.annotations);
  }
  check_topology_groups(job, drafts);
  if (job.queue().empty()) {
    note = "no queue name";
    return {};
  }
  if (replicas == 0) note = "no replicas";
  check_workload_count(job, replicas);

  std::vector<Workload> all;
  for (std::int32_t i = 0; i < replicas; ++i) {
    Workload& w = all.emplace_back(new_workload(
        job, workload_name(job.object->kind, job.object->group, fmt::format("{}-{}", job.name, i), job.uid, {}, job.longest_workload_name())));
    add_owner_annotations(job, w);
    w.annotations["kueue.x-k8s.io/component-workload-index"] = fmt::to_string(i);
    for (const Draft& d : drafts) w.pod_sets.push_back(d.pod_set);
    set_priority(job, w, {});
    for (const Draft& d : drafts) require_containers(job, d);
  }
  return all;
}

std::vector<Workload> workloads_of_stateful_set(const Job& job, std::string& note) {
  const Value* spec = job.spec();
  const Value* pod_template = spec ? spec->find("template") : nullptr;
  Draft d = draft_of(job, "main", int32_or(spec ? spec->find("replicas") : nullptr, 1), pod_template,
                     "spec.template");
  Labels annotations = std::move(d.pod_set.pod.annotations);
  // A part of another job that Kueue manages.
  auto parent = annotations.find(std::string(kSuspendedByParent));
  if (parent != annotations.end() && parent->second != "statefulset") {
    note = fmt::format("part of a {} that Kueue manages", parent->second);
    return {};
  }
  check_serving(job);
  if (job.queue().empty()) {
    note = "no queue name";
    return {};
  }
  if (d.pod_set.count <= 0) {
    note = "no replicas";
    return {};
  }
  // Kueue copies the template's spec only.
  d.pod_set.pod.labels.clear();
  d.pod_set.pod.annotations.clear();
  set_topology(job, d, annotations, {"apps.kubernetes.io/pod-index", {}, {}});
  Workload w = new_workload(job, workload_name(job.object->kind, job.object->group, job.name, job.uid, {}, job.longest_workload_name()));
  add_owner_annotations(job, w);
  w.pod_sets.push_back(d.pod_set);
  set_priority(job, w, {});
  require_containers(job, d);
  return {std::move(w)};
}

std::vector<Workload> workloads_of_deployment(const Job& job, std::string& note) {
  check_serving(job);
  const Value* spec = job.spec();
  // A Deployment of a live cluster has its pods there too, and Kueue makes the Workloads of those.
  if (job.status() && job.status()->find("replicas")) {
    note = "its pods have the Workloads";
    return {};
  }
  const Value* pod_template = spec ? spec->find("template") : nullptr;
  Labels labels = labels_of(pod_template ? pod_template->at({"metadata", "labels"}) : nullptr);
  Labels annotations = labels_of(pod_template ? pod_template->at({"metadata", "annotations"}) : nullptr);
  if (!job.queue().empty()) {
    annotations[std::string(kSuspendedByParent)] = "deployment";
    labels["kueue.x-k8s.io/managed"] = "true";
    labels[std::string(kQueue)] = job.queue();
    if (!job.label(kPriorityClass).empty()) labels[std::string(kPriorityClass)] = job.label(kPriorityClass);
  }
  std::vector<Workload> all;
  std::int32_t replicas = int32_or(spec ? spec->find("replicas") : nullptr, 1);
  if (replicas <= 0) note = "no replicas";
  check_workload_count(job, replicas);
  for (std::int32_t i = 0; i < replicas; ++i) {
    // As the ReplicaSet would make it; its random part is left out.
    Job pod = job;
    pod.name = pod.uid = fmt::format("{}-rs-{}", job.name, i);
    pod.labels = labels;
    pod.annotations = annotations;
    std::vector<Workload> made = workloads_of_pod(pod, note);
    if (made.empty()) break;
    all.push_back(std::move(made.front()));
  }
  return all;
}

}  // namespace sluice::kube::jobs
