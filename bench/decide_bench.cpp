// Timings of decisions. Prints one JSON object a line:
//   decide_bench cycle    cycles over 100 and 1,000 queues, as the oracle's `bench` makes them
//   decide_bench scene    one decision: an engine with the TPU guide's quotas, one job submitted and decided
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
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

struct Shape {
  int queues;
  int pending;
  int flavors;
  bool blocked;
};

/// Cohorts of ten queues. `admit`: every head fits, with several flavors in the last one; `blocked`:
/// StrictFIFO, no head ever fits.
World world_of(const Shape& shape) {
  World world;
  world.now = kStart;
  for (int f = 0; f < shape.flavors; ++f) {
    ResourceFlavor flavor;
    flavor.name = fmt::format("f{}", f);
    world.flavors.push_back(flavor);
  }
  for (int q = 0; q < shape.queues; ++q) {
    ClusterQueue queue;
    queue.name = fmt::format("q{:05}", q);
    queue.cohort = fmt::format("c{:05}", q / 10);
    queue.namespace_selector.nothing = false;
    if (shape.blocked) queue.strategy = QueueingStrategy::strict_fifo;
    ResourceGroup group;
    group.covered_resources = {"cpu", "memory"};
    for (int f = 0; f < shape.flavors; ++f) {
      bool last = f == shape.flavors - 1;
      FlavorQuotas quotas{fmt::format("f{}", f), {}};
      quotas.resources.push_back({"cpu", amount("cpu", shape.blocked || !last ? 0 : 1'000'000), {}, {}});
      quotas.resources.push_back({"memory", amount("memory", std::int64_t{1} << 50), {}, {}});
      group.flavors.push_back(quotas);
    }
    queue.resource_groups.push_back(group);
    world.cluster_queues.push_back(queue);
    LocalQueue local;
    local.name_space = "default";
    local.name = queue.name;
    local.cluster_queue = queue.name;
    world.local_queues.push_back(local);
  }
  for (int w = 0; w < shape.pending; ++w) {
    Workload workload;
    workload.name = fmt::format("w{:07}", w);
    workload.uid = workload.name;
    workload.arrival = static_cast<std::uint64_t>(w) + 1;
    workload.queue = fmt::format("q{:05}", w % shape.queues);
    workload.created = kStart - Duration::seconds(shape.pending - w);
    workload.priority = (w * 7) % 5;
    PodSet& pod_set = workload.pod_sets.emplace_back();
    pod_set.name = "main";
    pod_set.count = 2;
    Container& container = pod_set.pod.containers.emplace_back();
    container.name = "c";
    container.requests["cpu"] = Quantity::from_units(1 + w % 3);
    container.requests["memory"] = Quantity::from_units(std::int64_t{1} << 30);
    world.workloads.push_back(workload);
  }
  return world;
}

void bench_cycle(const Shape& shape) {
  World world = world_of(shape);
  decide::Options options;
  options.keep_attempts = false;
  auto begin = Clock::now();
  decide::Engine engine(world, options);
  double build = milliseconds(Clock::now() - begin);
  std::vector<double> times;
  std::size_t admitted = 0;
  int cycles = std::min(30, shape.pending / shape.queues);
  for (int i = 0; i < cycles; ++i) {
    auto start = Clock::now();
    if (!engine.cycle()) break;
    times.push_back(milliseconds(Clock::now() - start));
    for (const decide::Cycle& cycle : engine.take_cycles()) {
      for (const decide::Decision& decision : cycle.decisions) {
        if (decision.outcome == decide::Outcome::admitted) ++admitted;
      }
    }
    engine.tick(Duration::seconds(1));
  }
  fmt::print(
      "{{\"case\":\"cycle\",\"queues\":{},\"pending\":{},\"flavors\":{},\"regime\":\"{}\",\"cycles\":{},"
      "\"median_ms\":{:.4f},\"admitted\":{},\"build_ms\":{:.1f}}}\n",
      shape.queues, shape.pending, shape.flavors, shape.blocked ? "blocked" : "admit", times.size(),
      median(times), admitted, build);
  std::fflush(stdout);
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

int main(int argc, char** argv) {
  std::string_view only = argc > 1 ? argv[1] : "";
  if (only.empty() || only == "scene") bench_scene();
  if (only.empty() || only == "cycle") {
    for (int flavors : {1, 3}) {
      for (int pending : {10'000, 100'000}) {
        for (int queues : {100, 1000}) {
          for (bool blocked : {false, true}) bench_cycle({queues, pending, flavors, blocked});
        }
      }
    }
  }
  return 0;
}
