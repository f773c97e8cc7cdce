#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// When the controllers look at a workload again although nothing happens. One instant a workload: an earlier
/// one replaces a later one, and a later one is forgotten. It comes whatever becomes of the workload.
class Timers {
 public:
  void set(WorkId work, Instant at) {
    auto [it, is_new] = at_.try_emplace(work, at);
    if (!is_new) {
      if (it->second <= at) return;
      order_.erase({it->second, work});
      it->second = at;
    }
    order_.emplace(at, work);
  }

  std::optional<Instant> next_after(Instant now) const {
    auto it = order_.upper_bound({now, kNone});
    return it == order_.end() ? std::nullopt : std::optional(it->first);
  }

  /// Takes out those that are due.
  std::vector<WorkId> take_due(Instant now) {
    std::vector<WorkId> due;
    while (!order_.empty() && order_.begin()->first <= now) {
      due.push_back(order_.begin()->second);
      at_.erase(due.back());
      order_.erase(order_.begin());
    }
    return due;
  }

 private:
  std::map<WorkId, Instant> at_;
  std::set<std::pair<Instant, WorkId>> order_;
};

}  // namespace sluice::decide
