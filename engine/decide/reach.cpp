#include "decide/reach.hpp"

#include <algorithm>

#include "decide/assign.hpp"

namespace sluice::decide {
namespace {

constexpr std::size_t kMostJobs = 3;

/// Follows one flavor-resource up and down a tree.
class Reacher {
 public:
  Reacher(const Cluster& cluster, const Works& works, const std::vector<std::vector<WorkId>>& reserving,
          FlavorResource cell)
      : cluster_(cluster), tree_(cluster.tree), works_(works), reserving_(reserving), cell_(cell) {}

  Reach of(NodeId queue) {
    Reach reach;
    reach.own = tree_.nominal(queue, cell_);
    reach.total = tree_.capacity(queue, cell_);
    if (Amount used = tree_.usage(queue, cell_); used > Amount(0)) {
      Amount over = std::max(Amount(0), used - reach.own);
      reach.holders.push_back(holder(Reach::Kind::queue, queue, used, over));
    }
    const std::size_t others = reach.holders.size();
    NodeId below = queue;
    for (NodeId node = tree_.parent(queue); node != QuotaTree::none; node = tree_.parent(node)) {
      add_limit(below, node, reach);
      for (NodeId child : tree_.child_queues(node)) {
        if (child != below) add(Reach::Kind::queue, child, reach);
      }
      for (NodeId child : tree_.child_cohorts(node)) {
        if (child != below) add(Reach::Kind::cohort, child, reach);
      }
      if (Amount own = tree_.nominal(node, cell_); own > Amount(0))
        reach.sources.push_back({Reach::Kind::shared, cluster_.node_names[node], own});
      below = node;
    }
    std::stable_sort(reach.holders.begin() + static_cast<std::ptrdiff_t>(others), reach.holders.end(),
                     [](const Reach::Holder& a, const Reach::Holder& b) { return a.amount > b.amount; });
    return reach;
  }

 private:
  void add_limit(NodeId node, NodeId parent, Reach& reach) const {
    Amount limit = tree_.borrowing_limit(node, cell_);
    Amount local = tree_.guaranteed(node, cell_);
    bool cuts = tree_.subtree(node, cell_) + limit < local + tree_.capacity(parent, cell_);
    if (cuts && !reach.limit) reach.limit = {cluster_.node_names[node], limit};
  }

  /// What a node beside the way up lends, and what of it, or beyond it, is used below that node.
  void add(Reach::Kind kind, NodeId node, Reach& reach) {
    Amount kept = tree_.guaranteed(node, cell_);
    Amount lends = tree_.subtree(node, cell_) - kept;
    if (lends > Amount(0)) reach.sources.push_back({kind, cluster_.node_names[node], lends});
    Amount used = std::max(Amount(0), tree_.usage(node, cell_) - kept);
    if (used == Amount(0)) return;
    reach.holders.push_back(holder(kind, node, used, std::max(Amount(0), used - lends)));
  }

  Reach::Holder holder(Reach::Kind kind, NodeId node, Amount amount, Amount borrowed) const {
    Reach::Holder out{kind, cluster_.node_names[node], amount, borrowed, {}, 0};
    for (const Queue& queue : cluster_.queues) {
      if (!is_below(queue.node, node)) continue;
      for (WorkId id : reserving_[static_cast<std::size_t>(&queue - cluster_.queues.data())]) {
        Amount sum(0);
        for (const Holding& holding : works_[id].holdings) {
          if (holding.cell == cell_) sum = sum + holding.amount;
        }
        const Workload& object = *works_[id].object;
        if (sum > Amount(0)) out.jobs.emplace_back(WorkloadName{object.name_space, object.name}, sum);
      }
    }
    std::stable_sort(out.jobs.begin(), out.jobs.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    if (out.jobs.size() > kMostJobs) {
      out.more_jobs = out.jobs.size() - kMostJobs;
      out.jobs.resize(kMostJobs);
    }
    return out;
  }

  bool is_below(NodeId node, NodeId top) const {
    while (node != QuotaTree::none && node != top) node = tree_.parent(node);
    return node == top;
  }

  const Cluster& cluster_;
  const QuotaTree& tree_;
  const Works& works_;
  const std::vector<std::vector<WorkId>>& reserving_;
  FlavorResource cell_;
};

}  // namespace

Reach Assigner::reach_of(const Queue& queue, FlavorResource cell, ResourceId resource) const {
  Reach reach = Reacher(cluster_, works_, preemptor_.reserving(), cell).of(queue.node);
  reach.resource = cluster_.resources.text(resource);
  return reach;
}

}  // namespace sluice::decide
