#include "decide/preempt.hpp"

#include <algorithm>

namespace sluice::decide {
namespace {

Victim::Reason reason_of(bool within_queue, bool while_borrowing) {
  if (within_queue) return Victim::Reason::in_cluster_queue;
  return while_borrowing ? Victim::Reason::in_cohort_reclaim_while_borrowing
                         : Victim::Reason::in_cohort_reclamation;
}

}  // namespace

bool allows(PreemptionPolicy policy, const Work& preemptor, const Work& candidate, Duration newer_by) {
  switch (policy) {
    case PreemptionPolicy::never:
      return false;
    case PreemptionPolicy::any:
      return true;
    case PreemptionPolicy::lower_priority:
      return preemptor.priority > candidate.priority;
    case PreemptionPolicy::lower_or_newer_equal_priority:
      return preemptor.priority > candidate.priority ||
             (preemptor.priority == candidate.priority && preemptor.order_time < candidate.order_time &&
              (newer_by == Duration{} || candidate.order_time - preemptor.order_time > newer_by));
  }
  return false;
}

void Preemptor::remove_usage(const Work& work) {
  NodeId node = cluster_.queues[work.holds_in].node;
  for (const Holding& holding : work.holdings) {
    if (holding.cell != kNone) cluster_.tree.remove(node, holding.cell, holding.amount);
  }
  if (!work.leaf_uses.empty()) cluster_.topologies.remove(cluster_.tree, work.leaf_uses);
}

void Preemptor::add_usage(const Work& work) {
  NodeId node = cluster_.queues[work.holds_in].node;
  for (const Holding& holding : work.holdings) {
    if (holding.cell != kNone) cluster_.tree.add(node, holding.cell, holding.amount);
  }
  if (!work.leaf_uses.empty()) cluster_.topologies.add(cluster_.tree, work.leaf_uses);
}

bool Preemptor::uses_needed(const Search& s, const Work& work) const {
  return std::any_of(work.holdings.begin(), work.holdings.end(), [&](const Holding& holding) {
    return std::find(s.needed.begin(), s.needed.end(), holding.cell) != s.needed.end();
  });
}

void Preemptor::collect_from_queue(const Search& s, QueueId queue, NodeId common, bool advantage,
                                   std::vector<Entrant>& out) {
  const Preemption& policy = s.queue->object->preemption;
  bool own = queue == s.queue_id;
  for (WorkId id : reserving_[queue]) {
    const Work& work = works_[id];
    if (is_left_out(work)) continue;
    if (!uses_needed(s, work)) continue;
    if (!allows(own ? policy.within_cluster_queue : policy.reclaim_within_cohort, *s.preemptor, work,
                cluster_.newer_by))
      continue;
    Variant variant = Variant::while_borrowing;
    if (own) {
      variant = Variant::within_queue;
    } else if (advantage) {
      variant = Variant::hierarchical;
    } else if (policy.borrow_within_cohort == PreemptionPolicy::never ||
               work.priority >= s.preemptor->priority ||
               (policy.borrow_max_priority_threshold &&
                work.priority > *policy.borrow_max_priority_threshold)) {
      variant = Variant::without_borrowing;
    }
    out.push_back({id, common, variant});
  }
}

void Preemptor::collect_below(const Search& s, NodeId cohort, NodeId common, NodeId skip, bool advantage,
                              std::vector<Entrant>& out) {
  const QuotaTree& tree = cluster_.tree;
  for (NodeId child : tree.child_cohorts(cohort)) {
    if (child == skip || tree.within_nominal(child, s.needed)) continue;
    collect_below(s, child, common, skip, advantage, out);
  }
  for (NodeId child : tree.child_queues(cohort)) {
    QueueId queue = queue_of_node_[child];
    if (queue == s.queue_id || !cluster_.queues[queue].active || tree.within_nominal(child, s.needed))
      continue;
    collect_from_queue(s, queue, common, advantage, out);
  }
}

/// Goes up from the preemptor's queue. From the first subtree on whose quota the demand fits into, it has an
/// advantage over everybody further away, whatever their priority.
void Preemptor::collect_from_cohorts(const Search& s) {
  const QuotaTree& tree = cluster_.tree;
  if (!tree.has_parent(s.queue->node) ||
      s.queue->object->preemption.reclaim_within_cohort == PreemptionPolicy::never) {
    return;
  }
  remaining_.assign(s.demand.begin(), s.demand.end());
  auto fits_quota = [&](NodeId node) {
    bool fits = true;
    for (Demand& demand : remaining_) {
      if (tree.subtree(node, demand.cell) < tree.usage(node, demand.cell) + demand.amount) fits = false;
      demand.amount = std::max(Amount(0), demand.amount - tree.local_available(node, demand.cell));
    }
    return fits;
  };
  bool advantage = fits_quota(s.queue->node);
  NodeId previous = QuotaTree::none;
  for (NodeId node = tree.parent(s.queue->node); node != QuotaTree::none; node = tree.parent(node)) {
    collect_below(s, node, node, previous, advantage, advantage ? hierarchical_ : by_priority_);
    advantage = fits_quota(node) || advantage;
    previous = node;
  }
}

void Preemptor::order(const Search& s, std::vector<Entrant>& candidates) const {
  // With usage this is no order: two of one queue and one of another can form a circle. Then the result
  // depends on the order before, which Kueue leaves open; this sort at least comes to an end.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Entrant& a, const Entrant& b) { return comes_first(s, a.work, b.work); });
}

/// Whether `a` is to be preempted rather than `b`.
bool Preemptor::comes_first(const Search& s, WorkId a, WorkId b) const {
  const Work& x = works_[a];
  const Work& y = works_[b];
  if (x.evicted != y.evicted) return x.evicted;
  bool own_x = x.holds_in == s.queue_id;
  bool own_y = y.holds_in == s.queue_id;
  if (own_x != own_y) return own_y;
  if (x.local != y.local && x.holds_in == y.holds_in && cluster_.queues[x.holds_in].by_usage &&
      x.object->queue != y.object->queue) {
    double usage_x = cluster_.usage_of(x.local);
    double usage_y = cluster_.usage_of(y.local);
    if (usage_x != usage_y) return usage_x > usage_y;
  }
  if (x.priority != y.priority) return x.priority < y.priority;
  if (x.reserved_at != y.reserved_at) return x.reserved_at > y.reserved_at;
  if (x.object->uid != y.object->uid) return x.object->uid < y.object->uid;
  return a < b;
}

/// The queue of a candidate of another queue, or the first cohort between it and the preemptor's side, that uses no
/// more than its own any more.
NodeId Preemptor::within_nominal(const Search& s, const Entrant& candidate) const {
  const QuotaTree& tree = cluster_.tree;
  NodeId node = cluster_.queues[works_[candidate.work].holds_in].node;
  if (tree.within_nominal(node, s.needed)) return node;
  for (node = tree.parent(node); node != candidate.common; node = tree.parent(node)) {
    if (tree.within_nominal(node, s.needed)) return node;
  }
  return QuotaTree::none;
}

bool Preemptor::is_valid(const Search& s, const Entrant& candidate, bool borrow) const {
  if (candidate.variant == Variant::within_queue) return true;
  if (borrow && candidate.variant == Variant::without_borrowing) return false;
  return within_nominal(s, candidate) == QuotaTree::none;
}

bool Preemptor::fits_quota(const Search& s, bool borrow) const {
  const QuotaTree& tree = cluster_.tree;
  return std::all_of(s.demand.begin(), s.demand.end(), [&](const Demand& demand) {
    if (!borrow && tree.borrows_with(s.queue->node, demand.cell, demand.amount)) return false;
    return demand.amount <= tree.available(s.queue->node, demand.cell);
  });
}

bool Preemptor::fits(const Search& s, bool borrow) const {
  return fits_quota(s, borrow) && (s.placement == nullptr || s.placement->passes());
}

/// Gives back, from the last but one, those that are not needed.
void Preemptor::give_back(const Search& s, bool borrow, std::vector<Target>& targets) {
  for (std::size_t i = targets.size() - 1; i-- > 0;) {
    const Work& work = works_[targets[i].work];
    add_usage(work);
    if (fits(s, borrow)) {
      if (log_ != nullptr) log_->set(targets[i].work, Fate::given_back);
      targets[i] = targets.back();
      targets.pop_back();
    } else {
      remove_usage(work);
    }
  }
}

/// Takes candidates until the demand fits, then gives back those that are not needed.
bool Preemptor::attempt(const Search& s, bool borrow, std::vector<Target>& targets) {
  targets.clear();
  for (const Entrant& candidate : all_) {
    if (!is_valid(s, candidate, borrow)) {
      if (log_ != nullptr) log_invalid(s, candidate, borrow);
      continue;
    }
    remove_usage(works_[candidate.work]);
    targets.push_back({candidate.work,
                       reason_of(candidate.variant == Variant::within_queue,
                                 candidate.variant == Variant::while_borrowing),
                       std::nullopt});
    if (!fits(s, borrow)) continue;
    give_back(s, borrow, targets);
    if (log_ != nullptr) log_targets(targets);
    return true;
  }
  if (log_ != nullptr) log_failure(s, borrow);
  targets.clear();
  return false;
}

void Preemptor::search(WorkId preemptor, const Queue& queue, QueueId queue_id,
                       std::span<const FlavorResource> needed, std::span<const Demand> demand,
                       std::vector<Target>& targets, const PlacementTest* placement) {
  targets.clear();
  const Preemption& policy = queue.object->preemption;
  QuotaTree& tree = cluster_.tree;
  if (queue_of_node_.empty()) {
    queue_of_node_.assign(tree.size(), kNone);
    for (QueueId id = 0; id < cluster_.queues.size(); ++id) queue_of_node_[cluster_.queues[id].node] = id;
  }
  Search s{&works_[preemptor], preemptor, &queue, queue_id, needed, demand, placement};
  if (options_.kueue.fair_sharing) return search_fairly(s, targets);
  hierarchical_.clear();
  by_priority_.clear();
  own_.clear();
  if (policy.within_cluster_queue != PreemptionPolicy::never) {
    collect_from_queue(s, queue_id, QuotaTree::none, false, own_);
  }
  collect_from_cohorts(s);
  if (log_ == nullptr && hierarchical_.empty() && by_priority_.empty() && own_.empty()) return;
  all_.clear();
  for (auto* list : {&hierarchical_, &by_priority_, &own_}) order(s, *list);
  for (bool evicted : {true, false}) {
    for (auto* list : {&hierarchical_, &by_priority_, &own_}) {
      for (const Entrant& candidate : *list) {
        if (works_[candidate.work].evicted == evicted) all_.push_back(candidate);
      }
    }
  }
  if (log_ != nullptr) start_log(s);

  bool no_borrow_policy = policy.borrow_within_cohort == PreemptionPolicy::never;
  bool at_nominal = std::any_of(needed.begin(), needed.end(), [&](FlavorResource cell) {
    return tree.usage(queue.node, cell) >= tree.nominal(queue.node, cell);
  });
  std::vector<bool> attempts;
  if ((hierarchical_.empty() && by_priority_.empty()) || (no_borrow_policy && at_nominal)) {
    attempts = {true};
  } else if (no_borrow_policy && hierarchical_.empty()) {
    attempts = {false, true};
  } else {
    attempts = {true, false};
  }
  std::optional<SearchLog> of_all;  // an attempt without borrowing may take every candidate: it explains a failure
  for (bool borrow : attempts) {
    if (log_ != nullptr) restart_log();
    std::size_t mark = tree.mark();
    bool found = attempt(s, borrow, targets);
    tree.rollback(mark);
    if (found) return;
    if (log_ != nullptr && !borrow) of_all = *log_;
  }
  if (of_all) *log_ = std::move(*of_all);
}

}  // namespace sluice::decide
