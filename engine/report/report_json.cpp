#include "report/report_json.hpp"

#include "report/decision_json.hpp"
#include "report/placement_text.hpp"
#include "report/provisioning_text.hpp"
#include "report/victims_json.hpp"

namespace sluice::report {
namespace {

using decide::FlavorAttempt;
using decide::HeadRefusal;
using decide::Mode;
using decide::Never;
using decide::Prospect;
using decide::ResourceTrial;
using decide::RuleFault;
using decide::RuleNote;
using decide::SkipReason;

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::no_fit:
      return "NoFit";
    case Mode::no_candidates:
      return "NoCandidates";
    case Mode::preempt:
      return "Preempt";
    case Mode::reclaim:
      return "Reclaim";
    case Mode::fit:
      return "Fit";
  }
  return {};
}

std::string_view name_of(ResourceTrial::Verdict verdict) {
  switch (verdict) {
    case ResourceTrial::Verdict::fits:
      return "Fits";
    case ResourceTrial::Verdict::short_now:
      return "ShortNow";
    case ResourceTrial::Verdict::exceeds_capacity:
      return "ExceedsCapacity";
  }
  return {};
}

std::string_view name_of(FlavorAttempt::Refusal refusal) {
  switch (refusal) {
    case FlavorAttempt::Refusal::none:
      return {};
    case FlavorAttempt::Refusal::flavor_missing:
      return "FlavorMissing";
    case FlavorAttempt::Refusal::untolerated_taint:
      return "UntoleratedTaint";
    case FlavorAttempt::Refusal::affinity_mismatch:
      return "AffinityMismatch";
    case FlavorAttempt::Refusal::affinity_invalid:
      return "AffinityInvalid";
    case FlavorAttempt::Refusal::other_flavor_kept:
      return "OtherFlavorKept";
    case FlavorAttempt::Refusal::not_allowed:
      return "NotAllowed";
    case FlavorAttempt::Refusal::rule:
      return "Rule";
    case FlavorAttempt::Refusal::no_topology:
      return "NoTopology";
    case FlavorAttempt::Refusal::topology_unknown:
      return "TopologyUnknown";
    case FlavorAttempt::Refusal::level_missing:
      return "LevelMissing";
    case FlavorAttempt::Refusal::topology_only:
      return "TopologyOnly";
  }
  return {};
}

std::string_view name_of(HeadRefusal refusal) {
  switch (refusal) {
    case HeadRefusal::none:
      return {};
    case HeadRefusal::failed_check:
      return "FailedCheck";
    case HeadRefusal::queue_inactive:
      return "QueueInactive";
    case HeadRefusal::queue_missing:
      return "QueueMissing";
    case HeadRefusal::namespace_mismatch:
      return "NamespaceMismatch";
    case HeadRefusal::invalid_resources:
      return "InvalidResources";
  }
  return {};
}

std::string_view name_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::none:
      return {};
    case SkipReason::lost_race:
      return "LostRace";
    case SkipReason::overlapping_victims:
      return "OverlappingVictims";
    case SkipReason::better_variant:
      return "BetterVariant";
  }
  return {};
}

std::string_view name_of(Prospect prospect) {
  switch (prospect) {
    case Prospect::none:
      return {};
    case Prospect::waits_for_check:
      return "WaitsForCheck";
    case Prospect::waits_its_turn:
      return "WaitsItsTurn";
    case Prospect::never_as_written:
      return "NeverAsWritten";
    case Prospect::held_by_rule:
      return "HeldByRule";
    case Prospect::denied_by_rule:
      return "DeniedByRule";
  }
  return {};
}

std::string_view name_of(Never::Reason reason) {
  switch (reason) {
    case Never::Reason::none:
      return {};
    case Never::Reason::no_local_queue:
      return "NoLocalQueue";
    case Never::Reason::local_queue_stopped:
      return "LocalQueueStopped";
    case Never::Reason::queue_missing:
      return "QueueMissing";
    case Never::Reason::queue_inactive:
      return "QueueInactive";
    case Never::Reason::namespace_mismatch:
      return "NamespaceMismatch";
    case Never::Reason::invalid_resources:
      return "InvalidResources";
    case Never::Reason::uncovered_resource:
      return "UncoveredResource";
    case Never::Reason::no_matching_flavor:
      return "NoMatchingFlavor";
    case Never::Reason::exceeds_capacity:
      return "ExceedsCapacity";
    case Never::Reason::no_place:
      return "NoPlace";
  }
  return {};
}

