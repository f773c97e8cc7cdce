#pragma once

#include <cstdint>

#include "model/world.hpp"

/// Clusters that `sluice bench` measures, made in memory.
namespace sluice::tools {

/// Queues in cohorts, one flavor group of cpu and memory, workloads of one pod set of two pods.
struct CycleShape {
  int queues = 100;
  int cohorts = 10;
  int pending = 10'000;
  int flavors = 1;
  /// StrictFIFO queues without cpu: no head ever fits. Otherwise every head is admitted, with several flavors
  /// in the last one, since the others have no cpu.
  bool is_blocked = false;
};
World world_of(const CycleShape& shape);

/// One waiting workload that must preempt, and those whom it may preempt: one cpu each, all of one priority.
struct PreemptionShape {
  enum class Regime : std::uint8_t { own_queue, cohort, fair_sharing };
  Regime regime = Regime::own_queue;
  int candidates = 100;
  int victims = 1;  ///< how many it needs
};
World world_of(const PreemptionShape& shape);

/// Queues with room for `room` workloads each; the others stay.
World world_at_rest(int queues, int pending, int room);

}  // namespace sluice::tools
