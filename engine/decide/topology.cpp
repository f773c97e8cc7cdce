#include "decide/topology.hpp"

#include <algorithm>
#include <limits>

#include "decide/cluster.hpp"
#include "decide/node_match.hpp"

namespace sluice::decide {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

std::int64_t add_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

std::int64_t times_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a > 0) == (b > 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

std::string join(const std::vector<std::string>& values) {
  std::string id;
  for (const std::string& value : values) {
    if (&value != &values.front()) id += ',';
    id += value;
  }
  return id;
}

/// Source: Kueue pkg/util/tas NodeMatchesFlavor. An absent label reads as an empty one.
bool has_labels(const Node& node, const ResourceFlavor& flavor, const Topology& topology) {
  for (const auto& [key, value] : flavor.node_labels) {
    auto label = node.labels.find(key);
    if ((label == node.labels.end() ? std::string() : label->second) != value) return false;
  }
  return std::all_of(topology.levels.begin(), topology.levels.end(), [&](const TopologyLevel& level) {
    return node.labels.contains(level.node_label);
  });
}

bool belongs(const Node& node, const ResourceFlavor& flavor, const Topology& topology) {
  return node.ready && !node.unschedulable && has_labels(node, flavor, topology);
}

struct Leaf {
  std::vector<std::string> values;
  std::vector<const Node*> nodes;  // by name; the first one stands for a host that several name
};

}  // namespace

std::int32_t TopologyTree::level_of(const std::string& label) const {
  for (std::size_t i = 0; i < object->levels.size(); ++i) {
    if (object->levels[i].node_label == label) return static_cast<std::int32_t>(i);
  }
  return -1;
}

std::string TopologyTree::id_of(LeafId leaf) const {
  return of_hosts ? leaf_values[leaf].back() : join(leaf_values[leaf]);
}

DomainId TopologyTree::ancestor(LeafId leaf, std::size_t level) const {
  DomainId domain = first_leaf() + leaf;
  for (std::size_t at = levels() - 1; at > level; --at) domain = domains[domain].parent;
  return domain;
}

void Topologies::build(const World& world, ResourceNames& resources,
                       const std::function<std::uint32_t(const std::string&)>& flavor_of, QuotaTree& numbers,
                       bool merged) {
  merged_ = merged;
  trees_.clear();
  flavors_.clear();
  tree_of_flavor_.clear();
  for (const ResourceFlavor& flavor : world.flavors) {
    if (!flavor.topology) continue;
    auto topology = std::find_if(world.topologies.begin(), world.topologies.end(),
                                 [&](const Topology& t) { return t.name == *flavor.topology; });
    if (topology == world.topologies.end() || topology->levels.empty()) continue;
    TopologyTree& tree = trees_.emplace_back();
    tree.flavor = flavor_of(flavor.name);
    tree.object = &*topology;
    flavors_.push_back(&flavor);
    if (tree.flavor >= tree_of_flavor_.size()) tree_of_flavor_.resize(tree.flavor + 1, kNoTree);
    tree_of_flavor_[tree.flavor] = static_cast<TreeId>(trees_.size() - 1);
  }
  if (!trees_.empty()) build_trees(world, resources, numbers);
}

void Topologies::bind(const World& world) {
  auto find = [](const auto& objects, const std::string& name) {
    return &*std::find_if(objects.begin(), objects.end(), [&](const auto& object) { return object.name == name; });
  };
  for (TreeId id = 0; id < trees_.size(); ++id) {
    TopologyTree& tree = trees_[id];
    flavors_[id] = find(world.flavors, flavors_[id]->name);
    tree.object = find(world.topologies, tree.object->name);
    for (const Node*& node : tree.leaf_node) {
      if (node == nullptr) continue;
      node = &*std::lower_bound(world.nodes.begin(), world.nodes.end(), node->name,
                                [](const Node& n, const std::string& name) { return n.name < name; });
    }
  }
}

void Topologies::build_trees(const World& world, ResourceNames& resources, QuotaTree& numbers) {
  for (auto& leaves : leaves_of_host_) leaves.clear();
  for (TreeId id = 0; id < trees_.size(); ++id) {
    TopologyTree& tree = trees_[id];
    build_tree(tree, *flavors_[id], world.nodes, world.pods, resources, numbers);
    tree.leaf_host.clear();
    if (!tree.of_hosts) continue;
    for (LeafId leaf = 0; leaf < tree.leaves(); ++leaf) {
      std::uint32_t host = hosts_.intern(tree.leaf_values[leaf].back());
      if (host >= leaves_of_host_.size()) leaves_of_host_.resize(host + 1);
      leaves_of_host_[host].emplace_back(id, leaf);
      tree.leaf_host.push_back(host);
    }
  }
}

