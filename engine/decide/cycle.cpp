#include <algorithm>

#include "decide/core.hpp"
#include "decide/view.hpp"

namespace sluice::decide {

bool Core::cycle() {
  if (open_cycle_) return report_cycle();
  ++cycle_number;  // an empty one counts as well, as in the recorded runs
  take_heads();
  if (entry_count_ == 0) return false;
  preempted_.clear();
  order_.clear();
  for (std::uint32_t i = 0; i < entry_count_; ++i) nominate(entries_[i]);

  // Heads see what earlier heads of the cycle take; the cluster itself changes afterwards.
  std::size_t mark = cluster.tree.mark();
  next_ = 0;
  if (options.kueue.fair_sharing) {
    start_tournament();
  } else {
    sort_entries();
  }
  process_heads();
  if (waiting_ != kNone) {
    stand_still(mark);
    return false;
  }
  cluster.tree.rollback(mark);
  put_back_heads();
  cycles.push_back(log_heads());
  keep_decisions(cycles.back());
  apply_heads();
  settle();
  return true;
}

/// The heads that were not admitted go back.
void Core::put_back_heads() {
  for (std::uint32_t i : order_) {
    if (!entries_[i].assumed && entries_[i].outcome != Outcome::evicted) put_back(entries_[i]);
  }
  for (std::uint32_t i = 0; i < entry_count_; ++i) {
    if (entries_[i].refusal != HeadRefusal::none) put_back(entries_[i]);
  }
}

/// For who asks about a workload later.
void Core::keep_decisions(Cycle& cycle) {
  if (!options.keep_attempts) return;
  for (Decision& decision : cycle.decisions) {
    WorkId id = find(decision.workload);
    if (id == kNone) continue;
    works[id].last = {decision};
    if (!is_explained(std::as_const(works)[id])) continue;
    if (decision.outcome == Outcome::preempting) preempting_[id] = decision;
    // Of many workloads searches are long, and a head may be offered in each of thousands of cycles.
    decision.search.reset();
    for (PodSetDecision& pod_set : decision.pod_sets) {
      for (FlavorAttempt& attempt : pod_set.attempts) {
        attempt.searches.clear();
        attempt.reaches.clear();
      }
    }
  }
}

/// What was decided about all heads.
Cycle Core::log_heads() const {
  Cycle log;
  log.number = cycle_number;
  log.at = now;
  log.decisions.reserve(entry_count_);
  for (std::uint32_t i : order_) log.decisions.push_back(describe(entries_[i], works));
  std::vector<std::uint32_t> refused;
  for (std::uint32_t i = 0; i < entry_count_; ++i) {
    if (entries_[i].refusal != HeadRefusal::none) refused.push_back(i);
  }
  // Kueue defines no order among them.
  std::sort(refused.begin(), refused.end(), [&](std::uint32_t a, std::uint32_t b) {
    return name_of(works[entries_[a].work]).to_string() < name_of(works[entries_[b].work]).to_string();
  });
  for (std::uint32_t i : refused) log.decisions.push_back(describe(entries_[i], works));
  return log;
}

/// What the heads that were processed do to the cluster.
void Core::apply_heads() {
  for (std::uint32_t i : order_) {
    Entry& entry = entries_[i];
    if (!entry.processed || i == waiting_) continue;
    if (entry.assumed && entry.second_pass) complete_second_pass(entry);
    if (entry.assumed && !entry.second_pass) {
      charge_usage(entry.work);
      begin_holding(entry.work);
      if (works[entry.work].admitted) settle_usage(entry.work);
    }
    if (entry.assumed && entry.replaced != kNone) finish(entry.replaced);
    if (entry.outcome == Outcome::migrating) evict(entry.migrates_from, EvictionReason::flavor_migration);
    if (entry.outcome == Outcome::evicted) {
      works[entry.work].pods = entry.pods;  // as in `admit`
      evict(entry.work, EvictionReason::node_failures);
    }
    if (entry.outcome != Outcome::preempting) continue;
    for (const Target& target : entry.targets) {
      Work& victim = works[target.work];
      if (victim.evicted) continue;
      victim.preempted = true;
      victim.preempted_at = now;
      victim.preemption = target.reason;
      if (options.keep_attempts) preemptions_[target.work] = {entry.work, now, target.reason, target.shares};
      evict(target.work, EvictionReason::preempted);
    }
  }
}

/// Processes the heads that are left, until one has to wait for the pods of others.
void Core::process_heads() {
  for (std::uint32_t i = next_head(); i != kNone; i = next_head()) {
    process(entries_[i]);
    if (waiting_ != kNone) return;
  }
}

std::uint32_t Core::next_head() {
  if (!options.kueue.fair_sharing) return next_ < order_.size() ? order_[next_++] : kNone;
  std::uint32_t i = tournament_.pop();
  if (i == kNone) return kNone;
  order_.push_back(i);
  if (options.keep_attempts) {
    entries_[i].standing.assign(tournament_.standing().begin(), tournament_.standing().end());
  }
  return i;
}

void Core::take_heads() {
  entry_count_ = 0;
  if (!in_flight_.empty()) forget_heads_in_flight();
  take_heads_of_second_pass();
  for (QueueId queue = 0; queue < cluster.queues.size(); ++queue) {
    if (!cluster.queues[queue].active || pending.is_empty(queue)) continue;
    if (scores_) {
      for (WorkId id : pending.active(queue)) rescore(id);
      pending.reorder_all(works, queue);
    }
    if (has_penalty(queue)) pending.rebuild(works, queue);
    Entry& entry = next_entry(pending.pop(works, queue));
    entry.is_preemptor = pending.is_preemptor(queue, entry.work, works[entry.work].object->generation);
  }
}

Entry& Core::next_entry(WorkId work) {
  if (entry_count_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[entry_count_++];
  entry.work = work;
  entry.refusal = HeadRefusal::none;
  entry.outcome = Outcome::no_fit;
  entry.skip = SkipReason::none;
  entry.requeue = Requeue::none;
  entry.is_preemptor = false;
  entry.processed = false;
  entry.at = now;
  entry.assumed = false;
  entry.replaced = kNone;
  entry.migrates_from = kNone;
  entry.keeps_progress = true;
  entry.second_pass = false;
  entry.iteration = 0;
  entry.assignment.clear();
  entry.targets.clear();
  entry.lost_targets = 0;
  entry.standing.clear();
  entry.answer = {};
  return entry;
}

void Core::sort_entries() {
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Entry& a = entries_[i];
    const Entry& b = entries_[j];
    if (a.second_pass != b.second_pass) return a.second_pass;
    if (gates.prioritize_preemptors && a.is_preemptor != b.is_preemptor) return a.is_preemptor;
    if (a.assignment.level != b.assignment.level) return a.assignment.level < b.assignment.level;
    const Work& x = works[a.work];
    const Work& y = works[b.work];
    if (gates.priority_sorting_within_cohort && x.priority != y.priority) return x.priority > y.priority;
    if (x.order_time != y.order_time) return x.order_time < y.order_time;
    return earlier_by_uid(x, y);  // Kueue leaves it open
  });
}

