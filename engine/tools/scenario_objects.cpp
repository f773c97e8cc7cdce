#include "tools/scenario_objects.hpp"

#include <utility>

namespace sluice::tools {

std::optional<decide::ObjectKind> object_kind(std::string_view kind) {
  using decide::ObjectKind;
  static constexpr std::pair<std::string_view, ObjectKind> kinds[] = {
      {"ClusterQueue", ObjectKind::cluster_queue},
      {"Cohort", ObjectKind::cohort},
      {"LocalQueue", ObjectKind::local_queue},
      {"ResourceFlavor", ObjectKind::resource_flavor},
      {"AdmissionCheck", ObjectKind::admission_check},
      {"ProvisioningRequestConfig", ObjectKind::provisioning_request_config},
      {"ProvisioningRequest", ObjectKind::provisioning_request},
      {"Topology", ObjectKind::topology},
      {"WorkloadPriorityClass", ObjectKind::workload_priority_class},
      {"PriorityClass", ObjectKind::priority_class},
      {"Namespace", ObjectKind::name_space},
      {"LimitRange", ObjectKind::limit_range},
      {"RuntimeClass", ObjectKind::runtime_class},
      {"Node", ObjectKind::node},
      {"Workload", ObjectKind::workload},
  };
  for (const auto& [name, known] : kinds) {
    if (name == kind) return known;
  }
  return std::nullopt;
}

bool has_namespace(decide::ObjectKind kind) {
  return kind == decide::ObjectKind::local_queue || kind == decide::ObjectKind::limit_range ||
         kind == decide::ObjectKind::provisioning_request || kind == decide::ObjectKind::workload;
}

World only(const World& world, decide::ObjectKind kind, std::string_view name_space, std::string_view name) {
  World out;
  auto take = [&](auto list) {
    if (const auto* object = find_named(world.*list, name, name_space)) (out.*list).push_back(*object);
  };
  switch (kind) {
    case decide::ObjectKind::cluster_queue:
      take(&World::cluster_queues);
      break;
    case decide::ObjectKind::cohort:
      take(&World::cohorts);
      break;
    case decide::ObjectKind::local_queue:
      take(&World::local_queues);
      break;
    case decide::ObjectKind::resource_flavor:
      take(&World::flavors);
      break;
    case decide::ObjectKind::admission_check:
      take(&World::admission_checks);
      break;
    case decide::ObjectKind::provisioning_request_config:
      take(&World::provisioning_configs);
      break;
    case decide::ObjectKind::provisioning_request:
      take(&World::provisioning_requests);
      break;
    case decide::ObjectKind::topology:
      take(&World::topologies);
      break;
    case decide::ObjectKind::workload_priority_class:
      take(&World::workload_priority_classes);
      break;
    case decide::ObjectKind::priority_class:
      take(&World::priority_classes);
      break;
    case decide::ObjectKind::name_space:
      take(&World::namespaces);
      break;
    case decide::ObjectKind::limit_range:
      take(&World::limit_ranges);
      break;
    case decide::ObjectKind::runtime_class:
      take(&World::runtime_classes);
      break;
    case decide::ObjectKind::node:
      take(&World::nodes);
      break;
    case decide::ObjectKind::workload:
      break;
  }
  return out;
}

}  // namespace sluice::tools
