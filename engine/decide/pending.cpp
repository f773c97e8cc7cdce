#include "decide/pending.hpp"

#include <algorithm>
#include <cassert>

namespace sluice::decide {

bool earlier_by_uid(const Work& a, const Work& b) {
  const Workload& x = *a.object;
  const Workload& y = *b.object;
  if (x.synthetic_uid != y.synthetic_uid) return y.synthetic_uid;
  if (x.synthetic_uid) return x.arrival < y.arrival;
  return x.uid < y.uid;
}

bool Pending::before(const Works& works, QueueId queue, WorkId a, WorkId b) const {
  const Line& line = queues_[queue];
  if (line.by_usage && works[a].local != works[b].local) {
    double x = usage_of(works[a].local);
    double y = usage_of(works[b].local);
    if (x != y) return x < y;
  }
  if (line.sticky && line.preemptor != kNone && a != b) {
    if (line.preemptor == a) return true;
    if (line.preemptor == b) return false;
  }
  const Work& x = works[a];
  const Work& y = works[b];
  if (x.score != y.score) return x.score > y.score;
  if (x.order_time != y.order_time) return x.order_time < y.order_time;
  return earlier_by_uid(x, y);
}

void Pending::renumber(const std::vector<QueueId>& to, std::size_t queues) {
  std::vector<Line> before(queues);
  before.swap(queues_);
  for (QueueId id = 0; id < before.size(); ++id) {
    if (to[id] == kNone) {
      assert(before[id].active.empty() && before[id].parked.empty());
      continue;
    }
    queues_[to[id]] = std::move(before[id]);
  }
}

std::vector<WorkId> Pending::in_order(const Works& works, QueueId queue) const {
  std::vector<WorkId> sorted = queues_[queue].active;
  std::sort(sorted.begin(), sorted.end(), [&](WorkId a, WorkId b) { return before(works, queue, a, b); });
  return sorted;
}

void Pending::sift_up(Works& works, QueueId queue, std::size_t index) {
  std::vector<WorkId>& heap = queues_[queue].active;
  WorkId moving = heap[index];
  while (index > 0) {
    std::size_t parent = (index - 1) / 2;
    if (!before(works, queue, moving, heap[parent])) break;
    heap[index] = heap[parent];
    works[heap[index]].heap_index = static_cast<std::uint32_t>(index);
    index = parent;
  }
  heap[index] = moving;
  works[moving].heap_index = static_cast<std::uint32_t>(index);
}

bool Pending::sift_down(Works& works, QueueId queue, std::size_t index) {
  std::vector<WorkId>& heap = queues_[queue].active;
  WorkId moving = heap[index];
  const std::size_t from = index;
  while (true) {
    std::size_t child = 2 * index + 1;
    if (child >= heap.size()) break;
    if (child + 1 < heap.size() && before(works, queue, heap[child + 1], heap[child])) ++child;
    if (!before(works, queue, heap[child], moving)) break;
    heap[index] = heap[child];
    works[heap[index]].heap_index = static_cast<std::uint32_t>(index);
    index = child;
  }
  heap[index] = moving;
  works[moving].heap_index = static_cast<std::uint32_t>(index);
  return index != from;
}

void Pending::sift(Works& works, QueueId queue, std::size_t index) {
  if (!sift_down(works, queue, index)) sift_up(works, queue, index);
}

void Pending::remove_active(Works& works, QueueId queue, std::size_t index) {
  std::vector<WorkId>& heap = queues_[queue].active;
  works[heap[index]].place = Work::Place::nowhere;
  queues_[queue].active_order.erase(heap[index]);
  WorkId last = heap.back();
  heap.pop_back();
  if (index == heap.size()) return;
  heap[index] = last;
  works[last].heap_index = static_cast<std::uint32_t>(index);
  sift(works, queue, index);
}

void Pending::remove_parked(Works& works, QueueId queue, std::size_t index) {
  std::vector<WorkId>& parked = queues_[queue].parked;
  works[parked[index]].place = Work::Place::nowhere;
  queues_[queue].parked_order.erase(parked[index]);
  parked[index] = parked.back();
  parked.pop_back();
  if (index < parked.size()) works[parked[index]].heap_index = static_cast<std::uint32_t>(index);
}

void Pending::unpark(Works& works, QueueId queue, WorkId work) {
  remove_parked(works, queue, works[work].heap_index);
  push(works, queue, work);
}

WorkId Pending::pop(Works& works, QueueId queue) {
  WorkId first = queues_[queue].active.front();
  remove_active(works, queue, 0);
  works[first].place = Work::Place::in_flight;
  return first;
}

void Pending::push(Works& works, QueueId queue, WorkId work) {
  assert(works[work].place != Work::Place::active && works[work].place != Work::Place::parked);
  works[work].place = Work::Place::active;
  queues_[queue].active.push_back(work);
  queues_[queue].active_order.insert(work);
  sift_up(works, queue, queues_[queue].active.size() - 1);
}

void Pending::park(Works& works, QueueId queue, WorkId work) {
  assert(works[work].place != Work::Place::active && works[work].place != Work::Place::parked);
  works[work].place = Work::Place::parked;
  works[work].heap_index = static_cast<std::uint32_t>(queues_[queue].parked.size());
  queues_[queue].parked.push_back(work);
  queues_[queue].parked_order.insert(work);
}

void Pending::take(Works& works, QueueId queue, WorkId work) {
  switch (works[work].place) {
    case Work::Place::active:
      remove_active(works, queue, works[work].heap_index);
      break;
    case Work::Place::parked:
      remove_parked(works, queue, works[work].heap_index);
      break;
    case Work::Place::in_flight:
    case Work::Place::nowhere:
      break;
  }
  works[work].place = Work::Place::nowhere;
}

void Pending::erase(Works& works, QueueId queue, WorkId work) {
  take(works, queue, work);
  Line& line = queues_[queue];
  if (line.preemptor == work) {
    line.preemptor = kNone;
    line.sticky = false;
  }
}

void Pending::reorder(Works& works, QueueId queue, WorkId work) {
  if (works[work].place != Work::Place::active) return;
  sift(works, queue, works[work].heap_index);
}

void Pending::reorder_local(Works& works, QueueId queue, const std::string& local_queue) {
  for (WorkId id : queues_[queue].active_order.sorted(queues_[queue].active)) {
    if (works[id].object->queue == local_queue) sift(works, queue, works[id].heap_index);
  }
}

void Pending::rebuild(Works& works, QueueId queue) {
  for (WorkId id : queues_[queue].active_order.sorted(queues_[queue].active)) sift(works, queue, works[id].heap_index);
}

void Pending::reorder_all(Works& works, QueueId queue) {
  std::vector<WorkId> sorted = in_order(works, queue);
  for (std::size_t i = 0; i < sorted.size(); ++i) works[sorted[i]].heap_index = static_cast<std::uint32_t>(i);
  queues_[queue].active = std::move(sorted);
}

void Pending::park_class(Works& works, QueueId queue, std::uint32_t equivalence, WorkId tried) {
  Line& line = queues_[queue];
  line.parked_classes[equivalence] = tried;
  std::vector<WorkId> equal;
  for (WorkId id : line.active_order.sorted(line.active)) {
    if (works[id].equivalence == equivalence) equal.push_back(id);
  }
  for (WorkId id : equal) {
    remove_active(works, queue, works[id].heap_index);
    park(works, queue, id);
  }
}

void Pending::set_preemptor(QueueId queue, WorkId work, std::int64_t generation, bool sticky) {
  Line& line = queues_[queue];
  line.preemptor = work;
  line.preemptor_generation = generation;
  line.sticky = sticky;
}

}  // namespace sluice::decide
