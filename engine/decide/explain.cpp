#include <algorithm>
#include <set>
#include <utility>

#include "decide/core.hpp"
#include "decide/unsupported.hpp"
#include "decide/view.hpp"
#include "model/requests.hpp"

namespace sluice::decide {
namespace {

Mode mode_of(Verdicts verdict) {
  switch (verdict) {
    case Verdicts::no_fit:
      return Mode::no_fit;
    case Verdicts::preempt:
      return Mode::preempt;
    case Verdicts::deferred:
    case Verdicts::fit:
      return Mode::fit;
  }
  return Mode::no_fit;
}

/// Names and numbers of one assignment; `trials` off leaves the attempts out.
class Describer {
 public:
  Describer(const Core& core, const Work& work) : core_(core), work_(work) {}

  std::vector<PodSetDecision> pod_sets(const Assignment& assignment, bool with_attempts) const {
    const Shape& shape = core_.shapes[work_.shape];
    std::vector<PodSetDecision> out;
    out.reserve(assignment.pod_sets.size());
    std::vector<const Choice*> chosen;
    for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
      const PodSetResult& result = assignment.pod_sets[i];
      PodSetDecision& pod_set = out.emplace_back();
      pod_set.name = work_.object->pod_sets[i].name;
      pod_set.count = result.evaluated ? result.count : shape.pod_sets[i].count;
      pod_set.spec_count = shape.pod_sets[i].spec_count;
      pod_set.evaluated = result.evaluated;
      pod_set.mode = mode_of(result.verdict);
      pod_set.placement_error = result.placement_error;
      if (result.placement_failure >= 0) {
        pod_set.placement_failure =
            assignment.placement_failures[static_cast<std::size_t>(result.placement_failure)];
      }
      if (result.placement_error == PlacementError::several_flavors) {
        std::set<std::string> flavors;
        for (const Choice& choice : assignment.choices_of(i)) {
          if (core_.cluster.topologies.of_flavor(choice.flavor) != kNoTree)
            flavors.insert(core_.cluster.flavor_names.text(choice.flavor));
        }
        pod_set.placement_flavors.assign(flavors.begin(), flavors.end());
      }
      pod_set.placement_delayed = result.delayed == Delayed::pending && !result.is_placed;
      if (result.is_placed) {
        const HeldPlacement* held = work_.placement(static_cast<std::uint16_t>(i));
        if (result.placement.keeps && held != nullptr) pod_set.placement = held->assignment;
        if (!result.placement.keeps) pod_set.placement = core_.placement_of(result.placement);
      }
      if (result.uncovered != kNone) pod_set.uncovered.push_back(resource(result.uncovered));
      if (with_attempts)
        for (const Request& request : shape.pod_sets[i].requests)
          pod_set.asked[resource(request.resource)] =
              scaled(request.amount, shape.pod_sets[i].count, result.count);
      // By name, as the maps hold them: nothing has to make room.
      chosen.clear();
      for (const Choice& choice : assignment.choices_of(i)) chosen.push_back(&choice);
      std::sort(chosen.begin(), chosen.end(), [&](const Choice* a, const Choice* b) {
        return resource(a->resource) < resource(b->resource);
      });
      for (const Choice* choice : chosen) {
        pod_set.flavors[resource(choice->resource)] = core_.cluster.flavor_names.text(choice->flavor);
        pod_set.usage[resource(choice->resource)] = choice->amount;
      }
      if (!with_attempts) continue;
      for (std::uint32_t a = result.first_attempt; a < result.first_attempt + result.attempts; ++a) {
        const Attempt& from = assignment.attempts[a];
        bool refused = from.refusal != FlavorAttempt::Refusal::none && from.refused < work_.object->pod_sets.size();
        std::size_t about = refused ? from.refused : i;
        pod_set.attempts.push_back(attempt(assignment, from, shape.pod_sets[about].pod_class));
        pod_set.attempts.back().pod_set = work_.object->pod_sets[about].name;
        if (from.flavor == result.no_place_at_all) {
          pod_set.attempts.back().mode = Mode::no_fit;
          pod_set.attempts.back().no_place = true;
        }
      }
    }
    return out;
  }

