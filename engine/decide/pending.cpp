#include "decide/pending.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sluice::decide {

bool earlier_by_uid(const Work& a, const Work& b) {
  const Workload& x = *a.object;
  const Workload& y = *b.object;
  if (x.synthetic_uid != y.synthetic_uid) return y.synthetic_uid;
  if (x.synthetic_uid) return x.arrival < y.arrival;
  return x.uid < y.uid;
}

Pending::Place Pending::place_of(const Works& works, WorkId work) {
  return {works[work].score, works[work].order_time, work};
}

bool Pending::before(const Works& works, const Line& line, const Place& a, const Place& b) const {
  if (line.by_usage && works[a.work].local != works[b.work].local) {
    double x = usage_of(works[a.work].local);
    double y = usage_of(works[b.work].local);
    if (x != y) return x < y;
  }
  if (line.sticky && line.preemptor != kNone && a.work != b.work) {
    if (line.preemptor == a.work) return true;
    if (line.preemptor == b.work) return false;
  }
  if (a.score != b.score) return a.score > b.score;
  if (a.time != b.time) return a.time < b.time;
  return earlier_by_uid(works[a.work], works[b.work]);
}

bool Pending::before(const Works& works, QueueId queue, WorkId a, WorkId b) const {
  return before(works, queues_[queue], place_of(works, a), place_of(works, b));
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

std::vector<WorkId> Pending::active(QueueId queue) const {
  std::vector<WorkId> ids;
  ids.reserve(queues_[queue].active.size());
  for (const Place& place : queues_[queue].active) ids.push_back(place.work);
  return ids;
}

std::vector<WorkId> Pending::in_order(const Works& works, QueueId queue) const {
  std::vector<WorkId> sorted = active(queue);
  std::sort(sorted.begin(), sorted.end(), [&](WorkId a, WorkId b) { return before(works, queue, a, b); });
  return sorted;
}

void Pending::sift_up(const Works& works, Line& line, std::size_t index) {
  const Place moving = line.active[index];
  while (index > 0) {
    std::size_t parent = (index - 1) / 2;
    if (!before(works, line, moving, line.active[parent])) break;
    put(line, index, line.active[parent]);
    index = parent;
  }
  put(line, index, moving);
}

bool Pending::sift_down(const Works& works, Line& line, std::size_t index) {
  const Place moving = line.active[index];
  const std::size_t from = index;
  while (true) {
    std::size_t child = 2 * index + 1;
    if (child >= line.active.size()) break;
    if (child + 1 < line.active.size() && before(works, line, line.active[child + 1], line.active[child])) ++child;
    if (!before(works, line, line.active[child], moving)) break;
    put(line, index, line.active[child]);
    index = child;
  }
  put(line, index, moving);
  return index != from;
}

void Pending::sift(const Works& works, Line& line, std::size_t index) {
  if (!sift_down(works, line, index)) sift_up(works, line, index);
}

void Pending::remove_active(Works& works, QueueId queue, std::size_t index) {
  Line& line = queues_[queue];
  works[line.active[index].work].place = Work::Place::nowhere;
  line.active_order.erase(line.active[index].work);
  Place last = line.active.back();
  line.active.pop_back();
  if (index == line.active.size()) return;
  put(line, index, last);
  sift(works, line, index);
}

void Pending::remove_parked(Works& works, QueueId queue, std::size_t index) {
  std::vector<WorkId>& parked = queues_[queue].parked;
  works[parked[index]].place = Work::Place::nowhere;
  queues_[queue].parked_order.erase(parked[index]);
  parked[index] = parked.back();
  parked.pop_back();
  if (index < parked.size()) index_[parked[index]] = static_cast<std::uint32_t>(index);
}

void Pending::unpark(Works& works, QueueId queue, WorkId work) {
  remove_parked(works, queue, index_[work]);
  push(works, queue, work);
}

WorkId Pending::pop(Works& works, QueueId queue) {
  WorkId first = this->first(queue);
  remove_active(works, queue, 0);
  works[first].place = Work::Place::in_flight;
  return first;
}

void Pending::push(Works& works, QueueId queue, WorkId work) {
  assert(std::as_const(works)[work].place != Work::Place::active);
  assert(std::as_const(works)[work].place != Work::Place::parked);
  Line& line = queues_[queue];
  works[work].place = Work::Place::active;
  if (index_.size() < works.size()) index_.resize(works.size());
  line.active.push_back(place_of(works, work));
  line.active_order.insert(work);
  sift_up(works, line, line.active.size() - 1);
}

void Pending::park(Works& works, QueueId queue, WorkId work) {
  assert(std::as_const(works)[work].place != Work::Place::active);
  assert(std::as_const(works)[work].place != Work::Place::parked);
  std::vector<WorkId>& parked = queues_[queue].parked;
  works[work].place = Work::Place::parked;
  if (index_.size() < works.size()) index_.resize(works.size());
  index_[work] = static_cast<std::uint32_t>(parked.size());
  parked.push_back(work);
  queues_[queue].parked_order.insert(work);
}

void Pending::take(Works& works, QueueId queue, WorkId work) {
  switch (works[work].place) {
    case Work::Place::active:
      remove_active(works, queue, index_[work]);
      break;
    case Work::Place::parked:
      remove_parked(works, queue, index_[work]);
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
  if (std::as_const(works)[work].place != Work::Place::active) return;
  Line& line = queues_[queue];
  line.active[index_[work]] = place_of(works, work);
  sift(works, line, index_[work]);
}

void Pending::reorder_local(Works& works, QueueId queue, const std::string& local_queue) {
  for (WorkId id : queues_[queue].active_order.sorted(active(queue))) {
    if (std::as_const(works)[id].object->queue == local_queue) reorder(works, queue, id);
  }
}

void Pending::rebuild(Works& works, QueueId queue) {
  for (WorkId id : queues_[queue].active_order.sorted(active(queue))) reorder(works, queue, id);
}

void Pending::reorder_all(Works& works, QueueId queue) {
  std::vector<WorkId> sorted = in_order(works, queue);
  for (std::size_t i = 0; i < sorted.size(); ++i) put(queues_[queue], i, place_of(works, sorted[i]));
}

void Pending::park_class(Works& works, QueueId queue, std::uint32_t equivalence, WorkId tried) {
  Line& line = queues_[queue];
  line.parked_classes[equivalence] = tried;
  std::vector<WorkId> equal;
  for (const Place& place : line.active) {
    if (std::as_const(works)[place.work].equivalence == equivalence) equal.push_back(place.work);
  }
  for (WorkId id : line.active_order.sorted(std::move(equal))) {
    remove_active(works, queue, index_[id]);
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
