#pragma once

#include "decide/decision.hpp"
#include "report/json.hpp"

/// Searches for victims, and what a queue can reach, as JSON.
namespace sluice::report {

/// `Taken`, `NotReached`, …
std::string_view fate_name(decide::Candidate::Fate fate);

/// The member `shares`; nothing if they are unset.
void add_shares(JsonWriter& json, const std::optional<decide::ShareComparison>& shares);
void add_search(JsonWriter& json, const decide::VictimSearch& search);
void add_preempted(JsonWriter& json, const decide::Preempted& preempted);
void add_reach(JsonWriter& json, const decide::Reach& reach);

}  // namespace sluice::report
