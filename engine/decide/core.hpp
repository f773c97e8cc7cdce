#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "decide/assign.hpp"
#include "decide/engine.hpp"
#include "decide/local_usage.hpp"
#include "decide/name_index.hpp"
#include "decide/pending.hpp"
#include "decide/preempt.hpp"
#include "decide/provisioning_check.hpp"
#include "decide/rules.hpp"
#include "decide/second_pass_queue.hpp"
#include "decide/timers.hpp"
#include "decide/tournament.hpp"

namespace sluice::decide {

/// A head in a cycle.
struct Entry {
  WorkId work = 0;
  Instant at;              ///< when it was decided
  bool processed = false;  ///< reached the admission loop
  HeadRefusal refusal = HeadRefusal::none;
  Outcome outcome = Outcome::no_fit;
  SkipReason skip = SkipReason::none;
  Requeue requeue = Requeue::none;
  bool is_preemptor = false;
  bool assumed = false;
  WorkId migrates_from = kNone;  ///< with outcome `migrating`
  WorkId replaced = kNone;  ///< the slice of an elastic job that it replaces, as a target of its own
  bool keeps_progress = false;
  bool second_pass = false;     ///< has quota, and only its placement is looked for
  PodsStatus pods;              ///< of a second pass: what its object said when that was found to be needed
  std::int32_t iteration = 0;   ///< of the second pass, from 1
  Assignment assignment;
  std::vector<Target> targets;
  std::uint32_t lost_targets = 0;  ///< that could not be evicted, being deleted
  std::vector<Share> standing;  ///< with fair sharing: of its queue and up the tree, when its turn came
  AdmitAnswer answer;  ///< of rules, when they were asked
};

/// A workload that stands in its queue once for each flavor, and those variants of it.
struct Family {
  WorkId parent = kNone;
  std::vector<WorkId> variants;
  std::optional<Instant> due;  ///< when the next gate may be opened
};

/// The engine's state and its steps. Copying it makes an independent what-if.
class Core {
 public:
  Core(const World& world, Options options, Rules* rules);
  Core(const Core& other);
  Core& operator=(const Core&) = delete;
  ~Core();

  // cycle.cpp
  /// One scheduling cycle and what the controllers do after it; false if no queue had a head.
  bool cycle();
  RunEnd run();

  // arrival.cpp
  WorkId add(const Workload& workload, bool is_new);
  // change_objects.cpp
  void apply(const ClusterQueue& object);
  void apply(const Cohort& object);
  void apply(const LocalQueue& object);
  void apply(const ResourceFlavor& object);
  void apply(const AdmissionCheck& object);
  void apply(const ProvisioningRequestConfig& object);
  void apply(const ProvisioningRequest& object);
  void apply(const Topology& object);
  void apply(const WorkloadPriorityClass& object);
  void apply(const PriorityClass& object);
  void apply(const Namespace& object);
  void apply(const LimitRange& object);
  void apply(const RuntimeClass& object);
  void apply(const Node& object);
  void remove(ObjectKind kind, const std::string& name_space, const std::string& name);
  // change_workload.cpp
  void apply(WorkId id, const Workload& object);
  /// The status, too, is that of `object`.
  void apply_status(WorkId id, const Workload& object);
  // events.cpp
  void finish(WorkId id);
  void remove(WorkId id);
  void set_check(WorkId id, const CheckAnswer& answer);
  void set_active(WorkId id, bool active);
  void status_changed(WorkId id);
  // reclaim.cpp
  void set_reclaimable(WorkId id, const std::map<std::string, std::int32_t>& pods);
  // pods_ready.cpp
  void set_pods_ready(WorkId id, PodsReady state);
  // open_cycle.cpp
  /// Whether a cycle stands still, or is over and was not reported yet.
  bool is_in_cycle() const { return open_cycle_ != nullptr; }
  /// The head that waits for the pods of others to become ready.
  std::optional<WorkloadName> blocked_head() const;
  /// What was decided and done in a cycle that was not reported yet.
  Cycle unreported_cycle() const;
  // lifecycle.cpp
  RunEnd advance(Instant to);
  void check_reach(Instant to) const;
  /// Lets the controllers run until nothing changes, then wakes the parked workloads that something was freed
  /// for.
  void settle();
  void sort_by_name(std::vector<WorkId>& ids) const;
  std::optional<Instant> next_due() const;
  // second_pass.cpp
  /// Whether a workload with quota still waits for its placement, or for another one.
  bool awaits_second_pass() const;

