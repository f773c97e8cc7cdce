#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/amount.hpp"
#include "base/time.hpp"
#include "model/pod.hpp"
#include "model/rare.hpp"
#include "model/shared.hpp"

/// Plain structs of the domain, normalised to Kueue's v1beta2. No behaviour, no references between objects:
/// they name each other, as in the API.
namespace sluice {

/// Where an object was declared: a line of a manifest or of a policy. Line 0: unknown.
struct Origin {
  std::uint32_t file = 0xffffffff;  ///< index into World::files; 0xffffffff: none
  std::uint32_t line = 0;

  friend bool operator==(const Origin&, const Origin&) = default;
};

struct ResourceFlavor {
  std::string name;
  Labels node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;
  std::optional<std::string> topology;
  Origin origin;

  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

struct ResourceQuota {
  std::string resource;
  Amount nominal;
  std::optional<Amount> borrowing_limit;  ///< unset: no limit of its own
  std::optional<Amount> lending_limit;    ///< unset: everything is lendable

  friend bool operator==(const ResourceQuota&, const ResourceQuota&) = default;
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<ResourceQuota> resources;  ///< the group's covered resources, in their order

  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

struct ResourceGroup {
  std::vector<std::string> covered_resources;
  std::vector<FlavorQuotas> flavors;  ///< in order of preference

  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};

/// metav1.LabelSelector. `nothing`: the field was unset, which matches no namespace.
struct LabelSelector {
  bool nothing = false;
  std::vector<Requirement> requirements;  ///< matchLabels become `In`; none: everything

  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

enum class QueueingStrategy : std::uint8_t { best_effort_fifo, strict_fifo };
enum class StopPolicy : std::uint8_t { none, hold, hold_and_drain };
enum class FungibilityPolicy : std::uint8_t { may_stop_search, try_next_flavor };
enum class FungibilityPreference : std::uint8_t { borrowing_over_preemption, preemption_over_borrowing };
enum class PreemptionPolicy : std::uint8_t { never, lower_priority, lower_or_newer_equal_priority, any };

struct FlavorFungibility {
  FungibilityPolicy when_can_borrow = FungibilityPolicy::may_stop_search;
  FungibilityPolicy when_can_preempt = FungibilityPolicy::try_next_flavor;
  FungibilityPreference preference = FungibilityPreference::borrowing_over_preemption;

  friend bool operator==(const FlavorFungibility&, const FlavorFungibility&) = default;
};

struct Preemption {
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::never;  ///< never, lower_priority, any
  PreemptionPolicy within_cluster_queue = PreemptionPolicy::never;   ///< never, lower_priority, lower_or_newer…
  PreemptionPolicy borrow_within_cohort = PreemptionPolicy::never;   ///< never, lower_priority
  std::optional<std::int32_t> borrow_max_priority_threshold;

  friend bool operator==(const Preemption&, const Preemption&) = default;
};

struct AdmissionCheckRule {
  std::string name;
  std::vector<std::string> on_flavors;  ///< empty: every flavor of the queue

  friend bool operator==(const AdmissionCheckRule&, const AdmissionCheckRule&) = default;
};

struct ClusterQueue {
  std::string name;
  std::optional<std::string> cohort;
  std::vector<ResourceGroup> resource_groups;
  QueueingStrategy strategy = QueueingStrategy::best_effort_fifo;
  LabelSelector namespace_selector{.nothing = true, .requirements = {}};
  FlavorFungibility fungibility;
  Preemption preemption;
  StopPolicy stop_policy = StopPolicy::none;
  std::vector<AdmissionCheckRule> admission_checks;
  std::optional<Quantity> fair_weight;
  bool usage_based_fair_sharing = false;  ///< admissionScope UsageBasedAdmissionFairSharing
  bool concurrent_admission = false;      ///< concurrentAdmissionPolicy is set (alpha)
  bool retains_first_admission = false;   ///< its migration mode is RetainFirstAdmission
  std::string last_acceptable_flavor;     ///< no migration to flavors after this one; empty: to any
  std::int64_t generation = 1;
  Origin origin;

  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

struct Cohort {
  std::string name;
  std::optional<std::string> parent;
  std::vector<ResourceGroup> resource_groups;
  std::optional<Quantity> fair_weight;
  Origin origin;

