#include "report/kueue_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "report/affinity_text.hpp"
#include "report/decision_json.hpp"
#include "report/placement_text.hpp"

namespace sluice::report {
namespace {

using decide::Decision;
using decide::FlavorAttempt;
using decide::Mode;
using decide::Outcome;
using decide::PodSetDecision;
using decide::ResourceTrial;

constexpr std::size_t kMaxEventMessage = 1024;

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string trial_text(const ResourceTrial& trial, const std::string& flavor) {
  if (trial.verdict == ResourceTrial::Verdict::exceeds_capacity) {
    return fmt::format(
        "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + current "
        "podset request ({}) "
        "> maximum capacity ({})",
        trial.resource, flavor, trial.assumed.to_quantity(trial.resource),
        trial.asked.to_quantity(trial.resource), trial.capacity.to_string(trial.resource));
  }
  return fmt::format("insufficient unused quota for {} in flavor {}, {} more needed", trial.resource, flavor,
                     trial.short_by.to_string(trial.resource));
}

/// Kueue's reasons against one flavor, in the order in which they come up.
std::vector<std::string> attempt_texts(const FlavorAttempt& attempt) {
  switch (attempt.refusal) {
    case FlavorAttempt::Refusal::flavor_missing:
      return {fmt::format("flavor {} not found", attempt.flavor)};
    case FlavorAttempt::Refusal::untolerated_taint:
      return {fmt::format("untolerated taint {{{} {} {} <nil>}} in flavor {}", attempt.taint.key,
                          attempt.taint.value, attempt.taint.effect, attempt.flavor)};
    case FlavorAttempt::Refusal::affinity_mismatch:
      return {fmt::format("flavor {} doesn't match node affinity", attempt.flavor)};
    case FlavorAttempt::Refusal::affinity_invalid:
      return {kueue_affinity_error(attempt.invalid)};
    case FlavorAttempt::Refusal::other_flavor_kept:
      return {fmt::format("skipping flavor {} as it is not found in the nomination mapping for resource {}",
                          attempt.flavor, attempt.searched_for)};
    case FlavorAttempt::Refusal::not_allowed:
      return {fmt::format("skipping flavor {} due to WorkloadAllowedResourceFlavorAnnotation annotation",
                          attempt.flavor)};
    case FlavorAttempt::Refusal::rule:
      return {fmt::format("flavor {} is refused by a rule", attempt.flavor)};
    case FlavorAttempt::Refusal::no_topology:
      return {fmt::format("Flavor \"{}\" does not support TopologyAwareScheduling", attempt.flavor)};
    case FlavorAttempt::Refusal::topology_unknown:
      return {fmt::format("Flavor \"{}\" information missing in TAS cache", attempt.flavor)};
    case FlavorAttempt::Refusal::level_missing:
      return {fmt::format("Flavor \"{}\" does not contain the requested level", attempt.flavor)};
    case FlavorAttempt::Refusal::topology_only:
      return {fmt::format("Flavor \"{}\" supports only TopologyAwareScheduling", attempt.flavor)};
    case FlavorAttempt::Refusal::none:
      break;
  }
  std::vector<std::string> texts;
  for (const ResourceTrial& trial : attempt.resources) {
    if (trial.slice_flavor) {
      texts.push_back(fmt::format("could not assign {} flavor since the original workload is assigned: {}",
                                  attempt.flavor, *trial.slice_flavor));
    }
    if (trial.verdict != ResourceTrial::Verdict::fits) texts.push_back(trial_text(trial, attempt.flavor));
  }
  return texts;
}

std::string assignment_text(const Decision& decision) {
  std::vector<std::string> parts;
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    if (pod_set.placement_error != decide::PlacementError::none)
      return fmt::format("failed to assign flavors to pod set {}: {}", pod_set.name, kueue_placement_error(pod_set));
    std::vector<std::string> reasons;
    for (const std::string& resource : pod_set.uncovered) {
      reasons.push_back(fmt::format("resource {} unavailable in ClusterQueue", resource));
    }
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      if (!attempt.blocking) continue;
      if (attempt.refusal == FlavorAttempt::Refusal::affinity_invalid)
        return fmt::format("failed to assign flavors to pod set {}: {}", pod_set.name, attempt_texts(attempt)[0]);
      for (std::string& text : attempt_texts(attempt)) reasons.push_back(std::move(text));
    }
    if (pod_set.placement_failure) reasons.push_back(kueue_placement_text(*pod_set.placement_failure));
    if (reasons.empty()) continue;
    std::sort(reasons.begin(), reasons.end());
    parts.push_back(
        fmt::format("couldn't assign flavors to pod set {}: {}", pod_set.name, join(reasons, ", ")));
  }
  return join(parts, "; ");
}

