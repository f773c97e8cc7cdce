#include "decide/core.hpp"

namespace sluice::decide {

void Core::finish(WorkId id) {
  Work& work = works[id];
  if (work.finished) return;
  if (work.holds_quota() && work.holds_in != kNone) end_holding(id);
  work.finished = true;
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
  }
  if (rules != nullptr) tell_rules(id);
}

void Core::remove(WorkId id) {
  Work& work = works[id];
  if (work.holds_quota() && work.holds_in != kNone) end_holding(id);
  work.removed = true;
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
  }
  by_name.erase(name_of(work));
  if (rules != nullptr) tell_rules(id);
}

void Core::set_active(WorkId id, bool active) {
  Work& work = works[id];
  if (work.live == active) return;
  to_reconcile_.push_back(id);
  if (active) {
    work.live = true;
    if (work.finished) return wake_for(work);
    if (!work.reserved) return touch(id);
    begin_holding(id);
    return;
  }
  if (work.holds_quota() && work.holds_in != kNone) end_holding(id);
  work.live = false;
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
    counts_changed(work.queue);
  }
  if (rules != nullptr) tell_rules(id);
}

void Core::set_priority(WorkId id, std::int32_t priority) {
  Work& work = works[id];
  if (work.priority == priority) return;
  work.priority = priority;
  work.score = priority;
  work.equivalence = shapes.equivalence(work.shape, priority);
  if (work.finished || !work.live) return wake_for(work);  // any change of such a workload does this
  if (work.holds_quota() && work.holds_in != kNone) {
    ++generations[work.holds_in];
    // Kueue looks at this for WorkloadPriorityClasses only.
    if (work.object->priority_class_kind == "WorkloadPriorityClass") wake_for(work);
  } else if (!work.reserved) {
    touch(id);
  }
  to_reconcile_.push_back(id);
}

void Core::status_changed(WorkId id) {
  Work& work = works[id];
  if (work.finished || !work.live) return wake_for(work);
  if (work.holds_quota() && work.holds_in != kNone) ++generations[work.holds_in];
}

void Core::set_queue_stop(QueueId queue, StopPolicy policy) {
  if (cluster.queues[queue].stop == policy) return;
  cluster.set_stop(queue, policy);
  wake(queue);
  counts_changed(queue);
  for (WorkId id = 0; id < works.size(); ++id) {
    if (works[id].queue == queue || works[id].holds_in == queue) to_reconcile_.push_back(id);
  }
}

void Core::set_local_queue_stop(LocalQueueInfo& local, StopPolicy policy) {
  if (local.stop == policy) return;
  local.stop = policy;
  for (WorkId id = 0; id < works.size(); ++id) {
    Work& work = works[id];
    if (work.object->name_space != local.object->name_space || work.object->queue != local.object->name)
      continue;
    work.local_stop = policy;
    if (!work.reserved) touch(id);
    to_reconcile_.push_back(id);
  }
  if (local.queue != kNone) counts_changed(local.queue);
}

void Core::set_check(WorkId id, const std::string& check, CheckState state,
                     std::optional<std::int32_t> requeue_after) {
  Work& work = works[id];
  CheckId number = cluster.check_names.find(check);
  for (Check& listed : work.checks) {
    if (listed.check != number) continue;
    if (listed.state != state) listed.since = now;
    listed.state = state;
    listed.requeue_after_seconds = requeue_after;
    if (work.holds_quota() && work.holds_in != kNone) ++generations[work.holds_in];
    to_reconcile_.push_back(id);
  }
}

}  // namespace sluice::decide
