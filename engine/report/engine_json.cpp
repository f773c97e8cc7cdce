#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "report/decision_json.hpp"

namespace sluice::report {
namespace {

void add_workload(JsonWriter& json, const decide::Engine& engine, const decide::WorkloadName& name,
                  const ConditionOf& condition) {
  json.begin_object();
  json.member("state", state_name(engine.state(name)));
  std::vector<decide::PodSetDecision> assignment = engine.assignment(name);
  if (!assignment.empty()) {
    json.member_if("clusterQueue", engine.report(name).cluster_queue);
    json.key("podSets");
    add_pod_sets(json, assignment);
  }
  if (condition) {
    if (std::optional<ConditionText> text = condition(name)) {
      json.member_if("evicted", text->evicted);
      json.member_if("reason", text->reason);
      json.member_if("message", text->message);
    }
  }
  json.end_object();
}

}  // namespace

std::string share_text(double share) {
  constexpr double kFirstWithExponent = 1e21;
  if (std::isinf(share)) return "+Inf";
  bool is_whole = share == std::floor(share) && share < kFirstWithExponent;
  return is_whole ? fmt::format("{:.0f}", share) : fmt::format("{}", share);
}

void add_final(JsonWriter& json, const decide::Engine& engine, const ConditionOf& condition) {
  json.begin_object();
  json.key("workloads").begin_object();
  for (const decide::WorkloadName& name : engine.workloads()) {
    json.key(name.to_string());
    add_workload(json, engine, name, condition);
  }
  json.end_object();
  json.key("usage").begin_object();
  for (const auto& [queue, flavors] : engine.usage()) {
    json.key(queue).begin_object();
    for (const auto& [flavor, resources] : flavors) {
      json.key(flavor).begin_object();
      for (const auto& [resource, usage] : resources) {
        json.key(resource).begin_object();
        json.member("reserved", usage.reserved.to_quantity(resource));
        if (usage.borrowed.value() != 0) json.member("borrowed", usage.borrowed.to_quantity(resource));
        json.end_object();
      }
      json.end_object();
    }
    json.end_object();
  }
  json.end_object();
  std::map<std::string, std::string> inactive = engine.inactive_queues();
  if (!inactive.empty()) {
    json.key("inactive").begin_object();
    for (const auto& [queue, reason] : inactive) json.member(queue, reason);
    json.end_object();
  }
  std::map<std::string, double> shares = engine.weighted_shares();
  if (!shares.empty()) {
    json.key("weightedShares").begin_object();
    for (const auto& [queue, share] : shares) json.member(queue, share_text(share));
    json.end_object();
  }
  json.end_object();
}

}  // namespace sluice::report
