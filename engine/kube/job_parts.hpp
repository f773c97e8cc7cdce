#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kube/jobs.hpp"
#include "kube/pod_template.hpp"

/// What the job kinds share; only the files `job*.cpp` use it.
namespace sluice::kube::jobs {

// Keys of labels and annotations.
inline constexpr std::string_view kQueue = "kueue.x-k8s.io/queue-name";
inline constexpr std::string_view kPriorityClass = "kueue.x-k8s.io/priority-class";
inline constexpr std::string_view kMaxExecTime = "kueue.x-k8s.io/max-exec-time-seconds";
inline constexpr std::string_view kPrebuilt = "kueue.x-k8s.io/prebuilt-workload-name";
inline constexpr std::string_view kElastic = "kueue.x-k8s.io/elastic-job";
inline constexpr std::string_view kSliceName = "kueue.x-k8s.io/workload-slice-name";
inline constexpr std::string_view kGatedBy = "kueue.x-k8s.io/admission-gated-by";
inline constexpr std::string_view kGroupWorkload = "kueue.x-k8s.io/is-group-workload";
inline constexpr std::string_view kSuspendedByParent = "kueue.x-k8s.io/pod-suspending-parent";

/// Pod sets of one Workload; the API server refuses more.
inline constexpr std::size_t kMaxPodSets = 18;

/// Ends the work on one job; caught in workloads_of.
struct Refused {
  JobRefusal refusal;
};

/// A job after decoding and the mutating webhook.
struct Job {
  const Object* object = nullptr;
  const World* world = nullptr;
  const JobOptions* options = nullptr;
  std::string name;  ///< `x-00000` for the generateName `x-`
  std::string name_space;
  std::string uid;  ///< the name unless given
  Labels labels;    ///< with the queue of a namespace that has a LocalQueue `default`
  Labels annotations;

  const Value* spec() const { return object->find("spec"); }
  const Value* status() const { return object->find("status"); }
  const Manifest& manifest() const { return *object->manifest; }
  std::string_view label(std::string_view key) const;
  std::string_view annotation(std::string_view key) const;
  std::string_view queue() const { return label(kQueue); }
  bool elastic() const { return options->kueue.gates.elastic_slices && annotation(kElastic) == "true"; }

  /// Gate ShortWorkloadNames: a name must fit into a label.
  std::size_t longest_workload_name() const { return options->kueue.gates.short_workload_names ? 63 : 253; }

  /// Where a label or annotation was written, else the object.
  const Value& place_of_label(std::string_view key) const;
  const Value& place_of_annotation(std::string_view key) const;

  JobRefusal refusal(RefusedBy by, const Value& at, std::string message, std::string help = {}) const;
  [[noreturn]] void refuse(RefusedBy by, const Value& at, std::string message, std::string help = {}) const;
  [[noreturn]] void refuse(RefusedBy by, std::string message, std::string help = {}) const;
};

/// A pod set and where its template stands.
struct Draft {
  PodSet pod_set;
  const Value* metadata = nullptr;  ///< of the template; none if it has none
  const Value* template_at = nullptr;
  std::string path;  ///< `spec.template`
};

/// What a kind says about its jobs.
struct Parts {
  std::vector<Draft> drafts;
  /// The PriorityClass by the kind's own rule; unset: the first one of the pod sets.
  std::optional<std::string> priority_class;
  std::string note;  ///< why Kueue makes no Workload; empty: it does
};

/// The name of a pod set: lower-cased, otherwise as it is.
std::string pod_set_name(std::string_view name);

/// A pod set of a template (`metadata`, `spec`), which may be absent.
Draft draft_of(const Job& job, std::string_view name, std::int32_t count, const Value* pod_template,
               std::string path);

/// Refuses a job that names a prebuilt Workload: the input has none that belongs to it.
void refuse_prebuilt(const Job& job);

/// Refuses a pod template without a list of containers.
void require_containers(const Job& job, const Draft& draft);

/// 32-bit product as Go computes it: wraps. What comes out negative the API server refuses.
std::int32_t wrapping_product(std::int32_t a, std::int32_t b);

std::int32_t int32_or(const Value* value, std::int32_t otherwise);

/// `strconv.Atoi` and `strconv.ParseBool` of Go.
std::optional<std::int64_t> go_integer(std::string_view text);
std::optional<bool> go_boolean(std::string_view text);

/// Is a condition of the status true?
bool has_condition(const Job& job, std::string_view type);

// ---- topology: job_topology.cpp ----

struct TopologyLabels {
  std::string_view pod_index;
  std::string_view sub_group_index;
  std::optional<std::int32_t> sub_group_count;
};
/// Sets the topology request of a pod set from the annotations of its template. Refuses multi-layer slices as
/// not decided.
void set_topology(const Job& job, Draft& draft, const Labels& annotations, const TopologyLabels& labels = {});
/// The annotations of one template, as the validating webhooks check them.
void check_topology(const Job& job, const Draft& draft, const Labels& annotations);
/// Groups of pod sets: exactly two, one of them with one pod, the same level.
void check_topology_groups(const Job& job, std::span<const Draft> drafts);

// ---- the kinds ----

Parts parts_of_job(const Job& job);
Parts parts_of_job_set(const Job& job);
Parts parts_of_ray_cluster(const Job& job);
Parts parts_of_ray_job(const Job& job);
Parts parts_of_ray_service(const Job& job);
Parts parts_of_training_job(const Job& job);  ///< and of an MPIJob
Parts parts_of_train_job(const Job& job);
Parts parts_of_app_wrapper(const Job& job);
Parts parts_of_spark_application(const Job& job);

std::vector<Workload> workloads_of_leader_worker_set(const Job& job, std::string& note);
std::vector<Workload> workloads_of_stateful_set(const Job& job, std::string& note);
std::vector<Workload> workloads_of_deployment(const Job& job, std::string& note);
std::vector<Workload> workloads_of_pod(const Job& job, std::string& note);
/// The one Workload of a pod group. Pods beyond the total count are left out: `used` says how many the group
/// has.
Workload workload_of_pod_group(std::span<const Job> pods, std::string& note, std::size_t& used);
/// `group`'s name; empty: no group.
std::string pod_group_of(const Labels& labels, const Labels& annotations);
void check_pod(const Job& job);

// ---- what every kind goes through: job_rules.cpp ----

/// Checks of the validating webhook that all kinds share.
void check_common(const Job& job);
/// Of these, the ones for kinds that serve (LeaderWorkerSet, StatefulSet, Deployment).
void check_serving(const Job& job);
/// The priority as Kueue computes it: WorkloadPriorityClass label, else the given PriorityClass, else the
/// first of the pod sets, else the global default. Refuses if the class does not exist.
void set_priority(const Job& job, Workload& workload, const std::optional<std::string>& priority_class);
/// A Workload with everything but pod sets and priority.
Workload new_workload(const Job& job, std::string name);
/// What the API server and the Workload webhook refuse.
std::optional<JobRefusal> check_workload(const Job& job, const Workload& workload);

}  // namespace sluice::kube::jobs
