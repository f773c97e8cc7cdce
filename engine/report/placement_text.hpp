#pragma once

#include <string>

#include "decide/decision.hpp"

namespace sluice::report {

/// Why pods have no place, in Kueue's words.
std::string kueue_placement_text(const decide::PlacementFailure& failure);
std::string kueue_placement_error(const decide::PodSetDecision& pod_set);

/// The same for people: `topology rack: 3 of 4 pods fit; of 12 nodes 2 lack cpu, 1 has the taint …`.
std::string placement_text(const decide::PlacementFailure& failure);
std::string placement_error_text(const decide::PodSetDecision& pod_set);

}  // namespace sluice::report
