#include "tools/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "decide/rule_tables.hpp"
#include "lang/literal.hpp"
#include "vm/machine.hpp"

namespace sluice::tools {
namespace {

using decide::State;

Resources quantities(const std::map<std::string, Amount>& amounts) {
  Resources resources;
  for (const auto& [resource, amount] : amounts) {
    resources[resource] =
        resource == "cpu" ? Quantity::from_milli(amount.value()) : Quantity::from_units(amount.value());
  }
  return resources;
}

std::string cluster_queue_of(const World& world, const Workload& workload) {
  if (workload.admitted_queue) return *workload.admitted_queue;
  for (const LocalQueue& queue : world.local_queues) {
    if (queue.name_space == workload.name_space && queue.name == workload.queue) return queue.cluster_queue;
  }
  return {};
}

decide::WorkloadState state_of(const Decider& decider, const Workload& workload) {
  const decide::Engine& engine = decider.engine();
  decide::WorkloadName name{workload.name_space, workload.name};
  State now = engine.state(name);
  decide::WorkloadState state;
  state.cluster_queue = cluster_queue_of(decider.world(), workload);
  state.reserved = now == State::admitted || now == State::quota_reserved;
  state.admitted = now == State::admitted;
  state.inadmissible = now == State::inadmissible;
  state.gone = now == State::finished || now == State::deactivated || now == State::denied;
  if (state.admitted) {
    decide::WorkloadReport report = engine.report(name);
    if (report.decision) state.admitted_at = report.decision->at;
  }
  for (const decide::PodSetDecision& pod_set : engine.assignment(name)) {
    PodSetAssignment& assignment = state.assignments.emplace_back();
    assignment.name = pod_set.name;
    assignment.flavors = pod_set.flavors;
    assignment.usage = quantities(pod_set.usage);
    assignment.count = static_cast<std::int32_t>(pod_set.count);
  }
  return state;
}

}  // namespace

Evaluator::Evaluator(const program::Program& program, const Decider& decider)
    : program_(program),
      world_(decider.world()),
      now_(decider.engine().now()),
      tables_(std::make_unique<decide::RuleTables>(program, decider.world())),
      machine_(std::make_unique<vm::Machine>(program)) {
  for (const Workload& workload : decider.world().workloads) {
    rows_.push_back({workload.name_space, workload.name});
    tables_->add(workload, state_of(decider, workload));
  }
  tables_->set_capacity(decider.world().capacity);
  machine_->bind(tables_->binding());
}

Evaluator::~Evaluator() = default;

Evaluator::Value Evaluator::value(std::uint32_t chunk, lang::Type type,
                                  const std::optional<decide::WorkloadName>& workload) {
  machine_->ask(now_);
  if (workload) {
    auto row = static_cast<std::uint32_t>(std::find(rows_.begin(), rows_.end(), *workload) - rows_.begin());
    machine_->set_row(program::Role::workload, row);
    machine_->set_row(program::Role::name_space, tables_->name_space_row(row));
  }
  vm::Value value = machine_->evaluate(chunk);
  if (value.fault) return {{}, value.fault};
  if (!value.present) return {"none", {}};
  if (lang::is_text(type.kind)) return {fmt::format("\"{}\"", tables_->text(value.value)), {}};
  return {lang::value_text(type.kind, value.value), {}};
}

std::string Evaluator::broken(const program::Invariant& invariant) {
  machine_->ask(now_);
  vm::Value value = machine_->evaluate(invariant.chunk);
  if (value.fault) return fmt::format("it cannot be evaluated: {}", program::to_string(value.fault->kind));
  if (!value.present) return {};
  auto row = static_cast<std::size_t>(value.value);
  bool is_workload = program_.chunks[invariant.chunk].kind == program::ValueKind::row && row < rows_.size();
  return is_workload ? fmt::format("{} breaks it", report::user_name(world_, rows_[row])) : "it is broken";
}

}  // namespace sluice::tools
