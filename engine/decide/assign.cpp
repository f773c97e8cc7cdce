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
  placement_failures.clear();
  searches.clear();
  reaches.clear();
  search = -1;
  usage.clear();
  verdict = Verdicts::no_fit;
  level = 0;
  progress.known = false;
  progress.tried.resize(0);
}

Amount Assigner::assumed(const Assignment& a, FlavorResource cell) const {
  for (const Demand& demand : a.usage) {
    if (demand.cell == cell) return demand.amount;
  }
  return Amount(0);
}

/// The pod sets that are given flavors together with the first one, it itself first.
void Assigner::gather_members(const Work& work, std::uint16_t first) {
  members_.assign(1, first);
  const auto& pod_sets = work.object->pod_sets;
  if (pod_sets.size() < 2 || !pod_sets[first].topology || !pod_sets[first].topology->group) return;
  for (std::size_t i = first + 1u; i < pod_sets.size(); ++i) {
    const auto& topology = pod_sets[i].topology;
    if (topology && topology->group == pod_sets[first].topology->group)
      members_.push_back(static_cast<std::uint16_t>(i));
  }
}

void Assigner::read_requests(const Queue& queue, const Shape& shape) {
  auto amount_of = [&](std::uint16_t member, const Request& request) {
    return scaled(request.amount, shape.pod_sets[member].count, count_of(shape, member));
  };
  requests_ = shape.pod_sets[members_[0]].requests;
  for (Request& request : requests_) request.amount = amount_of(members_[0], request);
  std::int64_t pods = count_of(shape, members_[0]);
  auto place_of = [&](ResourceId resource) {
    return std::find_if(requests_.begin(), requests_.end(),
                        [&](const Request& r) { return !cluster_.resources.before(r.resource, resource); });
  };
  for (std::size_t m = 1; m < members_.size(); ++m) {
    const PodSetShape& member = shape.pod_sets[members_[m]];
    pods += count_of(shape, members_[m]);
    for (const Request& request : member.requests) {
      auto place = place_of(request.resource);
      if (place != requests_.end() && place->resource == request.resource) {
        place->amount = place->amount + amount_of(members_[m], request);
      } else {
        requests_.insert(place, {request.resource, amount_of(members_[m], request)});
      }
    }
  }
  if (!queue.covers_pods) return;
  std::erase_if(requests_, [&](const Request& r) { return r.resource == cluster_.pods; });
  requests_.insert(place_of(cluster_.pods), {cluster_.pods, Amount(pods)});
}

void Assigner::add_usage(const Choice& choice, Assignment& out) const {
  auto known = std::find_if(out.usage.begin(), out.usage.end(),
                            [&](const Demand& d) { return d.cell == choice.cell; });
  if (known == out.usage.end()) {
    out.usage.push_back({choice.cell, choice.amount});
  } else {
    known->amount = known->amount + choice.amount;
  }
}

/// Gives each member the flavors of what it asks for.
void Assigner::hand_out(const Context& c, const Shape& shape, bool found, Assignment& out) {
  const Queue& queue = *c.queue;
  for (std::uint16_t member : members_) {
    PodSetResult& result = out.pod_sets[member];
    const PodSetShape& pod_set = shape.pod_sets[member];
    result.first_choice = static_cast<std::uint32_t>(out.choices.size());
    // Kueue counts pod sets as they get flavors, but looks them up by their place in the spec.
    const auto counted = handed_out_++;
    auto take = [&](const Choice& from, Amount amount) {
      Choice choice = from;
      choice.pod_set = member;
      choice.amount = amount;
      out.choices.push_back(choice);
      out.progress.tried.push_back({counted, choice.resource, choice.tried});
      out.level = std::max(out.level, choice.level);
      const Holding* held =
          slice_ == nullptr ? nullptr : held_by_slice(c.work->object->pod_sets[member].name, choice.resource);
      if (held != nullptr) choice.amount = choice.amount - held->amount;
      add_usage(choice, out);
    };
    bool asks = !pod_set.requests.empty() || queue.covers_pods;
    if (found) {
      for (const Choice& choice : found_) {
        if (queue.covers_pods && choice.resource == cluster_.pods) {
          take(choice, Amount(count_of(shape, member)));
          continue;
        }
        auto own = std::find_if(pod_set.requests.begin(), pod_set.requests.end(),
                                [&](const Request& r) { return r.resource == choice.resource; });
        if (own != pod_set.requests.end()) {
          take(choice, scaled(own->amount, pod_set.count, count_of(shape, member)));
        } else if (!asks && cluster_.topologies.of_flavor(choice.flavor) != kNoTree) {
          take(choice, Amount(0));  // a leader that asks for nothing still needs a place
        }
      }
    }
    result.choices = static_cast<std::uint32_t>(out.choices.size()) - result.first_choice;
    result.has_reasons = has_reasons_ || !found;
    result.answer = answer_;
    result.verdict = found ? Verdicts::fit : Verdicts::no_fit;
    // Kueue takes a pod set without reasons for a fit: with PreemptionOverBorrowing a borrowing fit of one
    // resource can hide that another one would preempt.
    if (found && has_reasons_) {
      if (result.choices == 0) result.verdict = Verdicts::no_fit;
      for (const Choice& choice : out.choices_of(member)) result.verdict = std::min(result.verdict, choice.verdict);
    }
  }
}

