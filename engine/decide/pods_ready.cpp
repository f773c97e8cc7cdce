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
  PodsStatus& pods = work.pods;
  if (pods.state == state && pods.in_own_words) return;  // nothing is written
  pods.in_own_words = state == PodsReady::ready || state == PodsReady::starting;
  if ((pods.state == PodsReady::ready) != (state == PodsReady::ready) || pods.state == PodsReady::unknown)
    pods.since = now;
  pods.state = state;
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
  if (work.is_variant) return false;  // its parent tells of the pods
  if (work.pods.state == PodsReady::unknown && options.assume_pods_ready) return false;
  const WaitForPodsReady& settings = *options.kueue.wait_for_pods_ready;
  Instant end;
  if (work.pods.state == PodsReady::unknown || work.pods.state == PodsReady::starting) {
    end = *work.admitted_at + settings.timeout;
  } else if (work.pods.state == PodsReady::recovering && settings.recovery_timeout.value_or(Duration{}) > Duration{}) {
    end = work.pods.since + *settings.recovery_timeout;
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
    PodsReady pods = works[id].pods.state;
    return pods == PodsReady::ready || (pods == PodsReady::unknown && options.assume_pods_ready);
  };
  if (unready_ != kNone && works[unready_].holds_quota() && works[unready_].holds_in != kNone && !is_ready(unready_)) return false;
  for (const std::vector<WorkId>& queue : reserving) {
    auto unready = std::find_if_not(queue.begin(), queue.end(), is_ready);
    if (unready == queue.end()) continue;
    unready_ = *unready;
    return false;
  }
  unready_ = kNone;
  return std::all_of(order_.begin(), order_.end(), [&](std::uint32_t i) {
    const Entry& entry = entries_[i];
    return !entry.processed || !entry.assumed || is_ready(entry.work);
  });
}

/// Who already holds quota does not wait.
bool Core::has_to_wait(const Entry& entry) const {
  if (!waits_for_pods() || !options.kueue.wait_for_pods_ready->block_admission) return false;
  return !entry.second_pass && !(present_ == nullptr ? *this : *present_).are_all_pods_ready();
}

}  // namespace sluice::decide
