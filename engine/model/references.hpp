#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/world.hpp"

namespace sluice {

/// An object names another one that is not there. The API server allows it, and Kueue waits for the other one
/// to appear.
struct DanglingReference {
  Origin origin;          ///< of the object that names
  std::string_view kind;  ///< as in the API: `LocalQueue`
  std::string name;       ///< `team-a/user-queue` for kinds with a namespace
  std::string_view target_kind;
  std::string target;
  bool from_workload = false;  ///< a Workload or the job it is made of: it waits for the other one to appear

  friend bool operator==(const DanglingReference&, const DanglingReference&) = default;
};

/// All of them, by kind and then in the order of the objects; each once. Cohorts need not exist to be named.
std::vector<DanglingReference> dangling_references(const World& world);

/// Cohorts whose parents lead in a circle, each before its parent; empty if there are none. Only one circle: the
/// one that the first cohort by name leads to.
std::vector<const Cohort*> cohort_cycle(const World& world);

}  // namespace sluice
