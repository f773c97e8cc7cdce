#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "decide/work.hpp"

namespace sluice::decide {

/// Finds workloads by namespace and name. It keeps numbers only: of a hundred thousand that wait the names are
/// in the snapshot already.
class NameIndex {
 public:
  /// `works` must be the same vector in every call; it may grow.
  void insert(const Works& works, WorkId id);
  void erase(const Works& works, WorkId id);
  /// kNone if there is none of that name.
  WorkId find(const Works& works, const WorkloadName& name) const;
  /// All of them, by name.
  std::vector<WorkId> sorted(const Works& works) const;

 private:
  // By the hash of the name.
  std::unordered_multimap<std::size_t, WorkId> by_hash_;
};

}  // namespace sluice::decide