  friend bool operator==(const Cohort&, const Cohort&) = default;
};

struct LocalQueue {
  std::string name_space;
  std::string name;
  std::string cluster_queue;
  StopPolicy stop_policy = StopPolicy::none;
  std::optional<Quantity> fair_weight;
  Resources consumed;  ///< status: what admission fair sharing has counted
  Origin origin;

  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

struct WorkloadPriorityClass {
  std::string name;
  std::int32_t value = 0;
  std::string description;
  Origin origin;

  friend bool operator==(const WorkloadPriorityClass&, const WorkloadPriorityClass&) = default;
};

/// scheduling.k8s.io PriorityClass.
struct PriorityClass {
  std::string name;
  std::int32_t value = 0;
  bool global_default = false;
  Origin origin;

  friend bool operator==(const PriorityClass&, const PriorityClass&) = default;
};

struct AdmissionCheck {
  std::string name;
  std::string controller;  ///< spec.controllerName
  /// spec.parameters; all empty if unset.
  std::string parameters_group;
  std::string parameters_kind;
  std::string parameters_name;
  bool active = true;  ///< condition Active; without conditions true, as the provisioning controller would set it
  Origin origin;

  friend bool operator==(const AdmissionCheck&, const AdmissionCheck&) = default;
};

struct ProvisioningRetry {
  std::int32_t limit = 3;
  std::int32_t base_seconds = 60;
  std::int32_t max_seconds = 1800;

  friend bool operator==(const ProvisioningRetry&, const ProvisioningRetry&) = default;
};

/// ProvisioningRequestConfig: what a ProvisioningRequest made for a workload holds.
struct ProvisioningRequestConfig {
  std::string name;
  std::string class_name;                        ///< provisioningClassName
  Labels parameters;
  std::vector<std::string> managed_resources;    ///< empty: all
  ProvisioningRetry retry;
  /// podSetUpdates.nodeSelector: key, and the class detail the value comes from.
  std::vector<std::pair<std::string, std::string>> node_selector_updates;
  std::string pod_set_merge_policy;              ///< empty, IdenticalPodTemplates, IdenticalWorkloadSchedulingRequirements
  Origin origin;

  friend bool operator==(const ProvisioningRequestConfig&, const ProvisioningRequestConfig&) = default;
};

/// A pod set of a ProvisioningRequest: pods of a template.
struct RequestedPods {
  std::string pod_template;
  std::int32_t count = 0;

  friend bool operator==(const RequestedPods&, const RequestedPods&) = default;
};

struct Condition {
  std::string type;
  bool status = false;  ///< "True"
  std::string reason;
  std::string message;
  Instant since;        ///< lastTransitionTime
  std::int64_t observed_generation = 0;

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// A request for machines that a provisioning check made for a workload, with the autoscaler's answers.
struct ProvisioningRequest {
  std::string name_space = "default";
  std::string name;
  std::string workload;  ///< its controller; empty: none, so that no check goes by it
  std::string class_name;
  Labels parameters;
  std::vector<RequestedPods> pod_sets;
  std::vector<Condition> conditions;
  Labels class_details;  ///< status.provisioningClassDetails
  Instant created;
  Origin origin;

  friend bool operator==(const ProvisioningRequest&, const ProvisioningRequest&) = default;
};

struct TopologyLevel {
  std::string name;  ///< the policy's word for the level; empty when it comes from a manifest
  std::string node_label;

  friend bool operator==(const TopologyLevel&, const TopologyLevel&) = default;
};

struct Topology {
  std::string name;
  std::vector<TopologyLevel> levels;
  Origin origin;

  friend bool operator==(const Topology&, const Topology&) = default;
};

struct Namespace {
  std::string name;
  Labels labels;
  Origin origin;

  friend bool operator==(const Namespace&, const Namespace&) = default;
};

struct LimitRangeItem {
  std::string type;  ///< Container, Pod (PersistentVolumeClaim is ignored)
  Resources max, min, default_limits, default_requests, max_ratio;

