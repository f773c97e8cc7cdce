#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decide/eligibility.hpp"
#include "decide/names.hpp"
#include "decide/quota_tree.hpp"
#include "model/world.hpp"

/// Capacity of nodes, for flavors with a topology.
namespace sluice::decide {

class ResourceNames;

using TreeId = std::uint32_t;    ///< a flavor with a topology
using DomainId = std::uint32_t;  ///< within its tree: level by level, each by its values
using LeafId = std::uint32_t;    ///< a domain of the lowest level, counted from 0
using DemandId = std::uint32_t;  ///< what one pod asks for
inline constexpr std::uint32_t kNoTree = 0xffffffff;

/// So many pods of one pod set on a leaf.
struct LeafCount {
  LeafId leaf = 0;
  std::int32_t count = 0;

  friend bool operator==(const LeafCount&, const LeafCount&) = default;
};

/// What pods of a workload take of a leaf.
struct LeafUse {
  TreeId tree = kNoTree;
  LeafId leaf = kNoTree;           ///< kNoTree: the tree has no such leaf (any more)
  std::uint32_t host = kNoTree;    ///< of a tree of hosts
  std::int32_t count = 0;
  DemandId demand = 0;
};

/// What one pod asks for, by resource; without the place that every pod takes.
/// Source   Kueue counts the pod's spec here, not what its quota is charged for.
using Demands = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Why nodes of a tree of hosts cannot take a pod; the counts of those nodes.
struct NodeMatch {
  std::vector<LeafId> leaves;  ///< that can take it, as far as taints, selector and affinity go
  std::int32_t node_selector = 0;
  std::int32_t affinity = 0;
  std::map<std::string, std::int32_t> taints;  ///< as Kubernetes writes them
};

/// The nodes of one flavor by their topology, and what is left on them.
///
/// What is left on a leaf are numbers of the quota tree: a what-if that takes a workload away is undone there
/// together with its quota. Source   Kueue pkg/cache/scheduler tas_topology_tree.go, tas_flavor_snapshot.go.
struct TopologyTree {
  std::uint32_t flavor = 0;
  const Topology* object = nullptr;
  bool of_hosts = false;  ///< the lowest level is the host: a leaf is a node, taints and selectors count
  struct Domain {
    DomainId parent = kNoTree;
    DomainId first_child = 0;
    DomainId end_of_children = 0;
  };
  std::vector<Domain> domains;
  std::vector<DomainId> level_begin;                  ///< one more than there are levels
  std::vector<std::vector<std::string>> leaf_values;  ///< by leaf: a value for each level
  std::vector<const Node*> leaf_node;                 ///< by leaf, of a tree of hosts
  std::vector<std::uint32_t> leaf_host;               ///< by leaf, of a tree of hosts
  std::unordered_map<std::string, LeafId> leaf_by_id;
  std::unordered_map<std::string, LeafId> leaf_by_node;
  std::vector<std::uint32_t> columns;           ///< resources that some node has, and `pods`
  std::vector<std::int32_t> column_of;          ///< by resource; -1: no node has it
  std::uint32_t pods_column = 0;
  std::vector<std::int64_t> free;               ///< leaf * columns: without what workloads with a placement use
  std::uint32_t first_number = 0;               ///< the same, with them: numbers of the quota tree
  std::map<std::uint32_t, NodeMatch> matches;   ///< by class of pods

  std::size_t levels() const { return object->levels.size(); }
  std::size_t leaves() const { return leaf_values.size(); }
  DomainId first_leaf() const { return level_begin[levels() - 1]; }
  std::int32_t column(std::uint32_t resource) const {
    return resource < column_of.size() ? column_of[resource] : -1;
  }
  /// The level with this node label; -1: none.
  std::int32_t level_of(const std::string& label) const;
  /// The values of a domain, joined: of a host its name alone.
  std::string id_of(LeafId leaf) const;
  /// The domain of `level` above a leaf.
  DomainId ancestor(LeafId leaf, std::size_t level) const;
};

/// All trees. `world` must outlive it.
class Topologies {
 public:
  /// `flavor_of`: the number of a flavor by its name. `merged`: gate TASHandleOverlappingFlavors.
  void build(const World& world, ResourceNames& resources,
             const std::function<std::uint32_t(const std::string&)>& flavor_of, QuotaTree& numbers, bool merged);
  /// The same objects are elsewhere now.
  void bind(const World& world);

