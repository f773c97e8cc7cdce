#pragma once

#include "model/configuration.hpp"

namespace sluice::decide {

/// Refuses settings of the manager and of its gates that change decisions in a way that is not decided yet. Throws
/// Unsupported.
void refuse_undecided(const Configuration& configuration);

}  // namespace sluice::decide