std::string_view name_of(RuleNote::Verb verb) {
  switch (verb) {
    case RuleNote::Verb::allow:
      return "Allow";
    case RuleNote::Verb::deny:
      return "Deny";
    case RuleNote::Verb::warn:
      return "Warn";
    case RuleNote::Verb::hold:
      return "Hold";
    case RuleNote::Verb::skip:
      return "Skip";
    case RuleNote::Verb::prefer:
      return "Prefer";
    case RuleNote::Verb::rung_closed:
      return "RungClosed";
    case RuleNote::Verb::rung_open:
      return "RungOpen";
    case RuleNote::Verb::score:
      return "Score";
    case RuleNote::Verb::require_check:
      return "RequireCheck";
    case RuleNote::Verb::set_default:
      return "Default";
  }
  return {};
}

std::string_view name_of(RuleFault::Kind kind) {
  switch (kind) {
    case RuleFault::Kind::overflow:
      return "Overflow";
    case RuleFault::Kind::division_by_zero:
      return "DivisionByZero";
    case RuleFault::Kind::absent_value:
      return "AbsentValue";
    case RuleFault::Kind::bad_time_zone:
      return "BadTimeZone";
  }
  return {};
}

std::string_view name_of(CheckState state) {
  switch (state) {
    case CheckState::pending:
      return "Pending";
    case CheckState::ready:
      return "Ready";
    case CheckState::retry:
      return "Retry";
    case CheckState::rejected:
      return "Rejected";
  }
  return {};
}

/// Writes one report.
class Writer {
 public:
  Writer(JsonWriter& json, const Scene& scene) : json_(json), scene_(scene) {}

  void write(const decide::WorkloadReport& report) {
    json_.begin_object();
    json_.member("workload", report.workload.to_string());
    json_.member("name", user_name(scene_.world, report.workload));
    json_.member_if("localQueue", report.local_queue);
    json_.member_if("clusterQueue", report.cluster_queue);
    json_.member("state", state_name(report.state));
    json_.member_if("prospect", name_of(report.prospect));
    if (report.never.reason != Never::Reason::none) add(report.never);
    if (report.position != 0) json_.member("position", report.position);
    if (report.decision) {
      json_.key("decision");
      add(*report.decision);
    }
    if (report.preempting) {
      json_.key("preempting");
      add(*report.preempting);
    }
    if (report.preempted) {
      json_.key("preempted");
      add_preempted(json_, *report.preempted);
    }
    array("localQueueUsage", report.local_usages, [&](const decide::LocalQueueUsage& one) {
      json_.begin_object();
      json_.member("localQueue", one.name_space + "/" + one.name);
      json_.member("usage", share_text(one.usage));
      json_.member("weight", share_text(one.weight));
      if (one.charged) json_.key("charged").boolean(true);
      json_.end_object();
    });
    array("checks", report.checks, [&](const decide::CheckWait& check) { add(check); });
    array("ahead", report.ahead, [&](const decide::WorkloadName& name) { json_.string(name.to_string()); });
    array("releases", report.releases,
          [&](const decide::Release& release) { json_.string(release.workload.to_string()); });
    std::vector<decide::WorkloadName> admits;
    for (const decide::Release& release : report.releases)
      if (release.admits) admits.push_back(release.workload);
    array("admittedWhenEnds", admits, [&](const decide::WorkloadName& name) { json_.string(name.to_string()); });
    array("otherPods", report.other_pods, [&](const std::string& name) { json_.string(name); });
    if (report.waiting) {
      json_.key("waiting").begin_object();
      json_.member("at", report.waiting->at.to_string());
      json_.member("state", state_name(report.waiting->state));
      json_.key("decision");
      add(report.waiting->decision);
      json_.end_object();
    }
    json_.end_object();
  }

 private:
  template <class Items, class Add>
  void array(std::string_view key, const Items& items, Add add_item) {
    if (items.empty()) return;
    json_.key(key).begin_array();
    for (const auto& item : items) add_item(item);
    json_.end_array();
  }

  void instant(std::string_view key, const std::optional<Instant>& value) {
    if (value) json_.member(key, value->to_string());
  }

  void amounts(std::string_view key, const std::map<std::string, Amount>& amounts) {
    json_.key(key).begin_object();
    for (const auto& [resource, amount] : amounts) json_.member(resource, amount.to_string(resource));
    json_.end_object();
  }

  void texts(std::string_view key, const std::map<std::string, std::string>& values) {
    if (values.empty()) return;
    json_.key(key).begin_object();
    for (const auto& [name, value] : values) json_.member(name, value);
    json_.end_object();
  }

