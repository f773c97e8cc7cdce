#include "decide/assign.hpp"

#include <algorithm>
#include <limits>

namespace sluice::decide {
namespace {

Verdicts verdict_of(Mode mode) {
  switch (mode) {
    case Mode::no_fit:
      return Verdicts::no_fit;
    case Mode::no_candidates:
    case Mode::preempt:
    case Mode::reclaim:
      return Verdicts::preempt;
    case Mode::fit:
      return Verdicts::fit;
  }
  return Verdicts::no_fit;
}

/// A mode with its borrowing level: what flavors are compared by.
struct Grade {
  Mode mode;
  std::int32_t level;
};

/// `candidates_first`: nothing is worse than having nobody to preempt, but not to fit at all; so it is from 0.18 on.
bool is_better(Grade a, Grade b, FungibilityPreference preference, bool candidates_first) {
  if (a.mode == Mode::no_fit) return false;
  if (b.mode == Mode::no_fit) return true;
  if (candidates_first && (a.mode == Mode::no_candidates) != (b.mode == Mode::no_candidates))
    return b.mode == Mode::no_candidates;
  if (preference == FungibilityPreference::preemption_over_borrowing) {
    return a.level != b.level ? a.level < b.level : a.mode > b.mode;
  }
  return a.mode != b.mode ? a.mode > b.mode : a.level < b.level;
}

bool tries_next(Grade grade, const FlavorFungibility& fungibility) {
  if (grade.mode == Mode::no_fit || grade.mode == Mode::no_candidates) return true;
  bool preempts = grade.mode == Mode::preempt || grade.mode == Mode::reclaim;
  if (preempts && fungibility.when_can_preempt == FungibilityPolicy::try_next_flavor) return true;
  return grade.level > 0 && fungibility.when_can_borrow == FungibilityPolicy::try_next_flavor;
}

bool is_plain(const FlavorsAnswer& answer) {
  for (std::uint32_t i = 0; i < answer.order.size(); ++i) {
    if (answer.order[i] != i) return false;
  }
  return std::all_of(answer.flavors.begin(), answer.flavors.end(),
                     [](const FlavorAnswer& f) { return f.allowed; });
}

}  // namespace

void Assignment::clear() {
  pod_sets.clear();
  choices.clear();
  attempts.clear();
  trials.clear();
  answers.clear();
  usage.clear();
  verdict = Verdicts::no_fit;
  level = 0;
  progress.known = false;
  progress.tried.clear();
}

Amount Assigner::assumed(const Assignment& a, FlavorResource cell) const {
  for (const Demand& demand : a.usage) {
    if (demand.cell == cell) return demand.amount;
  }
  return Amount(0);
}

void Assigner::assign(WorkId id, std::uint64_t cycle, std::uint64_t generation, Instant now,
                      const Progress* progress, const std::vector<Choice>* pinned, bool with_rules,
                      Assignment& out) {
  out.clear();
  const Work& work = works_[id];
  const Queue& queue = cluster_.queues[work.queue];
  const Shape& shape = shapes_[work.shape];
  Context c{id, &work, &queue, now, progress, pinned, with_rules && setting_.rules != nullptr};
  out.progress.known = true;
  out.progress.cycle = cycle;
  out.progress.generation = generation;
  out.progress.equivalence = work.equivalence;
  out.pod_sets.resize(shape.pod_sets.size());
  bool failed = shape.pod_sets.empty();
  for (std::uint16_t i = 0; i < shape.pod_sets.size() && !failed; ++i) {
    const PodSetShape& pod_set = shape.pod_sets[i];
    PodSetResult& result = out.pod_sets[i];
    result.evaluated = true;
    result.first_attempt = static_cast<std::uint32_t>(out.attempts.size());
    result.first_choice = static_cast<std::uint32_t>(out.choices.size());
    requests_ = pod_set.requests;
    if (queue.covers_pods) {
      std::erase_if(requests_, [&](const Request& r) { return r.resource == cluster_.pods; });
      auto place = std::find_if(requests_.begin(), requests_.end(), [&](const Request& r) {
        return cluster_.resources.before(cluster_.pods, r.resource);
      });
      requests_.insert(place, {cluster_.pods, Amount(pod_set.count)});
    }
    out.progress.tried.emplace_back();
    bool found = true;
    for (const Request& request : requests_) {
      bool covered = queue.find(request.resource).group >= 0;
      if (!covered && (request.amount == Amount(0) || setting_.ignore_undeclared)) continue;
      bool chosen = std::any_of(out.choices.begin() + result.first_choice, out.choices.end(),
                                [&](const Choice& choice) { return choice.resource == request.resource; });
      if (chosen) continue;
      if (!covered) {
        result.uncovered = request.resource;
        found = false;
      } else {
        found = search_group(c, i, request.resource, result.first_choice, out);
      }
      if (!found) break;
    }
    result.attempts = static_cast<std::uint32_t>(out.attempts.size()) - result.first_attempt;
    if (!found) {
      // What fitted before is given up, and only the last search explains the failure.
      out.choices.resize(result.first_choice);
      out.progress.tried.back().clear();
      std::uint32_t end = result.first_attempt + result.attempts;
      for (std::uint32_t a = result.first_attempt; a < end; ++a) {
        bool last = result.uncovered == kNone && out.attempts[a].group == out.attempts[end - 1].group;
        out.attempts[a].blocking = last;
        out.attempts[a].chosen = false;
      }
      result.verdict = Verdicts::no_fit;
    }
    result.choices = static_cast<std::uint32_t>(out.choices.size()) - result.first_choice;
    for (std::uint32_t k = result.first_choice; k < out.choices.size(); ++k) {
      const Choice& choice = out.choices[k];
      // Kueue takes a pod set without reasons for a fit: with PreemptionOverBorrowing a borrowing fit of one
      // resource can hide that another one would preempt.
      if (result.has_reasons) result.verdict = std::min(result.verdict, choice.verdict);
      out.level = std::max(out.level, choice.level);
      auto known = std::find_if(out.usage.begin(), out.usage.end(),
                                [&](const Demand& d) { return d.cell == choice.cell; });
      if (known == out.usage.end()) {
        out.usage.push_back({choice.cell, choice.amount});
      } else {
        known->amount = known->amount + choice.amount;
      }
    }
    // A pod set all of whose requests may be ignored ends the search as well, but counts as a fit (Kueue does
    // so).
    failed = !found || (!requests_.empty() && result.choices == 0);
    if (!failed && queue.groups.empty() && setting_.gates.topology_aware) {
      result.without_groups = true;
      result.verdict = Verdicts::no_fit;
    }
  }
  out.verdict = shape.pod_sets.empty() ? Verdicts::no_fit : Verdicts::fit;
  for (const PodSetResult& result : out.pod_sets) {
    if (result.evaluated) out.verdict = std::min(out.verdict, result.verdict);
  }
}

bool Assigner::search_group(const Context& c, std::uint16_t pod_set, ResourceId resource,
                            std::size_t first_choice, Assignment& out) {
  const Queue& queue = *c.queue;
  auto group_index = static_cast<std::size_t>(queue.find(resource).group);
  const Group& group = queue.groups[group_index];
  const FlavorFungibility& fungibility = queue.object->fungibility;
  const std::uint32_t pod_class = shapes_[c.work->shape].pod_sets[pod_set].pod_class;
  auto count = static_cast<std::int32_t>(group.flavors.size());

  std::int32_t answer_index = -1;
  bool governed = false;
  if (c.with_rules) {
    out.answers.push_back(setting_.rules->flavors(c.work->rules_id, pod_set, queue.object->name,
                                                  queue.object->resource_groups[group_index], c.now,
                                                  *setting_.view));
    answer_index = static_cast<std::int32_t>(out.answers.size()) - 1;
    governed = !is_plain(out.answers.back());
  }

  std::int32_t next = 0;
  if (c.progress != nullptr && c.progress->known && setting_.gates.flavor_fungibility && !governed &&
      pod_set < c.progress->tried.size()) {
    for (const auto& [tried_resource, index] : c.progress->tried[pod_set]) {
      if (tried_resource == resource) next = index + 1;
    }
  }

  best_.clear();
  Grade best{Mode::no_fit, std::numeric_limits<std::int32_t>::max()};
  std::int32_t best_attempt = -1;
  std::int32_t attempted = -1;
  auto first_attempt = out.attempts.size();
  for (; next < count; ++next) {
    attempted = next;
    auto position = static_cast<std::uint32_t>(next);
    if (governed) position = out.answers[static_cast<std::size_t>(answer_index)].order[position];
    FlavorId flavor = group.flavors[position];
    Attempt& attempt = out.attempts.emplace_back();
    attempt.flavor = flavor;
    attempt.group = static_cast<std::uint16_t>(group_index);
    attempt.blocking = true;
    attempt.position = position;
    attempt.first_trial = static_cast<std::uint32_t>(out.trials.size());
    attempt.answer = answer_index;
    if (c.pinned != nullptr) {
      bool pinned = std::any_of(c.pinned->begin(), c.pinned->end(), [&](const Choice& p) {
        return p.pod_set == pod_set && p.resource == resource && p.flavor == flavor;
      });
      if (!pinned) {
        attempt.refusal = FlavorAttempt::Refusal::other_flavor_kept;
        continue;
      }
    }
    if (!shapes_.may_use(pod_class, flavor, cluster_)) {
      attempt.refusal = shapes_.why_not(pod_class, flavor, cluster_).kind;
      continue;
    }
    if (governed && !out.answers[static_cast<std::size_t>(answer_index)].flavors[position].allowed) {
      attempt.refusal = FlavorAttempt::Refusal::rule;
      continue;
    }

    candidate_.clear();
    const bool candidates_first = setting_.gates.version != KueueVersion::v0_17;
    Grade grade{Mode::fit, 0};
    std::int32_t level = 0;
    for (const Request& request : requests_) {
      Covered place = queue.find(request.resource);
      if (place.group != static_cast<std::int16_t>(group_index)) continue;
      FlavorResource cell = group.cell(position, static_cast<std::size_t>(place.column));
      Trial& trial = out.trials.emplace_back();
      trial.resource = request.resource;
      trial.asked = request.amount;
      test(c, cell, assumed(out, cell), trial);
      level = std::max(level, trial.level);
      if (is_better(grade, {trial.mode, trial.level}, fungibility.preference, candidates_first))
        grade = {trial.mode, trial.level};
      if (grade.mode == Mode::no_fit) continue;
      candidate_.push_back(
          {pod_set, request.resource, flavor, cell, request.amount, verdict_of(trial.mode), trial.level});
    }
    attempt.trials = static_cast<std::uint32_t>(out.trials.size()) - attempt.first_trial;
    attempt.mode = grade.mode;
    attempt.level = level;
    auto take = [&] {
      best_ = candidate_;
      best = grade;
      best_attempt = static_cast<std::int32_t>(out.attempts.size()) - 1;
    };
    if (!setting_.gates.flavor_fungibility) {
      if (grade.mode > best.mode) {
        take();
        if (best.mode == Mode::fit) break;
      }
      continue;
    }
    if (!tries_next(grade, fungibility)) {
      take();
      break;
    }
    if (is_better(grade, best, fungibility.preference, candidates_first)) take();
  }

  std::int32_t tried = attempted == count - 1 ? -1 : attempted;
  if (!setting_.gates.flavor_fungibility) tried = 0;
  if (governed) tried = -1;
  if (best.mode == Mode::fit) {
    for (std::size_t a = first_attempt; a < out.attempts.size(); ++a) out.attempts[a].blocking = false;
  } else {
    out.pod_sets[pod_set].answer = answer_index;
    out.pod_sets[pod_set].has_reasons = true;
  }
  if (best_attempt >= 0) out.attempts[static_cast<std::size_t>(best_attempt)].chosen = true;
  for (const Choice& choice : best_) {
    out.choices.push_back(choice);
    out.progress.tried.back().emplace_back(choice.resource, tried);
  }
  return out.choices.size() > first_choice && !best_.empty();
}

void Assigner::test(const Context& c, FlavorResource cell, Amount assumed_before, Trial& trial) {
  const QuotaTree& tree = cluster_.tree;
  NodeId node = c.queue->node;
  Amount value = assumed_before + trial.asked;
  trial.assumed = assumed_before;
  trial.used = tree.usage(node, cell);
  trial.nominal = tree.nominal(node, cell);
  trial.capacity = tree.capacity(node, cell);
  trial.available = tree.available(node, cell);
  if (value > trial.capacity) {
    trial.verdict = ResourceTrial::Verdict::exceeds_capacity;
    trial.short_by = value - trial.capacity;
    trial.mode = Mode::no_fit;
    return;
  }
  QuotaTree::Fit fit = tree.lowest_fit(node, cell, value);
  trial.level = fit.level;
  if (value <= trial.available) {
    trial.mode = Mode::fit;
    return;
  }
  trial.verdict = ResourceTrial::Verdict::short_now;
  trial.short_by = value - trial.available;
  trial.mode = Mode::no_fit;
  const Preemption& policy = c.queue->object->preemption;
  bool while_borrowing =
      policy.borrow_within_cohort != PreemptionPolicy::never ||
      (setting_.fair_sharing && policy.reclaim_within_cohort != PreemptionPolicy::never);
  if (trial.nominal < value && !fit.may_reclaim && !while_borrowing) return;

  Demand demand{cell, value};
  preemptor_.search(c.id, *c.queue, c.work->queue, {&cell, 1}, {&demand, 1}, targets_);
  if (targets_.empty()) {
    trial.mode = Mode::no_candidates;
    return;
  }
  QuotaTree& changing = cluster_.tree;
  std::size_t mark = changing.mark();
  trial.mode = Mode::reclaim;
  for (const Target& target : targets_) {
    preemptor_.remove_usage(works_[target.work]);
    if (works_[target.work].holds_in == c.work->queue) trial.mode = Mode::preempt;
  }
  trial.level = tree.lowest_fit(node, cell, value).level;
  changing.rollback(mark);
}

}  // namespace sluice::decide
