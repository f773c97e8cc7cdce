#include "tools/test_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "decide/cluster.hpp"
#include "report/decision_text.hpp"
#include "state/snapshot.hpp"
#include "tools/cluster.hpp"
#include "tools/decider.hpp"
#include "tools/evaluate.hpp"
#include "tools/files.hpp"
#include "tools/test_capacity.hpp"
#include "tools/test_expect.hpp"
#include "tools/test_workload.hpp"

namespace sluice::tools {
namespace {

namespace ast = lang::ast;

const Instant usual_start = *Instant::parse("2026-01-01T00:00:00Z");

/// One run of the steps. An instant (`at "2026-…"`) starts the test again there: what came before happens at
/// that time. A wait
/// (`at +15min`) counts from the start.
class Run {
 public:
  Run(const lang::Policy& policy, const ast::Test& test, const TestRow& row, const Configuration& kueue)
      : policy_(policy), test_(test), row_(row) {
    cluster_.kueue = kueue;
    start_ = usual_start;
  }

  TestResult play() {
    try {
      for (const ast::Step& step : test_.steps) {
        if (step.at) go_to(*step.at);
        std::visit([&](const auto& node) { take(step, node); }, step.node);
        look_at_invariants();
      }
      if (row_.table != nullptr) judge_row();
    } catch (const Error& error) {
      if (error.code() != "not-yet-decided") throw;
      result_.end = TestResult::End::not_decided;
      result_.not_decided = error.message();
    }
    return std::move(result_);
  }

 private:
  /// Something that happened, at a time after the start; kept to be played again from another start.
  struct Event {
    Duration after;
    const ast::Step* step;
  };

  // Steps.

  void take(const ast::Step& step, const ast::ClusterStep& cluster) {
    if (decider_)
      throw error_at(policy_, step.span, "bad-test", "`cluster` stands before what is submitted to it");
    std::string path = beside(cluster.path);
    if (is_snapshot(path)) {
      cluster_.world = Snapshot::open(path).read_world();
      start_ = cluster_.world.now;
    } else {
      cluster_.world.now = start_;
      for (const std::string& file : manifest_files(path)) add(cluster_, file, {});
    }
  }

  void take(const ast::Step& step, const ast::Capacity& capacity) {
    std::vector<CapacitySignal> signals = capacity_of_test(capacity, policy_, row_, now());
    if (decider_) {
      decider_->set_capacity(std::move(signals));
      decider_->run();
      remember(step);
    } else {
      cluster_.world.capacity = std::move(signals);
    }
  }

  void take(const ast::Step&, const ast::SetStep&) {}  // the policy was loaded with it

  void take(const ast::Step& step, const ast::SubmitFileStep& submit) {
    Cluster jobs;
    jobs.kueue = cluster_.kueue;
    jobs.world = decider().world();
    jobs.world.now = now();
    jobs.world.workloads.clear();
    std::map<std::string, std::string> values;
    for (const ast::KeyValue& set : submit.sets)
      values[std::string(set.key.text)] = test_text(set.value, policy_, row_);
    add(jobs, beside(submit.path), values);
    if (jobs.submitted.empty()) {
      const Error nothing = nothing_submitted(jobs, "bad-test", submit.path);
      throw error_at(policy_, submit.path_span, nothing.code(), nothing.message()).help(nothing.help());
    }
    for (Workload& workload : jobs.submitted)
      hand_in(std::move(workload), submit.alias.text, submit.path_span);
    decider().run();
    remember(step);
  }

  void take(const ast::Step& step, const ast::SubmitWorkloadStep& submit) {
    hand_in(workload_of_test(submit, policy_, row_, decider().world(), now(), submitted_ + 1),
            submit.alias.text, step.span);
    decider().run();
    remember(step);
  }

  void take(const ast::Step& step, const ast::EndStep& end) {
    if (end.finish) {
      decider().engine().finish(named(end.workload));
    } else {
      decider().engine().remove(named(end.workload));
    }
    decider().run();
    remember(step);
  }

  void take(const ast::Step& step, const ast::AnswerStep& answer) {
    // The controller of a provisioning check goes by the autoscaler: what it did not say itself does not last.
    const auto& checks = decider().world().admission_checks;
    bool asks_for_machines = std::any_of(checks.begin(), checks.end(), [&](const AdmissionCheck& check) {
      return check.name == answer.check.text && check.controller == decide::kProvisioningController;
    });
    if (asks_for_machines && check_state(answer.state) == CheckState::ready)
      decider().engine().provision(named(answer.workload), decide::RequestEvent::provisioned, {});
    decider().engine().set_check(
        named(answer.workload), {std::string(answer.check.text), check_state(answer.state), {}, {}, {}});
    decider().run();
    remember(step);
  }

  void take(const ast::Step&, const ast::ExpectStep& expect) {
    Expectation expected;
    expected.span = expect.outcome.span;
    expected.workload = expect.workload.text;
    expected.state = expect.outcome.state.text;
    expected.state_span = expect.outcome.state.span;
    expected.details = expect.outcome.details;
    expected.check = policy_.checked.name_of(expect.outcome.check);
    expected.because = expect.outcome.because;
    expected.until = expect.outcome.until;
    judge(expected, named(expect.workload));
  }

  // Time.

  Instant now() const { return start_ + after_; }

