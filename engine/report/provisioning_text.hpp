#pragma once

#include <string>
#include <string_view>

#include "report/scene.hpp"

namespace sluice::report {

/// A condition of a ProvisioningRequest as the API names it.
std::string_view request_event_name(decide::RequestEvent event);

/// The admission checks a workload needs, and the ProvisioningRequest each makes.
std::string checks_text(const decide::WorkloadReport& report, const Scene& scene);

/// The objects that took part, one a line, with the place where each is written.
std::string sources_text(const decide::WorkloadReport& report, const Scene& scene);

}  // namespace sluice::report
