#pragma once

#include <cstddef>
#include <unordered_map>

#include "model/objects.hpp"

namespace sluice {

/// Lets workloads with equal pod sets share them. Thousands of jobs are made of a few templates, and those are
/// most of a snapshot.
class PodSetPool {
 public:
  /// Replaces the pod sets by equal ones that were shared before; remembers them otherwise.
  void share(SharedVector<PodSet>& pod_sets);

 private:
  std::unordered_multimap<std::size_t, SharedVector<PodSet>> known_;  // by a hash of what differs most often
};

}  // namespace sluice
