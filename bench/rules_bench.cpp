// Rules in the neutral form that other policy engines were measured with: one JSON object a line, see data/README.md.
//
//     rules_bench [FOLDER]      reads rules.jsonl, workloads.jsonl and expected.jsonl of FOLDER, by default bench/data
//
// The rules become policy text and go through the whole pipeline; the workloads become a World. The counts must be
// those of expected.jsonl, else the times mean nothing and the exit code is 1.
#include <rapidjson/document.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "decide/rule_tables.hpp"
#include "lang/load.hpp"
#include "vm/machine.hpp"

using namespace sluice;

namespace {

using Clock = std::chrono::steady_clock;
using Json = rapidjson::Value;

const Instant now = *Instant::parse("2026-01-01T12:00:00Z");
constexpr int kRounds = 21;
constexpr int kCalls = 200'000;

// Part: input.

void each_line(const std::string& path, const std::function<void(const Json&)>& visit) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string line;
  while (std::getline(file, line)) {
    rapidjson::Document document;
    document.Parse(line.c_str());
    if (document.HasParseError()) throw std::runtime_error("no JSON: " + path);
    visit(document);
  }
}

std::string text(const Json& value) { return {value.GetString(), value.GetStringLength()}; }

Labels labels(const Json& object) {
  Labels made;
  for (const auto& member : object.GetObject()) made[text(member.name)] = text(member.value);
  return made;
}

/// The field of an atom as a policy writes it.
std::string field(const Json& atom) {
  const std::string name = text(atom["field"]);
  if (name == "queue") return "workload.queue";
  if (name == "priorityClass") return "workload.priority-class";
  if (name == "kind") return "workload.kind";
  if (name == "priority") return "workload.priority";
  if (name == "waited") return "waited";
  if (name == "maxRun") return "(run-limit or 0s)";  // 0: no limit was asked for
  const std::string key = text(atom["key"]);
  if (name == "namespaceLabels") return fmt::format("namespace.labels[\"{}\"]", key);
  if (name == "labels") return fmt::format("labels[\"{}\"]", key);
  if (name == "totals") return fmt::format("workload.total({})", key);
  throw std::runtime_error("no such field: " + name);
}

std::string value(const Json& atom) {
  const Json& value = atom["value"];
  if (value.IsString()) return fmt::format("\"{}\"", text(value));
  if (value.IsArray()) {
    std::string list;
    for (const Json& item : value.GetArray()) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", text(item));
    return "[" + list + "]";
  }
  const std::string name = text(atom["field"]);
  const std::int64_t number = value.GetInt64();
  if (name == "waited" || name == "maxRun") return fmt::format("{}s", number);
  if (name == "totals" && text(atom["key"]) == "cpu") return fmt::format("{}m", number);
  return fmt::format("{}", number);
}

std::string condition(const Json& rule) {
  std::string all;
  for (const Json& atom : rule["all"].GetArray()) {
    const std::string op = text(atom["op"]);
    std::string one;
    if (op == "has") {
      one = "has " + field(atom);
    } else if (op == "!=" && atom.HasMember("key")) {
      // Here a label that is absent fails every test of it.
      one = fmt::format("has {0} and {0} != {1}", field(atom), value(atom));
    } else {
      one = fmt::format("{} {} {}", field(atom), op == "==" ? "=" : op, value(atom));
    }
    all += (all.empty() ? "" : " and ") + one;
  }
  return all;
}

std::string policy_text(const std::string& path) {
  std::string policy = "edition 2026\n";
  each_line(path, [&](const Json& rule) {
    policy += fmt::format("rule {} on submit {{ when {} then warn because \"x\" }}\n", text(rule["id"]), condition(rule));
  });
  return policy;
}

struct Input {
  World world;
  std::vector<std::string> queues;  // by workload
};

