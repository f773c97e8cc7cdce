#pragma once

#include "base/source_map.hpp"
#include "lang/checked.hpp"
#include "model/world.hpp"

namespace sluice::lang {

/// The objects that a checked policy declares, as the API server would hold them: defaults filled in, sorted, each
/// with its file and line. Nothing else of the world is set.
///
/// `check C` of a flavor becomes `onFlavors` of every declared queue that has the flavor. `provision` becomes an
/// AdmissionCheck of Kueue's provisioning controller and its ProvisioningRequestConfig. `unlimited` is the number
/// that stands for it in the manifests people write: 1,000,000,000 cores or devices, 1,000,000,000Gi.
World declare(const Checked& checked, const SourceMap& sources);

}  // namespace sluice::lang
