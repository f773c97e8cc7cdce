#include "decide/placement.hpp"

#include <algorithm>

#include "decide/assign.hpp"
#include "model/requests.hpp"

namespace sluice::decide {
namespace {

/// Adds what a check wants to the constraints of a pod; Kueue's words where it does not go together.
std::string merge(PodConstraints& pod, Labels& labels, Labels& annotations, const PodSetUpdate& update) {
  auto conflict = [](const Labels& a, const Labels& b) -> std::string {
    for (const auto& [key, value] : a) {
      auto other = b.find(key);
      if (other != b.end() && other->second != value)
        return "conflict for key=" + key + ", value1=" + value + ", value2=" + other->second;
    }
    return {};
  };
  const std::pair<const char*, std::pair<Labels*, const Labels*>> parts[] = {
      {"annotations", {&annotations, &update.annotations}},
      {"labels", {&labels, &update.labels}},
      {"nodeSelector", {&pod.node_selector, &update.node_selector}},
  };
  for (const auto& [name, both] : parts) {
    std::string text = conflict(*both.first, *both.second);
    if (!text.empty()) return "conflict for " + std::string(name) + ": " + text;
  }
  for (const auto& [name, both] : parts) both.first->insert(both.second->begin(), both.second->end());
  for (const Toleration& toleration : update.tolerations) {
    auto& all = pod.tolerations;
    if (std::find(all.begin(), all.end(), toleration) == all.end()) all.push_back(toleration);
  }
  return {};
}

}  // namespace

bool Placer::asks_itself(const PodSet& pod_set) {
  if (!pod_set.topology) return false;
  const TopologyRequest& t = *pod_set.topology;
  return t.mode != TopologyRequest::Mode::none || t.constrained || t.slice_level || t.slice_size ||
         !t.slice_layers.empty();
}

DemandId Placer::demand(const Work& work, std::size_t pod_set) {
  if (work.shape >= demands_.size()) demands_.resize(work.shape + 1);
  std::vector<DemandId>& known = demands_[work.shape];
  if (known.empty()) {
    for (const PodSet& set : work.object->pod_sets) {
      Demands demands;
      for (const auto& [name, quantity] :
           pod_requests(adjust_resources(set.pod, work.object->name_space, *cluster_.world)))
        demands.emplace_back(cluster_.resources.intern(name), Amount::request(name, quantity).value());
      known.push_back(cluster_.topologies.intern(std::move(demands), cluster_.resources));
    }
  }
  return known[pod_set];
}

PlacementRequests Placer::requests(WorkId id, Assignment& assignment) {
  PlacementRequests out;
  const Work& work = works_[id];
  const Queue& queue = cluster_.queues[work.asks()];
  const std::size_t count = std::min(assignment.pod_sets.size(), work.object->pod_sets.size());
  for (std::uint16_t i = 0; i < count; ++i) {
    const PodSet& pod_set = work.object->pod_sets[i];
    PodSetResult& result = assignment.pod_sets[i];
    if (!asks(pod_set, queue) || !result.evaluated || result.placement_error != PlacementError::none) continue;
    if (result.count == 0) continue;
    if (result.is_placed && !result.to_repair) continue;
    if (!queue.has_placeable_flavor) {
      result.placement_error = PlacementError::no_information;
      continue;
    }
    std::vector<FlavorId> flavors;
    for (const Choice& choice : assignment.choices_of(i)) {
      if (cluster_.topologies.of_flavor(choice.flavor) == kNoTree) continue;
      if (std::find(flavors.begin(), flavors.end(), choice.flavor) == flavors.end())
        flavors.push_back(choice.flavor);
    }
    if (flavors.size() != 1) {
      result.placement_error = flavors.empty() ? PlacementError::no_flavor : PlacementError::several_flavors;
      continue;
    }
    if (queue.has_multikueue || (!work.reserved && queue.waits_for_machines(flavors[0]))) {
      result.delayed = Delayed::pending;
      continue;
    }
    PlacementAsk ask;
    ask.pod_set = i;
    ask.count = static_cast<std::int32_t>(result.count);
    ask.demand = demand(work, i);
    ask.request = pod_set.topology ? &*pod_set.topology : nullptr;
    ask.implied = !asks_itself(pod_set);
    ask.pod_class = shapes_[work.shape].pod_sets[i].pod_class;
    PodConstraints pod;
    Labels labels = pod_set.pod.labels;
    Labels annotations = pod_set.pod.annotations;
    bool changed = false;
    for (const Check& check : work.checks) {
      if (check.state != CheckState::ready) continue;
      for (const PodSetUpdate& update : check.updates) {
        if (update.name != pod_set.name || !ask.update_conflict.empty()) continue;
        if (!changed) pod = shapes_.constraints(ask.pod_class);
        changed = true;
        std::string conflict = merge(pod, labels, annotations, update);
        if (!conflict.empty()) ask.update_conflict = pod_set.name + ", error: invalid admission check PodSetUpdate: " + conflict;
      }
    }
    if (changed) ask.pod_class = shapes_.class_of(pod);
    TreeId tree = cluster_.topologies.of_flavor(flavors[0]);
    auto at = std::find_if(out.by_tree.begin(), out.by_tree.end(), [&](const auto& e) { return e.first == tree; });
    if (at == out.by_tree.end()) {
      // Trees are numbered in the order of the names of their flavors.
      auto place = std::find_if(out.by_tree.begin(), out.by_tree.end(), [&](const auto& e) { return e.first > tree; });
      at = out.by_tree.insert(place, {tree, {}});
    }
    at->second.push_back(std::move(ask));
  }
  return out;
}

const NodeMatch& Placer::match(TreeId tree, const PlacementAsk& ask) {
  const ResourceFlavor& flavor = *cluster_.flavors[cluster_.topologies[tree].flavor];
  return cluster_.topologies.match(tree, ask.pod_class, shapes_.constraints(ask.pod_class), flavor);
}

void Placer::add_uses(TreeId id, const std::vector<LeafCount>& leaves, DemandId demand,
                      std::vector<LeafUse>& out) const {
  const TopologyTree& tree = cluster_.topologies[id];
  for (const LeafCount& leaf : leaves) {
    std::uint32_t host = tree.of_hosts ? tree.leaf_host[leaf.leaf] : kNoTree;
    out.push_back({id, leaf.leaf, host, leaf.count, demand});
  }
}

PlacementResult Placer::find(WorkId id, const PlacementRequests& requests, bool simulate_empty) {
  PlacementResult result;
  const Work& work = works_[id];
  assumed_.clear();
  SearchSetting setting;
  setting.mixed_profile = gates_.tas_profile_mixed;
  setting.simulate_empty = simulate_empty;
  for (const auto& [tree, asks] : requests.by_tree) {
    // Pod sets of one group are placed together, where the first of them has its turn.
    std::vector<std::vector<const PlacementAsk*>> groups;
    for (const PlacementAsk& ask : asks) {
      const auto* name = ask.request != nullptr && ask.request->group ? &*ask.request->group : nullptr;
      auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
        const TopologyRequest* other = group.front()->request;
        return name != nullptr && other != nullptr && other->group == *name;
      });
      if (same == groups.end()) {
        groups.push_back({&ask});
      } else {
        same->push_back(&ask);
      }
    }
    for (const auto& group : groups) {
      bool found = true;
      if (!work.unhealthy_nodes.empty()) {
        for (const PlacementAsk* ask : group) found = found && replace(work, tree, *ask, result);
      } else {
        found = place_group(work, tree, group, setting, result);
      }
      if (!found) break;
    }
  }
  return result;
}

