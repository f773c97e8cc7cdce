#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "decide/core.hpp"
#include "decide/submit.hpp"
#include "decide/view.hpp"

namespace sluice::decide {
namespace {

constexpr std::string_view kBoostAnnotation = "kueue.x-k8s.io/priority-boost";
constexpr std::string_view kGateAnnotation = "kueue.x-k8s.io/admission-gated-by";

EvictionReason eviction_reason(const std::string& text) {
  if (text == "Preempted") return EvictionReason::preempted;
  if (text == "AdmissionCheck") return EvictionReason::admission_check;
  if (text == "ClusterQueueStopped") return EvictionReason::cluster_queue_stopped;
  if (text == "LocalQueueStopped") return EvictionReason::local_queue_stopped;
  if (text == "PodsReadyTimeout") return EvictionReason::pods_ready_timeout;
  if (text == "NodeFailures") return EvictionReason::node_failures;
  if (text == "FlavorMigration") return EvictionReason::flavor_migration;
  if (text == "DeactivatedDueToAdmissionCheck") return EvictionReason::deactivated_by_check;
  if (text == "DeactivatedDueToRequeuingLimitExceeded") return EvictionReason::deactivated_by_limit;
  if (text == "DeactivatedDueToMaximumExecutionTimeExceeded") return EvictionReason::deactivated_by_run_time;
  if (text.starts_with("Deactivated")) return EvictionReason::deactivated;
  return EvictionReason::other;
}

Victim::Reason preemption_reason(const std::string& text) {
  if (text == "InCohortReclamation") return Victim::Reason::in_cohort_reclamation;
  if (text == "InCohortReclaimWhileBorrowing") return Victim::Reason::in_cohort_reclaim_while_borrowing;
  if (text == "InCohortFairSharing") return Victim::Reason::in_cohort_fair_sharing;
  return Victim::Reason::in_cluster_queue;
}

}  // namespace

Core::Core(const World& world, Options o, Rules* r)
    : options(std::move(o)),
      gates(options.kueue.gates),
      rules(r),
      cluster(world, gates),
      now(world.now),
      view_(std::make_unique<View>(*this)),
      placer_(cluster, shapes, works, gates),
      preemptor_(cluster, works, reserving, options, gates),
      assigner_(cluster, shapes, works, preemptor_, placer_,
                {gates, options.kueue.ignore_undeclared && gates.quota_check_strategy,
                 options.kueue.fair_sharing.has_value(), rules, view_.get()}),
      tournament_(cluster, gates) {
  refuse_undecided(options.kueue, world);
  scores_ = rules != nullptr && rules->has_order_rules();
  reserving.resize(cluster.queues.size());
  generations.assign(cluster.queues.size(), 1);
  tree_generations.assign(cluster.tree.size(), 0);
  pending.resize(cluster.queues.size());
  reported_.resize(cluster.queues.size());
  start_usage();
  // As after a restart: who holds quota is known first, then the waiting ones come, oldest first.
  works.reserve(world.workloads.size());
  by_name.reserve(world.workloads.size());
  to_reconcile_.reserve(world.workloads.size());
  const bool is_sorted = std::is_sorted(world.workloads.begin(), world.workloads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  auto add_at = [&](std::uint32_t place) {
    WorkId id = add(world.workloads[place], false);
    if (is_sorted) works[id].by_name = place;
  };
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < world.workloads.size(); ++i) {
    if (world.workloads[i].admitted_queue) {
      add_at(i);
    } else {
      waiting.push_back(i);
    }
  }
  std::stable_sort(waiting.begin(), waiting.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Workload& a = world.workloads[i];
    const Workload& b = world.workloads[j];
    return a.created != b.created ? a.created < b.created : a.arrival < b.arrival;
  });
  if (!cluster.topologies.empty()) {
    for (const Node& node : world.nodes) check_node(node.name, &node);
  }
  for (std::uint32_t i : waiting) add_at(i);
  read_requests(world);
  settle();
}

