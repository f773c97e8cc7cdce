#pragma once

#include <string>

#include "decide/eligibility.hpp"

namespace sluice::decide {

/// Why a pod cannot run on a node.
struct NodeRefusal {
  enum class Kind : std::uint8_t { none, taint, selector, affinity };
  Kind kind = Kind::none;
  std::string taint;  ///< as Kubernetes writes it: `key=value:Effect`
};

/// The first that applies: taints (`more` tolerations are those of the flavor), node selector, required
/// affinity. Source   Kueue pkg/cache/scheduler scheduling_simulator_default.go.
NodeRefusal refuse_node(const PodConstraints& pod, const std::vector<Toleration>& more, const Node& node);

}  // namespace sluice::decide
