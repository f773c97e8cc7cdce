#pragma once

#include <string>

#include "report/scene.hpp"

/// What became of a workload and why, for people.
namespace sluice::report {

/// One line: `rayjob/train-2: waits for check dws-prov; it has quota in cluster-queue`.
std::string headline(const decide::WorkloadReport& report, const Scene& scene);

/// The state after the name, without the name: `admitted by cluster-queue`.
std::string state_text(const decide::WorkloadReport& report, const Scene& scene);

/// For `decide`: the line, everything that was tried with the numbers, the checks with what they provision,
/// and what would change it. Ends in a newline.
std::string decision_text(const decide::WorkloadReport& report, const Scene& scene);

/// For `why`: the same, with every object and rule that took part and the place where it is written.
std::string why_text(const decide::WorkloadReport& report, const Scene& scene);

}  // namespace sluice::report
