#include "decide/core.hpp"

#include <algorithm>

/// A workload's object is written by somebody else than the engine: its spec, labels or annotations change.
/// Source   Kueue pkg/controller/core/workload_controller.go Update, pkg/cache/queue/manager.go.
namespace sluice::decide {
namespace {

void keep_status(Workload& workload, const Workload& before) {
  workload.admitted_queue = before.admitted_queue;
  workload.assignments = before.assignments;
  workload.conditions = before.conditions;
  workload.checks = before.checks;
  workload.reclaimable = before.reclaimable;
  workload.requeue_at = before.requeue_at;
  workload.requeue_count = before.requeue_count;
  workload.past_run_seconds = before.past_run_seconds;
  workload.unhealthy_nodes = before.unhealthy_nodes;
}

bool is_same_spec(const Workload& a, const Workload& b) {
  return a.queue == b.queue && a.pod_sets == b.pod_sets && a.priority == b.priority &&
         a.priority_class == b.priority_class && a.priority_class_kind == b.priority_class_kind &&
         a.active == b.active && a.max_run_seconds == b.max_run_seconds &&
         a.preemption_gates == b.preemption_gates;
}

/// Some pod set has fewer pods than before, and none has more.
bool is_scaled_down(const Workload& before, const Workload& after) {
  bool fewer = false;
  for (const PodSet& was : before.pod_sets) {
    for (const PodSet& is : after.pod_sets) {
      if (is.name != was.name) continue;
      if (is.count > was.count) return false;
      fewer = fewer || is.count < was.count;
    }
  }
  return fewer;
}

}  // namespace

/// The workload's object, to change it.
Workload& Core::own_object(WorkId id) {
  Work& work = works[id];
  if (work.own == kNone) {
    work.own = static_cast<std::uint32_t>(submitted.size());
    submitted.push_back(*work.object);
    work.object = &submitted.back();
  }
  return submitted[work.own];
}

void Core::reshape(Work& work) {
  Shapes::Look look = shapes.intern(*work.object, work.name_space, cluster, cluster.resources, options.kueue);
  work.shape = look.shape;
  work.resources_valid = look.resources_valid;
  work.equivalence = shapes.equivalence(work.shape, work.priority);
}

void Core::apply(WorkId id, const Workload& object) {
  apply_spec(id, object, Status::stays);
}

/// `status`: of the same change of the object. Unless it stays, it decides what becomes of the workload.
void Core::apply_spec(WorkId id, const Workload& object, Status status) {
  Workload& own = own_object(id);
  Work& work = works[id];
  own.active = work.live;
  Workload before = own;
  own = object;
  keep_status(own, before);
  own.uid = before.uid;
  own.synthetic_uid = before.synthetic_uid;
  own.arrival = before.arrival;
  own.created = before.created;
  own.generation = before.generation;
  bool spec_changed = object.generation > before.generation || !is_same_spec(before, own);
  if (spec_changed) {
    own.generation = std::max(object.generation, before.generation + 1);
    work.text_is_old = true;
  }
  if (!spec_changed && own.labels == before.labels && own.annotations == before.annotations) return;

  workload_changed(work);
  work.gated = is_gated(own);
  find_replaced(work);
  read_gates(work);
  read_variant(work);
  if (own.pod_sets != before.pod_sets) {
    reshape(work);
    recharge(work);
  }
  bool prioritized = effective_priority(own) != work.priority;
  if (prioritized) {
    work.priority = effective_priority(own);
    work.score = work.priority;
    work.equivalence = shapes.equivalence(work.shape, work.priority);
  }
  if (!gates.preserve_scan_progress) work.progress.known = false;
  to_reconcile_.push_back(id);
  bool stays_out = work.finished || (!work.live && !own.active);
  bool is_finished = status == Status::finished || (status == Status::stays && work.finished);
  // Any change to one that is finished or deactivated does this.
  if (is_finished || (!work.live && !own.active)) wake_for(work);
  if (own.queue != before.queue) {
    if (work.queue != kNone) pending.erase(works, work.queue, id);
    work.progress.known = false;  // no queue knows how far the search of one that comes anew got
    work.progress.tried.clear();
    drop_charge(id);
    find_queue(work);
    read_variant(work);
    workload_changed(work);
  }
  if (stays_out || status != Status::stays) {
    work.live = own.active;
    return;
  }
  if (own.active != work.live) return set_active(id, own.active);
  if (work.reserved) {
    if (work.holds_in == kNone) return;
    ++generations[work.holds_in];
    bool by_class = before.priority_class_kind != "PriorityClass" &&
                    own.priority_class_kind == "WorkloadPriorityClass" &&
                    (before.priority_class != own.priority_class || prioritized);
    if (by_class || (gates.elastic_slices && is_scaled_down(before, own))) wake_for(work);
    return;
  }
  if (spec_changed || prioritized || work.place != Work::Place::parked) touch(id);
}

void Core::apply_status(WorkId id, const Workload& object) {
  bool finished = std::any_of(object.conditions.begin(), object.conditions.end(), [](const Condition& condition) {
    return condition.type == "Finished" && condition.status;
  });
  apply_spec(id, object, finished ? Status::finished : Status::other);
  Workload& own = own_object(id);
  Work& work = works[id];
  keep_status(own, object);
  if (work.finished && finished) return;  // nothing new
  workload_changed(work);
  bool was_reserved = work.reserved;
  bool was_admitted = work.admitted;
  const QueueId held_in = work.holds_in;
  const std::vector<Holding> held(work.holdings);
  const bool counts_differed = held_in != kNone && reported_[held_in].differs;
  drop_holding(id);
  forget_status(work);
  read_status(work);
  set_order_time(work);
  to_reconcile_.push_back(id);
  workload_changed(work);
  if (work.evicted && work.reserved) evicted_.push_back(id);
  if (work.finished || !work.live) {
    if (work.queue != kNone) pending.erase(works, work.queue, id);
    return wake_for(work);
  }
  if (work.holds_quota()) {
    begin_holding(id);
    bool is_same = held_in != kNone && work.holds_in == held_in && work.admitted == was_admitted &&
                   std::equal(held.begin(), held.end(), work.holdings.begin(), work.holdings.end());
    if (is_same) reported_[held_in].differs = counts_differed;  // its queue tells the same as before
    return;
  }
  touch(id);
  if (!was_reserved) return;
  seen_anew(work);
  wake_for(work);
}

}  // namespace sluice::decide
