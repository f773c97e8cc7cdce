#include "report/outcome_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/attempts_text.hpp"
#include "report/decision_json.hpp"
#include "report/placement_text.hpp"
#include "report/units.hpp"

namespace sluice::report {
namespace {

using decide::Decision;
using decide::FlavorAttempt;
using decide::PodSetDecision;
using decide::ResourceTrial;

const PodSetDecision* first_failed(const Decision& decision) {
  auto it = std::find_if(
      decision.pod_sets.begin(), decision.pod_sets.end(),
      [](const PodSetDecision& pod_set) { return pod_set.evaluated && pod_set.mode != decide::Mode::fit; });
  return it == decision.pod_sets.end() ? nullptr : &*it;
}

/// `f1 is short by cpu 3`, `f1 has at most cpu 4`, or why the pods cannot use it.
std::string trial_text(const FlavorAttempt& attempt, const Decision& decision, const Units& units,
                       const Scene& scene) {
  if (attempt.refusal != FlavorAttempt::Refusal::none)
    return fmt::format("{}: {}", attempt.flavor, answer_text(attempt, scene));
  std::vector<std::string> parts;
  for (const ResourceTrial& trial : in_queue_order(attempt.resources, decision.cluster_queue, scene.world)) {
    if (trial.verdict == ResourceTrial::Verdict::short_now) {
      parts.push_back(fmt::format("is short by {} {}", trial.resource, units.text(trial.resource, trial.short_by)));
    } else if (trial.verdict == ResourceTrial::Verdict::exceeds_capacity) {
      parts.push_back(
          fmt::format("has at most {} {}", trial.resource, units.text(trial.resource, trial.capacity)));
    }
  }
  return parts.empty() ? fmt::format("{} fits", attempt.flavor)
                       : fmt::format("{} {}", attempt.flavor, fmt::join(parts, " and "));
}

}  // namespace

std::string shortage_text(const Decision& decision, const Scene& scene) {
  Units units = units_of(decision);
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    if (!pod_set.evaluated || pod_set.mode == decide::Mode::fit) continue;
    std::string text = fmt::format("pod set {} does not fit now", pod_set.name);
    std::string lead = ": ";
    if (pod_set.placement_error != decide::PlacementError::none)
      return text + lead + placement_error_text(pod_set);
    if (pod_set.placement_failure) text += std::exchange(lead, "; ") + placement_text(*pod_set.placement_failure);
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      if (attempt.opens) {
        text += fmt::format("{}{} opens {}", std::exchange(lead, "; "), attempt.flavor,
                            instant_text(*attempt.opens, scene.now));
        continue;
      }
      std::vector<std::string> missing;
      for (const ResourceTrial& trial :
           in_queue_order(attempt.resources, decision.cluster_queue, scene.world)) {
        if (trial.verdict != ResourceTrial::Verdict::short_now) continue;
        missing.push_back(fmt::format("{} {}", trial.resource, units.text(trial.resource, trial.short_by)));
      }
      if (missing.empty() || attempt.refusal != FlavorAttempt::Refusal::none) continue;
      text += fmt::format("{}{} is short by {}", std::exchange(lead, "; "), attempt.flavor,
                          fmt::join(missing, ", "));
    }
    return text;
  }
  return {};
}

std::string failure_text(const Decision& decision, const Scene& scene) {
  const PodSetDecision* pod_set = first_failed(decision);
  if (pod_set == nullptr) return {};
  std::vector<std::string> parts;
  for (const std::string& resource : pod_set->uncovered)
    parts.push_back(fmt::format("the queue has no quota for {}", resource));
  if (pod_set->placement_error != decide::PlacementError::none) parts.push_back(placement_error_text(*pod_set));
  if (pod_set->placement_failure) parts.push_back(placement_text(*pod_set->placement_failure));
  Units units = units_of(decision);
  for (const FlavorAttempt& attempt : pod_set->attempts)
    parts.push_back(trial_text(attempt, decision, units, scene));
  return fmt::format("pod set {}: {}", pod_set->name, fmt::join(parts, "; "));
}

std::string victim_text(const decide::Victim& victim, const Scene& scene) {
  std::string text = fmt::format("{} (priority {}, of {})", user_name(scene.world, victim.workload),
                                 victim.priority, victim.cluster_queue);
  if (!victim.shares) return text;
  bool by_final = victim.shares->strategy == FairStrategy::less_than_or_equal_to_final_share;
  return text + fmt::format(": the fair share {} is {} {}", number_text(victim.shares->preemptor),
                            by_final ? "not above what that side keeps," : "below what that side had,",
                            number_text(by_final ? victim.shares->after : victim.shares->before));
}

}  // namespace sluice::report
