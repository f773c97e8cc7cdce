#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// Workloads that have quota and are to be offered again, for their placement. A workload that waits has one entry,
/// but a timer is never taken back: one that was set before the workload left and came again offers it, too.
/// Source   Kueue pkg/cache/queue second_pass_queue.go.
class SecondPassQueue {
 public:
  bool empty() const { return timers_.empty() && ready_.empty(); }

  /// False if it waits already. `iteration`: the number of the attempt that it waits for, from 1.
  bool wait(WorkId work, std::int32_t iteration, Instant due) {
    if (!waiting_.insert(work).second) return false;
    timers_.emplace(due, std::pair(work, iteration));
    return true;
  }
  /// Those whose timers are due are offered in the next cycle, if they wait and `is_needed` says so.
  template <class Needed>
  void wake(Instant now, Needed is_needed) {
    while (!timers_.empty() && timers_.begin()->first <= now) {
      auto [work, iteration] = timers_.begin()->second;
      timers_.erase(timers_.begin());
      if (waiting_.erase(work) != 0 && is_needed(work)) ready_[work] = iteration;
    }
  }
  /// By WorkId, with the number of the attempt.
  std::map<WorkId, std::int32_t> take_ready() { return std::exchange(ready_, {}); }
  void erase(WorkId work) {
    waiting_.erase(work);
    ready_.erase(work);
  }

 private:
  std::set<WorkId> waiting_;
  std::map<WorkId, std::int32_t> ready_;
  std::multimap<Instant, std::pair<WorkId, std::int32_t>> timers_;
};

}  // namespace sluice::decide
