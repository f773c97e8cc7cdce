#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "model/kueue_version.hpp"

namespace sluice {

/// What a line of releases does with a gate unless told otherwise; `gates.def` says what the names mean.
enum class GateState : std::uint8_t {
  alpha,
  beta,
  beta_off,
  deprecated,
  locked_on,
  locked_off,
  none_on,
  none_off
};

constexpr bool is_on(GateState state) {
  return state == GateState::beta || state == GateState::locked_on || state == GateState::none_on;
}

/// Whether decisions depend on a gate; `gates.def` says what the names mean.
enum class GateUse : std::uint8_t { decides, refused, topology, multikueue, idle };

/// The line of Kueue that is followed and its feature gates; made by `gates_of`. As it is made here: the newest
/// release with its defaults.
struct Gates {
  KueueVersion version = kNewestKueue;
#define GATE(name, member, in_0_17, in_0_18, in_0_19, in_0_20, use) bool member = is_on(GateState::in_0_19);
#include "model/gates.def"
#undef GATE
};

struct GateInfo {
  std::string_view name;
  bool Gates::*member;
  std::array<GateState, 4> states;  ///< by KueueVersion
  GateUse use;

  GateState state(KueueVersion version) const { return states[static_cast<std::size_t>(version)]; }
};

/// All gates that any known line has, by name.
std::span<const GateInfo> gate_table();

/// Settings of gates as Kueue takes them, with its `AllAlpha` and `AllBeta`.
using GateSettings = std::map<std::string, bool>;

/// The defaults of a line with settings. Throws as set_gates.
Gates gates_of(KueueVersion version, const GateSettings& settings);
/// Sets gates of the line that `gates` follows. Throws Error: "unknown-feature-gate" for a name that the line does not
/// have, "locked-feature-gate" for a setting that it does not allow.
void set_gates(Gates& gates, const GateSettings& settings);

/// Refuses what the manager does not start with: a gate that is on although one that it builds on is off. Throws Error
/// "feature-gate-needs". Scenarios may do it; then such a gate does what it can.
void refuse_unmet_needs(const Gates& gates);

}  // namespace sluice
