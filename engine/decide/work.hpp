#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decide/cluster.hpp"
#include "decide/decision.hpp"
#include "decide/eligibility.hpp"
#include "model/rare.hpp"
#include "model/world.hpp"

namespace sluice::decide {

using WorkId = std::uint32_t;  ///< a workload, counted from 0 in order of arrival
using ShapeId = std::uint32_t;

struct Request {
  ResourceId resource = 0;
  Amount amount;  ///< of all pods of the pod set together
};

struct PodSetShape {
  std::int64_t count = 0;  ///< without reclaimable pods
  std::int64_t spec_count = 0;
  std::uint32_t pod_class = 0;    ///< index into Shapes::classes
  std::vector<Request> requests;  ///< in Kueue's order of resources
  std::int64_t least = 0;  ///< minCount; spec_count without one
};

/// What `pods` pods ask for of what `count` pods ask for together. Kueue divides first, and leaves a pod set
/// without pods as it is.
inline Amount scaled(Amount total, std::int64_t count, std::int64_t pods) {
  if (count == 0 || count == pods) return total;
  return Amount(total.value() / count).times(pods);
}

/// What of a workload a decision about flavors reads; shared by all workloads that look alike.
struct Shape {
  std::vector<PodSetShape> pod_sets;
  bool has_claims = false;  ///< of devices, in some pod set: nothing is known about those
  /// Workloads with the same number look alike to Kueue's equivalence hash, which has no counts of the spec.
  std::uint32_t alike = 0;
};

/// Makes shapes of workloads; equal ones get the same number. Also tells which pods may use which flavors.
class Shapes {
 public:
  struct Look {
    ShapeId shape = 0;
    std::int8_t resources_valid = -1;  ///< see Work
  };
  /// Thousands of workloads share their pod sets: their shape is made once.
  Look intern(const Workload& workload, NamespaceId name_space, const Cluster& cluster, ResourceNames& resources,
              const Configuration& kueue);
  /// Objects that shapes are made with may change: limit ranges, runtime classes.
  void forget_objects() { by_pod_sets_.clear(); }
  const Shape& operator[](ShapeId id) const { return shapes_[id]; }
  /// Workloads of one shape and priority are one equivalence class.
  std::uint32_t equivalence(ShapeId shape, std::int64_t priority);

  /// The class of pods with these constraints.
  std::uint32_t class_of(const PodConstraints& pod);
  const PodConstraints& constraints(std::uint32_t pod_class) const { return classes_[pod_class]; }

  /// Whether pods of a class may use a flavor; computed once for each pair.
  bool may_use(std::uint32_t pod_class, FlavorId flavor, const Cluster& cluster);
  /// The flavor changed.
  void forget_flavor(FlavorId flavor);
  FlavorRefusal why_not(std::uint32_t pod_class, FlavorId flavor, const Cluster& cluster) const;

 private:
  ShapeId make(const Workload& workload, const Cluster& cluster, ResourceNames& resources, const Configuration& kueue);

  /// Keeps the pod sets, so that their address stands for them.
  struct Known {
    SharedVector<PodSet> pod_sets;
    NamespaceId name_space = 0;
    Look look;
  };
  std::unordered_multimap<const void*, Known> by_pod_sets_;
  std::vector<Shape> shapes_;
  std::unordered_map<std::string, ShapeId> by_key_;
  std::unordered_map<std::string, std::uint32_t> alike_by_key_;
  std::unordered_map<std::uint64_t, std::uint32_t> equivalences_;
  std::vector<PodConstraints> classes_;
  std::unordered_map<std::string, std::uint32_t> class_by_key_;
  std::vector<std::vector<std::int8_t>> may_use_;  // by class and flavor; -1: not computed
};

struct Check {
  CheckId check = 0;
  CheckState state = CheckState::pending;
  Instant since;
  std::optional<std::int32_t> requeue_after_seconds;
  std::int32_t retry_count = 0;
  std::string message;                ///< a change of it is a change of the workload, too
  std::vector<PodSetUpdate> updates;  ///< for the pods, once the check is ready
};

/// Whether the placement of a pod set waits for its checks (status delayedTopologyRequest).
enum class Delayed : std::uint8_t { none, pending, ready };

/// The condition PodsReady.
struct PodsStatus {
  PodsReady state = PodsReady::unknown;
  bool in_own_words = false;  ///< it reads as Kueue's job controllers write it
  Instant since;              ///< when they became ready, or no longer were
};

/// Where the pods of one pod set are.
struct HeldPlacement {
  std::uint16_t pod_set = 0;
  TopologyAssignment assignment;
};

/// One flavor-resource that a workload holds.
struct Holding {
  std::uint16_t pod_set = 0;
  ResourceId resource = 0;
  FlavorId flavor = 0;
  FlavorResource cell = kNone;  ///< kNone: no quota of the tree names it
  Amount amount;                ///< charged: without the pods that are done
  Amount assigned;              ///< as the assignment says