/// Kueue did not look at the flavor at all.
bool is_passed_over(const FlavorAttempt& attempt) {
  return attempt.refusal == FlavorAttempt::Refusal::other_flavor_kept ||
         attempt.refusal == FlavorAttempt::Refusal::not_allowed;
}

std::string_view mode_text(const FlavorAttempt& attempt) {
  switch (attempt.mode) {
    case Mode::no_fit:
      return "NoFit";
    case Mode::no_candidates:
      return "preemptionMode=NoCandidates";
    case Mode::preempt:
      return "preemptionMode=Preempt";
    case Mode::reclaim:
      return "preemptionMode=Reclaim";
    case Mode::fit:
      return "Fit";
  }
  return "";
}

/// The flavors that were no plain fit, for the event of an admission.
std::string considered_text(const Decision& decision) {
  std::vector<std::string> parts;
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    std::map<std::string, std::string> by_flavor;
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      if (attempt.mode == Mode::fit && attempt.borrow_level == 0) continue;
      if (is_passed_over(attempt)) continue;
      std::string text = fmt::format("{}({}", attempt.flavor, mode_text(attempt));
      if (attempt.borrow_level > 0) text += fmt::format(";borrow={}", attempt.borrow_level);
      std::vector<std::string> texts = attempt_texts(attempt);
      std::set<std::string> reasons(texts.begin(), texts.end());
      for (const std::string& reason : reasons) text += ";" + reason;
      by_flavor[attempt.flavor] = text + ")";
    }
    std::vector<std::string> texts;
    for (auto& entry : by_flavor) texts.push_back(std::move(entry.second));
    if (!texts.empty()) parts.push_back(fmt::format("{}: {}", pod_set.name, join(texts, ", ")));
  }
  return join(parts, " | ");
}

/// `spec.podSets[1].template.spec.initContainers[0]`
std::string path_of(const ResourceRefusal& refusal, const Workload& workload) {
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    if (workload.pod_sets[i].name != refusal.pod_set) continue;
    std::string path = fmt::format("spec.podSets[{}].template.spec", i);
    const PodTemplate& pod = workload.pod_sets[i].pod;
    for (std::size_t k = 0; k < pod.init_containers.size(); ++k) {
      if (pod.init_containers[k].name == refusal.container)
        return fmt::format("{}.initContainers[{}]", path, k);
    }
    for (std::size_t k = 0; k < pod.containers.size(); ++k) {
      if (pod.containers[k].name == refusal.container) return fmt::format("{}.containers[{}]", path, k);
    }
    return refusal.kind == ResourceRefusal::Kind::request_above_limit ? path + ".resources" : path;
  }
  return {};
}

std::string_view complaint(ResourceRefusal::Kind kind) {
  switch (kind) {
    case ResourceRefusal::Kind::request_above_limit:
      return "requests must not exceed its limits";
    case ResourceRefusal::Kind::above_limit_range_max:
      return "requests must not be above the limitRange max";
    case ResourceRefusal::Kind::below_limit_range_min:
      return "requests must not be below the limitRange min";
  }
  return {};
}

