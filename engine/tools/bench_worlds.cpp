#include "tools/bench_worlds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/pod_set_pool.hpp"

namespace sluice::tools {
namespace {

const Instant start = *Instant::parse("2026-01-01T00:00:00Z");
constexpr std::int64_t gibi = std::int64_t{1} << 30;

Amount amount(const char* resource, std::int64_t units) {
  return Amount::quota(resource, Quantity::from_units(units));
}

ClusterQueue queue_of(const std::string& name, std::string cohort) {
  ClusterQueue queue;
  queue.name = name;
  queue.cohort = std::move(cohort);
  queue.namespace_selector.nothing = false;
  queue.resource_groups.emplace_back().covered_resources = {"cpu", "memory"};
  return queue;
}

void add_flavor(ClusterQueue& queue, const std::string& flavor, std::int64_t cpu) {
  queue.resource_groups[0].flavors.push_back(
      {flavor, {{"cpu", amount("cpu", cpu), {}, {}}, {"memory", amount("memory", 1'000'000 * gibi), {}, {}}}});
}

void add_queue(World& world, ClusterQueue queue) {
  LocalQueue local;
  local.name_space = "default";
  local.name = queue.name;
  local.cluster_queue = queue.name;
  world.local_queues.push_back(std::move(local));
  world.cluster_queues.push_back(std::move(queue));
}

void add_flavors(World& world, int count) {
  for (int f = 0; f < count; ++f) world.flavors.emplace_back().name = fmt::format("f{}", f + 1);
}

Workload workload_of(int number, std::string queue, int pods, std::int64_t cpu) {
  Workload workload;
  workload.name = fmt::format("w{:06}", number);
  workload.uid = workload.name;
  workload.arrival = static_cast<std::uint64_t>(number) + 1;
  workload.queue = std::move(queue);
  workload.created = start + Duration::seconds(number);
  PodSet& pod_set = workload.pod_sets.emplace_back();
  pod_set.name = "main";
  pod_set.count = pods;
  Container& container = pod_set.pod.containers.emplace_back();
  container.name = "c";
  container.requests["cpu"] = Quantity::from_units(cpu);
  container.requests["memory"] = Quantity::from_units(gibi);
  return workload;
}

/// As Kueue writes it when a workload is admitted.
void set_running(Workload& workload, const std::string& queue, const std::string& flavor, Instant since) {
  workload.admitted_queue = queue;
  PodSetAssignment& assignment = workload.assignments.emplace_back();
  assignment.name = "main";
  assignment.count = 1;
  assignment.flavors = {{"cpu", flavor}, {"memory", flavor}};
  assignment.usage = {{"cpu", Quantity::from_units(1)}, {"memory", Quantity::from_units(gibi)}};
  workload.conditions.push_back({"QuotaReserved", true, "QuotaReserved", "", since, 1});
  workload.conditions.push_back({"Admitted", true, "Admitted", "", since, 1});
}

}  // namespace

World world_of(const CycleShape& shape) {
  World world;
  world.now = start + Duration::seconds(shape.pending);
  add_flavors(world, shape.flavors);
  for (int q = 0; q < shape.queues; ++q) {
    ClusterQueue queue = queue_of(fmt::format("cq{:04}", q), fmt::format("cohort{:03}", q % shape.cohorts));
    if (shape.is_blocked) queue.strategy = QueueingStrategy::strict_fifo;
    for (int f = 0; f < shape.flavors; ++f) {
      bool has_cpu = !shape.is_blocked && f == shape.flavors - 1;
      add_flavor(queue, world.flavors[static_cast<std::size_t>(f)].name, has_cpu ? 100'000 : 0);
    }
    add_queue(world, std::move(queue));
  }
  PodSetPool pool;
  world.workloads.reserve(static_cast<std::size_t>(shape.pending));
  for (int w = 0; w < shape.pending; ++w) {
    Workload workload = workload_of(w, fmt::format("cq{:04}", w % shape.queues), 2, 1 + w % 3);
    workload.priority = w % 5;
    pool.share(workload.pod_sets);
    world.workloads.push_back(std::move(workload));
  }
  return world;
}

World world_of(const PreemptionShape& shape) {
  using Regime = PreemptionShape::Regime;
  World world;
  world.now = start + Duration::seconds(shape.candidates + 1);
  add_flavors(world, 1);
  bool own = shape.regime == Regime::own_queue;
  int others = own ? 0 : 10;
  ClusterQueue queue = queue_of("asks", "cohort");
  queue.preemption.within_cluster_queue = PreemptionPolicy::lower_priority;
  queue.preemption.reclaim_within_cohort = PreemptionPolicy::any;
  add_flavor(queue, "f1", shape.candidates);
  add_queue(world, std::move(queue));
  for (int q = 0; q < others; ++q) {
    ClusterQueue other = queue_of(fmt::format("borrows{:02}", q), "cohort");
    add_flavor(other, "f1", 0);
    add_queue(world, std::move(other));
  }
  PodSetPool pool;
  for (int w = 0; w < shape.candidates; ++w) {
    std::string name = own ? "asks" : fmt::format("borrows{:02}", w % others);
    Workload workload = workload_of(w, name, 1, 1);
    workload.priority = w % 7;
    set_running(workload, name, "f1", start + Duration::seconds(w));
    pool.share(workload.pod_sets);
    world.workloads.push_back(std::move(workload));
  }
  Workload asks = workload_of(shape.candidates, "asks", shape.victims, 1);
  asks.priority = 1000;
  world.workloads.push_back(std::move(asks));
  std::sort(world.cluster_queues.begin(), world.cluster_queues.end(),
            [](const ClusterQueue& a, const ClusterQueue& b) { return a.name < b.name; });
  std::sort(world.local_queues.begin(), world.local_queues.end(),
            [](const LocalQueue& a, const LocalQueue& b) { return a.name < b.name; });
  return world;
}

World world_at_rest(int queues, int pending, int room) {
  World world = world_of(CycleShape{queues, std::max(1, queues / 10), pending, 1, false});
  // A workload asks for 4 cpu on average: two pods of one to three.
  for (ClusterQueue& queue : world.cluster_queues) {
    queue.resource_groups[0].flavors[0].resources[0].nominal = amount("cpu", 4 * std::int64_t{room});
  }
  return world;
}

}  // namespace sluice::tools