  // explain.cpp
  Decision describe(const Entry& entry, const Works& works) const;
  // explain_victims.cpp
  VictimSearch describe(const SearchLog& log) const;
  std::vector<LocalQueueUsage> describe_local_usages(const Work& work) const;
  std::vector<PodSetDecision> describe_holdings(const Work& work) const;
  TopologyAssignment placement_of(const PodSetPlacement& placement) const {
    return placer_.assignment_of(placement);
  }
  /// Tries what-ifs on the quota tree and undoes them.
  WorkloadReport report(WorkId id);
  std::optional<Change> what_waiting_changes(WorkId id, Duration horizon) const;

  // provisioning_check.cpp
  /// The autoscaler says something about the requests of a workload; no event: something that no check reads.
  void provision(WorkId id, std::optional<RequestEvent> event, const std::string& message);

  // provision.cpp
  std::vector<CheckWait> describe_checks(const Work& work) const;

  /// Kueue's allocatable generation: progress in a search for flavors that is older is forgotten.
  std::uint64_t generation(QueueId queue) const {
    return generations[queue] + tree_generations[cluster.tree.root(cluster.queues[queue].node)];
  }
  WorkId find(const WorkloadName& name) const;
  HeadRefusal why_not_accepted(const Work& work) const;
  State state(const Work& work) const;
  /// Whether decisions about it are kept with everything that explains them.
  bool is_explained(const Work& work) const {
    if (!options.keep_attempts) return false;
    return !options.explained || (!options.explained->empty() && options.explained->contains(name_of(work)));
  }
  WorkloadName name_of(const Work& work) const { return {work.object->name_space, work.object->name}; }

  Options options;
  Gates gates;
  std::unique_ptr<Rules> own_rules;  ///< of a clone
  Rules* rules;
  Cluster cluster;
  Shapes shapes;
  Works works;
  std::deque<Workload> submitted;  ///< objects that are not in the world, or were changed
  std::unique_ptr<World> own_world;  ///< the configuration, once something of it was changed
  NameIndex by_name;
  std::vector<std::vector<WorkId>> reserving;   ///< by queue
  std::vector<std::uint64_t> generations;       ///< by queue: counts what may let more in
  std::vector<std::uint64_t> tree_generations;  ///< by node, at roots: the same for all queues of a tree
  Pending pending;
  std::optional<LocalUsage> local_usage;  ///< with admission fair sharing
  Instant now;
  std::uint64_t cycle_number = 0;
  std::vector<Cycle> cycles;

 private:
  // cycle.cpp
  void take_heads();
  Entry& next_entry(WorkId work);
  HeadRefusal refuse_head(Work& work);
  void nominate(Entry& entry);
  void refuse_rules_on(program::Point point, const Work& work) const;
  void find_assignment(Entry& entry, const Progress* progress, const std::vector<Choice>* pinned);
  bool shrink(Entry& entry, const Progress* progress, const std::vector<Choice>* pinned);
  /// Whether it could be admitted now, if need be with fewer pods, without preemption. `out`: with all of them.
  bool fits(WorkId id, bool with_rules, Assignment& out);
  /// Where the pods of a head would go that has to preempt first. Source   Kueue updateAssignmentForTAS.
  void place_preemptor(Entry& entry);
  /// What an entry takes of the leaves, beyond what it has.
  void new_leaf_uses(const Entry& entry, std::vector<LeafUse>& out);
  void take_heads_of_second_pass();
  void find_targets(Assignment& assignment, WorkId work, WorkId replaced, std::vector<Target>& targets);
  void sort_entries();
  void start_tournament();
  void process_heads();
  std::uint32_t next_head();
  Cycle log_heads() const;
  void keep_decisions(Cycle& cycle);
  void put_back_heads();
  void apply_heads();
  void process(Entry& entry);
  void conclude(Entry& entry);
  enum class Room : std::uint8_t { enough, no_quota, no_place };
  Room room_now(const Entry& entry);
  bool overlaps(const Entry& entry) const;
  void recompute(Entry& entry, bool without_preempted);
  void reserve_capacity(const Entry& entry);
  void add_usage(const Entry& entry);
  bool ask_admit(Entry& entry);
  void admit(Entry& entry);
  void put_back(Entry& entry);
  /// `woken`: parked workloads of its queue were tried again since it was taken.
  void requeue(Entry& entry, WorkId id, bool woken);
  void say_decision(const Entry& entry, WorkId id);
  std::uint64_t text_key(const Entry& entry) const;
  std::uint64_t fingerprint();
  std::uint64_t print_of(WorkId id, const Work& work) const;