/// Whose turn it is depends on what the heads before took.
void Core::start_tournament() {
  std::vector<Tournament::Head> heads;
  std::size_t seconds = 0;  // those of a second pass stand at the front
  for (std::uint32_t i : order_) {
    const Entry& entry = entries_[i];
    const Work& work = works[entry.work];
    Tournament::Head head{i, cluster.queues[work.asks()].node, entry.assignment.usage, entry.is_preemptor, &work};
    if (entry.second_pass) head.usage = {};  // it is counted already
    // Kueue keeps one head a queue, the last one; one of a second pass is then put back.
    auto seconds_end = heads.begin() + static_cast<std::ptrdiff_t>(seconds);
    auto same = std::find_if(heads.begin(), seconds_end,
                             [&](const Tournament::Head& other) { return other.queue == head.queue; });
    if (same == seconds_end) {
      heads.push_back(head);
      if (entry.second_pass) ++seconds;
    } else {
      put_back(entries_[same->entry]);
      *same = head;
    }
  }
  order_.clear();
  tournament_.start(std::move(heads));
}

bool Core::overlaps(const Entry& entry) const {
  return std::any_of(entry.targets.begin(), entry.targets.end(),
                     [&](const Target& t) { return works[t.work].preempted_in_cycle == cycle_number; });
}