void Assigner::keep_holdings(const Context& c, const Shape& shape, Assignment& out) {
  const Work& work = *c.work;
  for (std::uint16_t i = 0; i < shape.pod_sets.size(); ++i) {
    PodSetResult& result = out.pod_sets[i];
    result.evaluated = true;
    result.first_choice = static_cast<std::uint32_t>(out.choices.size());
    result.count = i < work.held_counts.size() ? std::min(work.held_counts[i], shape.pod_sets[i].count) : 0;
    for (const Holding& holding : work.holdings) {
      if (holding.pod_set != i) continue;
      Choice choice;
      choice.pod_set = i;
      choice.resource = holding.resource;
      choice.flavor = holding.flavor;
      choice.cell = holding.cell;
      choice.amount = holding.amount;
      choice.tried = 0;
      out.choices.push_back(choice);
      out.progress.tried.push_back({i, choice.resource, 0});
      add_usage(choice, out);
    }
    result.choices = static_cast<std::uint32_t>(out.choices.size()) - result.first_choice;
    if (i < work.delayed.size()) result.delayed = work.delayed[i];
    const HeldPlacement* held = work.placement(i);
    if (held == nullptr) continue;
    result.is_placed = true;
    result.placement.pod_set = i;
    result.placement.keeps = true;
    result.to_repair = std::any_of(
        held->assignment.domains.begin(), held->assignment.domains.end(), [&](const TopologyDomain& domain) {
          const auto& bad = work.unhealthy_nodes;
          return !domain.values.empty() && std::find(bad.begin(), bad.end(), domain.values.back()) != bad.end();
        });
  }
}

/// The worst pod set decides.
void Assigner::judge(Assignment& out) {
  out.verdict = out.pod_sets.empty() ? Verdicts::no_fit : Verdicts::fit;
  for (const PodSetResult& result : out.pod_sets) {
    if (!result.evaluated) continue;
    out.verdict = std::min(out.verdict, result.verdict);
    if (result.placement_error != PlacementError::none) out.verdict = Verdicts::no_fit;
  }
}

