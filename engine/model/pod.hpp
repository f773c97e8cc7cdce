#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"

/// The parts of pod templates that scheduling decisions read. Names are those of the Kubernetes API.
namespace sluice {

using Labels = std::map<std::string, std::string>;
/// Resource name to exact quantity.
using Resources = std::map<std::string, Quantity>;

struct Toleration {
  std::string key;                ///< empty with `Exists`: every taint
  std::string op = "Equal";       ///< Equal, Exists, Gt, Lt
  std::string value;
  std::string effect;             ///< empty: every effect
  std::optional<std::int64_t> seconds;

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;  ///< NoSchedule, PreferNoSchedule, NoExecute

  friend bool operator==(const Taint&, const Taint&) = default;
};

/// One expression of a label selector or node affinity term.
struct Requirement {
  std::string key;
  std::string op;  ///< In, NotIn, Exists, DoesNotExist, Gt, Lt
  std::vector<std::string> values;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

struct NodeSelectorTerm {
  std::vector<Requirement> expressions;
  std::vector<Requirement> fields;  ///< matchFields

  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct Container {
  std::string name;
  Resources requests;
  Resources limits;
  bool sidecar = false;  ///< an init container with restartPolicy Always
  std::string ports;     ///< canonical text; only the equivalence of two pods depends on it

  friend bool operator==(const Container&, const Container&) = default;
};

struct PodTemplate {
  Labels labels;
  Labels annotations;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  std::optional<Resources> pod_requests;  ///< spec.resources.requests: set when spec.resources is
  std::optional<Resources> pod_limits;
  Resources overhead;
  std::string runtime_class;
  std::string priority_class;
  std::optional<std::int32_t> priority;
  Labels node_selector;
  /// requiredDuringSchedulingIgnoredDuringExecution; empty optional: no such constraint.
  std::optional<std::vector<NodeSelectorTerm>> required_affinity;
  std::vector<Toleration> tolerations;
  /// Canonical text of the further fields that Kueue's equivalence hash reads (other affinity, topology
  /// spread constraints, resource claims); equal texts mean equal fields.
  std::string other_shape;

  friend bool operator==(const PodTemplate&, const PodTemplate&) = default;
};

/// Whether `other_shape` names resource claims.
inline bool has_resource_claims(const PodTemplate& pod) {
  return pod.other_shape.find("resourceClaims=") != std::string::npos;
}

}  // namespace sluice
