#include "decide/target_queues.hpp"

namespace sluice::decide {

void TargetQueues::start(NodeId preemptor_queue, std::span<const WorkId> candidates,
                         const std::function<NodeId(WorkId)>& queue_of, Before before) {
  const QuotaTree& tree = cluster_.tree;
  states_.resize(tree.size());
  ++run_;
  preemptor_queue_ = preemptor_queue;
  candidates_ = candidates;
  before_ = std::move(before);
  for (NodeId node = tree.parent(preemptor_queue); node != QuotaTree::none; node = tree.parent(node)) {
    state(node).above_preemptor = true;
  }
  for (std::uint32_t i = 0; i < candidates.size();) {
    State& queue = state(queue_of(candidates[i]));
    queue.next = i;
    NodeId node = queue_of(candidates[i]);
    while (i < candidates.size() && queue_of(candidates[i]) == node) ++i;
    queue.end = i;
  }
}

const Share& TargetQueues::share(NodeId node) {
  State& of = state(node);
  if (!of.has_share) {
    of.share = shares_.of(node);
    of.has_share = true;
  }
  return of.share;
}

void TargetQueues::usage_changed(NodeId queue) {
  for (NodeId node = queue; node != QuotaTree::none; node = cluster_.tree.parent(node)) state(node).has_share = false;
}

NodeId TargetQueues::next() {
  const QuotaTree& tree = cluster_.tree;
  if (!tree.has_parent(preemptor_queue_)) {
    bool goes_on = !state(preemptor_queue_).pruned && has_candidate(preemptor_queue_);
    return goes_on ? preemptor_queue_ : QuotaTree::none;
  }
  NodeId root = tree.root(preemptor_queue_);
  while (!state(root).pruned) {
    NodeId queue = descend(root);
    if (queue != QuotaTree::none) return queue;
  }
  return QuotaTree::none;
}

/// None: something below was found to have nothing to give; the next try goes past it.
NodeId TargetQueues::descend(NodeId cohort) {
  const QuotaTree& tree = cluster_.tree;
  NodeId best_queue = QuotaTree::none;
  Share best_queue_share = Share::below_all();
  for (NodeId queue : tree.child_queues(cohort)) {
    State& of = state(queue);
    if (of.pruned) continue;
    if (!has_candidate(queue) || (queue != preemptor_queue_ && !share(queue).borrowing)) {
      of.pruned = true;
      continue;
    }
    auto order = compare(share(queue), best_queue_share);
    bool is_better = order > 0;
    if (order == 0) {
      is_better = before_(candidates_[of.next], candidates_[state(best_queue).next]);
    }
    if (!is_better) continue;
    best_queue = queue;
    best_queue_share = share(queue);
  }
  NodeId best_cohort = QuotaTree::none;
  Share best_cohort_share = Share::below_all();
  for (NodeId child : tree.child_cohorts(cohort)) {
    State& of = state(child);
    if (of.pruned) continue;
    if (!of.above_preemptor && !share(child).borrowing) {
      of.pruned = true;
      continue;
    }
    if (compare(share(child), best_cohort_share) <= 0) continue;  // Kueue leaves a tie open
    best_cohort = child;
    best_cohort_share = share(child);
  }
  if (best_queue == QuotaTree::none && best_cohort == QuotaTree::none) {
    state(cohort).pruned = true;
    return QuotaTree::none;
  }
  // In a tie the cohort: the most unfair within it is still to be found.
  if (compare(best_cohort_share, best_queue_share) >= 0) return descend(best_cohort);
  return best_queue;
}

bool TargetQueues::is_passed_over(NodeId queue) {
  for (NodeId node = queue; node != QuotaTree::none; node = cluster_.tree.parent(node)) {
    if (state(node).pruned) return true;
  }
  return false;
}

TargetQueues::Sides TargetQueues::sides(NodeId queue) {
  const QuotaTree& tree = cluster_.tree;
  Sides sides{preemptor_queue_, queue};
  while (!state(tree.parent(sides.target)).above_preemptor) sides.target = tree.parent(sides.target);
  NodeId common = tree.parent(sides.target);
  while (tree.parent(sides.preemptor) != common) sides.preemptor = tree.parent(sides.preemptor);
  return sides;
}

}  // namespace sluice::decide
