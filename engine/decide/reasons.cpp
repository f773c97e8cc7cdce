#include "decide/core.hpp"

// What the condition QuotaReserved=False says of a workload that no cycle has looked at.
// Source: Kueue pkg/controller/core workload_controller.go.
namespace sluice::decide {

/// Writes into the condition of a workload without quota what keeps it out of its queue; true if that is new.
bool Core::say_why_not_queued(WorkId id) {
  Work& work = works[id];
  if (work.gated) return false;  // Kueue says both in turns, for ever; here the gate has the last word
  QueueId queue = work.open_queue();
  NoQuota why = NoQuota::unsaid;
  if (gates.observability && !work.live) {
    why = NoQuota::deactivated;
  } else if (gates.observability && work.on_hold) {
    return false;
  } else if (!work.has_local_queue) {
    why = NoQuota::local_queue_missing;
  } else if (work.local_stop != StopPolicy::none) {
    why = NoQuota::local_queue_stopped;
  } else if (queue == kNone) {
    why = NoQuota::queue_missing;
  } else if (!cluster.queues[queue].active) {
    why = NoQuota::queue_inactive;
  } else if (gates.observability) {
    why = why_it_waits(work);
  }
  return why != NoQuota::unsaid && say(work, why);
}

/// Writes the condition QuotaReserved=False; true if it said something else.
bool Core::say(Work& work, NoQuota why) {
  if (work.no_quota == why && !work.text_is_old) return false;
  if (work.no_quota != why) work.text_key = (1u << 8) + static_cast<std::uint64_t>(why);  // apart from what evictions say
  work.no_quota = why;
  work.text_is_old = false;
  if (!work.live) wake_for(work);  // any change of such a workload does this
  return true;
}

/// The annotation admission-gated-by appeared or went.
bool Core::say_gated(Work& work) {
  if (work.gated) return say(work, NoQuota::gated);
  return work.no_quota == NoQuota::gated && say(work, NoQuota::gate_cleared);
}

/// With the gate UnadmittedWorkloadsObservability, of a workload that no queue keeps out.
/// Source   Kueue pkg/controller/core/workload_controller.go.
NoQuota Core::why_it_waits(Work& work) const {
  NoQuota said = work.no_quota;
  if (why_not_accepted(work) != HeadRefusal::none) return NoQuota::not_accepted;
  bool is_new = said == NoQuota::unsaid;
  bool asks_class = is_new ? gates.explicit_status
                           : said == NoQuota::evicted || said == NoQuota::deactivated ||
                                 said == NoQuota::local_queue_stopped || said == NoQuota::queue_inactive ||
                                 said == NoQuota::awaits_evaluation || said == NoQuota::gate_cleared;
  if (asks_class && gates.scheduling_equivalence_hashing && work.place == Work::Place::parked) {
    WorkId tried = pending.tried_of_class(work.queue, work.equivalence);
    if (tried != kNone) {
      work.bypassed_for = tried;
      return NoQuota::bypassed;
    }
  }
  bool stays = said == NoQuota::decided || said == NoQuota::evicted || said == NoQuota::bypassed ||
               said == NoQuota::gate_cleared || said == NoQuota::waits_for_pods;
  if (stays) return said;
  return is_new && !gates.explicit_status ? said : NoQuota::awaits_evaluation;
}

}  // namespace sluice::decide
