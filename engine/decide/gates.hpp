#pragma once

#include <map>
#include <string>

namespace sluice::decide {

/// Kueue's feature gates that change what is decided here; the defaults are those of 0.19.2.
struct Gates {
  bool scheduling_equivalence_hashing = true;
  bool flavor_fungibility = true;
  bool preserve_scan_progress = true;  ///< FlavorFungibilityPreserveScanProgress
  bool priority_sorting_within_cohort = true;
  bool recompute_on_overlap = false;   ///< RecomputeAssignmentUponPreemptionTargetsOverlap
  bool prioritize_preemptors = false;  ///< PrioritizePreemptorWorkloads
  bool partial_admission = true;
  bool elastic_slices = true;  ///< ElasticJobsViaWorkloadSlices
  bool reclaimable_pods = true;
  bool admission_gated_by = true;
  bool quota_check_strategy = true;
  bool topology_aware = true;  ///< TopologyAwareScheduling
  bool observability = false;  ///< UnadmittedWorkloadsObservability: only texts depend on it
};

/// Applies settings to the defaults. Throws Error "unknown-feature-gate", and Unsupported for a gate of
/// Kueue's that is set to what is not decided yet.
Gates gates_of(const std::map<std::string, bool>& settings);

}  // namespace sluice::decide