  /// Whether a node has the labels of a flavor and of the levels of its topology.
  bool is_of_a_flavor(const Node& node) const;

  bool empty() const { return trees_.empty(); }
  std::size_t size() const { return trees_.size(); }
  TopologyTree& operator[](TreeId id) { return trees_[id]; }
  const TopologyTree& operator[](TreeId id) const { return trees_[id]; }
  /// kNoTree: the flavor has no topology, or one that does not exist.
  TreeId of_flavor(std::uint32_t flavor) const {
    return flavor < tree_of_flavor_.size() ? tree_of_flavor_[flavor] : kNoTree;
  }

  /// The leaf of a host in another tree of hosts; kNoTree: it has none.
  LeafId leaf_on(const TopologyTree& tree, std::uint32_t host) const;
  const std::string& resource_name(std::uint32_t resource) const { return resource_names_[resource]; }

  /// `demands` sorted by the names of the resources.
  DemandId intern(Demands demands, const ResourceNames& resources);
  /// Where `pods` has its turn among the resources of a demand: they are compared by name.
  std::size_t place_in(DemandId id) const { return places_[id]; }
  const Demands& demands(DemandId id) const { return demands_[id]; }

  /// What an assignment uses of a tree: appended to `out`.
  void resolve(TreeId tree, const TopologyAssignment& assignment, DemandId demand,
               std::vector<LeafUse>& out) const;

  /// Takes or gives back what `uses` say. In a what-if only the own flavor sees it; else every flavor whose
  /// leaves are hosts sees what is used of its hosts, whoever uses it.
  void add(QuotaTree& numbers, std::span<const LeafUse> uses) { change(numbers, uses, -1); }
  void remove(QuotaTree& numbers, std::span<const LeafUse> uses) { change(numbers, uses, 1); }

  /// As if no workload used anything, within a what-if.
  void clear(QuotaTree& numbers) const;

  /// Whether every single use fits into what is left; without the place that each pod takes.
  /// Source   Kueue TASFlavorSnapshot.Fits.
  bool fits(const QuotaTree& numbers, std::span<const LeafUse> uses) const;

  /// Which leaves pods of a class can use.
  const NodeMatch& match(TreeId tree, std::uint32_t pod_class, const PodConstraints& pod,
                         const ResourceFlavor& flavor);

 private:
  void build_trees(const World& world, ResourceNames& resources, QuotaTree& numbers);
  void build_tree(TopologyTree& tree, const ResourceFlavor& flavor, const std::vector<Node>& nodes,
                  const std::vector<Pod>& pods, ResourceNames& resources, QuotaTree& numbers);
  void change(QuotaTree& numbers, std::span<const LeafUse> uses, std::int64_t sign);
  void change_leaf(QuotaTree& numbers, const TopologyTree& tree, LeafId leaf, const LeafUse& use,
                   std::int64_t sign);

  std::vector<TopologyTree> trees_;
  std::vector<const ResourceFlavor*> flavors_;  // by tree
  std::vector<TreeId> tree_of_flavor_;
  std::vector<Demands> demands_;
  std::vector<std::size_t> places_;
  std::map<Demands, DemandId> demand_ids_;
  Names hosts_;
  std::vector<std::vector<std::pair<TreeId, LeafId>>> leaves_of_host_;
  std::vector<std::string> resource_names_;
  bool merged_ = true;
};

/// How often one pod with `demands` fits into `row`, a row of the tree's numbers; at most 2^31-1.
std::int32_t times_in(const TopologyTree& tree, const std::int64_t* row, const Demands& demands);

}  // namespace sluice::decide
