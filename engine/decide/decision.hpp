#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/amount.hpp"
#include "base/time.hpp"
#include "decide/reach.hpp"
#include "decide/rule_note.hpp"
#include "decide/victims.hpp"
#include "model/configuration.hpp"
#include "model/objects.hpp"
#include "model/rare.hpp"
#include "model/requests.hpp"

/// What the engine answers, as plain data. Text is made of it in report/ only.
namespace sluice::decide {

/// How well a flavor takes a request; the order is that of quality.
enum class Mode : std::uint8_t {
  no_fit,         ///< not now and preemption would not help, or never
  no_candidates,  ///< only preemption would help and nobody may be preempted
  preempt,        ///< some victim would come from the same queue
  reclaim,        ///< every victim would come from other queues
  fit,
};

/// One resource of one flavor, tested for one pod set. All amounts in Amount's units.
struct ResourceTrial {
  enum class Verdict : std::uint8_t {
    fits,
    short_now,         ///< within the maximum, but others hold it
    exceeds_capacity,  ///< more than the queue could ever have of this flavor
  };
  std::string resource;
  Amount asked;      ///< by this pod set (by its group of pod sets)
  Amount assumed;    ///< by earlier pod sets of the same workload on this flavor
  Amount used;       ///< by other workloads of the queue
  Amount nominal;    ///< the queue's own quota
  Amount available;  ///< what the queue could take at that moment, borrowing included
  Amount capacity;   ///< the most it could take if nobody used anything
  Amount short_by;   ///< asked + assumed - available when `short_now`, - capacity when `exceeds_capacity`
  std::int32_t borrow_level = 0;  ///< 0: within the own quota; else how far up the tree it borrows
  Mode mode = Mode::fit;
  Verdict verdict = Verdict::fits;
  /// Of an elastic job: the slice that it replaces has another flavor, this one (empty: none).
  std::optional<std::string> slice_flavor;
};

/// An expression of a required affinity with an operator or values that Kubernetes does not take. `term` and `expression`
/// count those on labels of the flavor.
struct InvalidRequirement {
  std::size_t term = 0;
  std::size_t expression = 0;
  Requirement requirement;
};

/// A flavor that was considered for a pod set, in the order of consideration.
struct FlavorAttempt {
  enum class Refusal : std::uint8_t {
    none,               ///< the resources decided
    flavor_missing,     ///< the queue names a flavor that does not exist
    untolerated_taint,  ///< `taint`
    affinity_mismatch,  ///< `mismatch`
    affinity_invalid,   ///< `invalid`: an error, with which the search ends
    other_flavor_kept,  ///< the search was repeated for the flavor chosen before
    not_allowed,        ///< the workload is a variant for other flavors
    rule,               ///< `refusals` say which
    no_topology,        ///< the pods ask for a topology, the flavor has none
    topology_unknown,   ///< the flavor's topology does not exist
    level_missing,      ///< the flavor's topology does not have the level that is asked for
    topology_only,      ///< the flavor is for pods that ask for a topology, these do not
  };
  std::string flavor;
  std::string pod_set;  ///< of a group: the pod set that the refusal is about
  std::string searched_for;  ///< the resource for which its group was searched
  Refusal refusal = Refusal::none;
  Taint taint;
  /// What the pod asks for and the flavor does not have: the key with the accepted values.
  Requirement mismatch;
  std::string flavor_value;  ///< what the flavor has for that key; empty: none
  std::vector<InvalidRequirement> invalid;
  std::vector<ResourceTrial> resources;
  Mode mode = Mode::no_fit;  ///< the worst of `resources`
  std::int32_t borrow_level = 0;
  bool chosen = false;
  std::uint32_t group = 0;  ///< the resource group that was searched
  bool blocking = false;    ///< part of why the pod set does not simply fit: Kueue's messages tell these
  bool no_place = false;  ///< quota would do, but the nodes have no place, even when nobody is there
  std::vector<VictimSearch> searches;  ///< for each resource that others hold; if it is explained
  std::vector<Reach> reaches;  ///< of each resource that does not fit within the own quota; if it is explained
  std::vector<RuleNote> refusals;  ///< of rules, with refusal `rule`
  std::vector<RuleNote> notes;     ///< `prefer`, and the rung that let it pass
  std::optional<Instant> opens;    ///< refused by a rule that waiting alone lifts at this instant
  std::optional<Duration> after;   ///< refused by `after D`: D
};

/// Why a pod set cannot be placed at all.
enum class PlacementError : std::uint8_t {
  none,
  no_information,   ///< no flavor of the queue has a topology; with no flavors at all Kueue asks for one
  no_flavor,        ///< the flavors that it got have none
  several_flavors,  ///< that it got have one
};

/// Why pods found no place in the topology of a flavor.
struct PlacementFailure {
  enum class Kind : std::uint8_t {
    none,
    not_fit,          ///< `fits` of `asked` pods, or slices
    layers_not_fit,   ///< the same for slices of several `layers`
    no_domains,       ///< `level`: no node has it
    no_level,         ///< a topology is asked for, but no level of it
    unknown_level,
    unknown_slice_level,
    no_slice_size,
    slice_above,      ///< the slices' `level` is above the pod set's, `other_level`
    unknown_layer,
    layer_not_lower,  ///< the layer's `level` is not below `other_level`
    layer_uneven,     ///< size `fits` of a layer does not divide size `asked` of the one above
    update_conflict,  ///< what checks add to the pods does not go together; `level`: Kueue's words
    stale_domain,     ///< of the assignment whose node is to be replaced: `level` is gone
    no_replacement,   ///< for the node `level`
  };
  struct Exclusion {
    enum class Kind : std::uint8_t { node_selector, affinity, outside, taint, resource };
    Kind kind = Kind::resource;
    std::string name;  ///< of the taint or the resource
    std::int32_t nodes = 0;
  };
  struct Layer {
    std::string level;
    std::int32_t fits = 0;
    std::int32_t asked = 0;
  };
  Kind kind = Kind::none;
  std::string topology;
  std::string level;
  std::string other_level;
  std::int32_t fits = 0;
  std::int32_t asked = 0;
  bool in_slices = false;
  std::vector<Layer> layers;
  std::int32_t nodes = 0;           ///< that were looked at
  std::vector<Exclusion> excluded;  ///< those of them that cannot take a single pod
};

/// How one pod set fared.
struct PodSetDecision {
  std::string name;
  std::int64_t count = 0;
  std::int64_t spec_count = 0;
  ThinMap<std::string, Amount> asked;  ///< total per resource
  std::vector<FlavorAttempt> attempts;
  ThinVector<std::string> uncovered;          ///< resources that no group of the queue has
  ThinMap<std::string, std::string> flavors;  ///< resource to flavor, when it got one
  ThinMap<std::string, Amount> usage;         ///< what is charged, when it got flavors
  Mode mode = Mode::fit;
  PlacementError placement_error = PlacementError::none;
  ThinVector<std::string> placement_flavors;  ///< with `several_flavors`: which
  RareOptional<PlacementFailure> placement_failure;  ///< the quota is there, a place is not
  RareOptional<TopologyAssignment> placement;        ///< where its pods go
  bool placement_delayed = false;                     ///< it is looked for when the checks are ready
  bool evaluated = true;        ///< false: an earlier pod set failed first
};

enum class Outcome : std::uint8_t {
  admitted,
  quota_reserved,          ///< checks are outstanding
  preempting,              ///< victims were evicted, or still are being
  waiting_for_preemption,  ///< fits once the victims of another head of this cycle are gone
  skipped,                 ///< lost to another head of the same cycle
  no_candidates,           ///< only preemption would help, and nobody may be preempted
  gated,     ///< it would have to preempt, and a gate of it is closed
  migrating,  ///< a variant on a less favorable flavor is evicted for it
  refused_migration,
  no_fit,
  inadmissible,  ///< refused before flavors were tried: `refusal`
  held,          ///< by a rule
  denied,        ///< by a rule
  evicted,       ///< a node of its placement failed and there is no other
  failed,        ///< its queue, or all its victims, were deleted while the cycle stood still
};

/// Why a head was refused before flavors were tried.
enum class HeadRefusal : std::uint8_t {
  none,
  failed_check,  ///< a check is in state Retry or Rejected
  queue_inactive,
  queue_missing,
  namespace_mismatch,  ///< the queue does not accept the namespace
  invalid_resources,   ///< `resource_refusals`
};

enum class SkipReason : std::uint8_t {
  none,
  lost_race,            ///< another head of the cycle took it
  overlapping_victims,  ///< another head of the cycle preempts the same workloads
  better_variant,       ///< a variant on a more favorable flavor is admitted
};

/// The dominant resource share of a queue or a cohort: what it uses beyond its quota in thousandths of what its
/// parent can lend, over its weight; infinite for a borrower of weight 0.
struct NodeShare {
  std::string node;
  double share = 0;
  double weight = 1;
  std::string resource;  ///< of which it borrows most; empty: of none
  bool borrows = false;  ///< something that the workload asks for
};

/// Kueue's internal reason for putting a head back.
enum class Requeue : std::uint8_t {
  none,
  generic,
  failed_after_nomination,
  namespace_mismatch,
  no_fit,
  preemption_no_candidates,
  pending_preemption,
  preemption_gated,
  pending_migration,
  preemption_failed,
};

/// One head of one cycle.
struct Decision {
  WorkloadName workload;
  std::string cluster_queue;
  Instant at;
  Outcome outcome = Outcome::no_fit;
  HeadRefusal refusal = HeadRefusal::none;
  ThinVector<ResourceRefusal> resource_refusals;
  SkipReason skip = SkipReason::none;
  Requeue requeue = Requeue::none;
  bool second_pass = false;   ///< it has quota; only its placement was looked for
  bool parked = false;        ///< put aside until something changes; else offered again
  Instant queued_since;       ///< creation, or the last time it was put back by its controller
  std::int64_t priority = 0;  ///< as used for the order: a rule's score replaces it
  std::int32_t borrow_level = 0;
  std::vector<PodSetDecision> pod_sets;  ///< empty if `refusal`
  ThinVector<Victim> victims;           ///< by name
  RareOptional<VictimSearch> search;     ///< for victims, for everything that it asks for; if there was one and it is explained
  ThinVector<NodeShare> shares;  ///< with fair sharing, with this workload: its queue's, then up the tree
  RareOptional<WorkloadName> migrates_from;  ///< `migrating`: the variant that is evicted
  RareOptional<WorkloadName> replaced;  ///< admitted in place of this smaller slice of an elastic job
  ThinVector<std::string> checks;       ///< required by the chosen flavors, by name
  // Of a cycle that stood still, when it was over:
  RareOptional<std::string> queue_now;   ///< another queue than `cluster_queue`, that it counts to; empty: none
  bool lost = false;                     ///< the quota that it got is gone
  std::uint32_t lost_victims = 0;        ///< that could not be evicted, being deleted
  ThinVector<RuleNote> notes;           ///< of order rules and required checks
  ThinVector<RuleNote> reasons;         ///< held or denied: by which rules
  std::optional<Instant> held_until;     ///< held: when it ends by itself
};

/// One scheduling cycle: the heads in the order in which they were processed, then those refused before.
struct Cycle {
  std::uint64_t number = 0;  ///< from 1, over the life of the engine
  Instant at;
  std::vector<Decision> decisions;
  bool blocked = false;  ///< within it a head waited for the pods of others; `at` is when that was over
};

/// Where a workload is.
enum class State : std::uint8_t {
  admitted,
  quota_reserved,
  pending,       ///< in the queue
  inadmissible,  ///< parked: offered again when something changes
  unqueued,      ///< in no queue: back-off, stopped or missing LocalQueue
  deactivated,
  evicted,  ///< still holds quota
  finished,
  held,    ///< by a rule
  denied,  ///< by a rule
};

/// Whether the pods of a workload run: condition PodsReady.
enum class PodsReady : std::uint8_t {
  unknown,     ///< nobody has said anything yet
  ready,
  starting,    ///< they have not been ready since the workload was admitted
  recovering,  ///< they were, and some no longer are
  other,       ///< not ready, for a reason that has no time limit
};

/// Why a workload lost its quota, or is losing it.
enum class EvictionReason : std::uint8_t {
  none,
  preempted,
  admission_check,
  deactivated,
  deactivated_by_check,
  deactivated_by_limit,     ///< requeuing limit
  deactivated_by_run_time,  ///< maximumExecutionTimeSeconds
  cluster_queue_stopped,
  local_queue_stopped,
  pods_ready_timeout,
  node_failures,
  flavor_migration,
  other,
};

/// What the condition QuotaReserved=False of a workload says: who wrote it last.
enum class NoQuota : std::uint8_t {
  unsaid,
  decided,  ///< its last decision
  evicted,  ///< why it was evicted
  local_queue_missing,
  local_queue_stopped,
  queue_missing,
  queue_inactive,
  gated,  ///< by the annotation admission-gated-by
  gate_cleared,
  waits_for_pods,  ///< of others to become ready
  // Only with the gate UnadmittedWorkloadsObservability.
  deactivated,
  not_accepted,  ///< the queue does not take its namespace, or its resources are invalid
  bypassed,      ///< parked without being tried: `Engine::bypassed_for`
  awaits_evaluation,
};

/// The conditions Evicted and Preempted.
struct Eviction {
  bool evicted = false;
  struct Check {
    std::string name;
    std::string message;
  };
  std::vector<Check> checks;  ///< that asked for it, by name
  Instant since;
  EvictionReason reason = EvictionReason::none;
  bool preempted = false;
  Victim::Reason preemption = Victim::Reason::in_cluster_queue;
};

/// What the autoscaler says about a ProvisioningRequest: its conditions.
enum class RequestEvent : std::uint8_t { accepted, provisioned, failed, booking_expired, capacity_revoked };
inline constexpr std::size_t kRequestEvents = 5;

/// One pod set in a ProvisioningRequest, with the template's fields that matter to the autoscaler.
struct ProvisioningPodSet {
  std::string pod_set;
  std::string template_name;
  std::int64_t count = 0;
  std::string flavor;  ///< whose node labels and tolerations were added
  Labels node_selector;
  std::vector<Toleration> tolerations;
  Resources requests;  ///< of one pod
};

/// The ProvisioningRequest of a check's present attempt, and what the autoscaler says about it.
struct RequestPlan {
  std::string name;
  std::string class_name;
  Labels parameters;
  std::vector<ProvisioningPodSet> pod_sets;
  std::int32_t attempt = 1;
  std::int32_t attempts = 4;  ///< at most, with the retries
  std::optional<RequestEvent> says;  ///< the condition that the check goes by; empty: nothing yet
  Instant said_at;
  std::string message;
};

/// A check that an assignment needs.
struct CheckWait {
  std::string name;
  std::string controller;
  CheckState state = CheckState::pending;
  std::vector<std::string> because_flavors;    ///< the chosen flavors that need it
  std::optional<RequestPlan> request;          ///< of the provisioning controller
  bool not_needed = false;     ///< no pod set uses a managed resource: the check answers Ready at once
  std::string missing_config;  ///< the config that the check names and that does not exist
};

/// What stands between a waiting workload and admission.
enum class Prospect : std::uint8_t {
  none,              ///< it is admitted, finished or deactivated
  waits_for_check,   ///< it has quota
  waits_its_turn,    ///< others are ahead, or hold what it asks for: it can be admitted as written
  never_as_written,  ///< no end of other workloads admits it: `never`
  held_by_rule,
  denied_by_rule,
};

/// Why a workload can never be admitted as it and the queue are written now.
struct Never {
  enum class Reason : std::uint8_t {
    none,
    no_local_queue,  ///< the workload names none, or one that does not exist
    local_queue_stopped,
    queue_missing,   ///< the LocalQueue's ClusterQueue does not exist
    queue_inactive,  ///< `detail`: why
    namespace_mismatch,
    invalid_resources,
    uncovered_resource,  ///< `pod_set`, `resource`
    no_matching_flavor,  ///< `pod_set`: taints and selectors refuse every flavor
    exceeds_capacity,    ///< `pod_set`: every flavor that matches is too small
    no_place,            ///< `pod_set`: the nodes of the flavor have no place for it, even without all other workloads
  };
  Reason reason = Reason::none;
  std::string pod_set;
  std::string resource;
  std::string detail;
  std::optional<PodSetDecision> failed = {};  ///< with `no_place`: what was found without all other workloads
};

/// What would free enough: a workload whose end alone makes room for this one.
struct Release {
  WorkloadName workload;
  std::string cluster_queue;
  bool admits = false;  ///< played to the end: nobody else takes the room first. False, too, if that was not played
};

/// A later answer: what waiting alone changes.
struct Change {
  Instant at;
  Decision decision;  ///< the first decision at that instant that differs
  State state = State::pending;
};

/// With admission fair sharing: what a LocalQueue has used, by which the workloads of a ClusterQueue take turns.
struct LocalQueueUsage {
  std::string name_space;
  std::string name;
  double usage = 0;  ///< weighted by resource, over the queue's weight; infinite with weight 0
  double weight = 1;
  bool charged = false;  ///< also for workloads that have quota and are not admitted yet
};

/// Everything `why` tells of one workload.
struct WorkloadReport {
  WorkloadName workload;
  std::string local_queue;
  std::string cluster_queue;  ///< empty: none
  State state = State::pending;
  Prospect prospect = Prospect::none;
  Never never;
  std::optional<Decision> decision;  ///< the last one made about it
  std::optional<Decision> preempting;  ///< the last one with which it preempted others, if a later one follows
  std::optional<Preempted> preempted;  ///< when it was, in what was decided here
  std::vector<CheckWait> checks;
  std::vector<LocalQueueUsage> local_usages;  ///< of its ClusterQueue, its own first; empty: they do not count
  std::uint32_t position = 0;       ///< in its queue, from 1; 0: not queued
  std::vector<WorkloadName> ahead;  ///< in the same queue, first first
  std::vector<Release> releases;    ///< each of them alone would do
  std::vector<std::string> other_pods;  ///< that Kueue did not place, on the nodes on which it found no place; "namespace/name"
  std::optional<Change> waiting;    ///< filled by Engine::what_waiting_changes only
};

}  // namespace sluice::decide
