#pragma once

#include <string>
#include <vector>

#include "model/objects.hpp"

namespace sluice {

/// Everything a decision reads, in plain structs: what a snapshot holds, or a scenario, with the
/// declarations of a policy laid over it. Objects of a kind are sorted by (namespace, name) and unique.
/// Immutable while deciding. A copy costs next to nothing: workloads are shared until one is changed.
struct World {
  Instant now;                      ///< the instant of the snapshot, or `--at`
  std::vector<std::string> files;   ///< for Origin::file: paths as the user gave them
  std::vector<ResourceFlavor> flavors;
  std::vector<ClusterQueue> cluster_queues;
  std::vector<Cohort> cohorts;
  std::vector<LocalQueue> local_queues;
  std::vector<WorkloadPriorityClass> workload_priority_classes;
  std::vector<PriorityClass> priority_classes;
  std::vector<AdmissionCheck> admission_checks;
  std::vector<ProvisioningRequestConfig> provisioning_configs;
  std::vector<ProvisioningRequest> provisioning_requests;
  std::vector<Topology> topologies;
  std::vector<Namespace> namespaces;  ///< a namespace that is used but not listed exists, with its name label
  std::vector<LimitRange> limit_ranges;
  std::vector<RuntimeClass> runtime_classes;
  std::vector<TrainingRuntime> training_runtimes;
  std::vector<Node> nodes;
  std::vector<Pod> pods;            ///< bound to a node
  SharedList<Workload> workloads;
  std::vector<CapacitySignal> capacity;

  friend bool operator==(const World&, const World&) = default;
};

}  // namespace sluice
