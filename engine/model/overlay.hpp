#pragma once

#include "model/world.hpp"

namespace sluice {

/// Lays the objects that a policy declares over `world`. A name that both declare is the policy's. Origins
/// are kept: the files of `declarations` are added to those of `world` and the indices follow.
/// Keeps every kind sorted by (namespace, name); `world.now` stays. Capacity signals go by flavor.
void overlay(World& world, const World& declarations);

/// A copy of everything but the workloads.
World without_workloads(const World& world);

/// Sorts every kind by (namespace, name), stably; the first of two equal names comes first.
void sort_objects(World& world);

}  // namespace sluice
