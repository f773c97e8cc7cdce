#pragma once

#include <string_view>

#include "decide/decision.hpp"
#include "model/world.hpp"

namespace sluice::tools {

/// The workload that a user means: `rayjob/train`, `job/train` (any kind of job), `workload/NAME` (the
/// Workload itself), `team-a/train` (a namespace), `team-a/rayjob/train`, or only `train`. Kinds in any case,
/// singular or plural, with or without their API group, as kubectl takes them. Throws Error
/// `unknown-workload` (with the nearest name) or `ambiguous-name` (with all that fit).
decide::WorkloadName find_job(const World& world, std::string_view text);

}  // namespace sluice::tools
