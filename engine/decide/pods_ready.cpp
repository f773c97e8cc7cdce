#include <algorithm>
#include <utility>

#include "decide/core.hpp"

/// waitForPodsReady: how long an admitted workload may go without all its pods ready, and who waits for that.
/// Source   Kueue pkg/controller/core/workload_controller.go reconcileNotReadyTimeout, pkg/workload,
///          pkg/scheduler/scheduler.go waitForPodsReadyIfNeeded, pkg/cache/scheduler.
namespace sluice::decide {
namespace {

/// How long the eviction number `count`, from 1, keeps a workload out of its queue: twice as long each time.
/// Kueue adds up to a ten-thousandth by chance, which its whole seconds mostly swallow; here none is added.
Duration back_off(const WaitForPodsReady& settings, std::int32_t count) {
  std::int64_t seconds = settings.backoff_base_seconds;
  for (std::int32_t i = 1; i < count && seconds < settings.backoff_max_seconds; ++i) {
    seconds = std::min<std::int64_t>(seconds * 2, settings.backoff_max_seconds);
  }
  return Duration::seconds(seconds);
}

}  // namespace

void Core::set_pods_ready(WorkId id, PodsReady state) {
  Work& work = works[id];
  if (work.pods == state) return;  // no change of the object, so no event
  if ((work.pods == PodsReady::ready) != (state == PodsReady::ready) || work.pods == PodsReady::unknown)
    work.pods_since = now;
  work.pods = state;
  status_changed(id);
  if (work.finished || !work.live) return;
  to_reconcile_.push_back(id);
  // Any change of a waiting workload brings it to its queue, where a back-off keeps it parked.
  if (!work.reserved && work.place == Work::Place::nowhere) enqueue(id);
}

/// Evicts a workload whose pods were not ready in time, or marks it to be deactivated when that has happened
/// too often; otherwise sets the timer for it. True if something changed.
bool Core::end_wait_for_pods(WorkId id) {
  Work& work = works[id];
  if (!waits_for_pods() || !work.admitted || !work.admitted_at || work.evicted) return false;
  if (work.pods == PodsReady::unknown && options.assume_pods_ready) return false;
  const WaitForPodsReady& settings = *options.kueue.wait_for_pods_ready;
  Instant end;
  if (work.pods == PodsReady::unknown || work.pods == PodsReady::starting) {
    end = *work.admitted_at + settings.timeout;
  } else if (work.pods == PodsReady::recovering && settings.recovery_timeout.value_or(Duration{}) > Duration{}) {
    end = work.pods_since + *settings.recovery_timeout;
  } else {
    return false;
  }
  if (end > now) {
    timers_.set(id, end);
    return false;
  }
  if (settings.backoff_limit_count && work.requeue_count + 1 > *settings.backoff_limit_count) {
    work.deactivation_target = EvictionReason::deactivated_by_limit;
    return true;
  }
  ++work.requeue_count;
  Instant back = now + back_off(settings, work.requeue_count);
  if (!work.requeue_at || *work.requeue_at < back) work.requeue_at = back;
  evict(id, EvictionReason::pods_ready_timeout);
  return true;
}

/// Whether everybody who holds quota has pods that are ready, those included whom this cycle admitted.
bool Core::are_all_pods_ready() const {
  auto is_ready = [&](WorkId id) {
    PodsReady pods = works[id].pods;
    return pods == PodsReady::ready || (pods == PodsReady::unknown && options.assume_pods_ready);
  };
  for (const std::vector<WorkId>& queue : reserving) {
    if (!std::all_of(queue.begin(), queue.end(), is_ready)) return false;
  }
  return std::all_of(order_.begin(), order_.end(), [&](std::uint32_t i) {
    const Entry& entry = entries_[i];
    return !entry.processed || !entry.assumed || entry.applied || is_ready(entry.work);
  });
}

/// Who already holds quota does not wait.
bool Core::has_to_wait(const Entry& entry) const {
  if (!waits_for_pods() || !options.kueue.wait_for_pods_ready->block_admission) return false;
  return !entry.second_pass && !works[entry.work].reserved && !are_all_pods_ready();
}

std::optional<WorkloadName> Core::blocked_head() const {
  if (!blocked_ || blocked_->head == kNone) return std::nullopt;
  return name_of(works[entries_[blocked_->head].work]);
}

/// The cycle stands still, and the cluster goes on without it.
void Core::suspend_cycle(std::size_t mark) {
  blocked_->tree = cluster.tree;
  cluster.tree.rollback(mark);
  begin_wait();
  settle();
}

void Core::begin_wait() {
  constexpr std::uint64_t kWaits = 1u << 9;  // no other text has this key
  apply_heads();
  Work& work = works[entries_[blocked_->head].work];
  if (work.text_key != kWaits) workload_changed(work);
  work.text_key = kWaits;
}

/// All pods are ready: the head that waited is admitted as was decided, and the others have their turn, as if
/// nothing had happened meanwhile.
void Core::resume_cycle() {
  // Who has lost its quota meanwhile is no victim any more.
  auto is_gone = [&](WorkId id) { return works[id].holds_in == kNone; };
  std::erase_if(preempted_, is_gone);
  for (std::uint32_t i = 0; i < entry_count_; ++i) {
    if (!entries_[i].processed) std::erase_if(entries_[i].targets, [&](const Target& t) { return is_gone(t.work); });
  }
  std::swap(cluster.tree, blocked_->tree);
  Entry& entry = entries_[blocked_->head];
  blocked_->head = kNone;
  const Work& work = works[entry.work];
  if (!work.removed && !work.finished && work.queue != kNone) admit(entry);
  process_heads();
  std::swap(cluster.tree, blocked_->tree);
  if (blocked_->head != kNone) return begin_wait();
  blocked_->log = finish_heads();
  apply_heads();
}

/// Whether a head may return to its queue although the cycle stood still: it has not left it, or gone there.
bool Core::may_go_back(Work& work) const {
  if (work.place != Work::Place::in_flight) return false;
  if (work.is_queueable()) return true;
  work.place = Work::Place::nowhere;
  return false;
}

bool Core::report_blocked() {
  if (blocked_->head != kNone) return false;
  Cycle log = std::move(blocked_->log);
  blocked_.reset();
  log.at = now;
  log.blocked = true;
  for (Decision& decision : log.decisions) {
    WorkId id = find(decision.workload);
    if (decision.outcome != Outcome::admitted || (id != kNone && works[id].admitted)) continue;
    decision.outcome = Outcome::quota_reserved;  // it has lost its admission meanwhile
    decision.pod_sets.clear();
  }
  cycles.push_back(std::move(log));
  settle();
  return true;
}

}  // namespace sluice::decide