Core::Core(const Core& other)
    : options(other.options),
      gates(other.gates),
      own_rules(other.rules == nullptr ? nullptr : other.rules->clone()),
      rules(own_rules.get()),
      cluster(other.cluster),
      shapes(other.shapes),
      works(other.works),
      submitted(other.submitted),
      by_name(other.by_name),
      reserving(other.reserving),
      generations(other.generations),
      tree_generations(other.tree_generations),
      pending(other.pending),
      local_usage(other.local_usage),
      now(other.now),
      cycle_number(other.cycle_number),
      view_(std::make_unique<View>(*this)),
      placer_(cluster, shapes, works, gates),
      preemptor_(cluster, works, reserving, options, gates),
      assigner_(cluster, shapes, works, preemptor_, placer_,
                {gates, options.kueue.ignore_undeclared && gates.quota_check_strategy,
                 options.kueue.fair_sharing.has_value(), rules, view_.get()}),
      tournament_(cluster, gates),
      in_flight_(other.in_flight_),
      preemptions_(other.preemptions_),
      preempting_(other.preempting_),
      to_reconcile_(other.to_reconcile_),
      evicted_(other.evicted_),
      due_(other.due_),
      timers_(other.timers_),
      families_(other.families_),
      second_passes_(other.second_passes_),
      woken_roots_(other.woken_roots_),
      reported_(other.reported_),
      to_report_(other.to_report_),
      ending_(other.ending_),
      requests_(other.requests_),
      scores_(other.scores_),
      prints_(other.prints_),
      states_print_(other.states_print_) {
  for (WorkId id = 0; id < works.size(); ++id) {
    std::uint32_t own = std::as_const(works)[id].own;
    if (own != kNone) works[id].object = &submitted[own];
  }
  if (other.own_world != nullptr) {
    own_world = std::make_unique<World>(*other.own_world);
    cluster.bind(*own_world);
  }
  if (other.open_cycle_ == nullptr) return;
  const OpenCycle& open = *other.open_cycle_;
  open_cycle_ = std::make_unique<OpenCycle>(OpenCycle{open.seen->see(), open.woken, open.listed, open.log});
  open_cycle_->seen->present_ = this;
}

Core::~Core() = default;

WorkId Core::find(const WorkloadName& name) const {
  return by_name.find(works, name);
}

void Core::set_order_time(Work& work) const {
  work.order_time = work.object->created;
  bool by_creation = waits_for_pods() && options.kueue.wait_for_pods_ready->order_by_creation;
  if (work.evicted && (work.eviction == EvictionReason::admission_check ||
                       (work.eviction == EvictionReason::pods_ready_timeout && !by_creation))) {
    work.order_time = work.evicted_at;
  } else if (!gates.priority_sorting_within_cohort && work.preempted &&
             work.preemption == Victim::Reason::in_cohort_reclaim_while_borrowing) {
    work.order_time = work.preempted_at + Duration{1'000'000};
  }
}

/// What the workload's class says, moved by an annotation.
std::int64_t Core::effective_priority(const Workload& workload) const {
  if (!gates.priority_boost) return workload.priority;
  auto boost = workload.annotations.find(std::string(kBoostAnnotation));
  if (boost == workload.annotations.end()) return workload.priority;
  const std::string& text = boost->second;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  std::int32_t number = 0;
  auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? std::int64_t{workload.priority} + number : workload.priority;
}

bool Core::is_gated(const Workload& workload) const {
  auto gate = workload.annotations.find(std::string(kGateAnnotation));
  return gates.admission_gated_by && gate != workload.annotations.end() && !gate->second.empty();
}

/// The queue behind its LocalQueue.
void Core::find_queue(Work& work) {
  work.local = cluster.local_queue(work.object->name_space, work.object->queue);
  auto it = cluster.local_queues.find({work.object->name_space, work.object->queue});
  work.has_local_queue = it != cluster.local_queues.end();
  work.queue = work.has_local_queue ? it->second.queue : kNone;
  work.local_stop = work.has_local_queue ? it->second.stop : StopPolicy::none;
}

/// As if it had none.
void Core::forget_status(Work& work) {
  work.finished = work.reserved = work.admitted = work.evicted = work.preempted = false;
  work.on_hold = work.awaits_pods = false;
  work.deactivation_target = work.requeued_reason = work.eviction = EvictionReason::none;
  work.requeued = Work::Requeued::unset;
  work.admitted_at.reset();
  work.requeue_at.reset();
  work.pods = {};
  work.checks.clear();
  work.rule_checks.clear();
  work.forget_assignment();
  work.no_quota = NoQuota::unsaid;
  work.set_text(0);
}

