#include "report/usage_text.hpp"

#include <algorithm>
#include <set>

#include "report/table.hpp"
#include "report/units.hpp"

namespace sluice::report {
namespace {

const ClusterQueue* find_queue(const World& world, const std::string& name) {
  auto found = std::find_if(world.cluster_queues.begin(), world.cluster_queues.end(),
                            [&](const ClusterQueue& queue) { return queue.name == name; });
  return found == world.cluster_queues.end() ? nullptr : &*found;
}

using Usage = std::map<std::string, std::map<std::string, decide::Engine::Usage>>;

decide::Engine::Usage used(const Usage& usage, const std::string& flavor, const std::string& resource) {
  auto of_flavor = usage.find(flavor);
  if (of_flavor == usage.end()) return {};
  auto of_resource = of_flavor->second.find(resource);
  return of_resource == of_flavor->second.end() ? decide::Engine::Usage{} : of_resource->second;
}

}  // namespace

std::string usage_table(const decide::Engine& engine, std::span<const decide::WorkloadReport> jobs,
                        const World& world) {
  std::set<std::string> queues;
  for (const decide::WorkloadReport& job : jobs) queues.insert(job.cluster_queue);
  Units units;
  Table table({{"queue"},
               {"flavor"},
               {"resource"},
               {"used", Table::Align::right},
               {"quota", Table::Align::right},
               {"borrowed", Table::Align::right}});
  auto usage = engine.usage();
  auto each = [&](auto visit) {
    for (const std::string& name : queues) {
      const ClusterQueue* queue = find_queue(world, name);
      if (queue == nullptr) continue;
      for (const ResourceGroup& group : queue->resource_groups) {
        for (const FlavorQuotas& flavor : group.flavors) {
          for (const ResourceQuota& quota : flavor.resources) visit(name, flavor.flavor, quota);
        }
      }
    }
  };
  each([&](const std::string& queue, const std::string& flavor, const ResourceQuota& quota) {
    units.see(quota.resource, used(usage[queue], flavor, quota.resource).reserved);
    units.see(quota.resource, quota.nominal);
  });
  std::string last_queue;
  std::string last_flavor;
  each([&](const std::string& queue, const std::string& flavor, const ResourceQuota& quota) {
    bool same_queue = queue == last_queue;
    bool same_flavor = same_queue && flavor == last_flavor;
    decide::Engine::Usage in_use = used(usage[queue], flavor, quota.resource);
    table.add({same_queue ? "" : queue, same_flavor ? "" : flavor, quota.resource,
               units.text(quota.resource, in_use.reserved), units.text(quota.resource, quota.nominal),
               in_use.borrowed.value() == 0 ? "" : units.text(quota.resource, in_use.borrowed)});
    last_queue = queue;
    last_flavor = flavor;
  });
  return table.empty() ? std::string() : table.to_string("  ");
}

}  // namespace sluice::report
