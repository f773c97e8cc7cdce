#include "decide/node_match.hpp"

#include <algorithm>

#include "model/selector.hpp"

namespace sluice::decide {
namespace {

std::string text_of(const Taint& taint) {
  if (taint.effect.empty()) return taint.value.empty() ? taint.key : taint.key + "=" + taint.value + ":";
  if (taint.value.empty()) return taint.key + ":" + taint.effect;
  return taint.key + "=" + taint.value + ":" + taint.effect;
}

/// A term without any requirement holds nowhere, nor does one with an invalid requirement.
bool holds(const NodeSelectorTerm& term, const Node& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  bool labels = std::all_of(term.expressions.begin(), term.expressions.end(),
                            [&](const Requirement& e) { return is_valid(e) && matches(e, node.labels); });
  if (!labels) return false;
  const Labels fields{{"metadata.name", node.name}};
  return std::all_of(term.fields.begin(), term.fields.end(),
                     [&](const Requirement& e) { return matches(e, fields); });
}

}  // namespace

NodeRefusal refuse_node(const PodConstraints& pod, const std::vector<Toleration>& more, const Node& node) {
  auto tolerated_by = [](const std::vector<Toleration>& all, const Taint& taint) {
    return std::any_of(all.begin(), all.end(), [&](const Toleration& t) { return tolerates(t, taint); });
  };
  for (const Taint& taint : node.taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    if (!tolerated_by(pod.tolerations, taint) && !tolerated_by(more, taint))
      return {NodeRefusal::Kind::taint, text_of(taint)};
  }
  for (const auto& [key, value] : pod.node_selector) {
    auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return {NodeRefusal::Kind::selector, {}};
  }
  if (pod.required_affinity) {
    bool fits = std::any_of(pod.required_affinity->begin(), pod.required_affinity->end(),
                            [&](const NodeSelectorTerm& term) { return holds(term, node); });
    if (!fits) return {NodeRefusal::Kind::affinity, {}};
  }
  return {};
}

}  // namespace sluice::decide
