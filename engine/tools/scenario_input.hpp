#pragma once

#include <cstdint>
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
  kube::Manifest manifest;  ///< owns the steps
  std::string name;
  std::string profile;
  World world;
  decide::Options options;
  kube::DecodeOptions decoding;  ///< for objects of steps
  std::vector<kube::Value> steps;
};

/// Throws Error: what the oracle would refuse, too, and "not-yet-decided". `name` and `profile` are set as
/// soon as they are known, for the result line.
Scenario read_scenario(std::string_view text, const std::string& path, std::uint32_t line, std::string& name,
                       std::string& profile);

}  // namespace sluice::tools