  // pods_ready.cpp
  bool waits_for_pods() const { return options.kueue.wait_for_pods_ready && !gates.disable_wait_for_pods_ready; }
  bool end_wait_for_pods(WorkId id);
  bool has_to_wait(const Entry& entry) const;
  bool are_all_pods_ready() const;
  // open_cycle.cpp
  void stand_still(std::size_t mark);
  std::unique_ptr<Core> see() const;
  void begin_wait();
  void look_at_pods();
  void resume_cycle();
  WorkId present(WorkId seen) const;
  bool has_queue_of(const Entry& entry) const;
  void write_admission(Entry& entry);
  void write_decision(Entry& entry);
  void put_back_late(Entry& entry);
  void overwrite_status(WorkId id, const Work& written);
  void take_holdings(Work& work, const Work& written);
  std::size_t heads_in_flight(QueueId queue) const;
  bool keeps_in_flight(const Work& work) const;
  void forget_heads_in_flight();
  bool report_cycle();

  // local_usage.cpp
  void start_usage();
  void bind_usage();
  void usage_changed(LocalQueueId id);
  std::vector<UsageLedger::Used> in_use(LocalQueueId local, QueueId queue) const;
  void charge_usage(WorkId id);
  void settle_usage(WorkId id);
  void drop_charge(WorkId id);
  bool has_penalty(QueueId queue) const;
  void sample_usage(LocalQueueId id);
  void sample_changed();

  // arrival.cpp
  void read_status(Work& work);
  void forget_status(Work& work);
  void read_holdings(Work& work);
  void find_queue(Work& work);
  bool is_gated(const Workload& workload) const;
  // recompile.cpp
  struct Activity {
    std::vector<QueueId> activated;  ///< queues that take workloads now
    std::vector<QueueId> changed;    ///< and that do so, or do not, for another reason
  };
  World& own_objects();
  Activity recompile();
  void look_again_at_check(const std::string& name);
  void look_again_at_config(const std::string& name);
  void note_activity(const Activity& activity);
  void quotas_changed(NodeId node);
  // change_objects.cpp
  template <class Visit>
  void for_works_of(const std::string& name_space, const std::string& local_queue, Visit visit);
  void push_untried(WorkId id);
  void queue_appears(QueueId id);
  void look_at_workloads_of(QueueId id);
  void remove_cluster_queue(const std::string& name);
  bool drop_empty_queues();
  void drop_queue(const std::string& name, QueueId id);
  void cohort_changed(const std::string& name);
  void remove_cohort(const std::string& name);
  void remove_local_queue(const std::string& name_space, const std::string& name);
  bool is_used(ObjectKind kind, const std::string& name) const;
  void release_unused();
  void remove_or_wait(ObjectKind kind, const std::string& name);
  static bool uses_runtime_class(const Workload& workload, const std::string& name);
  void change_pods(const std::function<bool(const Workload&)>& concerns,
                   const std::function<void(World&)>& change);
  void nodes_changed(const Node* before, const Node* after);
  // change_workload.cpp
  Workload& own_object(WorkId id);
  void reshape(Work& work);
  // reclaim.cpp
  std::int64_t charged_pods(const Work& work, std::size_t entry) const;
  bool leave_out_done_pods(Work& work) const;
  void recharge(Work& work);
  // families.cpp
  void join_family(const Work& work);
  /// What the controller of variants does; true if something changed.
  bool reconcile_families();
  std::optional<Instant> next_due_of_controllers() const;
  bool reconcile_family(Family& family);
  bool make_variants(const Family& family, const std::vector<FlavorId>& flavors);
  void take_over(Work& parent, const Work& variant) const;
  bool open_gate(Family& family);
  // variants.cpp
  void read_gates(Work& work) const;
  void read_variant(Work& work);
  /// A variant of the same workload that is admitted on a flavor before (or after) the one of `work`.
  WorkId admitted_sibling(const Work& work, bool more_favorable) const;
  bool may_migrate(const Work& work) const;
  // slices.cpp
  void find_replaced(Work& work) const;
  WorkId replaced_slice(const Work& work) const;
  // lifecycle.cpp
  bool is_waiting(WorkId id) const;
  void enqueue(WorkId id);
  void begin_holding(WorkId id);
  void end_holding(WorkId id);
  bool drop_holding(WorkId id);
  void deactivate(WorkId id);
  void evict(WorkId id, EvictionReason reason);
  void release(WorkId id);
  enum class Status : std::uint8_t { stays, finished, other };
  void play_releases(WorkId id, std::vector<Release>& releases) const;
  std::vector<std::string> pods_beside(const Queue& queue) const;
  void apply_spec(WorkId id, const Workload& object, Status status);
  void touch(WorkId id);
  void wake(QueueId queue);
  void wake_for(const Work& work);
  void counts_changed(QueueId queue);
  void look_at_counts(QueueId queue);
  bool is_reported(QueueId queue) const;
  void workload_changed(const Work& work);
  void object_changed(Work& work);
  struct Reported;
  Reported report_of(QueueId queue) const;
  void report_counts();
  void reconcile_queues();
  void seen_anew(Work& work) const;
  static void see(Work& work);
  void wake_due();
  void note_due(WorkId id);
  bool reconcile(WorkId id);
  bool reconcile_provisioning(WorkId id);
  void read_requests(const World& world);
  void remove_request(const std::string& name_space, const std::string& name);
  const RequestState* current_request(const Work& work, const std::string& check,
                                      const ProvisioningRequestConfig& config) const;
  bool sync_checks(Work& work);
  void note_checks(Work& work, CheckState state) const;
  bool end_run_time(WorkId id);
  bool say_why_not_queued(WorkId id);
  bool say(Work& work, NoQuota why);
  bool say_gated(Work& work);
  NoQuota why_it_waits(Work& work) const;
  void end_admission(Work& work);
  void set_order_time(Work& work) const;
  std::int64_t effective_priority(const Workload& workload) const;
  void set_requeued(Work& work, Work::Requeued value) const;
  void rescore(WorkId id);
  // second_pass.cpp
  bool needs_second_pass(const Work& work) const;
  bool queue_second_pass(WorkId id, std::int32_t iteration, const PodsStatus& pods);
  void wake_second_passes();
  void complete_second_pass(Entry& entry);
  void write_placements(Work& work, const Assignment& assignment);
  // node_failures.cpp
  void check_node(const std::string& name, const Node* node);
  bool has_pods_on(const Work& work, const std::string& node) const;
  bool is_unhealthy_on(const Work& work, const Node& node) const;
  void tell_rules(WorkId id);
  bool backoff_over(const Work& work) const;

