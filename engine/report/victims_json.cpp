#include "report/victims_json.hpp"

#include "report/decision_json.hpp"
#include "state/spelling.hpp"

namespace sluice::report {
namespace {

using decide::Candidate;
using decide::Reach;
using state::spelling_of;

std::string_view name_of(Reach::Kind kind) {
  switch (kind) {
    case Reach::Kind::queue:
      return "ClusterQueue";
    case Reach::Kind::cohort:
      return "Cohort";
    case Reach::Kind::shared:
      return "CohortQuota";
  }
  return {};
}

}  // namespace

std::string_view fate_name(Candidate::Fate fate) {
  switch (fate) {
    case Candidate::Fate::taken:
      return "Taken";
    case Candidate::Fate::given_back:
      return "GivenBack";
    case Candidate::Fate::not_reached:
      return "NotReached";
    case Candidate::Fate::not_enough:
      return "NotEnough";
    case Candidate::Fate::would_borrow:
      return "WouldBorrow";
    case Candidate::Fate::back_within_nominal:
      return "BackWithinNominal";
    case Candidate::Fate::fair_share:
      return "FairShare";
    case Candidate::Fate::policy:
      return "Policy";
    case Candidate::Fate::within_nominal:
      return "WithinNominal";
    case Candidate::Fate::not_needed:
      return "NotNeeded";
    case Candidate::Fate::queue_inactive:
      return "QueueInactive";
    case Candidate::Fate::left_out:
      return "PreemptedByOther";
  }
  return {};
}

void add_shares(JsonWriter& json, const std::optional<decide::ShareComparison>& shares) {
  if (!shares) return;
  json.key("shares").begin_object();
  json.member("strategy", strategy_name(shares->strategy));
  json.member("preemptor", share_text(shares->preemptor));
  json.member("before", share_text(shares->before));
  json.member("after", share_text(shares->after));
  json.end_object();
}

void add_search(JsonWriter& json, const decide::VictimSearch& search) {
  json.begin_object();
  json.key("for").begin_array();
  for (const decide::VictimSearch::Need& need : search.needs) {
    json.begin_object();
    json.member("flavor", need.flavor);
    json.member("resource", need.resource);
    json.member("amount", need.amount.to_string(need.resource));
    if (!need.missing) json.key("missing").boolean(false);
    json.end_object();
  }
  json.end_array();
  json.key("policy").begin_object();
  json.member("withinClusterQueue", spelling_of(search.policy.within_cluster_queue));
  json.member("reclaimWithinCohort", spelling_of(search.policy.reclaim_within_cohort));
  json.member("borrowWithinCohort", spelling_of(search.policy.borrow_within_cohort));
  if (search.policy.borrow_max_priority_threshold)
    json.member("maxPriorityThreshold", static_cast<std::int64_t>(*search.policy.borrow_max_priority_threshold));
  json.end_object();
  json.member("priority", search.priority);
  json.key("found").boolean(search.found);
  if (search.lacks_place) json.key("lacksPlace").boolean(true);
  json.key("candidates").begin_array();
  for (const Candidate& candidate : search.candidates) {
    json.begin_object();
    json.member("workload", candidate.workload.to_string());
    json.member("clusterQueue", candidate.cluster_queue);
    json.member("priority", candidate.priority);
    if (candidate.evicted) json.key("evicted").boolean(true);
    json.member("fate", fate_name(candidate.fate));
    if (candidate.fate == Candidate::Fate::taken) json.member("reason", victim_reason_name(candidate.reason));
    json.member_if("node", candidate.node);
    if (candidate.local_usage) json.member("localQueueUsage", share_text(*candidate.local_usage));
    add_shares(json, candidate.shares);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void add_preempted(JsonWriter& json, const decide::Preempted& preempted) {
  json.begin_object();
  json.member("at", preempted.at.to_string());
  json.member("by", preempted.by.to_string());
  json.member_if("clusterQueue", preempted.cluster_queue);
  json.member("priority", preempted.priority);
  json.member("reason", victim_reason_name(preempted.reason));
  add_shares(json, preempted.shares);
  json.end_object();
}

void add_reach(JsonWriter& json, const Reach& reach) {
  auto amount = [&](std::string_view key, Amount value) { json.member(key, value.to_string(reach.resource)); };
  json.begin_object();
  json.member("resource", reach.resource);
  amount("total", reach.total);
  amount("own", reach.own);
  json.key("lent").begin_array();
  for (const Reach::Source& source : reach.sources) {
    json.begin_object();
    json.member("kind", name_of(source.kind));
    json.member("name", source.node);
    amount("amount", source.amount);
    json.end_object();
  }
  json.end_array();
  if (reach.limit) {
    json.key("borrowingLimit").begin_object();
    json.member("of", reach.limit->node);
    amount("amount", reach.limit->amount);
    json.end_object();
  }
  json.key("used").begin_array();
  for (const Reach::Holder& holder : reach.holders) {
    json.begin_object();
    json.member("kind", name_of(holder.kind));
    json.member("name", holder.node);
    amount("amount", holder.amount);
    if (holder.borrowed > Amount(0)) amount("borrowed", holder.borrowed);
    json.key("workloads").begin_array();
    for (const auto& [job, used] : holder.jobs) {
      json.begin_object();
      json.member("workload", job.to_string());
      amount("amount", used);
      json.end_object();
    }
    json.end_array();
    if (holder.more_jobs > 0) json.member("moreWorkloads", static_cast<std::int64_t>(holder.more_jobs));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace sluice::report
