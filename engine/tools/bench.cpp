#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "decide/engine.hpp"
#include "report/json.hpp"
#include "tools/bench_worlds.hpp"
#include "tools/verb.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sluice::tools {
namespace {

using Clock = std::chrono::steady_clock;
using report::JsonWriter;

constexpr int usual_cycles = 60;
constexpr int preemption_runs = 15;

constexpr std::array flags = {
    Flag{.name = "cycles", .value = "N", .help = "cycle: cycles to measure in each case (default 60)"},
    Flag{.name = "fair-sharing", .help = "cycle: with fair sharing"},
    Flag{.name = "workloads", .value = "N", .help = "so many workloads in each case, instead of the usual numbers"},
};

std::int64_t since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

struct Times {
  std::int64_t median = 0, mean = 0, least = 0;
};

Times times_of(std::vector<std::int64_t> ns) {
  if (ns.empty()) return {};
  std::sort(ns.begin(), ns.end());
  auto count = static_cast<std::int64_t>(ns.size());
  return {ns[ns.size() / 2], std::accumulate(ns.begin(), ns.end(), std::int64_t{0}) / count, ns.front()};
}

/// Memory of the process in bytes; 0 where the system does not tell.
std::int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  if (!(statm >> all >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

/// What earlier cases left to the allocator would hide what the next one takes.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void print(Context& context, const JsonWriter& json) {
  context.out(json.text() + "\n");
}

decide::Options options() {
  decide::Options options;
  options.keep_attempts = false;
  options.max_cycles = 1'000'000;
  return options;
}

void bench_cycle(Context& context, const CycleShape& shape, int most_cycles, bool fair_sharing) {
  Clock::time_point begin = Clock::now();
  World world = world_of(shape);
  decide::Options given = options();
  if (fair_sharing) given.kueue.fair_sharing.emplace();
  decide::Engine engine(world, given);
  double setup = static_cast<double>(since(begin)) / 1e9;
  std::vector<std::int64_t> ns;
  std::int64_t admissions = 0;
  for (int c = 0; c < most_cycles; ++c) {
    Clock::time_point start = Clock::now();
    bool had_heads = engine.cycle();
    ns.push_back(since(start));
    for (const decide::Cycle& cycle : engine.take_cycles()) {
      admissions += std::count_if(cycle.decisions.begin(), cycle.decisions.end(), [](const auto& decision) {
        return decision.outcome == decide::Outcome::admitted;
      });
    }
    engine.tick(Duration::seconds(1));
    if (!had_heads || (!shape.is_blocked && shape.pending < (c + 2) * shape.queues)) break;
  }
  Times times = times_of(ns);
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  json.member("kind", "cycle");
  json.member("regime", shape.is_blocked ? "blocked" : "admit");
  json.member("clusterQueues", shape.queues);
  json.member("cohorts", shape.cohorts);
  json.member("pendingWorkloads", shape.pending);
  json.member("flavors", shape.flavors);
  if (fair_sharing) json.key("fairSharing").boolean(true);
  json.member("cycles", static_cast<std::int64_t>(ns.size()));
  json.member("cycleMedianNs", times.median);
  json.member("cycleMeanNs", times.mean);
  json.member("cycleMinNs", times.least);
  json.member("snapshotMedianNs", std::int64_t{0});  // a cycle works on the tree itself
  json.member("perHeadMedianNs", times.median / shape.queues);
  json.member("admissions", admissions);
  double seconds = static_cast<double>(times.mean) * static_cast<double>(ns.size()) / 1e9;
  json.key("admissionsPerSecond")
      .raw(fmt::format("{:.1f}", shape.is_blocked ? 0.0 : static_cast<double>(admissions) / seconds));
  json.key("setupSeconds").raw(fmt::format("{:.6f}", setup));
  json.end_object();
  print(context, json);
}

std::string_view name_of(PreemptionShape::Regime regime) {
  switch (regime) {
    case PreemptionShape::Regime::own_queue:
      return "own queue";
    case PreemptionShape::Regime::cohort:
      return "cohort";
    case PreemptionShape::Regime::fair_sharing:
      return "fair sharing";
  }
  return {};
}

void bench_preemption(Context& context, const PreemptionShape& shape) {
  World world = world_of(shape);
  decide::Options given = options();
  if (shape.regime == PreemptionShape::Regime::fair_sharing) {
    given.kueue.fair_sharing.emplace();
  }
  std::vector<std::int64_t> ns;
  std::int64_t victims = 0;
  for (int run = 0; run < preemption_runs; ++run) {
    decide::Engine engine(world, given);
    Clock::time_point start = Clock::now();
    engine.cycle();
    ns.push_back(since(start));
    for (const decide::Cycle& cycle : engine.take_cycles()) {
      for (const decide::Decision& decision : cycle.decisions)
        victims = static_cast<std::int64_t>(decision.victims.size());
    }
  }
  Times times = times_of(ns);
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  json.member("kind", "preemption");
  json.member("regime", name_of(shape.regime));
  json.member("candidates", shape.candidates);
  json.member("victims", victims);
  json.member("runs", preemption_runs);
  json.member("cycleMedianNs", times.median);
  json.member("cycleMinNs", times.least);
  json.end_object();
  print(context, json);
}

/// A whole cluster, decided until nothing moves.
void bench_rest(Context& context, int queues, int pending, int room) {
  give_back_memory();
  std::int64_t before = resident_bytes();
  World world = world_at_rest(queues, pending, room);
  std::int64_t objects = resident_bytes() - before;
  Clock::time_point begin = Clock::now();
  decide::Engine engine(world, options());
  std::int64_t built = since(begin);
  std::int64_t memory = resident_bytes() - before;
  int cycles = 0;
  std::int64_t admissions = 0;
  std::vector<decide::Cycle> done;
  decide::RunEnd end = engine.run();
  std::int64_t all = since(begin);
  for (const decide::Cycle& cycle : engine.take_cycles()) {
    ++cycles;
    admissions += std::count_if(cycle.decisions.begin(), cycle.decisions.end(), [](const auto& decision) {
      return decision.outcome == decide::Outcome::admitted;
    });
  }
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  json.member("kind", "rest");
  json.member("clusterQueues", queues);
  json.member("pendingWorkloads", pending);
  json.member("cycles", cycles);
  json.member("admissions", admissions);
  json.member("setupNs", built);
  json.member("toRestNs", all);
  json.member("objectBytesPerWorkload", objects / pending);
  json.member("bytesPerWorkload", memory / pending);
  if (end.truncated) json.key("truncated").boolean(true);
  json.end_object();
  print(context, json);
}

int number_of(const Args& args, const std::string& flag, int usual) {
  std::string text = args.value(flag, fmt::format("{}", usual));
  int number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw Error("usage", fmt::format("`--{}` cannot be `{}`", flag, text)).help("it is a number from 1 on");
  return number;
}

int run(Context& context, const Args& args) {
  std::string what = args.words().empty() ? "" : args.words()[0];
  constexpr std::array<std::string_view, 4> known = {"", "cycle", "preemption", "rest"};
  if (std::find(known.begin(), known.end(), what) == known.end()) {
    throw Error("usage", fmt::format("nothing is measured as `{}`", what))
        .help("it is cycle, preemption or rest; without a name all of them");
  }
  int cycles = number_of(args, "cycles", usual_cycles);
  bool fair_sharing = args.has("fair-sharing");
  std::optional<int> workloads;
  if (args.has("workloads")) workloads = number_of(args, "workloads", 0);
  auto numbers = [&](std::vector<int> usual) { return workloads ? std::vector{*workloads} : usual; };

  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  json.member("kind", "machine");
  json.member("sluiceVersion", SLUICE_VERSION);
  json.member("cpus", static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  json.end_object();
  print(context, json);
  if (what.empty() || what == "cycle") {
    for (int flavors : {1, 3}) {
      for (int pending : numbers({10'000, 100'000})) {
        for (int queues : {100, 1000}) {
          for (bool blocked : {false, true})
            bench_cycle(context, {queues, queues / 10, pending, flavors, blocked}, cycles, fair_sharing);
        }
      }
    }
  }
  if (what.empty() || what == "preemption") {
    for (auto regime : {PreemptionShape::Regime::own_queue, PreemptionShape::Regime::cohort,
                        PreemptionShape::Regime::fair_sharing}) {
      for (int candidates : numbers({100, 1000, 10'000})) {
        for (int victims : {1, std::max(1, candidates / 10), candidates})
          bench_preemption(context, {regime, candidates, victims});
      }
    }
  }
  if (what.empty() || what == "rest") {
    for (int queues : {100, 1000}) bench_rest(context, queues, numbers({100'000}).front(), 50);
  }
  return exit_fine;
}

}  // namespace

constinit const Verb bench_verb{
    .name = "bench",
    .usage = "[cycle | preemption | rest] [--cycles N] [--fair-sharing] [--workloads N]",
    .summary = "what decisions cost on this machine, as JSON lines",
    .details =
        "cycle: scheduling cycles of 100 and 1,000 queues, 10,000 and 100,000 waiting workloads, one and three\n"
        "flavors; every head is admitted, until too few wait, or none. preemption: one head and 100 to 10,000\n"
        "workloads that it may preempt. rest: 100,000 workloads, decided until nothing moves, and the memory they\n"
        "take. --cycles and --fair-sharing say something to cycle only.\n"
        "docs/performance.md says what the numbers mean.\n",
    .flags = flags,
    .max_words = 1,
    .run = run,
};

}  // namespace sluice::tools
