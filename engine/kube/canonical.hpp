#pragma once

#include <string>

#include "kube/manifest.hpp"

/// Parts of a pod as one text each, so that equal parts have equal texts: JSON without the fields that say
/// nothing (null, empty lists and texts), the keys in order.
namespace sluice::kube {

/// The ports of a container; the protocol is TCP unless given, as the API server stores it.
std::string canonical_ports(const Value& ports);

/// The fields of a pod's spec that Kueue's equivalence hash reads and PodTemplate does not hold: affinity but
/// for the required node affinity, topology spread constraints, resource claims. Empty if there are none.
std::string canonical_shape(const Value& spec);

}  // namespace sluice::kube
