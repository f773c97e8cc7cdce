#pragma once

#include <cstddef>
#include <string_view>
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
  void reserve(std::size_t size);
  /// kNone if there is none of that name.
  WorkId find(const Works& works, const WorkloadName& name) const;
  /// All of them, by name.
  std::vector<WorkId> sorted(const Works& works) const;

 private:
  // One after the other from where the hash of the name points to; the rest of the hash spares most looks at names.
  struct Slot {
    WorkId work = kNone;
    std::uint32_t hash = 0;
  };
  static constexpr WorkId kLeft = kNone - 1;  // erased: a search goes on behind it

  std::size_t find_slot(const Works& works, std::string_view name_space, std::string_view name) const;
  void rebuild(std::size_t slots);

  std::vector<Slot> slots_;  // as many as a power of two, at least twice as many as are taken
  std::size_t taken_ = 0;    // with those that were left
  std::size_t size_ = 0;
};

}  // namespace sluice::decide
