#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/source_map.hpp"
#include "decide/decision.hpp"
#include "decide/engine.hpp"
#include "report/json.hpp"

/// Decisions as JSON. `cycles` and `final` are the result format in which runs are compared with Kueue's;
/// what a reader wants to know beyond it has names of its own beside them.
namespace sluice::report {

/// `Admitted`, `NoFit`, …
std::string_view outcome_name(decide::Outcome outcome);
/// `Admitted`, `QuotaReserved`, `Inadmissible`, …
std::string_view state_name(decide::State state);
/// Kueue's requeue reasons; empty for none.
std::string_view requeue_name(decide::Requeue requeue);
/// `InClusterQueue`, …
std::string_view victim_reason_name(decide::Victim::Reason reason);

/// `LessThanInitialShare`, …
std::string_view strategy_name(FairStrategy strategy);
/// A share as Go prints a double: `300`, `166.66666666666666`, `+Inf`.
std::string share_text(double share);

/// A duration as Go prints it: `0s`, `1m30s`, `2h0m0s`, `500ms`.
std::string go_duration(Duration duration);

/// Kueue's text of a decision, if the caller wants it in the output; may be null.
using MessageOf = std::function<std::string(const decide::Decision&)>;
/// Kueue's texts about a workload, each may be empty: how it was evicted (`Preempted/InClusterQueue`), reason
/// and message of QuotaReserved=False.
struct ConditionText {
  std::string evicted;
  std::string reason;
  std::string message;
};
/// May be null.
using ConditionOf = std::function<std::optional<ConditionText>(const decide::WorkloadName&)>;

/// The member `topologyAssignment`.
void add_placement(JsonWriter& json, const TopologyAssignment& placement);
/// The value of `podSets`: those that hold or got quota.
void add_pod_sets(JsonWriter& json, std::span<const decide::PodSetDecision> pod_sets);
/// One element of `cycles`: `at` is the offset from `start`; `step` 0 is left out.
void add_cycle(JsonWriter& json, const decide::Cycle& cycle, Instant start, std::size_t step,
               const MessageOf& message);
/// The value of `final`: workloads, usage, inactive queues.
void add_final(JsonWriter& json, const decide::Engine& engine, const ConditionOf& condition);

}  // namespace sluice::report
