#include <algorithm>
#include <utility>

#include "decide/core.hpp"

/// A cycle within which a head has to wait for the pods of others (waitForPodsReady.blockAdmission). The cluster goes
/// on meanwhile. The scheduler does not see that: when the pods are ready it decides about the heads that are left with
/// what it saw when the cycle began, and writes whole statuses, as they were then, over what has happened since.
/// Source   Kueue pkg/scheduler/scheduler.go waitForPodsReadyIfNeeded, requeueAndUpdate; pkg/workload/patching;
///          pkg/cache/queue/cluster_queue.go inflight, requeueIfNotPresent.
namespace sluice::decide {

std::optional<WorkloadName> Core::blocked_head() const {
  if (!open_cycle_ || open_cycle_->seen->waiting_ == kNone) return std::nullopt;
  const Core& seen = *open_cycle_->seen;
  return seen.name_of(seen.works[seen.entries_[seen.waiting_].work]);
}

Cycle Core::unreported_cycle() const {
  if (!open_cycle_) return {};
  const Core& seen = *open_cycle_->seen;
  if (seen.waiting_ == kNone) return open_cycle_->log;
  Cycle log;
  for (std::uint32_t i : seen.order_) {
    const Entry& entry = seen.entries_[i];
    bool is_done = entry.assumed || entry.outcome == Outcome::preempting || entry.outcome == Outcome::migrating;
    if (entry.processed && i != seen.waiting_ && is_done) log.decisions.push_back(seen.describe(entry, seen.works));
  }
  return log;
}

/// A copy with the cycle at hand.
std::unique_ptr<Core> Core::see() const {
  auto copy = std::make_unique<Core>(*this);
  Core& seen = *copy;
  seen.entries_.assign(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(entry_count_));
  seen.entry_count_ = entry_count_;
  seen.order_ = order_;
  seen.next_ = next_;
  seen.waiting_ = waiting_;
  seen.preempted_ = preempted_;
  seen.tournament_.follow(tournament_, [&](Tournament::Head& head) {
    const Entry& entry = seen.entries_[head.entry];
    if (!entry.second_pass) head.usage = entry.assignment.usage;
    head.work = &std::as_const(seen.works)[entry.work];
  });
  return copy;
}

/// The cycle stands still, and the cluster goes on without it. `mark`: before heads took anything.
void Core::stand_still(std::size_t mark) {
  std::unique_ptr<Core> seen = see();
  seen->present_ = this;
  open_cycle_ = std::make_unique<OpenCycle>();
  open_cycle_->seen = std::move(seen);
  cluster.tree.rollback(mark);
  in_flight_.clear();
  for (std::uint32_t i = 0; i < entry_count_; ++i) {
    if (!entries_[i].second_pass) in_flight_.push_back(entries_[i].work);
  }
  apply_heads();
  entry_count_ = 0;
  order_.clear();
  waiting_ = kNone;
  begin_wait();
  settle();
}

/// What the condition of the head that waits says.
void Core::begin_wait() {
  constexpr std::uint64_t kWaits = 1u << 9;  // no other text has this key
  const Core& seen = *open_cycle_->seen;
  WorkId head = seen.entries_[seen.waiting_].work;
  WorkId id = present(head);
  if (id == kNone || seen.works[head].says(kWaits)) return;
  Work written = seen.works[head];
  written.set_text(kWaits);
  written.no_quota = NoQuota::waits_for_pods;
  overwrite_status(id, written);
}

/// Whether the head need not wait any longer.
void Core::look_at_pods() {
  if (open_cycle_ && open_cycle_->seen->waiting_ != kNone && are_all_pods_ready()) resume_cycle();
}

void Core::resume_cycle() {
  Core& seen = *open_cycle_->seen;
  seen.now = now;
  Entry& head = seen.entries_[std::exchange(seen.waiting_, kNone)];
  seen.conclude(head);
  write_decision(head);
  for (std::uint32_t i = seen.next_head(); i != kNone; i = seen.next_head()) {
    seen.process(seen.entries_[i]);
    if (seen.waiting_ != kNone) return begin_wait();
    write_decision(seen.entries_[i]);
  }
  for (std::uint32_t i : seen.order_) {
    Entry& entry = seen.entries_[i];
    if (!entry.assumed && entry.outcome != Outcome::evicted) put_back_late(entry);
  }
  for (std::uint32_t i = 0; i < seen.entry_count_; ++i) {
    if (seen.entries_[i].refusal != HeadRefusal::none) put_back_late(seen.entries_[i]);
  }
  open_cycle_->log = seen.log_heads();
}

/// The workload of a number that the cycle knows: its own, or the one that has taken its name. kNone: it was deleted.
WorkId Core::present(WorkId seen) const {
  return works[seen].removed ? find(name_of(works[seen])) : seen;
}

/// Whether the queue that a head was taken from still exists. To be asked of what the cycle sees.
bool Core::has_queue_of(const Entry& entry) const {
  if (present_ == nullptr) return true;
  return present_->cluster.queue_by_name.contains(cluster.queues[works[entry.work].queue].object->name);
}

/// What was decided about a head is done.
void Core::write_decision(Entry& entry) {
  if (entry.assumed) return write_admission(entry);
  Core& seen = *open_cycle_->seen;
  auto evict_as_seen = [&](WorkId known, EvictionReason reason) {
    WorkId id = present(known);
    if (id == kNone) return;
    overwrite_status(id, std::as_const(seen.works)[known]);
    evict(id, reason);
  };
  if (entry.outcome == Outcome::migrating) evict_as_seen(entry.migrates_from, EvictionReason::flavor_migration);
  if (entry.outcome == Outcome::evicted) seen.works[entry.work].pods = entry.pods;
  if (entry.outcome == Outcome::evicted) evict_as_seen(entry.work, EvictionReason::node_failures);
  if (entry.outcome != Outcome::preempting) return;
  entry.lost_targets = static_cast<std::uint32_t>(
      std::erase_if(entry.targets, [&](const Target& target) { return present(target.work) == kNone; }));
  for (const Target& target : entry.targets) {
    const Work& known = std::as_const(seen.works)[target.work];
    if (known.evicted) continue;
    WorkId id = present(target.work);
    overwrite_status(id, known);
    Work& victim = works[id];
    victim.preempted = true;
    victim.preempted_at = now;
    victim.preemption = target.reason;
    if (options.keep_attempts) preemptions_[id] = {entry.work, now, target.reason, target.shares};
    evict(id, EvictionReason::preempted);
  }
  if (!entry.targets.empty()) return;
  entry.outcome = Outcome::failed;
  entry.requeue = Requeue::preemption_failed;
}

void Core::write_admission(Entry& entry) {
  Core& seen = *open_cycle_->seen;
  Work& written = seen.works[entry.work];
  if (entry.second_pass) {
    seen.write_placements(written, entry.assignment);
    written.unhealthy_nodes.clear();
  }
  WorkId id = present(entry.work);
  if (id == kNone) return;
  overwrite_status(id, written);
  if (!entry.second_pass) charge_usage(id);
  if (std::as_const(works)[id].admitted) settle_usage(id);
  if (entry.replaced == kNone) return;
  WorkId replaced = present(entry.replaced);
  if (replaced == kNone) return;
  overwrite_status(replaced, std::as_const(seen.works)[entry.replaced]);
  finish(replaced);
}

/// A head that was not admitted goes back, if its queue does not have it by now.
void Core::put_back_late(Entry& entry) {
  WorkId id = present(entry.work);
  if (id == kNone) return;
  Work& work = works[id];
  if (entry.second_pass) {
    queue_second_pass(id, entry.iteration, entry.pods);
    return;
  }
  const bool is_failed = entry.outcome == Outcome::failed && entry.requeue != Requeue::preemption_failed;
  if (work.is_admissible() && work.has_local_queue && work.local_stop == StopPolicy::none) {
    if (work.queue != kNone) {
      requeue(entry, id, open_cycle_->woken.contains(cluster.queues[work.queue].object->name));
    }
    if (!is_failed) say_decision(entry, id);
    to_reconcile_.push_back(id);  // its queue may have been stopped
    return;
  }
  // Kueue writes the status that it knows.
  Work written = std::as_const(open_cycle_->seen->works)[entry.work];
  std::uint64_t key = text_key(entry);
  if (is_failed || written.says(key)) return;
  written.set_text(key);
  written.no_quota = NoQuota::decided;
  written.blocked_on_gates = written.blocked_on_gates || entry.outcome == Outcome::gated;
  overwrite_status(id, written);
}

/// Gives a workload what `written`, of what the cycle sees, says it holds.
void Core::take_holdings(Work& work, const Work& written) {
  work.holds_in = kNone;
  work.holdings = written.holdings;
  work.held_counts = written.held_counts;
  work.held_usage = written.held_usage;
  work.placements = written.placements;
  work.delayed = written.delayed;
  work.unhealthy_nodes = written.unhealthy_nodes;
  work.leaf_uses.clear();
  work.rule_checks = written.rule_checks;
  if (written.holds_in == kNone) return;
  auto queue = cluster.queue_by_name.find(open_cycle_->seen->cluster.queues[written.holds_in].object->name);
  if (queue == cluster.queue_by_name.end()) return;
  work.holds_in = queue->second;
  for (Holding& holding : work.holdings)
    holding.cell = cluster.cell_of(cluster.queues[work.holds_in], holding.flavor, holding.resource);
  leave_out_done_pods(work);
}

/// Writes the status of a workload as Kueue's scheduler does: everything that the scheduler and the controllers share is
/// as in `written`, whatever has happened to it. Its spec stays, and so do the pods that are done.
void Core::overwrite_status(WorkId id, const Work& written) {
  Work& work = works[id];
  workload_changed(work);
  const bool was_reserved = work.reserved;
  const bool was_finished = work.finished;
  drop_holding(id);
  take_holdings(work, written);
  work.finished = written.finished;
  work.reserved = written.reserved;
  work.reserved_at = written.reserved_at;
  work.admitted = written.admitted;
  work.admitted_at = written.admitted_at;
  work.evicted = written.evicted;
  work.eviction = written.eviction;
  work.evicted_at = written.evicted_at;
  work.preempted = written.preempted;
  work.preemption = written.preemption;
  work.preempted_at = written.preempted_at;
  work.on_hold = written.on_hold;
  work.blocked_on_gates = written.blocked_on_gates;
  work.preemption_gates = written.preemption_gates;
  work.deactivation_target = written.deactivation_target;
  work.requeued = written.requeued;
  work.requeued_reason = written.requeued_reason;
  work.queued_since = written.queued_since;
  work.requeue_at = written.requeue_at;
  work.requeue_count = written.requeue_count;
  work.pods = written.pods;
  work.past_run_seconds = written.past_run_seconds;
  work.checks = written.checks;
  work.failed_checks = written.failed_checks;
  work.no_quota = written.no_quota;
  work.bypassed_for = written.bypassed_for;
  work.text_key = written.text_key;
  work.text_is_old = written.text_is_old || work.object->generation != written.object->generation;
  if (work.reserved) work.progress.known = false;
  set_order_time(work);
  workload_changed(work);
  to_reconcile_.push_back(id);
  if (work.evicted && work.reserved) evicted_.push_back(id);
  if (rules != nullptr) tell_rules(id);
  if (work.finished || !work.live) {
    if (work.queue != kNone) pending.erase(works, work.queue, id);
    return wake_for(work);
  }
  if (work.reserved) {
    if (work.holds_quota()) begin_holding(id);
    return;
  }
  if (was_finished) return;
  if (was_reserved) {
    seen_anew(work);
    wake_for(work);
    second_passes_.erase(id);
    if (work.requeue_at && *work.requeue_at > now) return;
  }
  touch(id);
}

/// Heads that their queue takes for being tried, though it has them no more.
std::size_t Core::heads_in_flight(QueueId queue) const {
  return static_cast<std::size_t>(std::count_if(in_flight_.begin(), in_flight_.end(), [&](WorkId id) {
    return works[id].place == Work::Place::in_flight && works[id].queue == queue;
  }));
}

/// Whether a LocalQueue that closes leaves the workload to the cycle: it does not list it.
bool Core::keeps_in_flight(const Work& work) const {
  if (work.place != Work::Place::in_flight) return false;
  auto id = static_cast<WorkId>(&work - works.data());
  return !open_cycle_ || !open_cycle_->listed.contains(id);
}

/// A queue that is asked for its next head gives the former one up.
void Core::forget_heads_in_flight() {
  std::erase_if(in_flight_, [&](WorkId id) {
    Work& work = works[id];
    if (work.place != Work::Place::in_flight) return true;
    if (work.queue != kNone && !cluster.queues[work.queue].active) return false;
    work.place = Work::Place::nowhere;
    return true;
  });
}

/// Reports a cycle that is over, in the words of now; false if it still stands still.
bool Core::report_cycle() {
  if (open_cycle_->seen->waiting_ != kNone) return false;
  Cycle log = std::move(open_cycle_->log);
  open_cycle_.reset();
  log.at = now;
  log.blocked = true;
  for (Decision& decision : log.decisions) {
    WorkId id = find(decision.workload);
    if (id == kNone) continue;
    Work& work = works[id];
    QueueId queue = work.reserved && work.holds_in != kNone ? work.holds_in : work.open_queue();
    std::string name = queue == kNone ? std::string() : cluster.queues[queue].object->name;
    if (name != decision.cluster_queue) decision.queue_now = std::move(name);
    decision.parked = work.place == Work::Place::parked;
    if (decision.outcome == Outcome::admitted || decision.outcome == Outcome::quota_reserved) {
      decision.outcome = work.admitted ? Outcome::admitted : Outcome::quota_reserved;
      decision.lost = !work.reserved;
    }
  }
  keep_decisions(log);
  cycles.push_back(std::move(log));
  settle();
  return true;
}

}  // namespace sluice::decide
