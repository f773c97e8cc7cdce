#include "model/overlay.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using Key = std::pair<std::string_view, std::string_view>;

template <typename Object>
Key key_of(const Object& object) {
  if constexpr (requires { object.name_space; }) {
    return {object.name_space, object.name};
  } else {
    return {{}, object.name};
  }
}
Key key_of(const CapacitySignal& signal) {
  return {{}, signal.flavor};
}

template <typename Object>
void sort_kind(std::vector<Object>& objects) {
  std::stable_sort(objects.begin(), objects.end(),
                   [](const Object& a, const Object& b) { return key_of(a) < key_of(b); });
}

/// Both are sorted. Where keys are equal, `over` wins.
template <typename Object>
void overlay_kind(std::vector<Object>& under, std::vector<Object> over, std::uint32_t first_file) {
  if (over.empty()) return;
  for (Object& object : over) {
    if (object.origin.file != Origin{}.file) object.origin.file += first_file;
  }
  sort_kind(over);
  std::vector<Object> both;
  both.reserve(under.size() + over.size());
  auto next = over.begin();
  for (Object& object : under) {
    while (next != over.end() && key_of(*next) < key_of(object)) both.push_back(std::move(*next++));
    bool replaced = next != over.end() && key_of(*next) == key_of(object);
    if (!replaced) both.push_back(std::move(object));
  }
  std::move(next, over.end(), std::back_inserter(both));
  under = std::move(both);
}

template <typename Object>
void sort_kind(SharedList<Object>& objects) {
  objects.sort([](const Object& a, const Object& b) { return key_of(a) < key_of(b); });
}

template <typename Object>
void overlay_kind(SharedList<Object>& under, SharedList<Object> over, std::uint32_t first_file) {
  if (over.empty()) return;
  for (Object& object : over.edit_all()) {
    if (object.origin.file != Origin{}.file) object.origin.file += first_file;
  }
  sort_kind(over);
  under.overlay(over, [](const Object& object) { return key_of(object); });
}

/// The one list of the kinds of a World.
template <typename Visit>
void for_each_kind(Visit visit) {
  visit(&World::flavors);
  visit(&World::cluster_queues);
  visit(&World::cohorts);
  visit(&World::local_queues);
  visit(&World::workload_priority_classes);
  visit(&World::priority_classes);
  visit(&World::admission_checks);
  visit(&World::provisioning_configs);
  visit(&World::provisioning_requests);
  visit(&World::topologies);
  visit(&World::namespaces);
  visit(&World::limit_ranges);
  visit(&World::runtime_classes);
  visit(&World::nodes);
  visit(&World::pods);
  visit(&World::workloads);
  visit(&World::capacity);
}

}  // namespace

void overlay(World& world, const World& declarations) {
  auto first_file = static_cast<std::uint32_t>(world.files.size());
  world.files.insert(world.files.end(), declarations.files.begin(), declarations.files.end());
  for_each_kind([&](auto kind) { overlay_kind(world.*kind, declarations.*kind, first_file); });
}

World without_workloads(const World& world) {
  World out;
  out.now = world.now;
  out.files = world.files;
  for_each_kind([&](auto kind) {
    using Objects = std::remove_reference_t<decltype(out.*kind)>;
    if constexpr (!std::is_same_v<Objects, decltype(World::workloads)>) out.*kind = world.*kind;
  });
  return out;
}

void sort_objects(World& world) {
  for_each_kind([&](auto kind) { sort_kind(world.*kind); });
}

}  // namespace sluice
