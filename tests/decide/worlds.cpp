#include "worlds.hpp"

#include <algorithm>
#include <tuple>

namespace sluice::test {

ResourceGroup group(const std::vector<FlavorOf>& flavors) {
  ResourceGroup out;
  for (const Quota& quota : flavors.front().quotas) out.covered_resources.emplace_back(quota.resource);
  for (const FlavorOf& from : flavors) {
    FlavorQuotas quotas{from.flavor, {}};
    for (const Quota& quota : from.quotas) {
      auto amount = [&](const char* text) { return Amount::quota(quota.resource, *Quantity::parse(text)); };
      ResourceQuota one{quota.resource, amount(quota.nominal), {}, {}};
      if (quota.borrow != nullptr) one.borrowing_limit = amount(quota.borrow);
      if (quota.lend != nullptr) one.lending_limit = amount(quota.lend);
      quotas.resources.push_back(one);
    }
    out.flavors.push_back(std::move(quotas));
  }
  return out;
}

ClusterQueue queue(const char* name, const char* cohort, const std::vector<FlavorOf>& flavors) {
  ClusterQueue out;
  out.name = name;
  if (cohort != nullptr) out.cohort = cohort;
  out.namespace_selector.nothing = false;
  out.resource_groups.push_back(group(flavors));
  return out;
}

void add(World& world, ClusterQueue queue) {
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      bool known = std::any_of(world.flavors.begin(), world.flavors.end(),
                               [&](const ResourceFlavor& flavor) { return flavor.name == quotas.flavor; });
      if (known) continue;
      ResourceFlavor flavor;
      flavor.name = quotas.flavor;
      world.flavors.push_back(flavor);
    }
  }
  LocalQueue local;
  local.name_space = "default";
  local.name = queue.name;
  local.cluster_queue = queue.name;
  world.local_queues.push_back(local);
  world.cluster_queues.push_back(std::move(queue));
}

Workload job(const char* name, const char* queue,
             const std::vector<std::pair<const char*, const char*>>& requests, int count, int priority,
             int created_seconds_ago) {
  Workload out;
  out.name = name;
  out.uid = name;
  out.queue = queue;
  out.priority = priority;
  out.created = kNow - Duration::seconds(created_seconds_ago);
  PodSet& pod_set = out.pod_sets.emplace_back();
  pod_set.name = "main";
  pod_set.count = count;
  Container& container = pod_set.pod.containers.emplace_back();
  container.name = "c";
  for (const auto& [resource, amount] : requests) container.requests[resource] = *Quantity::parse(amount);
  return out;
}

Workload running(Workload workload, const char* cluster_queue, const char* flavor) {
  workload.admitted_queue = cluster_queue;
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetAssignment& assignment = workload.assignments.emplace_back();
    assignment.name = pod_set.name;
    assignment.count = static_cast<std::int32_t>(pod_set.count);
    for (const auto& [resource, amount] : pod_set.pod.containers[0].requests) {
      assignment.flavors[resource] = flavor;
      assignment.usage[resource] = Quantity::from_nano(amount.nano() * pod_set.count);
    }
  }
  for (const char* type : {"QuotaReserved", "Admitted"}) {
    Condition condition;
    condition.type = type;
    condition.status = true;
    condition.since = workload.created;
    workload.conditions.push_back(condition);
  }
  return workload;
}

World finished(World world) {
  world.now = kNow;
  auto by_name = [](auto& list) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  };
  by_name(world.flavors);
  by_name(world.cluster_queues);
  by_name(world.cohorts);
  by_name(world.local_queues);
  world.workloads.sort([](const Workload& a, const Workload& b) {
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  by_name(world.admission_checks);
  by_name(world.provisioning_configs);
  return world;
}

}  // namespace sluice::test