 private:
  const std::string& resource(ResourceId id) const { return core_.cluster.resources.text(id); }

  FlavorAttempt attempt(const Assignment& assignment, const Attempt& from, std::uint32_t pod_class) const {
    FlavorAttempt out;
    out.flavor = core_.cluster.flavor_names.text(from.flavor);
    out.group = from.group;
    out.searched_for = resource(from.searched_for);
    out.refusal = from.refusal;
    out.mode = from.mode;
    out.borrow_level = from.level;
    out.chosen = from.chosen;
    out.blocking = from.blocking;
    if (from.refusal == FlavorAttempt::Refusal::untolerated_taint ||
        from.refusal == FlavorAttempt::Refusal::affinity_mismatch ||
        from.refusal == FlavorAttempt::Refusal::affinity_invalid) {
      FlavorRefusal why = core_.shapes.why_not(pod_class, from.flavor, core_.cluster);
      out.taint = why.taint;
      out.mismatch = why.mismatch;
      out.flavor_value = why.flavor_value;
      out.invalid = std::move(why.invalid);
    }
    for (std::uint32_t t = from.first_trial; t < from.first_trial + from.trials; ++t) {
      const Trial& trial = assignment.trials[t];
      ResourceTrial& r = out.resources.emplace_back();
      r.resource = resource(trial.resource);
      r.asked = trial.asked;
      r.assumed = trial.assumed;
      r.used = trial.used;
      r.nominal = trial.nominal;
      r.available = trial.available;
      r.capacity = trial.capacity;
      r.short_by = trial.short_by;
      r.borrow_level = trial.level;
      r.mode = trial.mode;
      r.verdict = trial.verdict;
      if (trial.leaves_slice)
        r.slice_flavor = trial.slice_flavor == kNone ? "" : core_.cluster.flavor_names.text(trial.slice_flavor);
      if (trial.reach >= 0) out.reaches.push_back(assignment.reaches[static_cast<std::size_t>(trial.reach)]);
      if (trial.search >= 0)
        out.searches.push_back(core_.describe(assignment.searches[static_cast<std::size_t>(trial.search)]));
    }
    if (from.answer >= 0) {
      const FlavorAnswer& answer =
          assignment.answers[static_cast<std::size_t>(from.answer)].flavors[from.position];
      out.notes = answer.notes;
      if (from.refusal == FlavorAttempt::Refusal::rule) {
        out.refusals = answer.refusals;
        out.opens = answer.opens;
        out.after = answer.after;
      }
    }
    return out;
  }

  const Core& core_;
  const Work& work_;
};

}  // namespace