void Core::read_status(Work& work) {
  const Workload& object = *work.object;
  work.live = object.active;
  work.queued_since = object.created;
  work.gated = is_gated(object);
  work.requeue_at = object.requeue_at;
  work.requeue_count = object.requeue_count;
  work.past_run_seconds = object.past_run_seconds;
  for (const Condition& condition : object.conditions) {
    if (condition.type == "QuotaReserved") {
      work.reserved = condition.status && object.admitted_queue.has_value();
      work.reserved_at = condition.since;
      work.on_hold = !condition.status && condition.reason == "OnHold";
    } else if (condition.type == "Admitted") {
      work.admitted = condition.status;
      if (condition.status) work.admitted_at = condition.since;
    } else if (condition.type == "Evicted") {
      work.evicted = condition.status;
      work.eviction = eviction_reason(condition.reason);
      work.evicted_at = condition.since;
    } else if (condition.type == "Preempted") {
      work.preempted = condition.status;
      work.preemption = preemption_reason(condition.reason);
      work.preempted_at = condition.since;
    } else if (condition.type == "Requeued") {
      work.requeued = condition.status ? Work::Requeued::yes : Work::Requeued::no;
      work.requeued_reason = eviction_reason(condition.reason);
      work.queued_since = condition.since;
    } else if (condition.type == "Finished") {
      work.finished = condition.status;
    } else if (condition.type == "WaitingForReplacementPods") {
      work.awaits_pods = condition.status;
    } else if (condition.type == "PodsReady") {
      work.pods.state = condition.status                        ? PodsReady::ready
                        : condition.reason == "WaitForRecovery" ? PodsReady::recovering
                        : condition.reason == "WaitForStart" || condition.reason == "PodsReady" ? PodsReady::starting
                                                                                                : PodsReady::other;
      work.pods.since = condition.since;
      work.pods.in_own_words =
          condition.status ? condition.reason == "Started" &&
                                 condition.message == "All pods reached readiness and the workload is running"
                           : condition.reason == "WaitForStart" && condition.message == "Not all pods are ready or succeeded";
    } else if (condition.type == "DeactivationTarget" && condition.status) {
      work.deactivation_target = eviction_reason("DeactivatedDueTo" + condition.reason);
    }
  }
  for (const CheckStatus& status : object.checks) {
    CheckId id = cluster.check_names.intern(status.name);
    if (id >= cluster.checks.size()) cluster.checks.resize(id + 1, nullptr);
    work.checks.push_back({id, status.state, status.since, status.requeue_after_seconds, status.retry_count,
                           status.message, status.updates});
  }
  if (work.reserved) read_holdings(work);
}

/// What the assignment that came with its object holds.
void Core::read_holdings(Work& work) {
  const Workload& object = *work.object;
  work.forget_assignment();
  auto it = cluster.queue_by_name.find(*object.admitted_queue);
  // Without the queue it counts nowhere, but it has what it has.
  if (it != cluster.queue_by_name.end()) work.holds_in = it->second;
  for (std::size_t i = 0; i < object.assignments.size(); ++i) {
    const PodSetAssignment& assignment = object.assignments[i];
    std::int64_t spec_count = 0;
    for (const PodSet& pod_set : object.pod_sets) {
      if (pod_set.name == assignment.name) spec_count = pod_set.count;
    }
    std::int64_t count = assignment.count.value_or(static_cast<std::int32_t>(spec_count));
    for (const auto& [name, quantity] : assignment.usage) {
      ResourceId resource = cluster.resources.intern(name);
      Amount amount = Amount::request(name, quantity);
      auto flavor_name = assignment.flavors.find(name);
      if (flavor_name == assignment.flavors.end()) continue;
      FlavorId flavor = cluster.flavor_names.intern(flavor_name->second);
      if (flavor >= cluster.flavors.size()) cluster.flavors.resize(flavor + 1, nullptr);
      FlavorResource cell =
          work.holds_in == kNone ? kNone : cluster.cell_of(cluster.queues[work.holds_in], flavor, resource);
      work.holdings.push_back({static_cast<std::uint16_t>(i), resource, flavor, cell, amount, amount});
    }
    work.held_counts.push_back(count);
    work.held_usage.push_back(assignment.usage);
    if (!gates.topology_aware) continue;
    if (assignment.topology) work.placements.push_back({static_cast<std::uint16_t>(i), *assignment.topology});
    if (assignment.delayed_topology.empty()) continue;
    work.delayed.resize(object.assignments.size(), Delayed::none);
    work.delayed[i] = assignment.delayed_topology == "Pending" ? Delayed::pending : Delayed::ready;
  }
  leave_out_done_pods(work);
  work.unhealthy_nodes = object.unhealthy_nodes;
}

WorkId Core::add(const Workload& workload, bool is_new) {
  auto id = static_cast<WorkId>(works.size());
  Work& work = works.emplace_back();
  work.object = &workload;
  work.name_space = cluster.name_space(workload.name_space);
  work.priority = effective_priority(workload);
  work.score = work.priority;
  by_name.insert(works, id);
  if (rules != nullptr) {
    work.rules_id = rules->add(workload, WorkloadState{});
    if (is_new) {
      SubmitAnswer answer = rules->submit(work.rules_id, now);
      work.denied = answer.verdict != Verdict::allow;
      work.submit_notes = answer.warnings;
      work.submit_refusals = answer.denied;
    }
  }
  find_queue(work);
  find_replaced(work);
  read_gates(work);
  reshape(work);
  read_status(work);
  read_variant(work);
  set_order_time(work);
  // A queue that appears brings those that hold quota; of others that come so nobody tells the queues.
  if (!is_new && work.reserved && work.has_local_queue && work.local_stop == StopPolicy::none) work.seen_in = work.local;
  if (work.holds_quota() && work.holds_in != kNone) begin_holding(id);
  if (work.is_queueable()) {
    enqueue(id);
  }
  workload_changed(work);
  to_reconcile_.push_back(id);
  if (work.evicted && work.reserved) evicted_.push_back(id);
  if (rules != nullptr) {
    rescore(id);
    tell_rules(id);
  }
  return id;
}

}  // namespace sluice::decide
