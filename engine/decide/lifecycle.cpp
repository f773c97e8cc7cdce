#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "decide/core.hpp"
#include "decide/fair_share.hpp"
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

/// Writes into the condition of a workload without quota what keeps it out of its queue; true if that is new.
bool Core::say_why_not_queued(WorkId id) {
  Work& work = works[id];
  if (work.gated) return false;  // Kueue says both in turns, for ever; here the gate has the last word
  QueueId queue = work.open_queue();
  NoQuota why = NoQuota::unsaid;
  if (gates.observability && !work.live) {
    why = NoQuota::deactivated;
  } else if (gates.observability && work.on_hold) {
    return false;
  } else if (!work.has_local_queue) {
    why = NoQuota::local_queue_missing;
  } else if (work.local_stop != StopPolicy::none) {
    why = NoQuota::local_queue_stopped;
  } else if (queue == kNone) {
    why = NoQuota::queue_missing;
  } else if (!cluster.queues[queue].active) {
    why = NoQuota::queue_inactive;
  } else if (gates.observability) {
    why = why_it_waits(work);
  }
  return why != NoQuota::unsaid && say(work, why);
}

/// Writes the condition QuotaReserved=False; true if it said something else.
bool Core::say(Work& work, NoQuota why) {
  if (work.no_quota == why && !work.text_is_old) return false;
  if (work.no_quota != why) work.text_key = (1u << 8) + static_cast<std::uint64_t>(why);  // apart from what evictions say
  work.no_quota = why;
  work.text_is_old = false;
  if (!work.live) wake_for(work);  // any change of such a workload does this
  return true;
}

/// The annotation admission-gated-by appeared or went.
bool Core::say_gated(Work& work) {
  if (work.gated) return say(work, NoQuota::gated);
  return work.no_quota == NoQuota::gated && say(work, NoQuota::gate_cleared);
}

/// With the gate UnadmittedWorkloadsObservability, of a workload that no queue keeps out.
/// Source   Kueue pkg/controller/core/workload_controller.go.
NoQuota Core::why_it_waits(Work& work) const {
  NoQuota said = work.no_quota;
  if (why_not_accepted(work) != HeadRefusal::none) return NoQuota::not_accepted;
  bool is_new = said == NoQuota::unsaid;
  bool asks_class = is_new ? gates.explicit_status
                           : said == NoQuota::evicted || said == NoQuota::deactivated ||
                                 said == NoQuota::local_queue_stopped || said == NoQuota::queue_inactive ||
                                 said == NoQuota::awaits_evaluation || said == NoQuota::gate_cleared;
  if (asks_class && gates.scheduling_equivalence_hashing && work.place == Work::Place::parked) {
    WorkId tried = pending.tried_of_class(work.queue, work.equivalence);
    if (tried != kNone) {
      work.bypassed_for = tried;
      return NoQuota::bypassed;
    }
  }
  bool stays = said == NoQuota::decided || said == NoQuota::evicted || said == NoQuota::bypassed ||
               said == NoQuota::gate_cleared || said == NoQuota::waits_for_pods;
  if (stays) return said;
  return is_new && !gates.explicit_status ? said : NoQuota::awaits_evaluation;
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

/// Kueue's controller of ClusterQueues comes before that of workloads.
void Core::reconcile_queues() {
  report_counts();
  if (!cluster.terminating.empty() && drop_empty_queues()) report_counts();
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
    if (!options.stop_evicted) break;
    bool released = false;
    std::vector<WorkId> evicted;
    evicted.swap(evicted_);
    sort_by_name(evicted);
    for (WorkId id : evicted) {
      if (!works[id].reserved || !works[id].evicted || works[id].finished || works[id].removed) continue;
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