/// Whether there is room for the entry once everybody who is preempted in this cycle, and its own targets, are
/// gone.
Core::Room Core::room_now(const Entry& entry) {
  const Queue& queue = cluster.queues[works[entry.work].asks()];
  QuotaTree& tree = cluster.tree;
  std::size_t mark = tree.mark();
  NodeId root = tree.root(queue.node);
  const bool placed = !cluster.topologies.empty();
  for (WorkId id : preempted_) {
    // Nodes are shared by all trees.
    if (placed || tree.root(cluster.queues[works[id].holds_in].node) == root) preemptor_.remove_usage(works[id]);
  }
  for (std::size_t i = 0; i < entry.targets.size(); ++i) {
    WorkId id = entry.targets[i].work;
    bool again = i > 0 && id == entry.replaced;
    if (!again && works[id].preempted_in_cycle != cycle_number) preemptor_.remove_usage(works[id]);
  }
  const std::vector<Demand>& usage = entry.assignment.usage;
  bool fits = entry.second_pass || std::all_of(usage.begin(), usage.end(), [&](const Demand& d) {
                return d.amount <= tree.available(queue.node, d.cell);
              });
  Room room = fits ? Room::enough : Room::no_quota;
  if (fits && placed) {
    new_leaf_uses(entry, leaf_uses_);
    if (!cluster.topologies.fits(tree, leaf_uses_)) room = Room::no_place;
  }
  tree.rollback(mark);
  return room;
}

/// Looks again at the flavors chosen before: as if the victims of other heads were gone, or because another
/// head took the place.
void Core::recompute(Entry& entry, bool without_preempted) {
  std::vector<Choice> pinned = entry.assignment.choices;
  std::size_t mark = cluster.tree.mark();
  if (without_preempted) {
    for (WorkId id : preempted_) preemptor_.remove_usage(works[id]);
    preemptor_.leave_out_preempted_in(cycle_number);
  }
  find_assignment(entry, nullptr, &pinned);
  place_preemptor(entry);
  if (without_preempted) preemptor_.leave_out_preempted_in(0);
  cluster.tree.rollback(mark);
  if (without_preempted && entry.assignment.verdict == Verdicts::fit)
    entry.assignment.verdict = Verdicts::deferred;
}

void Core::add_usage(const Entry& entry) {
  NodeId node = cluster.queues[works[entry.work].asks()].node;
  if (!entry.second_pass) {
    for (const Demand& demand : entry.assignment.usage) cluster.tree.add(node, demand.cell, demand.amount);
  }
  if (cluster.topologies.empty()) return;
  new_leaf_uses(entry, leaf_uses_);
  cluster.topologies.add(cluster.tree, leaf_uses_);
}

/// Keeps for a blocked head what it waits for, so that other queues do not take it; as far as its queue may
/// have it.
void Core::reserve_capacity(const Entry& entry) {
  QuotaTree& tree = cluster.tree;
  NodeId node = cluster.queues[works[entry.work].asks()].node;
  if (!cluster.topologies.empty()) {
    new_leaf_uses(entry, leaf_uses_);
    cluster.topologies.add(tree, leaf_uses_);
  }
  if (entry.second_pass) return;
  for (const Demand& demand : entry.assignment.usage) {
    Amount used = tree.usage(node, demand.cell);
    Amount nominal = tree.nominal(node, demand.cell);
    Amount limit = tree.borrowing_limit(node, demand.cell);
    Amount amount = demand.amount;
    if (entry.assignment.level == 0) {
      amount = std::max(Amount(0), std::min(amount, nominal - used));
    } else if (!limit.is_unlimited()) {
      amount = std::min(amount, nominal + limit - used);
    }
    tree.add(node, demand.cell, amount);
  }
}

