#include <algorithm>
#include <cmath>

#include "decide/core.hpp"
#include "decide/fair_share.hpp"

// Who is put into a queue, who is woken there by what happens to others, and when something is due by itself.
// Source: Kueue pkg/cache/queue manager.go, pkg/controller/core.
namespace sluice::decide {

bool Core::backoff_over(const Work& work) const {
  if (work.requeued == Work::Requeued::no) return false;
  return !work.requeue_at || now >= *work.requeue_at;
}

/// Puts a workload that is in no place into its queue, as Kueue does with a new or changed one.
void Core::enqueue(WorkId id) {
  Work& work = works[id];
  if (!work.is_queueable()) return;
  work.seen_in = work.local;
  if (work.place != Work::Place::nowhere) return;
  if (!backoff_over(work) ||
      (!cluster.queues[work.queue].strict && pending.is_parked_class(work.queue, work.equivalence))) {
    pending.park(works, work.queue, id);
  } else {
    pending.push(works, work.queue, id);
  }
}

/// Wants quota and is in no place; any change of its object brings it to its queue.
bool Core::is_waiting(WorkId id) const {
  const Work& work = works[id];
  return work.place == Work::Place::nowhere && work.is_queueable();
}

/// Something about a waiting workload changed that may make it admissible or move it in the order.
void Core::touch(WorkId id) {
  Work& work = works[id];
  set_order_time(work);
  if (work.is_admissible()) see(work);
  if (work.queue == kNone) return;
  if (!work.is_queueable()) {
    pending.erase(works, work.queue, id);
    return;
  }
  switch (work.place) {
    case Work::Place::active:
      pending.reorder(works, work.queue, id);
      break;
    case Work::Place::in_flight:
      if (open_cycle_) open_cycle_->listed.insert(id);
      break;
    case Work::Place::parked:
      pending.take(works, work.queue, id);
      enqueue(id);
      break;
    case Work::Place::nowhere:
      enqueue(id);
      break;
  }
}

void Core::wake(QueueId queue) {
  woken_roots_.insert(cluster.tree.root(cluster.queues[queue].node));
}

/// One that comes back at once is seen in the LocalQueue that it names now, before it wakes anybody.
void Core::seen_anew(Work& work) const {
  if (!work.live || work.finished || (work.requeue_at && *work.requeue_at > now)) return;
  see(work);
}

/// Kueue's queue manager looks at where a workload belongs: it forgets where it has seen it if that is another LocalQueue.
void Core::see(Work& work) {
  bool is_open = work.has_local_queue && work.local_stop == StopPolicy::none;
  if (is_open || work.seen_in != work.local) work.seen_in = is_open ? work.local : kNone;
}

/// Kueue finds the tree through the workload's LocalQueue, which it forgets when it is stopped.
void Core::wake_for(const Work& work) {
  if (work.seen_in == kNone) return;
  auto local = cluster.local_queues.find(cluster.local_names[work.seen_in]);
  if (local == cluster.local_queues.end() || local->second.stop != StopPolicy::none) return;
  if (local->second.queue != kNone) wake(local->second.queue);
}

void Core::counts_changed(QueueId queue) {
  if (queue != kNone && is_reported(queue)) reported_[queue].differs = true;
  look_at_counts(queue);
}

void Core::look_at_counts(QueueId queue) {
  if (queue != kNone && is_reported(queue)) to_report_.insert(queue);
}

/// Whether the status of a queue is followed: where it wakes a tree and, for the share in it, with fair sharing. That one
/// stays as it was written last until something happens in the queue.
bool Core::is_reported(QueueId queue) const {
  return options.kueue.fair_sharing.has_value() || cluster.queues[queue].counts_wake_tree;
}

/// Any change of an object: of one that is finished or deactivated it wakes the tree, a waiting one loses where its search
/// for flavors stopped.
void Core::object_changed(Work& work) {
  workload_changed(work);
  if (work.finished || !work.live) return wake_for(work);
  if (work.reserved || gates.preserve_scan_progress) return;
  work.progress.known = false;
  work.progress.tried.clear();
}

/// Kueue finds the queue of a workload that has no quota through its LocalQueue, if that is not stopped.
void Core::workload_changed(const Work& work) {
  if (local_usage) local_usage->mark(work.local);
  look_at_counts(work.reserved && work.holds_in != kNone ? work.holds_in : work.open_queue());
}

/// What the status of a queue says now.
Core::Reported Core::report_of(QueueId queue) const {
  std::size_t waiting = pending.active_count(queue) + pending.parked(queue).size() + heads_in_flight(queue);
  double share = options.kueue.fair_sharing ? std::ceil(FairShares(cluster).of(cluster.queues[queue].node).value()) : 0;
  return {waiting, share, false};
}

/// The status of queues is written if it has changed, which has the cohorts above reconciled.
void Core::report_counts() {
  std::set<QueueId> queues;
  queues.swap(to_report_);
  for (QueueId queue : queues) {
    Reported& reported = reported_[queue];
    Reported current = report_of(queue);
    if (!reported.differs && reported.waiting == current.waiting && reported.share == current.share) continue;
    reported = current;
    if (!cluster.queues[queue].counts_wake_tree) continue;
    if (cluster.terminating.contains(cluster.queues[queue].object->name)) continue;  // its cohorts are not told
    ++tree_generations[cluster.tree.root(cluster.queues[queue].node)];
    wake(queue);
  }
}

/// Kueue's controller of ClusterQueues comes before that of workloads.
void Core::reconcile_queues() {
  report_counts();
  if (!cluster.terminating.empty() && drop_empty_queues()) report_counts();
}

/// Workloads whose back-off is over, and parked ones about which a rule may now say something else.
void Core::wake_due() {
  if (local_usage) local_usage->mark_due(now);
  for (WorkId id : timers_.take_due(now)) to_reconcile_.push_back(id);
  while (!due_.empty() && due_.begin()->first <= now) {
    WorkId id = due_.begin()->second;
    due_.erase(due_.begin());
    Work& work = works[id];
    if (!work.rules_due || *work.rules_due > now) continue;
    work.rules_due.reset();
    if (work.place == Work::Place::parked) pending.unpark(works, work.queue, id);
  }
}

/// Remembers when a rule may answer otherwise. Entries that no longer hold are passed over.
void Core::note_due(WorkId id) {
  if (works[id].rules_due) due_.emplace(*works[id].rules_due, id);
}

std::optional<Instant> Core::next_due() const {
  std::optional<Instant> next = next_due_of_controllers();
  for (const auto& [uid, family] : families_) {
    if (family.due && *family.due > now && (!next || *family.due < *next)) next = family.due;
  }
  return next;
}

std::optional<Instant> Core::next_due_of_controllers() const {
  std::optional<Instant> timer = timers_.next_after(now);
  if (local_usage) {
    if (auto sample = local_usage->next_due(); sample && (!timer || *sample < *timer)) timer = sample;
  }
  for (auto it = due_.upper_bound({now, kNone}); it != due_.end(); ++it) {
    const Work& work = works[it->second];
    bool waits = work.place == Work::Place::parked || work.place == Work::Place::active;
    if (work.finished || work.removed || !waits || work.rules_due != it->first) continue;
    return timer && *timer < it->first ? timer : std::optional(it->first);
  }
  return timer;
}

}  // namespace sluice::decide
