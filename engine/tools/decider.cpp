#include "tools/decider.hpp"

#include <utility>

#include "model/overlay.hpp"
#include "tools/remarks.hpp"

namespace sluice::tools {
namespace {

/// How far ahead waiting is looked at: longer than any queue we know, and than DWS' seven days.
constexpr Duration horizon = Duration::seconds(31 * 86400);

/// One head of each queue is decided in a cycle, so a run takes as many cycles as a queue has jobs. The
/// largest cluster we know of has 100,000; what goes in circles is found out by the engine.
constexpr std::uint32_t most_cycles = 1'000'000;

decide::Options options_for(const Configuration& kueue, Decider::Explained explained) {
  decide::Options options;
  options.kueue = kueue;
  options.explained = std::move(explained);
  options.assume_pods_ready = true;
  options.max_cycles = most_cycles;
  return options;
}

}  // namespace

Decider::Decider(World world, const lang::Policy* policy, const Configuration& kueue, Explained explained)
    : world_(std::move(world)), policy_(policy) {
  if (policy_ != nullptr) overlay(world_, policy_->declarations);
  refuse_cohort_cycle(world_);
  at_start_ = world_;
  if (policy_ != nullptr) rules_ = decide::make_rules(policy_->program, at_start_);
  engine_.emplace(at_start_, options_for(kueue, std::move(explained)), rules_.get());
}

report::Scene Decider::scene(bool colour) const {
  return {world_, policy_ == nullptr ? nullptr : &policy_->sources, engine_->now(), colour};
}

void Decider::submit(Workload workload) {
  engine_->submit(workload);
  world_.workloads.push_back(std::move(workload));
  is_sorted_ = false;
}

void Decider::set_capacity(std::vector<CapacitySignal> signals) {
  if (rules_) rules_->set_capacity(signals);
  world_.capacity = std::move(signals);
}

void Decider::run() {
  keep(engine_->run());
}

void Decider::advance(Instant to) {
  keep(engine_->advance(to));
}

void Decider::keep(decide::RunEnd end) {
  if (!is_sorted_) sort_objects(world_);  // once for all that were submitted: a workload is dear to move
  is_sorted_ = true;
  if (end.loop && !end_.loop) {
    end_.loop = true;
    end_.loop_begin = end.loop_begin;
    end_.loop_length = end.loop_length;
  }
  end_.truncated = end_.truncated || end.truncated;
  std::vector<decide::Cycle> cycles = engine_->take_cycles();
  cycles_.insert(cycles_.end(), std::make_move_iterator(cycles.begin()),
                 std::make_move_iterator(cycles.end()));
}

decide::WorkloadReport Decider::report(const decide::WorkloadName& name) const {
  decide::WorkloadReport report = engine_->report(name);
  if (report.state != decide::State::admitted && report.state != decide::State::finished) {
    report.waiting = engine_->what_waiting_changes(name, horizon);
  }
  return report;
}

}  // namespace sluice::tools
