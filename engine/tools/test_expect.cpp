#include "tools/test_expect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "report/decision_text.hpp"

namespace sluice::tools {
namespace {

namespace ast = lang::ast;
using decide::Prospect;
using decide::State;
using decide::WorkloadReport;

bool has_quota(const WorkloadReport& report) {
  return report.state == State::admitted || report.state == State::quota_reserved;
}

/// Without quota because a rule refuses a flavor now, though it may open later.
bool waits_for_rule(const WorkloadReport& report) {
  if (has_quota(report) || !report.decision) return false;
  for (const decide::PodSetDecision& pod_set : report.decision->pod_sets) {
    if (!pod_set.evaluated || pod_set.mode == decide::Mode::fit) continue;
    return std::any_of(pod_set.attempts.begin(), pod_set.attempts.end(),
                       [](const decide::FlavorAttempt& attempt) {
                         return attempt.refusal == decide::FlavorAttempt::Refusal::rule;
                       });
  }
  return false;
}

/// A word for an outcome, and which reports it fits.
struct Outcome {
  std::string_view word;
  bool (*fits)(const WorkloadReport&);
};
constexpr std::array outcomes = {
    Outcome{"admitted", [](const WorkloadReport& r) { return r.state == State::admitted; }},
    Outcome{"waiting", [](const WorkloadReport& r) { return r.prospect == Prospect::waits_for_check; }},
    Outcome{"pending",
            [](const WorkloadReport& r) {
              return !has_quota(r) && r.state != State::denied && r.state != State::finished &&
                     r.state != State::deactivated;
            }},
    Outcome{"held", [](const WorkloadReport& r) { return r.state == State::held || waits_for_rule(r); }},
    Outcome{"denied", [](const WorkloadReport& r) { return r.state == State::denied; }},
    Outcome{"inadmissible", [](const WorkloadReport& r) { return r.prospect == Prospect::never_as_written; }},
    Outcome{"finished", [](const WorkloadReport& r) { return r.state == State::finished; }},
    Outcome{"evicted", [](const WorkloadReport& r) { return r.state == State::evicted; }},
};

std::set<std::string> flavors_of(const decide::PodSetDecision& pod_set) {
  std::set<std::string> flavors;
  for (const auto& [resource, flavor] : pod_set.flavors) flavors.insert(flavor);
  return flavors;
}

/// Judges one expectation.
class Judge {
 public:
  Judge(const Expectation& expected, const decide::WorkloadName& name, const Decider& decider,
        const lang::Policy& policy, const TestRow& row)
      : expected_(expected),
        policy_(policy),
        row_(row),
        decider_(decider),
        report_(decider.report(name)),
        assignment_(decider.engine().assignment(name)) {}

  std::string broken() {
    std::string why = state();
    if (why.empty()) why = details();
    if (why.empty()) why = check();
    if (why.empty()) why = because();
    if (why.empty()) why = until();
    return why;
  }

 private:
  std::string now_text() const { return report::state_text(report_, decider_.scene(false)); }

  std::string state() {
    auto known = std::find_if(outcomes.begin(), outcomes.end(),
                              [&](const Outcome& outcome) { return outcome.word == expected_.state; });
    if (known != outcomes.end()) {
      if (known->fits(report_)) return {};
      return fmt::format("`{}` should be {}, but it {}", expected_.workload, expected_.state, now_text());
    }
    for (std::string_view later : {"provisioned", "placed", "preempted"}) {
      if (expected_.state == later) {
        throw error_at(policy_, expected_.state_span, "not-yet-decided",
                       fmt::format("`expect … {}` is not decided yet", later));
      }
    }
    return flavor(expected_.state);
  }

  /// In a table a flavor stands for "has quota there".
  std::string flavor(const std::string& wanted) {
    std::set<std::string> all;
    for (const decide::PodSetDecision& pod_set : assignment_) all.merge(flavors_of(pod_set));
    if (all.contains(wanted)) return {};
    if (all.empty())
      return fmt::format("`{}` should get {}, but it {}", expected_.workload, wanted, now_text());
    return fmt::format("`{}` should get {}, but it got {}", expected_.workload, wanted, fmt::join(all, ", "));
  }

  std::string details() {
    for (const ast::Expected& detail : expected_.details) {
      std::string wanted = test_text(detail.value, policy_, row_);
      auto pod_set = std::find_if(assignment_.begin(), assignment_.end(),
                                  [&](const decide::PodSetDecision& p) { return p.name == detail.key.text; });
      if (pod_set == assignment_.end()) {
        return fmt::format("`{}` has no pod set `{}` with quota", expected_.workload, detail.key.text);
      }
      std::set<std::string> got = flavors_of(*pod_set);
      if (got.contains(wanted)) continue;
      return fmt::format("pod set `{}` of `{}` should get {}, but it got {}", detail.key.text,
                         expected_.workload, wanted,
                         got.empty() ? "no flavor" : fmt::format("{}", fmt::join(got, ", ")));
    }
    return {};
  }

  std::string check() {
    if (expected_.check.empty()) return {};
    for (const decide::CheckWait& check : report_.checks) {
      if (check.name == expected_.check && check.state != CheckState::ready) return {};
    }
    return fmt::format("`{}` should wait for check {}, but it {}", expected_.workload, expected_.check,
                       now_text());
  }

  std::string because() {
    if (!expected_.because) return {};
    std::string wanted = test_text(*expected_.because, policy_, row_);
    if (report::decision_text(report_, decider_.scene(false)).find(wanted) != std::string::npos) return {};
    return fmt::format("the reason for `{}` should hold \"{}\"", expected_.workload, wanted);
  }

  std::string until() {
    if (expected_.until == nullptr) return {};
    std::optional<Instant> wanted = instant();
    std::optional<Instant> got = report_.decision ? report_.decision->held_until : std::nullopt;
    if (wanted && got == wanted) return {};
    return fmt::format("`{}` should be held until {}, but it is {}", expected_.workload,
                       wanted ? wanted->to_string() : "an instant",
                       got ? "held until " + got->to_string() : "not held until a known instant");
  }

  std::optional<Instant> instant() const {
    TestValue value = test_value(expected_.until, policy_, row_);
    if (value.kind == lang::Kind::instant) return Instant{value.number};
    return Instant::parse(value.text);
  }

  const Expectation& expected_;
  const lang::Policy& policy_;
  const TestRow& row_;
  const Decider& decider_;
  WorkloadReport report_;
  std::vector<decide::PodSetDecision> assignment_;
};

}  // namespace

std::string broken(const Expectation& expected, const decide::WorkloadName& name, const Decider& decider,
                   const lang::Policy& policy, const TestRow& row) {
  return Judge(expected, name, decider, policy, row).broken();
}

}  // namespace sluice::tools
