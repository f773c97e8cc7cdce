#include <fmt/core.h>

#include "kube/kinds.hpp"
#include "kube/pod_template.hpp"
#include "model/requests.hpp"

// What a placement needs of pods and of a Workload's status.
// Source: Kueue v0.19.2 apis/kueue/v1beta2, TopologyAssignment.

namespace sluice::kube {
namespace {

constexpr std::string_view kTopologyAnnotations[] = {
    "kueue.x-k8s.io/podset-required-topology",
    "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-unconstrained-topology",
    "kueue.x-k8s.io/podset-slice-required-topology",
    "kueue.x-k8s.io/podset-slice-required-topology-constraints",
};

/// One level's value of a domain within a packed slice.
std::string packed_value(const Value& level, std::size_t domain) {
  if (const Value* universal = level.find("universal")) return std::string(universal->text());
  const Value* individual = level.find("individual");
  if (individual == nullptr) return {};
  const Value* roots = individual->find("roots");
  std::string value = text_of(individual->find("prefix"));
  if (roots != nullptr && domain < roots->items().size()) value += roots->items()[domain].text();
  return value + text_of(individual->find("suffix"));
}

std::int32_t packed_count(const Value* counts, std::size_t domain) {
  if (counts == nullptr) return 0;
  if (const Value* universal = counts->find("universal"))
    return static_cast<std::int32_t>(integer_or(universal, 0));
  const Value* individual = counts->find("individual");
  if (individual == nullptr || domain >= individual->items().size()) return 0;
  return static_cast<std::int32_t>(integer_or(&individual->items()[domain], 0));
}

void unpack(const Object& object, const Value& slice, std::vector<TopologyDomain>& into) {
  std::int64_t count = integer_or(slice.find("domainCount"), 0);
  const Value* levels = slice.find("valuesPerLevel");
  const Value* counts = slice.find("podCounts");
  if (count < 0 || levels == nullptr) refuse(object, slice, "the slice of domains is not complete");
  auto check_size = [&](const Value* list) {
    if (list != nullptr && static_cast<std::int64_t>(list->items().size()) != count)
      refuse(object, *list, fmt::format("{} entries for {} domains", list->items().size(), count));
  };
  for (const Value& level : levels->items()) check_size(level.at({"individual", "roots"}));
  if (counts != nullptr) check_size(counts->find("individual"));
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    TopologyDomain& domain = into.emplace_back();
    for (const Value& level : levels->items()) domain.values.push_back(packed_value(level, i));
    domain.count = packed_count(counts, i);
  }
}

}  // namespace

TopologyAssignment topology_assignment_of(const Object& object, const Value& value) {
  TopologyAssignment assignment;
  if (const Value* levels = value.find("levels"))
    for (const Value& level : levels->items()) assignment.levels.emplace_back(level.text());
  if (const Value* domains = value.find("domains")) {
    for (const Value& given : domains->items()) {
      TopologyDomain& domain = assignment.domains.emplace_back();
      if (const Value* values = given.find("values"))
        for (const Value& one : values->items()) domain.values.emplace_back(one.text());
      domain.count = static_cast<std::int32_t>(integer_or(given.find("count"), 0));
    }
  }
  if (const Value* slices = value.find("slices"))
    for (const Value& slice : slices->items()) unpack(object, slice, assignment.domains);
  for (const TopologyDomain& domain : assignment.domains)
    if (domain.values.size() != assignment.levels.size())
      refuse(object, value,
             fmt::format("a domain has {} values for {} levels", domain.values.size(), assignment.levels.size()));
  return assignment;
}

Pod pod_on_node_of(const Input& input) {
  const Object& object = input.object;
  Pod pod;
  pod.name_space = namespace_name_of(object);
  pod.name = name_of(object);
  pod.origin = input.origin;
  pod.node = text_of(object.value->at({"spec", "nodeName"}));
  PodTemplate as_template = pod_template_of(*object.manifest, object.value);
  auto annotation = as_template.annotations.find("kueue.x-k8s.io/workload");
  if (annotation != as_template.annotations.end()) pod.workload = annotation->second;
  for (std::string_view key : kTopologyAnnotations)
    pod.asks_for_topology = pod.asks_for_topology || as_template.annotations.contains(std::string(key));
  std::string phase = text_of(object.value->at({"status", "phase"}));
  pod.ended = phase == "Succeeded" || phase == "Failed";
  pod.deleting = object.value->at({"metadata", "deletionTimestamp"}) != nullptr;
  pod.requests = pod_requests(as_template);
  return pod;
}

}  // namespace sluice::kube
