#include <limits>

#include "decide/policy_rules.hpp"

// What a policy says of flavors: rules on `flavor`, and the rungs of a fallback.
namespace sluice::decide {

using program::Action;
using program::kNone;
using program::OnError;
using program::Point;
using program::Role;

const program::Fallback* PolicyRules::fallback_of(std::string_view queue) const {
  const auto found = std::lower_bound(program_.fallbacks.begin(), program_.fallbacks.end(), queue,
                                      [](const program::Fallback& f, std::string_view name) { return f.queue < name; });
  return found != program_.fallbacks.end() && found->queue == queue ? &*found : nullptr;
}

RuleNote PolicyRules::rung_note(Verb verb, const program::Fallback& fallback, const program::Rung& rung) {
  RuleNote note;
  note.verb = verb;
  note.rule = "fallback for queue " + fallback.queue;
  note.span = rung.span;
  note.because = text(rung.because);
  return note;
}

bool PolicyRules::is_open(const program::Rung& rung, std::optional<Duration> lifted_to, std::optional<program::Fault>* fault) {
  if (rung.after) {
    const Duration wait = lifted_to ? std::min(*lifted_to, *rung.after) : *rung.after;
    if (waited() < wait) return false;
  }
  const vm::Value when = machine_.test(rung.when);
  if (when.fault && fault != nullptr) *fault = when.fault;
  if (!when) return false;
  if (rung.unless.chunk == kNone) return true;
  const vm::Value unless = machine_.test(rung.unless);
  if (unless.fault && fault != nullptr) *fault = unless.fault;
  return !unless.fault && !unless;
}

void PolicyRules::ask_flavor_rules(const ResourceGroup& group, std::vector<Candidate>& candidates,
                                   std::vector<std::pair<std::uint32_t, std::uint32_t>>& preferences) {
  const auto index_of = [&](const std::string& name) -> std::optional<std::uint32_t> {
    for (std::uint32_t i = 0; i < group.flavors.size(); ++i) {
      if (group.flavors[i].flavor == name) return i;
    }
    return std::nullopt;
  };
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    flavor_row_ = tables_.flavor_row(group.flavors[i].flavor);
    machine_.set_row(Role::flavor, *flavor_row_);
    for (const Hit& hit : hits(Point::flavor)) {
      if (hit.fault) {
        if (hit.rule->on_error == OnError::skip) {
          candidates[i].answer.notes.push_back(fault_note(Verb::allow, *hit.rule, *hit.fault));
          continue;
        }
        // Whether it may be used is not known: then nothing may.
        const Verb verb = hit.rule->on_error == OnError::deny ? Verb::deny : Verb::hold;
        for (Candidate& candidate : candidates) {
          if (!candidate.held_by_fault) candidate.answer.refusals.push_back(fault_note(verb, *hit.rule, *hit.fault));
          candidate.answer.allowed = false;
          candidate.held_by_fault = true;
        }
        continue;
      }
      each_action(*hit.rule, [&](const Action& action) {
        if (action.kind == Action::Kind::skip) {
          RuleNote refusal = note(Verb::skip, *hit.rule, action.span);
          refusal.opens = ends(*hit.rule);
          candidates[i].answer.allowed = false;
          candidates[i].answer.refusals.push_back(std::move(refusal));
        } else if (action.kind == Action::Kind::prefer) {
          const auto preferred = index_of(action.name);
          const auto other = index_of(action.other);
          if (!preferred || !other) return;
          const auto pair = std::pair(*preferred, *other);
          if (std::find(preferences.begin(), preferences.end(), pair) != preferences.end()) return;
          preferences.push_back(pair);
          candidates[*preferred].answer.notes.push_back(note(Verb::prefer, *hit.rule, action.span));
        }
      });
    }
  }
}

void PolicyRules::ask_rungs(const program::Fallback& fallback, Candidate& candidate) {
  std::vector<RuleNote> closed;
  for (const program::Rung* rung : candidate.rungs) {
    std::optional<program::Fault> fault;
    if (is_open(*rung, candidate.lifted_to, &fault)) {
      candidate.answer.notes.push_back(rung_note(Verb::rung_open, fallback, *rung));
      return;
    }
    RuleNote refusal = rung_note(Verb::rung_closed, fallback, *rung);
    if (fault) refusal.fault = fault_of(*fault);
    const std::optional<Duration> wait =
        rung->after && candidate.lifted_to ? std::optional(std::min(*rung->after, *candidate.lifted_to)) : rung->after;
    if (wait && waited() < *wait) {
      refusal.after = wait;
      refusal.because.clear();  // it is about the guard
      if (!candidate.answer.after || *wait < *candidate.answer.after) candidate.answer.after = wait;
    }
    refusal.opens = first_instant([&] { return is_open(*rung, candidate.lifted_to, nullptr); },
                                  [&] {
                                    std::optional<Instant> next = next_of(*rung);
                                    if (wait && after(wait->ns) > now_) next = earlier(next, after(wait->ns));
                                    return next;
                                  });
    closed.push_back(std::move(refusal));
  }
  candidate.answer.allowed = false;
  for (RuleNote& refusal : closed) candidate.answer.refusals.push_back(std::move(refusal));
}

