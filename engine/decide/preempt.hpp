#pragma once

#include <span>
#include <vector>

#include "decide/engine.hpp"
#include "decide/placement.hpp"
#include "decide/search_log.hpp"
#include "decide/target_queues.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

struct Target {
  WorkId work = 0;
  Victim::Reason reason = Victim::Reason::in_cluster_queue;
  std::optional<ShareComparison> shares;  ///< with reason in_cohort_fair_sharing
};

/// Finds whom to preempt: Kueue's classical algorithm or, with fair sharing, by shares (fair_preempt.cpp). Usage
/// is changed while searching and put back before returning. Source   Kueue pkg/scheduler/preemption.
class Preemptor {
 public:
  /// `reserving`: by queue, the workloads that hold quota there. All must outlive the preemptor.
  Preemptor(Cluster& cluster, const Works& works,
            const std::vector<std::vector<WorkId>>& reserving, const Options& options, const Gates& gates)
      : cluster_(cluster),
        works_(works),
        reserving_(reserving),
        options_(options),
        gates_(gates),
        target_queues_(cluster) {}

  /// The workloads that must go so that `demand` fits into the queue; only users of `needed` are candidates.
  /// Empty: preemption does not help. `placement`: what must find a place as well.
  void search(WorkId preemptor, const Queue& queue, QueueId queue_id, std::span<const FlavorResource> needed,
              std::span<const Demand> demand, std::vector<Target>& targets, const PlacementTest* placement = nullptr);

  /// What the searches from now on make of each workload is written there; null: nowhere.
  void write_to(SearchLog* log) { log_ = log; }

  /// Workloads that other heads preempt in this cycle are no candidates; 0: nobody is left out.
  void leave_out_preempted_in(std::uint64_t cycle) { left_out_cycle_ = cycle; }
  bool is_left_out(const Work& work) const {
    return left_out_cycle_ != 0 && work.preempted_in_cycle == left_out_cycle_;
  }

  /// By queue, the workloads that hold quota there.
  const std::vector<std::vector<WorkId>>& reserving() const { return reserving_; }

  /// The queues and nodes have other numbers.
  void forget_tree() { queue_of_node_.clear(); }

  void remove_usage(const Work& work);
  void add_usage(const Work& work);

 private:
  using Fate = Candidate::Fate;
  enum class Variant : std::uint8_t { within_queue, hierarchical, without_borrowing, while_borrowing };
  struct Entrant {
    WorkId work;
    NodeId common;  ///< the lowest cohort above both queues
    Variant variant;
  };
  struct Search {
    const Work* preemptor;
    WorkId preemptor_id;
    const Queue* queue;
    QueueId queue_id;
    std::span<const FlavorResource> needed;
    std::span<const Demand> demand;
    const PlacementTest* placement;  ///< what must find a place as well; null: nothing
  };

  void collect_from_cohorts(const Search& s);
  void collect_below(const Search& s, NodeId cohort, NodeId common, NodeId skip, bool advantage,
                     std::vector<Entrant>& out);
  void collect_from_queue(const Search& s, QueueId queue, NodeId common, bool advantage,
                          std::vector<Entrant>& out);
  void order(const Search& s, std::vector<Entrant>& candidates) const;
  bool is_valid(const Search& s, const Entrant& candidate, bool borrow) const;
  NodeId within_nominal(const Search& s, const Entrant& candidate) const;
  bool fits_quota(const Search& s, bool borrow) const;
  bool fits(const Search& s, bool borrow) const;
  bool attempt(const Search& s, bool borrow, std::vector<Target>& targets);
  void give_back(const Search& s, bool borrow, std::vector<Target>& targets);
  bool comes_first(const Search& s, WorkId a, WorkId b) const;
  bool uses_needed(const Search& s, const Work& work) const;

  // search_log.cpp
  void start_log(const Search& s);
  void restart_log();
  void log_invalid(const Search& s, const Entrant& candidate, bool borrow);
  void log_failure(const Search& s, bool borrow);
  void log_targets(const std::vector<Target>& targets);
  Fate why_no_candidate(const Search& s, QueueId queue, const Work& work, NodeId& node) const;
  void log_refusal(WorkId id, const ShareComparison& shares);
  void log_passed_over(const Search& s);
  NodeId not_borrowing(const Search& s, WorkId id);

  // fair_preempt.cpp
  void search_fairly(const Search& s, std::vector<Target>& targets);
  void collect_for_fair_sharing(const Search& s);
  void rank_by_queue(const Search& s, const std::vector<WorkId>& candidates);
  bool take_by_first_strategy(const Search& s, std::vector<Target>& targets);
  bool take_by_second_strategy(const Search& s, std::vector<Target>& targets);
  bool fits_without_demand(const Search& s);
  WorkId pop(NodeId queue);
  void take(WorkId id, Victim::Reason reason, std::vector<Target>& targets);

  std::uint64_t left_out_cycle_ = 0;
  SearchLog* log_ = nullptr;
  Cluster& cluster_;
  const Works& works_;
  const std::vector<std::vector<WorkId>>& reserving_;
  std::vector<QueueId> queue_of_node_;
  std::vector<Entrant> hierarchical_, by_priority_, own_, all_;
  std::vector<Demand> remaining_;
  const Options& options_;
  const Gates& gates_;
  // With fair sharing.
  TargetQueues target_queues_;
  std::vector<NodeId> cohorts_;
  std::vector<WorkId> ranked_, refused_;
};

/// Whether `policy` lets one workload preempt the other.
/// `newer_by`: how much later than the preemptor a candidate of equal priority must be queued.
bool allows(PreemptionPolicy policy, const Work& preemptor, const Work& candidate, Duration newer_by = {});

}  // namespace sluice::decide