std::string invalid_resources_text(const Decision& decision, const Workload& workload) {
  bool own_limits = false;
  std::vector<std::string> texts;
  const std::vector<ResourceRefusal>& all = decision.resource_refusals;
  for (std::size_t i = 0; i < all.size();) {
    own_limits = own_limits || all[i].kind == ResourceRefusal::Kind::request_above_limit;
    std::string path = path_of(all[i], workload);
    std::vector<std::string> resources;
    std::size_t first = i;
    for (; i < all.size() && all[i].kind == all[first].kind && path_of(all[i], workload) == path; ++i) {
      resources.push_back(json_string(all[i].resource));
    }
    texts.push_back(
        fmt::format("{}: Invalid value: [{}]: {}", path, join(resources, ","), complaint(all[first].kind)));
  }
  std::string list = texts.size() == 1 ? texts[0] : "[" + join(texts, ", ") + "]";
  return (own_limits ? "resources validation failed: "
                     : "resources didn't satisfy LimitRange constraints: ") +
         list;
}

std::string admission_text(const Decision& decision) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t waited = (decision.at.ns - decision.queued_since.ns) / kSecond;
  std::string text = fmt::format("Quota reserved in ClusterQueue {}, wait time since queued was {}s",
                                 decision.cluster_queue, waited);
  std::string considered = considered_text(decision);
  if (!considered.empty()) text += "; Flavors considered: " + considered;
  constexpr std::string_view kCut = " ...";
  if (text.size() > kMaxEventMessage)
    text = text.substr(0, kMaxEventMessage - kCut.size()) + std::string(kCut);
  return text;
}

std::string refused_text(const Decision& decision, const Workload& workload) {
  switch (decision.refusal) {
    case decide::HeadRefusal::failed_check:
      return "The workload has failed admission checks";
    case decide::HeadRefusal::queue_inactive:
      return fmt::format("ClusterQueue {} is inactive", decision.cluster_queue);
    case decide::HeadRefusal::queue_missing:
      return fmt::format("ClusterQueue {} not found", decision.cluster_queue);
    case decide::HeadRefusal::namespace_mismatch:
      return "workload namespace doesn't match ClusterQueue selector";
    case decide::HeadRefusal::invalid_resources:
      return invalid_resources_text(decision, workload);
    case decide::HeadRefusal::none:
      break;
  }
  return {};
}

}  // namespace

std::string kueue_refusal_message(decide::HeadRefusal refusal, const Workload& workload, const World& world) {
  Decision decision;
  decision.refusal = refusal;
  if (refusal == decide::HeadRefusal::invalid_resources)
    decision.resource_refusals = refused_resources(workload, world);
  return refused_text(decision, workload);
}

std::string kueue_message(const Decision& decision, const Workload& workload) {
  switch (decision.outcome) {
    case Outcome::admitted:
    case Outcome::quota_reserved:
      return decision.second_pass ? std::string() : admission_text(decision);
    case Outcome::inadmissible:
      return refused_text(decision, workload);
    case Outcome::skipped:
      switch (decision.skip) {
        case decide::SkipReason::overlapping_victims:
          return "Workload has overlapping preemption targets with another workload";
        case decide::SkipReason::better_variant:
          return "A more favorable variant is already admitted";
        case decide::SkipReason::none:
        case decide::SkipReason::lost_race:
          return "Workload no longer fits after processing another workload";
      }
      break;
    case Outcome::gated:
      return "Workload requires preemption, but it's gated";
    case Outcome::migrating:
      return assignment_text(decision) + ". Pending the migration of 1 workload(s)";
    case Outcome::refused_migration:
      return "Target flavor is below LastAcceptableFlavorName";
    case Outcome::waiting_for_preemption:
      return "Workload has overlapping preemption targets with another workload, but will fit after these "
             "preemptions "
             "complete";
    case Outcome::preempting:
      return fmt::format("{}. Pending the preemption of {} workload(s)", assignment_text(decision),
                         decision.victims.size());
    case Outcome::no_candidates:
    case Outcome::no_fit:
    case Outcome::held:
    case Outcome::denied:
    case Outcome::evicted:
      return assignment_text(decision);
    case Outcome::failed:
      if (decision.requeue == decide::Requeue::preemption_failed) {
        return fmt::format("{}. Preempting {} workload(s) failed, will retry.", assignment_text(decision),
                           decision.lost_victims);
      }
      return fmt::format("Failed to admit workload: workload {} could not be added to the cache",
                         decision.workload.to_string());
  }
  return {};
}

