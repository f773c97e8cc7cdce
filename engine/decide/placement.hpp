#pragma once

#include <utility>
#include <vector>

#include "decide/topology_search.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

struct Assignment;

/// What a workload wants to place, by flavor in the order of their names.
struct PlacementRequests {
  std::vector<std::pair<TreeId, std::vector<PlacementAsk>>> by_tree;
};

/// Where one pod set goes.
struct PodSetPlacement {
  std::uint16_t pod_set = 0;
  TreeId tree = kNoTree;
  std::vector<LeafCount> leaves;
  bool keeps = false;                          ///< what it has, as it is
  std::optional<TopologyAssignment> repaired;  ///< after a node was replaced
};

struct PlacementResult {
  std::vector<PodSetPlacement> placed;
  std::int32_t failed = -1;  ///< the pod set that found no place
  FlavorId flavor = 0;       ///< in which it looked
  PlacementFailure failure;

  bool ok() const { return failed < 0; }
};

/// Finds places for workloads whose flavors are known. Usage is that of the quota tree's numbers.
class Placer {
 public:
  Placer(Cluster& cluster, Shapes& shapes, const Works& works, const Gates& gates)
      : cluster_(cluster), shapes_(shapes), works_(works), gates_(gates),
        search_(cluster.topologies, cluster.tree) {}

  /// Whether a pod set is to be placed; `implied`: although it does not ask for it.
  static bool asks(const PodSet& pod_set, const Queue& queue) { return asks_itself(pod_set) || queue.topology_only; }
  /// Source   Kueue IsExplicitlyRequestingTAS.
  static bool asks_itself(const PodSet& pod_set);

  /// What is still to be placed of an assignment. Marks pod sets whose placement has to wait, and those that
  /// cannot be placed at all. Source   Kueue flavorassigner WorkloadsTopologyRequests.
  PlacementRequests requests(WorkId id, Assignment& assignment);

  /// Source   Kueue FindTopologyAssignmentsForWorkload.
  PlacementResult find(WorkId id, const PlacementRequests& requests, bool simulate_empty);

  /// What one pod of a pod set takes of its node.
  DemandId demand(const Work& work, std::size_t pod_set);

  /// What a placement takes.
  void uses(const Work& work, const PodSetPlacement& placement, std::vector<LeafUse>& out);
  /// The same of everything that a workload holds.
  void resolve(Work& work);
  TopologyAssignment assignment_of(const PodSetPlacement& placement) const;

 private:
  bool place_group(const Work& work, TreeId tree, const std::vector<const PlacementAsk*>& group,
                   const SearchSetting& setting, PlacementResult& result);
  bool replace(const Work& work, TreeId tree, const PlacementAsk& ask, PlacementResult& result);
  DomainId needed_domain(const TopologyTree& tree, const PlacementAsk& ask, const TopologyAssignment& rest) const;
  DomainId broken_slice(const TopologyTree& tree, const PlacementAsk& ask, const TopologyAssignment& rest,
                        const SliceLayer& layer) const;
  const NodeMatch& match(TreeId tree, const PlacementAsk& ask);
  void add_uses(TreeId tree, const std::vector<LeafCount>& leaves, DemandId demand, std::vector<LeafUse>& out) const;

  Cluster& cluster_;
  Shapes& shapes_;
  const Works& works_;
  const Gates& gates_;
  TopologySearch search_;
  std::vector<LeafUse> assumed_;
  std::vector<std::vector<DemandId>> demands_;  // by shape and pod set
};

/// A search for room asks whether a workload can be placed as well.
struct PlacementTest {
  Placer* placer = nullptr;
  WorkId work = 0;
  const PlacementRequests* requests = nullptr;

  bool passes() const {
    return requests == nullptr || requests->by_tree.empty() || placer->find(work, *requests, false).ok();
  }
};

}  // namespace sluice::decide
