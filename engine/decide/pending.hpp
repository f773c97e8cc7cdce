#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decide/map_order.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// The waiting workloads of every queue: those in the queue, in order, and those parked until something
/// changes. A workload is in at most one place: Work::place. Source   Kueue pkg/cache/queue cluster_queue.go.
/// Cost     moving in the order looks at what it is compared by only, which lies side by side: of many that wait most
///          are not in the processor's caches.
class Pending {
 public:
  void resize(std::size_t queues) { queues_.resize(queues); }
  /// The queues have other numbers, kNone: it is gone, and nobody waits in it any more.
  void renumber(const std::vector<QueueId>& to, std::size_t queues);
  /// The queue's LocalQueues take turns: what they have used comes before everything else.
  void order_by_usage(QueueId queue) { queues_[queue].by_usage = true; }
  /// What a LocalQueue has used. Nothing is sorted anew: Kueue's heaps stay as they are, too.
  void set_usage(LocalQueueId local, double usage) {
    if (local >= usage_.size()) usage_.resize(local + 1);
    usage_[local] = usage;
  }

  bool is_empty(QueueId queue) const { return queues_[queue].active.empty(); }
  std::size_t active_count(QueueId queue) const { return queues_[queue].active.size(); }
  /// In the order of the heap.
  std::vector<WorkId> active(QueueId queue) const;
  /// The one that is offered next; only if there is one.
  WorkId first(QueueId queue) const { return queues_[queue].active.front().work; }
  const std::vector<WorkId>& parked(QueueId queue) const { return queues_[queue].parked; }
  /// The same in the order in which Kueue brings them back.
  std::vector<WorkId> parked_in_map_order(QueueId queue) const {
    return queues_[queue].parked_order.sorted(queues_[queue].parked);
  }
  /// The active ones in the order in which they would be offered.
  std::vector<WorkId> in_order(const Works& works, QueueId queue) const;

  /// Takes the first workload out; it is in flight until it is put somewhere.
  WorkId pop(Works& works, QueueId queue);
  void push(Works& works, QueueId queue, WorkId work);
  void park(Works& works, QueueId queue, WorkId work);
  /// Takes it out of wherever it is.
  void take(Works& works, QueueId queue, WorkId work);
  /// The same, and forgets that it preempts.
  void erase(Works& works, QueueId queue, WorkId work);
  /// Back from the parked ones into the queue.
  void unpark(Works& works, QueueId queue, WorkId work);
  /// Its score or time may have changed, and so its place in the order. To be told before anything else moves.
  void reorder(Works& works, QueueId queue, WorkId work);
  /// The same for all of a LocalQueue; as in Kueue the name counts, in whatever namespace.
  void reorder_local(Works& works, QueueId queue, const std::string& local_queue);
  /// The same for all, one by one.
  void rebuild(Works& works, QueueId queue);
  /// All places may have changed (scores of rules did).
  void reorder_all(Works& works, QueueId queue);

  /// Parks every active workload that is equivalent, and later arrivals, until `forget_parked_classes`.
  /// `tried`: the one that failed.
  void park_class(Works& works, QueueId queue, std::uint32_t equivalence, WorkId tried);
  bool is_parked_class(QueueId queue, std::uint32_t equivalence) const {
    return queues_[queue].parked_classes.contains(equivalence);
  }
  /// The one that failed; kNone: the class is not parked.
  WorkId tried_of_class(QueueId queue, std::uint32_t equivalence) const {
    auto it = queues_[queue].parked_classes.find(equivalence);
    return it == queues_[queue].parked_classes.end() ? kNone : it->second;
  }
  void forget_parked_classes(QueueId queue) { queues_[queue].parked_classes.clear(); }

  /// The workload whose victims are awaited; a sticky one sorts before all others. To be set while it is in
  /// no place; the former one stays where it is, as in Kueue.
  void set_preemptor(QueueId queue, WorkId work, std::int64_t generation, bool sticky);
  bool is_preemptor(QueueId queue, WorkId work, std::int64_t generation) const {
    return queues_[queue].preemptor == work && queues_[queue].preemptor_generation == generation;
  }

  /// Whether `a` is offered before `b`.
  bool before(const Works& works, QueueId queue, WorkId a, WorkId b) const;

 private:
  /// What a workload is compared by, as long as it is in a queue.
  struct Place {
    std::int64_t score = 0;
    Instant time;
    WorkId work = 0;
  };
  struct Line {
    // A binary heap, moved exactly as Go's container/heap does: where what workloads are compared by changes
    // while they wait, their order keeps traces of it.
    std::vector<Place> active;
    std::vector<WorkId> parked;  // in no order
    MapOrder active_order;
    MapOrder parked_order;
    std::unordered_map<std::uint32_t, WorkId> parked_classes;  // to the one that failed
    WorkId preemptor = kNone;
    std::int64_t preemptor_generation = 0;
    bool sticky = false;
    bool by_usage = false;
  };

  double usage_of(LocalQueueId local) const { return local < usage_.size() ? usage_[local] : 0; }
  static Place place_of(const Works& works, WorkId work);
  bool before(const Works& works, const Line& line, const Place& a, const Place& b) const;
  void put(Line& line, std::size_t index, const Place& place) {
    line.active[index] = place;
    index_[place.work] = static_cast<std::uint32_t>(index);
  }
  void sift_up(const Works& works, Line& line, std::size_t index);
  /// Whether it moved.
  bool sift_down(const Works& works, Line& line, std::size_t index);
  void sift(const Works& works, Line& line, std::size_t index);
  void remove_active(Works& works, QueueId queue, std::size_t index);
  void remove_parked(Works& works, QueueId queue, std::size_t index);

  std::vector<Line> queues_;
  std::vector<std::uint32_t> index_;  // by WorkId: in Line::active or Line::parked
  std::vector<double> usage_;  // by LocalQueueId, may be shorter
};

/// Ties of time: real UIDs by their bytes, then, for workloads that the input gave none, the order of
/// arrival.
bool earlier_by_uid(const Work& a, const Work& b);

}  // namespace sluice::decide
