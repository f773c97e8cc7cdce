#include "report/trace_text.hpp"

#include <fmt/format.h>

#include <set>

#include "report/attempts_text.hpp"
#include "report/outcome_text.hpp"

namespace sluice::report {
namespace {

using decide::Decision;
using decide::HeadRefusal;
using decide::Outcome;
using decide::PodSetDecision;
using decide::SkipReason;

/// `f1 and f2`; empty if it has none.
std::string flavors_of(const PodSetDecision& pod_set) {
  std::set<std::string> flavors;
  for (const auto& [resource, flavor] : pod_set.flavors) flavors.insert(flavor);
  return fmt::format("{}", fmt::join(flavors, " and "));
}

/// `main x 2 on f1, workers x 3 on f1 and f2`.
std::string flavors_text(const Decision& decision) {
  std::string text;
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} x {}", pod_set.name, pod_set.count);
    if (pod_set.count < pod_set.spec_count) text += fmt::format(" of {}", pod_set.spec_count);
    if (!pod_set.flavors.empty()) text += fmt::format(" on {}", flavors_of(pod_set));
  }
  return text;
}

std::string refusal_text(const Decision& decision) {
  switch (decision.refusal) {
    case HeadRefusal::none:
      return {};
    case HeadRefusal::failed_check:
      return "an admission check sent it back";
    case HeadRefusal::queue_inactive:
      return "its queue is inactive";
    case HeadRefusal::queue_missing:
      return "its queue does not exist";
    case HeadRefusal::namespace_mismatch:
      return "its queue does not accept the namespace";
    case HeadRefusal::invalid_resources:
      return "its resources are invalid";
  }
  return {};
}

std::string rules_text(const Decision& decision, const Scene& scene) {
  std::vector<std::string> notes;
  for (const decide::RuleNote& note : decision.reasons) notes.push_back(note_text(note, scene));
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string with(std::string_view what, const std::string& why) {
  return why.empty() ? std::string(what) : fmt::format("{}: {}", what, why);
}

std::string outcome_text(const Decision& decision, const Scene& scene) {
  switch (decision.outcome) {
    case Outcome::admitted:
      return with("admitted", flavors_text(decision));
    case Outcome::quota_reserved:
      return fmt::format("gets quota: {}{}{}", flavors_text(decision),
                         decision.checks.empty() ? "" : "; waits for ", fmt::join(decision.checks, ", "));
    case Outcome::preempting: {
      std::vector<std::string> victims;
      for (const decide::Victim& victim : decision.victims) victims.push_back(victim_text(victim, scene));
      return with("preempts", fmt::format("{}", fmt::join(victims, ", ")));
    }
    case Outcome::waiting_for_preemption:
      return "waits: it fits once those are gone whom earlier heads preempt";
    case Outcome::skipped:
      switch (decision.skip) {
        case SkipReason::overlapping_victims:
          return "skipped: an earlier head preempts the same jobs";
        case SkipReason::better_variant:
          return "skipped: a variant on a more favorable flavor is admitted";
        case SkipReason::none:
        case SkipReason::lost_race:
          return "skipped: an earlier head took the quota";
      }
      break;
    case Outcome::no_candidates:
      return with("only preemption would help, and nobody may be preempted", failure_text(decision, scene));
    case Outcome::no_fit:
      return with("does not fit", failure_text(decision, scene));
    case Outcome::inadmissible:
      return with("not looked at", refusal_text(decision));
    case Outcome::held:
      return with("held", rules_text(decision, scene));
    case Outcome::denied:
      return with("denied", rules_text(decision, scene));
    case Outcome::gated:
      return "would have to preempt, but its preemption gate is closed";
    case Outcome::migrating:
      return "waits until the variant that it takes over from is evicted";
    case Outcome::refused_migration:
      return "skipped: the variant that is admitted may not give way to it";
    case Outcome::evicted:
      return "evicted: no node can replace the one that failed";
    case Outcome::failed:
      return "not decided: what it was to get or to replace was deleted meanwhile";
  }
  return {};
}

bool has_quota(Outcome outcome) {
  return outcome == Outcome::admitted || outcome == Outcome::quota_reserved;
}

std::string line_of(const Decision& decision, const Scene& scene) {
  std::string text = fmt::format("{} of {}", user_name(scene.world, decision.workload), decision.cluster_queue);
  std::vector<std::string> order;
  if (decision.priority != 0) order.push_back(fmt::format("priority {}", decision.priority));
  if (decision.borrow_level > 0) order.push_back(fmt::format("borrows at level {}", decision.borrow_level));
  if (!order.empty()) text += fmt::format(" ({})", fmt::join(order, ", "));
  text += " " + outcome_text(decision, scene);
  if (!has_quota(decision.outcome)) text += decision.parked ? "; parked" : "; offered again";
  return text;
}

/// What a head that failed would get for the pod sets before the one that failed: often this alone alternates.
std::string would_get_text(const Decision& decision) {
  if (decision.outcome != Outcome::no_fit) return {};
  std::string text;
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    if (!pod_set.evaluated || pod_set.flavors.empty()) continue;
    text += fmt::format("; {} would get {}", pod_set.name, flavors_of(pod_set));
  }
  return text;
}

}  // namespace

std::string trace_text(std::span<const decide::Cycle> cycles, const decide::RunEnd& end, Instant start,
                       const Scene& scene) {
  std::string text;
  for (const decide::Cycle& cycle : cycles) {
    bool repeats = end.loop && cycle.number >= end.loop_begin;
    text += fmt::format("cycle {} at {}{}\n", cycle.number,
                        cycle.at == start ? start.to_string() : "+" + (cycle.at - start).to_string(), repeats ? ", comes back for ever" : "");
    std::size_t place = 0;
    for (const Decision& decision : cycle.decisions)
      text += fmt::format("  {}. {}\n", ++place, line_of(decision, scene));
  }
  return text;
}

std::string loop_text(std::span<const decide::Cycle> cycles, const decide::RunEnd& end, const Scene& scene) {
  constexpr std::size_t most = 10;
  if (!end.loop) return {};
  std::uint64_t last = end.loop_begin + end.loop_length - 1;
  std::string text = end.loop_length == 1
                         ? fmt::format("cycle {} repeats for ever, in Kueue as well:\n", end.loop_begin)
                         : fmt::format("cycles {} to {} repeat for ever, in Kueue as well:\n", end.loop_begin, last);
  std::size_t lines = 0;
  std::size_t left_out = 0;
  for (const decide::Cycle& cycle : cycles) {
    if (cycle.number < end.loop_begin || cycle.number > last) continue;
    for (const Decision& decision : cycle.decisions) {
      if (lines++ >= most) {
        ++left_out;
        continue;
      }
      text += fmt::format("  cycle {}: {}{}\n", cycle.number, line_of(decision, scene), would_get_text(decision));
    }
  }
  if (left_out > 0) text += fmt::format("  and {} more decisions\n", left_out);
  return text;
}

}  // namespace sluice::report
