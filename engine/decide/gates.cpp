#include "decide/gates.hpp"

#include "decide/unsupported.hpp"

namespace sluice::decide {

void refuse_undecided(const Configuration& configuration, const World& world) {
  const Gates decided;
  for (const GateInfo& gate : gate_table()) {
    bool value = configuration.gates.*(gate.member);
    bool counts =
        gate.use == GateUse::refused || (gate.use == GateUse::topology && !world.topologies.empty());
    if (counts && value != decided.*(gate.member))
      throw Unsupported("the feature gate " + std::string(gate.name) +
                        (value ? " switched on" : " switched off"));
  }
  if (configuration.wait_for_pods_ready) throw Unsupported("waitForPodsReady");
  if (!configuration.transformations.empty()) throw Unsupported("resource transformations");
  if (configuration.maps_device_classes) throw Unsupported("device classes");
}

}  // namespace sluice::decide
