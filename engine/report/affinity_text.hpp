#pragma once

#include <string>
#include <vector>

#include "decide/decision.hpp"

namespace sluice::report {

/// What Kueue says of an affinity with expressions that Kubernetes does not take; `all` is not empty.
/// Source: component-helpers nodeaffinity, apimachinery labels.NewRequirement.
std::string kueue_affinity_error(const std::vector<decide::InvalidRequirement>& all);

}  // namespace sluice::report