  void go_to(const ast::AtClause& at) {
    TestValue value = test_value(at.time, policy_, row_);
    if (at.relative) {
      Duration wait{value.number};
      if (wait < after_) throw error_at(policy_, at.span, "bad-test", "time goes forward only");
      decider().advance(start_ + wait);
      after_ = wait;
      return;
    }
    std::optional<Instant> instant =
        value.kind == lang::Kind::instant ? Instant{value.number} : Instant::parse(value.text);
    if (!instant) throw error_at(policy_, at.span, "bad-test", "this is no instant");
    start_again(*instant);
  }

  void start_again(Instant start) {
    start_ = start;
    after_ = {};
    decider_.reset();
    names_.clear();
    submitted_ = 0;
    std::vector<Event> events = std::exchange(events_, {});
    for (const Event& event : events) {
      if (event.after > after_) {
        decider().advance(start_ + event.after);
        after_ = event.after;
      }
      std::visit([&](const auto& node) { take(*event.step, node); }, event.step->node);
    }
  }

  void remember(const ast::Step& step) { events_.push_back({after_, &step}); }

  // The cluster.

  Decider& decider() {
    if (!decider_) {
      World world = cluster_.world;
      world.now = start_;
      decider_ = std::make_unique<Decider>(std::move(world), &policy_, cluster_.kueue, std::set<decide::WorkloadName>{});
      for (const Workload& workload : cluster_.submitted) decider_->submit(workload);
      decider_->run();
    }
    return *decider_;
  }

  std::string beside(std::string_view path) const {
    return path_beside(policy_.sources.path(policy_.files.front()->source), path);
  }

  void add(Cluster& cluster, const std::string& path, const std::map<std::string, std::string>& values) {
    kube::Substitutions substitutions;
    substitutions.values.insert(values.begin(), values.end());
    add_manifest(cluster, read_file(path, kMaxManifestBytes), path, substitutions);
  }

  void hand_in(Workload workload, std::string_view alias, Span span) {
    decide::WorkloadName name{workload.name_space, workload.name};
    for (const auto& [known_as, other] : names_) {
      if (other != name) continue;
      throw error_at(policy_, span, "submitted-twice",
                     fmt::format("{} is submitted twice", name.to_string()));
    }
    ++submitted_;
    workload.arrival = submitted_;
    names_.emplace_back(std::string(alias), name);
    decider().submit(std::move(workload));
  }

  decide::WorkloadName named(const ast::Name& name) const {
    for (const auto& [alias, workload] : names_) {
      if (!alias.empty() && alias == name.text) return workload;
    }
    throw error_at(policy_, name.span, "bad-test", fmt::format("nothing was submitted as `{}`", name.text));
  }

  CheckState check_state(const ast::Name& name) const {
    if (name.text == "ready") return CheckState::ready;
    if (name.text == "retry") return CheckState::retry;
    if (name.text == "rejected") return CheckState::rejected;
    if (name.text == "pending") return CheckState::pending;
    throw error_at(policy_, name.span, "bad-test", "a check answers ready, retry, rejected or pending");
  }

  // Expectations.

  void judge(const Expectation& expected, const decide::WorkloadName& name) {
    std::string why = broken(expected, name, decider(), policy_, row_);
    if (why.empty()) return;
    result_.end = TestResult::End::failed;
    result_.failures.push_back(
        {Severity::error, "expectation-failed", expected.span, std::move(why), {}, {}});
    report::Scene scene = decider().scene(false);
    result_.reasons.push_back(fmt::format("at {}\n{}", scene.now.to_string(),
                                          report::decision_text(decider().report(name), scene)));
  }

  void look_at_invariants() {
    const std::vector<program::Invariant>& invariants = policy_.program.invariants;
    if (!decider_ || invariants.empty()) return;
    Evaluator evaluator(policy_.program, *decider_);
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      bool known = std::any_of(result_.invariants.begin(), result_.invariants.end(),
                               [&](const TestResult::BrokenInvariant& other) { return other.number == i; });
      std::string message = known ? std::string() : evaluator.broken(invariants[i]);
      if (message.empty()) continue;
      result_.invariants.push_back(
          {i, std::move(message), fmt::format("at {}\n", decider_->engine().now().to_string())});
    }
  }

  /// The columns `waited` and `expect` of a table are about the job submitted last.
  void judge_row() {
    if (names_.empty())
      throw error_at(policy_, row_.table->span, "bad-test", "a table tests what the test submits");
    if (const ast::Table::Cell* waited = row_.cell("waited")) {
      Duration wait{test_value(waited->value, policy_, TestRow()).number};
      decider().advance(start_ + wait);
      after_ = wait;
      look_at_invariants();
    }
    const ast::Table::Cell* cell = row_.cell("expect");
    if (cell == nullptr) return;
    const auto& [alias, name] = names_.back();
    Expectation expected;
    expected.span = cell->value->span;
    expected.workload = alias.empty() ? name.name : alias;
    expected.state = test_text(cell->value, policy_, TestRow());
    expected.state_span = cell->value->span;
    expected.details = cell->details;
    judge(expected, name);
  }

  const lang::Policy& policy_;
  const ast::Test& test_;
  const TestRow& row_;
  Cluster cluster_;
  Instant start_;
  Duration after_;
  std::unique_ptr<Decider> decider_;
  std::vector<std::pair<std::string, decide::WorkloadName>>
      names_;  ///< alias, or empty, in the order of submission
  std::size_t submitted_ = 0;
  std::vector<Event> events_;
  TestResult result_;
};

}  // namespace

TestResult run_test(const lang::Policy& policy, const ast::Test& test, const TestRow& row,
                    const Configuration& kueue) {
  return Run(policy, test, row, kueue).play();
}

}  // namespace sluice::tools
