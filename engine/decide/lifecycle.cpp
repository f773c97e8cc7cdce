#include <algorithm>
#include <tuple>
#include <utility>

#include "decide/core.hpp"
#include "decide/view.hpp"

namespace sluice::decide {
namespace {

/// When a controller that failed looks again. A real one starts with milliseconds; nothing is decided by it but the
/// moment.
constexpr Duration kErrorRetry = Duration::seconds(5);

std::string_view kueue_name(CheckState state) {
  switch (state) {
    case CheckState::pending:
      return "Pending";
    case CheckState::ready:
      return "Ready";
    case CheckState::retry:
      return "Retry";
    case CheckState::rejected:
      return "Rejected";
  }
  return {};
}

}  // namespace

void Core::begin_holding(WorkId id) {
  Work& work = works[id];
  if (work.queue != kNone) pending.erase(works, work.queue, id);
  if (work.holds_in == kNone) return;  // its queue is gone
  reserving[work.holds_in].push_back(id);
  if (!work.placements.empty()) placer_.resolve(work);
  preemptor_.add_usage(work);
  ++generations[work.holds_in];
  counts_changed(work.holds_in);
  to_reconcile_.push_back(id);
  if (rules != nullptr) tell_rules(id);
}

/// Takes its usage away and has the parked workloads of the tree tried again.
void Core::end_holding(WorkId id) {
  if (drop_holding(id)) wake_for(works[id]);
}

/// Takes its usage away; false if it had none.
bool Core::drop_holding(WorkId id) {
  Work& work = works[id];
  if (work.holds_in == kNone) return false;  // in a queue that does not exist
  std::vector<WorkId>& list = reserving[work.holds_in];
  auto it = std::find(list.begin(), list.end(), id);
  if (it == list.end()) return false;
  *it = list.back();
  list.pop_back();
  preemptor_.remove_usage(work);
  ++generations[work.holds_in];
  counts_changed(work.holds_in);
  return true;
}

/// Writes spec.active as Kueue does it itself.
void Core::deactivate(WorkId id) {
  works[id].live = false;
  own_object(id).active = false;
}

void Core::evict(WorkId id, EvictionReason reason) {
  Work& work = works[id];
  work.evicted = true;
  work.eviction = reason;
  work.evicted_at = now;
  set_order_time(work);
  work.unhealthy_nodes.clear();
  for (Check& check : work.checks) {
    if (check.state == CheckState::pending) continue;
    // Only a check that asks for a retry keeps the count.
    check.retry_count = check.state == CheckState::retry ? check.retry_count + 1 : 0;
    check.message = std::string("Reset to Pending after eviction. Previously: ").append(kueue_name(check.state));
    check.state = CheckState::pending;
    check.since = now;
    check.updates.clear();
  }
  work.blocked_on_gates = false;
  for (PreemptionGateState& gate : work.preemption_gates) gate = {gate.name, false, now};
  if (work.holds_in != kNone) ++generations[work.holds_in];
  workload_changed(work);
  evicted_.push_back(id);
  to_reconcile_.push_back(id);
}

void Core::set_requeued(Work& work, Work::Requeued value) const {
  if (work.requeued != value) work.queued_since = now;
  work.requeued = value;
}

/// The pods of an evicted workload are gone: it gives its quota back and waits again.
void Core::release(WorkId id) {
  Work& work = works[id];
  bool at_once = work.eviction == EvictionReason::preempted || work.eviction == EvictionReason::node_failures;
  set_requeued(work, at_once ? Work::Requeued::yes : Work::Requeued::no);
  work.requeued_reason = work.eviction;
  seen_anew(work);
  if (work.holds_quota()) end_holding(id);
  work.reserved = false;
  end_admission(work);
  work.forget_assignment();
  second_passes_.erase(id);
  work.rule_checks.clear();
  work.progress = {};
  work.set_text(1 + static_cast<std::uint64_t>(work.eviction));
  work.no_quota = NoQuota::evicted;
  set_order_time(work);
  if (!work.live) drop_charge(id);
  if (work.is_queueable() && (!work.requeue_at || *work.requeue_at <= now)) enqueue(id);
  to_reconcile_.push_back(id);
  if (rules != nullptr) tell_rules(id);
}

/// Lists the checks that the assignment needs or, before one, those that every flavor of the queue needs.
bool Core::sync_checks(Work& work) {
  QueueId id = work.open_queue();
  if (id == kNone) return false;
  const Queue& queue = cluster.queues[id];
  std::vector<CheckId> wanted;
  for (const CheckRule& rule : queue.checks) {
    bool applies = rule.every_flavor;
    if (work.reserved) {
      applies = std::any_of(work.holdings.begin(), work.holdings.end(), [&](const Holding& h) {
        return std::binary_search(rule.flavors.begin(), rule.flavors.end(), h.flavor);
      });
    }
    if (applies) wanted.push_back(rule.check);
  }
  wanted.insert(wanted.end(), work.rule_checks.begin(), work.rule_checks.end());
  bool changed = erase_if(work.checks, [&](const Check& check) {
                   return std::find(wanted.begin(), wanted.end(), check.check) == wanted.end();
                 }) > 0;
  for (CheckId check : wanted) {
    bool listed =
        std::any_of(work.checks.begin(), work.checks.end(), [&](const Check& c) { return c.check == check; });
    if (listed) continue;
    work.checks.push_back({check, CheckState::pending, now, {}, 0, {}, {}});
    changed = true;
  }
  if (changed) {
    std::sort(work.checks.begin(), work.checks.end(), [&](const Check& a, const Check& b) {
      return cluster.check_names.text(a.check) < cluster.check_names.text(b.check);
    });
  }
  return changed;
}

/// Remembers the checks whose answer ends the reservation.
void Core::note_checks(Work& work, CheckState state) const {
  work.failed_checks.clear();
  for (const Check& check : work.checks) {
    if (check.state == state) work.failed_checks.push_back({cluster.check_names.text(check.check), check.message});
  }
}

/// What Kueue's controllers do about one workload; true if something changed. Repeated until nothing does.
bool Core::reconcile(WorkId id) {
  Work& work = works[id];
  if (work.finished || work.removed) return false;
  auto updated = [&] {
    if (work.holds_quota() && work.holds_in != kNone) ++generations[work.holds_in];
    return true;
  };

  std::optional<Instant> retry_at;
  for (const Check& check : work.checks) {
    if (check.state != CheckState::retry || !check.requeue_after_seconds) continue;
    Instant at = check.since + Duration::seconds(*check.requeue_after_seconds);
    if (!retry_at || *retry_at < at) retry_at = at;
  }
  if (retry_at && *retry_at > now && (!work.requeue_at || *work.requeue_at < *retry_at)) {
    work.requeue_at = retry_at;
    return updated();
  }

  if (work.live && work.deactivation_target != EvictionReason::none) {
    deactivate(id);
    end_holding(id);
    if (work.queue != kNone) pending.erase(works, work.queue, id);
    wake_for(work);
    return true;
  }
  if (work.live) {
    if (work.requeue_at) {
      if (*work.requeue_at > now) {
        timers_.set(id, *work.requeue_at);
        return false;
      }
      if (!work.reserved) {
        work.requeue_at.reset();
        // Kueue's controller fails here where there is no queue to put it into, and looks again.
        if (work.is_admissible() && work.open_queue() == kNone) timers_.set(id, now + kErrorRetry);
        enqueue(id);  // a parked one stays where it is
        return true;
      }
    }
    if (work.requeued == Work::Requeued::no) {
      bool over = work.requeued_reason == EvictionReason::admission_check ||
                  work.requeued_reason == EvictionReason::pods_ready_timeout;
      bool reactivated = work.requeued_reason == EvictionReason::deactivated;
      if (over) work.requeue_at.reset();
      if (over || reactivated) {
        set_requeued(work, Work::Requeued::yes);
        touch(id);
        return updated();
      }
    }
  } else {
    if (!work.evicted) {
      work.requeue_at.reset();
      work.requeue_count = 0;
      end_holding(id);
      bool by_itself = work.deactivation_target == EvictionReason::none;
      evict(id, by_itself ? EvictionReason::deactivated : work.deactivation_target);
      work.deactivation_target = EvictionReason::none;
      return true;
    }
    if (work.requeue_at || work.requeue_count > 0) {
      work.requeue_at.reset();
      work.requeue_count = 0;
      work.deactivation_target = EvictionReason::none;
      return true;
    }
  }

  bool local_exists = work.has_local_queue;
  StopPolicy local_stop = work.local_stop;
  if (local_exists && local_stop == StopPolicy::none && work.requeued == Work::Requeued::no &&
      work.requeued_reason == EvictionReason::local_queue_stopped) {
    set_requeued(work, Work::Requeued::yes);
    touch(id);
    return updated();
  }
  if (!work.reserved && say_gated(work)) return true;
  QueueId queue = work.open_queue();
  StopPolicy stop = queue == kNone ? StopPolicy::none : cluster.queues[queue].stop;
  if (queue != kNone && stop == StopPolicy::none && work.requeued == Work::Requeued::no &&
      work.requeued_reason == EvictionReason::cluster_queue_stopped) {
    set_requeued(work, Work::Requeued::yes);
    touch(id);
    return updated();
  }
  if (sync_checks(work)) return updated();

  queue_second_pass(id, 0, work.pods);
  if (work.reserved && !work.admitted && !work.placement_pending()) {
    bool ready = std::all_of(work.checks.begin(), work.checks.end(),
                             [](const Check& c) { return c.state == CheckState::ready; });
    if (ready) {
      work.admitted = true;
      work.admitted_at = now;
      settle_usage(id);
      counts_changed(work.holds_in);
      if (rules != nullptr) tell_rules(id);
      return updated();
    }
  }
  if (!work.reserved) return say_why_not_queued(id);

  if (!work.evicted) {
    bool rejected = std::any_of(work.checks.begin(), work.checks.end(),
                                [](const Check& c) { return c.state == CheckState::rejected; });
    bool retry = std::any_of(work.checks.begin(), work.checks.end(),
                             [](const Check& c) { return c.state == CheckState::retry; });
    if (rejected) {
      work.deactivation_target = EvictionReason::deactivated_by_check;
      note_checks(work, CheckState::rejected);
      return true;
    }
    if (retry) {
      note_checks(work, CheckState::retry);
      evict(id, EvictionReason::admission_check);
      return true;
    }
  }
  auto lose = [&] {
    seen_anew(work);
    end_holding(id);
    work.reserved = false;
    end_admission(work);
    work.forget_assignment();
    second_passes_.erase(id);
    touch(id);
    return true;
  };
  auto drains = [&](StopPolicy policy, EvictionReason reason) {
    if (!work.admitted || policy != StopPolicy::hold_and_drain || work.evicted) return false;
    evict(id, reason);
    return true;
  };
  if (drains(local_stop, EvictionReason::local_queue_stopped)) return true;
  if (!work.admitted && (!local_exists || local_stop != StopPolicy::none)) return lose();
  if (drains(stop, EvictionReason::cluster_queue_stopped)) return true;
  bool is_open = queue != kNone && stop == StopPolicy::none &&
                 !cluster.terminating.contains(cluster.queues[queue].object->name);
  if (!work.admitted && !is_open) return lose();
  bool evicted = work.live && end_wait_for_pods(id);  // Kueue looks at both times at once
  bool over = end_run_time(id);
  return evicted || over;
}

/// Marks a workload whose maximumExecutionTimeSeconds are over; otherwise sets the timer for it. An evicted one
/// that still says it is admitted is marked, too, and keeps the mark: activating it deactivates it at once.
bool Core::end_run_time(WorkId id) {
  Work& work = works[id];
  if (!work.admitted || !work.admitted_at || !work.object->max_run_seconds) return false;
  Instant end = *work.admitted_at + Duration::seconds(*work.object->max_run_seconds - work.past_run_seconds);
  if (end > now) {
    timers_.set(id, end);
    return false;
  }
  if (work.deactivation_target != EvictionReason::none) return false;
  work.deactivation_target = EvictionReason::deactivated_by_run_time;
  work.past_run_seconds = 0;
  return true;
}

void Core::end_admission(Work& work) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (work.admitted && work.admitted_at) work.past_run_seconds += (now - *work.admitted_at).ns / kSecond;
  work.admitted = false;
  work.admitted_at.reset();
}

