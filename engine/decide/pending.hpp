#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "decide/work.hpp"

namespace sluice::decide {

/// The waiting workloads of every queue: those in the queue, in order, and those parked until something
/// changes. A workload is in at most one place; Work::place and Work::heap_index say where. Source   Kueue
/// pkg/cache/queue cluster_queue.go.
class Pending {
 public:
  void resize(std::size_t queues) { queues_.resize(queues); }
  /// The queues have other numbers, kNone: it is gone, and nobody waits in it any more.
  void renumber(const std::vector<QueueId>& to, std::size_t queues);

  bool is_empty(QueueId queue) const { return queues_[queue].active.empty(); }
  const std::vector<WorkId>& active(QueueId queue) const { return queues_[queue].active; }
  const std::vector<WorkId>& parked(QueueId queue) const { return queues_[queue].parked; }
  /// The active ones in the order in which they would be offered.
  std::vector<WorkId> in_order(const std::vector<Work>& works, QueueId queue) const;

  /// Takes the first workload out; it is in flight until it is put somewhere.
  WorkId pop(std::vector<Work>& works, QueueId queue);
  void push(std::vector<Work>& works, QueueId queue, WorkId work);
  void park(std::vector<Work>& works, QueueId queue, WorkId work);
  /// Takes it out of wherever it is.
  void take(std::vector<Work>& works, QueueId queue, WorkId work);
  /// The same, and forgets that it preempts.
  void erase(std::vector<Work>& works, QueueId queue, WorkId work);
  /// Back from the parked ones into the queue.
  void unpark(std::vector<Work>& works, QueueId queue, WorkId work);
  /// Its place in the order may have changed.
  void reorder(std::vector<Work>& works, QueueId queue, WorkId work);
  /// All places may have changed (scores of rules did).
  void reorder_all(std::vector<Work>& works, QueueId queue);

  /// Parks every active workload that is equivalent, and later arrivals, until `forget_parked_classes`.
  void park_class(std::vector<Work>& works, QueueId queue, std::uint32_t equivalence);
  bool is_parked_class(QueueId queue, std::uint32_t equivalence) const {
    return queues_[queue].parked_classes.contains(equivalence);
  }
  void forget_parked_classes(QueueId queue) { queues_[queue].parked_classes.clear(); }

  /// The workload whose victims are awaited; a sticky one sorts before all others.
  void set_preemptor(std::vector<Work>& works, QueueId queue, WorkId work, std::int64_t generation,
                     bool sticky);
  bool is_preemptor(QueueId queue, WorkId work, std::int64_t generation) const {
    return queues_[queue].preemptor == work && queues_[queue].preemptor_generation == generation;
  }

  /// Whether `a` is offered before `b`.
  bool before(const std::vector<Work>& works, QueueId queue, WorkId a, WorkId b) const;

 private:
  struct Line {
    std::vector<WorkId> active;  // a binary heap
    std::vector<WorkId> parked;  // in no order
    std::unordered_set<std::uint32_t> parked_classes;
    WorkId preemptor = kNone;
    std::int64_t preemptor_generation = 0;
    bool sticky = false;
  };

  void sift_up(std::vector<Work>& works, QueueId queue, std::size_t index);
  void sift_down(std::vector<Work>& works, QueueId queue, std::size_t index);
  void remove_active(std::vector<Work>& works, QueueId queue, std::size_t index);
  void remove_parked(std::vector<Work>& works, QueueId queue, std::size_t index);

  std::vector<Line> queues_;
};

/// Ties of time: real UIDs by their bytes, then, for workloads that the input gave none, the order of
/// arrival.
bool earlier_by_uid(const Work& a, const Work& b);

}  // namespace sluice::decide
