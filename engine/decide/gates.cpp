#include "decide/gates.hpp"

#include "decide/unsupported.hpp"

namespace sluice::decide {
namespace {

/// A gate of Kueue 0.19.2 with its default there.
struct Gate {
  const char* name;
  bool standard;
  bool Gates::*honoured;  ///< null: no effect on what is decided here, unless `refused`
  bool refused = false;   ///< its other setting is not decided yet
};

constexpr bool kRefused = true;

const Gate kGates[] = {
    {"AdmissionFairSharing", true, nullptr},
    {"AdmissionGatedBy", true, &Gates::admission_gated_by},
    {"AssignQueueLabelsForPods", true, nullptr},
    {"CleanupProvisioningRequestsOnEviction", true, nullptr, kRefused},
    {"ConcurrentAdmission", false, nullptr, kRefused},
    {"CustomMetricLabels", false, nullptr},
    {"DeferRayServiceFinalizationForRedisCleanup", true, nullptr},
    {"DisableWaitForPodsReady", false, nullptr, kRefused},
    {"ElasticJobsViaWorkloadSlices", true, &Gates::elastic_slices},
    {"ElasticJobsViaWorkloadSlicesWithTAS", false, nullptr, kRefused},
    {"FailureRecoveryPolicy", false, nullptr},
    {"FairSharingPreemptWithinNominal", true, nullptr},
    {"FairSharingPrioritizeNonBorrowing", true, nullptr},
    {"FastQuotaReleaseInPodIntegration", false, nullptr, kRefused},
    {"FinishOrphanedWorkloads", true, nullptr, kRefused},
    {"FlavorFungibility", true, &Gates::flavor_fungibility},
    {"FlavorFungibilityPreserveScanProgress", true, &Gates::preserve_scan_progress},
    {"HierarchicalCohorts", true, nullptr, kRefused},
    {"KueueDRAIntegration", true, nullptr},
    {"KueueDRAIntegrationConsumableCapacity", false, nullptr},
    {"KueueDRAIntegrationExtendedResource", true, nullptr},
    {"KueueDRAIntegrationPartitionableDevices", true, nullptr},
    {"KueueDRARejectWorkloadsWhenDRADisabled", true, nullptr},
    {"LWSImmutableGroupSize", true, nullptr},
    {"LocalQueueMetrics", true, nullptr},
    {"ManagedJobsNamespaceSelectorAlwaysRespected", true, nullptr, kRefused},
    {"MetricForWorkloadCreationLatency", true, nullptr},
    {"MetricsForCohorts", true, nullptr},
    {"MultiKueue", true, nullptr, kRefused},
    {"MultiKueueAdaptersForCustomJobs", true, nullptr},
    {"MultiKueueAllowInsecureKubeconfigs", false, nullptr},
    {"MultiKueueClusterProfile", false, nullptr},
    {"MultiKueueIncrementalDispatcherConfig", true, nullptr},
    {"MultiKueueIncrementalDispatcherRespectConfigOrder", true, nullptr},
    {"MultiKueueKubeConfigPathValidation", false, nullptr},
    {"MultiKueueManagerQuotaAutomation", false, nullptr, kRefused},
    {"MultiKueueOrchestratedPreemption", false, nullptr, kRefused},
    {"MultiKueueRedoAdmissionOnEvictionInWorker", true, nullptr},
    {"MultiKueueRemoteSpecSync", true, nullptr},
    {"MultiKueueWaitForWorkloadAdmitted", true, nullptr},
    {"ObjectRetentionPolicies", true, nullptr},
    {"PartialAdmission", true, &Gates::partial_admission},
    {"PodIntegrationValidateGroupOwner", true, nullptr},
    {"PrioritizePreemptorWorkloads", false, &Gates::prioritize_preemptors},
    {"PriorityBoost", false, nullptr, kRefused},
    {"PrioritySortingWithinCohort", true, &Gates::priority_sorting_within_cohort},
    {"PropagateBatchJobLabelsToWorkload", true, nullptr},
    {"QuotaCheckStrategy", true, &Gates::quota_check_strategy},
    {"ReclaimablePods", true, &Gates::reclaimable_pods},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", false, &Gates::recompute_on_overlap},
    {"RejectUpdatesToCQWithInvalidOnFlavors", false, nullptr},
    {"RemoveFinalizersWithStrictPatch", true, nullptr},
    {"SchedulerLibraryIntegration", false, nullptr, kRefused},
    {"SchedulerLongRequeueInterval", false, nullptr, kRefused},
    {"SchedulerTimestampPreemptionBuffer", false, nullptr, kRefused},
    {"SchedulingEquivalenceHashing", true, &Gates::scheduling_equivalence_hashing},
    {"ShortWorkloadNames", false, nullptr, kRefused},
    {"SkipAncestorCheckForDeletedWorkloads", true, nullptr},
    {"SkipFinalizersForPodsSuspendedByParent", true, nullptr},
    {"SkipReassignmentForPodOwnedWorkloads", true, nullptr, kRefused},
    {"SparkApplicationIntegration", false, nullptr, kRefused},
    {"TASAssignmentsEncodingByHostnamePrefix", true, nullptr},
    {"TASBalancedPlacement", false, nullptr, kRefused},
    {"TASCacheNodeMatchResults", true, nullptr},
    {"TASCacheTopologyTree", false, nullptr},
    {"TASCachingRemainingResources", true, nullptr},
    {"TASFailedNodeReplacement", true, nullptr, kRefused},
    {"TASFailedNodeReplacementFailFast", true, nullptr, kRefused},
    {"TASHandleOverlappingFlavors", true, nullptr, kRefused},
    {"TASMultiLayerTopology", true, nullptr, kRefused},
    {"TASProfileMixed", true, nullptr, kRefused},
    {"TASRecomputeAssignmentWithinSchedulingCycle", true, nullptr, kRefused},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", false, nullptr, kRefused},
    {"TASReplaceNodeOnNodeTaints", true, nullptr, kRefused},
    {"TASReplaceNodeOnPodTermination", true, nullptr, kRefused},
    {"TASRespectNodeAffinityPreferred", false, nullptr, kRefused},
    {"TASValidateWorkloadSliceSize", true, nullptr},
    {"TLSOptions", true, nullptr},
    {"TopologyAwareScheduling", true, &Gates::topology_aware},
    {"UnadmittedWorkloadsExplicitStatus", false, nullptr},
    {"UnadmittedWorkloadsObservability", false, &Gates::observability},
    {"ValidateRayAndSparkJobUpdates", true, nullptr},
    {"VectorizedResourceRequests", true, nullptr, kRefused},
    {"VisibilityOnDemand", true, nullptr},
    {"WorkloadIdentifierAnnotations", true, nullptr, kRefused},
    {"WorkloadPriorityClassDefaulting", false, nullptr, kRefused},
    {"WorkloadRequestUseMergePatch", false, nullptr},
    {"WorkloadValidateResourcesAreNonNegative", true, nullptr},
    {"WorkloadValidationForPodSetMetadata", true, nullptr},
};

}  // namespace

Gates gates_of(const std::map<std::string, bool>& settings) {
  Gates gates;
  for (const auto& [name, value] : settings) {
    const Gate* known = nullptr;
    for (const Gate& gate : kGates) {
      if (name == gate.name) known = &gate;
    }
    if (known == nullptr)
      throw Error("unknown-feature-gate", "`" + name + "` is no feature gate of Kueue 0.19");
    if (known->honoured != nullptr) {
      gates.*(known->honoured) = value;
    } else if (known->refused && value != known->standard) {
      throw Unsupported("the feature gate " + name + (value ? " switched on" : " switched off"));
    }
  }
  return gates;
}

}  // namespace sluice::decide