  class View;
  std::unique_ptr<View> view_;
  Placer placer_;
  Preemptor preemptor_;
  Assigner assigner_;
  Tournament tournament_;
  Assignment reduced_, found_;  // in a search for a number of pods: at hand, and the best so far
  std::vector<Target> found_targets_;
  std::vector<Entry> entries_;  // reused from cycle to cycle
  std::size_t entry_count_ = 0;
  std::vector<std::uint32_t> order_;  // of entries_, as processed
  std::size_t next_ = 0;              // into order_: the next to be processed
  std::uint32_t waiting_ = kNone;     // of entries_: who has to wait for the pods of others
  mutable WorkId unready_ = kNone;    // whose pods were not ready when somebody looked: looked at first
  const Core* present_ = nullptr;     // of what an open cycle sees: the cluster as it is

  /// A cycle that stands still (waitForPodsReady.blockAdmission), or did so and was not reported yet.
  struct OpenCycle {
    std::unique_ptr<Core> seen;      // the cluster when the cycle began, with the heads that are left
    std::set<std::string> woken;     // queues whose parked workloads were tried again meanwhile
    std::set<WorkId> listed;         // heads that their LocalQueue lists again
    Cycle log;
  };
  std::unique_ptr<OpenCycle> open_cycle_;
  std::vector<WorkId> in_flight_;  // heads of a former cycle that their queue takes for being tried
  std::vector<WorkId> preempted_;     // by heads of this cycle
  struct LastPreemption {
    WorkId by = kNone;
    Instant at;
    Victim::Reason reason = Victim::Reason::in_cluster_queue;
    std::optional<ShareComparison> shares;
  };
  std::map<WorkId, LastPreemption> preemptions_;  // of victims, if attempts are kept
  std::map<WorkId, Decision> preempting_;  // the last decision with which it preempted others, of those explained
  std::vector<WorkId> to_reconcile_;
  std::vector<WorkId> evicted_;  // that may still say they hold quota
  std::set<std::pair<Instant, WorkId>> due_;  // when rules may answer otherwise
  Timers timers_;
  std::map<std::string, Family> families_;  // by the parent's uid; with concurrent admission
  SecondPassQueue second_passes_;
  std::vector<LeafUse> leaf_uses_;  // of the present entry
  std::set<NodeId> woken_roots_;
  /// What the status of a queue says, as far as a change of it is noticed.
  struct Reported {
    std::size_t waiting = 0;
    double share = 0;      ///< with fair sharing, as whole as Kueue writes it
    bool differs = false;  ///< in something else: quota, usage, conditions
  };
  std::vector<Reported> reported_;  // by queue; kept up for those whose counts wake their tree
  std::set<QueueId> to_report_;
  std::set<std::pair<ObjectKind, std::string>> ending_;  // objects that are deleted but in use
  std::map<WorkId, std::vector<RequestState>> requests_;  // ProvisioningRequests, by the workload they stand for
  bool scores_ = false;  // rules sort queues
  std::vector<std::uint64_t> prints_;  // by WorkId, as last counted
  std::uint64_t states_print_ = 0;     // their sum
};

}  // namespace sluice::decide