void Topologies::build_tree(TopologyTree& tree, const ResourceFlavor& flavor, const std::vector<Node>& nodes,
                            const std::vector<Pod>& pods, ResourceNames& resources, QuotaTree& numbers) {
  const Topology& topology = *tree.object;
  const std::size_t depth = topology.levels.size();
  tree.of_hosts = topology.levels.back().node_label == kHostname;
  tree.domains.clear();
  tree.level_begin.assign(1, 0);
  tree.leaf_values.clear();
  tree.leaf_node.clear();
  tree.leaf_by_id.clear();
  tree.leaf_by_node.clear();
  tree.columns.clear();
  tree.column_of.clear();
  tree.matches.clear();

  std::map<std::string, Leaf> by_id;
  auto add_column = [&](std::uint32_t resource) {
    if (resource >= tree.column_of.size()) tree.column_of.resize(resource + 1, -1);
    if (tree.column_of[resource] >= 0) return;
    tree.column_of[resource] = static_cast<std::int32_t>(tree.columns.size());
    tree.columns.push_back(resource);
  };
  for (const Node& node : nodes) {
    if (!belongs(node, flavor, topology)) continue;
    std::vector<std::string> values;
    for (const TopologyLevel& level : topology.levels) values.push_back(node.labels.at(level.node_label));
    std::string id = tree.of_hosts ? values.back() : join(values);
    Leaf& leaf = by_id[id];
    if (leaf.nodes.empty()) leaf.values = std::move(values);
    leaf.nodes.push_back(&node);
    for (const auto& entry : node.allocatable) add_column(resources.intern(entry.first));
  }
  std::uint32_t pods_resource = resources.intern("pods");
  if (pods_resource >= resource_names_.size()) resource_names_.resize(pods_resource + 1);
  resource_names_[pods_resource] = "pods";
  add_column(pods_resource);
  tree.pods_column = static_cast<std::uint32_t>(tree.column(pods_resource));

  std::vector<const Leaf*> leaves;
  for (const auto& entry : by_id) leaves.push_back(&entry.second);
  std::sort(leaves.begin(), leaves.end(), [](const Leaf* a, const Leaf* b) { return a->values < b->values; });
  const std::size_t width = tree.columns.size();
  tree.free.assign(leaves.size() * width, 0);
  for (const Leaf* leaf : leaves) {
    auto id = static_cast<LeafId>(tree.leaf_values.size());
    for (const Node* node : leaf->nodes) {
      for (const auto& [name, quantity] : node->allocatable) {
        auto column = static_cast<std::size_t>(tree.column(resources.find(name)));
        std::int64_t& free = tree.free[id * width + column];
        free = add_saturating(free, Amount::request(name, quantity).value());
      }
      tree.leaf_by_node.emplace(node->name, id);
    }
    tree.leaf_values.push_back(leaf->values);
    tree.leaf_node.push_back(tree.of_hosts ? leaf->nodes.front() : nullptr);
    tree.leaf_by_id.emplace(tree.id_of(id), id);
  }
  for (const Pod& pod : pods) {
    if (pod.asks_for_topology || pod.ended) continue;
    auto leaf = tree.leaf_by_node.find(pod.node);
    if (leaf == tree.leaf_by_node.end()) continue;
    std::int64_t* row = &tree.free[leaf->second * width];
    row[tree.pods_column] = add_saturating(row[tree.pods_column], -1);
    for (const auto& [name, quantity] : pod.requests) {
      std::int32_t column = tree.column(resources.find(name));
      if (column < 0) continue;
      row[column] = add_saturating(row[column], -Amount::request(name, quantity).value());
    }
  }
  tree.first_number = numbers.add_numbers(tree.free);

  // Above the leaves: a domain for each beginning of their values. Equal ones lie side by side.
  for (std::size_t level = 0; level < depth; ++level) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto& values = leaves[i]->values;
      bool is_new = i == 0 || level + 1 == depth ||
                    !std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                                leaves[i - 1]->values.begin());
      if (is_new) tree.domains.emplace_back();
    }
    tree.level_begin.push_back(static_cast<DomainId>(tree.domains.size()));
  }
  for (std::size_t level = 1; level < depth; ++level) {
    DomainId above = tree.level_begin[level - 1];
    DomainId here = tree.level_begin[level];
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto& values = leaves[i]->values;
      auto differs = [&](std::size_t count) {
        return !std::equal(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                           leaves[i - 1]->values.begin());
      };
      if (i > 0 && differs(level)) ++above;
      if (i > 0 && (level + 1 == depth || differs(level + 1))) ++here;
      TopologyTree::Domain& parent = tree.domains[above];
      if (tree.domains[here].parent == kNoTree) {
        if (parent.end_of_children == 0) parent.first_child = here;
        parent.end_of_children = here + 1;
      }
      tree.domains[here].parent = above;
    }
  }
}

bool Topologies::is_of_a_flavor(const Node& node) const {
  for (TreeId id = 0; id < trees_.size(); ++id) {
    if (has_labels(node, *flavors_[id], *trees_[id].object)) return true;
  }
  return false;
}

