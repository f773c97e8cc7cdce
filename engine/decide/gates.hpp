#pragma once

#include "model/configuration.hpp"
#include "model/world.hpp"

namespace sluice::decide {

/// Refuses settings of the manager and of its gates that change decisions on `world` in a way that is not decided yet.
/// Throws Unsupported.
void refuse_undecided(const Configuration& configuration, const World& world);

}  // namespace sluice::decide
