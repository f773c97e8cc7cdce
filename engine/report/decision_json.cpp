#include "report/decision_json.hpp"

#include <fmt/format.h>

namespace sluice::report {
namespace {

bool has_quota(decide::Outcome outcome) {
  return outcome == decide::Outcome::admitted || outcome == decide::Outcome::quota_reserved;
}

void add_targets(JsonWriter& json, std::span<const decide::Victim> victims) {
  json.key("targets").begin_array();
  for (const decide::Victim& victim : victims) {
    json.begin_object();
    json.member("workload", victim.workload.to_string());
    json.member("reason", victim.reason_known ? victim_reason_name(victim.reason) : "");
    json.end_object();
  }
  json.end_array();
}

void add_decision(JsonWriter& json, const decide::Decision& decision, const MessageOf& message) {
  json.begin_object();
  json.member("workload", decision.workload.to_string());
  json.member_if("clusterQueue", decision.queue_now.value_or(decision.cluster_queue));
  json.member("outcome", outcome_name(decision.outcome));
  if (has_quota(decision.outcome) && !decision.lost && !decision.pod_sets.empty()) {
    json.key("podSets");
    add_pod_sets(json, decision.pod_sets);
  }
  if (decision.outcome == decide::Outcome::preempting && !decision.victims.empty())
    add_targets(json, decision.victims);
  json.member_if("requeue", requeue_name(decision.requeue));
  if (message) json.member_if("message", message(decision));
  json.end_object();
}

}  // namespace

void add_placement(JsonWriter& json, const TopologyAssignment& placement) {
  json.key("topologyAssignment").begin_object();
  json.key("levels").begin_array();
  for (const std::string& level : placement.levels) json.string(level);
  json.end_array();
  json.key("domains").begin_array();
  for (const TopologyDomain& domain : placement.domains) {
    json.begin_object();
    json.key("values").begin_array();
    for (const std::string& value : domain.values) json.string(value);
    json.end_array();
    json.member("count", static_cast<std::int64_t>(domain.count));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void add_pod_sets(JsonWriter& json, std::span<const decide::PodSetDecision> pod_sets) {
  json.begin_array();
  for (const decide::PodSetDecision& pod_set : pod_sets) {
    json.begin_object();
    json.member("name", pod_set.name);
    json.member("count", pod_set.count);
    json.key("flavors").begin_object();
    for (const auto& [resource, flavor] : pod_set.flavors) json.member(resource, flavor);
    json.end_object();
    json.key("usage").begin_object();
    for (const auto& [resource, amount] : pod_set.usage) json.member(resource, amount.to_quantity(resource));
    json.end_object();
    if (pod_set.placement) add_placement(json, *pod_set.placement);
    if (pod_set.placement_delayed) json.key("delayedTopologyRequest").boolean(true);
    json.end_object();
  }
  json.end_array();
}

std::string_view outcome_name(decide::Outcome outcome) {
  switch (outcome) {
    case decide::Outcome::admitted:
      return "Admitted";
    case decide::Outcome::quota_reserved:
      return "QuotaReserved";
    case decide::Outcome::preempting:
      return "Preempting";
    case decide::Outcome::waiting_for_preemption:
      return "WaitingForPreemption";
    case decide::Outcome::skipped:
      return "Skipped";
    case decide::Outcome::no_candidates:
      return "NoCandidates";
    case decide::Outcome::gated:
      return "PreemptionGated";
    case decide::Outcome::migrating:
    case decide::Outcome::refused_migration:
    case decide::Outcome::failed:
      return "Failed";
    case decide::Outcome::no_fit:
      return "NoFit";
    case decide::Outcome::inadmissible:
      return "Inadmissible";
    case decide::Outcome::held:
      return "Held";
    case decide::Outcome::denied:
      return "Denied";
    case decide::Outcome::evicted:
      return "Evicted";
  }
  return {};
}

std::string_view state_name(decide::State state) {
  switch (state) {
    case decide::State::admitted:
      return "Admitted";
    case decide::State::quota_reserved:
      return "QuotaReserved";
    case decide::State::pending:
      return "Pending";
    case decide::State::inadmissible:
      return "Inadmissible";
    case decide::State::unqueued:
      return "Unqueued";
    case decide::State::deactivated:
      return "Deactivated";
    case decide::State::evicted:
      return "Evicted";
    case decide::State::finished:
      return "Finished";
    case decide::State::held:
      return "Held";
    case decide::State::denied:
      return "Denied";
  }
  return {};
}

std::string_view requeue_name(decide::Requeue requeue) {
  switch (requeue) {
    case decide::Requeue::none:
    case decide::Requeue::generic:  // Kueue's word for it is empty
      return {};
    case decide::Requeue::failed_after_nomination:
      return "FailedAfterNomination";
    case decide::Requeue::namespace_mismatch:
      return "NamespaceMismatch";
    case decide::Requeue::no_fit:
      return "NoFit";
    case decide::Requeue::preemption_no_candidates:
      return "PreemptionNoCandidates";
    case decide::Requeue::pending_preemption:
      return "PendingPreemption";
    case decide::Requeue::preemption_gated:
      return "PreemptionGated";
    case decide::Requeue::pending_migration:
      return "PendingMigration";
    case decide::Requeue::preemption_failed:
      return "PreemptionFailed";
  }
  return {};
}

std::string_view victim_reason_name(decide::Victim::Reason reason) {
  switch (reason) {
    case decide::Victim::Reason::in_cluster_queue:
      return "InClusterQueue";
    case decide::Victim::Reason::in_cohort_reclamation:
      return "InCohortReclamation";
    case decide::Victim::Reason::in_cohort_reclaim_while_borrowing:
      return "InCohortReclaimWhileBorrowing";
    case decide::Victim::Reason::in_cohort_fair_sharing:
      return "InCohortFairSharing";
  }
  return {};
}

std::string_view strategy_name(FairStrategy strategy) {
  switch (strategy) {
    case FairStrategy::less_than_or_equal_to_final_share:
      return "LessThanOrEqualToFinalShare";
    case FairStrategy::less_than_initial_share:
      return "LessThanInitialShare";
  }
  return {};
}

std::string go_duration(Duration duration) {
  constexpr std::int64_t second = 1'000'000'000;
  std::int64_t ns = duration.ns < 0 ? -duration.ns : duration.ns;
  std::string text = duration.ns < 0 ? "-" : "";
  if (ns == 0) return "0s";
  auto fraction = [](std::int64_t value, std::int64_t unit) {
    std::string digits = fmt::format("{}", value / unit);
    std::int64_t rest = value % unit;
    if (rest == 0) return digits;
    std::string decimals;
    for (std::int64_t place = unit / 10; rest != 0; rest %= place, place /= 10) {
      decimals += static_cast<char>('0' + rest / place);
    }
    return digits + "." + decimals;
  };
  if (ns < 1'000) return text + fmt::format("{}ns", ns);
  if (ns < 1'000'000) return text + fraction(ns, 1'000) + "µs";
  if (ns < second) return text + fraction(ns, 1'000'000) + "ms";
  std::int64_t hours = ns / (3600 * second);
  std::int64_t minutes = ns / (60 * second) % 60;
  if (hours > 0) text += fmt::format("{}h", hours);
  if (hours > 0 || minutes > 0) text += fmt::format("{}m", minutes);
  return text + fraction(ns % (60 * second), second) + "s";
}

void add_cycle(JsonWriter& json, const decide::Cycle& cycle, Instant start, std::size_t step,
               const MessageOf& message) {
  json.begin_object();
  Duration offset = cycle.at - start;
  if (offset.ns != 0) json.member("at", go_duration(offset));
  if (step != 0) json.member("step", static_cast<std::int64_t>(step));
  json.key("heads").begin_array();
  for (const decide::Decision& decision : cycle.decisions) json.string(decision.workload.to_string());
  json.end_array();
  json.key("decisions").begin_array();
  for (const decide::Decision& decision : cycle.decisions) add_decision(json, decision, message);
  json.end_array();
  if (cycle.blocked) json.key("blocked").boolean(true);
  json.end_object();
}

}  // namespace sluice::report
