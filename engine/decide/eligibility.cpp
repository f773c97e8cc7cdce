#include "decide/eligibility.hpp"

#include <algorithm>

#include "model/selector.hpp"

namespace sluice::decide {
namespace {

const std::string* value_of(const Labels& labels, const std::string& key) {
  auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

FlavorRefusal mismatch(const Requirement& requirement, const ResourceFlavor& flavor) {
  FlavorRefusal refusal;
  refusal.kind = FlavorAttempt::Refusal::affinity_mismatch;
  refusal.mismatch = requirement;
  if (const std::string* value = value_of(flavor.node_labels, requirement.key)) refusal.flavor_value = *value;
  return refusal;
}

/// Terms are alternatives, of which one with an invalid expression holds nowhere.
FlavorRefusal refuse(const std::vector<NodeSelectorTerm>& terms, const ResourceFlavor& flavor) {
  FlavorRefusal refusal;
  std::optional<Requirement> first_failed;
  bool any_holds = false;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    std::size_t own = 0;
    bool holds = true;
    for (const Requirement& e : terms[t].expressions) {
      if (!flavor.node_labels.contains(e.key)) continue;
      if (!is_valid(e)) refusal.invalid.push_back({t, own, e});
      ++own;
      if (is_valid(e) && matches(e, flavor.node_labels)) continue;
      holds = false;
      if (!first_failed) first_failed = e;
    }
    // A term without a key of this flavor says nothing about it.
    if (own == 0) return {};
    any_holds = any_holds || holds;
  }
  if (any_holds || !first_failed) return {};
  if (refusal.invalid.empty()) return mismatch(*first_failed, flavor);
  refusal.kind = FlavorAttempt::Refusal::affinity_invalid;
  return refusal;
}

}  // namespace

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  if (toleration.op == "Gt" || toleration.op == "Lt") {
    auto asked = whole_number(toleration.value);
    auto has = whole_number(taint.value);
    if (!asked || !has) return false;
    return toleration.op == "Gt" ? *has > *asked : *has < *asked;
  }
  return false;
}

FlavorRefusal refuse(const PodConstraints& pod, const ResourceFlavor& flavor) {
  auto tolerated_by = [](const std::vector<Toleration>& all, const Taint& taint) {
    return std::any_of(all.begin(), all.end(), [&](const Toleration& t) { return tolerates(t, taint); });
  };
  for (const Taint& taint : flavor.node_taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    if (tolerated_by(pod.tolerations, taint) || tolerated_by(flavor.tolerations, taint)) continue;
    FlavorRefusal refusal;
    refusal.kind = FlavorAttempt::Refusal::untolerated_taint;
    refusal.taint = taint;
    return refusal;
  }
  for (const auto& [key, value] : pod.node_selector) {
    const std::string* has = value_of(flavor.node_labels, key);
    if (has != nullptr && *has != value) return mismatch({key, "In", {value}}, flavor);
  }
  return pod.required_affinity ? refuse(*pod.required_affinity, flavor) : FlavorRefusal{};
}

}  // namespace sluice::decide
