#pragma once

#include <string>
#include <vector>

#include "model/objects.hpp"

namespace sluice::decide {

/// Whether a container of the pod asks for, or is limited in, one of the resources; of none listed: always.
/// Such pod sets are in a ProvisioningRequest, and without one of them the check needs no request.
bool uses_managed(const PodTemplate& pod, const std::vector<std::string>& managed);

}  // namespace sluice::decide