void add_workload(Input& input, const Json& json) {
  Namespace name_space;
  name_space.name = text(json["id"]);
  name_space.labels = labels(json["namespaceLabels"]);
  input.world.namespaces.push_back(std::move(name_space));
  Workload workload;
  workload.name = workload.name_space = text(json["id"]);
  workload.owner.own().kind = text(json["kind"]);
  workload.priority = static_cast<std::int32_t>(json["priority"].GetInt64());
  workload.priority_class = text(json["priorityClass"]);
  workload.labels = labels(json["labels"]);
  workload.created = now - Duration::seconds(json["waited"].GetInt64());
  if (const std::int64_t seconds = json["maxRun"].GetInt64(); seconds > 0) workload.max_run_seconds = seconds;
  for (const Json& set : json["podSets"].GetArray()) {
    PodSet pod_set;
    pod_set.name = text(set["name"]);
    pod_set.count = set["count"].GetInt();
    Container container;
    for (const auto& request : set["requests"].GetObject()) {
      const std::string resource = text(request.name);
      const std::int64_t amount = request.value.GetInt64();
      container.requests[resource] = resource == "cpu" ? Quantity::from_milli(amount) : Quantity::from_units(amount);
    }
    pod_set.pod.containers.push_back(std::move(container));
    workload.pod_sets.push_back(std::move(pod_set));
  }
  input.queues.push_back(text(json["queue"]));
  input.world.workloads.push_back(std::move(workload));
}

// Part: measuring.

lang::Policy load(std::string text) {
  lang::Policy policy = lang::load({lang::Source{"bench.sluice", std::move(text)}}, {});
  for (const Diagnostic& problem : policy.diagnostics.all()) {
    if (problem.severity == Severity::error) throw std::runtime_error(problem.message);
  }
  return policy;
}

/// Programs and rows, ready for questions.
struct Ready {
  Ready(const program::Program& program, const Input& input) : tables(program, input.world), machine(program) {
    for (std::size_t i = 0; i < input.world.workloads.size(); ++i) {
      decide::WorkloadState state;
      state.cluster_queue = input.queues[i];
      tables.add(input.world.workloads[i], state);
    }
    machine.bind(tables.binding());
  }

  void ask(std::uint32_t workload) {
    machine.ask(now);
    machine.set_row(program::Role::workload, workload);
    machine.set_row(program::Role::name_space, tables.name_space_row(workload));
  }

  decide::RuleTables tables;
  vm::Machine machine;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Processor time of this process: what a busy machine does not change much.
double cpu_nanoseconds() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

double nanoseconds(Clock::duration duration) { return std::chrono::duration<double, std::nano>(duration).count(); }

/// Keeps a result, so that the compiler keeps what made it.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// p50 and p99 of single calls, the clock's own time taken off, and the mean of a run of calls.
void measure_one(const char* name, const std::function<bool()>& call) {
  std::vector<double> empty;
  std::vector<double> single;
  for (int i = 0; i < kCalls; ++i) {
    const auto begin = Clock::now();
    const auto end = Clock::now();
    empty.push_back(nanoseconds(end - begin));
  }
  for (int i = 0; i < kCalls; ++i) {
    const auto begin = Clock::now();
    keep(call());
    const auto end = Clock::now();
    single.push_back(nanoseconds(end - begin));
  }
  const auto begin = Clock::now();
  for (int i = 0; i < kCalls; ++i) keep(call());
  const double mean = nanoseconds(Clock::now() - begin) / kCalls;
  const double clock = median(empty);
  std::sort(single.begin(), single.end());
  fmt::print("{:<28} mean {:6.1f} ns   p50 {:6.1f} ns   p99 {:6.1f} ns   (clock {:.0f} ns taken off)\n", name, mean,
             single[single.size() / 2] - clock, single[single.size() * 99 / 100] - clock, clock);
}

/// One rule and one workload: no notebook may hold more than one GPU, over two pod sets.
void bench_one() {
  const std::map<std::string, std::string> forms = {
      {"sum", "sum(p.count * p.request(nvidia.com/gpu) of p in workload.podsets) > 1"},
      {"given", "workload.total(nvidia.com/gpu) > 1"},
  };
  for (const auto& [form, total] : forms) {
    const lang::Policy policy = load(fmt::format(
        "edition 2026\nrule one on submit {{ when workload.kind = \"Notebook\" and {} then deny because \"x\" }}\n", total));
    for (const bool notebook : {true, false}) {
      Input input;
      rapidjson::Document json;
      json.Parse(R"({"id":"notebook","queue":"interactive","priorityClass":"normal","priority":1000,"kind":"Notebook",
          "namespaceLabels":{"team":"vision","env":"dev"},"labels":{"app":"train","owner":"ana"},"waited":60,"maxRun":3600,
          "podSets":[{"name":"head","count":1,"requests":{"cpu":2000,"memory":8589934592}},
                     {"name":"worker","count":2,"requests":{"cpu":4000,"memory":17179869184,"nvidia.com/gpu":4}}]})");
      add_workload(input, json);
      if (!notebook) input.world.workloads.edit(0).owner.own().kind = "Job";
      Ready ready(policy.program, input);
      const program::Condition& when = policy.program.rules[0].when;
      const auto denies = [&] {
        ready.ask(0);
        return static_cast<bool>(ready.machine.test(when));
      };
      if (denies() != notebook) throw std::runtime_error("one: wrong answer");
      measure_one(fmt::format("one, {}, {}", form, notebook ? "denied" : "other kind").c_str(), denies);
    }
  }
}