  friend bool operator==(const Holding&, const Holding&) = default;
};

/// Where the search for flavors stopped, to go on from there (Kueue's "last tried flavor").
struct Progress {
  bool known = false;
  std::uint64_t cycle = 0;
  std::uint64_t generation = 0;
  std::uint32_t equivalence = 0;
  struct Tried {
    std::uint16_t pod_set = 0;
    ResourceId resource = 0;
    std::int32_t flavor = -1;  ///< its place in the group; -1: start over
  };
  ThinVector<Tried> tried;

  bool has_pending_flavors() const {
    return std::any_of(tried.begin(), tried.end(), [](const Tried& t) { return t.flavor != -1; });
  }
};

/// One workload with everything that changes about it.
struct Work {
  const Workload* object = nullptr;
  std::uint32_t own = kNone;                 ///< index of the object in Core::submitted; kNone: in the world
  QueueId queue = kNone;                     ///< of its LocalQueue
  LocalQueueId local = 0;                    ///< its LocalQueue, whether it exists or not
  /// The LocalQueue in which Kueue's queue manager has seen it; kNone: in none. What happens to it wakes those of that
  /// queue.
  LocalQueueId seen_in = kNone;
  bool has_local_queue = false;              ///< its LocalQueue exists
  StopPolicy local_stop = StopPolicy::none;  ///< of the LocalQueue
  NamespaceId name_space = 0;
  ShapeId shape = 0;
  std::uint32_t equivalence = 0;
  ThinVector<PreemptionGateState> preemption_gates;  ///< those of its spec
  bool blocked_on_gates = false;                      ///< condition BlockedOnPreemptionGates
  bool is_parent = false;   ///< of variants, with concurrent admission: never queued, charged for nothing
  bool is_uncharged = false;  ///< its quota counts for its variants
  bool is_variant = false;  ///< of the workload that owns it, for the flavors that it may use
  bool is_restricted = false;
  ThinVector<FlavorId> allowed_flavors;  ///< if it is restricted to some
  /// The workload that its annotation names as the smaller slice of the same elastic job.
  RareOptional<WorkloadName> replaces;
  std::uint32_t rules_id = 0;
  std::int64_t priority = 0;
  std::int64_t score = 0;  ///< in place of the priority in its queue
  Instant order_time;      ///< Kueue's queue-order timestamp

  enum class Place : std::uint8_t { nowhere, active, parked, in_flight };
  Place place = Place::nowhere;

  enum class Requeued : std::uint8_t { unset, yes, no };
  bool live = true;  ///< spec.active
  bool finished = false;
  bool reserved = false;
  bool admitted = false;
  bool evicted = false;  ///< condition Evicted is True, also while pending again
  bool preempted = false;
  bool on_hold = false;               ///< QuotaReserved=False with reason OnHold
  bool awaits_pods = false;           ///< WaitingForReplacementPods
  bool gated = false;                 ///< admission gate annotation
  bool denied = false;                ///< by a rule
  bool held = false;                  ///< by a rule, until something or `held_until`
  bool removed = false;               ///< deleted
  /// Condition DeactivationTarget: why Kueue is about to deactivate it, as its eviction will say; none: it is not.
  EvictionReason deactivation_target = EvictionReason::none;
  Requeued requeued = Requeued::unset;
  EvictionReason requeued_reason = EvictionReason::none;
  EvictionReason eviction = EvictionReason::none;
  Victim::Reason preemption = Victim::Reason::in_cluster_queue;
  Instant evicted_at;
  Instant preempted_at;
  Instant reserved_at;
  Instant queued_since;  ///< creation, or the last transition of Requeued
  std::optional<Instant> admitted_at;
  std::optional<Instant> requeue_at;
  std::optional<Instant> held_until;
  PodsStatus pods;
  std::int32_t requeue_count = 0;  ///< evictions because pods were not ready in time
  std::int64_t past_run_seconds = 0;  ///< admitted before, as far as maximumExecutionTimeSeconds counts it
  std::optional<Instant> rules_due;   ///< while it waits: when a rule's answer may differ
  ThinVector<Check> checks;          ///< by name
  ThinVector<CheckId> rule_checks;   ///< required by rules for the present assignment

  QueueId holds_in = kNone;  ///< the queue of its reservation
  ThinVector<Holding> holdings;
  ThinVector<std::int64_t> held_counts;  ///< pods of each pod set in the assignment
  ThinVector<HeldPlacement> placements;  ///< of pod sets that were placed
  ThinVector<LeafUse> leaf_uses;         ///< what they take of the leaves
  ThinVector<Delayed> delayed;           ///< by pod set; empty: none waits
  ThinVector<std::string> unhealthy_nodes;  ///< of its placement, whose pods need another one
  ThinVector<std::map<std::string, Quantity>>
      held_usage;  ///< as given, of reservations that came with the snapshot

