#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decide/decision.hpp"
#include "decide/work.hpp"
#include "model/objects.hpp"

namespace sluice::decide {

/// What a ProvisioningRequest's status says of one condition.
struct RequestCondition {
  bool known = false;   ///< it is in the list, whatever its status
  bool is_true = false;
  std::string message;
  Instant since;
};

/// A ProvisioningRequest that stands for a workload: one attempt of one check.
struct RequestState {
  std::string name;
  std::string class_name;
  Labels parameters;
  std::vector<std::string> templates;  ///< names of its pod templates
  std::array<RequestCondition, kRequestEvents> conditions;
  Labels class_details;
  Instant created;

  const RequestCondition& operator[](RequestEvent event) const {
    return conditions[static_cast<std::size_t>(event)];
  }
  RequestCondition& operator[](RequestEvent event) { return conditions[static_cast<std::size_t>(event)]; }
};

/// The condition that a check goes by: of those that are true the one that says most. Empty: none.
std::optional<RequestEvent> event_that_counts(const RequestState& request);

RequestState state_of(const ProvisioningRequest& object);

/// The name of an object that Kueue makes for a request: of one longer than 247 characters the beginning and a
/// digest.
std::string request_object_name(const std::string& full);

/// The name of the request of an attempt, counted from 1.
std::string request_name(std::string_view workload, std::string_view check, std::int32_t attempt);

std::string request_template_name(std::string_view request, std::string_view pod_set);

/// The attempt that a request's name tells; empty if it is no request of that check. A name that was shortened
/// tells none, so Kueue never finds such a request again.
std::optional<std::int32_t> attempt_in_name(std::string_view name, std::string_view workload,
                                            std::string_view check);

/// The config's parameters, and those that the workload's annotations give.
Labels request_parameters(const Workload& workload, const ProvisioningRequestConfig& config);

/// Whether a request still says what the config says; else Kueue makes another one.
bool is_in_step(const RequestState& request, const ProvisioningRequestConfig& config);

/// One or several pod sets of a workload as one in a request: by index, with the sum of their pods. Sets are merged as
/// the config's podSetMergePolicy allows.
struct RequestedPodSet {
  std::size_t pod_set = 0;
  std::int64_t count = 0;
};

/// `counts` are the assigned pods of each pod set. Empty: no request is needed.
std::vector<RequestedPodSet> requested_pod_sets(const Workload& workload,
                                                const std::vector<std::int64_t>& counts,
                                                const ProvisioningRequestConfig& config);

/// How long a workload waits after the failure of an attempt, from the moment its check became pending.
std::int32_t retry_wait_seconds(const ProvisioningRetry& retry, std::int32_t failures);

}  // namespace sluice::decide
