#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "decide/engine.hpp"
#include "decide/rules.hpp"
#include "lang/load.hpp"
#include "model/world.hpp"
#include "report/scene.hpp"

namespace sluice::tools {

/// A cluster under a policy, ready to be asked: what `decide`, `why`, `test` and `repl` share. Stays where it
/// is: rules and engine point into it.
class Decider {
 public:
  /// What the policy declares is laid over the world. `policy` may be null: then the decision is Kueue's; it
  /// must outlive the decider. Throws Error "not-yet-decided", "cohort-cycle".
  /// `explained`: of which jobs the reports tell every candidate of a preemption; unset: of all, which is for
  /// clusters of few workloads.
  using Explained = std::optional<std::set<decide::WorkloadName>>;
  Decider(World world, const lang::Policy* policy, const Configuration& kueue, Explained explained = std::nullopt);
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  decide::Engine& engine() { return *engine_; }
  const decide::Engine& engine() const { return *engine_; }
  /// With everything that was submitted.
  const World& world() const { return world_; }
  report::Scene scene(bool colour) const;
  /// The instant of the cluster before anything was decided.
  Instant start() const { return at_start_.now; }

  void submit(Workload workload);
  /// New capacity signals, in place of those before; `run` decides what comes of them.
  void set_capacity(std::vector<CapacitySignal> signals);
  /// Cycles until nothing changes; keeps them.
  void run();
  void advance(Instant to);
  const std::vector<decide::Cycle>& cycles() const { return cycles_; }
  /// Whether a run would have gone on for ever.
  decide::RunEnd end() const { return end_; }

  /// What is known about one workload, with what waiting alone would change.
  decide::WorkloadReport report(const decide::WorkloadName& name) const;

 private:
  void keep(decide::RunEnd end);

  World world_;             ///< with what was submitted; in order after each run
  bool is_sorted_ = true;
  World at_start_;  ///< what the rules were made for
  const lang::Policy* policy_;
  std::unique_ptr<decide::Rules> rules_;
  std::optional<decide::Engine> engine_;
  std::vector<decide::Cycle> cycles_;
  decide::RunEnd end_;
};

}  // namespace sluice::tools
