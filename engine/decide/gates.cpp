#include "decide/gates.hpp"

#include <algorithm>

#include "decide/cluster.hpp"
#include "decide/unsupported.hpp"

namespace sluice::decide {
namespace {

bool has_multikueue(const World& world) {
  return std::any_of(world.admission_checks.begin(), world.admission_checks.end(),
                     [](const AdmissionCheck& check) { return check.controller == kMultiKueueController; });
}

/// Whether another setting of the gate could change a decision on this world.
bool counts(GateUse use, const World& world) {
  switch (use) {
    case GateUse::refused:
      return true;
    case GateUse::topology:
      return !world.topologies.empty();
    case GateUse::multikueue:
      return has_multikueue(world);
    case GateUse::decides:
    case GateUse::idle:
      break;
  }
  return false;
}

}  // namespace

void refuse_undecided(const Configuration& configuration, const World& world) {
  const Gates decided;
  for (const GateInfo& gate : gate_table()) {
    bool value = configuration.gates.*(gate.member);
    if (value != decided.*(gate.member) && counts(gate.use, world))
      throw Unsupported("the feature gate " + std::string(gate.name) +
                        (value ? " switched on" : " switched off"));
  }
  if (configuration.maps_device_classes) throw Unsupported("device classes");
}

}  // namespace sluice::decide
