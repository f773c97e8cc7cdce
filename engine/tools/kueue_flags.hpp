#pragma once

#include "model/configuration.hpp"
#include "tools/verb.hpp"

/// The flags that say which Kueue decides: its line of releases, its manager's configuration, its feature gates.
namespace sluice::tools {

inline constexpr Flag kueue_flag{.name = "kueue",
                                 .value = "VERSION",
                                 .help = "decide as this Kueue does: 0.17, 0.18, 0.19 (default) or 0.20"};
/// For `load`, which decides nothing.
inline constexpr Flag kueue_load_flag{.name = "kueue",
                                      .value = "VERSION",
                                      .help = "make Workloads as this Kueue does: 0.17, 0.18, 0.19 (default) or 0.20"};
inline constexpr Flag kueue_config_flag{
    .name = "kueue-config",
    .value = "FILE",
    .help = "how its manager is set up: a Configuration of config.kueue.x-k8s.io"};
inline constexpr Flag feature_gates_flag{.name = "feature-gates",
                                         .value = "NAME=BOOL,…",
                                         .help = "its feature gates; they win over those of the configuration",
                                         .repeated = true};

/// What these flags say; without them what Configuration says of itself. Throws Error "usage", "file",
/// "unknown-kueue-version", and what the configuration and the gates are refused with.
Configuration kueue_of(const Context& context, const Args& args);

}  // namespace sluice::tools
