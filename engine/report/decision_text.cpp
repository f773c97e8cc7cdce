#include "report/decision_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/attempts_text.hpp"
#include "report/decision_json.hpp"
#include "report/outcome_text.hpp"
#include "report/placement_text.hpp"
#include "report/provisioning_text.hpp"
#include "report/reach_text.hpp"
#include "report/source_text.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "report/victims_text.hpp"

namespace sluice::report {
namespace {

using decide::Decision;
using decide::FlavorAttempt;
using decide::HeadRefusal;
using decide::Never;
using decide::Outcome;
using decide::PodSetDecision;
using decide::Prospect;
using decide::ResourceTrial;
using decide::SkipReason;
using decide::State;
using decide::WorkloadReport;

std::string workloads_are(std::size_t count) {
  return count == 1 ? "1 workload is" : fmt::format("{} workloads are", count);
}

std::string turn_text(const WorkloadReport& report, const Scene& scene) {
  if (!report.decision) {
    if (report.position > 1) return fmt::format("number {} in its queue", report.position);
    return report.state == State::inadmissible ? "it was not tried, as a job like it does not fit"
                                               : "not tried yet";
  }
  const Decision& decision = *report.decision;
  switch (decision.outcome) {
    case Outcome::preempting:
      return fmt::format("{} preempted for it", workloads_are(decision.victims.size()));
    case Outcome::waiting_for_preemption:
      return "it fits once the workloads preempted for others are gone";
    case Outcome::skipped:
      switch (decision.skip) {
        case SkipReason::overlapping_victims:
          return "another workload preempts the same workloads first";
        case SkipReason::better_variant:
          return "it runs on a more favorable flavor";
        case SkipReason::none:
        case SkipReason::lost_race:
          return "another workload of the same cycle took the quota";
      }
      break;
    case Outcome::gated:
      return "it would have to preempt, and a gate on that is closed";
    case Outcome::migrating:
      return "it moves here from a less favorable flavor";
    case Outcome::refused_migration:
      return "it runs elsewhere, and may not move to a flavor that is not acceptable";
    case Outcome::inadmissible:
      if (decision.refusal == HeadRefusal::failed_check) return "an admission check sent it back";
      break;
    default:
      break;
  }
  return shortage_text(decision, scene);
}

std::string never_text(const WorkloadReport& report, const Scene& scene) {
  const Never& never = report.never;
  switch (never.reason) {
    case Never::Reason::none:
      return {};
    case Never::Reason::no_local_queue:
      return report.local_queue.empty() ? "it names no queue"
                                        : fmt::format("there is no local queue {}/{}",
                                                      report.workload.name_space, report.local_queue);
    case Never::Reason::local_queue_stopped:
      return fmt::format("local queue {} is stopped", report.local_queue);
    case Never::Reason::queue_missing:
      return fmt::format("local queue {} leads to no queue{}{}", report.local_queue,
                         never.detail.empty() ? "" : ": ", never.detail);
    case Never::Reason::queue_inactive:
      return fmt::format("queue {} is inactive: {}", report.cluster_queue, never.detail);
    case Never::Reason::namespace_mismatch:
      return fmt::format("queue {} does not accept namespace {}", report.cluster_queue,
                         report.workload.name_space);
    case Never::Reason::invalid_resources: {
      if (!report.decision || report.decision->resource_refusals.empty()) return "its resources are invalid";
      const ResourceRefusal& refusal = report.decision->resource_refusals.front();
      std::string asked = quantity_text(refusal.resource, refusal.asked);
      std::string bound = quantity_text(refusal.resource, refusal.bound);
      std::string of = refusal.container.empty()
                           ? fmt::format("a pod of {}", refusal.pod_set)
                           : fmt::format("container {} of {}", refusal.container, refusal.pod_set);
      switch (refusal.kind) {
        case ResourceRefusal::Kind::request_above_limit:
          return fmt::format("{} requests {} {}, more than its limit {}", of, refusal.resource, asked, bound);
        case ResourceRefusal::Kind::above_limit_range_max:
          return fmt::format("{} asks for {} {}; limit range {} allows at most {}", of, refusal.resource,
                             asked, refusal.limit_range, bound);
        case ResourceRefusal::Kind::below_limit_range_min:
          return fmt::format("{} asks for {} {}; limit range {} wants at least {}", of, refusal.resource,
                             asked, refusal.limit_range, bound);
      }
      return {};
    }
    case Never::Reason::uncovered_resource:
      return fmt::format("queue {} has no quota for {}, which pod set {} asks for", report.cluster_queue,
                         never.resource, never.pod_set);
    case Never::Reason::no_matching_flavor:
      return fmt::format("no flavor of {} has nodes for pod set {}", report.cluster_queue, never.pod_set);
    case Never::Reason::exceeds_capacity:
      return fmt::format("pod set {} asks for more than {} has of any flavor that matches", never.pod_set,
                         report.cluster_queue);
    case Never::Reason::no_place: {
      const decide::PodSetDecision& failed = *never.failed;
      if (failed.placement_error != decide::PlacementError::none)
        return fmt::format("pod set {}: {}", failed.name, placement_error_text(failed));
      using Kind = decide::PlacementFailure::Kind;
      const decide::PlacementFailure& failure = *failed.placement_failure;
      bool is_full = failure.kind == Kind::not_fit || failure.kind == Kind::layers_not_fit;
      return fmt::format("pod set {}: {}{}", failed.name, placement_text(failure),
                         is_full ? ", even without all other workloads" : "");
    }
  }
  (void)scene;
  return {};
}

std::string pending_checks(const WorkloadReport& report) {
  std::vector<std::string> names;
  for (const decide::CheckWait& check : report.checks) {
    if (check.state != CheckState::ready) names.push_back(check.name);
  }
  return fmt::format("check{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

std::string held_text(const WorkloadReport& report, const Scene& scene) {
  bool denied = report.prospect == Prospect::denied_by_rule;
  std::string text = denied ? "denied" : "held";
  if (!report.decision) return text;
  const Decision& decision = *report.decision;
  if (decision.held_until) text += fmt::format(" until {}", instant_text(*decision.held_until, scene.now));
  std::vector<std::string> rules;
  for (const decide::RuleNote& note : decision.reasons) {
    rules.push_back(note.rule.starts_with("fallback ") ? note.rule : "rule " + note.rule);
  }
  if (!rules.empty()) text += fmt::format(" by {}", fmt::join(rules, ", "));
  return text;
}

std::string painted_state(const WorkloadReport& report, const Scene& scene) {
  Paint paint{scene.colour};
  std::string text = state_text(report, scene);
  switch (report.prospect) {
    case Prospect::none:
      return report.state == State::admitted ? paint.green(text) : text;
    case Prospect::waits_for_check:
    case Prospect::waits_its_turn:
    case Prospect::held_by_rule:
      return paint.yellow(text);
    case Prospect::never_as_written:
    case Prospect::denied_by_rule:
      return paint.red(text);
  }
  return text;
}

/// Rules on order, required checks, and those that held or denied it.
std::string rules_text(const WorkloadReport& report, const Scene& scene) {
  if (!report.decision) return {};
  std::string text;
  for (const decide::RuleNote& note : report.decision->reasons)
    text += fmt::format("  {}\n", note_text(note, scene));
  for (const decide::RuleNote& note : report.decision->notes)
    text += fmt::format("  {}\n", note_text(note, scene));
  return text;
}

std::string victims_text(const WorkloadReport& report, const Scene& scene) {
  if (!report.decision) return {};
  std::string text;
  for (const decide::Victim& victim : report.decision->victims) {
    text += fmt::format("  preempts {}\n", victim_text(victim, scene));
  }
  return text;
}

/// What decided whose turn it was in the cycle, with fair sharing.
std::string shares_text(const WorkloadReport& report) {
  if (!report.decision) return {};
  std::string text;
  for (const decide::NodeShare& share : report.decision->shares) {
    text += fmt::format("  fair share of {} with it: {}", share.node, number_text(share.share));
    if (!share.resource.empty()) {
      text += fmt::format(" (most of {}, weight {})", share.resource, number_text(share.weight));
    }
    text += "\n";
  }
  return text;
}

/// What the change at a later instant is, after "then".
std::string change_text(const decide::Change& change) {
  std::vector<std::string> flavors;
  for (const PodSetDecision& pod_set : change.decision.pod_sets) {
    std::set<std::string> of_pod_set;
    for (const auto& [resource, flavor] : pod_set.flavors) of_pod_set.insert(flavor);
    if (!of_pod_set.empty())
      flavors.push_back(fmt::format("{} on {}", pod_set.name, fmt::join(of_pod_set, " and ")));
  }
  std::string got = flavors.empty() ? "" : fmt::format(" with {}", fmt::join(flavors, ", "));
  switch (change.decision.outcome) {
    case Outcome::admitted:
      return fmt::format("is admitted{}", got);
    case Outcome::quota_reserved:
      return fmt::format("gets quota{} and waits for check{} {}", got,
                         change.decision.checks.size() == 1 ? "" : "s",
                         fmt::join(change.decision.checks, ", "));
    case Outcome::held:
      return "is held for another reason";
    case Outcome::denied:
      return "is denied";
    case Outcome::preempting:
      return fmt::format("preempts {} workload{}", change.decision.victims.size(),
                         change.decision.victims.size() == 1 ? "" : "s");
    default:
      return "is tried again, and still waits";
  }
}

/// The first few of a list of jobs, and how many more there are.
std::string names_text(const std::vector<decide::WorkloadName>& jobs, const Scene& scene) {
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < jobs.size() && i < most; ++i) names.push_back(user_name(scene.world, jobs[i]));
  if (jobs.size() > most) names.push_back(fmt::format("{} more", jobs.size() - most));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string outlook_text(const WorkloadReport& report, const Scene& scene) {
  std::string text;
  if (!report.ahead.empty()) {
    text += fmt::format("  number {} in its queue, behind {}\n", report.position,
                        names_text(report.ahead, scene));
  }
  if (!report.releases.empty()) {
    std::vector<decide::WorkloadName> admits;
    std::vector<decide::WorkloadName> fits;
    for (const decide::Release& release : report.releases)
      (release.admits ? admits : fits).push_back(release.workload);
    auto any_of = [&](const std::vector<decide::WorkloadName>& names) {
      return (names.size() == 1 ? "" : "any one of ") + names_text(names, scene);
    };
    if (!admits.empty()) text += fmt::format("  would be admitted when {} ends\n", any_of(admits));
    if (!fits.empty()) text += fmt::format("  would fit when {} ends, if no other job takes the room first\n", any_of(fits));
  }
  if (!report.other_pods.empty()) {
    constexpr std::size_t most = 5;
    std::vector<std::string> names(report.other_pods.begin(),
                                   report.other_pods.begin() + static_cast<std::ptrdiff_t>(std::min(most, report.other_pods.size())));
    if (report.other_pods.size() > most) names.push_back(fmt::format("{} more", report.other_pods.size() - most));
    text += fmt::format("  pods that Kueue did not place are on its nodes: {}\n", fmt::join(names, ", "));
  }
  if (report.waiting) {
    text += fmt::format("  by waiting alone: at {} it {}\n", instant_text(report.waiting->at, scene.now),
                        change_text(*report.waiting));
  } else if (report.prospect == Prospect::waits_its_turn || report.prospect == Prospect::held_by_rule) {
    text += "  by waiting alone: nothing changes\n";
  }
  return text;
}

/// What it holds, for a workload that was admitted before anything was decided here.
std::string decided_text(const WorkloadReport& report, const Scene& scene) {
  if (!report.decision || report.decision->pod_sets.empty()) return {};
  return attempts_table(*report.decision, scene);
}

/// What admission fair sharing compares.
std::string local_usages_text(const WorkloadReport& report) {
  if (report.local_usages.empty()) return {};
  constexpr std::size_t most = 5;
  auto amount = [](const decide::LocalQueueUsage& one) {
    std::string text = number_text(one.usage);
    if (one.weight != 1) text += fmt::format(" (weight {})", number_text(one.weight));
    return one.charged ? text + ", with a charge for jobs that wait for checks" : text;
  };
  const decide::LocalQueueUsage& own = report.local_usages.front();
  std::string text = fmt::format("  local queue {}/{} has used {}", own.name_space, own.name, amount(own));
  if (report.local_usages.size() == 1) return text + "\n";
  std::vector<std::string> others;
  for (std::size_t i = 1; i < report.local_usages.size() && i <= most; ++i) {
    const decide::LocalQueueUsage& other = report.local_usages[i];
    others.push_back(fmt::format("{}/{} {}", other.name_space, other.name, amount(other)));
  }
  if (report.local_usages.size() > most + 1) others.push_back(fmt::format("{} more", report.local_usages.size() - most - 1));
  return text + fmt::format("; of {} the one that has used least comes first: {}\n", report.cluster_queue,
                            fmt::join(others, ", "));
}

/// What it took from others, or others from it, before its last decision.
std::string past_text(const WorkloadReport& report, const Scene& scene) {
  std::string text;
  if (report.preempted) text += preempted_text(*report.preempted, report.cluster_queue, scene);
  if (!report.preempting) return text;
  std::vector<std::string> victims;
  for (const decide::Victim& victim : report.preempting->victims) victims.push_back(victim_text(victim, scene));
  return text + fmt::format("  at {} it preempted {}\n{}", report.preempting->at.to_string(), fmt::join(victims, ", "),
                            search_text(*report.preempting, scene));
}

/// How far the quota reaches, and who has to go.
std::string room_text(const WorkloadReport& report, const Scene& scene) {
  if (!report.decision) return {};
  return reach_text(*report.decision, scene) + search_text(*report.decision, scene);
}

/// Blank lines between the parts that exist.
std::string joined(std::vector<std::string> parts) {
  std::string text;
  for (std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += '\n';
    text += part;
  }
  return text;
}

}  // namespace

std::string state_text(const WorkloadReport& report, const Scene& scene) {
  switch (report.prospect) {
    case Prospect::waits_for_check:
      return fmt::format("waits for {}; it has quota in {}", pending_checks(report), report.cluster_queue);
    case Prospect::waits_its_turn: {
      std::string why = turn_text(report, scene);
      return fmt::format("waits its turn in {}{}{}", report.cluster_queue, why.empty() ? "" : ": ", why);
    }
    case Prospect::never_as_written:
      return fmt::format("is never admitted as written: {}", never_text(report, scene));
    case Prospect::held_by_rule:
    case Prospect::denied_by_rule:
      return "is " + held_text(report, scene);
    case Prospect::none:
      break;
  }
  switch (report.state) {
    case State::admitted:
      return fmt::format("is admitted by {}", report.cluster_queue);
    case State::quota_reserved:
      return fmt::format("has quota in {}", report.cluster_queue);
    case State::finished:
      return "is finished";
    case State::deactivated:
      return "is deactivated";
    case State::evicted:
      return "is being evicted";
    case State::unqueued:
      return "is in no queue";
    case State::pending:
    case State::inadmissible:
      return "waits";
    case State::held:
      return "is held";
    case State::denied:
      return "is denied";
  }
  return {};
}

std::string headline(const WorkloadReport& report, const Scene& scene) {
  Paint paint{scene.colour};
  return fmt::format("{} {}\n", paint.bold(user_name(scene.world, report.workload)),
                     painted_state(report, scene));
}

std::string decision_text(const WorkloadReport& report, const Scene& scene) {
  return headline(report, scene) +
         joined({decided_text(report, scene), rules_text(report, scene) + shares_text(report) + victims_text(report, scene),
                 checks_text(report, scene), outlook_text(report, scene)});
}

std::string why_text(const WorkloadReport& report, const Scene& scene) {
  return headline(report, scene) + joined({sources_text(report, scene), decided_text(report, scene),
                                           rules_text(report, scene) + shares_text(report) +
                                               local_usages_text(report) + victims_text(report, scene),
                                           room_text(report, scene), past_text(report, scene), checks_text(report, scene), outlook_text(report, scene)});
}

}  // namespace sluice::report