namespace {

/// How bad it is that a flavor does not fit; the order is Kueue's.
enum class Severity : std::uint8_t { none, no_place, waiting_for_quota, exceeds_quota, no_matching_flavor };

Severity severity_of(const FlavorAttempt& attempt) {
  if (attempt.refusal != FlavorAttempt::Refusal::none) return Severity::no_matching_flavor;
  if (attempt.no_place) return Severity::no_place;
  Severity worst = Severity::none;
  for (const ResourceTrial& trial : attempt.resources) {
    if (trial.slice_flavor) worst = Severity::no_matching_flavor;
    if (trial.mode != Mode::no_fit) continue;
    bool exceeds = trial.verdict == ResourceTrial::Verdict::exceeds_capacity;
    worst = std::max(worst, exceeds ? Severity::exceeds_quota : Severity::waiting_for_quota);
  }
  return worst;
}

std::string no_fit_reason(const Decision& decision) {
  Severity overall = Severity::none;
  for (const PodSetDecision& pod_set : decision.pod_sets) {
    bool failed = pod_set.mode == Mode::no_fit || pod_set.placement_error != decide::PlacementError::none;
    if (!pod_set.evaluated || !failed) continue;
    std::map<std::uint32_t, Severity> by_group;  // alternatives: the least severe counts
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      if (attempt.mode != Mode::no_fit || is_passed_over(attempt)) continue;
      auto [it, is_new] = by_group.try_emplace(attempt.group, severity_of(attempt));
      if (!is_new) it->second = std::min(it->second, severity_of(attempt));
    }
    bool none_tried = std::all_of(pod_set.attempts.begin(), pod_set.attempts.end(), is_passed_over);
    Severity worst = none_tried ? Severity::no_matching_flavor : Severity::none;
    for (const auto& entry : by_group) worst = std::max(worst, entry.second);
    overall = std::max(overall, worst);
  }
  switch (overall) {
    case Severity::none:
      return "";
    case Severity::no_place:
      return "TopologyPlacementFailed";
    case Severity::waiting_for_quota:
      return "WaitingForQuota";
    case Severity::exceeds_quota:
      return "ExceedsMaxQuota";
    case Severity::no_matching_flavor:
      return "NoMatchingFlavor";
  }
  return {};
}

}  // namespace

std::string kueue_reason(const Decision& decision, bool granular) {
  if (!granular) return "Pending";
  switch (decision.outcome) {
    case Outcome::admitted:
    case Outcome::quota_reserved:
    case Outcome::evicted:
      return {};
    case Outcome::failed:
      return decision.requeue == decide::Requeue::preemption_failed ? "WaitingForPreemptedWorkloads" : "";
    case Outcome::preempting:
    case Outcome::waiting_for_preemption:
    case Outcome::migrating:
      return "WaitingForPreemptedWorkloads";
    case Outcome::skipped:
      if (decision.skip == decide::SkipReason::better_variant) return "PendingEvaluation";
      return "WaitingForQuota";
    case Outcome::no_candidates:
      return "WaitingForQuota";
    case Outcome::gated:
      return "AdmissionGated";
    case Outcome::refused_migration:
      return "PendingEvaluation";
    case Outcome::no_fit:
    case Outcome::held:
    case Outcome::denied:
      return no_fit_reason(decision);
    case Outcome::inadmissible:
      break;
  }
  switch (decision.refusal) {
    case decide::HeadRefusal::failed_check:
      return "PendingEvaluation";
    case decide::HeadRefusal::queue_inactive:
      return "Suspended";
    case decide::HeadRefusal::queue_missing:
    case decide::HeadRefusal::namespace_mismatch:
    case decide::HeadRefusal::invalid_resources:
      return "Misconfigured";
    case decide::HeadRefusal::none:
      break;
  }
  return {};
}

