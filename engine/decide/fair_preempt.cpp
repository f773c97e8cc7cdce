#include <algorithm>

#include "decide/preempt.hpp"

namespace sluice::decide {

/// Workloads of the own queue, and of all others in the tree that use more than their own of something needed.
void Preemptor::collect_for_fair_sharing(const Search& s) {
  const QuotaTree& tree = cluster_.tree;
  const Preemption& policy = s.queue->object->preemption;
  all_.clear();
  if (policy.within_cluster_queue != PreemptionPolicy::never) {
    collect_from_queue(s, s.queue_id, QuotaTree::none, false, all_);
  }
  if (!tree.has_parent(s.queue->node) || policy.reclaim_within_cohort == PreemptionPolicy::never) return;
  cohorts_.assign(1, tree.root(s.queue->node));
  while (!cohorts_.empty()) {
    NodeId cohort = cohorts_.back();
    cohorts_.pop_back();
    for (NodeId child : tree.child_queues(cohort)) {
      QueueId queue = queue_of_node_[child];
      if (queue == s.queue_id || !cluster_.queues[queue].active || tree.within_nominal(child, s.needed)) continue;
      collect_from_queue(s, queue, QuotaTree::none, false, all_);
    }
    for (NodeId child : tree.child_cohorts(cohort)) cohorts_.push_back(child);
  }
}

void Preemptor::rank_by_queue(const Search& s, const std::vector<WorkId>& candidates) {
  target_queues_.start(
      s.queue->node, candidates,
      [this](WorkId id) { return cluster_.queues[works_[id].holds_in].node; },
      [this, &s](WorkId a, WorkId b) { return comes_first(s, a, b); });
}

/// The demand counts as usage while shares are compared, but not here.
bool Preemptor::fits_without_demand(const Search& s) {
  QuotaTree& tree = cluster_.tree;
  std::size_t mark = tree.mark();
  for (const Demand& demand : s.demand) tree.remove(s.queue->node, demand.cell, demand.amount);
  bool result = fits(s, true);
  tree.rollback(mark);
  return result;
}

/// The next candidate of a queue.
WorkId Preemptor::pop(NodeId queue) {
  WorkId id = target_queues_.pop(queue);
  if (log_ != nullptr) log_->consider(id);
  return id;
}

void Preemptor::take(WorkId id, Victim::Reason reason, std::vector<Target>& targets) {
  if (log_ != nullptr) log_->set(id, Fate::not_reached);  // whatever a strategy before said
  remove_usage(works_[id]);
  target_queues_.usage_changed(cluster_.queues[works_[id].holds_in].node);
  targets.push_back({id, reason, std::nullopt});
}

/// Takes what the first strategy allows; what it does not allow goes to `refused_`. True: the demand fits.
bool Preemptor::take_by_first_strategy(const Search& s, std::vector<Target>& targets) {
  using Reason = Victim::Reason;
  QuotaTree& tree = cluster_.tree;
  FairStrategy strategy = options_.kueue.fair_sharing->strategies.front();
  bool within_nominal =
      gates_.fair_preempt_within_nominal && tree.within_nominal(s.queue->node, s.needed);
  refused_.clear();
  rank_by_queue(s, ranked_);
  for (NodeId queue = target_queues_.next(); queue != QuotaTree::none; queue = target_queues_.next()) {
    if (queue == s.queue->node || within_nominal) {
      Reason reason = queue == s.queue->node ? Reason::in_cluster_queue : Reason::in_cohort_reclamation;
      take(pop(queue), reason, targets);
      if (fits_without_demand(s)) return true;
      continue;
    }
    auto sides = target_queues_.sides(queue);
    Share own = target_queues_.share(sides.preemptor);
    Share before = target_queues_.share(sides.target);
    bool hopeless = own.is_infinite() && !before.is_infinite();
    while (target_queues_.has_candidate(queue)) {
      WorkId id = pop(queue);
      if (hopeless) {
        refused_.push_back(id);
        if (log_ != nullptr) log_refusal(id, {strategy, own.value(), before.value(), before.value()});
        continue;
      }
      std::size_t mark = tree.mark();
      remove_usage(works_[id]);
      Share after = target_queues_.share_now(sides.target);
      tree.rollback(mark);
      bool allowed = strategy == FairStrategy::less_than_or_equal_to_final_share ? compare(own, after) <= 0
                                                                                 : compare(own, before) < 0;
      if (!allowed) {
        refused_.push_back(id);
        if (log_ != nullptr) log_refusal(id, {strategy, own.value(), before.value(), after.value()});
        continue;
      }
      take(id, Reason::in_cohort_fair_sharing, targets);
      targets.back().shares = ShareComparison{strategy, own.value(), before.value(), after.value()};
      if (fits_without_demand(s)) return true;
      break;  // another queue may have the highest share now
    }
  }
  return false;
}

/// One more of each queue that has more than the preemptor's will have.
bool Preemptor::take_by_second_strategy(const Search& s, std::vector<Target>& targets) {
  ranked_.swap(refused_);
  // Of one queue they are in order, but queues took turns.
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [&](WorkId a, WorkId b) { return works_[a].holds_in < works_[b].holds_in; });
  rank_by_queue(s, ranked_);
  for (NodeId queue = target_queues_.next(); queue != QuotaTree::none; queue = target_queues_.next()) {
    auto sides = target_queues_.sides(queue);
    Share own = target_queues_.share(sides.preemptor);
    Share before = target_queues_.share(sides.target);
    WorkId id = pop(queue);
    target_queues_.drop(queue);
    if (compare(own, before) >= 0) {
      if (log_ != nullptr) log_refusal(id, {FairStrategy::less_than_initial_share, own.value(), before.value(), before.value()});
      continue;
    }
    take(id, Victim::Reason::in_cohort_fair_sharing, targets);
    double after = target_queues_.share_now(sides.target).value();
    targets.back().shares =
        ShareComparison{FairStrategy::less_than_initial_share, own.value(), before.value(), after};
    if (fits_without_demand(s)) return true;
  }
  return false;
}

void Preemptor::search_fairly(const Search& s, std::vector<Target>& targets) {
  collect_for_fair_sharing(s);
  if (all_.empty() && log_ == nullptr) return;
  ranked_.clear();
  for (const Entrant& candidate : all_) ranked_.push_back(candidate.work);
  std::sort(ranked_.begin(), ranked_.end(), [&](WorkId a, WorkId b) {
    if (works_[a].holds_in != works_[b].holds_in) return works_[a].holds_in < works_[b].holds_in;
    return comes_first(s, a, b);
  });
  if (log_ != nullptr) start_log(s);
  if (all_.empty()) return;
  QuotaTree& tree = cluster_.tree;
  std::size_t mark = tree.mark();
  for (const Demand& demand : s.demand) tree.add(s.queue->node, demand.cell, demand.amount);
  bool found = take_by_first_strategy(s, targets);
  if (log_ != nullptr) log_passed_over(s);
  if (!found && options_.kueue.fair_sharing->strategies.size() > 1) found = take_by_second_strategy(s, targets);
  for (const Demand& demand : s.demand) tree.remove(s.queue->node, demand.cell, demand.amount);
  if (found) {
    give_back(s, true, targets);
    if (log_ != nullptr) log_targets(targets);
  } else {
    if (log_ != nullptr) log_failure(s, true);
    targets.clear();
  }
  tree.rollback(mark);
}

}  // namespace sluice::decide