/// The order in which what happens at the same time is taken: Kueue's controllers have none, as its events come from several
/// goroutines. The last one to come back can matter where local queues take turns: their heaps are not sorted anew.
void Core::sort_by_name(std::vector<WorkId>& ids) const {
  std::sort(ids.begin(), ids.end(), [&](WorkId a, WorkId b) {
    const Work& x = works[a];
    const Work& y = works[b];
    if (x.by_name != kNone && y.by_name != kNone) return x.by_name < y.by_name;
    return std::tie(x.object->name_space, x.object->name, a) < std::tie(y.object->name_space, y.object->name, b);
  });
}

void Core::settle() {
  wake_due();
  if (!second_passes_.empty()) wake_second_passes();
  while (true) {
    look_at_pods();
    while (!to_reconcile_.empty()) {
      std::vector<WorkId> batch;
      batch.swap(to_reconcile_);
      if (local_usage) {
        for (WorkId id : batch) local_usage->mark(works[id].local);
        sample_changed();
      }
      sort_by_name(batch);
      batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
      for (WorkId id : batch) {
        do {
          reconcile_queues();
          for (bool waited = is_waiting(id); reconcile(id); waited = is_waiting(id)) {
            object_changed(works[id]);
            if (waited && is_waiting(id)) enqueue(id);
            look_at_pods();
            reconcile_queues();
          }
        } while (reconcile_provisioning(id));
      }
    }
    reconcile_queues();
    if (!to_reconcile_.empty()) continue;
    if (!families_.empty() && reconcile_families()) continue;
    bool released = false;
    std::vector<WorkId> evicted;
    evicted.swap(evicted_);
    sort_by_name(evicted);
    for (WorkId id : evicted) {
      const Work& work = std::as_const(works)[id];
      if (!work.reserved || !work.evicted || work.finished || work.removed) continue;
      // The controller of a job stops it in any case.
      const std::string& kind = work.object->owner->kind;
      if (!options.stop_evicted && (kind.empty() || kind == "Workload")) continue;
      release(id);
      look_at_pods();
      released = true;
    }
    if (!released) break;
  }

  sample_changed();
  std::set<NodeId> roots;
  roots.swap(woken_roots_);
  if (roots.empty()) return;
  for (QueueId queue = 0; queue < cluster.queues.size(); ++queue) {
    const Queue& q = cluster.queues[queue];
    if (!q.usable || !roots.contains(cluster.tree.root(q.node))) continue;
    if (open_cycle_) open_cycle_->woken.insert(q.object->name);
    pending.forget_parked_classes(queue);
    std::vector<WorkId> parked = pending.parked_in_map_order(queue);
    for (WorkId id : parked) {
      const Work& work = std::as_const(works)[id];
      if (q.accepts[work.name_space] == 0 || !backoff_over(work)) continue;
      // Its preemptor mark stays.
      pending.unpark(works, queue, id);
    }
  }
}

