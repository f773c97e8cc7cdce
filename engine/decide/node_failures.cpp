#include <algorithm>

#include "decide/core.hpp"
#include "decide/eligibility.hpp"

// A node is gone, not ready or tainted: workloads whose placement has it need another one for its pods.
// Source: Kueue pkg/controller/tas node_controller.go.

namespace sluice::decide {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

bool has_node(const TopologyAssignment& placement, const std::string& node) {
  if (placement.levels.empty() || placement.levels.back() != kHostname) return false;
  return std::any_of(placement.domains.begin(), placement.domains.end(), [&](const TopologyDomain& d) {
    return !d.values.empty() && d.values.back() == node && d.count > 0;
  });
}

enum class Tolerated : std::uint8_t { no, for_a_while, yes };

Tolerated tolerated(const std::vector<Toleration>& tolerations, const Taint& taint) {
  Tolerated result = Tolerated::no;
  for (const Toleration& toleration : tolerations) {
    if (!tolerates(toleration, taint)) continue;
    if (!toleration.seconds) return Tolerated::yes;
    result = Tolerated::for_a_while;
  }
  return result;
}

}  // namespace

/// Whether a pod of the workload still runs on the node. Kueue means to look at the pods of the workload, but
/// asks for all pods of its namespace on the node: the second of its two conditions takes the place of the first.
bool Core::has_pods_on(const Work& work, const std::string& node) const {
  const auto& pods = cluster.world->pods;
  return std::any_of(pods.begin(), pods.end(), [&](const Pod& pod) {
    return pod.node == node && pod.name_space == work.object->name_space && !pod.ended && !pod.deleting;
  });
}

bool Core::is_unhealthy_on(const Work& work, const Node& node) const {
  if (!node.ready) return !has_pods_on(work, node.name);
  if (!gates.tas_replace_node_on_node_taints) return false;
  bool affected = false;
  for (const HeldPlacement& held : work.placements) {
    if (!has_node(held.assignment, node.name)) continue;
    const PodSet& pod_set = work.object->pod_sets[held.pod_set];
    std::vector<Toleration> tolerations = pod_set.pod.tolerations;
    auto add = [&](const std::vector<Toleration>& more) {
      tolerations.insert(tolerations.end(), more.begin(), more.end());
    };
    for (const Holding& holding : work.holdings) {
      const ResourceFlavor* flavor = cluster.flavors[holding.flavor];
      if (holding.pod_set == held.pod_set && flavor != nullptr) add(flavor->tolerations);
    }
    for (const Check& check : work.checks) {
      for (const PodSetUpdate& update : check.updates) {
        if (update.name == pod_set.name) add(update.tolerations);
      }
    }
    affected = affected || std::any_of(node.taints.begin(), node.taints.end(), [&](const Taint& taint) {
                 bool counts = taint.effect == "NoSchedule" || taint.effect == "NoExecute";
                 return counts && tolerated(tolerations, taint) != Tolerated::yes;
               });
  }
  return affected && !has_pods_on(work, node.name);
}

/// `node` null: it does not exist.
void Core::check_node(const std::string& name, const Node* node) {
  if (!gates.tas_failed_node_replacement || !gates.topology_aware) return;
  for (WorkId id = 0; id < works.size(); ++id) {
    Work& work = works[id];
    if (work.finished || work.removed || work.evicted || !work.reserved || !work.admitted) continue;
    bool uses = std::any_of(work.placements.begin(), work.placements.end(),
                            [&](const HeldPlacement& held) { return has_node(held.assignment, name); });
    if (!uses) continue;
    auto known = std::find(work.unhealthy_nodes.begin(), work.unhealthy_nodes.end(), name);
    const bool listed = known != work.unhealthy_nodes.end();
    if (node != nullptr && !is_unhealthy_on(work, *node)) {
      if (!listed) continue;
      work.unhealthy_nodes.erase(known);
    } else if (listed) {
      continue;
    } else if (!work.unhealthy_nodes.empty()) {
      evict(id, EvictionReason::node_failures);  // two at once are more than can be replaced
      continue;
    } else {
      work.unhealthy_nodes.push_back(name);
    }
    if (work.holds_in != kNone) ++generations[work.holds_in];
    to_reconcile_.push_back(id);
  }
}

}  // namespace sluice::decide
