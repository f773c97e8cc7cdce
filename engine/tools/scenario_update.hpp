#pragma once

#include <string>
#include <vector>

#include "decide/decision.hpp"
#include "model/gates.hpp"
#include "model/objects.hpp"

namespace sluice::tools {

/// Why Kueue's webhook refuses a change of a workload that holds `held` (empty: nothing); empty if it takes it.
/// Gates on admission can only be taken away, and neither the pod sets nor the assignment of a workload with quota can be
/// changed. Source   Kueue pkg/webhooks/workload_webhook.go.
std::string update_refusal(const Workload& before, const Workload& after, const std::vector<decide::PodSetDecision>& held,
                           const Gates& gates);

}  // namespace sluice::tools
