#include "decide/eligibility.hpp"

#include <algorithm>
#include <charconv>

#include "decide/unsupported.hpp"
#include "model/selector.hpp"

namespace sluice::decide {
namespace {

std::optional<std::int64_t> integer(const std::string& text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_expression(const Requirement& e) {
  bool sets = e.op == "In" || e.op == "NotIn";
  bool exists = e.op == "Exists" || e.op == "DoesNotExist";
  bool compares = e.op == "Gt" || e.op == "Lt";
  bool valid = (sets && !e.values.empty()) || (exists && e.values.empty()) ||
               (compares && e.values.size() == 1 && integer(e.values[0]));
  if (!valid)
    throw Unsupported("the node affinity expression `" + e.key + " " + e.op + "` with these values");
}

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

}  // namespace

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  if (toleration.op == "Gt" || toleration.op == "Lt") {
    auto asked = integer(toleration.value);
    auto has = integer(taint.value);
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
  if (!pod.required_affinity) return {};
  std::optional<Requirement> first_failed;
  bool any_term = false;
  for (const NodeSelectorTerm& term : *pod.required_affinity) {
    bool has_own_key = false;
    bool holds = true;
    for (const Requirement& e : term.expressions) {
      if (!flavor.node_labels.contains(e.key)) continue;
      check_expression(e);
      has_own_key = true;
      if (matches(e, flavor.node_labels)) continue;
      holds = false;
      if (!first_failed) first_failed = e;
    }
    // A term without a key of this flavor says nothing about it, and terms are alternatives.
    if (!has_own_key) return {};
    any_term = any_term || holds;
  }
  if (any_term || !first_failed) return {};
  return mismatch(*first_failed, flavor);
}

}  // namespace sluice::decide
