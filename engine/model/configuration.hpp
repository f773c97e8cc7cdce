#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/gates.hpp"
#include "model/objects.hpp"

namespace sluice {

/// Kueue's `waitForPodsReady`: whether, and for how long, an admitted workload may go without all its pods ready.
struct WaitForPodsReady {
  Duration timeout = Duration::seconds(30 * 60);
  bool block_admission = false;             ///< nobody is admitted while an admitted workload's pods are not ready
  std::optional<Duration> recovery_timeout; ///< after pods were ready once; unset: for ever
  bool order_by_creation = false;           ///< requeuingStrategy.timestamp `Creation`, not `Eviction`
  std::optional<std::int32_t> backoff_limit_count;  ///< evictions before the workload is deactivated; unset: no limit
  std::int32_t backoff_base_seconds = 60;
  std::int32_t backoff_max_seconds = 3600;

  friend bool operator==(const WaitForPodsReady&, const WaitForPodsReady&) = default;
};

/// How a workload of another queue may be preempted with fair sharing.
enum class FairStrategy : std::uint8_t {
  less_than_or_equal_to_final_share,  ///< the preemptor's side stays at or below what the other side keeps
  less_than_initial_share,            ///< it stays below what the other side had
};

/// Kueue's `fairSharing`.
struct FairSharing {
  /// The first is tried for every victim; a second one is tried for those that it does not allow.
  std::vector<FairStrategy> strategies = {FairStrategy::less_than_or_equal_to_final_share,
                                          FairStrategy::less_than_initial_share};

  friend bool operator==(const FairSharing&, const FairSharing&) = default;
};

/// Kueue's `admissionFairSharing`.
struct AdmissionFairSharing {
  Duration usage_half_life;  ///< 0: usage of the past counts for nothing
  Duration sampling_interval = Duration::seconds(5 * 60);
  std::map<std::string, double> resource_weights;  ///< not listed: 1

  friend bool operator==(const AdmissionFairSharing&, const AdmissionFairSharing&) = default;
};

/// One of `resources.transformations`.
struct ResourceTransformation {
  std::string input;
  bool replaces = false;    ///< strategy `Replace`: the input is not counted itself
  std::string multiply_by;  ///< a resource of the pod that every output is multiplied by; empty: none
  Resources outputs;        ///< per unit of the input

  friend bool operator==(const ResourceTransformation&, const ResourceTransformation&) = default;
};

/// What Kueue's manager is told, as far as it decides, in the meaning of its v1beta2: its feature gates, and its
/// `Configuration` with all defaults filled in.
///
/// As it is made here it is what `decide` assumes unless told otherwise: the defaults of the newest release, with
/// every job integration on and without waiting for pods, of whose readiness a snapshot of tomorrow knows nothing.
struct Configuration {
  Gates gates;
  std::string name_space = "kueue-system";  ///< Kueue's own
  bool manage_jobs_without_queue_name = false;
  /// managedJobsNamespaceSelector; unset: every namespace but kube-system and Kueue's own.
  std::optional<LabelSelector> managed_namespaces;
  std::optional<std::set<std::string>> frameworks;  ///< integrations.frameworks; unset: all
  std::optional<WaitForPodsReady> wait_for_pods_ready;
  std::optional<FairSharing> fair_sharing;
  std::optional<AdmissionFairSharing> admission_fair_sharing;
  bool ignore_undeclared = false;  ///< resources.quotaCheckStrategy `IgnoreUndeclared`, where its gate lets it
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<ResourceTransformation> transformations;  ///< at most one an input
  bool maps_device_classes = false;                     ///< resources.deviceClassMappings is not empty
  std::optional<Duration> keep_finished;     ///< objectRetentionPolicies: afterFinished; unset: for ever
  std::optional<Duration> keep_deactivated;  ///< afterDeactivatedByKueue
};

}  // namespace sluice
