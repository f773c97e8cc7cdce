#pragma once

#include <string>

#include "report/scene.hpp"

/// Parts of what is told of one decision.
namespace sluice::report {

/// `pod set head does not fit now: default-cpu is short by cpu 1.5`; of the first pod set that failed.
std::string shortage_text(const decide::Decision& decision, const Scene& scene);

/// Why the first pod set that failed did not get a flavor: every flavor that was tried, with its answer. Empty
/// if none failed.
std::string failure_text(const decide::Decision& decision, const Scene& scene);

/// `job/low (priority 0, of batch)`.
std::string victim_text(const decide::Victim& victim, const Scene& scene);

}  // namespace sluice::report