  friend bool operator==(const LimitRangeItem&, const LimitRangeItem&) = default;
};

struct LimitRange {
  std::string name_space;
  std::string name;
  std::vector<LimitRangeItem> items;
  Origin origin;

  friend bool operator==(const LimitRange&, const LimitRange&) = default;
};

struct RuntimeClass {
  std::string name;
  Resources pod_overhead;
  Origin origin;

  friend bool operator==(const RuntimeClass&, const RuntimeClass&) = default;
};

/// A node, as far as capacity and topology need it.
struct Node {
  std::string name;
  Labels labels;
  std::vector<Taint> taints;
  Resources allocatable;
  bool ready = true;
  bool unschedulable = false;
  Origin origin;

  friend bool operator==(const Node&, const Node&) = default;
};

/// A pod on a node, as far as it takes room there: one that no workload with a placement accounts for, or one
/// that shows whether such a workload still runs on its node.
struct Pod {
  std::string name_space = "default";
  std::string name;
  std::string node;               ///< spec.nodeName
  std::string workload;           ///< annotation kueue.x-k8s.io/workload; empty: none
  bool asks_for_topology = false; ///< has a topology annotation: its workload accounts for it
  bool ended = false;             ///< phase Succeeded or Failed
  bool deleting = false;
  Resources requests;             ///< of the pod, as its spec has it
  Origin origin;

  friend bool operator==(const Pod&, const Pod&) = default;
};

/// Every `size` pods of a pod set stay within one domain of `level`.
struct SliceLayer {
  std::string level;
  std::int32_t size = 0;

  friend bool operator==(const SliceLayer&, const SliceLayer&) = default;
};

struct TopologyRequest {
  enum class Mode : std::uint8_t { none, required, preferred, unconstrained };
  Mode mode = Mode::none;
  bool constrained = false;              ///< `unconstrained: false`: a topology is asked for, but no level of it
  std::string level;                     ///< node label of required or preferred
  std::optional<std::string> slice_level;
  std::optional<std::int32_t> slice_size;
  std::vector<SliceLayer> slice_layers;  ///< podsetSliceRequiredTopologyConstraints, outermost first
  std::optional<std::string> group;      ///< podSetGroupName
  std::optional<std::string> pod_index_label;
  std::optional<std::string> sub_group_index_label;
  std::optional<std::int32_t> sub_group_count;

  friend bool operator==(const TopologyRequest&, const TopologyRequest&) = default;
};

struct PodSet {
  std::string name;
  std::int32_t count = 1;
  std::optional<std::int32_t> min_count;
  PodTemplate pod;  ///< as the object has it; `model/requests.hpp` adds overhead, LimitRange and limits
  std::optional<TopologyRequest> topology;

  friend bool operator==(const PodSet&, const PodSet&) = default;
};

struct TopologyDomain {
  std::vector<std::string> values;  ///< one for each level of the assignment
  std::int32_t count = 0;           ///< pods of the pod set there

  friend bool operator==(const TopologyDomain&, const TopologyDomain&) = default;
};

/// Where the pods of a pod set go.
struct TopologyAssignment {
  std::vector<std::string> levels;  ///< node labels; only the hostname where the topology ends in it
  std::vector<TopologyDomain> domains;

  friend bool operator==(const TopologyAssignment&, const TopologyAssignment&) = default;
};

/// status.admission of one pod set.
struct PodSetAssignment {
  std::string name;
  std::map<std::string, std::string> flavors;  ///< resource to flavor
  Resources usage;                             ///< resourceUsage: total of the pod set
  std::optional<std::int32_t> count;
  std::optional<TopologyAssignment> topology = {};
  std::string delayed_topology;                ///< delayedTopologyRequest

  friend bool operator==(const PodSetAssignment&, const PodSetAssignment&) = default;
};

enum class CheckState : std::uint8_t { pending, ready, retry, rejected };

/// What a check wants added to the pods of one pod set.
struct PodSetUpdate {
  std::string name;
  Labels labels;
  Labels annotations;
  Labels node_selector;
  std::vector<Toleration> tolerations;

