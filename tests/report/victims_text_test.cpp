#include "report/victims_text.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <optional>
#include <ostream>

#include "report/victims_json.hpp"

namespace {

using namespace sluice;
using namespace sluice::report;
using decide::Candidate;
using decide::ShareComparison;
using decide::Victim;
using decide::VictimSearch;
using Fate = Candidate::Fate;
using Policy = PreemptionPolicy;

/// A candidate of queue `other`, unless said otherwise; the preemptor has priority 10 and stands in `own`.
struct FateCase {
  const char* want;
  const char* name;  ///< in JSON
  Fate fate;
  const char* queue = "other";
  std::int64_t priority = 0;
  Victim::Reason reason = Victim::Reason::in_cohort_reclamation;
  Policy policy = Policy::lower_priority;  ///< of all three fields
  std::optional<ShareComparison> shares = std::nullopt;
  bool evicted = false;
};
std::ostream& operator<<(std::ostream& out, const FateCase& c) { return out << c.want; }

constexpr auto final_share = FairStrategy::less_than_or_equal_to_final_share;
constexpr auto initial_share = FairStrategy::less_than_initial_share;

const FateCase fate_cases[] = {
    {"preempted: other uses more than its own quota", "Taken", Fate::taken},
    {"preempted: priority 0 is below 10", "Taken", Fate::taken, "own", 0, Victim::Reason::in_cluster_queue},
    {"preempted: it is the newer one", "Taken", Fate::taken, "own", 10, Victim::Reason::in_cluster_queue},
    {"preempted: other uses more than its own quota, and priority 3 is below 10", "Taken", Fate::taken, "other", 3,
     Victim::Reason::in_cohort_reclaim_while_borrowing},
    {"preempted: the preemptor's fair share 100 is below 250, what that side has with it (LessThanInitialShare)", "Taken",
     Fate::taken, "other", 0, Victim::Reason::in_cohort_fair_sharing, Policy::any, ShareComparison{initial_share, 100, 250, 50}},
    {"preempted: it is on its way out already", "Taken", Fate::taken, "other", 0, Victim::Reason::in_cohort_reclamation,
     Policy::any, std::nullopt, true},
    {"spared: the others free enough", "GivenBack", Fate::given_back},
    {"spared: enough is freed before its turn", "NotReached", Fate::not_reached},
    {"spared: with all of them gone it would still not fit", "NotEnough", Fate::not_enough},
    {"spared: own would borrow, and borrowWithinCohort is Never", "WouldBorrow", Fate::would_borrow, "other", 0, {},
     Policy::never},
    {"spared: own would borrow, and borrowWithinCohort is LowerPriority: priority 10 is not below 10", "WouldBorrow",
     Fate::would_borrow, "other", 10},
    {"spared: own would borrow, and borrowWithinCohort is LowerPriority: priority 7 is above maxPriorityThreshold 5",
     "WouldBorrow", Fate::would_borrow, "other", 7},
    {"spared: with those before it gone, node uses no more than its own", "BackWithinNominal", Fate::back_within_nominal},
    {"spared: the preemptor's fair share 83.3333 is above 50, what that side keeps without it "
     "(LessThanOrEqualToFinalShare)",
     "FairShare", Fate::fair_share, "other", 0, {}, Policy::any, ShareComparison{final_share, 1000.0 / 12, 250, 50}},
    {"spared: the preemptor's fair share inf is not below 250, what that side has with it (LessThanInitialShare)",
     "FairShare", Fate::fair_share, "other", 0, {}, Policy::any,
     ShareComparison{initial_share, std::numeric_limits<double>::infinity(), 250, 50}},
    {"no candidate: reclaimWithinCohort is Never", "Policy", Fate::policy, "other", 0, {}, Policy::never},
    {"no candidate: reclaimWithinCohort is LowerPriority, and priority 10 is not below 10", "Policy", Fate::policy, "other", 10},
    {"no candidate: withinClusterQueue is LowerOrNewerEqualPriority, and priority 11 is above 10", "Policy", Fate::policy,
     "own", 11, {}, Policy::lower_or_newer_equal_priority},
    {"no candidate: withinClusterQueue is LowerOrNewerEqualPriority, and of the same priority it is not the newer one",
     "Policy", Fate::policy, "own", 10, {}, Policy::lower_or_newer_equal_priority},
    {"no candidate: node uses no more than its own quota", "WithinNominal", Fate::within_nominal},
    {"no candidate: it uses no nvidia.com/gpu of a100", "NotNeeded", Fate::not_needed},
    {"no candidate: other is inactive", "QueueInactive", Fate::queue_inactive},
    {"no candidate: another job of the same cycle preempts it", "PreemptedByOther", Fate::left_out},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(victims_text)

BOOST_DATA_TEST_CASE(fates, fate_cases, c) {
  VictimSearch search;
  search.needs = {{"a100", "cpu", Amount(8000), false}, {"a100", "nvidia.com/gpu", Amount(4), true}};
  search.policy.within_cluster_queue = c.policy;
  search.policy.reclaim_within_cohort = c.policy;
  search.policy.borrow_within_cohort = c.policy;
  search.policy.borrow_max_priority_threshold = 5;
  search.priority = 10;
  Candidate candidate;
  candidate.workload = {"default", "job"};
  candidate.cluster_queue = c.queue;
  candidate.priority = c.priority;
  candidate.fate = c.fate;
  candidate.reason = c.reason;
  candidate.node = "node";
  candidate.shares = c.shares;
  candidate.evicted = c.evicted;
  BOOST_TEST(fate_text(candidate, search, "own") == c.want);
  BOOST_TEST(fate_name(c.fate) == c.name);
}

BOOST_AUTO_TEST_SUITE_END()