  void add(const Never& never) {
    json_.key("never").begin_object();
    json_.member("reason", name_of(never.reason));
    json_.member_if("podSet", never.pod_set);
    json_.member_if("resource", never.resource);
    json_.member_if("detail", never.detail);
    json_.end_object();
  }

  void add(const RuleNote& note) {
    json_.begin_object();
    json_.member("says", name_of(note.verb));
    json_.member("rule", note.rule);
    json_.member_if("what", note.what);
    json_.member_if("place", place_of(scene_, note.span));
    json_.member_if("because", note.because);
    instant("opens", note.opens);
    if (note.fault) {
      json_.key("fault").begin_object();
      json_.member("kind", name_of(note.fault->kind));
      json_.member_if("place", place_of(scene_, note.fault->span));
      json_.end_object();
    }
    json_.end_object();
  }

  void notes(std::string_view key, const std::vector<RuleNote>& notes) {
    array(key, notes, [&](const RuleNote& note) { add(note); });
  }

  void add(const ResourceTrial& trial) {
    json_.begin_object();
    json_.member("resource", trial.resource);
    json_.member("verdict", name_of(trial.verdict));
    json_.member("mode", name_of(trial.mode));
    auto amount = [&](std::string_view key, Amount value) {
      json_.member(key, value.to_string(trial.resource));
    };
    amount("asked", trial.asked);
    amount("assumed", trial.assumed);
    amount("used", trial.used);
    amount("nominal", trial.nominal);
    amount("available", trial.available);
    amount("capacity", trial.capacity);
    if (trial.verdict != ResourceTrial::Verdict::fits) amount("shortBy", trial.short_by);
    if (trial.borrow_level != 0) json_.member("borrowLevel", trial.borrow_level);
    if (trial.slice_flavor) json_.member("sliceFlavor", *trial.slice_flavor);
    json_.end_object();
  }

  void members(const Requirement& requirement) {
    json_.member("key", requirement.key);
    json_.member("operator", requirement.op);
    json_.key("values").begin_array();
    for (const std::string& value : requirement.values) json_.string(value);
    json_.end_array();
  }

  void add(const FlavorAttempt& attempt) {
    json_.begin_object();
    json_.member("flavor", attempt.flavor);
    json_.key("chosen").boolean(attempt.chosen);
    json_.member("mode", name_of(attempt.mode));
    json_.member_if("refusal", name_of(attempt.refusal));
    if (attempt.refusal == FlavorAttempt::Refusal::untolerated_taint) {
      json_.key("taint").begin_object();
      json_.member("key", attempt.taint.key);
      json_.member_if("value", attempt.taint.value);
      json_.member("effect", attempt.taint.effect);
      json_.end_object();
    }
    if (attempt.refusal == FlavorAttempt::Refusal::affinity_mismatch) {
      json_.key("mismatch").begin_object();
      members(attempt.mismatch);
      json_.member_if("flavorValue", attempt.flavor_value);
      json_.end_object();
    }
    array("invalid", attempt.invalid, [&](const decide::InvalidRequirement& invalid) {
      json_.begin_object();
      members(invalid.requirement);
      json_.end_object();
    });
    array("resources", attempt.resources, [&](const ResourceTrial& trial) { add(trial); });
    array("reach", attempt.reaches, [&](const decide::Reach& reach) { add_reach(json_, reach); });
    array("searches", attempt.searches, [&](const decide::VictimSearch& search) { add_search(json_, search); });
    notes("refusals", attempt.refusals);
    notes("notes", attempt.notes);
    instant("opens", attempt.opens);
    if (attempt.after) json_.member("after", attempt.after->to_string());
    json_.end_object();
  }

  void add(const decide::PlacementFailure& failure) {
    json_.begin_object();
    json_.member("topology", failure.topology);
    json_.member("text", placement_text(failure));
    json_.member("fits", static_cast<std::int64_t>(failure.fits));
    json_.member("asked", static_cast<std::int64_t>(failure.asked));
    json_.key("inSlices").boolean(failure.in_slices);
    json_.member("nodes", static_cast<std::int64_t>(failure.nodes));
    json_.end_object();
  }

