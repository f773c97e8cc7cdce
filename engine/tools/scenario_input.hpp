#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decide/engine.hpp"
#include "kube/decode.hpp"
#include "kube/manifest.hpp"
#include "model/world.hpp"

namespace sluice::tools {

/// A scenario, read: the cluster at its start and the settings of Kueue's manager.
struct Scenario {
  const kube::Manifest& manifest;  ///< owns the root and the steps
  kube::Value root;
  std::string name;
  std::string profile;
  World world;
  decide::Options options;
  kube::DecodeOptions decoding;  ///< for objects of steps
  std::vector<kube::Value> steps;
};

/// Reads one scenario of a manifest, which must outlive it (docs/scenarios.md).
/// Throws Error: what the oracle would refuse, too, and "not-yet-decided". `name` and `profile` are set as
/// soon as they are known, for the result line.
Scenario read_scenario(const kube::Manifest& manifest, const kube::Value& root, std::string& name,
                       std::string& profile);

// What a value must be; `name` is what the error calls it. Each throws Error `bad-scenario` at the value.

std::string_view text_in(const kube::Manifest& manifest, const kube::Value& value, std::string_view name);
std::int32_t number_in(const kube::Manifest& manifest, const kube::Value& value, std::string_view name);
bool flag_in(const kube::Manifest& manifest, const kube::Value& value, std::string_view name);
/// RFC 3339, or with `now` also `+` and a duration.
Instant instant_in(const kube::Manifest& manifest, const kube::Value& value, std::string_view name,
                   std::optional<Instant> now = {});

/// Refuses what is no object, or has members that are not among `known`. Throws Error `bad-scenario`.
void check_members(const kube::Manifest& manifest, const kube::Value& map, std::initializer_list<std::string_view> known);

}  // namespace sluice::tools
