#include <fmt/format.h>

#include <algorithm>

#include "kube/job_parts.hpp"

// batch/v1 Job and JobSet. Source: Kueue pkg/controller/jobs/job, jobset.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kMinParallelism = "kueue.x-k8s.io/job-min-parallelism";
constexpr std::string_view kSyncCompletions = "kueue.x-k8s.io/job-completions-equal-parallelism";
constexpr std::string_view kIndexLabel = "batch.kubernetes.io/job-completion-index";
constexpr std::string_view kRequired = "kueue.x-k8s.io/podset-required-topology";
constexpr std::string_view kPreferred = "kueue.x-k8s.io/podset-preferred-topology";

struct Counts {
  std::int32_t parallelism = 1;
  std::optional<std::int32_t> completions;
  std::int32_t pods() const { return completions ? std::min(parallelism, *completions) : parallelism; }
};

/// With the API server's defaults: both absent means one pod.
Counts counts_of(const Value* spec) {
  Counts counts;
  const Value* parallelism = spec ? spec->find("parallelism") : nullptr;
  const Value* completions = spec ? spec->find("completions") : nullptr;
  if (!parallelism && !completions) counts.completions = 1;
  counts.parallelism = int32_or(parallelism, 1);
  if (completions) counts.completions = int32_or(completions, 1);
  return counts;
}

void check_min_parallelism(const Job& job, std::int32_t pods) {
  if (!job.annotations.contains(std::string(kMinParallelism))) return;
  std::string_view text = job.annotation(kMinParallelism);
  const Value& at = job.place_of_annotation(kMinParallelism);
  std::optional<std::int64_t> n = go_integer(text);
  if (!n || *n <= 0 || static_cast<std::int32_t>(*n) >= pods) {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("`{}` must be a whole number from 1 to {}, not `{}`", kMinParallelism,
                           static_cast<std::int64_t>(pods) - 1, text));
  }
  if (job.elastic()) {
    job.refuse(
        RefusedBy::validating_webhook, at,
        fmt::format("`{}` (partial admission) and `{}` cannot be used together", kMinParallelism, kElastic));
  }
}

void check_sync_completions(const Job& job, const Counts& counts) {
  if (!job.annotations.contains(std::string(kSyncCompletions))) return;
  std::string_view text = job.annotation(kSyncCompletions);
  const Value& at = job.place_of_annotation(kSyncCompletions);
  std::optional<bool> enabled = go_boolean(text);
  if (!enabled) {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("`{}` must be `true` or `false`, not `{}`", kSyncCompletions, text));
  }
  if (!*enabled) return;
  const Value* spec = job.spec();
  const std::string mode = text_of(spec ? spec->find("completionMode") : nullptr);
  if (mode.empty() || mode == "NonIndexed") {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("`{}` needs `completionMode: Indexed`", kSyncCompletions));
  }
  if (counts.parallelism != counts.completions.value_or(1)) {
    job.refuse(RefusedBy::validating_webhook, at,
               fmt::format("`{}` needs `spec.completions` to equal `spec.parallelism`, which is {}",
                           kSyncCompletions, counts.parallelism));
  }
}

/// The CRD's own rule.
void check_startup(const Job& job, std::span<const Value> replicated_jobs) {
  if (text_of(job.object->value->at({"spec", "startupPolicy", "startupPolicyOrder"})) != "InOrder") return;
  for (const Value& item : replicated_jobs) {
    if (const Value* depends = item.find("dependsOn"))
      job.refuse(RefusedBy::schema, *depends,
                 "`dependsOn` and `startupPolicyOrder: InOrder` exclude each other");
  }
}

/// The Job controller's own labels, which it sets in the template of a job that has run.
void clean_labels(Labels& labels) {
  for (const char* key : {"job-name", "controller-uid", "batch.kubernetes.io/controller-uid"})
    labels.erase(key);
}

}  // namespace

Parts parts_of_job(const Job& job) {
  Parts parts;
  if (has_condition(job, "Complete") || has_condition(job, "Failed")) {
    parts.note = "the job is finished";
    return parts;
  }
  const Value* spec = job.spec();
  Counts counts = counts_of(spec);
  const Value* pod_template = spec ? spec->find("template") : nullptr;
  Draft& d = parts.drafts.emplace_back(draft_of(job, "main", counts.pods(), pod_template, "spec.template"));
  clean_labels(d.pod_set.pod.labels);

  check_min_parallelism(job, counts.pods());
  check_sync_completions(job, counts);
  check_topology(job, d, d.pod_set.pod.annotations);
  if (job.elastic() && job.options->kueue.gates.topology_aware) {
    for (std::string_view key : {kRequired, kPreferred}) {
      if (d.pod_set.pod.annotations.contains(std::string(key))) {
        job.refuse(RefusedBy::validating_webhook, *d.metadata->at({"annotations", key}),
                   fmt::format("`{}` is not supported with elastic jobs", key));
      }
    }
  }
  set_topology(job, d, d.pod_set.pod.annotations, {kIndexLabel, {}, {}});
  if (job.options->kueue.gates.partial_admission) {
    // Checked above, also for the truncation to 32 bits.
    if (std::optional<std::int64_t> n = go_integer(job.annotation(kMinParallelism)))
      d.pod_set.min_count = static_cast<std::int32_t>(*n);
  }
  if (!job.elastic() && job.status() && int32_or(job.status()->find("active"), 0) != 0)
    parts.note = "the job has running pods: Kueue waits until they have ended";
  return parts;
}

Parts parts_of_job_set(const Job& job) {
  Parts parts;
  if (has_condition(job, "Completed") || has_condition(job, "Failed")) {
    parts.note = "the job set is finished";
    return parts;
  }
  const Value* list = job.spec() ? job.spec()->find("replicatedJobs") : nullptr;
  const std::span<const Value> replicated_jobs = list ? list->items() : std::span<const Value>();
  check_startup(job, replicated_jobs);
  std::size_t index = 0;
  for (const Value& item : replicated_jobs) {
    const Value* spec = item.at({"template", "spec"});
    std::int32_t parallelism = int32_or(spec ? spec->find("parallelism") : nullptr, 1);
    std::int32_t completions = int32_or(spec ? spec->find("completions") : nullptr, parallelism);
    // The schema's default; a JobSet always has it.
    std::int32_t replicas = int32_or(item.find("replicas"), 1);
    Draft& d = parts.drafts.emplace_back(draft_of(
        job, text_of(item.find("name")), wrapping_product(replicas, std::min(parallelism, completions)),
        spec ? spec->find("template") : nullptr,
        fmt::format("spec.replicatedJobs[{}].template.spec.template", index++)));
    check_topology(job, d, d.pod_set.pod.annotations);
    set_topology(job, d, d.pod_set.pod.annotations, {kIndexLabel, "jobset.sigs.k8s.io/job-index", replicas});
  }
  check_topology_groups(job, parts.drafts);
  const Value* statuses = job.status() ? job.status()->find("replicatedJobsStatus") : nullptr;
  for (const Value& s : statuses ? statuses->items() : std::span<const Value>()) {
    if (int32_or(s.find("active"), 0) > 0)
      parts.note = "the job set has running pods: Kueue waits until they have ended";
  }
  return parts;
}

}  // namespace sluice::kube::jobs