  Progress progress;
  ThinVector<Eviction::Check> failed_checks;  ///< that had it evicted or deactivated last
  NoQuota no_quota = NoQuota::unsaid;
  WorkId bypassed_for = kNone;
  std::uint64_t text_key = 0;        ///< of what its condition said last; 0: nothing
  std::uint32_t by_name = kNone;     ///< its place among the World's workloads, which are sorted; kNone: came later
  std::int8_t resources_valid = -1;  ///< -1: not yet tested
  bool text_is_old = false;          ///< what its condition says names a generation of the spec that is past
  std::uint64_t preempted_in_cycle = 0;
  ThinVector<Decision> last;             ///< the last decision, if kept
  ThinVector<RuleNote> submit_notes;     ///< of rules on submit: warnings, what they set
  ThinVector<RuleNote> submit_refusals;  ///< of rules on submit, when it was denied

  /// The queue as Kueue's queue manager finds it, which forgets a LocalQueue that is stopped.
  QueueId open_queue() const {
    return has_local_queue && local_stop == StopPolicy::none ? queue : kNone;
  }
  /// The queue in which it is tried: that of its quota once it has some, whatever its LocalQueue says now.
  QueueId asks() const { return reserved ? holds_in : queue; }
  bool placement_pending() const {
    return std::any_of(delayed.begin(), delayed.end(), [](Delayed d) { return d == Delayed::pending; });
  }
  const HeldPlacement* placement(std::uint16_t pod_set) const {
    for (const HeldPlacement& one : placements) {
      if (one.pod_set == pod_set) return &one;
    }
    return nullptr;
  }
  /// Takes away what its assignment said.
  void forget_placements() {
    placements.clear();
    leaf_uses.clear();
    delayed.clear();
    unhealthy_nodes.clear();
  }
  /// Gives up the whole assignment.
  void forget_assignment() {
    holds_in = kNone;
    holdings.clear();
    held_counts.clear();
    held_usage.clear();
    forget_placements();
  }
  /// Which pod set an entry of the assignment is for: what came with the snapshot has an order of its own.
  const std::string& assigned_name(std::size_t entry) const {
    return held_usage.empty() ? object->pod_sets[entry].name : object->assignments[entry].name;
  }
  void set_text(std::uint64_t key) {
    text_key = key;
    text_is_old = false;
  }
  /// Whether its condition says this of the present spec: else Kueue writes it.
  bool says(std::uint64_t key) const { return text_key == key && !text_is_old; }
  bool holds_quota() const { return !is_uncharged && reserved && live && !finished && !removed; }
  bool may_use(FlavorId flavor) const {
    return std::find(allowed_flavors.begin(), allowed_flavors.end(), flavor) != allowed_flavors.end();
  }
  bool has_closed_gate() const {
    return std::any_of(preemption_gates.begin(), preemption_gates.end(),
                       [](const PreemptionGateState& gate) { return !gate.open; });
  }
  /// Wants quota, and nothing of its own keeps it from being tried.
  bool is_admissible() const {
    return !is_parent && live && !finished && !reserved && !on_hold && !awaits_pods && !gated && !denied && !removed;
  }
  /// May stand in a queue.
  bool is_queueable() const { return is_admissible() && queue != kNone && local_stop == StopPolicy::none; }
};

/// All workloads, by WorkId. Notes which ones may have been changed, so that whoever follows all of them need not
/// look at those that stand still: every access that could change one counts.
class Works {
 public:
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const Work* data() const { return items_.data(); }
  std::vector<Work>::const_iterator begin() const { return items_.begin(); }
  std::vector<Work>::const_iterator end() const { return items_.end(); }
  const Work& operator[](WorkId id) const { return items_[id]; }

  Work& operator[](WorkId id) {
    touch(id);
    return items_[id];
  }
  Work& emplace_back() {
    items_.emplace_back();
    is_touched_.push_back(false);
    touch(static_cast<WorkId>(items_.size() - 1));
    return items_.back();
  }
  void reserve(std::size_t size) {
    items_.reserve(size);
    is_touched_.reserve(size);
    touched_.reserve(size);
  }
  /// Visits those that may have been changed since this was last called, in no order.
  template <class Visit>
  void visit_touched(Visit visit) {
    for (WorkId id : touched_) {
      is_touched_[id] = false;
      visit(id, items_[id]);
    }
    touched_.clear();
  }

 private:
  void touch(WorkId id) {
    if (is_touched_[id]) return;
    is_touched_[id] = true;
    touched_.push_back(id);
  }

  std::vector<Work> items_;
  std::vector<std::uint8_t> is_touched_;  // by WorkId
  std::vector<WorkId> touched_;
};

}  // namespace sluice::decide
