#include "tools/scenario_input.hpp"

#include <charconv>

#include <fmt/format.h>

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

std::string_view text_in(const kube::Manifest& manifest, const Value& value, std::string_view name) {
  if (!value.is_string()) refuse(manifest, value, fmt::format("`{}` is a text", name));
  return value.text();
}

std::int32_t number_in(const kube::Manifest& manifest, const Value& value, std::string_view name) {
  std::int32_t number = 0;
  std::string_view digits = value.text();
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (!value.is_number() || error != std::errc() || end != digits.data() + digits.size())
    refuse(manifest, value, fmt::format("`{}` is a whole number from -2147483648 to 2147483647", name));
  return number;
}

bool flag_in(const kube::Manifest& manifest, const Value& value, std::string_view name) {
  if (!value.is_boolean()) refuse(manifest, value, fmt::format("`{}` is true or false", name));
  return value.boolean();
}

Instant instant_in(const kube::Manifest& manifest, const Value& value, std::string_view name,
                   std::optional<Instant> now) {
  std::string_view text = text_in(manifest, value, name);
  bool out_of_range = Instant::is_out_of_range(text);
  if (now && text.starts_with("+")) {
    if (auto wait = Duration::parse_go(text.substr(1))) {
      if (auto sum = checked_sum(*now, *wait)) return *sum;
      out_of_range = true;
    }
  } else if (auto instant = Instant::parse(text)) {
    return *instant;
  }
  if (out_of_range) refuse(manifest, value, fmt::format("`{}` lies outside of the years 1678 to 2261", name));
  refuse(manifest, value,
         fmt::format("`{}` is an RFC 3339 time{}", name, now ? " or `+` and a duration" : ""));
}

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

std::string label_of(const kube::Manifest& manifest, const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr ? std::string() : std::string(text_in(manifest, *value, key));
}

bool flag(const kube::Manifest& manifest, const Value& map, std::string_view key, bool otherwise) {
  const Value* value = map.find(key);
  return value == nullptr ? otherwise : flag_in(manifest, *value, key);
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
  Scenario scenario{manifest, root, {}, {}, {}, {}, {}, {}};
  if (root.is_map()) {
    name = scenario.name = label_of(manifest, root, "name");
    profile = scenario.profile = label_of(manifest, root, "profile");
    for (std::string_view label : {"rule", "source"}) label_of(manifest, root, label);
  }
  check_members(manifest, root,
                {"name", "rule", "profile", "now", "options", "maxCycles", "objects", "steps", "expect", "source"});
  Instant now = *Instant::parse("2026-01-01T00:00:00Z");
  if (const Value* given = root.find("now")) now = instant_in(manifest, *given, "now");
  scenario.options.cycle_period = Duration::seconds(1);
  scenario.options.make_variants = false;  // as in the recorded runs
  if (const Value* cycles = root.find("maxCycles")) {
    std::int32_t number = number_in(manifest, *cycles, "maxCycles");
    if (number > 0) scenario.options.max_cycles = static_cast<std::uint32_t>(number);
  }
  if (const Value* options = root.find("options")) read_options(manifest, *options, scenario.options);
  scenario.options.explained.emplace();  // nobody: the result has no place for it
  scenario.world.now = now;
  scenario.world.files.push_back(manifest.path());
  kube::DecodeOptions& decoding = scenario.decoding;
  decoding.now = now;
  decoding.scenario = true;
  decoding.kueue = scenario.options.kueue;
  if (const Value* objects = root.find("objects")) {
    if (!objects->is_list()) refuse(manifest, *objects, "`objects` is a list");
    std::vector<kube::Object> all;
    for (const Value& object : objects->items()) {
      for (const kube::Object& one : kube::objects_of(manifest, object)) all.push_back(one);
    }
    kube::add_objects(scenario.world, all, decoding);
    // The job's own controller makes the Workload when the scenario starts.
    for (Workload& workload : scenario.world.workloads.edit_all()) {
      if (!workload.owner->kind.empty() && workload.owner->kind != "Workload") workload.created = now;
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