bool Placer::place_group(const Work&, TreeId tree, const std::vector<const PlacementAsk*>& group,
                         const SearchSetting& setting, PlacementResult& result) {
  const PlacementAsk* workers = group[0];
  const PlacementAsk* leader = group.size() > 1 ? group[1] : nullptr;
  if (leader != nullptr && leader->count > workers->count) std::swap(leader, workers);
  TopologySearch::Result found = search_.find(tree, *workers, leader, match(tree, *workers), assumed_, setting);
  if (!found.found) {
    if (result.failed < 0) {
      result.failed = group[0]->pod_set;
      result.flavor = cluster_.topologies[tree].flavor;
      result.failure = std::move(found.failure);
    }
    return false;
  }
  for (const PlacementAsk* ask : group) {
    PodSetPlacement& placed = result.placed.emplace_back();
    placed.pod_set = ask->pod_set;
    placed.tree = tree;
    if (ask == workers) placed.leaves = found.workers;
    if (ask == leader) placed.leaves = found.leader;
    add_uses(tree, placed.leaves, ask->demand, assumed_);
  }
  return true;
}

void Placer::uses(const Work& work, const PodSetPlacement& placement, std::vector<LeafUse>& out) {
  add_uses(placement.tree, placement.leaves, demand(work, placement.pod_set), out);
}

TopologyAssignment Placer::assignment_of(const PodSetPlacement& placement) const {
  TopologyAssignment assignment;
  if (placement.repaired) return *placement.repaired;
  const TopologyTree& tree = cluster_.topologies[placement.tree];
  std::size_t first = tree.of_hosts ? tree.levels() - 1 : 0;
  for (std::size_t i = first; i < tree.levels(); ++i)
    assignment.levels.push_back(tree.object->levels[i].node_label);
  for (const LeafCount& leaf : placement.leaves) {
    const auto& values = tree.leaf_values[leaf.leaf];
    assignment.domains.push_back({{values.begin() + static_cast<std::ptrdiff_t>(first), values.end()}, leaf.count});
  }
  return assignment;
}

void Placer::resolve(Work& work) {
  std::vector<LeafUse> uses;
  for (const HeldPlacement& held : work.placements) {
    std::vector<FlavorId> flavors;
    for (const Holding& holding : work.holdings) {
      if (holding.pod_set != held.pod_set || cluster_.topologies.of_flavor(holding.flavor) == kNoTree) continue;
      if (std::find(flavors.begin(), flavors.end(), holding.flavor) == flavors.end())
        flavors.push_back(holding.flavor);
    }
    for (FlavorId flavor : flavors) {
      cluster_.topologies.resolve(cluster_.topologies.of_flavor(flavor), held.assignment,
                                  demand(work, held.pod_set), uses);
    }
  }
  work.leaf_uses = uses;
}

}  // namespace sluice::decide
