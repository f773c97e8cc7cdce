#pragma once

#include <cstddef>
#include <cstdint>

#include "model/world.hpp"

/// Generated Worlds: every field has a value that is not its default in some object, every optional is set in
/// some and unset in others, names hold what SQL and files find hard.
namespace sluice::test {

struct WorldSize {
  std::size_t objects = 8;  ///< of every kind but the two below
  std::size_t nodes = 8;
  std::size_t workloads = 20;
};

/// The same seed and size give the same World: sorted, without doubles.
World make_world(std::uint32_t seed, const WorldSize& size = {});

/// As a busy cluster looks: plain names, one or two pod sets a workload, the labels that Kueue and JobSet
/// set.
World make_plain_world(std::size_t workloads, std::size_t nodes);

}  // namespace sluice::test
