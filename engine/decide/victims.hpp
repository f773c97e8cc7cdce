#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/amount.hpp"
#include "base/time.hpp"
#include "decide/workload_name.hpp"
#include "model/configuration.hpp"
#include "model/objects.hpp"

/// Who is preempted and who is not, as plain data.
namespace sluice::decide {

/// The shares that let a preemptor take a victim, or did not.
struct ShareComparison {
  FairStrategy strategy = FairStrategy::less_than_or_equal_to_final_share;
  double preemptor = 0;  ///< with the preemptor
  double before = 0;     ///< of the victim's side
  double after = 0;      ///< without the victim
};

struct Victim {
  enum class Reason : std::uint8_t {
    in_cluster_queue,
    in_cohort_reclamation,
    in_cohort_reclaim_while_borrowing,
    in_cohort_fair_sharing
  };
  WorkloadName workload;
  std::string cluster_queue;
  std::int64_t priority = 0;
  Reason reason = Reason::in_cluster_queue;
  bool reason_known = true;  ///< false: it was being evicted before, and not by a preemptor
  /// With reason in_cohort_fair_sharing, of the two children of the cohort in which both queues meet.
  std::optional<ShareComparison> shares;
};

/// A workload that holds quota in the tree of a preemptor, and what the search for victims made of it.
struct Candidate {
  enum class Fate : std::uint8_t {
    taken,
    // Candidates that were spared.
    given_back,           ///< the demand fits without it, too
    not_reached,          ///< the demand fitted before its turn came
    not_enough,           ///< the demand does not fit even when all that may go are gone
    would_borrow,         ///< it may go only for a preemptor that then does not borrow
    back_within_nominal,  ///< `node` uses no more than its own once those before it are gone
    fair_share,           ///< `shares` do not let the preemptor take it
    // No candidates.
    policy,          ///< withinClusterQueue or reclaimWithinCohort does not let the preemptor take it
    within_nominal,  ///< `node`, its queue or a cohort above, uses no more than its own
    not_needed,      ///< it uses nothing of what is missing
    queue_inactive,
    left_out,  ///< another head of the cycle preempts it
  };
  WorkloadName workload;
  std::string cluster_queue;
  std::int64_t priority = 0;
  bool evicted = false;  ///< it is on its way out already: those come first
  Fate fate = Fate::taken;
  Victim::Reason reason = Victim::Reason::in_cluster_queue;  ///< `taken`: why it could be
  std::string node;
  std::optional<ShareComparison> shares;  ///< `fair_share`, and `taken` by fair sharing
  std::optional<double> local_usage;  ///< of its LocalQueue, where it counts before the priority within a queue
};
/// Whether the search could have taken it.
constexpr bool is_candidate(Candidate::Fate fate) {
  return fate < Candidate::Fate::policy;
}

/// One search for workloads whose end makes room.
struct VictimSearch {
  struct Need {
    std::string flavor;
    std::string resource;
    Amount amount;
    bool missing = false;  ///< what else the workload asks for has to fit as well
  };
  std::vector<Need> needs;
  Preemption policy;          ///< of the preemptor's queue
  std::int64_t priority = 0;  ///< of the preemptor
  bool found = false;
  bool lacks_place = false;  ///< not found: the quota would be there, a place on the nodes would not
  /// Those that could be taken, in the order in which they were considered; then the others by queue and name.
  std::vector<Candidate> candidates;
};

/// How a workload was preempted last.
struct Preempted {
  WorkloadName by;
  std::string cluster_queue;  ///< of `by`
  std::int64_t priority = 0;  ///< of `by`
  Instant at;
  Victim::Reason reason = Victim::Reason::in_cluster_queue;
  std::optional<ShareComparison> shares;
};

}  // namespace sluice::decide