bool Core::ask_admit(Entry& entry) {
  if (rules == nullptr) return true;
  const Work& work = works[entry.work];
  std::vector<PodSetAssignment> assignments;
  for (std::size_t i = 0; i < work.object->pod_sets.size(); ++i) {
    PodSetAssignment& assignment = assignments.emplace_back();
    assignment.name = work.object->pod_sets[i].name;
    assignment.count = static_cast<std::int32_t>(entry.assignment.pod_sets[i].count);
    for (const Choice& choice : entry.assignment.choices) {
      if (choice.pod_set != i) continue;
      const std::string& resource = cluster.resources.text(choice.resource);
      assignment.flavors[resource] = cluster.flavor_names.text(choice.flavor);
      assignment.usage[resource] = resource == "cpu" ? Quantity::from_milli(choice.amount.value())
                                                     : Quantity::from_units(choice.amount.value());
    }
  }
  entry.answer = rules->admit(work.rules_id, assignments, entry.assignment.level > 0, now, *view_);
  if (entry.answer.verdict == Verdict::allow) return true;
  entry.outcome = entry.answer.verdict == Verdict::deny ? Outcome::denied : Outcome::held;
  entry.requeue = Requeue::generic;
  return false;
}

void Core::process(Entry& entry) {
  entry.processed = true;
  entry.at = now;
  const Work& work = works[entry.work];
  auto skip = [&](SkipReason reason) {
    entry.outcome = Outcome::skipped;
    entry.skip = reason;
    entry.requeue = Requeue::failed_after_nomination;
    entry.keeps_progress = gates.preserve_scan_progress;
  };
  if (work.is_variant && admitted_sibling(work, true) != kNone) return skip(SkipReason::better_variant);
  if (gates.recompute_on_overlap && overlaps(entry)) {
    recompute(entry, true);
  } else if (gates.tas_recompute_assignment_within_scheduling_cycle && !cluster.topologies.empty() && room_now(entry) == Room::no_place) {
    recompute(entry, false);
  }
  if (gates.tas_failed_node_replacement_fail_fast && entry.second_pass && !work.unhealthy_nodes.empty() &&
      entry.assignment.verdict != Verdicts::fit) {
    entry.outcome = Outcome::evicted;
    return;
  }
  switch (entry.assignment.verdict) {
    case Verdicts::no_fit:
      entry.outcome = Outcome::no_fit;
      entry.requeue = Requeue::no_fit;
      for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
        if (!pod_set.evaluated || pod_set.verdict != Verdicts::no_fit || pod_set.answer < 0) continue;
        const FlavorsAnswer& answer = entry.assignment.answers[static_cast<std::size_t>(pod_set.answer)];
        bool opens = std::any_of(answer.flavors.begin(), answer.flavors.end(),
                                 [](const FlavorAnswer& f) { return !f.allowed && f.opens; });
        if (!answer.otherwise || opens) continue;
        entry.outcome = Outcome::held;
        entry.answer.verdict = Verdict::hold;
        entry.answer.reasons.push_back(*answer.otherwise);
      }
      return;
    case Verdicts::deferred:
      add_usage(entry);
      entry.outcome = Outcome::waiting_for_preemption;
      entry.requeue = Requeue::pending_preemption;
      entry.keeps_progress = false;
      return;
    case Verdicts::preempt:
      if (!entry.targets.empty() && work.has_closed_gate() &&
          (gates.concurrent_admission || gates.multikueue_orchestrated_preemption)) {
        entry.outcome = Outcome::gated;
        entry.requeue = Requeue::preemption_gated;
        entry.keeps_progress = false;
        return;
      }
      if (!entry.targets.empty()) break;
      entry.outcome = Outcome::no_candidates;
      entry.requeue = Requeue::preemption_no_candidates;
      if (cluster.queues[work.asks()].object->preemption.reclaim_within_cohort != PreemptionPolicy::any ||
          (gates.prioritize_preemptors && entry.is_preemptor)) {
        reserve_capacity(entry);
      }
      return;
    case Verdicts::fit:
      break;
  }
  if (overlaps(entry)) return skip(SkipReason::overlapping_victims);
  if (room_now(entry) != Room::enough) return skip(SkipReason::lost_race);
  if (!entry.second_pass && !ask_admit(entry)) return;
  for (const Target& target : entry.targets) {
    if (works[target.work].preempted_in_cycle == cycle_number) continue;  // the slice that it replaces
    works[target.work].preempted_in_cycle = cycle_number;
    preempted_.push_back(target.work);
  }
  if (entry.replaced != kNone) entry.targets.erase(entry.targets.begin());
  add_usage(entry);
  if (entry.assignment.verdict == Verdicts::preempt) {
    entry.outcome = Outcome::preempting;
    entry.requeue = Requeue::pending_preemption;
    entry.keeps_progress = false;
    return;
  }
  if (has_to_wait(entry)) {
    waiting_ = static_cast<std::uint32_t>(&entry - entries_.data());
    return;
  }
  conclude(entry);
}

