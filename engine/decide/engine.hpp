#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "decide/decision.hpp"
#include "model/configuration.hpp"
#include "model/world.hpp"

namespace sluice::decide {

class Rules;

/// How to decide.
struct Options {
  Configuration kueue;  ///< feature gates and the manager's configuration
  /// With concurrent admission: workloads get their variants, as Kueue's controller makes them.
  bool make_variants = true;
  /// An evicted workload gives its quota back before the next cycle, as if its pods were gone at once.
  bool stop_evicted = true;
  /// Pods of which nothing is known become ready in time; off: they never do, as nobody reports it.
  bool assume_pods_ready = false;
  /// How far the clock moves after each cycle of `run`.
  Duration cycle_period;
  /// Most cycles of one run; a run that reaches it says so.
  std::uint32_t max_cycles = 50;
  bool keep_attempts = true;  ///< Decisions hold their attempts; off: outcomes and assignments only
  /// With `keep_attempts`: of whom reports (not the cycles) hold searches for victims as well, workload by workload.
  /// Such a search costs as much as its tree has workloads. Unset: everybody.
  std::optional<std::set<WorkloadName>> explained;
};

enum class ObjectKind : std::uint8_t {
  cluster_queue,
  cohort,
  local_queue,
  resource_flavor,
  admission_check,
  provisioning_request_config,
  provisioning_request,
  topology,
  workload_priority_class,
  priority_class,
  name_space,
  limit_range,
  runtime_class,
  node,
  workload,
};

/// What a check's controller says about a workload.
struct CheckAnswer {
  std::string check;
  CheckState state = CheckState::pending;
  std::optional<std::int32_t> requeue_after_seconds;  ///< with `retry`
  std::string message;
  std::vector<PodSetUpdate> updates;  ///< for the pods
};

/// The condition of a ProvisioningRequest by its name in the API; empty: one that no check reads.
std::optional<RequestEvent> request_event(std::string_view condition);

/// How a run ended.
struct RunEnd {
  bool loop = false;       ///< the same states came back a third time: it would go on for ever
  std::uint64_t loop_begin = 0;   ///< the number of the first cycle that came back
  std::uint64_t loop_length = 0;  ///< in cycles
  bool truncated = false;  ///< max_cycles
};

/// Runs scheduling cycles as Kueue 0.19.2 does, on a private copy of what it needs of a World.
///
/// `world` must outlive the engine.
/// Fails    Error "not-yet-decided" (Unsupported) from the constructor, `submit` and `run` when an input needs
///          what is not decided yet: balanced placement, devices that are claimed, …
/// Cost     a cycle follows the queues that have a head, not the workloads that wait.
class Engine {
 public:
  /// `rules` may be null: then the decision is Kueue's. It must outlive the engine.
  Engine(const World& world, Options options, Rules* rules = nullptr);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  /// A copy for a what-if; shares nothing that changes.
  Engine clone() const;

  Instant now() const;

  /// Adds a workload to the cluster; `run` decides it. Rules on submit see it here.
  void submit(const Workload& workload);

  /// One scheduling cycle, and what Kueue's controllers do after it; false if no queue had a head.
  bool cycle();
  /// Moves the clock and lets the controllers do what has become due; runs no cycle.
  void tick(Duration period);

  /// Cycles until nothing changes any more; the clock moves by `cycle_period` after each.
  RunEnd run();

  /// Moves the clock to `to`, running at every instant on the way at which something becomes due: a back-off
  /// ends, a rule's answer may differ. Ends after a run at `to`.
  RunEnd advance(Instant to);

  /// Refuses a time that is too many samplings of admission fair sharing away: each of them counts, so none can be left
  /// out. Throws Error `too-far`. `advance` asks by itself.
  void check_reach(Instant to) const;

  /// When the controllers have something to do next although nothing happens: a back-off ends, a rule may
  /// answer otherwise. Empty: never.
  std::optional<Instant> next_due() const;

  /// Whether a workload that has quota still waits for its placement: a run waits for it as well.
  bool awaits_second_pass() const;