/// Every rule on every workload. False if the counts are not those expected.
bool bench_many(const std::string& folder) {
  auto begin = Clock::now();
  const lang::Policy policy = load(policy_text(folder + "/rules.jsonl"));
  const double compile = nanoseconds(Clock::now() - begin) / 1e6;
  Input input;
  each_line(folder + "/workloads.jsonl", [&](const Json& json) { add_workload(input, json); });
  begin = Clock::now();
  Ready ready(policy.program, input);
  const double bind = nanoseconds(Clock::now() - begin) / 1e6;

  const auto rules = static_cast<std::uint32_t>(policy.program.rules.size());
  const auto workloads = static_cast<std::uint32_t>(input.world.workloads.size());
  std::vector<std::uint64_t> holds((rules + 63) / 64);
  std::vector<std::uint64_t> faults(holds.size());
  std::vector<std::uint32_t> counts(rules);
  const auto run = [&] {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::uint32_t workload = 0; workload < workloads; ++workload) {
      ready.ask(workload);
      ready.machine.match(0, rules, holds, faults);
      for (std::uint32_t word = 0; word < holds.size(); ++word) {
        for (std::uint64_t bits = holds[word]; bits != 0; bits &= bits - 1) {
          ++counts[word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits))];
        }
      }
    }
  };
  const double pairs = static_cast<double>(rules) * workloads;
  std::vector<double> times;
  const double cpu_begin = cpu_nanoseconds();
  for (int round = 0; round < kRounds; ++round) {
    begin = Clock::now();
    run();
    times.push_back(nanoseconds(Clock::now() - begin) / pairs);
  }
  const double cpu = (cpu_nanoseconds() - cpu_begin) / pairs / kRounds;
  fmt::print("many, all rules of a workload {:6.2f} ns a pair (best {:.2f}, cpu {:.2f})\n", median(times),
             *std::min_element(times.begin(), times.end()), cpu);

  // The same pair by pair: a rule alone, with nothing of another rule's work reused.
  constexpr int rounds_alone = 3;
  const double alone_begin = cpu_nanoseconds();
  begin = Clock::now();
  for (int round = 0; round < rounds_alone; ++round) {
    for (std::uint32_t workload = 0; workload < workloads; ++workload) {
      for (std::uint32_t rule = 0; rule < rules; ++rule) {
        ready.ask(workload);
        keep(ready.machine.test(policy.program.rules[rule].when));
      }
    }
  }
  fmt::print("many, each rule by itself     {:6.2f} ns a pair (cpu {:.2f})\n", nanoseconds(Clock::now() - begin) / pairs / rounds_alone,
             (cpu_nanoseconds() - alone_begin) / pairs / rounds_alone);
  fmt::print("{} rules, {} workloads, {} distinct predicates; compile {:.1f} ms, bind {:.1f} ms\n", rules, workloads,
             policy.program.predicates.size(), compile, bind);

  std::map<std::string, std::uint32_t> expected;
  each_line(folder + "/expected.jsonl", [&](const Json& json) { expected[text(json["id"])] = json["matches"].GetUint(); });
  std::uint64_t sum = 0;
  std::uint32_t wrong = 0;
  for (std::uint32_t rule = 0; rule < rules; ++rule) {
    sum += counts[rule];
    const auto want = expected.find(policy.program.rules[rule].name);
    if (want != expected.end() && want->second == counts[rule]) continue;
    if (++wrong <= 5) fmt::print("{}: {} matches, not as expected\n", policy.program.rules[rule].name, counts[rule]);
  }
  fmt::print("{} matches in all, {} of {} rules as expected\n", sum, rules - wrong, expected.size());
  return wrong == 0 && expected.size() == rules;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bench_one();
    return bench_many(argc > 1 ? argv[1] : SLUICE_SOURCE_DIR "/bench/data") ? 0 : 1;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "rules_bench: {}\n", problem.what());
    return 2;
  }
}