Decision Core::describe(const Entry& entry, const Works& all) const {
  const Work& work = all[entry.work];
  Decision decision;
  decision.workload = name_of(work);
  if (work.asks() != kNone) {
    decision.cluster_queue = cluster.queues[work.asks()].object->name;
  } else if (work.reserved) {
    decision.cluster_queue = work.object->admitted_queue.value_or("");
  }
  decision.at = entry.at;
  decision.outcome = entry.outcome;
  decision.refusal = entry.refusal;
  decision.skip = entry.skip;
  decision.second_pass = entry.second_pass;
  decision.lost_victims = entry.lost_targets;
  decision.requeue = entry.assumed ? Requeue::none : entry.requeue;
  decision.parked = work.place == Work::Place::parked;
  decision.queued_since = work.queued_since;
  decision.priority = work.score;
  decision.borrow_level = entry.assignment.level;
  if (entry.refusal == HeadRefusal::invalid_resources) {
    decision.resource_refusals = refused_resources(*work.object, *cluster.world);
  }
  if (entry.refusal != HeadRefusal::none) return decision;
  decision.pod_sets = Describer(*this, work).pod_sets(entry.assignment, options.keep_attempts);
  if (entry.assumed)
    std::erase_if(decision.pod_sets, [](const PodSetDecision& pod_set) { return !pod_set.evaluated; });
  if (entry.outcome == Outcome::migrating) decision.migrates_from = name_of(all[entry.migrates_from]);
  if (entry.assumed && entry.replaced != kNone) decision.replaced = name_of(all[entry.replaced]);
  for (const Target& target : entry.targets) {
    if (entry.outcome != Outcome::preempting) break;
    const Work& victim = all[target.work];
    bool known = !victim.evicted || victim.preempted;
    decision.victims.push_back({name_of(victim), cluster.queues[victim.holds_in].object->name,
                                victim.priority, victim.evicted && known ? victim.preemption : target.reason,
                                known, target.shares});
  }
  std::sort(decision.victims.begin(), decision.victims.end(),
            [](const Victim& a, const Victim& b) { return a.workload.to_string() < b.workload.to_string(); });
  if (entry.assignment.search >= 0)
    decision.search = describe(entry.assignment.searches[static_cast<std::size_t>(entry.assignment.search)]);
  NodeId node = cluster.queues[work.asks()].node;
  for (const Share& share : entry.standing) {
    decision.shares.push_back({cluster.node_names[node], share.value(), share.weight,
                               share.dominant == kNone ? "" : cluster.resources.text(share.dominant),
                               share.borrows_asked});
    node = cluster.tree.parent(node);
  }
  for (const CheckRule& rule : cluster.queues[work.asks()].checks) {
    bool applies =
        std::any_of(entry.assignment.choices.begin(), entry.assignment.choices.end(), [&](const Choice& c) {
          return std::binary_search(rule.flavors.begin(), rule.flavors.end(), c.flavor);
        });
    if (applies) decision.checks.push_back(cluster.check_names.text(rule.check));
  }
  decision.checks.append(entry.answer.checks.begin(), entry.answer.checks.end());
  std::sort(decision.checks.begin(), decision.checks.end());
  decision.checks.erase(std::unique(decision.checks.begin(), decision.checks.end()), decision.checks.end());
  decision.notes = entry.answer.notes;
  decision.reasons = entry.answer.reasons;
  decision.held_until = entry.answer.until;
  return decision;
}

std::vector<PodSetDecision> Core::describe_holdings(const Work& work) const {
  std::vector<PodSetDecision> out;
  if (!work.reserved) return out;
  for (std::size_t i = 0; i < work.held_counts.size(); ++i) {
    PodSetDecision& pod_set = out.emplace_back();
    if (i < work.object->pod_sets.size()) {
      pod_set.name = work.object->pod_sets[i].name;
      pod_set.spec_count = work.object->pod_sets[i].count;
    }
    if (i < work.object->assignments.size() && !work.held_usage.empty())
      pod_set.name = work.object->assignments[i].name;
    pod_set.count = work.held_counts[i];
    for (const Holding& holding : work.holdings) {
      if (holding.pod_set != i) continue;
      const std::string& resource = cluster.resources.text(holding.resource);
      pod_set.flavors[resource] = cluster.flavor_names.text(holding.flavor);
      pod_set.usage[resource] = holding.assigned;
    }
    if (const HeldPlacement* held = work.placement(static_cast<std::uint16_t>(i))) pod_set.placement = held->assignment;
    pod_set.placement_delayed = i < work.delayed.size() && work.delayed[i] == Delayed::pending;
    if (i < work.held_usage.size()) {
      for (const auto& [resource, quantity] : work.held_usage[i])
        pod_set.usage[resource] = Amount::request(resource, quantity);
    }
  }
  return out;
}

