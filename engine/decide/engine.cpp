#include "decide/engine.hpp"

#include "base/error.hpp"
#include "decide/core.hpp"
#include "decide/fair_share.hpp"
#include "decide/submit.hpp"
#include "decide/unsupported.hpp"

namespace sluice::decide {

class Engine::Impl {
 public:
  Impl(const World& world, Options options, Rules* rules) : core(world, std::move(options), rules) {}
  explicit Impl(const Core& other) : core(other) {}

  WorkId need(const WorkloadName& name) const {
    WorkId id = core.find(name);
    if (id == kNone) throw Error("unknown-workload", "no workload `" + name.to_string() + "`");
    return id;
  }

  Core core;
};

Engine::Engine(const World& world, Options options, Rules* rules)
    : impl_(std::make_unique<Impl>(world, std::move(options), rules)) {}
Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Engine Engine::clone() const {
  return Engine(std::make_unique<Impl>(impl_->core));
}

Instant Engine::now() const {
  return impl_->core.now;
}

void Engine::submit(const Workload& workload) {
  Core& core = impl_->core;
  if (core.find({workload.name_space, workload.name}) != kNone) {
    throw Error("workload-exists", "a workload `" + workload.name_space + "/" + workload.name + "` exists");
  }
  core.submitted.push_back(workload);
  Workload& own = core.submitted.back();
  if (own.arrival == 0) own.arrival = core.works.size() + 1;
  std::vector<RuleNote> defaults;
  if (core.rules != nullptr) defaults = apply_defaults(own, *core.rules, *core.cluster.world, core.now);
  WorkId id = core.add(own, true);
  core.works[id].own = static_cast<std::uint32_t>(core.submitted.size() - 1);
  ThinVector<RuleNote>& notes = core.works[id].submit_notes;
  defaults.insert(defaults.end(), notes.begin(), notes.end());
  notes = std::move(defaults);
  core.settle();
}

RunEnd Engine::run() {
  return impl_->core.run();
}
RunEnd Engine::advance(Instant to) {
  return impl_->core.advance(to);
}
void Engine::check_reach(Instant to) const {
  impl_->core.check_reach(to);
}
bool Engine::cycle() {
  return impl_->core.cycle();
}

void Engine::tick(Duration period) {
  impl_->core.now = impl_->core.now + period;
  impl_->core.settle();
}

void Engine::finish(const WorkloadName& workload) {
  impl_->core.finish(impl_->need(workload));
  impl_->core.settle();
}

void Engine::remove(const WorkloadName& workload) {
  impl_->core.remove(impl_->need(workload));
  impl_->core.settle();
}

std::optional<Instant> Engine::next_due() const {
  return impl_->core.next_due();
}

void Engine::set_pods_ready(const WorkloadName& workload, PodsReady state) {
  impl_->core.set_pods_ready(impl_->need(workload), state);
  impl_->core.settle();
}

bool Engine::awaits_second_pass() const {
  return impl_->core.awaits_second_pass();
}

bool Engine::exists(const WorkloadName& workload) const {
  return impl_->core.find(workload) != kNone;
}

bool Engine::is_in_cycle() const {
  return impl_->core.is_in_cycle();
}

Cycle Engine::unreported_cycle() const {
  return impl_->core.unreported_cycle();
}

std::optional<WorkloadName> Engine::blocked_head() const {
  return impl_->core.blocked_head();
}

void Engine::touch(const WorkloadName& workload) {
  impl_->core.status_changed(impl_->need(workload));
  impl_->core.settle();
}

void Engine::set_active(const WorkloadName& workload, bool active) {
  WorkId id = impl_->need(workload);
  Workload object = *impl_->core.works[id].object;
  object.active = active;
  impl_->core.apply(id, object);
  impl_->core.settle();
}

void Engine::apply(const World& objects) {
  if (impl_->core.rules != nullptr) throw Unsupported("a change of the cluster's objects under a policy");
  auto apply_all = [&](const auto& of_kind) {
    for (const auto& object : of_kind) {
      impl_->core.apply(object);
      impl_->core.settle();
    }
  };
  apply_all(objects.namespaces);
  apply_all(objects.limit_ranges);
  apply_all(objects.runtime_classes);
  apply_all(objects.priority_classes);
  apply_all(objects.workload_priority_classes);
  apply_all(objects.topologies);
  apply_all(objects.flavors);
  apply_all(objects.provisioning_configs);
  apply_all(objects.admission_checks);
  apply_all(objects.nodes);
  apply_all(objects.cohorts);
  apply_all(objects.cluster_queues);
  apply_all(objects.local_queues);
  for (const Workload& workload : objects.workloads) apply(workload);
  apply_all(objects.provisioning_requests);
}

void Engine::apply(const Workload& workload, bool with_status) {
  Core& core = impl_->core;
  WorkId id = core.find({workload.name_space, workload.name});
  if (id == kNone) return submit(workload);
  if (core.rules != nullptr) throw Unsupported("a change of a workload under a policy");
  if (with_status) {
    core.apply_status(id, workload);
  } else {
    core.apply(id, workload);
  }
  core.settle();
}

void Engine::remove(ObjectKind kind, const std::string& name_space, const std::string& name) {
  if (impl_->core.rules != nullptr && kind != ObjectKind::workload)
    throw Unsupported("a change of the cluster's objects under a policy");
  impl_->core.remove(kind, name_space, name);
  impl_->core.settle();
}

const World& Engine::objects() const {
  return *impl_->core.cluster.world;
}

const Workload& Engine::object(const WorkloadName& workload) const {
  return *impl_->core.works[impl_->need(workload)].object;
}

void Engine::set_reclaimable(const WorkloadName& workload, const std::map<std::string, std::int32_t>& pods) {
  impl_->core.set_reclaimable(impl_->need(workload), pods);
  impl_->core.settle();
}

void Engine::set_queue_stop(const std::string& cluster_queue, StopPolicy policy) {
  const Cluster& cluster = impl_->core.cluster;
  auto it = cluster.queue_by_name.find(cluster_queue);
  if (it == cluster.queue_by_name.end()) throw Error("unknown-queue", "no queue `" + cluster_queue + "`");
  ClusterQueue object = *cluster.queues[it->second].object;
  object.stop_policy = policy;
  impl_->core.apply(object);
  impl_->core.settle();
}

void Engine::set_local_queue_stop(const std::string& name_space, const std::string& name, StopPolicy policy) {
  auto it = impl_->core.cluster.local_queues.find({name_space, name});
  if (it == impl_->core.cluster.local_queues.end()) {
    throw Error("unknown-queue", "no local queue `" + name_space + "/" + name + "`");
  }
  LocalQueue object = *it->second.object;
  object.stop_policy = policy;
  impl_->core.apply(object);
  impl_->core.settle();
}

void Engine::set_check(const WorkloadName& workload, const CheckAnswer& answer) {
  impl_->core.set_check(impl_->need(workload), answer);
  impl_->core.settle();
}

void Engine::provision(const WorkloadName& workload, std::optional<RequestEvent> event,
                       const std::string& message) {
  WorkId id = impl_->core.find(workload);
  if (id == kNone) return;
  impl_->core.provision(id, event, message);
  impl_->core.settle();
}

std::vector<Cycle> Engine::take_cycles() {
  std::vector<Cycle> out;
  out.swap(impl_->core.cycles);
  return out;
}

std::vector<WorkloadName> Engine::workloads() const {
  std::vector<WorkloadName> out;
  const Core& core = impl_->core;
  for (WorkId id : core.by_name.sorted(core.works)) out.push_back(core.name_of(core.works[id]));
  return out;
}

State Engine::state(const WorkloadName& workload) const {
  return impl_->core.state(impl_->core.works[impl_->need(workload)]);
}

WorkloadReport Engine::report(const WorkloadName& workload) const {
  return impl_->core.report(impl_->need(workload));
}

std::vector<PodSetDecision> Engine::assignment(const WorkloadName& workload) const {
  return impl_->core.describe_holdings(impl_->core.works[impl_->need(workload)]);
}

Eviction Engine::eviction(const WorkloadName& workload) const {
  const Work& work = impl_->core.works[impl_->need(workload)];
  Eviction out;
  out.evicted = work.evicted;
  out.since = work.evicted_at;
  out.checks = work.failed_checks;
  out.reason = work.eviction;
  out.preempted = work.preempted;
  out.preemption = work.preemption;
  return out;
}

NoQuota Engine::no_quota(const WorkloadName& workload) const {
  return impl_->core.works[impl_->need(workload)].no_quota;
}

std::optional<WorkloadName> Engine::bypassed_for(const WorkloadName& workload) const {
  const Core& core = impl_->core;
  const Work& work = core.works[impl_->need(workload)];
  if (work.no_quota != NoQuota::bypassed || work.bypassed_for == kNone) return std::nullopt;
  return core.name_of(core.works[work.bypassed_for]);
}

HeadRefusal Engine::refusal(const WorkloadName& workload) const {
  return impl_->core.why_not_accepted(impl_->core.works[impl_->need(workload)]);
}

std::optional<Change> Engine::what_waiting_changes(const WorkloadName& workload, Duration horizon) const {
  return impl_->core.what_waiting_changes(impl_->need(workload), horizon);
}

std::map<std::string, std::map<std::string, std::map<std::string, Engine::Usage>>> Engine::usage() const {
  const Core& core = impl_->core;
  std::map<std::string, std::map<std::string, std::map<std::string, Usage>>> out;
  for (const Queue& queue : core.cluster.queues) {
    auto& flavors = out[queue.object->name];
    for (const Group& group : queue.groups) {
      for (std::size_t f = 0; f < group.flavors.size(); ++f) {
        for (std::size_t r = 0; r < group.resources.size(); ++r) {
          FlavorResource cell = group.cell(f, r);
          Usage usage;
          usage.reserved = core.cluster.tree.usage(queue.node, cell);
          Amount above = usage.reserved - core.cluster.tree.nominal(queue.node, cell);
          // Also where its cohorts form a circle, from which nothing can be borrowed.
          if (queue.object->cohort && above > Amount(0)) usage.borrowed = above;
          flavors[core.cluster.flavor_names.text(group.flavors[f])]
                 [core.cluster.resources.text(group.resources[r])] = usage;
        }
      }
    }
  }
  return out;
}

std::map<std::string, double> Engine::weighted_shares() const {
  std::map<std::string, double> out;
  const Core& core = impl_->core;
  if (!core.options.kueue.fair_sharing) return out;
  FairShares shares(core.cluster);
  for (const Queue& queue : core.cluster.queues) out[queue.object->name] = shares.of(queue.node).value();
  return out;
}

std::map<std::string, std::string> Engine::inactive_queues() const {
  std::map<std::string, std::string> out;
  for (const Queue& queue : impl_->core.cluster.queues) {
    if (!queue.active) out[queue.object->name] = queue.inactive_reason;
  }
  return out;
}

}  // namespace sluice::decide
