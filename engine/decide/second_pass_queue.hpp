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
  struct Attempt {
    std::int32_t iteration = 0;  ///< its number, from 1
    PodsStatus pods;             ///< what the workload's object said when the attempt was found to be needed
  };

  bool empty() const { return timers_.empty() && ready_.empty(); }

  /// False if it waits already.
  bool wait(WorkId work, const Attempt& attempt, Instant due) {
    if (!waiting_.insert(work).second) return false;
    timers_.emplace(due, std::pair(work, attempt));
    return true;
  }
  /// Those whose timers are due are offered in the next cycle, if they wait and `is_needed` says so.
  template <class Needed>
  void wake(Instant now, Needed is_needed) {
    while (!timers_.empty() && timers_.begin()->first <= now) {
      auto [work, attempt] = timers_.begin()->second;
      timers_.erase(timers_.begin());
      if (waiting_.erase(work) != 0 && is_needed(work)) ready_[work] = attempt;
    }
  }
  /// By WorkId.
  std::map<WorkId, Attempt> take_ready() { return std::exchange(ready_, {}); }
  void erase(WorkId work) {
    waiting_.erase(work);
    ready_.erase(work);
  }

 private:
  std::set<WorkId> waiting_;
  std::map<WorkId, Attempt> ready_;
  std::multimap<Instant, std::pair<WorkId, Attempt>> timers_;
};

}  // namespace sluice::decide
