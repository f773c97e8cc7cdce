#pragma once

#include <string>

#include "decide/decision.hpp"
#include "report/scene.hpp"

/// What a queue can have beyond its own quota, for people.
namespace sluice::report {

/// A line for each resource of each flavor tried that does not fit within the own quota: `a100 cpu reaches 12 of 20: own
/// 8, lent by b 4`. Ends in a newline or is empty.
std::string reach_text(const decide::Decision& decision, const Scene& scene);

}  // namespace sluice::report
