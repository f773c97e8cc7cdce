#include "tools/scenario_input.hpp"

#include <charconv>

#include "base/error.hpp"
#include "decide/unsupported.hpp"
#include "kube/configuration.hpp"
#include "kube/decode.hpp"

namespace sluice::tools {

using decide::Unsupported;
using kube::Value;

namespace {

[[noreturn]] void refuse(const kube::Manifest& manifest, const Value& at, std::string message) {
  throw manifest.error("bad-scenario", at, std::move(message));
}

}  // namespace

void check_members(const kube::Manifest& manifest, const Value& map,
                   std::initializer_list<std::string_view> known) {
  if (!map.is_map()) refuse(manifest, map, "expected an object");
  for (const kube::Member& member : map.members()) {
    bool found = false;
    for (std::string_view name : known) found = found || name == member.key.text();
    if (!found) refuse(manifest, member.key, "unknown field `" + std::string(member.key.text()) + "`");
  }
}

namespace {

std::string text_of(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr ? std::string() : std::string(value->text());
}

bool flag(const kube::Manifest& manifest, const Value& map, std::string_view key, bool otherwise) {
  const Value* value = map.find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(manifest, *value, "`" + std::string(key) + "` is true or false");
  return value->boolean();
}

void read_options(const kube::Manifest& manifest, const Value& value, decide::Options& options) {
  check_members(
      manifest, value,
      {"kueue", "featureGates", "fairSharing", "admissionFairSharing", "waitForPodsReady", "resources", "emulation"});
  if (const Value* line = value.find("kueue")) {
    auto version = parse_kueue_version(line->text());
    if (!version) refuse(manifest, *line, "`kueue` is " + std::string(known_kueue_versions()));
    options.kueue.gates = gates_of(*version, {});
  }
  kube::read_scenario_options(manifest, value, options.kueue);
  if (const Value* emulation = value.find("emulation")) {
    check_members(manifest, *emulation, {"stopEvicted", "workloadEvents", "cyclePeriod"});
    options.stop_evicted = flag(manifest, *emulation, "stopEvicted", true);
    if (!flag(manifest, *emulation, "workloadEvents", true))
      throw Unsupported("a scenario without workload events");
    if (const Value* period = emulation->find("cyclePeriod")) {
      auto duration = Duration::parse_go(period->text());
      if (!duration) refuse(manifest, *period, "`cyclePeriod` is a duration such as `1s`");
      options.cycle_period = *duration;
    }
  }
}

}  // namespace

Scenario read_scenario(const kube::Manifest& manifest, const Value& root, std::string& name,
                       std::string& profile) {
  Scenario scenario{manifest, {}, {}, {}, {}, {}, {}};
  if (root.is_map()) {
    name = scenario.name = text_of(root, "name");
    profile = scenario.profile = text_of(root, "profile");
  }
  check_members(manifest, root,
                {"name", "rule", "profile", "now", "options", "maxCycles", "objects", "steps", "expect", "source"});
  auto now = Instant::parse("2026-01-01T00:00:00Z");
  if (const Value* given = root.find("now")) {
    now = Instant::parse(given->text());
    if (!now) refuse(manifest, *given, "`now` is an RFC 3339 time");
  }
  scenario.options.cycle_period = Duration::seconds(1);
  scenario.options.make_variants = false;  // as in the recorded runs
  if (const Value* cycles = root.find("maxCycles")) {
    std::int64_t number = 0;
    std::string_view digits = cycles->text();
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (result.ec != std::errc{} || result.ptr != digits.data() + digits.size()) {
      refuse(manifest, *cycles, "`maxCycles` is a whole number");
    }
    if (number > 0) scenario.options.max_cycles = static_cast<std::uint32_t>(number);
  }
  if (const Value* options = root.find("options")) read_options(manifest, *options, scenario.options);
  scenario.options.explained.emplace();  // nobody: the result has no place for it
  scenario.world.now = *now;
  scenario.world.files.push_back(manifest.path());
  if (const Value* objects = root.find("objects")) {
    if (!objects->is_list()) refuse(manifest, *objects, "`objects` is a list");
    std::vector<kube::Object> all;
    for (const Value& object : objects->items()) {
      for (const kube::Object& one : kube::objects_of(manifest, object)) all.push_back(one);
    }
    kube::DecodeOptions& decoding = scenario.decoding;
    decoding.now = *now;
    decoding.scenario = true;
    decoding.kueue = scenario.options.kueue;
    kube::add_objects(scenario.world, all, decoding);
    // The job's own controller makes the Workload when the scenario starts.
    for (Workload& workload : scenario.world.workloads.edit_all()) {
      if (!workload.owner->kind.empty() && workload.owner->kind != "Workload") workload.created = *now;
    }
  }
  if (const Value* steps = root.find("steps")) {
    if (!steps->is_list()) refuse(manifest, *steps, "`steps` is a list");
    for (const Value& step : steps->items()) {
      check_members(manifest, step,
                    {"at", "finish", "activate", "deactivate", "setCheck", "provision", "priority", "reclaim",
                     "podsReady", "stopPolicy", "apply", "delete"});
      std::size_t actions = step.members().size() - (step.find("at") == nullptr ? 0 : 1);
      if (step.members().empty() || actions > 1) refuse(manifest, step, "a step has one action, with `at` or without, or `at` alone");
    }
    scenario.steps.assign(steps->items().begin(), steps->items().end());
  }
  return scenario;
}

}  // namespace sluice::tools
