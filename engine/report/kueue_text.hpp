#pragma once

#include <string>
#include <string_view>

#include "decide/decision.hpp"
#include "model/world.hpp"

/// The texts that Kueue 0.19.2 itself writes, made from typed reasons: for comparison with a real cluster,
/// and for users who search for them.
namespace sluice::report {

/// The message of the condition QuotaReserved=False, or of the QuotaReserved event when quota was assigned.
/// `workload` is the one decided about.
std::string kueue_message(const decide::Decision& decision, const Workload& workload);

/// The reason of QuotaReserved=False after a decision. `granular`: gate UnadmittedWorkloadsObservability.
std::string kueue_reason(const decide::Decision& decision, bool granular);

/// The reasons of the conditions Evicted and Preempted: `Preempted/InClusterQueue`; empty: neither is true.
std::string kueue_eviction(const decide::Eviction& eviction);

/// The message of the condition Evicted; empty for what needs more than the reason: preemptions.
std::string kueue_eviction_message(decide::EvictionReason reason);
std::string kueue_eviction_message(const decide::WorkloadName& workload, const decide::Eviction& eviction);

/// Why its queue does not accept a workload, as the condition QuotaReserved says it.
std::string kueue_refusal_message(decide::HeadRefusal refusal, const Workload& workload, const World& world);

/// Why a workload is in no queue: the message of its condition QuotaReserved; empty for what decisions and
/// evictions say. `granular`: the reasons of the gate UnadmittedWorkloadsObservability. `cluster_queue`: behind
/// its LocalQueue.
std::string kueue_no_quota_message(decide::NoQuota no_quota, const Workload& workload,
                                   std::string_view cluster_queue);
std::string kueue_no_quota_reason(decide::NoQuota no_quota, bool granular);

/// The message of a preempted workload. A path names the cohorts from the root and the queue: `/R/a`.
std::string kueue_preemption_message(std::string_view preemptor_uid, std::string_view job_uid,
                                     decide::Victim::Reason reason, std::string_view preemptor_path,
                                     std::string_view victim_path);

/// The message of a finished slice of an elastic job that a larger one replaced.
std::string kueue_replacement_message(std::string_view uid, std::string_view job_uid);

/// The message of a variant that is evicted for one on a more favorable flavor.
std::string kueue_migration_message(std::string_view uid);

}  // namespace sluice::report
