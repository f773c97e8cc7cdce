#pragma once

#include <initializer_list>
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
  const kube::Manifest& manifest;  ///< owns the steps
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

/// Refuses what is no object, or has members that are not among `known`. Throws Error `bad-scenario`.
void check_members(const kube::Manifest& manifest, const kube::Value& map, std::initializer_list<std::string_view> known);

}  // namespace sluice::tools
