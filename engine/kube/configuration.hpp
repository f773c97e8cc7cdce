#pragma once

#include "kube/manifest.hpp"
#include "model/configuration.hpp"

/// Kueue's manager configuration: `kind: Configuration` of config.kueue.x-k8s.io, v1beta1 and v1beta2.
/// Source: Kueue v0.19.2 apis/config (types, defaults, conversion), pkg/config (decoding, validation).
namespace sluice::kube {

/// Reads a Configuration, or the ConfigMap that holds one, as the manager of that line does at its start:
/// strictly, with the defaults of its apiVersion, converted to v1beta2, with its feature gates. Throws Error
/// "bad-configuration" at the place for what the manager would not start with; "unknown-feature-gate" and
/// "locked-feature-gate" for gates.
Configuration read_configuration(const Manifest& manifest, KueueVersion version);

/// Reads the parts that a scenario may have under `options`: featureGates, fairSharing, admissionFairSharing,
/// waitForPodsReady, resources. As in v1beta2, but: `enable` of v1beta1 is accepted, without strategies fair sharing
/// has both, and an absent part is off. Other members are left to the caller. Throws as read_configuration; what the
/// manager's validation alone would refuse is not refused.
void read_scenario_options(const Manifest& manifest, const Value& options, Configuration& configuration);

}  // namespace sluice::kube