WorkloadReport Core::report(WorkId id) {
  const Work& work = works[id];
  WorkloadReport report;
  report.workload = name_of(work);
  report.local_queue = work.object->queue;
  if (work.queue != kNone) report.cluster_queue = cluster.queues[work.queue].object->name;
  report.state = state(work);
  if (!work.last.empty()) report.decision = work.last.front();
  if (auto found = preempting_.find(id); found != preempting_.end()) {
    bool is_last = report.decision && report.decision->outcome == Outcome::preempting;
    if (!is_last) report.preempting = found->second;
  }
  if (auto found = preemptions_.find(id); found != preemptions_.end()) {
    const LastPreemption& last = found->second;
    const Work& by = std::as_const(works)[last.by];
    std::string queue = by.queue == kNone ? "" : cluster.queues[by.queue].object->name;
    report.preempted = {name_of(by), queue, by.priority, last.at, last.reason, last.shares};
  }
  if (work.denied && !report.decision) {  // when it was submitted
    report.decision.emplace();
    report.decision->workload = report.workload;
    report.decision->outcome = Outcome::denied;
    report.decision->at = now;
    report.decision->reasons = work.submit_refusals;
  }
  if (report.decision) {
    ThinVector<RuleNote> notes = work.submit_notes;
    notes.append(report.decision->notes.begin(), report.decision->notes.end());
    report.decision->notes = std::move(notes);
  }
  report.checks = describe_checks(work);
  report.local_usages = describe_local_usages(work);
  if (work.place == Work::Place::active) {
    for (WorkId other : pending.in_order(works, work.queue)) {
      ++report.position;
      if (other == id) break;
      report.ahead.push_back(name_of(works[other]));
    }
  }
  switch (report.state) {
    case State::admitted:
    case State::finished:
    case State::deactivated:
    case State::evicted:
      return report;
    case State::quota_reserved:
      report.prospect = Prospect::waits_for_check;
      return report;
    case State::denied:
      report.prospect = Prospect::denied_by_rule;
      return report;
    case State::held:
      report.prospect = Prospect::held_by_rule;
      return report;
    case State::pending:
    case State::inadmissible:
    case State::unqueued:
      break;
  }

  auto never = [&](Never::Reason reason, std::string pod_set = {}, std::string resource = {},
                   std::string detail = {}) {
    report.prospect = Prospect::never_as_written;
    report.never = {reason, std::move(pod_set), std::move(resource), std::move(detail)};
    return report;
  };
  auto local = cluster.local_queues.find({work.object->name_space, work.object->queue});
  if (local == cluster.local_queues.end()) return never(Never::Reason::no_local_queue);
  if (work.local_stop != StopPolicy::none) return never(Never::Reason::local_queue_stopped);
  if (work.queue == kNone)
    return never(Never::Reason::queue_missing, {}, {}, local->second.object->cluster_queue);
  const Queue& queue = cluster.queues[work.queue];
  if (!queue.active) return never(Never::Reason::queue_inactive, {}, {}, queue.inactive_reason);
  if (!queue.usable) return never(Never::Reason::queue_inactive, {}, {}, "CohortCycle");
  if (queue.accepts[work.name_space] == 0) return never(Never::Reason::namespace_mismatch);
  if (!refused_resources(*work.object, *cluster.world).empty())
    return never(Never::Reason::invalid_resources);

  // In an empty tree and without rules: if it does not fit there, nothing that ends lets it in.
  QuotaTree& tree = cluster.tree;
  std::size_t empty = tree.mark();
  tree.clear_tree(queue.node);
  cluster.topologies.clear(tree);
  Assignment alone;
  bool ever = fits(id, false, alone);
  tree.rollback(empty);
  if (!ever) {
    std::vector<PodSetDecision> pod_sets = Describer(*this, work).pod_sets(alone, true);
    for (const PodSetDecision& pod_set : pod_sets) {
      if (!pod_set.evaluated || pod_set.mode == Mode::fit) continue;
      if (!pod_set.uncovered.empty())
        return never(Never::Reason::uncovered_resource, pod_set.name, pod_set.uncovered[0]);
      if (pod_set.placement_failure || pod_set.placement_error != PlacementError::none) {
        report.other_pods = pods_beside(queue);
        if (!report.other_pods.empty()) break;  // they may end
        never(Never::Reason::no_place, pod_set.name);
        report.never.failed = pod_set;
        return report;
      }
      bool matches = std::any_of(
          pod_set.attempts.begin(), pod_set.attempts.end(),
          [](const FlavorAttempt& a) { return a.blocking && a.refusal == FlavorAttempt::Refusal::none; });
      return never(matches ? Never::Reason::exceeds_capacity : Never::Reason::no_matching_flavor,
                   pod_set.name);
    }
  }
  report.prospect = Prospect::waits_its_turn;

  // Whose end alone would let it in, as far as quota goes.
  NodeId root = tree.root(queue.node);
  for (QueueId other = 0; other < cluster.queues.size(); ++other) {
    if (tree.root(cluster.queues[other].node) != root) continue;
    for (WorkId holder : reserving[other]) {
      std::size_t mark = tree.mark();
      preemptor_.remove_usage(works[holder]);
      Assignment after;
      bool lets_in = fits(id, true, after);
      tree.rollback(mark);
      if (lets_in)
        report.releases.push_back({name_of(works[holder]), cluster.queues[other].object->name});
    }
  }
  std::sort(report.releases.begin(), report.releases.end(),
            [](const Release& a, const Release& b) { return a.workload < b.workload; });
  play_releases(id, report.releases);
  return report;
}

