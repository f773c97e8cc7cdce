#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kube/jobs.hpp"
#include "kube/manifest.hpp"
#include "model/world.hpp"

namespace sluice::kube {

struct DecodeOptions {
  Instant now;  ///< creationTimestamp of objects that have none
  /// A scenario: an object without uid has its name for one, and equal times order by it. Otherwise such a
  /// workload is marked `synthetic_uid`: equal times then keep the order of arrival. Scenarios may also use
  /// names that the API server refuses (`R` for a cohort) and leave out what a schema requires, but all kinds
  /// must be known.
  bool scenario = false;
  Configuration kueue = {};  ///< decides what becomes of jobs
};

/// An object that was read but has no effect.
struct Skipped {
  Origin origin;
  std::string api_version;
  std::string kind;
  std::string name;
  std::string reason;  ///< of a job that Kueue makes no Workload of: why; empty: Sluice does not use the kind
};

/// Is there a kind of this name in any group, be it one without effect?
bool is_kind(std::string_view kind);

/// Decodes, checks, converts to v1beta2 and defaults objects as the API server and Kueue's webhooks do, and
/// adds them to `world`; an object of the same kind and name is replaced (a workload without a status keeps
/// the one it had). Jobs become Workloads after all else, as Kueue makes them; a Workload among the objects
/// that was made of one of the jobs stands for it. Returns the objects of kinds that Sluice does not use and
/// the jobs without a Workload. Throws Error at the first object that the cluster would refuse; `world` may
/// then hold some of the others.
std::vector<Skipped> add_objects(World& world, std::span<const Object> objects, const DecodeOptions& options);

}  // namespace sluice::kube
