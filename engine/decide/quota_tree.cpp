#include "decide/quota_tree.hpp"

namespace sluice::decide {

NodeId QuotaTree::add_node(NodeId parent, std::uint32_t width) {
  auto id = static_cast<NodeId>(nodes_.size());
  Node node;
  node.parent = parent;
  node.root = parent == none ? id : nodes_[parent].root;
  node.cells = static_cast<std::uint32_t>(cells_.size());
  node.width = width;
  nodes_.push_back(std::move(node));
  cells_.resize(cells_.size() + width);
  known_.resize(cells_.size());
  return id;
}

void QuotaTree::adopt(NodeId node, bool is_cohort) {
  Node& parent = nodes_[nodes_[node].parent];
  (is_cohort ? parent.cohorts : parent.queues).push_back(node);
}

void QuotaTree::build() {
  for (Cell& cell : cells_) cell.subtree = cell.limits.nominal;
  // Children come after their parents, so one pass backwards sums up and one forwards hands capacity down.
  for (auto id = static_cast<NodeId>(nodes_.size()); id-- > 0;) {
    const Node& node = nodes_[id];
    for (FlavorResource f = 0; f < node.width; ++f) {
      Cell& cell = at(id, f);
      cell.local = std::max(Amount(0), cell.subtree - cell.limits.lending_limit);
      if (node.parent == none) continue;
      Cell& above = at(node.parent, f);
      if (known_[node.cells + f]) known_[nodes_[node.parent].cells + f] = true;
      above.subtree = above.subtree + (cell.subtree - cell.local);
    }
  }
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    for (FlavorResource f = 0; f < node.width; ++f) {
      Cell& cell = at(id, f);
      if (node.parent == none) {
        cell.capacity = cell.subtree;
      } else {
        cell.capacity =
            std::min(cell.local + at(node.parent, f).capacity, cell.subtree + cell.limits.borrowing_limit);
      }
    }
  }
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].parent == none) update_heights(id);
  }
}

void QuotaTree::update_heights(NodeId id) {
  Node& node = nodes_[id];
  bool has_child = !node.cohorts.empty() || std::any_of(node.queues.begin(), node.queues.end(),
                                                        [&](NodeId q) { return nodes_[q].present; });
  node.height = has_child ? 1 : 0;
  for (NodeId child : node.cohorts) {
    update_heights(child);
    node.height = std::max(node.height, nodes_[child].height + 1);
  }
}

void QuotaTree::set_present(NodeId queue, bool present) {
  if (nodes_[queue].present == present) return;
  nodes_[queue].present = present;
  if (has_parent(queue)) update_heights(root(queue));
}

Amount QuotaTree::rest(NodeId id, FlavorResource f) const {
  const Node& node = nodes_[id];
  const Cell& cell = cells_[node.cells + f];
  if (node.parent == none) return cell.subtree - cell.usage;
  Amount from_above = rest(node.parent, f);
  if (!cell.limits.borrowing_limit.is_unlimited()) {
    Amount stored = cell.subtree - cell.local;
    Amount used = std::max(Amount(0), cell.usage - cell.local);
    from_above = std::min(from_above, stored - used + cell.limits.borrowing_limit);
  }
  return std::max(Amount(0), cell.local - cell.usage) + from_above;
}

QuotaTree::Fit QuotaTree::lowest_fit(NodeId queue, FlavorResource f, Amount value) const {
  if (!has_parent(queue)) return {0, false};
  if (!borrows_with(queue, f, value)) return {0, true};
  Amount remaining = value - local_available(queue, f);
  for (NodeId id = parent(queue); id != none; id = parent(id)) {
    if (!borrows_with(id, f, remaining)) return {height(id), has_parent(id)};
    remaining = remaining - local_available(id, f);
  }
  return {height(root(queue)), false};
}

void QuotaTree::add(NodeId id, FlavorResource f, Amount value) {
  while (true) {
    Cell& cell = at(id, f);
    Amount local = std::max(Amount(0), cell.local - cell.usage);
    set_usage(cell, cell.usage + value);
    if (nodes_[id].parent == none || value <= local) return;
    value = value - local;
    id = nodes_[id].parent;
  }
}

void QuotaTree::remove(NodeId id, FlavorResource f, Amount value) {
  while (true) {
    Cell& cell = at(id, f);
    Amount stored_above = cell.usage - cell.local;
    set_usage(cell, cell.usage - value);
    if (nodes_[id].parent == none || stored_above <= Amount(0)) return;
    value = std::min(value, stored_above);
    id = nodes_[id].parent;
  }
}

void QuotaTree::rollback(std::size_t mark) {
  while (undo_.size() > mark) {
    const Undo& undo = undo_.back();
    if ((undo.cell & kNumber) != 0) {
      numbers_[undo.cell & ~kNumber] = undo.usage.value();
    } else {
      cells_[undo.cell].usage = undo.usage;
    }
    undo_.pop_back();
  }
  --open_marks_;
}

std::uint32_t QuotaTree::add_numbers(const std::vector<std::int64_t>& values) {
  auto first = static_cast<std::uint32_t>(numbers_.size());
  numbers_.insert(numbers_.end(), values.begin(), values.end());
  return first;
}

void QuotaTree::clear_tree(NodeId node) {
  NodeId top = root(node);
  // The nodes of a tree lie side by side.
  for (NodeId id = top; id < nodes_.size() && nodes_[id].root == top; ++id) {
    for (FlavorResource f = 0; f < nodes_[id].width; ++f) set_usage(at(id, f), Amount(0));
  }
}

}  // namespace sluice::decide
