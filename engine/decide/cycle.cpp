#include <algorithm>
#include <unordered_map>
#include <utility>

#include "decide/core.hpp"
#include "decide/unsupported.hpp"
#include "decide/view.hpp"
#include "model/requests.hpp"
#include "program/program.hpp"

namespace sluice::decide {
namespace {

/// How long a run waits for a second pass.
constexpr Duration kSecondPassWait = Duration::seconds(64);

/// Mixes a number into a hash (splitmix64).
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash += value + 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

}  // namespace

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

RunEnd Core::run() {
  struct Seen {
    int times = 0;
    std::uint64_t cycle = 0;  // the last one after which the states were these
  };
  RunEnd end;
  std::unordered_map<std::uint64_t, Seen> seen;
  std::uint64_t last = 0;
  int same = 0;
  Duration idle;
  for (std::uint32_t n = 0; n < options.max_cycles;) {
    if (!cycle()) {
      if (is_in_cycle()) return end;
      if (idle >= kSecondPassWait || !awaits_second_pass()) return end;
      idle.ns += Duration::seconds(1).ns;
      now = now + Duration::seconds(1);
      settle();
      continue;
    }
    ++n;
    idle = {};
    std::uint64_t key = fingerprint();
    now = now + options.cycle_period;
    settle();
    if (key == last) {
      // Heads are offered again and again and nothing moves.
      if (++same >= 2) return end;
      continue;
    }
    same = 0;
    last = key;
    Seen& before = seen[key];
    if (++before.times >= 3) {
      end.loop = true;
      end.loop_begin = before.cycle + 1;
      end.loop_length = cycle_number - before.cycle;
      return end;
    }
    before.cycle = cycle_number;
  }
  end.truncated = true;
  return end;
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

HeadRefusal Core::refuse_head(Work& work) {
  const Queue& queue = cluster.queues[work.queue];
  for (const Check& check : work.checks) {
    if (check.state == CheckState::retry || check.state == CheckState::rejected)
      return HeadRefusal::failed_check;
  }
  if (!queue.usable || !queue.active) return HeadRefusal::queue_inactive;  // a second pass may come to a stopped one
  if (queue.accepts[work.name_space] == 0) return HeadRefusal::namespace_mismatch;
  if (work.resources_valid < 0) {
    work.resources_valid = refused_resources(*work.object, *cluster.world).empty() ? 1 : 0;
  }
  if (work.resources_valid == 0) return HeadRefusal::invalid_resources;
  return HeadRefusal::none;
}

/// The refusals that do not depend on the moment.
HeadRefusal Core::why_not_accepted(const Work& work) const {
  if (work.queue == kNone) return HeadRefusal::queue_missing;
  if (cluster.queues[work.queue].accepts[work.name_space] == 0) return HeadRefusal::namespace_mismatch;
  bool valid = work.resources_valid < 0 ? refused_resources(*work.object, *cluster.world).empty()
                                        : work.resources_valid == 1;
  return valid ? HeadRefusal::none : HeadRefusal::invalid_resources;
}

void Core::nominate(Entry& entry) {
  Work& work = works[entry.work];
  entry.refusal = refuse_head(work);
  if (entry.refusal != HeadRefusal::none) {
    entry.outcome = Outcome::inadmissible;
    entry.requeue =
        entry.refusal == HeadRefusal::namespace_mismatch ? Requeue::namespace_mismatch : Requeue::generic;
    return;
  }
  const Progress* progress = &work.progress;
  if (progress->known) {
    bool other_shape = gates.scheduling_equivalence_hashing && progress->equivalence != work.equivalence;
    bool recent = cycle_number - progress->cycle <= 1;
    bool outdated = generation(work.queue) > progress->generation;
    if (gates.preserve_scan_progress) outdated = other_shape || (!recent && outdated);
    if (outdated) progress = nullptr;
  }
  find_assignment(entry, progress, nullptr);
  place_preemptor(entry);
  order_.push_back(static_cast<std::uint32_t>(&entry - entries_.data()));
}

void Core::find_assignment(Entry& entry, const Progress* progress, const std::vector<Choice>* pinned) {
  const Work& work = works[entry.work];
  entry.replaced = replaced_slice(work);
  assigner_.explain(is_explained(work));
  assigner_.replace(entry.replaced == kNone ? nullptr : &works[entry.replaced]);
  assigner_.assign(entry.work, cycle_number, generation(work.queue), now, progress, pinned, true,
                   entry.assignment);
  entry.targets.clear();
  bool found = entry.assignment.verdict == Verdicts::fit;
  if (entry.assignment.verdict == Verdicts::preempt) {
    find_targets(entry.assignment, entry.work, entry.replaced, entry.targets);
    if (!entry.targets.empty() && rules != nullptr) {
      // A rule could protect these, or make others cheaper; without candidates it has nothing to say.
      std::string rule = rules->rule_on(program::Point::preempt);
      if (!rule.empty())
        throw Unsupported("rule `" + rule + "` on preempt (" + name_of(work).to_string() + ")");
    }
    found = !entry.targets.empty();
  }
  if (!found && gates.partial_admission) found = shrink(entry, progress, pinned);
  assigner_.replace(nullptr);
  assigner_.explain(false);
  if (!found) entry.replaced = kNone;
  if (entry.replaced == kNone) return;
  // The slice that it replaces goes as victims do, and may be one of them as well.
  entry.targets.insert(entry.targets.begin(), {entry.replaced, Victim::Reason::in_cluster_queue, {}});
}

/// The demand is what the pod templates ask for: the implicit `pods` request is not in it, but in 0.17. Of a
/// workload that has quota it is everything that it has.
void Core::find_targets(Assignment& assignment, WorkId id, WorkId replaced, std::vector<Target>& targets) {
  const Work& work = works[id];
  std::vector<FlavorResource> needed;
  std::vector<Demand> demand;
  auto add = [&](FlavorResource cell, Amount amount) {
    if (amount == Amount(0)) return;
    auto known = std::find_if(demand.begin(), demand.end(), [&](const Demand& d) { return d.cell == cell; });
    if (known == demand.end()) {
      demand.push_back({cell, amount});
    } else {
      known->amount = known->amount + amount;
    }
  };
  for (const Choice& choice : assignment.choices) {
    if (choice.verdict == Verdicts::preempt &&
        std::find(needed.begin(), needed.end(), choice.cell) == needed.end()) {
      needed.push_back(choice.cell);
    }
    if (work.reserved || (gates.version == KueueVersion::v0_17 && choice.resource == cluster.pods)) {
      add(choice.cell, choice.amount);
      continue;
    }
    for (const Request& request : shapes[work.shape].pod_sets[choice.pod_set].requests) {
      if (request.resource != choice.resource) continue;
      const PodSetShape& pod_set = shapes[work.shape].pod_sets[choice.pod_set];
      std::int64_t pods = assignment.pod_sets[choice.pod_set].count;
      if (replaced != kNone) pods = pod_set.count - charged_pods(works[replaced], choice.pod_set);
      add(choice.cell, scaled(request.amount, pod_set.count, pods));
    }
  }
  PlacementRequests requests;
  PlacementTest placement{&placer_, id, &requests};
  if (gates.topology_aware) requests = placer_.requests(id, assignment);
  if (assigner_.explains()) {
    assignment.search = static_cast<std::int32_t>(assignment.searches.size());
    preemptor_.write_to(&assignment.searches.emplace_back());
  }
  preemptor_.search(id, cluster.queues[work.queue], work.queue, needed, demand, targets,
                    requests.by_tree.empty() ? nullptr : &placement);
  preemptor_.write_to(nullptr);
}

void Core::place_preemptor(Entry& entry) {
  if (!gates.topology_aware || entry.assignment.verdict != Verdicts::preempt) return;
  const Work& work = works[entry.work];
  if (work.admitted && !work.unhealthy_nodes.empty()) return;
  PlacementRequests requests = placer_.requests(entry.work, entry.assignment);
  if (requests.by_tree.empty()) return;
  std::size_t mark = cluster.tree.mark();
  for (const Target& target : entry.targets) preemptor_.remove_usage(works[target.work]);
  // Without victims the place is kept as if nobody were there, so that nobody behind takes it.
  PlacementResult result = placer_.find(entry.work, requests, entry.targets.empty());
  cluster.tree.rollback(mark);
  Assigner::take_placements(result, entry.assignment);
}

void Core::new_leaf_uses(const Entry& entry, std::vector<LeafUse>& out) {
  out.clear();
  const Work& work = works[entry.work];
  for (const PodSetResult& result : entry.assignment.pod_sets) {
    if (!result.is_placed || result.placement.keeps) continue;
    std::size_t first = out.size();
    placer_.uses(work, result.placement, out);
    if (!entry.second_pass) continue;
    for (const LeafUse& held : work.leaf_uses) {
      for (std::size_t i = first; i < out.size(); ++i) {
        if (out[i].tree == held.tree && out[i].leaf == held.leaf && out[i].demand == held.demand)
          out[i].count -= held.count;
      }
    }
    std::erase_if(out, [](const LeafUse& use) { return use.count <= 0; });
  }
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
    Tournament::Head head{i, cluster.queues[work.queue].node, entry.assignment.usage, entry.is_preemptor, &work};
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
  const Queue& queue = cluster.queues[works[entry.work].queue];
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
  NodeId node = cluster.queues[works[entry.work].queue].node;
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
  NodeId node = cluster.queues[works[entry.work].queue].node;
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
      if (cluster.queues[work.queue].object->preemption.reclaim_within_cohort != PreemptionPolicy::any ||
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
  const Queue& queue = cluster.queues[work.queue];
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
    work.holds_in = work.queue;
    work.holdings.clear();
    work.held_counts.clear();
    work.held_usage.clear();
    work.forget_placements();
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
  work.text_key = 0;
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
  if (key != work.text_key) workload_changed(work);
  if (key != work.text_key && !gates.preserve_scan_progress) {
    // The condition changes, and any change of the object makes Kueue forget the progress.
    work.progress.known = false;
    work.progress.tried.clear();
  }
  if (key != work.text_key) {
    if (work.queue != kNone) pending.reorder(works, work.queue, id);  // as with any change of a waiting workload
  }
  work.text_key = key;
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

/// A number for the states of all workloads. Looks only at those that may have changed since it was last asked: many
/// may wait.
std::uint64_t Core::fingerprint() {
  prints_.resize(works.size());
  for (WorkId id : works.take_touched()) {
    std::uint64_t print = print_of(id);
    states_print_ += print - prints_[id];
    prints_[id] = print;
  }
  return states_print_;
}

std::uint64_t Core::print_of(WorkId id) const {
  const Work& work = works[id];
  std::uint64_t key = mix(mix(id, static_cast<std::uint64_t>(state(work))), work.text_key);
  key = mix(key, static_cast<std::uint64_t>(work.eviction) * 2 + (work.evicted ? 1 : 0));
  for (const Holding& holding : work.holdings) {
    key = mix(mix(key, holding.flavor), static_cast<std::uint64_t>(holding.amount.value()));
  }
  for (const LeafUse& use : work.leaf_uses) key = mix(mix(key, use.leaf), static_cast<std::uint64_t>(use.count));
  return key;
}

}  // namespace sluice::decide
