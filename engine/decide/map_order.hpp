#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "decide/work.hpp"

namespace sluice::decide {

/// The order in which Go goes over a map of workloads. Kueue sorts its queues anew, and brings back what is parked, one by
/// one in that order; where what they are sorted by has changed meanwhile, it shows in who comes first. Go starts
/// anywhere and goes around, but up to eight keys have places (the lowest free one for each that comes), so not every order
/// is possible. Here it starts at the first place. A map that ever held more than eight goes in an order by
/// chance, its own but the same each time: here by WorkId.
class MapOrder {
 public:
  void insert(WorkId id) {
    if (is_large_) return;
    auto free = std::find(places_.begin(), places_.end(), kFree);
    if (free == places_.end()) {
      is_large_ = true;
    } else {
      *free = id;
    }
  }
  void erase(WorkId id) {
    if (!is_large_) std::replace(places_.begin(), places_.end(), id, kFree);
  }
  /// Workloads in the map, given in any order.
  std::vector<WorkId> sorted(std::vector<WorkId> some) const {
    if (is_large_) {
      std::sort(some.begin(), some.end());
    } else {
      auto place = [&](WorkId id) { return std::find(places_.begin(), places_.end(), id); };
      std::sort(some.begin(), some.end(), [&](WorkId a, WorkId b) { return place(a) < place(b); });
    }
    return some;
  }

 private:
  static constexpr WorkId kFree = kNone;
  std::array<WorkId, 8> places_ = {kFree, kFree, kFree, kFree, kFree, kFree, kFree, kFree};
  bool is_large_ = false;
};

}  // namespace sluice::decide