std::string kueue_eviction_message(decide::EvictionReason reason) {
  switch (reason) {
    case decide::EvictionReason::deactivated:
      return "The workload is deactivated";
    case decide::EvictionReason::deactivated_by_run_time:
      return "The workload is deactivated due to exceeding the maximum execution time";
    case decide::EvictionReason::deactivated_by_limit:
      return "The workload is deactivated due to exceeding the maximum number of re-queuing retries";
    case decide::EvictionReason::cluster_queue_stopped:
      return "The ClusterQueue is stopped";
    case decide::EvictionReason::local_queue_stopped:
      return "The LocalQueue is stopped";
    case decide::EvictionReason::none:
    case decide::EvictionReason::other:
    case decide::EvictionReason::preempted:
    case decide::EvictionReason::admission_check:
    case decide::EvictionReason::pods_ready_timeout:
    case decide::EvictionReason::node_failures:
    case decide::EvictionReason::flavor_migration:
    case decide::EvictionReason::deactivated_by_check:
      break;
  }
  return {};
}

std::string kueue_eviction_message(const decide::WorkloadName& workload, const decide::Eviction& eviction) {
  if (eviction.reason == decide::EvictionReason::pods_ready_timeout)
    return "Exceeded the PodsReady timeout " + workload.to_string();
  bool rejected = eviction.reason == decide::EvictionReason::deactivated_by_check;
  if (!rejected && eviction.reason != decide::EvictionReason::admission_check)
    return kueue_eviction_message(eviction.reason);
  std::string checks;
  for (const decide::Eviction::Check& check : eviction.checks) {
    if (!checks.empty()) checks += "; ";
    checks += fmt::format("\"{}\"", check.name);
    if (!check.message.empty()) checks += fmt::format(" ({})", check.message);
  }
  return fmt::format("{} due to AdmissionCheck{} in {} state: {}", rejected ? "The workload is deactivated" : "Evicted",
                     eviction.checks.size() > 1 ? "s" : "", rejected ? "Rejected" : "Retry", checks);
}

std::string kueue_no_quota_message(decide::NoQuota no_quota, const Workload& workload,
                                   std::string_view cluster_queue) {
  const std::string& local_queue = workload.queue;
  switch (no_quota) {
    case decide::NoQuota::unsaid:
    case decide::NoQuota::decided:
    case decide::NoQuota::evicted:
    case decide::NoQuota::not_accepted:
      return {};
    case decide::NoQuota::local_queue_missing:
      return fmt::format("LocalQueue {} doesn't exist", local_queue);
    case decide::NoQuota::local_queue_stopped:
      return fmt::format("LocalQueue {} is inactive", local_queue);
    case decide::NoQuota::queue_missing:
      return fmt::format("ClusterQueue {} doesn't exist", cluster_queue);
    case decide::NoQuota::queue_inactive:
      return fmt::format("ClusterQueue {} is inactive", cluster_queue);
    case decide::NoQuota::deactivated:
      return kueue_eviction_message(decide::EvictionReason::deactivated);
    case decide::NoQuota::gated: {
      auto gate = workload.annotations.find("kueue.x-k8s.io/admission-gated-by");
      return "Admission is gated by: " + (gate == workload.annotations.end() ? std::string() : gate->second);
    }
    case decide::NoQuota::gate_cleared:
      return "AdmissionGatedBy cleared, waiting for quota reservation";
    case decide::NoQuota::waits_for_pods:
      return "waiting for all admitted workloads to be in PodsReady condition";
    case decide::NoQuota::bypassed:
      return "Bypassed scheduling evaluation because an equivalent workload recently failed";
    case decide::NoQuota::awaits_evaluation:
      return "Workload is pending evaluation in the scheduling queue";
  }
  return {};
}

