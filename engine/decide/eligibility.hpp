#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/decision.hpp"
#include "model/objects.hpp"

namespace sluice::decide {

/// What of a pod decides whether it may use a flavor at all.
struct PodConstraints {
  Labels node_selector;
  std::optional<std::vector<NodeSelectorTerm>> required_affinity;
  std::vector<Toleration> tolerations;

  friend bool operator==(const PodConstraints&, const PodConstraints&) = default;
};

/// Why a pod cannot use a flavor; `none` if it can. The fields are those of FlavorAttempt.
struct FlavorRefusal {
  FlavorAttempt::Refusal kind = FlavorAttempt::Refusal::none;
  Taint taint;
  Requirement mismatch;
  std::string flavor_value;
  std::vector<InvalidRequirement> invalid;
};

/// Taints first, then selector and affinity, of which only the keys that are labels of this flavor count.
/// Source: Kueue flavorassigner.go checkFlavorForPodSets, flavorSelector.
FlavorRefusal refuse(const PodConstraints& pod, const ResourceFlavor& flavor);

bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace sluice::decide
