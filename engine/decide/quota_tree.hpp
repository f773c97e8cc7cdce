#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/amount.hpp"

namespace sluice::decide {

/// A queue or a cohort in the forest of quota trees.
using NodeId = std::uint32_t;
/// A (flavor, resource) pair, numbered within its tree.
using FlavorResource = std::uint32_t;

/// So much of one flavor-resource.
struct Demand {
  FlavorResource cell = 0;
  Amount amount;
};

/// The quota and usage of every queue and cohort, and what can still be had where.
///
/// Each tree numbers its own flavor-resources; the cells of a node lie side by side, so that a walk to the
/// root touches one cell a level. An unset limit is Amount::unlimited, which behaves the same in every
/// formula. Every change of usage between `mark` and `rollback` is undone exactly: what-ifs need no copy.
/// Source   Kueue pkg/cache/scheduler resource_node.go.
class QuotaTree {
 public:
  static constexpr NodeId none = 0xffffffff;

  struct Limits {
    Amount nominal;
    Amount borrowing_limit = Amount::unlimited();
    Amount lending_limit = Amount::unlimited();
  };

  /// Nodes of one tree must be added one after the other, parents first; `width` is the tree's number of
  /// flavor-resources.
  NodeId add_node(NodeId parent, std::uint32_t width);
  void set_limits(NodeId node, FlavorResource cell, const Limits& limits) {
    at(node, cell).limits = limits;
    known_[nodes_[node].cells + cell] = true;
  }
  /// Sums the quotas up the trees; usage starts at zero. Call once all limits are set.
  void build();
  /// Whether a queue takes part: one that does not is no victim and does not count for heights, though its
  /// quota and usage do. Cohorts always take part.
  void set_present(NodeId queue, bool present);

  NodeId parent(NodeId node) const { return nodes_[node].parent; }
  bool has_parent(NodeId node) const { return nodes_[node].parent != none; }
  NodeId root(NodeId node) const { return nodes_[node].root; }
  std::span<const NodeId> child_cohorts(NodeId cohort) const { return nodes_[cohort].cohorts; }
  std::span<const NodeId> child_queues(NodeId cohort) const { return nodes_[cohort].queues; }
  /// Tells a child cohort from a queue; nodes with a parent only.
  void adopt(NodeId node, bool is_cohort);

  Amount nominal(NodeId node, FlavorResource cell) const { return at(node, cell).limits.nominal; }
  Amount borrowing_limit(NodeId node, FlavorResource cell) const {
    return at(node, cell).limits.borrowing_limit;
  }
  Amount usage(NodeId node, FlavorResource cell) const { return at(node, cell).usage; }
  Amount subtree(NodeId node, FlavorResource cell) const { return at(node, cell).subtree; }
  /// Whether the node or one below it has a quota of it, be it 0.
  bool knows(NodeId node, FlavorResource cell) const { return known_[nodes_[node].cells + cell]; }

  /// The part of the node's quota that is not lent.
  Amount guaranteed(NodeId node, FlavorResource cell) const { return at(node, cell).local; }
  /// Guaranteed quota that is unused: seen here, not at the parent.
  Amount local_available(NodeId node, FlavorResource cell) const {
    const Cell& c = at(node, cell);
    return std::max(Amount(0), c.local - c.usage);
  }
  /// What the queue can take now; never negative.
  Amount available(NodeId queue, FlavorResource cell) const { return std::max(Amount(0), rest(queue, cell)); }
  /// What it could take if nobody used anything.
  Amount capacity(NodeId node, FlavorResource cell) const { return at(node, cell).capacity; }

  /// Whether `more` would exceed the node's own quota (a cohort's: that of its subtree).
  bool borrows_with(NodeId node, FlavorResource cell, Amount more) const {
    const Cell& c = at(node, cell);
    return c.subtree < c.usage + more;
  }
  bool within_nominal(NodeId node, std::span<const FlavorResource> cells) const {
    return std::none_of(cells.begin(), cells.end(), [&](FlavorResource cell) {
      const Cell& c = at(node, cell);
      return c.subtree < c.usage;
    });
  }

  struct Fit {
    std::int32_t level = 0;    ///< height of the lowest subtree with room, 0: the queue itself
    bool may_reclaim = false;  ///< that subtree is not the whole tree
  };
  Fit lowest_fit(NodeId queue, FlavorResource cell, Amount value) const;

  void add(NodeId node, FlavorResource cell, Amount value);
  void remove(NodeId node, FlavorResource cell, Amount value);

  /// Starts (or nests) a what-if; `rollback` with its result undoes every change since.
  std::size_t mark() {
    ++open_marks_;
    return undo_.size();
  }
  void rollback(std::size_t mark);
  /// Within a what-if: a number that stays the same exactly while the usage does.
  std::size_t changes() const { return undo_.size(); }
  /// Ends a what-if and keeps its changes, to be undone by an outer one.
  void keep() { --open_marks_; }

  bool is_what_if() const { return open_marks_ > 0; }

  /// Numbers beside the quota that a what-if changes and puts back together with it: what is left on the
  /// leaves of topologies. Returns the place of the first.
  std::uint32_t add_numbers(const std::vector<std::int64_t>& values);
  const std::int64_t* numbers() const { return numbers_.data(); }
  std::int64_t number(std::uint32_t place) const { return numbers_[place]; }
  void set_number(std::uint32_t place, std::int64_t value) {
    if (open_marks_ > 0) undo_.push_back({place | kNumber, Amount(numbers_[place])});
    numbers_[place] = value;
  }

  /// Takes all usage of a node's tree away, within a what-if.
  void clear_tree(NodeId node);

  std::int32_t height(NodeId cohort) const { return nodes_[cohort].height; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Cell {
    Limits limits;
    Amount subtree;  // quota of the node and all below, as far as it is lent upwards
    Amount local;    // the part of it that is not lent
    Amount usage;
    Amount capacity;
  };
  struct Node {
    NodeId parent = none;
    NodeId root = none;
    std::uint32_t cells = 0;  // index of the first
    std::uint32_t width = 0;
    std::int32_t height = 0;
    bool present = true;
    std::vector<NodeId> cohorts;
    std::vector<NodeId> queues;
  };

  Cell& at(NodeId node, FlavorResource cell) { return cells_[nodes_[node].cells + cell]; }
  const Cell& at(NodeId node, FlavorResource cell) const { return cells_[nodes_[node].cells + cell]; }
  Amount rest(NodeId node, FlavorResource cell) const;
  void set_usage(Cell& cell, Amount value) {
    if (open_marks_ > 0) undo_.push_back({static_cast<std::uint32_t>(&cell - cells_.data()), cell.usage});
    cell.usage = value;
  }
  void update_heights(NodeId node);

  static constexpr std::uint32_t kNumber = 0x80000000;  // of a place: a number, not a cell
  struct Undo {
    std::uint32_t cell;
    Amount usage;
  };
  std::vector<Node> nodes_;
  std::vector<Cell> cells_;
  std::vector<bool> known_;  // by cell
  std::vector<std::int64_t> numbers_;
  std::vector<Undo> undo_;
  std::uint32_t open_marks_ = 0;
};

}  // namespace sluice::decide
