#include "decide/fair_share.hpp"

#include <limits>

namespace sluice::decide {

Share Share::below_all() {
  Share share;
  share.ratio = -1;
  return share;
}

double Share::value() const {
  if (ratio == 0) return 0;
  return weight == 0 ? std::numeric_limits<double>::infinity() : ratio / weight;
}

std::weak_ordering compare(const Share& a, const Share& b) {
  if (a.is_infinite() != b.is_infinite()) {
    return a.is_infinite() ? std::weak_ordering::greater : std::weak_ordering::less;
  }
  double x = a.is_infinite() ? a.ratio : a.value();
  double y = b.is_infinite() ? b.ratio : b.value();
  if (x < y) return std::weak_ordering::less;
  return x > y ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

Share FairShares::of(NodeId node, std::span<const Demand> asked) {
  const QuotaTree& tree = cluster_.tree;
  Share share;
  share.weight = cluster_.weights[node];
  if (!tree.has_parent(node)) return share;
  const std::vector<ResourceId>& resources = cluster_.cell_resources[tree.root(node)];
  borrowed_.clear();
  for (FlavorResource cell = 0; cell < resources.size(); ++cell) {
    if (!tree.knows(node, cell)) continue;
    Amount over = tree.usage(node, cell) - tree.subtree(node, cell);
    if (over <= Amount(0)) continue;
    auto same = std::find_if(borrowed_.begin(), borrowed_.end(),
                             [&](const Borrowed& b) { return b.resource == resources[cell]; });
    if (same == borrowed_.end()) {
      borrowed_.push_back({resources[cell], over, Amount(0)});
    } else {
      same->amount = same->amount + over;
    }
    share.borrows_asked = share.borrows_asked || std::any_of(asked.begin(), asked.end(), [&](const Demand& d) {
                            return d.cell == cell && d.amount > Amount(0);
                          });
  }
  if (borrowed_.empty()) return share;
  share.borrowing = true;
  NodeId parent = tree.parent(node);
  for (FlavorResource cell = 0; cell < resources.size(); ++cell) {
    for (Borrowed& b : borrowed_) {
      if (b.resource == resources[cell]) b.lendable = b.lendable + tree.capacity(parent, cell);
    }
  }
  const ResourceNames& names = cluster_.resources;
  for (const Borrowed& b : borrowed_) {
    if (b.lendable <= Amount(0)) continue;
    double ratio = static_cast<double>(b.amount.value()) * 1000.0 / static_cast<double>(b.lendable.value());
    bool first_by_name = ratio == share.ratio && share.dominant != kNone &&
                         names.text(b.resource) < names.text(share.dominant);
    if (ratio > share.ratio || first_by_name) {
      share.ratio = ratio;
      share.dominant = b.resource;
    }
  }
  return share;
}

}  // namespace sluice::decide
