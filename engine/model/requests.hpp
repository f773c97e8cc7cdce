#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/world.hpp"

namespace sluice {

/// The pod template as Kueue counts it: RuntimeClass overhead, then LimitRange defaults of the namespace,
/// then limits stand in for missing requests; in this order.
/// Source: Kueue pkg/workload AdjustResources; spec of the order: Kueue v0.19.2.
PodTemplate adjust_resources(const PodTemplate& pod, std::string_view name_space, const World& world);

/// What one pod (already adjusted) asks for, per resource: the sum of containers and sidecars, at least the
/// largest init container, pod-level requests in place of it, plus overhead.
/// Source: Kubernetes component-helpers resource.PodRequests.
Resources pod_requests(const PodTemplate& adjusted);

/// Why the scheduler would refuse these resources: a request above its limit, or bounds of a LimitRange.
struct ResourceRefusal {
  enum class Kind : std::uint8_t { request_above_limit, above_limit_range_max, below_limit_range_min };
  Kind kind;
  std::string pod_set;
  std::string container;  ///< empty: the pod as a whole
  std::string resource;
  Quantity asked;
  Quantity bound;
  std::string limit_range;  ///< name, for the limit-range kinds
};
/// Every refusal of a workload, whose pods are adjusted first, in order; empty if the scheduler would go on. Bounds
/// of limit ranges are looked at only when no request is above its own limit.
/// Source: Kueue pkg/workload ValidateResources, ValidateLimitRange; maxLimitRequestRatio is not checked.
std::vector<ResourceRefusal> refused_resources(const Workload& workload, const World& world);

}  // namespace sluice
