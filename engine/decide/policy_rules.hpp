#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decide/rule_tables.hpp"
#include "decide/rules.hpp"
#include "program/program.hpp"
#include "vm/machine.hpp"

namespace sluice::decide {

/// The rules of a policy, asked with the VM on tables of the cluster. One question at a time: what is being asked about is
/// kept in the members at the end.
class PolicyRules final : public Rules {
 public:
  PolicyRules(const program::Program& program, const World& world)
      : program_(program), world_(world), tables_(program, world), machine_(program) {
    for (std::size_t i = 0; i < program.rules.size(); ++i) {
      PointRules& rules = points_[static_cast<std::size_t>(program.rules[i].point)];
      if (rules.count++ == 0) rules.first = static_cast<std::uint32_t>(i);
    }
  }
  PolicyRules(const PolicyRules& other)
      : Rules(other),
        program_(other.program_),
        world_(other.world_),
        tables_(other.tables_),
        machine_(other.program_),
        points_(other.points_) {
    machine_.bind(tables_.binding());
  }
  PolicyRules& operator=(const PolicyRules&) = delete;

  std::uint32_t add(const Workload& workload, const WorkloadState& state) override { return tables_.add(workload, state); }
  void update(std::uint32_t workload, const WorkloadState& state) override { tables_.update(workload, state); }
  void set_capacity(std::span<const CapacitySignal> signals) override { tables_.set_capacity(signals); }
  bool has_order_rules() const override { return points_[static_cast<std::size_t>(program::Point::order)].count > 0; }
  std::string rule_on(program::Point point) const override {
    const PointRules& rules = points_[static_cast<std::size_t>(point)];
    return rules.count == 0 ? std::string() : program_.rules[rules.first].name;
  }
  std::unique_ptr<Rules> clone() const override { return std::make_unique<PolicyRules>(*this); }

  SubmitAnswer submit(std::uint32_t workload, Instant now) override;
  ScoreAnswer score(std::uint32_t workload, Instant now, const QuotaView& quota) override;
  FlavorsAnswer flavors(std::uint32_t workload, std::uint32_t pod_set, std::string_view queue, const ResourceGroup& group,
                        Instant now, const QuotaView& quota) override;
  AdmitAnswer admit(std::uint32_t workload, std::span<const PodSetAssignment> assignments, bool borrows, Instant now,
                    const QuotaView& quota) override;
  std::optional<Instant> next_change(std::uint32_t workload, Instant now) override;

 private:
  struct PointRules {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// A rule that had something to say.
  struct Hit {
    const program::Rule* rule = nullptr;
    std::optional<program::Fault> fault;
  };
  using Verb = RuleNote::Verb;

  void ask(std::uint32_t workload, Instant now);
  void set_queue(const QuotaView& quota);
  Duration waited() const { return now_ - tables_.created(workload_); }
  Instant after(std::int64_t nanoseconds) const { return tables_.created(workload_) + Duration{nanoseconds}; }
  /// The rules of a point that match or fault, in the order of the policy.
  std::vector<Hit> hits(program::Point point);
  RuleFault fault_of(const program::Fault& fault) const;
  std::string text(std::uint32_t number);
  RuleNote note(Verb verb, const program::Rule& rule, Span span);
  RuleNote fault_note(Verb verb, const program::Rule& rule, const program::Fault& fault);
  /// The actions of a matching rule that speak already.
  template <class Visit>
  void each_action(const program::Rule& rule, Visit visit) {
    for (const program::Action& action : rule.actions) {
      if (waited().ns >= action.after) visit(action);
    }
  }
  /// When an instant comes by waiting alone at which `holds` answers yes; asked at the instants at which `next` says
  /// that something changes. The question is at `now` again afterwards.
  std::optional<Instant> first_instant(const std::function<bool()>& holds, const std::function<std::optional<Instant>()>& next);
  /// The same question at another instant.
  void move_to(Instant now);
  std::optional<Instant> next_of(const std::vector<program::TimeAtom>& atoms);
  std::optional<Instant> next_of(const program::Rule& rule);
  std::optional<Instant> next_of(const program::Rung& rung);
  /// When the rule stops matching, if waiting alone makes it so.
  std::optional<Instant> ends(const program::Rule& rule);

  /// What is known of one flavor of the group.
  struct Candidate {
    FlavorAnswer answer;
    bool held_by_fault = false;
    std::vector<const program::Rung*> rungs;  ///< that name it, in order
    std::optional<Duration> lifted_to;        ///< `prefer`: its rungs open after this, if that is sooner
  };
  void ask_flavor_rules(const ResourceGroup& group, std::vector<Candidate>& candidates,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& preferences);
  void ask_rungs(const program::Fallback& fallback, Candidate& candidate);
  bool is_open(const program::Rung& rung, std::optional<Duration> lifted_to, std::optional<program::Fault>* fault);
  const program::Fallback* fallback_of(std::string_view queue) const;
  RuleNote rung_note(Verb verb, const program::Fallback& fallback, const program::Rung& rung);

  const program::Program& program_;
  const World& world_;
  RuleTables tables_;
  vm::Machine machine_;
  std::array<PointRules, program::kPoints> points_{};
  std::vector<std::uint64_t> holds_;
  std::vector<std::uint64_t> faults_;
  // Of the question that is being answered.
  std::uint32_t workload_ = 0;
  Instant now_;
  std::optional<std::uint32_t> queue_row_;
  std::optional<std::uint32_t> pod_set_row_;
  std::optional<std::uint32_t> flavor_row_;
};

/// The sooner of two instants, of which either may never come.
inline std::optional<Instant> earlier(std::optional<Instant> a, std::optional<Instant> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace sluice::decide
