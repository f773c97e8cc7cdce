#include <fmt/format.h>

#include "kube/job_parts.hpp"

// PyTorchJob, TFJob, XGBoostJob, JAXJob, PaddleJob (training operator v1) and MPIJob (v2beta1).
// Source: Kueue pkg/controller/jobs/kubeflow, mpijob.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kIndexLabel = "training.kubeflow.org/replica-index";

/// Where a kind keeps its replicas, and in which order Kueue makes pod sets of them.
struct Layout {
  std::string_view kind;
  std::string_view field;
  std::vector<std::string_view> types;
};

const Layout& layout_of(std::string_view kind) {
  static const Layout layouts[] = {
      {"PyTorchJob", "pytorchReplicaSpecs", {"Master", "Worker"}},
      {"TFJob", "tfReplicaSpecs", {"Chief", "Master", "PS", "Worker", "Evaluator"}},
      {"XGBoostJob", "xgbReplicaSpecs", {"Master", "Worker"}},
      {"JAXJob", "jaxReplicaSpecs", {"Worker"}},
      {"PaddleJob", "paddleReplicaSpecs", {"Master", "Worker"}},
      {"MPIJob", "mpiReplicaSpecs", {"Launcher", "Worker"}},
  };
  for (const Layout& l : layouts) {
    if (l.kind == kind) return l;
  }
  return layouts[0];  // workloads_of calls only for the kinds above
}

/// The kind's own rule: the run policy, else the first pod template that has one.
std::string priority_class_of(const Value& spec, const std::vector<Draft>& drafts) {
  std::string name = text_of(spec.at({"runPolicy", "schedulingPolicy", "priorityClass"}));
  for (const Draft& d : drafts) {
    if (name.empty()) name = d.pod_set.pod.priority_class;
  }
  return name;
}

}  // namespace

Parts parts_of_training_job(const Job& job) {
  Parts parts;
  const Value* spec = job.spec();
  if (!spec) job.refuse(RefusedBy::schema, fmt::format("`spec` is missing in {}", job.object->kind));
  const Layout& layout = layout_of(job.object->kind);
  const Value* replicas = spec->find(layout.field);
  bool mpi = layout.kind == "MPIJob";
  const Value* launcher = mpi && replicas ? replicas->find("Launcher") : nullptr;
  for (std::string_view type : layout.types) {
    const Value* replica = replicas ? replicas->find(type) : nullptr;
    if (!replica) continue;
    Draft& d = parts.drafts.emplace_back(
        draft_of(job, type, int32_or(replica->find("replicas"), 1), replica->find("template"),
                 mpi ? fmt::format("spec.{}.{}.template", layout.field, type)
                     : fmt::format("spec.{}[{}].template", layout.field, type)));
    if (launcher && type == "Worker" && job.options->kueue.gates.topology_aware &&
        boolean_or(spec->find("runLauncherAsWorker"), false) &&
        !launcher->at({"template", "metadata", "annotations", "kueue.x-k8s.io/podset-group-name"})) {
      d.pod_set.pod.annotations["kueue.x-k8s.io/pod-index-offset"] = "1";
    }
    check_topology(job, d, d.pod_set.pod.annotations);
    set_topology(job, d, d.pod_set.pod.annotations, {kIndexLabel, {}, {}});
  }
  if (mpi) check_topology_groups(job, parts.drafts);
  parts.priority_class = priority_class_of(*spec, parts.drafts);
  if (has_condition(job, "Succeeded") || has_condition(job, "Failed")) parts.note = "the job is finished";
  const Value* statuses = job.status() ? job.status()->find("replicaStatuses") : nullptr;
  for (const Member& m : statuses ? statuses->members() : std::span<const Member>()) {
    if (parts.note.empty() && int32_or(m.value.find("active"), 0) != 0)
      parts.note = "the job has running pods: Kueue waits until they have ended";
  }
  return parts;
}

}  // namespace sluice::kube::jobs
