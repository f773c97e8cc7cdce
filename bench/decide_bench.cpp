// Timing of one decision: an engine with the TPU guide's quotas, one job submitted and decided. Prints one JSON
// object. Cycles, preemption and memory: `sluice bench`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "decide/engine.hpp"

namespace {

using namespace sluice;
using Clock = std::chrono::steady_clock;

const Instant kStart = *Instant::parse("2026-01-01T00:00:00Z");

double milliseconds(Clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Amount amount(const char* resource, std::int64_t units) {
  return Amount::quota(resource, Quantity::from_units(units));
}

/// The quotas of the TPU guide; pod sets as a RayJob has them.
World guide() {
  World world;
  world.now = kStart;
  struct Flavor {
    const char* name;
    const char* pool;
    std::int64_t cpu, memory_gi, tpu;
  };
  const Flavor flavors[] = {{"default-cpu", "default-pool", 10, 20, 0},
                            {"dws", "dws-pool", 1'000'000'000, 1'000'000'000, 1'000'000'000},
                            {"on-demand", "on-demand-pool", 40, 75, 16}};
  ClusterQueue queue;
  queue.name = "cluster-queue";
  queue.namespace_selector.nothing = false;
  queue.resource_groups.emplace_back().covered_resources = {"cpu", "memory", "google.com/tpu"};
  for (const Flavor& flavor : flavors) {
    ResourceFlavor object;
    object.name = flavor.name;
    object.node_labels["cloud.google.com/gke-nodepool"] = flavor.pool;
    world.flavors.push_back(object);
  }
  for (int i : {0, 2, 1}) {
    const Flavor& flavor = flavors[i];
    queue.resource_groups[0].flavors.push_back(
        {flavor.name,
         {{"cpu", amount("cpu", flavor.cpu), {}, {}},
          {"memory", amount("memory", flavor.memory_gi << 30), {}, {}},
          {"google.com/tpu", amount("google.com/tpu", flavor.tpu), {}, {}}}});
  }
  world.cluster_queues.push_back(queue);
  LocalQueue local;
  local.name_space = "default";
  local.name = "user-queue";
  local.cluster_queue = "cluster-queue";
  world.local_queues.push_back(local);
  return world;
}

Workload ray_job(int number) {
  Workload job;
  job.name = fmt::format("rayjob-{}", number);
  job.uid = job.name;
  job.queue = "user-queue";
  job.created = kStart;
  auto pod_set = [&](const char* name, int count, std::int64_t cpu_milli, std::int64_t memory_mi,
                     std::int64_t tpu) {
    PodSet& set = job.pod_sets.emplace_back();
    set.name = name;
    set.count = count;
    Container& container = set.pod.containers.emplace_back();
    container.name = name;
    container.requests["cpu"] = Quantity::from_milli(cpu_milli);
    container.requests["memory"] = Quantity::from_units(memory_mi << 20);
    if (tpu > 0) container.requests["google.com/tpu"] = Quantity::from_units(tpu);
  };
  pod_set("head", 1, 2500, 4608, 0);
  job.pod_sets[0].pod.node_selector["cloud.google.com/gke-nodepool"] = "default-pool";
  pod_set("tpu-group", 4, 8000, 16384, 4);
  pod_set("submitter", 1, 500, 200, 0);
  return job;
}

void bench_scene() {
  World world = guide();
  std::vector<double> whole;
  std::vector<double> decisions;
  constexpr int kRounds = 2000;
  for (int i = 0; i < kRounds; ++i) {
    auto begin = Clock::now();
    decide::Engine engine(world, {});
    for (int job = 1; job <= 4; ++job) {
      auto start = Clock::now();
      engine.submit(ray_job(job));
      engine.run();
      if (job == 2) decisions.push_back(milliseconds(Clock::now() - start) * 1000);
    }
    whole.push_back(milliseconds(Clock::now() - begin) * 1000);
  }
  fmt::print("{{\"case\":\"scene\",\"one_decision_us\":{:.1f},\"four_jobs_us\":{:.1f}}}\n", median(decisions),
             median(whole));
}

}  // namespace

int main() {
  bench_scene();
  return 0;
}