  friend bool operator==(const PodSetUpdate&, const PodSetUpdate&) = default;
};

struct CheckStatus {
  std::string name;
  CheckState state = CheckState::pending;
  std::string message;
  Instant since;
  std::optional<std::int32_t> requeue_after_seconds;
  std::int32_t retry_count = 0;
  std::vector<PodSetUpdate> updates = {};  ///< podSetUpdates

  friend bool operator==(const CheckStatus&, const CheckStatus&) = default;
};

/// The object a workload was made of: `RayJob` `rayjob-tpu-v6e-dws-1`.
struct Owner {
  std::string kind;   ///< empty: a bare Workload
  std::string group;  ///< API group, empty for core
  std::string name;
  std::string uid;

  friend bool operator==(const Owner&, const Owner&) = default;
};

/// Where a gate on preemption stands; one without a state is closed.
struct PreemptionGateState {
  std::string name;
  bool open = false;
  Instant since;

  friend bool operator==(const PreemptionGateState&, const PreemptionGateState&) = default;
};

struct Workload {
  std::string name_space = "default";
  std::string name;
  std::string uid;
  bool synthetic_uid = false;   ///< the input had no uid: equal times then keep the order of arrival
  std::uint64_t arrival = 0;    ///< order in which the snapshot or the command line got it
  Instant created;
  std::int64_t generation = 1;
  Rare<Owner> owner;
  RareMap<Labels> labels;       ///< of the owner, if there is one, else of the Workload
  RareMap<Labels> annotations;
  std::string queue;            ///< LocalQueue; empty: none
  SharedVector<PodSet> pod_sets;
  std::int32_t priority = 0;
  std::string priority_class;         ///< empty: none
  std::string priority_class_kind;    ///< WorkloadPriorityClass or PriorityClass
  bool active = true;
  std::optional<std::int64_t> max_run_seconds;  ///< maximumExecutionTimeSeconds
  ThinVector<std::string> preemption_gates;
  ThinVector<PreemptionGateState> gate_states;  ///< status.preemptionGates

  RareOptional<std::string> admitted_queue;      ///< status.admission.clusterQueue; unset: no reservation
  ThinVector<PodSetAssignment> assignments;
  ThinVector<Condition> conditions;
  ThinVector<CheckStatus> checks;
  RareMap<std::map<std::string, std::int32_t>> reclaimable;  ///< pod set to count
  std::optional<Instant> requeue_at;
  std::int32_t requeue_count = 0;
  std::int64_t past_run_seconds = 0;  ///< accumulatedPastExecutionTimeSeconds
  ThinVector<std::string> unhealthy_nodes;  ///< nodes of its assignment whose pods need another one
  Origin origin;

  friend bool operator==(const Workload&, const Workload&) = default;
};

/// One of a training runtime's replicated jobs.
struct TrainingStep {
  std::string name;
  std::string ancestor;  ///< label trainer.kubeflow.org/trainjob-ancestor-step: `trainer`, an initializer
  std::int32_t replicas = 1;
  std::int32_t parallelism = 1;
  PodTemplate pod;

  friend bool operator==(const TrainingStep&, const TrainingStep&) = default;
};

/// Kubeflow's TrainingRuntime or ClusterTrainingRuntime, as far as TrainJobs become Workloads by it. Only manifests
/// have it: a snapshot keeps Workloads, and no runtimes.
struct TrainingRuntime {
  std::string name_space;  ///< empty: of the cluster
  std::string name;
  bool has_policy = false;  ///< spec.mlPolicy is set
  std::optional<std::int32_t> nodes;  ///< its numNodes
  bool is_mpi = false;
  bool is_flux = false;
  bool runs_launcher_as_node = false;
  std::vector<TrainingStep> steps;
  Origin origin;

  friend bool operator==(const TrainingRuntime&, const TrainingRuntime&) = default;
};

/// A capacity signal: what is known about getting machines of a flavor. From ProvisioningRequest conditions
/// in the snapshot or from `--capacity`.
struct CapacitySignal {
  enum class State : std::uint8_t { available, stocked_out, quota_exceeded };
  std::string flavor;
  State state = State::available;
  Instant since;
  Origin origin;

  friend bool operator==(const CapacitySignal&, const CapacitySignal&) = default;
};

}  // namespace sluice
