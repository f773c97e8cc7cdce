#pragma once

/// Words of concurrent admission. Source   Kueue pkg/controller/constants.
namespace sluice::decide {

inline constexpr const char* kVariantParentLabel = "kueue.x-k8s.io/concurrent-admission-parent";
inline constexpr const char* kAllowedFlavors = "kueue.x-k8s.io/workload-allowed-resource-flavors";
inline constexpr const char* kVariantGate = "kueue.x-k8s.io/concurrent-admission";

}  // namespace sluice::decide
