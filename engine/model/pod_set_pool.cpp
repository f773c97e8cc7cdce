#include "model/pod_set_pool.hpp"

#include <functional>
#include <string>

namespace sluice {
namespace {

void mix(std::size_t& hash, std::size_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
}
void mix(std::size_t& hash, const std::string& text) {
  mix(hash, std::hash<std::string>()(text));
}
void mix(std::size_t& hash, const Resources& resources) {
  for (const auto& [resource, quantity] : resources) {
    mix(hash, resource);
    mix(hash, quantity.to_string());
  }
}

/// Equal pod sets have equal hashes; what is left out here makes buckets longer, not answers wrong.
std::size_t hash_of(const SharedVector<PodSet>& pod_sets) {
  std::size_t hash = pod_sets.size();
  for (const PodSet& pod_set : pod_sets) {
    mix(hash, pod_set.name);
    mix(hash, static_cast<std::size_t>(pod_set.count));
    for (const auto& [key, value] : pod_set.pod.labels) mix(hash, value);
    for (const auto& [key, value] : pod_set.pod.node_selector) mix(hash, value);
    for (const Container& container : pod_set.pod.containers) {
      mix(hash, container.name);
      mix(hash, container.requests);
      mix(hash, container.limits);
    }
  }
  return hash;
}

}  // namespace

void PodSetPool::share(SharedVector<PodSet>& pod_sets) {
  std::size_t hash = hash_of(pod_sets);
  auto [begin, end] = known_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second == pod_sets) {
      pod_sets = it->second;
      return;
    }
  }
  known_.emplace(hash, pod_sets);
}

}  // namespace sluice