  void add(const decide::PodSetDecision& pod_set) {
    json_.begin_object();
    json_.member("name", pod_set.name);
    json_.member("count", pod_set.count);
    if (pod_set.count != pod_set.spec_count) json_.member("specCount", pod_set.spec_count);
    if (pod_set.placement) add_placement(json_, *pod_set.placement);
    if (pod_set.placement_delayed) json_.key("placementDelayed").boolean(true);
    if (pod_set.placement_error != decide::PlacementError::none)
      json_.member("placementError", placement_error_text(pod_set));
    if (pod_set.placement_failure) {
      json_.key("placementFailure");
      add(*pod_set.placement_failure);
    }
    amounts("asked", pod_set.asked);
    texts("flavors", pod_set.flavors);
    array("attempts", pod_set.attempts, [&](const FlavorAttempt& attempt) { add(attempt); });
    array("uncovered", pod_set.uncovered, [&](const std::string& resource) { json_.string(resource); });
    if (!pod_set.evaluated) json_.key("evaluated").boolean(false);
    json_.end_object();
  }

  void add(const decide::Decision& decision) {
    json_.begin_object();
    json_.member("at", decision.at.to_string());
    json_.member("outcome", outcome_name(decision.outcome));
    json_.member_if("refusal", name_of(decision.refusal));
    json_.member_if("skip", name_of(decision.skip));
    json_.member("priority", decision.priority);
    array("podSets", decision.pod_sets, [&](const decide::PodSetDecision& pod_set) { add(pod_set); });
    if (decision.replaced) json_.member("replaced", decision.replaced->to_string());
    array("victims", decision.victims, [&](const decide::Victim& victim) {
      json_.begin_object();
      json_.member("workload", victim.workload.to_string());
      json_.member("clusterQueue", victim.cluster_queue);
      json_.member("priority", victim.priority);
      json_.member("reason", victim_reason_name(victim.reason));
      add_shares(json_, victim.shares);
      json_.end_object();
    });
    if (decision.search) {
      json_.key("search");
      add_search(json_, *decision.search);
    }
    array("shares", decision.shares, [&](const decide::NodeShare& share) {
      json_.begin_object();
      json_.member("node", share.node);
      json_.member("share", share_text(share.share));
      json_.member("weight", share_text(share.weight));
      json_.member_if("resource", share.resource);
      if (share.borrows) json_.key("borrows").boolean(true);
      json_.end_object();
    });
    array("checks", decision.checks, [&](const std::string& check) { json_.string(check); });
    notes("reasons", decision.reasons);
    notes("notes", decision.notes);
    instant("heldUntil", decision.held_until);
    json_.end_object();
  }

  void add(const decide::CheckWait& check) {
    json_.begin_object();
    json_.member("name", check.name);
    json_.member_if("controller", check.controller);
    json_.member("state", name_of(check.state));
    array("becauseFlavors", check.because_flavors, [&](const std::string& flavor) { json_.string(flavor); });
    if (check.request) add(*check.request);
    if (check.not_needed) json_.key("notNeeded").boolean(true);
    json_.member_if("missingConfig", check.missing_config);
    json_.end_object();
  }

  void add(const decide::RequestPlan& request) {
    json_.key("provisioningRequest").begin_object();
    json_.member("name", request.name);
    json_.member("provisioningClassName", request.class_name);
    json_.key("parameters").begin_object();
    for (const auto& [key, value] : request.parameters) json_.member(key, value);
    json_.end_object();
    json_.member("attempt", request.attempt);
    json_.member("attempts", request.attempts);
    array("podSets", request.pod_sets, [&](const decide::ProvisioningPodSet& pod_set) { add(pod_set); });
    if (request.says) {
      json_.member("condition", request_event_name(*request.says));
      json_.member("since", request.said_at.to_string());
      json_.member_if("message", request.message);
    }
    json_.end_object();
  }

  void add(const decide::ProvisioningPodSet& pod_set) {
    json_.begin_object();
    json_.member("podSet", pod_set.pod_set);
    json_.member("podTemplate", pod_set.template_name);
    json_.member("count", pod_set.count);
    json_.member("flavor", pod_set.flavor);
    texts("nodeSelector", pod_set.node_selector);
    array("tolerations", pod_set.tolerations, [&](const Toleration& toleration) {
      json_.begin_object();
      json_.member_if("key", toleration.key);
      json_.member("operator", toleration.op);
      json_.member_if("value", toleration.value);
      json_.member_if("effect", toleration.effect);
      if (toleration.seconds) json_.member("tolerationSeconds", *toleration.seconds);
      json_.end_object();
    });
    json_.key("requests").begin_object();
    for (const auto& [resource, quantity] : pod_set.requests) json_.member(resource, quantity.to_string());
    json_.end_object();
    json_.end_object();
  }

  JsonWriter& json_;
  const Scene& scene_;
};

}  // namespace

void add_report(JsonWriter& json, const decide::WorkloadReport& report, const Scene& scene) {
  Writer(json, scene).write(report);
}

}  // namespace sluice::report