FlavorsAnswer PolicyRules::flavors(std::uint32_t workload, std::uint32_t pod_set, std::string_view queue,
                                   const ResourceGroup& group, Instant now, const QuotaView& quota) {
  const program::Fallback* fallback = fallback_of(queue);
  const bool has_rules = points_[static_cast<std::size_t>(Point::flavor)].count > 0;
  if (fallback == nullptr && !has_rules) return Rules::flavors(workload, pod_set, queue, group, now, quota);

  workload_ = workload;
  set_queue(quota);
  for (const FlavorQuotas& flavor : group.flavors) tables_.refresh_flavor(queue, flavor.flavor, quota);
  ask(workload, now);
  machine_.set_row(Role::queue, *queue_row_);
  pod_set_row_ = tables_.first_pod_set(workload) + pod_set;
  machine_.set_row(Role::pod_set, *pod_set_row_);

  const auto count = static_cast<std::uint32_t>(group.flavors.size());
  std::vector<Candidate> candidates(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> preferences;
  if (has_rules) ask_flavor_rules(group, candidates, preferences);

  // The flavors that the fallback names, at the place of the first of them and in the order of the rungs.
  std::vector<std::uint32_t> named;
  if (fallback != nullptr) {
    for (const program::Rung& rung : fallback->rungs) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (group.flavors[i].flavor != rung.flavor) continue;
        if (candidates[i].rungs.empty()) named.push_back(i);
        candidates[i].rungs.push_back(&rung);
      }
    }
  }
  // The earliest wait of a flavor's rungs: whoever is preferred over it waits no longer.
  const auto wait_of = [&](std::uint32_t i) {
    Duration wait{std::numeric_limits<std::int64_t>::max()};
    for (const program::Rung* rung : candidates[i].rungs) wait = std::min(wait, rung->after.value_or(Duration{0}));
    return candidates[i].rungs.empty() ? Duration{0} : std::min(wait, candidates[i].lifted_to.value_or(wait));
  };
  for (const auto& [preferred, other] : preferences) {
    const Duration wait = wait_of(other);
    candidates[preferred].lifted_to = std::min(candidates[preferred].lifted_to.value_or(wait), wait);
  }
  if (fallback != nullptr) {
    for (const std::uint32_t i : named) {
      flavor_row_ = tables_.flavor_row(group.flavors[i].flavor);
      machine_.set_row(Role::flavor, *flavor_row_);
      ask_rungs(*fallback, candidates[i]);
    }
    // A flavor that a later rung opens is considered at that rung.
    std::vector<std::uint32_t> by_rung;
    const auto first_open = [&](std::uint32_t i) {
      for (const program::Rung* rung : candidates[i].rungs) {
        if (is_open(*rung, candidates[i].lifted_to, nullptr)) return rung;
      }
      return candidates[i].rungs.front();
    };
    std::vector<std::pair<const program::Rung*, std::uint32_t>> places;
    for (const std::uint32_t i : named) places.emplace_back(first_open(i), i);
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < places.size(); ++i) named[i] = places[i].second;
  }

  FlavorsAnswer answer;
  bool placed = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (candidates[i].rungs.empty()) {
      answer.order.push_back(i);
    } else if (!std::exchange(placed, true)) {
      answer.order.insert(answer.order.end(), named.begin(), named.end());
    }
  }
  for (const auto& [preferred, other] : preferences) {
    const auto from = std::find(answer.order.begin(), answer.order.end(), preferred);
    const auto to = std::find(answer.order.begin(), answer.order.end(), other);
    if (from > to) std::rotate(to, from, from + 1);
  }
  for (Candidate& candidate : candidates) {
    FlavorAnswer& flavor = candidate.answer;
    // It opens once every skip is over and, if rungs name it, one of them is open.
    if (!flavor.allowed && !candidate.held_by_fault) {
      std::optional<Instant> skips = now_;
      std::optional<Instant> rungs;
      bool has_rung = false;
      for (const RuleNote& refusal : flavor.refusals) {
        if (refusal.verb == Verb::rung_closed) {
          has_rung = true;
          rungs = earlier(rungs, refusal.opens);
        } else {
          skips = skips && refusal.opens ? std::optional(std::max(*skips, *refusal.opens)) : std::nullopt;
        }
      }
      if (!has_rung) {
        flavor.opens = skips;
      } else if (skips && rungs) {
        flavor.opens = std::max(*skips, *rungs);
      }
    }
    answer.flavors.push_back(std::move(flavor));
  }
  if (!named.empty() && fallback->otherwise != kNone) {
    RuleNote otherwise;
    otherwise.verb = Verb::hold;
    otherwise.rule = "fallback for queue " + fallback->queue;
    otherwise.span = fallback->otherwise_span;
    otherwise.because = text(fallback->otherwise);
    answer.otherwise = std::move(otherwise);
  }
  return answer;
}

}  // namespace sluice::decide
