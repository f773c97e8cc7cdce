#include "report/victims_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/decision_json.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "state/spelling.hpp"

namespace sluice::report {
namespace {

using decide::Candidate;
using decide::Decision;
using decide::FlavorAttempt;
using decide::ResourceTrial;
using decide::Victim;
using decide::VictimSearch;
using state::spelling_of;

/// `Never`, or the policy with what it says about the candidate.
std::string policy_text(std::string_view field, PreemptionPolicy policy, std::int64_t candidate,
                        std::int64_t preemptor) {
  std::string text = fmt::format("{} is {}", field, spelling_of(policy));
  switch (policy) {
    case PreemptionPolicy::never:
    case PreemptionPolicy::any:
      return text;
    case PreemptionPolicy::lower_priority:
      return text + fmt::format(", and priority {} is not below {}", candidate, preemptor);
    case PreemptionPolicy::lower_or_newer_equal_priority:
      if (candidate > preemptor) return text + fmt::format(", and priority {} is above {}", candidate, preemptor);
      return text + ", and of the same priority it is not the newer one";
  }
  return text;
}

std::string comparison_text(const decide::ShareComparison& shares, bool allowed) {
  bool by_final = shares.strategy == FairStrategy::less_than_or_equal_to_final_share;
  std::string other = by_final ? fmt::format("{}, what that side keeps without it", number_text(shares.after))
                               : fmt::format("{}, what that side has with it", number_text(shares.before));
  std::string_view relation = by_final ? (allowed ? "not above" : "above") : (allowed ? "below" : "not below");
  return fmt::format("the preemptor's fair share {} is {} {} ({})", number_text(shares.preemptor), relation, other,
                     strategy_name(shares.strategy));
}

std::string taken_text(const Candidate& candidate, const VictimSearch& search) {
  switch (candidate.reason) {
    case Victim::Reason::in_cluster_queue:
      if (candidate.priority < search.priority)
        return fmt::format("priority {} is below {}", candidate.priority, search.priority);
      return candidate.priority == search.priority ? "it is the newer one" : "it has to go first";
    case Victim::Reason::in_cohort_reclamation:
      return fmt::format("{} uses more than its own quota", candidate.cluster_queue);
    case Victim::Reason::in_cohort_reclaim_while_borrowing:
      return fmt::format("{} uses more than its own quota, and priority {} is below {}", candidate.cluster_queue,
                         candidate.priority, search.priority);
    case Victim::Reason::in_cohort_fair_sharing:
      return candidate.shares ? comparison_text(*candidate.shares, true) : "by fair sharing";
  }
  return {};
}

/// Why a candidate may go only if the preemptor does not borrow.
std::string borrowing_text(const Candidate& candidate, const VictimSearch& search, const std::string& queue) {
  const Preemption& policy = search.policy;
  std::string text = fmt::format("{} would borrow, and borrowWithinCohort is {}", queue,
                                 spelling_of(policy.borrow_within_cohort));
  if (policy.borrow_within_cohort == PreemptionPolicy::never) return text;
  if (candidate.priority >= search.priority)
    return text + fmt::format(": priority {} is not below {}", candidate.priority, search.priority);
  if (policy.borrow_max_priority_threshold)
    text += fmt::format(": priority {} is above maxPriorityThreshold {}", candidate.priority,
                        *policy.borrow_max_priority_threshold);
  return text;
}

/// `a100 cpu 48, nvidia.com/gpu 6; l4 memory 1Gi`.
std::string needs_text(const VictimSearch& search) {
  Units units;
  for (const VictimSearch::Need& need : search.needs) units.see(need.resource, need.amount);
  std::vector<std::string> parts;
  std::string_view flavor;
  for (const VictimSearch::Need& need : search.needs) {
    std::string part = fmt::format("{} {}", need.resource, units.text(need.resource, need.amount));
    if (need.flavor == flavor) {
      parts.back() += ", " + part;
    } else {
      parts.push_back(fmt::format("{} {}", need.flavor, part));
    }
    flavor = need.flavor;
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string missing_text(const VictimSearch& search) {
  std::vector<std::string> parts;
  for (const VictimSearch::Need& need : search.needs) {
    if (need.missing) parts.push_back(fmt::format("{} of {}", need.resource, need.flavor));
  }
  return fmt::format("{}", fmt::join(parts, " and no "));
}

/// The policy as far as the search asked it.
std::string policies_text(const VictimSearch& search) {
  std::string text = fmt::format("withinClusterQueue {}, reclaimWithinCohort {}, borrowWithinCohort {}",
                                 spelling_of(search.policy.within_cluster_queue),
                                 spelling_of(search.policy.reclaim_within_cohort),
                                 spelling_of(search.policy.borrow_within_cohort));
  if (search.policy.borrow_max_priority_threshold)
    text += fmt::format(" up to {}", *search.policy.borrow_max_priority_threshold);
  return text;
}

/// The policy alone spares everybody: a list would say the same of each.
bool is_by_policy_alone(const VictimSearch& search) {
  return search.policy.within_cluster_queue == PreemptionPolicy::never &&
         search.policy.reclaim_within_cohort == PreemptionPolicy::never;
}

/// Lines that differ only in the job: the first few, and how many more.
std::string candidates_table(const VictimSearch& search, const std::string& queue, const Scene& scene) {
  constexpr std::size_t most = 3;
  Table table({{"job"}, {"queue"}, {"priority", Table::Align::right}, {"used by its local queue", Table::Align::right}, {"what became of it"}});
  const std::vector<Candidate>& all = search.candidates;
  for (std::size_t first = 0; first < all.size();) {
    std::string fate = fate_text(all[first], search, queue);
    std::size_t end = first + 1;
    while (end < all.size() && all[end].cluster_queue == all[first].cluster_queue &&
           fate_text(all[end], search, queue) == fate)
      ++end;
    std::size_t shown = end - first > most + 1 && all[first].fate != Candidate::Fate::taken ? first + most : end;
    for (std::size_t i = first; i < shown; ++i) {
      table.add({user_name(scene.world, all[i].workload), all[i].cluster_queue, fmt::format("{}", all[i].priority),
                 all[i].local_usage ? number_text(*all[i].local_usage) : "", fate});
    }
    if (shown < end) table.add({fmt::format("{} more", end - shown), all[first].cluster_queue, "", "", "the same"});
    first = end;
  }
  return table.empty() ? std::string() : table.to_string("    ");
}

std::string result_text(const VictimSearch& search) {
  if (search.found) return "found";
  bool any = std::any_of(search.candidates.begin(), search.candidates.end(),
                         [](const Candidate& candidate) { return decide::is_candidate(candidate.fate); });
  if (!any) return search.candidates.empty() ? "nobody else is there" : "nobody may be preempted";
  return search.lacks_place ? "those who may be preempted would not free a place" : "those who may be preempted would not be enough";
}

std::string full_text(const VictimSearch& search, const std::string& queue, const Scene& scene) {
  return fmt::format("  search for victims, for {}: {}\n    {}\n{}", needs_text(search), result_text(search),
                     policies_text(search), candidates_table(search, queue, scene));
}

/// A search of one flavor and resource, in short.
std::string short_text(const VictimSearch& search, const Scene& scene) {
  std::vector<std::string> taken;
  std::size_t more = 0;
  for (const Candidate& candidate : search.candidates) {
    if (candidate.fate != Candidate::Fate::taken) continue;
    if (taken.size() < 3) {
      taken.push_back(user_name(scene.world, candidate.workload));
    } else {
      ++more;
    }
  }
  if (more > 0) taken.push_back(fmt::format("{} more", more));
  std::string result = search.found ? fmt::format("would preempt {}", fmt::join(taken, ", ")) : result_text(search);
  return fmt::format("  search for victims, for {}: {}\n", needs_text(search), result);
}

/// Whether one resource alone brought to light what the whole search says.
bool is_told(const VictimSearch& whole, const VictimSearch& part) {
  auto is_part = [&](const VictimSearch::Need& need) {
    return std::any_of(whole.needs.begin(), whole.needs.end(), [&](const VictimSearch::Need& other) {
      return other.flavor == need.flavor && other.resource == need.resource;
    });
  };
  auto taken = [](const VictimSearch& search) {
    std::set<decide::WorkloadName> names;
    for (const Candidate& candidate : search.candidates) {
      if (candidate.fate == Candidate::Fate::taken) names.insert(candidate.workload);
    }
    return names;
  };
  return std::all_of(part.needs.begin(), part.needs.end(), is_part) && taken(whole) == taken(part);
}

/// Nobody is looked for where the queue would have to borrow and its policy does not let it preempt then.
std::string not_searched_text(const FlavorAttempt& attempt, const Decision& decision) {
  for (const ResourceTrial& trial : attempt.resources) {
    bool none = trial.verdict == ResourceTrial::Verdict::short_now && trial.mode == decide::Mode::no_fit &&
                !trial.slice_flavor;
    if (!none) continue;
    Units units;
    units.see(trial.resource, trial.nominal);
    return fmt::format(
        "  no search for victims on {}: {} would use more {} than its own {}, and its borrowWithinCohort is Never\n",
        attempt.flavor, decision.cluster_queue, trial.resource, units.text(trial.resource, trial.nominal));
  }
  return {};
}

}  // namespace

std::string fate_text(const Candidate& candidate, const VictimSearch& search, const std::string& queue) {
  std::string_view spared = candidate.evicted ? "spared, though on its way out" : "spared";
  const Preemption& policy = search.policy;
  bool own = candidate.cluster_queue == queue;
  switch (candidate.fate) {
    case Candidate::Fate::taken:
      return candidate.evicted ? "preempted: it is on its way out already"
                               : fmt::format("preempted: {}", taken_text(candidate, search));
    case Candidate::Fate::given_back:
      return fmt::format("{}: the others free enough", spared);
    case Candidate::Fate::not_reached:
      return fmt::format("{}: enough is freed before its turn", spared);
    case Candidate::Fate::not_enough:
      return fmt::format("{}: {}", spared, search.lacks_place ? "with all of them gone there would still be no place" : "with all of them gone it would still not fit");
    case Candidate::Fate::would_borrow:
      return fmt::format("{}: {}", spared, borrowing_text(candidate, search, queue));
    case Candidate::Fate::back_within_nominal:
      return fmt::format("{}: with those before it gone, {} uses no more than its own", spared, candidate.node);
    case Candidate::Fate::fair_share:
      return fmt::format("{}: {}", spared, candidate.shares ? comparison_text(*candidate.shares, false) : "by fair share");
    case Candidate::Fate::policy:
      return "no candidate: " +
             policy_text(own ? "withinClusterQueue" : "reclaimWithinCohort",
                         own ? policy.within_cluster_queue : policy.reclaim_within_cohort, candidate.priority,
                         search.priority);
    case Candidate::Fate::within_nominal:
      return fmt::format("no candidate: {} uses no more than its own quota", candidate.node);
    case Candidate::Fate::not_needed:
      return fmt::format("no candidate: it uses no {}", missing_text(search));
    case Candidate::Fate::queue_inactive:
      return fmt::format("no candidate: {} is inactive", candidate.cluster_queue);
    case Candidate::Fate::left_out:
      return "no candidate: another job of the same cycle preempts it";
  }
  return {};
}

std::string search_text(const Decision& decision, const Scene& scene) {
  std::vector<const VictimSearch*> parts;
  std::string not_searched;
  auto add_new = [](std::string& text, const std::string& part) {  // pod sets of one group share their attempts
    if (text.find(part) == std::string::npos) text += part;
  };
  for (const decide::PodSetDecision& pod_set : decision.pod_sets) {
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      // Where the flavor is too small for something else nobody's end helps.
      bool too_small = std::any_of(attempt.resources.begin(), attempt.resources.end(), [](const ResourceTrial& trial) {
        return trial.verdict == ResourceTrial::Verdict::exceeds_capacity;
      });
      if (too_small) continue;
      for (const VictimSearch& search : attempt.searches) {
        if (!decision.search || !is_told(*decision.search, search)) parts.push_back(&search);
      }
      add_new(not_searched, not_searched_text(attempt, decision));
    }
  }
  const VictimSearch* any = decision.search ? &*decision.search : parts.empty() ? nullptr : parts.front();
  if (any != nullptr && is_by_policy_alone(*any)) {
    return fmt::format("  nobody may be preempted: withinClusterQueue and reclaimWithinCohort of {} are Never\n",
                       decision.cluster_queue);
  }
  bool has_quota = decision.outcome == decide::Outcome::admitted || decision.outcome == decide::Outcome::quota_reserved;
  bool in_full = !decision.search && !has_quota;
  std::string text = decision.search ? full_text(*decision.search, decision.cluster_queue, scene) : std::string();
  for (const VictimSearch* part : parts)
    add_new(text, in_full ? full_text(*part, decision.cluster_queue, scene) : short_text(*part, scene));
  return text + not_searched;
}

std::string preempted_text(const decide::Preempted& preempted, const std::string& cluster_queue, const Scene& scene) {
  std::string why;
  switch (preempted.reason) {
    case Victim::Reason::in_cluster_queue:
      why = "to make room in its own queue";
      break;
    case Victim::Reason::in_cohort_reclamation:
      why = fmt::format("{} used more than its own quota, and {} wanted its own", cluster_queue, preempted.cluster_queue);
      break;
    case Victim::Reason::in_cohort_reclaim_while_borrowing:
      why = fmt::format("{} used more than its own quota, and {} takes it for higher priorities even while it borrows",
                        cluster_queue, preempted.cluster_queue);
      break;
    case Victim::Reason::in_cohort_fair_sharing:
      why = preempted.shares ? comparison_text(*preempted.shares, true) : "by fair sharing";
      break;
  }
  return fmt::format("  preempted at {} by {} (priority {}, of {}): {}\n", preempted.at.to_string(),
                     user_name(scene.world, preempted.by), preempted.priority, preempted.cluster_queue, why);
}

}  // namespace sluice::report
