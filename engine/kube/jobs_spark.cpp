#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "kube/job_parts.hpp"
#include "kube/pod_template.hpp"

// SparkApplication (alpha, gate SparkApplicationIntegration): what the Spark operator makes of driver and executors.
// Source: Kueue pkg/controller/jobs/sparkapplication; kubeflow/spark-operator for the units of memory.
namespace sluice::kube::jobs {
namespace {

struct Role {
  std::string_view name;       ///< of the pod set and of the field
  std::string_view container;  ///< as the operator names it
};
constexpr Role kDriver = {"driver", "spark-kubernetes-driver"};
constexpr Role kExecutor = {"executor", "spark-kubernetes-executor"};

/// Java's `512m` is Kubernetes's `512Mi`. The unit is told in any case but taken off in lower case only, so `512M` ends as
/// no quantity, as in the operator.
std::string memory_text(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> units = {
      {{"kb", "Ki"}, {"mb", "Mi"}, {"gb", "Gi"}, {"tb", "Ti"}, {"pb", "Pi"},
       {"k", "Ki"}, {"m", "Mi"}, {"g", "Gi"}, {"t", "Ti"}, {"p", "Pi"}}};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  for (const auto& [unit, suffix] : units) {
    if (!lower.ends_with(unit)) continue;
    if (text.ends_with(unit)) text.resize(text.size() - unit.size());
    return text + std::string(suffix);
  }
  return text;
}

/// Puts the quantity of a field into requests or limits, if the field is there.
void take(const Job& job, const Value& role, std::string_view field, std::string_view resource, Resources& into) {
  const Value* value = role.find(field);
  if (value == nullptr) return;
  std::string text = text_of(value);
  if (resource == "memory") text = memory_text(std::move(text));
  std::optional<Quantity> quantity = Quantity::parse(text);
  if (!quantity) {
    // With topologies the webhook looks at the pod sets, too.
    job.refuse(job.options->kueue.gates.topology_aware ? RefusedBy::validating_webhook : RefusedBy::reconciler, *value,
               fmt::format("`{}` is no quantity", text_of(value)), "write it like `512m` for 512 MiB, or `1g`");
  }
  into.insert_or_assign(std::string(resource), *quantity);
}

/// Containers of a list, without those that are there with the same name and image.
void add_containers(const Job& job, const Value* list, std::string_view first, std::vector<Container>& into) {
  if (list == nullptr) return;
  std::vector<std::pair<std::string, std::string>> known;
  if (!first.empty()) known.emplace_back(first, "");
  std::vector<Container> all = containers_of(job.manifest(), list);
  std::span<const Value> items = list->items();
  for (std::size_t i = 0; i < all.size() && i < items.size(); ++i) {
    std::pair key(all[i].name, text_of(items[i].find("image")));
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    known.push_back(std::move(key));
    into.push_back(std::move(all[i]));
  }
}

void merge(const Value* map, Labels& into) {
  for (auto& [key, value] : labels_of(map)) into.insert_or_assign(key, value);
}

Draft draft_of_role(const Job& job, const Role& role, std::int32_t count, const Value* value) {
  Draft d = draft_of(job, role.name, count, nullptr, fmt::format("spec.{}.template", role.name));
  PodTemplate& pod = d.pod_set.pod;
  Container main;
  main.name = role.container;
  if (value != nullptr) {
    read_pod_spec(job.manifest(), *value, pod);
    pod.containers.clear();
    pod.init_containers.clear();
    add_containers(job, value->find("initContainers"), {}, pod.init_containers);
    take(job, *value, "coreRequest", "cpu", main.requests);
    take(job, *value, "coreLimit", "cpu", main.limits);
    take(job, *value, "memory", "memory", main.requests);
    take(job, *value, "memoryLimit", "memory", main.limits);
    std::string gpu = text_of(value->at({"gpu", "name"}));
    std::int64_t gpus = integer_or(value->at({"gpu", "quantity"}), 0);
    if (!gpu.empty() && gpus > 0) main.limits.insert_or_assign(gpu, *Quantity::parse(fmt::to_string(gpus)));
    d.metadata = value->at({"template", "metadata"});
    merge(value->at({"template", "metadata", "labels"}), pod.labels);
    merge(value->at({"template", "metadata", "annotations"}), pod.annotations);
    merge(value->find("labels"), pod.labels);
    merge(value->find("annotations"), pod.annotations);
  }
  pod.containers.push_back(std::move(main));
  if (value != nullptr) add_containers(job, value->find("sidecars"), role.container, pod.containers);
  check_topology(job, d, pod.annotations);
  set_topology(job, d, pod.annotations);
  return d;
}

}  // namespace

Parts parts_of_spark_application(const Job& job) {
  Parts parts;
  const Value* spec = job.spec();
  if (!spec) job.refuse(RefusedBy::schema, "`spec` is missing in SparkApplication");
  // Kueue writes absent texts as empty ones, but not this one.
  if (!spec->find("mainApplicationFile"))
    job.refuse(RefusedBy::schema, *spec, "`spec.mainApplicationFile` is missing in SparkApplication");
  if (!job.queue().empty() || job.options->kueue.manage_jobs_without_queue_name) {
    const Value* mode = spec->find("mode");
    if (text_of(mode) != "cluster")
      job.refuse(RefusedBy::validating_webhook, mode ? *mode : *spec, "`spec.mode` of a job with a queue is `cluster`");
    const Value* dynamic = spec->at({"dynamicAllocation", "enabled"});
    if (boolean_or(dynamic, false) && !job.elastic())
      job.refuse(RefusedBy::validating_webhook, *dynamic, "`spec.dynamicAllocation` needs an elastic job",
                 fmt::format("set the annotation `{}: \"true\"` and the gate ElasticJobsViaWorkloadSlices", kElastic));
  }
  const Value* executor = spec->find(kExecutor.name);
  std::int32_t executors = executor == nullptr ? 0 : int32_or(executor->find("instances"), 0);
  parts.drafts.push_back(draft_of_role(job, kDriver, 1, spec->find(kDriver.name)));
  parts.drafts.push_back(draft_of_role(job, kExecutor, executors, executor));
  std::string state = job.status() ? text_of(job.status()->at({"applicationState", "state"})) : std::string();
  if (state == "COMPLETED" || state == "FAILED" || state == "SUBMISSION_FAILED") parts.note = "the job is finished";
  if (state == "RUNNING") parts.note = "the job has running pods: Kueue waits until they have ended";
  return parts;
}

}  // namespace sluice::kube::jobs
