#include "decide/tournament.hpp"

#include <algorithm>

#include "decide/pending.hpp"

namespace sluice::decide {

void Tournament::start(std::vector<Head> heads) {
  waiting_ = std::move(heads);
  next_tree_ = 0;
  heads_.clear();
  computed_ = false;
  best_.resize(cluster_.tree.size(), kNone);
  // Each tree has the turn of its first head; until a tournament starts, `best_` is free.
  const QuotaTree& tree = cluster_.tree;
  for (std::uint32_t i = 0; i < waiting_.size(); ++i) {
    std::uint32_t& first = best_[tree.root(waiting_[i].queue)];
    first = std::min(first, i);
  }
  std::stable_sort(waiting_.begin(), waiting_.end(), [&](const Head& a, const Head& b) {
    return best_[tree.root(a.queue)] < best_[tree.root(b.queue)];
  });
  for (const Head& head : waiting_) best_[tree.root(head.queue)] = kNone;
}

/// Takes the heads of the next tree out of those that wait.
void Tournament::enter_tree() {
  heads_.clear();
  computed_ = false;
  if (next_tree_ == waiting_.size()) return;
  const QuotaTree& tree = cluster_.tree;
  auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(next_tree_);
  NodeId root = tree.root(begin->queue);
  auto end = std::find_if(begin, waiting_.end(), [&](const Head& head) { return tree.root(head.queue) != root; });
  heads_.assign(begin, end);
  next_tree_ = static_cast<std::size_t>(end - waiting_.begin());
  if (standings_.size() < heads_.size()) standings_.resize(heads_.size());
}

std::uint32_t Tournament::depth(NodeId node) const {
  std::uint32_t depth = 0;
  for (node = cluster_.tree.parent(node); node != QuotaTree::none; node = cluster_.tree.parent(node)) ++depth;
  return depth;
}

/// Whether what the last winner took may have changed a share that the head stands with: they share a cohort below
/// the root.
bool Tournament::has_changed(const Head& head) const {
  const QuotaTree& tree = cluster_.tree;
  for (NodeId node = tree.parent(head.queue); tree.has_parent(node); node = tree.parent(node)) {
    for (NodeId other = tree.parent(last_); tree.has_parent(other); other = tree.parent(other)) {
      if (other == node) return true;
    }
  }
  return false;
}

/// The shares of the queue and all cohorts above it, each with the head's usage.
void Tournament::compute_shares() {
  QuotaTree& tree = cluster_.tree;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const Head& head = heads_[i];
    if (computed_ && !has_changed(head)) continue;
    std::vector<Share>& shares = standings_[i];
    shares.clear();
    std::size_t mark = tree.mark();
    for (const Demand& demand : head.usage) tree.add(head.queue, demand.cell, demand.amount);
    for (NodeId node = head.queue; tree.has_parent(node); node = tree.parent(node)) {
      shares.push_back(shares_.of(node, head.usage));
    }
    tree.rollback(mark);
  }
  computed_at_ = tree.changes();
  computed_ = true;
}

const Share& Tournament::share_in(const Head& head, NodeId cohort) const {
  std::size_t level = 0;
  for (NodeId node = cluster_.tree.parent(head.queue); node != cohort; node = cluster_.tree.parent(node)) ++level;
  return standings_[static_cast<std::size_t>(&head - heads_.data())][level];
}

bool Tournament::is_better(const Head& a, const Head& b, NodeId cohort) const {
  if (gates_.prioritize_preemptors && a.is_preemptor != b.is_preemptor) return a.is_preemptor;
  const Share& x = share_in(a, cohort);
  const Share& y = share_in(b, cohort);
  if (gates_.fair_prioritize_non_borrowing && x.borrows_asked != y.borrows_asked) return y.borrows_asked;
  if (auto order = compare(x, y); order != 0) return order < 0;
  if (gates_.priority_sorting_within_cohort && a.work->priority != b.work->priority) {
    return a.work->priority > b.work->priority;
  }
  if (a.work->order_time != b.work->order_time) return a.work->order_time < b.work->order_time;
  return earlier_by_uid(*a.work, *b.work);
}

void Tournament::offer(NodeId cohort, std::uint32_t contender) {
  std::uint32_t& best = best_[cohort];
  if (best == kNone) {
    best = contender;
    std::uint32_t level = depth(cohort);
    if (met_.size() <= level) met_.resize(level + 1);
    met_[level].push_back(cohort);
  } else if (is_better(heads_[contender], heads_[best], cohort)) {
    best = contender;
  }
}

std::uint32_t Tournament::pop() {
  if (heads_.empty()) enter_tree();
  if (heads_.empty()) return kNone;
  const QuotaTree& tree = cluster_.tree;
  std::uint32_t winner = 0;
  won_.clear();
  if (tree.has_parent(heads_.front().queue)) {
    // Heads that take nothing leave the shares as they are.
    if (!computed_ || computed_at_ != tree.changes()) compute_shares();
    for (std::uint32_t i = 0; i < heads_.size(); ++i) offer(tree.parent(heads_[i].queue), i);
    for (std::size_t level = met_.size(); level-- > 1;) {
      for (NodeId cohort : met_[level]) offer(tree.parent(cohort), best_[cohort]);
    }
    winner = best_[met_[0].front()];
    for (std::vector<NodeId>& cohorts : met_) {
      for (NodeId cohort : cohorts) best_[cohort] = kNone;
      cohorts.clear();
    }
    won_ = standings_[winner];
    last_ = heads_[winner].queue;
  }
  std::uint32_t entry = heads_[winner].entry;
  heads_.erase(heads_.begin() + winner);
  std::rotate(standings_.begin() + winner, standings_.begin() + winner + 1, standings_.end());
  return entry;
}

}  // namespace sluice::decide
