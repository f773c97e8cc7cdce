#include "model/gates.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/suggest.hpp"

namespace sluice {
namespace {

constexpr GateInfo kGates[] = {
#define GATE(name, member, in_0_17, in_0_18, in_0_19, in_0_20, use)                                     \
  {#name,                                                                                               \
   &Gates::member,                                                                                      \
   {GateState::in_0_17, GateState::in_0_18, GateState::in_0_19, GateState::in_0_20},                    \
   GateUse::use},
#include "model/gates.def"
#undef GATE
};

/// A gate that has no effect without another one, and the first line whose manager says so.
struct Need {
  bool Gates::*gate;
  bool Gates::*needs;
  KueueVersion since;
};
// Source: Kueue pkg/config/validation.go, `LoadAndValidateFeatureGates`; in 0.20 pkg/features, the dependencies.
constexpr Need kNeeds[] = {
    {&Gates::tas_profile_mixed, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_handle_overlapping_flavors, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_failed_node_replacement, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_failed_node_replacement_fail_fast, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_failed_node_replacement_fail_fast, &Gates::tas_failed_node_replacement, KueueVersion::v0_17},
    {&Gates::tas_replace_node_on_pod_termination, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_replace_node_on_pod_termination, &Gates::tas_failed_node_replacement, KueueVersion::v0_17},
    {&Gates::tas_replace_node_due_to_not_ready_over_fixed_time, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_replace_node_due_to_not_ready_over_fixed_time, &Gates::tas_failed_node_replacement,
     KueueVersion::v0_17},
    {&Gates::tas_balanced_placement, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_replace_node_on_node_taints, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_multi_layer_topology, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::tas_respect_node_affinity_preferred, &Gates::topology_aware, KueueVersion::v0_18},
    {&Gates::tas_recompute_assignment_within_scheduling_cycle, &Gates::topology_aware, KueueVersion::v0_18},
    {&Gates::explicit_status, &Gates::observability, KueueVersion::v0_18},
    {&Gates::elastic_slices_with_tas, &Gates::elastic_slices, KueueVersion::v0_17},
    {&Gates::elastic_slices_with_tas, &Gates::topology_aware, KueueVersion::v0_17},
    {&Gates::dra_extended_resources, &Gates::dynamic_resource_allocation, KueueVersion::v0_17},
    {&Gates::kueue_dra_integration_extended_resource, &Gates::kueue_dra_integration, KueueVersion::v0_18},
    {&Gates::kueue_dra_integration_partitionable_devices, &Gates::kueue_dra_integration, KueueVersion::v0_18},
    {&Gates::kueue_dra_integration_consumable_capacity, &Gates::kueue_dra_integration, KueueVersion::v0_19},
    {&Gates::preserve_scan_progress, &Gates::flavor_fungibility, KueueVersion::v0_20},
};

bool exists(GateState state) {
  return state != GateState::none_on && state != GateState::none_off;
}

/// Is it one of the gates that `AllAlpha` or `AllBeta` sets?
bool is_of_stage(GateState state, bool alpha) {
  if (alpha) return state == GateState::alpha;
  return state == GateState::beta || state == GateState::beta_off;
}

const GateInfo& find(KueueVersion version, const std::string& name) {
  for (const GateInfo& gate : kGates) {
    if (gate.name == name && exists(gate.state(version))) return gate;
  }
  Error error("unknown-feature-gate",
              "`" + name + "` is no feature gate of Kueue " + std::string(name_of(version)));
  std::vector<std::string_view> names;
  std::string others;
  for (const GateInfo& gate : kGates) {
    if (exists(gate.state(version))) names.push_back(gate.name);
    if (gate.name != name) continue;
    for (KueueVersion other :
         {KueueVersion::v0_17, KueueVersion::v0_18, KueueVersion::v0_19, KueueVersion::v0_20}) {
      if (!exists(gate.state(other))) continue;
      if (!others.empty()) others += ", ";
      others += name_of(other);
    }
  }
  if (!others.empty()) {
    error.help("it is one of Kueue " + others);
  } else if (std::string_view meant = nearest(name, names); !meant.empty()) {
    error.help("did you mean `" + std::string(meant) + "`?");
  }
  throw error;
}

}  // namespace

std::span<const GateInfo> gate_table() {
  return kGates;
}

Gates gates_of(KueueVersion version, const GateSettings& settings) {
  Gates gates;
  gates.version = version;
  for (const GateInfo& gate : kGates) gates.*(gate.member) = is_on(gate.state(version));
  set_gates(gates, settings);
  return gates;
}

void set_gates(Gates& gates, const GateSettings& settings) {
  KueueVersion version = gates.version;
  for (bool alpha : {true, false}) {
    auto all = settings.find(alpha ? "AllAlpha" : "AllBeta");
    if (all == settings.end()) continue;
    for (const GateInfo& gate : kGates) {
      if (is_of_stage(gate.state(version), alpha)) gates.*(gate.member) = all->second;
    }
  }
  for (const auto& [name, value] : settings) {
    if (name == "AllAlpha" || name == "AllBeta") continue;
    const GateInfo& gate = find(version, name);
    GateState state = gate.state(version);
    bool locked = state == GateState::locked_on || state == GateState::locked_off;
    if (locked && value != is_on(state)) {
      throw Error("locked-feature-gate", "the feature gate `" + name + "` is locked to " +
                                             (is_on(state) ? "true" : "false") + " in Kueue " +
                                             std::string(name_of(version)));
    }
    gates.*(gate.member) = value;
  }
}

void refuse_unmet_needs(const Gates& gates) {
  auto name = [](bool Gates::*member) {
    for (const GateInfo& gate : kGates) {
      if (gate.member == member) return std::string(gate.name);
    }
    return std::string();
  };
  for (const Need& need : kNeeds) {
    if (gates.version < need.since || !(gates.*(need.gate)) || gates.*(need.needs)) continue;
    throw Error("feature-gate-needs",
                "the feature gate `" + name(need.gate) + "` is on, but `" + name(need.needs) + "` is off")
        .help("switch `" + name(need.gate) + "` off, too");
  }
}

std::optional<KueueVersion> parse_kueue_version(std::string_view text) {
  if (text.starts_with("v")) text.remove_prefix(1);
  for (KueueVersion version :
       {KueueVersion::v0_17, KueueVersion::v0_18, KueueVersion::v0_19, KueueVersion::v0_20}) {
    std::string_view name = name_of(version);
    if (text == name) return version;
    if (!text.starts_with(name) || text[name.size()] != '.') continue;
    std::string_view patch = text.substr(name.size() + 1);
    bool digits = std::all_of(patch.begin(), patch.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits && !patch.empty()) return version;
  }
  return std::nullopt;
}

std::string_view name_of(KueueVersion version) {
  switch (version) {
    case KueueVersion::v0_17:
      return "0.17";
    case KueueVersion::v0_18:
      return "0.18";
    case KueueVersion::v0_19:
      return "0.19";
    case KueueVersion::v0_20:
      return "0.20";
  }
  return {};
}

std::string_view known_kueue_versions() {
  return "0.17, 0.18, 0.19 or 0.20";
}

}  // namespace sluice
