#pragma once

#include <string>

#include "kube/manifest.hpp"
#include "model/pod.hpp"

namespace sluice::kube {

/// The role of a pod in its group, as Kueue names the pod set: 8 hexadecimal digits of the SHA-256 over the
/// fields that admission reads, in Go's JSON. `pod` is the decoded `spec`, with the requests that the API
/// server fills in.
std::string role_hash(const Value* spec, const PodTemplate& pod);

}  // namespace sluice::kube
