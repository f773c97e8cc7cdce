#include <algorithm>

#include "decide/core.hpp"

namespace sluice::decide {

/// Pods that an entry of the assignment is charged for: without those that are done, and without those that an
/// elastic job has given up. A partial admission with fewer pods than are left is charged as it is.
/// Source   Kueue pkg/workload totalRequestsFromAdmission.
std::int64_t Core::charged_pods(const Work& work, std::size_t entry) const {
  const Workload& object = *work.object;
  const std::string& name = work.assigned_name(entry);
  std::int64_t left = 0;
  for (const PodSet& pod_set : object.pod_sets) {
    if (pod_set.name == name) left = pod_set.count;
  }
  if (auto done = object.reclaimable.find(name);
      gates.reclaimable_pods && done != object.reclaimable.end()) {
    left -= std::min<std::int64_t>(done->second, left);
  }
  return std::min(left, work.held_counts[entry]);
}

/// True if it is charged for something else than before.
bool Core::leave_out_done_pods(Work& work) const {
  bool changed = false;
  std::size_t entry = work.held_counts.size();
  std::int64_t pods = 0;
  for (Holding& holding : work.holdings) {
    if (holding.pod_set != entry) {  // those of a pod set follow one another
      entry = holding.pod_set;
      pods = charged_pods(work, entry);
    }
    Amount amount = scaled(holding.assigned, work.held_counts[entry], pods);
    changed = changed || amount != holding.amount;
    holding.amount = amount;
  }
  return changed;
}

/// After a change of its counts, or of the pods that are done.
void Core::recharge(Work& work) {
  bool holds = work.holds_quota() && work.holds_in != kNone;
  if (holds) preemptor_.remove_usage(work);
  bool changed = leave_out_done_pods(work);
  if (!holds) return;
  preemptor_.add_usage(work);
  if (changed) counts_changed(work.holds_in);
}

/// Source   Kueue pkg/controller/core WorkloadReconciler.Update.
void Core::set_reclaimable(WorkId id, const std::map<std::string, std::int32_t>& pods) {
  Work& work = works[id];
  std::map<std::string, std::int32_t> known;
  for (const PodSet& pod_set : work.object->pod_sets) {
    if (auto it = pods.find(pod_set.name); it != pods.end()) known.insert(*it);
  }
  if (work.object->reclaimable == known) return;
  own_object(id).reclaimable = known;
  workload_changed(work);
  recharge(work);
  reshape(work);
  if (!gates.preserve_scan_progress) work.progress.known = false;
  if (work.finished || !work.live) return wake_for(work);  // any change of such a workload does this
  to_reconcile_.push_back(id);
  if (work.holds_quota() && work.holds_in != kNone) {
    ++generations[work.holds_in];
    if (work.admitted) wake_for(work);
  } else if (!work.reserved) {
    touch(id);
  }
  if (rules != nullptr) tell_rules(id);
}

}  // namespace sluice::decide
