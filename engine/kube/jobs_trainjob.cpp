#include <fmt/format.h>

#include <algorithm>

#include "kube/job_parts.hpp"
#include "kube/kinds.hpp"

// TrainJob: the pod sets of the JobSet that its operator makes of it and of the training runtime it names.
// Source: Kueue pkg/controller/jobs/trainjob, Kubeflow Trainer v2.2.1 pkg/runtime.
namespace sluice::kube {
namespace {

constexpr std::string_view kAncestor = "trainer.kubeflow.org/trainjob-ancestor-step";
constexpr std::string_view kTrainer = "trainer";
constexpr std::string_view kNode = "node";
constexpr const char* kFluxInstaller = "flux-installer";

}  // namespace

TrainingRuntime training_runtime_of(const Input& input) {
  const Object& object = input.object;
  TrainingRuntime runtime;
  if (object.kind == "TrainingRuntime") runtime.name_space = namespace_name_of(object);
  runtime.name = name_of(object);
  runtime.origin = input.origin;
  if (const Value* policy = object.value->at({"spec", "mlPolicy"})) {
    runtime.has_policy = true;
    if (const Value* nodes = policy->find("numNodes")) runtime.nodes = jobs::int32_or(nodes, 1);
    runtime.is_flux = policy->find("flux") != nullptr;
    if (const Value* mpi = policy->find("mpi")) {
      runtime.is_mpi = true;
      runtime.runs_launcher_as_node = boolean_or(mpi->find("runLauncherAsNode"), false);
    }
  }
  const Value* list = object.value->at({"spec", "template", "spec", "replicatedJobs"});
  for (const Value& item : list ? list->items() : std::span<const Value>()) {
    TrainingStep& step = runtime.steps.emplace_back();
    step.name = text_of(item.find("name"));
    step.ancestor = text_of(item.at({"template", "metadata", "labels", kAncestor}));
    step.replicas = jobs::int32_or(item.find("replicas"), 1);
    step.parallelism = jobs::int32_or(item.at({"template", "spec", "parallelism"}), 1);
    step.pod = pod_template_of(*object.manifest, item.at({"template", "spec", "template"}), Nulls::absent);
  }
  return runtime;
}

namespace jobs {
namespace {

/// Who meets first what is wrong with a runtime: the webhook looks at it only for the topology annotations of its
/// templates.
RefusedBy refused_with_runtime(const Job& job) {
  return job.options->kueue.gates.topology_aware ? RefusedBy::validating_webhook : RefusedBy::reconciler;
}

const TrainingRuntime& runtime_of(const Job& job) {
  const Value* reference = job.spec() ? job.spec()->find("runtimeRef") : nullptr;
  auto text_or = [&](std::string_view key, std::string_view otherwise) {
    std::string text = text_of(reference ? reference->find(key) : nullptr);
    return text.empty() ? std::string(otherwise) : text;
  };
  std::string kind = text_or("kind", "ClusterTrainingRuntime");
  std::string name = text_or("name", "");
  const Value& at = reference ? *reference : *job.object->value;
  bool is_cluster = kind == "ClusterTrainingRuntime";
  if (text_or("apiGroup", "trainer.kubeflow.org") != "trainer.kubeflow.org" ||
      (!is_cluster && kind != "TrainingRuntime"))
    job.refuse(RefusedBy::validating_webhook, at, fmt::format("the runtime kind `{}` is not supported", kind));
  for (const TrainingRuntime& runtime : job.world->training_runtimes) {
    if (runtime.name == name && runtime.name_space == (is_cluster ? std::string() : job.name_space)) return runtime;
  }
  job.refuse(refused_with_runtime(job), at, fmt::format("{} `{}` is not there", kind, name),
             "give it together with the job: a snapshot does not keep runtimes");
}

/// What spec.runtimePatches change of a step, as far as pods are placed by it.
void patch(const Job& job, TrainingStep& step) {
  const Value* patches = job.spec()->find("runtimePatches");
  for (const Value& one : patches ? patches->items() : std::span<const Value>()) {
    const Value* steps = one.at({"trainingRuntimeSpec", "template", "spec", "replicatedJobs"});
    for (const Value& item : steps ? steps->items() : std::span<const Value>()) {
      if (text_of(item.find("name")) != step.name) continue;
      if (const Value* ancestor = item.at({"template", "metadata", "labels", kAncestor}))
        step.ancestor = text_of(ancestor);
      const Value* pod = item.at({"template", "spec", "template"});
      if (!pod) continue;
      for (const auto& [key, value] : labels_of(pod->at({"metadata", "labels"}))) step.pod.labels[key] = value;
      for (const auto& [key, value] : labels_of(pod->at({"metadata", "annotations"})))
        step.pod.annotations[key] = value;
      for (const auto& [key, value] : labels_of(pod->at({"spec", "nodeSelector"}))) step.pod.node_selector[key] = value;
      PodTemplate patched = pod_template_of(job.manifest(), pod, Nulls::absent);
      if (pod->at({"spec", "tolerations"})) step.pod.tolerations = patched.tolerations;
      if (patched.required_affinity) step.pod.required_affinity = patched.required_affinity;
    }
  }
}

/// spec.trainer.resourcesPerNode takes the place of what the container asks for.
void set_resources(const Job& job, TrainingStep& step) {
  const Value* resources = job.spec()->at({"trainer", "resourcesPerNode"});
  if (!resources || (!resources->find("requests") && !resources->find("limits"))) return;
  for (Container& container : step.pod.containers) {
    if (container.name != kNode) continue;
    container.requests = resources_of(job.manifest(), resources->find("requests"), Nulls::absent);
    container.limits = resources_of(job.manifest(), resources->find("limits"), Nulls::absent);
  }
}

/// How many pods a step has: those of the runtime's policy and of spec.trainer where they mean this step.
void set_counts(const Job& job, const TrainingRuntime& runtime, std::vector<TrainingStep>& steps) {
  for (TrainingStep& step : steps) {
    if (step.ancestor == kTrainer && runtime.has_policy) step.parallelism = runtime.nodes.value_or(1);
    step.parallelism = std::max(step.parallelism, 1);
  }
  const Value* nodes = job.spec()->at({"trainer", "numNodes"});
  if (!nodes) return;
  std::int32_t count = int32_or(nodes, 1);
  auto meant = std::find_if(steps.begin(), steps.end(), [&](const TrainingStep& step) {
    return runtime.is_mpi ? step.name == kNode : step.ancestor == kTrainer;
  });
  if (meant == steps.end()) return;
  // One of the nodes is the launcher then.
  meant->parallelism = runtime.is_mpi && runtime.runs_launcher_as_node ? std::max(count - 1, 1) : count;
}

/// Flux is installed by a container of its own, which asks for nothing but what a LimitRange gives it.
void add_flux(const Job& job, std::vector<TrainingStep>& steps) {
  if (const Value* spec = job.spec(); spec->find("trainer") == nullptr) {
    job.refuse(refused_with_runtime(job), *spec,
               "Kueue fails on a TrainJob without `trainer` whose runtime uses Flux", "add `trainer: {}`");
  }
  for (TrainingStep& step : steps) {
    if (step.name == kNode) step.pod.init_containers.emplace_back().name = kFluxInstaller;
  }
}

}  // namespace

Parts parts_of_train_job(const Job& job) {
  Parts parts;
  if (has_condition(job, "Complete") || has_condition(job, "Failed")) {
    parts.note = "the job is finished";
    return parts;
  }
  const TrainingRuntime& runtime = runtime_of(job);
  std::vector<TrainingStep> steps = runtime.steps;
  for (TrainingStep& step : steps) patch(job, step);
  set_counts(job, runtime, steps);
  if (runtime.is_flux) add_flux(job, steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    TrainingStep& step = steps[i];
    bool is_step_of_job = step.ancestor == kTrainer || step.ancestor == "dataset-initializer" ||
                          step.ancestor == "model-initializer";
    if (step.ancestor == kTrainer || (runtime.runs_launcher_as_node && step.name == kNode)) set_resources(job, step);
    std::int32_t replicas = is_step_of_job ? 1 : step.replicas;
    Draft& d = parts.drafts.emplace_back();
    d.pod_set.name = pod_set_name(step.name);
    d.pod_set.count = wrapping_product(replicas, step.parallelism);
    d.pod_set.pod = std::move(step.pod);
    d.path = fmt::format("runtime.template.spec.replicatedJobs[{}].template.spec.template", i);
    check_topology(job, d, d.pod_set.pod.annotations);
    set_topology(job, d, d.pod_set.pod.annotations,
                 {"batch.kubernetes.io/job-completion-index", "jobset.sigs.k8s.io/job-index", replicas});
  }
  const Value* statuses = job.status() ? job.status()->find("jobsStatus") : nullptr;
  for (const Value& s : statuses ? statuses->items() : std::span<const Value>()) {
    if (int32_or(s.find("active"), 0) > 0)
      parts.note = "the job has running pods: Kueue waits until they have ended";
  }
  return parts;
}

}  // namespace jobs
}  // namespace sluice::kube