std::string kueue_no_quota_reason(decide::NoQuota no_quota, bool granular) {
  switch (no_quota) {
    case decide::NoQuota::unsaid:
    case decide::NoQuota::decided:
      return {};
    case decide::NoQuota::evicted:
    case decide::NoQuota::gate_cleared:
      return granular ? "PendingEvaluation" : "Pending";
    case decide::NoQuota::waits_for_pods:
      return granular ? "WaitingForPodsReady" : "Waiting";
    case decide::NoQuota::deactivated:
      return "Deactivated";
    case decide::NoQuota::gated:
      return "AdmissionGated";
    case decide::NoQuota::bypassed:
    case decide::NoQuota::awaits_evaluation:
      return "PendingEvaluation";
    case decide::NoQuota::not_accepted:
    case decide::NoQuota::local_queue_missing:
    case decide::NoQuota::queue_missing:
      return granular ? "Misconfigured" : "Inadmissible";
    case decide::NoQuota::local_queue_stopped:
    case decide::NoQuota::queue_inactive:
      return granular ? "Suspended" : "Inadmissible";
  }
  return {};
}

std::string kueue_eviction(const decide::Eviction& eviction) {
  if (!eviction.evicted) return {};
  std::string text;
  switch (eviction.reason) {
    case decide::EvictionReason::none:
    case decide::EvictionReason::other:
      break;
    case decide::EvictionReason::preempted:
      text = "Preempted";
      break;
    case decide::EvictionReason::admission_check:
      text = "AdmissionCheck";
      break;
    case decide::EvictionReason::deactivated:
      text = "Deactivated";
      break;
    case decide::EvictionReason::deactivated_by_check:
      text = "DeactivatedDueToAdmissionCheck";
      break;
    case decide::EvictionReason::deactivated_by_limit:
      text = "DeactivatedDueToRequeuingLimitExceeded";
      break;
    case decide::EvictionReason::deactivated_by_run_time:
      text = "DeactivatedDueToMaximumExecutionTimeExceeded";
      break;
    case decide::EvictionReason::cluster_queue_stopped:
      text = "ClusterQueueStopped";
      break;
    case decide::EvictionReason::local_queue_stopped:
      text = "LocalQueueStopped";
      break;
    case decide::EvictionReason::pods_ready_timeout:
      text = "PodsReadyTimeout";
      break;
    case decide::EvictionReason::node_failures:
      text = "NodeFailures";
      break;
    case decide::EvictionReason::flavor_migration:
      text = "FlavorMigration";
      break;
  }
  if (eviction.preempted) text += "/" + std::string(victim_reason_name(eviction.preemption));
  return text;
}

std::string kueue_preemption_message(std::string_view preemptor_uid, std::string_view job_uid,
                                     decide::Victim::Reason reason, std::string_view preemptor_path,
                                     std::string_view victim_path) {
  std::string_view why;
  switch (reason) {
    case decide::Victim::Reason::in_cluster_queue:
      why = "prioritization in the ClusterQueue";
      break;
    case decide::Victim::Reason::in_cohort_reclamation:
      why = "reclamation within the cohort";
      break;
    case decide::Victim::Reason::in_cohort_reclaim_while_borrowing:
      why = "reclamation within the cohort while borrowing";
      break;
    case decide::Victim::Reason::in_cohort_fair_sharing:
      why = "Fair Sharing within the cohort";
      break;
  }
  return fmt::format(
      "Preempted to accommodate a workload (UID: {}, JobUID: {}) due to {}; preemptor path: {}; preemptee "
      "path: {}",
      preemptor_uid.empty() ? "UNKNOWN" : preemptor_uid, job_uid.empty() ? "UNKNOWN" : job_uid, why,
      preemptor_path, victim_path);
}

std::string kueue_replacement_message(std::string_view uid, std::string_view job_uid) {
  return fmt::format(
      "Replaced to accommodate a workload (UID: {}, JobUID: {}) due to workload slice aggregation", uid,
      job_uid);
}

std::string kueue_migration_message(std::string_view uid) {
  return fmt::format(
      "Evicted to accommodate a workload (UID: {}) due to migration to more favorable resource flavor", uid);
}

}  // namespace sluice::report
