#include "decide/core.hpp"

namespace sluice::decide {

void Core::finish(WorkId id) {
  Work& work = works[id];
  if (work.finished) return;
  workload_changed(work);
  if (work.holds_quota()) end_holding(id);
  work.finished = true;
  drop_charge(id);
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
  }
  if (rules != nullptr) tell_rules(id);
}

void Core::remove(WorkId id) {
  Work& work = works[id];
  workload_changed(work);
  if (work.holds_quota()) end_holding(id);
  work.removed = true;
  drop_charge(id);
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
  }
  by_name.erase(works, id);
  if (rules != nullptr) tell_rules(id);
}

void Core::set_active(WorkId id, bool active) {
  Work& work = works[id];
  if (work.live == active) return;
  to_reconcile_.push_back(id);
  workload_changed(work);
  if (active) {
    work.live = true;
    if (work.finished) return wake_for(work);
    if (!work.reserved) return touch(id);
    begin_holding(id);
    return;
  }
  if (work.holds_quota()) end_holding(id);
  work.live = false;
  if (!work.reserved) drop_charge(id);
  if (work.queue != kNone) {
    pending.erase(works, work.queue, id);
    wake_for(work);
  }
  if (rules != nullptr) tell_rules(id);
}

void Core::status_changed(WorkId id) {
  Work& work = works[id];
  object_changed(work);
  if (work.holds_quota() && work.holds_in != kNone) ++generations[work.holds_in];
}

void Core::set_check(WorkId id, const CheckAnswer& answer) {
  Work& work = works[id];
  CheckId number = cluster.check_names.find(answer.check);
  for (Check& listed : work.checks) {
    if (listed.check != number) continue;
    bool is_same = listed.state == answer.state && listed.requeue_after_seconds == answer.requeue_after_seconds &&
                   listed.message == answer.message && listed.updates == answer.updates;
    if (is_same) return;  // no change of the object, so no event
    if (listed.state != answer.state) listed.since = now;
    listed.state = answer.state;
    listed.requeue_after_seconds = answer.requeue_after_seconds;
    listed.message = answer.message;
    listed.updates = answer.updates;
    to_reconcile_.push_back(id);
    status_changed(id);
  }
}

}  // namespace sluice::decide