/// Nobody's pods are waited for any more.
void Core::conclude(Entry& entry) {
  entry.at = now;
  const Work& work = works[entry.work];
  if (WorkId other = work.is_variant ? admitted_sibling(work, false) : kNone; other != kNone) {
    if (!may_migrate(work)) {
      entry.outcome = Outcome::refused_migration;
      entry.requeue = Requeue::generic;
      return;
    }
    entry.outcome = Outcome::migrating;
    entry.requeue = Requeue::pending_migration;
    entry.migrates_from = other;
    entry.keeps_progress = false;
    return;
  }
  if (!has_queue_of(entry)) {
    entry.outcome = Outcome::failed;
    entry.requeue = Requeue::failed_after_nomination;
    return;
  }
  admit(entry);
}

/// Writes the assignment into the workload; its usage is counted when the cycle is over.
void Core::admit(Entry& entry) {
  Work& work = works[entry.work];
  const QueueId asks = work.asks();
  const Queue& queue = cluster.queues[asks];
  entry.assumed = true;
  if (entry.second_pass) work.pods = entry.pods;  // the object that Kueue writes is of then
  if (!work.reserved) work.reserved_at = now;
  work.reserved = true;
  work.evicted = false;
  work.preempted = false;
  set_order_time(work);  // whoever may preempt it compares it, too
  work.blocked_on_gates = false;
  work.held = false;
  work.held_until.reset();
  if (!entry.second_pass) {
    work.forget_assignment();
    work.holds_in = asks;
    for (const Choice& choice : entry.assignment.choices) {
      work.holdings.push_back(
          {choice.pod_set, choice.resource, choice.flavor, choice.cell, choice.amount, choice.amount});
    }
    // A search that stopped at a pod set whose requests are all ignored has nothing for the later ones.
    for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
      if (pod_set.evaluated) work.held_counts.push_back(pod_set.count);
    }
    leave_out_done_pods(work);
    if (gates.topology_aware) write_placements(work, entry.assignment);
  }
  work.rule_checks.clear();
  for (const std::string& name : entry.answer.checks)
    work.rule_checks.push_back(cluster.check_names.intern(name));
  work.progress.known = false;
  work.set_text(0);
  work.no_quota = NoQuota::unsaid;

  // With all required checks in its list the workload is admitted in the same write, if they are ready.
  bool listed = true;
  auto is_listed = [&](CheckId id) {
    return std::any_of(work.checks.begin(), work.checks.end(), [&](const Check& c) { return c.check == id; });
  };
  for (const CheckRule& rule : queue.checks) {
    bool applies = std::any_of(work.holdings.begin(), work.holdings.end(), [&](const Holding& h) {
      return std::binary_search(rule.flavors.begin(), rule.flavors.end(), h.flavor);
    });
    if (applies && !is_listed(rule.check)) listed = false;
  }
  for (CheckId id : work.rule_checks) listed = listed && is_listed(id);
  bool ready = entry.second_pass ||  // it was not offered before they were
               std::all_of(work.checks.begin(), work.checks.end(),
                           [](const Check& c) { return c.state == CheckState::ready; });
  bool was_admitted = work.admitted;
  bool placed = std::none_of(entry.assignment.pod_sets.begin(), entry.assignment.pod_sets.end(),
                             [](const PodSetResult& r) { return r.delayed == Delayed::pending && !r.is_placed; });
  work.admitted = was_admitted || (listed && ready && placed);
  if (work.admitted && !was_admitted) work.admitted_at = now;
  entry.outcome = work.admitted ? Outcome::admitted : Outcome::quota_reserved;
}

}  // namespace sluice::decide