/// Whether others take the room first. Each end is played on a copy: only a few, and not on a large cluster.
void Core::play_releases(WorkId id, std::vector<Release>& releases) const {
  constexpr std::size_t kMostPlayed = 5;
  constexpr std::size_t kMostWorkloads = 1000;
  if (works.size() > kMostWorkloads) return;
  for (std::size_t i = 0; i < std::min(releases.size(), kMostPlayed); ++i) {
    Core future(*this);
    try {
      future.finish(future.find(releases[i].workload));
      future.settle();
      future.run();
    } catch (const Unsupported&) {
      continue;  // what follows is not decided yet, and the answer about now stands
    }
    releases[i].admits = future.works[id].reserved;
  }
}

/// Pods that Kueue did not place, on the nodes of a queue's topologies.
std::vector<std::string> Core::pods_beside(const Queue& queue) const {
  std::vector<std::string> names;
  for (const Pod& pod : cluster.world->pods) {
    if (pod.asks_for_topology || pod.ended) continue;
    bool is_here = std::any_of(queue.groups.begin(), queue.groups.end(), [&](const Group& group) {
      return std::any_of(group.flavors.begin(), group.flavors.end(), [&](FlavorId flavor) {
        std::uint32_t tree = cluster.topologies.of_flavor(flavor);
        return tree != kNoTree && cluster.topologies[tree].leaf_by_node.contains(pod.node);
      });
    });
    if (is_here) names.push_back(pod.name_space + "/" + pod.name);
  }
  return names;
}

std::optional<Change> Core::what_waiting_changes(WorkId id, Duration horizon) const {
  constexpr int kMostSteps = 256;  // a rule that changes its mind every minute must not take for ever
  State before = state(works[id]);
  if (before != State::pending && before != State::inadmissible && before != State::held &&
      before != State::unqueued) {
    return std::nullopt;
  }
  Outcome last = works[id].last.empty() ? Outcome::no_fit : works[id].last.front().outcome;
  Core future(*this);
  Instant end = now + horizon;
  for (int step = 0; step < kMostSteps; ++step) {
    std::optional<Instant> due = future.next_due();
    if (!due || *due > end) return std::nullopt;
    future.cycles.clear();
    future.advance(*due);
    const Work& work = future.works[id];
    State after = future.state(work);
    bool outcome_differs = !work.last.empty() && work.last.front().outcome != last;
    if (after == before && !outcome_differs) continue;
    Change change;
    change.at = *due;
    if (!work.last.empty()) change.decision = work.last.front();
    change.state = after;
    return change;
  }
  return std::nullopt;
}

}  // namespace sluice::decide
