#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "decide/usage_ledger.hpp"

namespace sluice::decide {

/// What admission fair sharing keeps beside the ledger: which LocalQueues Kueue's controller would look at now,
/// and when it looks at them again by itself.
struct LocalUsage {
  explicit LocalUsage(AdmissionFairSharing settings) : ledger(std::move(settings)) {}

  UsageLedger ledger;

  /// Something about the queue or one of its workloads changed.
  void mark(LocalQueueId id) {
    if (id >= marked_.size()) marked_.resize(id + 1);
    if (marked_[id] != 0) return;
    marked_[id] = 1;
    changed_.push_back(id);
  }
  std::vector<LocalQueueId> take_changed() {
    for (LocalQueueId id : changed_) marked_[id] = 0;
    return std::exchange(changed_, {});
  }

  /// An earlier time that was set before stays.
  void look_again(LocalQueueId id, Instant at) {
    if (id >= times_.size()) times_.resize(id + 1);
    if (times_[id] && *times_[id] <= at) return;
    if (times_[id]) due_.erase({*times_[id], id});
    times_[id] = at;
    due_.emplace(at, id);
  }
  void mark_due(Instant now) {
    while (!due_.empty() && due_.begin()->first <= now) {
      LocalQueueId id = due_.begin()->second;
      due_.erase(due_.begin());
      times_[id].reset();
      mark(id);
    }
  }
  std::optional<Instant> next_due() const {
    return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
  }

 private:
  std::vector<char> marked_;
  std::vector<LocalQueueId> changed_;
  std::vector<std::optional<Instant>> times_;
  std::set<std::pair<Instant, LocalQueueId>> due_;
};

}  // namespace sluice::decide
