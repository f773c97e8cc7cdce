#pragma once

#include <cstdint>
#include <vector>

#include "base/quantity.hpp"
#include "base/time.hpp"
#include "decide/cluster.hpp"
#include "model/configuration.hpp"

namespace sluice::decide {

/// What each LocalQueue has used in the past, fading with time, and what it is charged beforehand for
/// workloads that got quota and are not yet admitted. Unit: Quantity's; rounded down.
/// Source   Kueue pkg/cache/queue/afs, pkg/controller/core localqueue_controller.go and workload_controller.go.
class UsageLedger {
 public:
  struct Used {
    ResourceId resource = 0;
    Quantity::Nano nano = 0;
  };
  static void add(std::vector<Used>& sum, ResourceId resource, Quantity::Nano nano);

  explicit UsageLedger(AdmissionFairSharing settings) : settings_(std::move(settings)) {}

  const AdmissionFairSharing& settings() const { return settings_; }
  /// Whether the queue has been seen: its history is read from its status once.
  bool is_known(LocalQueueId queue) const { return queue < entries_.size() && entries_[queue].known; }
  bool has_penalty(LocalQueueId queue) const;
  /// Whether some queue may have one.
  bool has_charges() const { return charges_ != 0; }
  Instant last_update(LocalQueueId queue) const { return entries_[queue].last_update; }
  /// Starts the entry with what the queue's status says, unless that has been done.
  void open(LocalQueueId queue, const std::vector<Used>& from_status, Instant now);
  void forget(LocalQueueId queue);

  /// The regular update: `in_use` is what its admitted workloads hold.
  void sample(LocalQueueId queue, const std::vector<Used>& in_use, Instant now);
  /// A workload got quota: its queue is charged for one sampling interval of `requests`.
  void charge(LocalQueueId queue, std::uint32_t work, const std::vector<Used>& requests, Instant now);
  /// It is admitted: the charge becomes a part of the history.
  void settle(LocalQueueId queue, std::uint32_t work, const std::vector<Used>& in_use, Instant now);
  /// It never will be.
  void drop(LocalQueueId queue, std::uint32_t work);

  /// What queues are ordered by; `weight` is the LocalQueue's.
  double usage(LocalQueueId queue, double weight, const ResourceNames& names) const;

 private:
  struct Charge {
    std::uint32_t work = 0;
    std::vector<Used> amounts;
  };
  struct Entry {
    bool known = false;
    bool status_counted = false;
    Instant last_update;
    std::vector<Used> consumed;
    std::vector<Charge> charges;
  };

  Entry& entry(LocalQueueId queue);
  void fade(Entry& entry, const std::vector<Used>& in_use, Instant now) const;

  AdmissionFairSharing settings_;
  std::vector<Entry> entries_;
  std::size_t charges_ = 0;  // of all entries
};

}  // namespace sluice::decide
