#include "tools/scenario_update.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace sluice::tools {
namespace {

/// With elastic jobs the pod sets may lose pods.
bool is_same_but_fewer(const std::vector<PodSet>& before, std::vector<PodSet> after, const Gates& gates) {
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (gates.elastic_slices && after[i].count < before[i].count) after[i].count = before[i].count;
  }
  return before == after;
}

bool is_same_assignment(const std::vector<decide::PodSetDecision>& held, const ThinVector<PodSetAssignment>& given) {
  return std::equal(held.begin(), held.end(), given.begin(), given.end(),
                    [](const decide::PodSetDecision& a, const PodSetAssignment& b) {
                      bool same_flavors = std::equal(
                          a.flavors.begin(), a.flavors.end(), b.flavors.begin(), b.flavors.end(),
                          [](const auto& x, const auto& y) { return x.first == y.first && x.second == y.second; });
                      return a.name == b.name && a.count == b.count.value_or(a.count) && same_flavors;
                    });
}

std::set<std::string_view> gates_of(const Workload& workload) {
  std::set<std::string_view> names;
  auto found = workload.annotations.find("kueue.x-k8s.io/admission-gated-by");
  std::string_view list = found == workload.annotations.end() ? std::string_view() : std::string_view(found->second);
  while (!list.empty()) {
    std::size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.insert(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

}  // namespace

std::string update_refusal(const Workload& before, const Workload& after, const std::vector<decide::PodSetDecision>& held,
                           const Gates& gates) {
  if (gates.admission_gated_by) {
    std::set<std::string_view> had = gates_of(before);
    for (std::string_view name : gates_of(after)) {
      if (!had.contains(name)) return "a gate on admission cannot be added: `" + std::string(name) + "`";
    }
  }
  if (held.empty()) return {};
  if (!is_same_but_fewer(before.pod_sets, after.pod_sets, gates))
    return "the pod sets of a workload with quota are immutable";
  if (!after.assignments.empty() && !is_same_assignment(held, after.assignments))
    return "the assignment of a workload with quota is immutable";
  return {};
}

}  // namespace sluice::tools
