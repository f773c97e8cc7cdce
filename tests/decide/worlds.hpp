#pragma once

#include <string>
#include <utility>
#include <vector>

#include "decide/workload_name.hpp"
#include "model/world.hpp"

/// Small clusters, written in C++.
namespace sluice::test {

inline const Instant kNow = *Instant::parse("2026-01-01T12:00:00Z");

/// A workload of the namespace `default`.
inline decide::WorkloadName named(const char* name) {
  return {"default", name};
}

struct Quota {
  const char* resource;
  const char* nominal;
  const char* borrow = nullptr;
  const char* lend = nullptr;
};

struct FlavorOf {
  const char* flavor;
  std::vector<Quota> quotas;
};

/// A resource group; all its flavors list the same resources.
ResourceGroup group(const std::vector<FlavorOf>& flavors);
/// A queue with one group that accepts every namespace; `cohort` may be null.
ClusterQueue queue(const char* name, const char* cohort, const std::vector<FlavorOf>& flavors);

/// Adds a queue with a LocalQueue of its name, and the flavors that it names.
void add(World& world, ClusterQueue queue);

/// A workload of one pod set `main` that waits; one pod asks for `requests`.
Workload job(const char* name, const char* queue,
             const std::vector<std::pair<const char*, const char*>>& requests, int count = 1,
             int priority = 0, int created_seconds_ago = 0);
/// The same workload, running on `flavor` for each of its resources.
Workload running(Workload workload, const char* cluster_queue, const char* flavor);

/// Sorts everything as a World must be.
World finished(World world);

}  // namespace sluice::test
