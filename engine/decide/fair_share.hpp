#pragma once

#include <compare>
#include <span>
#include <vector>

#include "decide/cluster.hpp"

namespace sluice::decide {

/// How much more than its own a queue or cohort uses, in relation to what its parent can lend: the dominant
/// resource share. Source   Kueue pkg/cache/scheduler/fair_sharing.go.
struct Share {
  double weight = 1;
  double ratio = 0;               ///< thousandths of the lendable amount of `dominant`, before the weight
  ResourceId dominant = kNone;    ///< the resource of which it borrows most; kNone: it borrows nothing lendable
  bool borrowing = false;         ///< uses more than its quota of some flavor-resource
  bool borrows_asked = false;     ///< also of one that was asked for
  static Share below_all();       ///< less than every share

  /// The ratio over the weight; infinite for a borrower without weight.
  double value() const;
  bool is_infinite() const { return weight == 0 && ratio != 0; }
};

/// By share; borrowers without weight are above all others and ordered by their ratio.
std::weak_ordering compare(const Share& a, const Share& b);

/// Shares of the nodes of the quota trees, as the usage is at the moment of asking. Cost: the number of the
/// tree's flavor-resources.
class FairShares {
 public:
  explicit FairShares(const Cluster& cluster) : cluster_(cluster) {}
  /// A root never borrows. `asked`: for Share::borrows_asked.
  Share of(NodeId node, std::span<const Demand> asked = {});

 private:
  struct Borrowed {
    ResourceId resource;
    Amount amount;
    Amount lendable;
  };
  const Cluster& cluster_;
  std::vector<Borrowed> borrowed_;  // scratch
};

}  // namespace sluice::decide
