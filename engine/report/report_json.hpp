#pragma once

#include "report/json.hpp"
#include "report/scene.hpp"

namespace sluice::report {

/// One workload with everything that `why` knows: attempts with typed reasons and numbers, checks, what would
/// be provisioned, what would change it. Amounts are quantities as Kubernetes writes them; instants RFC 3339.
void add_report(JsonWriter& json, const decide::WorkloadReport& report, const Scene& scene);

}  // namespace sluice::report
