#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decide/fair_share.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// With fair sharing: which queue is next to give up a workload. From the root down it is the child with the
/// highest share that still has candidates; the preemptor's queue and the cohorts above it take part even if
/// they borrow nothing. Source   Kueue pkg/scheduler/preemption/fairsharing/ordering.go.
class TargetQueues {
 public:
  /// Whether one candidate is to be taken before another.
  using Before = std::function<bool(WorkId, WorkId)>;

  explicit TargetQueues(const Cluster& cluster) : cluster_(cluster), shares_(cluster) {}

  /// `candidates`: those of one queue side by side, each first to last; must outlive the run. `queue_of`: the
  /// node of a candidate's queue.
  void start(NodeId preemptor_queue, std::span<const WorkId> candidates,
             const std::function<NodeId(WorkId)>& queue_of, Before before);

  /// The queue with the next candidate; QuotaTree::none: there is no more. A candidate must be popped, or the
  /// queue dropped, before the next call.
  NodeId next();
  bool has_candidate(NodeId queue) { return state(queue).next < state(queue).end; }
  WorkId pop(NodeId queue) { return candidates_[state(queue).next++]; }
  void drop(NodeId queue) { state(queue).pruned = true; }
  /// Whether the queue, or a cohort above it, was found to have nothing to give any more.
  bool is_passed_over(NodeId queue);

  /// The usage of the queue changed for good.
  void usage_changed(NodeId queue);
  /// The share as the usage stood at the last `usage_changed`.
  const Share& share(NodeId node);
  /// As the usage is right now.
  Share share_now(NodeId node) { return shares_.of(node); }

  /// The two children of the lowest common cohort: on the way to the preemptor's queue and to `queue`.
  struct Sides {
    NodeId preemptor = QuotaTree::none;
    NodeId target = QuotaTree::none;
  };
  Sides sides(NodeId queue);

 private:
  struct State {
    std::uint64_t run = 0;  ///< which run the rest belongs to
    std::uint32_t next = 0;
    std::uint32_t end = 0;
    bool pruned = false;
    bool above_preemptor = false;
    bool has_share = false;
    Share share;
  };

  State& state(NodeId node) {
    State& state = states_[node];
    if (state.run != run_) {
      state = {};
      state.run = run_;
    }
    return state;
  }
  NodeId descend(NodeId cohort);

  const Cluster& cluster_;
  FairShares shares_;
  NodeId preemptor_queue_ = QuotaTree::none;
  std::span<const WorkId> candidates_;
  Before before_;
  std::uint64_t run_ = 0;
  std::vector<State> states_;  // by node; those of earlier runs count as empty
};

}  // namespace sluice::decide
