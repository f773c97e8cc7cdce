#include "decide/search_log.hpp"

#include <algorithm>
#include <utility>

#include "decide/preempt.hpp"

/// Nothing here decides: it writes down what the search does, for those who ask why.
namespace sluice::decide {

/// Why the search does not even consider a workload that holds quota in the tree, in the order of the search's own
/// questions.
Candidate::Fate Preemptor::why_no_candidate(const Search& s, QueueId queue, const Work& work, NodeId& node) const {
  const QuotaTree& tree = cluster_.tree;
  const Preemption& policy = s.queue->object->preemption;
  const bool own = queue == s.queue_id;
  PreemptionPolicy by = own ? policy.within_cluster_queue : policy.reclaim_within_cohort;
  if (by == PreemptionPolicy::never) return Fate::policy;
  if (!own) {
    if (!cluster_.queues[queue].active) return Fate::queue_inactive;
    std::vector<NodeId> above;
    for (NodeId cohort = tree.parent(s.queue->node); cohort != QuotaTree::none; cohort = tree.parent(cohort))
      above.push_back(cohort);
    for (node = cluster_.queues[queue].node; std::find(above.begin(), above.end(), node) == above.end();
         node = tree.parent(node)) {
      if (tree.within_nominal(node, s.needed)) return Fate::within_nominal;
      if (options_.kueue.fair_sharing) break;  // it goes by the shares of cohorts
    }
    node = QuotaTree::none;
  }
  if (is_left_out(work)) return Fate::left_out;
  if (!uses_needed(s, work)) return Fate::not_needed;
  return Fate::policy;
}

/// The candidates stand in `all_`, with fair sharing in `ranked_`.
void Preemptor::start_log(const Search& s) {
  *log_ = {};
  log_->queue = s.queue->node;
  log_->priority = s.preemptor->priority;
  for (const Demand& demand : s.demand) {
    bool missing = std::find(s.needed.begin(), s.needed.end(), demand.cell) != s.needed.end();
    log_->needs.push_back({demand.cell, demand.amount, missing});
  }
  if (options_.kueue.fair_sharing) {
    for (WorkId id : ranked_) log_->add(id, Fate::not_reached, not_borrowing(s, id));
  } else {
    for (const Entrant& candidate : all_) log_->add(candidate.work, Fate::not_reached);
  }
  NodeId root = cluster_.tree.root(s.queue->node);
  for (QueueId queue = 0; queue < cluster_.queues.size(); ++queue) {
    if (cluster_.tree.root(cluster_.queues[queue].node) != root) continue;
    for (WorkId id : reserving_[queue]) {
      if (id == s.preemptor_id || log_->has(id)) continue;
      NodeId node = QuotaTree::none;
      Fate fate = why_no_candidate(s, queue, works_[id], node);
      log_->add(id, fate, node);
    }
  }
}

void Preemptor::restart_log() {
  for (const Entrant& candidate : all_) log_->set(candidate.work, Fate::not_reached);
}

void Preemptor::log_invalid(const Search& s, const Entrant& candidate, bool borrow) {
  if (borrow && candidate.variant == Variant::without_borrowing) {
    log_->set(candidate.work, Fate::would_borrow);
  } else {
    log_->set(candidate.work, Fate::back_within_nominal, within_nominal(s, candidate));
  }
}

/// Everybody who may go is gone, and the demand does not fit.
void Preemptor::log_failure(const Search& s, bool borrow) {
  bool by_borrowing = !borrow && fits(s, true);
  log_->lacks_place = !by_borrowing && fits_quota(s, borrow);
  for (SearchLog::Line& line : log_->lines()) {
    if (line.fate == Fate::not_reached) line.fate = Fate::not_enough;
  }
  if (!by_borrowing) return;
  for (const Entrant& candidate : all_) {
    bool may_not = candidate.variant == Variant::without_borrowing;
    if (may_not && log_->line(candidate.work).fate == Fate::not_enough)
      log_->set(candidate.work, Fate::would_borrow);
  }
}

void Preemptor::log_targets(const std::vector<Target>& targets) {
  log_->found = true;
  for (const Target& target : targets) {
    SearchLog::Line& line = log_->line(target.work);
    line.fate = Fate::taken;
    line.reason = target.reason;
    line.shares = target.shares;
  }
}

void Preemptor::log_refusal(WorkId id, const ShareComparison& shares) {
  log_->set(id, Fate::fair_share);
  log_->line(id).shares = shares;
}

/// With fair sharing: the queue of a candidate, or the first cohort between it and the preemptor's side, that borrows
/// nothing.
NodeId Preemptor::not_borrowing(const Search& s, WorkId id) {
  const QuotaTree& tree = cluster_.tree;
  NodeId node = cluster_.queues[works_[id].holds_in].node;
  if (node == s.queue->node) return QuotaTree::none;
  auto is_above = [&](NodeId cohort) {
    NodeId above = tree.parent(s.queue->node);
    while (above != QuotaTree::none && above != cohort) above = tree.parent(above);
    return above != QuotaTree::none;
  };
  for (; !is_above(node); node = tree.parent(node)) {
    if (!target_queues_.share_now(node).borrowing) return node;
  }
  return QuotaTree::none;
}

/// Queues and cohorts that borrow nothing, from the start or by now, are passed over together with their candidates.
void Preemptor::log_passed_over(const Search& s) {
  for (WorkId id : ranked_) {
    SearchLog::Line& line = log_->line(id);
    NodeId from_start = std::exchange(line.node, QuotaTree::none);
    if (line.turn != kNone || !target_queues_.is_passed_over(cluster_.queues[works_[id].holds_in].node)) continue;
    line.node = from_start == QuotaTree::none ? not_borrowing(s, id) : from_start;
    if (line.node == QuotaTree::none) continue;
    line.fate = from_start == QuotaTree::none ? Fate::back_within_nominal : Fate::within_nominal;
  }
}

}  // namespace sluice::decide