RunEnd Core::advance(Instant to) {
  check_reach(to);
  RunEnd end;
  while (now < to) {
    std::optional<Instant> next = next_due();
    if (awaits_second_pass() && (!next || now + Duration::seconds(1) < *next)) next = now + Duration::seconds(1);
    now = next && *next < to ? *next : to;
    settle();
    end = run();
  }
  return end;
}

void Core::rescore(WorkId id) {
  Work& work = works[id];
  work.score = work.priority;
  if (!scores_) return;
  if (auto answer = rules->score(work.rules_id, now, *view_); answer.score) work.score = *answer.score;
}

void Core::tell_rules(WorkId id) {
  Work& work = works[id];
  WorkloadState told;
  if (work.queue != kNone) told.cluster_queue = cluster.queues[work.queue].object->name;
  told.reserved = work.reserved;
  told.admitted = work.admitted;
  told.inadmissible = work.place == Work::Place::parked;
  told.gone = work.finished || !work.live || work.removed || work.denied;
  told.admitted_at = work.admitted_at;
  for (std::size_t i = 0; i < work.held_counts.size(); ++i) {
    PodSetAssignment& assignment = told.assignments.emplace_back();
    if (i < work.object->pod_sets.size()) assignment.name = work.object->pod_sets[i].name;
    assignment.count = static_cast<std::int32_t>(work.held_counts[i]);
    for (const Holding& holding : work.holdings) {
      if (holding.pod_set != i) continue;
      const std::string& resource = cluster.resources.text(holding.resource);
      assignment.flavors[resource] = cluster.flavor_names.text(holding.flavor);
      assignment.usage[resource] = resource == "cpu" ? Quantity::from_milli(holding.amount.value())
                                                     : Quantity::from_units(holding.amount.value());
    }
  }
  rules->update(work.rules_id, told);
  work.rules_due.reset();
  if (!told.gone && !work.reserved) work.rules_due = rules->next_change(work.rules_id, now);
  if (work.held_until && (!work.rules_due || *work.held_until < *work.rules_due))
    work.rules_due = work.held_until;
  note_due(id);
}

State Core::state(const Work& work) const {
  if (work.finished) return State::finished;
  if (work.evicted && work.reserved) return State::evicted;
  if (!work.live) return State::deactivated;
  if (work.admitted && work.reserved) return State::admitted;
  if (work.reserved) return State::quota_reserved;
  if (work.denied) return State::denied;
  if (work.held) return State::held;
  if (work.place == Work::Place::active) return State::pending;
  if (work.place == Work::Place::parked) return State::inadmissible;
  return State::unqueued;
}

}  // namespace sluice::decide
