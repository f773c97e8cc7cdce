#pragma once

#include <span>
#include <string>

#include "model/configuration.hpp"

namespace sluice {

/// What one pod that asks for `asked` counts: without the resources that have one of the prefixes, and with
/// outputs in place of (or beside) inputs. Allowances lower what other inputs generate, never what the pod asks
/// for itself. Exact until the end, where parts of 10^-9 round up.
/// Source   Kueue pkg/workload, applyResourceTransformations.
Resources counted_requests(const Resources& asked, std::span<const std::string> excluded_prefixes,
                           std::span<const ResourceTransformation> transformations);

}  // namespace sluice
