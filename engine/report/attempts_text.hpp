#pragma once

#include <string>
#include <vector>

#include "report/scene.hpp"
#include "report/units.hpp"

namespace sluice::report {

/// The table of everything that was tried for one workload: a line for each pod set, flavor and resource, in
/// the order of the search. `quota` is the queue's own, with what it may borrow behind a `+`; `used` counts
/// other workloads and earlier pod sets of this one; `free` is what was left at that moment.
std::string attempts_table(const decide::Decision& decision, const Scene& scene);

/// The units that all amounts of a decision are shown in.
Units units_of(const decide::Decision& decision);

/// Resources in the order in which the queue's groups list them.
std::vector<decide::ResourceTrial> in_queue_order(std::vector<decide::ResourceTrial> trials,
                                                  const std::string& queue, const World& world);

/// Why one flavor was not taken, in words without numbers: "too small", "in use", `selector: …`.
std::string answer_text(const decide::FlavorAttempt& attempt, const Scene& scene);

/// What a rule said: `held by rule office-hours (a.sluice:9): "batch runs at night"`.
std::string note_text(const decide::RuleNote& note, const Scene& scene);

}  // namespace sluice::report