  /// Events. Each is followed by `run` to see what comes of it.
  void finish(const WorkloadName& workload);
  void remove(const WorkloadName& workload);
  void set_check(const WorkloadName& workload, const CheckAnswer& answer);
  /// The autoscaler sets a condition on the ProvisioningRequests of a workload; nothing happens if it has none.
  /// No event: a condition that no check reads.
  void provision(const WorkloadName& workload, std::optional<RequestEvent> event, const std::string& message);

  bool exists(const WorkloadName& workload) const;
  /// Its status changed in a way that decides nothing by itself.
  void touch(const WorkloadName& workload);
  void set_pods_ready(const WorkloadName& workload, PodsReady state);
  /// The head that waits, within a cycle that is not over, for the pods of admitted workloads to become ready. Until
  /// then `cycle` answers false, and what else happens to the cluster happens.
  std::optional<WorkloadName> blocked_head() const;
  /// Whether there is such a cycle, or it is over by now: the next `cycle` reports it then.
  bool is_in_cycle() const;
  /// What was decided and done in it so far.
  Cycle unreported_cycle() const;
  void set_active(const WorkloadName& workload, bool active);
  /// So many pods of each pod set are done and need nothing any more.
  void set_reclaimable(const WorkloadName& workload, const std::map<std::string, std::int32_t>& pods);
  void set_queue_stop(const std::string& cluster_queue, StopPolicy policy);
  void set_local_queue_stop(const std::string& name_space, const std::string& name, StopPolicy policy);

  /// Creates or replaces objects, one after the other, and lets the controllers see each. Workloads that exist
  /// keep their status, unless `with_status`; an object that says what it said before changes nothing.
  /// Cost     a workload: its queue. Anything else: the configuration is compiled anew.
  void apply(const World& objects);
  void apply(const Workload& workload, bool with_status = false);
  /// Deletes an object. What is in use stays until nobody uses it: a ClusterQueue until nobody holds quota in
  /// it, a flavor or check until no queue names it. Nothing happens if there is no such object; throws Error
  /// "unknown-workload".
  void remove(ObjectKind kind, const std::string& name_space, const std::string& name);

  /// The objects as they are now, without the workloads.
  const World& objects() const;
  /// The object of a workload: what was given, with the priority and activity of now.
  const Workload& object(const WorkloadName& workload) const;

  /// The cycles since the last call, in order.
  std::vector<Cycle> take_cycles();

  /// All workloads, by name.
  std::vector<WorkloadName> workloads() const;
  State state(const WorkloadName& workload) const;
  /// Everything known about one workload; throws Error "unknown-workload".
  WorkloadReport report(const WorkloadName& workload) const;
  /// The assignment that holds quota; empty if none.
  std::vector<PodSetDecision> assignment(const WorkloadName& workload) const;

  Eviction eviction(const WorkloadName& workload) const;
  NoQuota no_quota(const WorkloadName& workload) const;
  /// With NoQuota::bypassed: the equivalent workload that was tried; empty if it is not known any more.
  std::optional<WorkloadName> bypassed_for(const WorkloadName& workload) const;
  /// Why its queue does not accept it; none: it does.
  HeadRefusal refusal(const WorkloadName& workload) const;

  /// When waiting alone would change the answer about a workload, within `horizon`, and to what.
  std::optional<Change> what_waiting_changes(const WorkloadName& workload, Duration horizon) const;

  struct Usage {
    Amount reserved;
    Amount borrowed;
  };
  /// ClusterQueue, flavor, resource.
  std::map<std::string, std::map<std::string, std::map<std::string, Usage>>> usage() const;
  /// By ClusterQueue, its dominant resource share as it stands; without fair sharing there are none.
  std::map<std::string, double> weighted_shares() const;
  /// Queues that take nothing, with Kueue's reason (`Stopped`, `FlavorNotFound`, …).
  std::map<std::string, std::string> inactive_queues() const;

 private:
  class Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::decide