void Assigner::assign(WorkId id, std::uint64_t cycle, std::uint64_t generation, Instant now,
                      const Progress* progress, const std::vector<Choice>* pinned, bool with_rules,
                      Assignment& out) {
  out.clear();
  const Work& work = works_[id];
  const Queue& queue = cluster_.queues[work.asks()];
  const Shape& shape = shapes_[work.shape];
  Context c{id, &work, &queue, now, progress, pinned, with_rules && setting_.rules != nullptr};
  out.progress.known = true;
  out.progress.cycle = cycle;
  out.progress.generation = generation;
  out.progress.equivalence = work.equivalence;
  handed_out_ = 0;
  out.pod_sets.resize(shape.pod_sets.size());
  if (work.reserved) {
    keep_holdings(c, shape, out);
    judge(out);
    if (out.verdict != Verdicts::no_fit && setting_.gates.topology_aware) place(c, out);
    return;
  }
  bool failed = shape.pod_sets.empty();
  for (std::uint16_t i = 0; i < shape.pod_sets.size() && !failed; ++i) {
    if (out.pod_sets[i].evaluated) continue;  // with an earlier one of its group
    gather_members(work, i);
    read_requests(queue, shape);
    found_.clear();
    has_reasons_ = false;
    answer_ = -1;
    PodSetResult& result = out.pod_sets[i];
    result.first_attempt = static_cast<std::uint32_t>(out.attempts.size());
    bool found = true;
    for (const Request& request : requests_) {
      bool covered = queue.find(request.resource).group >= 0;
      if (!covered && (request.amount == Amount(0) || setting_.ignore_undeclared)) continue;
      bool chosen = std::any_of(found_.begin(), found_.end(),
                                [&](const Choice& choice) { return choice.resource == request.resource; });
      if (chosen) continue;
      if (!covered) {
        result.uncovered = request.resource;
        found = false;
      } else {
        found = search_group(c, request.resource, out);
      }
      if (!found) break;
    }
    result.attempts = static_cast<std::uint32_t>(out.attempts.size()) - result.first_attempt;
    if (!found) {
      // What fitted before is given up, and only the last search explains the failure.
      std::uint32_t end = result.first_attempt + result.attempts;
      for (std::uint32_t a = result.first_attempt; a < end; ++a) {
        bool last = result.uncovered == kNone && out.attempts[a].group == out.attempts[end - 1].group;
        out.attempts[a].blocking = last;
        out.attempts[a].chosen = false;
      }
    }
    for (std::uint16_t member : members_) {
      PodSetResult& other = out.pod_sets[member];
      other.evaluated = true;
      other.count = count_of(shape, member);
      other.first_attempt = result.first_attempt;
      other.attempts = result.attempts;
      other.uncovered = result.uncovered;
    }
    hand_out(c, shape, found, out);
    // A pod set all of whose requests may be ignored ends the search as well, but counts as a fit (Kueue does
    // so).
    failed = !found;
    for (std::uint16_t member : members_) {
      bool asks = !shape.pod_sets[member].requests.empty() || queue.covers_pods;
      failed = failed || (asks && out.pod_sets[member].choices == 0);
    }
  }
  judge(out);
  if (!failed && out.verdict != Verdicts::no_fit && setting_.gates.topology_aware) place(c, out);
}

/// Source: Kueue checkPodSetAndFlavorMatchForTAS.
FlavorAttempt::Refusal Assigner::refuse_topology(const Context& c, std::uint16_t index, FlavorId flavor,
                                                 const Group& group) {
  using Refusal = FlavorAttempt::Refusal;
  const PodSet& pod_set = c.work->object->pod_sets[index];
  const bool has_topology = cluster_.flavors[flavor]->topology.has_value();
  if (!Placer::asks_itself(pod_set)) {
    if (c.queue->topology_only || !has_topology) return Refusal::none;
    return Refusal::topology_only;
  }
  if (!has_topology) {
    for (const auto& [resource, amount] : cluster_.topologies.demands(placer_.demand(*c.work, index))) {
      if (std::find(group.resources.begin(), group.resources.end(), resource) != group.resources.end())
        return Refusal::no_topology;
    }
    return Refusal::none;
  }
  TreeId id = cluster_.topologies.of_flavor(flavor);
  if (id == kNoTree) return Refusal::topology_unknown;
  const TopologyTree& tree = cluster_.topologies[id];
  const TopologyRequest& request = *pod_set.topology;
  using Ask = TopologyRequest::Mode;
  std::vector<SliceLayer> layers = layers_of(&request);
  if (request.mode == Ask::required || request.mode == Ask::preferred) {
    if (tree.level_of(request.level) < 0) return Refusal::level_missing;
  } else if (layers.empty() && request.mode != Ask::unconstrained) {
    return Refusal::level_missing;
  }
  for (const SliceLayer& layer : layers) {
    if (tree.level_of(layer.level) < 0) return Refusal::level_missing;
  }
  return Refusal::none;
}

FlavorAttempt::Refusal Assigner::refuse_flavor(const Context& c, FlavorId flavor, const Group& group,
                                               std::uint16_t& refused) {
  refused = members_[0];
  if (cluster_.flavors[flavor] == nullptr) return FlavorAttempt::Refusal::flavor_missing;
  const bool check_topology = setting_.gates.topology_aware;
  for (std::uint16_t member : members_) {
    refused = member;
    if (check_topology) {
      FlavorAttempt::Refusal refusal = refuse_topology(c, member, flavor, group);
      if (refusal != FlavorAttempt::Refusal::none) return refusal;
    }
    std::uint32_t pod_class = shapes_[c.work->shape].pod_sets[member].pod_class;
    if (!shapes_.may_use(pod_class, flavor, cluster_)) return shapes_.why_not(pod_class, flavor, cluster_).kind;
  }
  return FlavorAttempt::Refusal::none;
}

