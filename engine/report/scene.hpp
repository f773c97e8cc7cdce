#pragma once

#include <string>

#include "base/source_map.hpp"
#include "decide/decision.hpp"
#include "model/world.hpp"

namespace sluice::report {

/// What a text about decisions needs beside them: the objects that took part, and the policy's sources.
struct Scene {
  const World& world;                  ///< with the workloads of the question
  const SourceMap* sources = nullptr;  ///< of the policy, for the spans of rules; null: no policy
  Instant now;
  bool colour = false;
};

/// The workload as its user knows it: `rayjob/train-1`; with `team-a/` in front outside of the namespace
/// `default`. A workload without an owner is `workload/NAME`.
std::string user_name(const World& world, const decide::WorkloadName& name);
std::string user_name(const Workload& workload);

/// The workload of the world; null if there is none.
const Workload* find_workload(const World& world, const decide::WorkloadName& name);

/// `queue.yaml:12`, or empty.
std::string place_of(const World& world, Origin origin);
/// `policies/a.sluice:9`, or empty.
std::string place_of(const Scene& scene, Span span);

}  // namespace sluice::report
