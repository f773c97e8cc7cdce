#include "kube/pod_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kube/canonical.hpp"

namespace sluice::kube {
namespace {

/// The decoder of the API server cuts blanks off.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::optional<std::vector<NodeSelectorTerm>> required_affinity_of(const Value* spec) {
  const Value* required =
      spec->at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  if (!required) return {};
  std::vector<NodeSelectorTerm> terms;
  if (const Value* list = required->find("nodeSelectorTerms")) {
    for (const Value& term : list->items())
      terms.push_back(
          {requirements_of(term.find("matchExpressions")), requirements_of(term.find("matchFields"))});
  }
  return terms;
}

}  // namespace

std::vector<Container> containers_of(const Manifest& manifest, const Value* list, Nulls nulls) {
  std::vector<Container> all;
  if (!list) return all;
  for (const Value& item : list->items()) {
    Container& c = all.emplace_back();
    c.name = text_of(item.find("name"));
    c.requests = resources_of(manifest, item.at({"resources", "requests"}), nulls);
    c.limits = resources_of(manifest, item.at({"resources", "limits"}), nulls);
    c.sidecar = text_of(item.find("restartPolicy")) == "Always";
    if (const Value* ports = item.find("ports")) c.ports = canonical_ports(*ports);
  }
  return all;
}

std::int64_t integer_or(const Value* value, std::int64_t otherwise) {
  if (!value || !value->is_number()) return otherwise;
  std::string_view text = value->text();
  std::int64_t number = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

std::string text_of(const Value* value) {
  return value && value->is_string() ? std::string(value->text()) : "";
}

bool boolean_or(const Value* value, bool otherwise) {
  return value && value->is_boolean() ? value->boolean() : otherwise;
}

Labels labels_of(const Value* map, Nulls nulls) {
  Labels labels;
  if (!map) return labels;
  for (const Member& m : map->members()) {
    if (!m.value.is_null() || nulls == Nulls::zero) labels.emplace(m.key.text(), m.value.text());
  }
  return labels;
}

Resources resources_of(const Manifest& manifest, const Value* map, Nulls nulls) {
  Resources resources;
  if (!map) return resources;
  for (const Member& m : map->members()) {
    if (m.value.is_null() && nulls == Nulls::absent) continue;
    std::optional<Quantity> quantity = Quantity();
    if (!m.value.is_null()) quantity = Quantity::parse(trimmed(m.value.text()));
    if (!quantity) {
      throw manifest.error("bad-object", m.value, fmt::format("`{}` is no quantity", m.value.text()))
          .help("write a number with an optional suffix: `500m`, `2`, `20Gi`");
    }
    resources.emplace(m.key.text(), *quantity);
  }
  return resources;
}

std::vector<Toleration> tolerations_of(const Value* list) {
  std::vector<Toleration> all;
  if (!list) return all;
  for (const Value& item : list->items()) {
    Toleration& t = all.emplace_back();
    t.key = text_of(item.find("key"));
    if (const Value* op = item.find("operator"); op && !op->text().empty()) t.op = op->text();
    t.value = text_of(item.find("value"));
    t.effect = text_of(item.find("effect"));
    if (const Value* seconds = item.find("tolerationSeconds")) t.seconds = integer_or(seconds, 0);
  }
  return all;
}

std::vector<PodSetUpdate> pod_set_updates_of(const Value* list) {
  std::vector<PodSetUpdate> all;
  if (!list) return all;
  for (const Value& item : list->items()) {
    all.push_back({text_of(item.find("name")), labels_of(item.find("labels")),
                   labels_of(item.find("annotations")), labels_of(item.find("nodeSelector")),
                   tolerations_of(item.find("tolerations"))});
  }
  return all;
}

std::vector<Taint> taints_of(const Value* list) {
  std::vector<Taint> all;
  if (!list) return all;
  for (const Value& item : list->items())
    all.push_back({text_of(item.find("key")), text_of(item.find("value")), text_of(item.find("effect"))});
  return all;
}

std::vector<Requirement> requirements_of(const Value* list) {
  std::vector<Requirement> all;
  if (!list) return all;
  for (const Value& item : list->items()) {
    Requirement& r = all.emplace_back();
    r.key = text_of(item.find("key"));
    r.op = text_of(item.find("operator"));
    if (const Value* values = item.find("values")) {
      for (const Value& v : values->items()) r.values.emplace_back(v.text());
    }
  }
  return all;
}

PodTemplate pod_template_of(const Manifest& manifest, const Value* pod, Nulls nulls) {
  PodTemplate t;
  if (!pod) return t;
  t.labels = labels_of(pod->at({"metadata", "labels"}), nulls);
  t.annotations = labels_of(pod->at({"metadata", "annotations"}), nulls);
  if (const Value* spec = pod->find("spec")) read_pod_spec(manifest, *spec, t, nulls);
  return t;
}

void read_pod_spec(const Manifest& manifest, const Value& spec, PodTemplate& into, Nulls nulls) {
  into.containers = containers_of(manifest, spec.find("containers"), nulls);
  into.init_containers = containers_of(manifest, spec.find("initContainers"), nulls);
  if (const Value* resources = spec.find("resources")) {
    into.pod_requests = resources_of(manifest, resources->find("requests"), nulls);
    into.pod_limits = resources_of(manifest, resources->find("limits"), nulls);
  }
  into.overhead = resources_of(manifest, spec.find("overhead"), nulls);
  into.runtime_class = text_of(spec.find("runtimeClassName"));
  into.priority_class = text_of(spec.find("priorityClassName"));
  if (const Value* priority = spec.find("priority"))
    into.priority = static_cast<std::int32_t>(integer_or(priority, 0));
  into.node_selector = labels_of(spec.find("nodeSelector"), nulls);
  into.required_affinity = required_affinity_of(&spec);
  into.tolerations = tolerations_of(spec.find("tolerations"));
  into.other_shape = canonical_shape(spec);
}

}  // namespace sluice::kube
