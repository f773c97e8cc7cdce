#include "decide/gates.hpp"

#include "decide/unsupported.hpp"

namespace sluice::decide {

void refuse_undecided(const Configuration& configuration) {
  const Gates decided;
  for (const GateInfo& gate : gate_table()) {
    bool value = configuration.gates.*(gate.member);
    if (gate.use == GateUse::refused && value != decided.*(gate.member))
      throw Unsupported("the feature gate " + std::string(gate.name) +
                        (value ? " switched on" : " switched off"));
  }
  if (configuration.wait_for_pods_ready) throw Unsupported("waitForPodsReady");
  if (!configuration.transformations.empty()) throw Unsupported("resource transformations");
  if (configuration.maps_device_classes) throw Unsupported("device classes");
}

}  // namespace sluice::decide
