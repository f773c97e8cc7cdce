#include <algorithm>

#include "base/digest.hpp"
#include "decide/core.hpp"
#include "decide/variants.hpp"

/// Concurrent admission: the controller that makes the variants of a workload, keeps only those that could still
/// improve on the admitted one, and lets one after the other preempt.
/// Source   Kueue pkg/controller/concurrentadmission.
namespace sluice::decide {
namespace {

constexpr Duration kPatience = Duration::seconds(5 * 60);  // between two openings of gates

/// Kueue's name for a variant: without the digest of its parent's, and with one of its own.
std::string variant_name(const Workload& parent, const std::string& flavor) {
  constexpr std::size_t kLongest = 253 - 6;
  constexpr std::size_t kDigest = 5;
  std::string name = parent.name.substr(0, parent.name.rfind('-')) + "-variant-" + flavor;
  std::string told = "Workload\nkueue.x-k8s.io\n" + parent.name + "\n" + parent.uid + "\n" + flavor;
  return name.substr(0, kLongest) + "-" + sha1_hex(told).substr(0, kDigest);
}

Workload variant_of(const Workload& parent, const std::string& flavor) {
  Workload variant = parent;
  variant.name = variant_name(parent, flavor);
  variant.uid = variant.name;
  variant.synthetic_uid = true;
  variant.generation = 1;
  variant.owner = {"Workload", "kueue.x-k8s.io", parent.name, parent.uid};
  variant.labels.erase(kVariantParentLabel);
  variant.annotations[kAllowedFlavors] = flavor;
  ThinVector<std::string>& gates = variant.preemption_gates;
  if (std::find(gates.begin(), gates.end(), kVariantGate) == gates.end()) gates.emplace_back(kVariantGate);
  variant.gate_states.clear();
  variant.admitted_queue.reset();
  variant.assignments.clear();
  variant.conditions.clear();
  variant.checks.clear();
  variant.reclaimable.clear();
  variant.requeue_at.reset();
  variant.requeue_count = 0;
  variant.past_run_seconds = 0;
  return variant;
}

}  // namespace

void Core::join_family(const Work& work) {
  if (!options.make_variants) return;
  auto id = static_cast<WorkId>(&work - works.data());
  if (work.is_variant && !work.object->owner->uid.empty()) {
    std::vector<WorkId>& variants = families_[work.object->owner->uid].variants;
    if (std::find(variants.begin(), variants.end(), id) == variants.end()) variants.push_back(id);
  } else if (work.is_parent) {
    families_[work.object->uid].parent = id;
  }
}

bool Core::reconcile_families() {
  bool changed = false;
  for (auto& [uid, family] : families_) changed = reconcile_family(family) || changed;
  return changed;
}

/// A variant for every flavor that has none.
bool Core::make_variants(const Family& family, const std::vector<FlavorId>& flavors) {
  std::vector<std::string> missing;
  for (FlavorId flavor : flavors) {
    bool known = std::any_of(family.variants.begin(), family.variants.end(), [&](WorkId id) {
      return !works[id].allowed_flavors.empty() && works[id].allowed_flavors.front() == flavor;
    });
    if (!known) missing.push_back(cluster.flavor_names.text(flavor));
  }
  for (const std::string& flavor : missing) {
    Workload variant = variant_of(*works[family.parent].object, flavor);
    variant.created = now;
    variant.arrival = works.size() + 1;
    variant.active = works[family.parent].live;
    submitted.push_back(std::move(variant));
    WorkId id = add(submitted.back(), false);  // joins the family
    works[id].own = static_cast<std::uint32_t>(submitted.size() - 1);
  }
  return !missing.empty();
}

bool Core::reconcile_family(Family& family) {
  family.due.reset();
  if (family.parent == kNone || works[family.parent].queue == kNone) return false;
  const Queue& queue = cluster.queues[works[family.parent].queue];
  if (!queue.object->concurrent_admission || queue.groups.empty()) return false;
  std::erase_if(family.variants, [&](WorkId id) { return works[id].removed; });
  if (works[family.parent].removed) {  // they go with their owner
    for (WorkId id : family.variants) remove(id);
    return !family.variants.empty();
  }
  const std::vector<FlavorId>& flavors = queue.groups[0].flavors;
  if (!works[family.parent].finished && make_variants(family, flavors)) return true;
  auto place = [&](WorkId id) {
    const std::vector<FlavorId>& allowed = works[id].allowed_flavors;
    if (allowed.empty()) return flavors.end() - flavors.begin();
    return std::find(flavors.begin(), flavors.end(), allowed.front()) - flavors.begin();
  };
  auto none = flavors.end() - flavors.begin();
  bool changed = false;
  for (WorkId id : family.variants) {
    if (place(id) != none) continue;
    remove(id);  // the queue has its flavor no more
    changed = true;
  }
  if (changed) return true;
  std::stable_sort(family.variants.begin(), family.variants.end(),
                   [&](WorkId a, WorkId b) { return place(a) < place(b); });

  Work& parent = works[family.parent];
  WorkId admitted = kNone;
  for (WorkId id : family.variants) {
    if (admitted == kNone && works[id].admitted && works[id].reserved && !works[id].finished) admitted = id;
  }
  auto last = none;
  if (const std::string& name = queue.object->last_acceptable_flavor; !name.empty()) {
    last = std::find(flavors.begin(), flavors.end(), cluster.flavor_names.find(name)) - flavors.begin();
  }
  for (WorkId id : family.variants) {
    if (parent.finished) {
      if (works[id].finished) continue;
      finish(id);
      changed = true;
      continue;
    }
    bool stays = parent.live;
    if (stays && admitted != kNone && id != admitted) {
      stays = !queue.object->retains_first_admission && place(id) < place(admitted) && place(id) <= last;
    }
    if (stays == works[id].live) continue;
    set_active(id, stays);
    changed = true;
  }
  if (parent.finished || changed) return changed;
  if (admitted == kNone && parent.admitted && !parent.evicted) {
    evict(family.parent, EvictionReason::other);
    return true;
  }
  if (admitted != kNone && !parent.admitted) {
    take_over(parent, works[admitted]);
    return true;
  }
  return open_gate(family);
}

/// The parent is admitted as its variant is; only that one is charged.
void Core::take_over(Work& parent, const Work& variant) const {
  parent.reserved = true;
  parent.reserved_at = now;
  parent.admitted = true;
  parent.admitted_at = now;
  parent.evicted = false;
  parent.holds_in = variant.holds_in;
  parent.holdings = variant.holdings;
  parent.held_counts = variant.held_counts;
  parent.held_usage.clear();
  parent.is_uncharged = true;
}

/// The first variant that waits for its gate may preempt, once the one before had its time.
bool Core::open_gate(Family& family) {
  auto own_gate = [&](WorkId id) {
    ThinVector<PreemptionGateState>& gates_of_it = works[id].preemption_gates;
    return std::find_if(gates_of_it.begin(), gates_of_it.end(),
                        [](const PreemptionGateState& gate) { return gate.name == kVariantGate; });
  };
  WorkId candidate = kNone;
  std::optional<Instant> opened;
  bool looks_on = true;
  for (WorkId id : family.variants) {
    const Work& work = works[id];
    if (!work.is_queueable()) continue;
    auto gate = own_gate(id);
    if (gate == works[id].preemption_gates.end()) continue;
    if (gate->open) {
      if (!opened || *opened < gate->since) opened = gate->since;
      continue;
    }
    if (!looks_on || candidate != kNone) continue;
    if (work.blocked_on_gates) {
      candidate = id;
    } else if (work.no_quota == NoQuota::unsaid) {
      looks_on = false;  // not tried yet: it may turn out to be the one
    }
  }
  if (candidate == kNone) return false;
  if (opened && *opened + kPatience > now) {
    family.due = *opened + kPatience;
    return false;
  }
  auto gate = own_gate(candidate);
  gate->open = true;
  gate->since = now;
  family.due = now + kPatience;
  touch(candidate);
  return true;
}

}  // namespace sluice::decide