bool Assigner::search_group(const Context& c, ResourceId resource, Assignment& out) {
  const std::uint16_t pod_set = members_[0];
  const Queue& queue = *c.queue;
  auto group_index = static_cast<std::size_t>(queue.find(resource).group);
  const Group& group = queue.groups[group_index];
  const FlavorFungibility& fungibility = queue.object->fungibility;
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
  if (c.progress != nullptr && c.progress->known && setting_.gates.flavor_fungibility && !governed) {
    for (const Progress::Tried& tried : c.progress->tried) {
      if (tried.pod_set == pod_set && tried.resource == resource) next = tried.flavor + 1;
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
    attempt.searched_for = resource;
    attempt.blocking = true;
    attempt.position = position;
    attempt.first_trial = static_cast<std::uint32_t>(out.trials.size());
    attempt.answer = answer_index;
    if (c.pinned != nullptr) {
      bool pinned = std::any_of(c.pinned->begin(), c.pinned->end(), [&](const Choice& p) {
        return p.resource == resource && p.flavor == flavor &&
               std::find(members_.begin(), members_.end(), p.pod_set) != members_.end();
      });
      if (!pinned) {
        attempt.refusal = FlavorAttempt::Refusal::other_flavor_kept;
        continue;
      }
    }
    if (c.work->is_restricted && !c.work->may_use(flavor)) {
      attempt.refusal = FlavorAttempt::Refusal::not_allowed;
      continue;
    }
    attempt.refusal = refuse_flavor(c, flavor, group, attempt.refused);
    if (attempt.refusal == FlavorAttempt::Refusal::affinity_invalid) {
      answer_ = answer_index;
      return false;
    }
    if (attempt.refusal != FlavorAttempt::Refusal::none) continue;
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
      if (slice_ != nullptr) {
        for (std::uint16_t member : members_) {
          const Holding* held = held_by_slice(member, request.resource);
          if (held == nullptr || held->flavor != flavor) {
            trial.leaves_slice = true;
            trial.slice_flavor = held == nullptr ? kNone : held->flavor;
            break;
          }
          trial.asked = trial.asked - held->amount;
        }
      }
      test(c, cell, assumed(out, cell), trial, out);
      level = std::max(level, trial.level);
      if (trial.leaves_slice) grade = {Mode::no_fit, std::numeric_limits<std::int32_t>::max()};
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
    answer_ = answer_index;
    has_reasons_ = true;
  }
  if (best_attempt >= 0) out.attempts[static_cast<std::size_t>(best_attempt)].chosen = true;
  for (Choice& choice : best_) {
    choice.tried = tried;
    found_.push_back(choice);
  }
  return !best_.empty();
}

const Holding* Assigner::held_by_slice(std::size_t entry, ResourceId resource) const {
  for (const Holding& holding : slice_->holdings) {
    if (holding.pod_set == entry && holding.resource == resource) return &holding;
  }
  return nullptr;
}

const Holding* Assigner::held_by_slice(const std::string& pod_set, ResourceId resource) const {
  for (std::size_t entry = 0; entry < slice_->held_counts.size(); ++entry) {
    if (slice_->assigned_name(entry) == pod_set) return held_by_slice(entry, resource);
  }
  return nullptr;
}

void Assigner::test(const Context& c, FlavorResource cell, Amount assumed_before, Trial& trial,
                    Assignment& out) {
  const QuotaTree& tree = cluster_.tree;
  NodeId node = c.queue->node;
  Amount value = assumed_before + trial.asked;
  trial.assumed = assumed_before;
  trial.used = tree.usage(node, cell);
  trial.nominal = tree.nominal(node, cell);
  trial.capacity = tree.capacity(node, cell);
  trial.available = tree.available(node, cell);
  auto keep_reach = [&] {
    if (!explains_) return;
    trial.reach = static_cast<std::int32_t>(out.reaches.size());
    out.reaches.push_back(reach_of(*c.queue, cell, trial.resource));
  };
  if (value > trial.capacity) {
    trial.verdict = ResourceTrial::Verdict::exceeds_capacity;
    trial.short_by = value - trial.capacity;
    trial.mode = Mode::no_fit;
    if (tree.has_parent(node)) keep_reach();
    return;
  }
  QuotaTree::Fit fit = tree.lowest_fit(node, cell, value);
  trial.level = fit.level;
  if (value > trial.available || fit.level > 0) keep_reach();
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
  if (explains_) {
    trial.search = static_cast<std::int32_t>(out.searches.size());
    preemptor_.write_to(&out.searches.emplace_back());
  }
  preemptor_.search(c.id, *c.queue, c.work->queue, {&cell, 1}, {&demand, 1}, targets_);
  preemptor_.write_to(nullptr);
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
