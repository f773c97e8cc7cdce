#pragma once

#include "base/diagnostic.hpp"
#include "lang/checked.hpp"

namespace sluice::lang {

/// Fills `checked.costs` and reports what would take too long: two loops over all workloads inside each other,
/// functions that unfold without end in sight. The declarations have no errors.
void check_costs(Checked& checked, Diagnostics& diagnostics);

}  // namespace sluice::lang
