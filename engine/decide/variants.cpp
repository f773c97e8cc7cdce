#include <algorithm>

#include "decide/core.hpp"
#include "decide/variants.hpp"

/// Concurrent admission: a workload stands in its queue once for each flavor, as variants that it owns. Here is
/// what the scheduler knows of them. Source   Kueue pkg/workload/concurrentadmission, pkg/scheduler.
namespace sluice::decide {
namespace {

/// Names between commas, without the blanks around them.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    std::size_t first = text.find_first_not_of(" \t\n\r", begin);
    if (first < end) {
      std::size_t last = text.find_last_not_of(" \t\n\r", end - 1);
      names.push_back(text.substr(first, last - first + 1));
    }
    begin = end + 1;
  }
  return names;
}

}  // namespace

/// A gate of the spec that the status does not know is closed.
void Core::read_gates(Work& work) const {
  work.preemption_gates.clear();
  for (const std::string& name : work.object->preemption_gates) {
    PreemptionGateState& gate = work.preemption_gates.emplace_back();
    gate.name = name;
    for (const PreemptionGateState& state : work.object->gate_states) {
      if (state.name == name) gate = state;
    }
  }
}

void Core::read_variant(Work& work) {
  if (!gates.concurrent_admission) return;
  const Workload& object = *work.object;
  work.is_variant = object.owner->kind == "Workload" && object.owner->group == "kueue.x-k8s.io";
  auto label = object.labels.find(kVariantParentLabel);
  auto has_policy = [&](QueueId queue) {
    return queue != kNone && cluster.queues[queue].object->concurrent_admission;
  };
  work.is_parent = (label != object.labels.end() && label->second == "true") ||
                   (!work.is_variant && has_policy(work.queue));
  join_family(work);
  work.is_uncharged = !work.is_variant && has_policy(work.holds_in);
  auto allowed = object.annotations.find(kAllowedFlavors);
  work.is_restricted = allowed != object.annotations.end();
  work.allowed_flavors.clear();
  if (!work.is_restricted) return;
  for (const std::string& name : names_in(allowed->second)) {
    FlavorId flavor = cluster.flavor_names.intern(name);
    if (flavor >= cluster.flavors.size()) cluster.flavors.resize(flavor + 1, nullptr);
    work.allowed_flavors.push_back(flavor);
  }
}

namespace {

/// The place of a variant's flavor in its queue; negative: it has none.
std::ptrdiff_t place_of(const Work& variant, const Queue& queue) {
  if (variant.allowed_flavors.empty() || queue.groups.empty()) return -1;
  const std::vector<FlavorId>& flavors = queue.groups[0].flavors;
  auto it = std::find(flavors.begin(), flavors.end(), variant.allowed_flavors.front());
  return it == flavors.end() ? -1 : it - flavors.begin();
}

}  // namespace

WorkId Core::admitted_sibling(const Work& work, bool more_favorable) const {
  const Queue& queue = cluster.queues[work.queue];
  std::ptrdiff_t own = place_of(work, queue);
  if (own < 0 || work.object->owner->uid.empty()) return kNone;
  for (WorkId id : reserving[work.queue]) {
    const Work& other = works[id];
    if (&other == &work || !other.admitted || other.object->owner->uid != work.object->owner->uid) continue;
    std::ptrdiff_t place = place_of(other, queue);
    if (place >= 0 && (more_favorable ? place < own : place > own)) return id;
  }
  return kNone;
}

bool Core::may_migrate(const Work& work) const {
  const Queue& queue = cluster.queues[work.queue];
  const std::string& last = queue.object->last_acceptable_flavor;
  if (last.empty()) return true;
  const std::vector<FlavorId>& flavors = queue.groups[0].flavors;
  auto it = std::find(flavors.begin(), flavors.end(), cluster.flavor_names.find(last));
  return place_of(work, queue) <= it - flavors.begin();
}

}  // namespace sluice::decide
