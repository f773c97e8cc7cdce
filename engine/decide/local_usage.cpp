#include "decide/local_usage.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "decide/core.hpp"
#include "decide/decay.hpp"

/// Admission fair sharing: what the controllers and the scheduler do with the ledger.
/// Source   Kueue pkg/controller/core localqueue_controller.go, workload_controller.go; pkg/scheduler.
namespace sluice::decide {
namespace {

/// In Quantity's unit: amounts of cpu are milli-cores.
Quantity::Nano nano_of(const std::string& resource, Amount amount) {
  return (resource == "cpu" ? Quantity::from_milli(amount.value()) : Quantity::from_units(amount.value()))
      .nano();
}

}  // namespace

void Core::start_usage() {
  if (!options.kueue.admission_fair_sharing || !gates.admission_fair_sharing) return;
  local_usage.emplace(*options.kueue.admission_fair_sharing);
  bind_usage();
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    if (cluster.queues[id].by_usage) pending.order_by_usage(id);
  }
  for (const auto& [name, info] : cluster.local_queues) usage_changed(info.id);
}

/// The configuration was compiled: Kueue's controller looks at the LocalQueues of queues that change.
void Core::bind_usage() {
  if (!local_usage) return;
  for (Queue& queue : cluster.queues) queue.by_usage = queue.object->usage_based_fair_sharing;
  for (const auto& [name, info] : cluster.local_queues) local_usage->mark(info.id);
}

/// The ledger has something new about a queue: the order of its workloads follows.
void Core::usage_changed(LocalQueueId id) {
  auto info = cluster.local_queues.find(cluster.local_names[id]);
  double weight = 1;
  if (info != cluster.local_queues.end() && info->second.object->fair_weight)
    weight = approximate(*info->second.object->fair_weight);
  double usage = local_usage->ledger.usage(id, weight, cluster.resources);
  if (id >= cluster.local_usage.size()) cluster.local_usage.resize(id + 1);
  cluster.local_usage[id] = usage;
  pending.set_usage(id, usage);
}

/// What the admitted workloads of a LocalQueue hold.
std::vector<UsageLedger::Used> Core::in_use(LocalQueueId local, QueueId queue) const {
  std::vector<UsageLedger::Used> sum;
  for (WorkId id : reserving[queue]) {
    const Work& work = works[id];
    if (work.local != local || !work.admitted) continue;
    for (const Holding& holding : work.holdings)
      UsageLedger::add(sum, holding.resource,
                       nano_of(cluster.resources.text(holding.resource), holding.amount));
  }
  return sum;
}

/// A workload got quota in this cycle: its LocalQueue is charged in advance.
void Core::charge_usage(WorkId id) {
  const Work& work = works[id];
  const Queue& queue = cluster.queues[work.holds_in];
  if (!local_usage || !queue.by_usage) return;
  std::vector<UsageLedger::Used> requests;
  for (const PodSetShape& pod_set : shapes[work.shape].pod_sets) {
    for (const Request& request : pod_set.requests) {
      if (options.kueue.ignore_undeclared && queue.find(request.resource).group < 0) continue;
      UsageLedger::add(requests, request.resource,
                       nano_of(cluster.resources.text(request.resource), request.amount));
    }
  }
  local_usage->ledger.charge(work.local, id, requests, now);
  usage_changed(work.local);
}

/// A workload was admitted.
void Core::settle_usage(WorkId id) {
  const Work& work = works[id];
  if (!local_usage || !work.live || !cluster.queues[work.holds_in].by_usage) return;
  if (!cluster.local_queues.contains(cluster.local_names[work.local])) return;
  local_usage->ledger.settle(work.local, id, in_use(work.local, work.holds_in), now);
  usage_changed(work.local);
}

/// Whether a LocalQueue of the queue is charged for somebody who is not yet admitted.
bool Core::has_penalty(QueueId queue) const {
  if (!local_usage || !local_usage->ledger.has_charges()) return false;
  return std::any_of(cluster.local_queues.begin(), cluster.local_queues.end(), [&](const auto& local) {
    return local.second.queue == queue && local.second.stop == StopPolicy::none &&
           local_usage->ledger.has_penalty(local.second.id);
  });
}

/// A workload is gone, or will not be admitted without getting quota anew.
void Core::drop_charge(WorkId id) {
  if (!local_usage) return;
  local_usage->ledger.drop(works[id].local, id);
  usage_changed(works[id].local);
}

/// What Kueue's controller does with a LocalQueue it looks at.
void Core::sample_usage(LocalQueueId id) {
  auto found = cluster.local_queues.find(cluster.local_names[id]);
  if (found == cluster.local_queues.end()) return;
  const LocalQueueInfo& info = found->second;
  if (info.stop != StopPolicy::none || info.queue == kNone || !cluster.queues[info.queue].active) return;
  UsageLedger& ledger = local_usage->ledger;
  bool was_known = ledger.is_known(id);
  std::vector<UsageLedger::Used> from_status;
  for (const auto& [resource, quantity] : info.object->consumed)
    from_status.push_back({cluster.resources.intern(resource), quantity.nano()});
  ledger.open(id, from_status, now);
  Duration interval = ledger.settings().sampling_interval;
  Instant next = ledger.last_update(id) + interval;
  if (was_known && now < next && !ledger.has_penalty(id)) {
    local_usage->look_again(id, next);
    return;
  }
  ledger.sample(id, in_use(id, info.queue), now);
  usage_changed(id);
  pending.reorder_local(works, info.queue, info.object->name);
  local_usage->look_again(id, now + interval);
}

void Core::check_reach(Instant to) const {
  constexpr std::int64_t kMostSamplings = 4'000'000;  // 38 years with Kueue's default of five minutes
  if (!local_usage) return;
  const Duration interval = local_usage->ledger.settings().sampling_interval;
  if ((to - now).ns / interval.ns <= kMostSamplings) return;
  throw Error("too-far", "until " + to.to_string() + " there are more than " + std::to_string(kMostSamplings) +
                             " samplings of admission fair sharing, one every " + interval.to_string())
      .help("ask for an earlier time, or set a longer `usageSamplingInterval`");
}

void Core::sample_changed() {
  if (!local_usage) return;
  for (std::vector<LocalQueueId> changed = local_usage->take_changed(); !changed.empty();
       changed = local_usage->take_changed()) {
    for (LocalQueueId id : changed) sample_usage(id);
  }
}

}  // namespace sluice::decide
