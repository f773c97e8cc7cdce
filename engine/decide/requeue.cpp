#include <functional>
#include <string>
#include <utility>

#include "decide/core.hpp"
#include "decide/mix.hpp"

/// Where a head goes that was not admitted, and what its condition says.
namespace sluice::decide {

void Core::put_back(Entry& entry) {
  if (entry.second_pass) {
    queue_second_pass(entry.work, entry.iteration, entry.pods);
    return;
  }
  requeue(entry, entry.work, false);
  say_decision(entry, entry.work);
}

void Core::requeue(Entry& entry, WorkId id, bool woken) {
  Work& work = works[id];
  if (work.place == Work::Place::in_flight) work.place = Work::Place::nowhere;
  const bool is_back = work.place != Work::Place::nowhere;
  const Queue& queue = cluster.queues[work.queue];
  bool by_rule = entry.outcome == Outcome::held || entry.outcome == Outcome::denied;
  if (entry.refusal == HeadRefusal::none && !is_back) {
    if (entry.keeps_progress && !by_rule) {
      std::swap(work.progress, entry.assignment.progress);
    } else {
      work.progress.known = false;
      work.progress.tried.clear();
    }
  }
  work.held = entry.outcome == Outcome::held;
  work.denied = entry.outcome == Outcome::denied;
  work.held_until = by_rule ? entry.answer.until : std::nullopt;
  if (entry.outcome == Outcome::gated) work.blocked_on_gates = true;
  bool awaits_others =
      entry.requeue == Requeue::pending_preemption || entry.requeue == Requeue::pending_migration;
  if (awaits_others) {
    pending.set_preemptor(work.queue, id, work.object->generation, !queue.strict);
  }
  if (work.place == Work::Place::active) return;
  bool immediate = queue.strict ? entry.requeue != Requeue::namespace_mismatch
                                : entry.requeue == Requeue::failed_after_nomination || awaits_others ||
                                      entry.requeue == Requeue::preemption_failed;
  const Progress& progress = is_back && entry.keeps_progress ? entry.assignment.progress : work.progress;
  bool goes_on = progress.known && progress.has_pending_flavors();
  bool goes_in = !by_rule && backoff_over(work) && (immediate || goes_on || woken);
  if (is_back) {
    if (goes_in) pending.unpark(works, work.queue, id);
  } else if (goes_in) {
    pending.push(works, work.queue, id);
  } else {
    pending.park(works, work.queue, id);
    if (by_rule) return;
    bool of_class = entry.requeue == Requeue::no_fit || entry.requeue == Requeue::preemption_no_candidates;
    // Rules may tell equal workloads apart.
    if (gates.scheduling_equivalence_hashing && of_class && !queue.strict && rules == nullptr) {
      pending.park_class(works, work.queue, work.equivalence, id);
    }
  }
}

/// Writes into the condition of a head why it was not admitted.
void Core::say_decision(const Entry& entry, WorkId id) {
  Work& work = works[id];
  std::uint64_t key = text_key(entry);
  if (!work.says(key)) {
    workload_changed(work);
    // The condition changes, and any change of the object makes Kueue forget the progress.
    if (!gates.preserve_scan_progress) {
      work.progress.known = false;
      work.progress.tried.clear();
    }
    if (work.queue != kNone) pending.reorder(works, work.queue, id);  // as with any change of a waiting workload
  }
  work.set_text(key);
  work.no_quota = NoQuota::decided;
  if (entry.outcome == Outcome::gated && gates.admission_gated_by && gates.observability) {
    // The reason is that of the annotation, and whoever looks after that one takes it back.
    work.no_quota = NoQuota::gated;
    to_reconcile_.push_back(id);
  }
  if (rules != nullptr) tell_rules(id);
}

/// A number for what the condition of a head that was not admitted says.
std::uint64_t Core::text_key(const Entry& entry) const {
  std::uint64_t key =
      mix(1, static_cast<std::uint64_t>(entry.outcome) * 256 + static_cast<std::uint64_t>(entry.skip));
  key = mix(key, static_cast<std::uint64_t>(entry.refusal));
  if (entry.outcome == Outcome::skipped || entry.outcome == Outcome::waiting_for_preemption) return key;
  key = mix(key, entry.targets.size());
  for (std::size_t i = 0; i < entry.assignment.pod_sets.size(); ++i) {
    const PodSetResult& pod_set = entry.assignment.pod_sets[i];
    if (!pod_set.evaluated) break;
    key = mix(key, pod_set.uncovered);
    std::uint64_t reasons = 0;  // sorted in the text: their sum does not depend on the order
    for (std::uint32_t a = pod_set.first_attempt; a < pod_set.first_attempt + pod_set.attempts; ++a) {
      const Attempt& attempt = entry.assignment.attempts[a];
      if (!attempt.blocking) continue;
      // Of errors only the first is told.
      if (attempt.refusal == FlavorAttempt::Refusal::affinity_invalid) return mix(mix(5, i), attempt.flavor) | 1;
      if (attempt.refusal != FlavorAttempt::Refusal::none) {
        reasons += mix(mix(2, attempt.flavor), static_cast<std::uint64_t>(attempt.refusal));
      }
      for (std::uint32_t t = attempt.first_trial; t < attempt.first_trial + attempt.trials; ++t) {
        const Trial& trial = entry.assignment.trials[t];
        if (trial.leaves_slice) reasons += mix(mix(4, attempt.flavor), trial.slice_flavor);
        if (trial.verdict == ResourceTrial::Verdict::fits) continue;
        std::uint64_t reason = mix(mix(3, attempt.flavor), trial.resource);
        bool exceeds = trial.verdict == ResourceTrial::Verdict::exceeds_capacity;
        reason = mix(reason, static_cast<std::uint64_t>((exceeds ? trial.assumed : trial.short_by).value()));
        if (exceeds) reason = mix(reason, static_cast<std::uint64_t>(trial.capacity.value()));
        reasons += mix(reason, exceeds ? 1 : 0);
      }
    }
    key = mix(key, reasons);
    key = mix(key, static_cast<std::uint64_t>(pod_set.placement_error));
    if (pod_set.placement_failure < 0) continue;
    const PlacementFailure& failure =
        entry.assignment.placement_failures[static_cast<std::size_t>(pod_set.placement_failure)];
    key = mix(mix(key, static_cast<std::uint64_t>(failure.kind) * 2 + (failure.in_slices ? 1 : 0)),
              static_cast<std::uint64_t>(failure.fits));
    for (const PlacementFailure::Exclusion& e : failure.excluded)
      key = mix(key, std::hash<std::string>()(e.name) + static_cast<std::uint64_t>(e.nodes));
    for (const PlacementFailure::Layer& layer : failure.layers)
      key = mix(key, static_cast<std::uint64_t>(layer.fits));
  }
  return key | 1;
}

}  // namespace sluice::decide
