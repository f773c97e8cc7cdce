#include <algorithm>
#include <map>

#include "decide/placement.hpp"

// A node of a placement has failed: its pods get another one, the others stay.
// Source: Kueue pkg/cache/scheduler tas_flavor_snapshot.go findReplacementAssignment.

namespace sluice::decide {
namespace {

std::string join(const std::vector<std::string>& values) {
  std::string id;
  for (const std::string& value : values) {
    if (&value != &values.front()) id += ',';
    id += value;
  }
  return id;
}

}  // namespace

/// The domain of the layer's level that lacks just the pods that are missing.
DomainId Placer::broken_slice(const TopologyTree& tree, const PlacementAsk& ask, const TopologyAssignment& rest,
                              const SliceLayer& layer) const {
  std::int32_t level = tree.level_of(layer.level);
  if (level < 0) return kNoTree;
  std::map<DomainId, std::int32_t> pods;  // several may do; Kueue takes any of them, here it is the first
  for (const TopologyDomain& domain : rest.domains) {
    auto leaf = tree.leaf_by_id.find(join(domain.values));
    if (leaf == tree.leaf_by_id.end()) continue;
    pods[tree.ancestor(leaf->second, static_cast<std::size_t>(level))] += domain.count;
  }
  for (const auto& [domain, count] : pods) {
    if ((count + ask.count) % layer.size == 0) return domain;
  }
  return kNoTree;
}

/// Where the missing pods must go because of those that stay; kNoTree: anywhere.
DomainId Placer::needed_domain(const TopologyTree& tree, const PlacementAsk& ask,
                               const TopologyAssignment& rest) const {
  using Ask = TopologyRequest::Mode;
  if (ask.request == nullptr) return kNoTree;
  const TopologyRequest& request = *ask.request;
  std::vector<SliceLayer> layers = layers_of(&request);
  bool has_level = request.mode == Ask::required || request.mode == Ask::preferred;
  std::int32_t level = has_level ? tree.level_of(request.level) : 0;
  if (level < 0 || rest.domains.empty()) return kNoTree;
  if (!has_level && layers.empty() && request.mode != Ask::unconstrained && !ask.implied) return kNoTree;
  if (!layers.empty() && layers.front().size <= 0) return kNoTree;
  if (!layers.empty() && ask.count % layers.front().size != 0) {
    if (layers.size() > 1) {
      for (std::size_t i = layers.size(); i-- > 0;) {
        if (ask.count % layers[i].size != 0) return broken_slice(tree, ask, rest, layers[i]);
      }
    }
    return broken_slice(tree, ask, rest, layers.front());
  }
  if (request.mode != Ask::required) return kNoTree;
  auto leaf = tree.leaf_by_id.find(join(rest.domains.front().values));
  if (leaf == tree.leaf_by_id.end()) return kNoTree;
  return tree.ancestor(leaf->second, static_cast<std::size_t>(level));
}

bool Placer::replace(const Work& work, TreeId id, const PlacementAsk& given, PlacementResult& result) {
  auto held = std::find_if(work.placements.begin(), work.placements.end(),
                           [&](const HeldPlacement& h) { return h.pod_set == given.pod_set; });
  if (held == work.placements.end()) return true;
  PodSetPlacement placed;
  placed.pod_set = given.pod_set;
  placed.tree = id;
  if (gates_.skip_reassignment_for_pod_owned_workloads && work.object->owner->kind == "Pod") {
    placed.keeps = true;
    result.placed.push_back(std::move(placed));
    return true;
  }
  auto fail = [&](PlacementFailure failure) {
    if (result.failed >= 0) return false;
    result.failed = given.pod_set;
    result.flavor = cluster_.topologies[id].flavor;
    result.failure = std::move(failure);
    return false;
  };
  const TopologyTree& tree = cluster_.topologies[id];
  const std::string& bad = work.unhealthy_nodes.front();
  TopologyAssignment rest;
  rest.levels = held->assignment.levels;
  PlacementAsk ask = given;
  ask.count = 0;
  for (const TopologyDomain& domain : held->assignment.domains) {
    if (!domain.values.empty() && domain.values.back() == bad) {
      ask.count = domain.count;
    } else {
      rest.domains.push_back(domain);
    }
  }
  PlacementFailure failure;
  failure.topology = tree.object->name;
  for (const TopologyDomain& domain : rest.domains) {
    if (tree.leaf_by_id.contains(join(domain.values))) continue;
    failure.kind = PlacementFailure::Kind::stale_domain;
    failure.level = domain.values.empty() ? std::string() : domain.values.front();
    return fail(std::move(failure));
  }
  SearchSetting setting;
  setting.mixed_profile = gates_.tas_profile_mixed;
  setting.under = needed_domain(tree, ask, rest);
  std::vector<SliceLayer> layers = layers_of(ask.request);
  TopologyRequest changed;
  if (!layers.empty() && layers.front().size <= 0) {
    failure.kind = PlacementFailure::Kind::no_slice_size;
    return fail(std::move(failure));
  }
  if (!layers.empty() && setting.under != kNoTree && ask.count % layers.front().size != 0) {
    // The innermost layer that still holds for the missing pods.
    changed = *ask.request;
    changed.slice_layers.clear();
    changed.slice_level.reset();
    changed.slice_size = 1;
    for (std::size_t i = layers.size(); i-- > 0;) {
      if (layers[i].size <= 0 || ask.count % layers[i].size != 0) continue;
      changed.slice_level = layers[i].level;
      changed.slice_size = layers[i].size;
      break;
    }
    ask.request = &changed;
  }
  TopologySearch::Result found = search_.find(id, ask, nullptr, match(id, ask), assumed_, setting);
  if (!found.found) return fail(std::move(found.failure));
  if (found.workers.empty()) {
    failure.kind = PlacementFailure::Kind::no_replacement;
    failure.level = bad;
    return fail(std::move(failure));
  }
  add_uses(id, found.workers, ask.demand, assumed_);

  // Both together, by their leaves.
  std::map<LeafId, std::int32_t> pods;
  for (const LeafCount& leaf : found.workers) pods[leaf.leaf] += leaf.count;
  for (const TopologyDomain& domain : rest.domains) pods[tree.leaf_by_id.at(join(domain.values))] += domain.count;
  for (const auto& [leaf, count] : pods) placed.leaves.push_back({leaf, count});
  placed.repaired = assignment_of(placed);
  result.placed.push_back(std::move(placed));
  return true;
}

}  // namespace sluice::decide