DemandId Topologies::intern(Demands demands, const ResourceNames& resources) {
  auto [it, is_new] = demand_ids_.try_emplace(demands, static_cast<DemandId>(demands_.size()));
  if (!is_new) return it->second;
  std::size_t place = 0;
  for (const auto& entry : demands) {
    if (entry.first >= resource_names_.size()) resource_names_.resize(entry.first + 1);
    resource_names_[entry.first] = resources.text(entry.first);
    if (resources.text(entry.first) < "pods") ++place;
  }
  places_.push_back(place);
  demands_.push_back(std::move(demands));
  return it->second;
}

LeafId Topologies::leaf_on(const TopologyTree& tree, std::uint32_t host) const {
  if (!merged_ || host == kNoTree || !tree.of_hosts) return kNoTree;
  for (const auto& [id, leaf] : leaves_of_host_[host]) {
    if (&trees_[id] == &tree) return leaf;
  }
  return kNoTree;
}

void Topologies::resolve(TreeId id, const TopologyAssignment& assignment, DemandId demand,
                         std::vector<LeafUse>& out) const {
  const TopologyTree& tree = trees_[id];
  for (const TopologyDomain& domain : assignment.domains) {
    LeafUse& use = out.emplace_back();
    use.tree = id;
    use.count = domain.count;
    use.demand = demand;
    std::string name = join(domain.values);
    if (auto leaf = tree.leaf_by_id.find(name); leaf != tree.leaf_by_id.end()) use.leaf = leaf->second;
    if (tree.of_hosts) use.host = hosts_.find(name);
  }
}

void Topologies::change_leaf(QuotaTree& numbers, const TopologyTree& tree, LeafId leaf, const LeafUse& use,
                             std::int64_t sign) {
  const auto row = tree.first_number + static_cast<std::uint32_t>(leaf * tree.columns.size());
  auto change = [&](std::uint32_t column, std::int64_t by) {
    numbers.set_number(row + column, add_saturating(numbers.number(row + column), by));
  };
  for (const auto& [resource, amount] : demands_[use.demand]) {
    std::int32_t column = tree.column(resource);
    if (column >= 0) change(static_cast<std::uint32_t>(column), sign * times_saturating(amount, use.count));
  }
  change(tree.pods_column, sign * use.count);
}

void Topologies::change(QuotaTree& numbers, std::span<const LeafUse> uses, std::int64_t sign) {
  for (const LeafUse& use : uses) {
    if (merged_ && use.host != kNoTree && !numbers.is_what_if()) {
      for (const auto& [tree, leaf] : leaves_of_host_[use.host])
        change_leaf(numbers, trees_[tree], leaf, use, sign);
    } else if (use.leaf != kNoTree) {
      change_leaf(numbers, trees_[use.tree], use.leaf, use, sign);
    }
  }
}

void Topologies::clear(QuotaTree& numbers) const {
  for (const TopologyTree& tree : trees_) {
    for (std::uint32_t i = 0; i < tree.free.size(); ++i) numbers.set_number(tree.first_number + i, tree.free[i]);
  }
}

bool Topologies::fits(const QuotaTree& numbers, std::span<const LeafUse> uses) const {
  return std::all_of(uses.begin(), uses.end(), [&](const LeafUse& use) {
    if (use.leaf == kNoTree) return false;
    const TopologyTree& tree = trees_[use.tree];
    const std::int64_t* row = numbers.numbers() + tree.first_number + use.leaf * tree.columns.size();
    return times_in(tree, row, demands_[use.demand]) >= use.count;
  });
}

std::int32_t times_in(const TopologyTree& tree, const std::int64_t* row, const Demands& demands) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (demands.empty()) return 0;  // Kueue lets nothing fit no times
  std::int64_t times = kMost;
  for (const auto& [resource, amount] : demands) {
    if (amount == 0) continue;
    std::int32_t column = tree.column(resource);
    std::int64_t left = column < 0 ? 0 : row[column];
    times = std::min(times, std::clamp<std::int64_t>(left / amount, 0, kMost));
  }
  return static_cast<std::int32_t>(times);
}

const NodeMatch& Topologies::match(TreeId id, std::uint32_t pod_class, const PodConstraints& pod,
                                   const ResourceFlavor& flavor) {
  TopologyTree& tree = trees_[id];
  auto [it, is_new] = tree.matches.try_emplace(pod_class);
  NodeMatch& match = it->second;
  if (!is_new) return match;
  for (LeafId leaf = 0; leaf < tree.leaves(); ++leaf) {
    NodeRefusal refusal;
    if (tree.of_hosts) refusal = refuse_node(pod, flavor.tolerations, *tree.leaf_node[leaf]);
    switch (refusal.kind) {
      case NodeRefusal::Kind::none:
        match.leaves.push_back(leaf);
        break;
      case NodeRefusal::Kind::taint:
        ++match.taints[refusal.taint];
        break;
      case NodeRefusal::Kind::selector:
        ++match.node_selector;
        break;
      case NodeRefusal::Kind::affinity:
        ++match.affinity;
        break;
    }
  }
  return match;
}

}  // namespace sluice::decide
