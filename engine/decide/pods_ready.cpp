#include <algorithm>

#include "decide/core.hpp"

/// waitForPodsReady: how long an admitted workload may go without all its pods ready.
/// Source   Kueue pkg/controller/core/workload_controller.go reconcileNotReadyTimeout, pkg/workload.
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

}  // namespace sluice::decide
