#include "decide/rules.hpp"

#include <ostream>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "lang/load.hpp"

using namespace sluice;
using namespace sluice::decide;

namespace {

/// As much as anybody asks for is there.
class PlentyOfQuota final : public QuotaView {
 public:
  Amount available(std::string_view, std::string_view flavor, std::string_view) const override {
    return Amount(flavor == "on-demand" ? 4 : 100);
  }
  Amount used(std::string_view, std::string_view, std::string_view) const override { return Amount(12); }
  Amount nominal(std::string_view, std::string_view, std::string_view) const override { return Amount(16); }
  std::int64_t pending(std::string_view) const override { return 3; }
};

const Instant noon = *Instant::parse("2026-03-02T12:00:00Z");  // a Monday, 13:00 in Paris

Workload workload(const std::string& name, std::int64_t gpus, std::int32_t priority = 0) {
  Workload made;
  made.name = name;
  made.queue = "training";
  made.created = noon;
  made.priority = priority;
  made.labels = {{"user", "ana"}};
  PodSet pods;
  pods.name = "main";
  pods.count = 1;
  Container container;
  container.requests["nvidia.com/gpu"] = Quantity::from_units(gpus);
  pods.pod.containers.push_back(container);
  made.pod_sets.push_back(pods);
  return made;
}

World world() {
  World made;
  for (const char* flavor : {"default-cpu", "on-demand", "dws", "spot"}) {
    made.flavors.emplace_back();
    made.flavors.back().name = flavor;
  }
  made.cluster_queues.emplace_back();
  made.cluster_queues[0].name = "q";
  ResourceGroup group;
  group.covered_resources = {"nvidia.com/gpu"};
  for (const char* flavor : {"default-cpu", "on-demand", "dws", "spot"})
    group.flavors.push_back({flavor, {}});
  made.cluster_queues[0].resource_groups.push_back(group);
  LocalQueue queue;
  queue.name_space = "default";
  queue.name = "training";
  queue.cluster_queue = "q";
  made.local_queues.push_back(queue);
  return made;
}

/// A policy over the world above with one workload, number 0, that asks for 8 GPUs.
struct Bench {
  explicit Bench(const std::string& text, World objects = world())
      : policy(lang::load({lang::Source{"p.sluice", "edition 2026\n" + text}}, {})),
        known(std::move(objects)) {
    for (const Diagnostic& problem : policy.diagnostics.all()) {
      BOOST_REQUIRE_MESSAGE(problem.severity != Severity::error,
                            problem.message << ": " << policy.sources.text(problem.span));
    }
    rules = make_rules(policy.program, known);
    rules->add(workload("w", 8), {});
  }

  FlavorsAnswer flavors(Duration waited) {
    return rules->flavors(0, 0, "q", known.cluster_queues[0].resource_groups[0], noon + waited, quota);
  }
  AdmitAnswer admit(Duration waited) { return rules->admit(0, {}, false, noon + waited, quota); }

  /// `default-cpu on-demand !dws@+15min`: order, and what is refused until when.
  std::string summary(const FlavorsAnswer& answer) const {
    std::string text;
    for (const std::uint32_t i : answer.order) {
      if (!text.empty()) text += ' ';
      const FlavorAnswer& flavor = answer.flavors[i];
      text += (flavor.allowed ? "" : "!") + known.cluster_queues[0].resource_groups[0].flavors[i].flavor;
      if (flavor.opens) text += "@+" + (*flavor.opens - noon).to_string();
    }
    return text;
  }

  lang::Policy policy;
  World known;
  PlentyOfQuota quota;
  std::unique_ptr<Rules> rules;
};

struct FlavorCase {
  const char* why;
  const char* policy;
  Duration waited;
  const char* want;
  bool stocked_out = false;
};
std::ostream& operator<<(std::ostream& out, const FlavorCase& c) {
  return out << c.why;
}
const char* const patient = R"(
fallback for queue q {
  try on-demand  unless stocked-out(on-demand)
  after 15min try dws  when max-run <= 7d  because "7 days at most"
  otherwise hold "no plan"
})";
const char* const impatient = R"(
fallback for queue q {
  try on-demand  unless stocked-out(on-demand)
  after 15min try dws  when max-run <= 7d  because "7 days at most"
  otherwise hold "no plan"
}
rule no-wait on flavor { when flavor.name = "dws" and stocked-out(on-demand) then prefer dws over on-demand because "no stock" })";
const FlavorCase flavor_cases[] = {
    {"without rules the order is the queue's", "", {}, "default-cpu on-demand dws spot"},
    {"a rung opens after its wait", patient, Duration::seconds(60), "default-cpu on-demand !dws@+15min spot"},
    {"at the instant itself it is open", patient, Duration::seconds(900), "default-cpu on-demand dws spot"},
    {"unless", patient, Duration::seconds(60), "default-cpu !on-demand !dws@+15min spot", true},
    {"prefer lifts the wait", impatient, Duration::seconds(60), "default-cpu dws !on-demand spot", true},
    {"prefer says nothing where its rule does not match", impatient, Duration::seconds(60),
     "default-cpu on-demand !dws@+15min spot"},
    {"rungs order the flavors they name, at the place of the first",
     "fallback for queue q { try spot try on-demand }",
     {},
     "default-cpu spot on-demand dws"},
    {"another queue's fallback",
     "fallback for queue other { try spot try on-demand }",
     {},
     "default-cpu on-demand dws spot"},
    {"a guard that waiting does not lift",
     "fallback for queue q { after 1h try dws when workload.priority > 5 }",
     {},
     "default-cpu on-demand !dws spot"},
    {"a guard on the time",
     "fallback for queue q { try dws when clock(\"Europe/Paris\") in 20:00..06:00 }",
     {},
     "default-cpu on-demand !dws@+7h spot"},
    {"the later of wait and guard",
     "fallback for queue q { after 8h try dws when clock(\"Europe/Paris\") in 20:00..06:00 }",
     {},
     "default-cpu on-demand !dws@+8h spot"},
    {"a second rung of the same flavor",
     "fallback for queue q { after 90min try spot after 2h try dws when workload.priority > 5 after 3h try "
     "dws }",
     {},
     "default-cpu on-demand !spot@+1h30min !dws@+3h"},
    {"skip wins",
     "rule s on flavor { when flavor.name in [\"dws\", \"spot\"] then skip because \"x\" }",
     {},
     "default-cpu on-demand !dws !spot"},
    {"a skip that ends",
     "rule s on flavor { when flavor.name = \"spot\" and waited < 30min then skip because \"x\" }",
     {},
     "default-cpu on-demand dws !spot@+30min"},
    {"skip and rung: both must lift",
     "fallback for queue q { after 15min try dws }\nrule s on flavor { when flavor.name = \"dws\" and waited "
     "< 1h then skip because \"x\" }",
     {},
     "default-cpu on-demand !dws@+1h spot"},
    {"what quota says",
     "rule s on flavor { when free(nvidia.com/gpu) < podset.total(nvidia.com/gpu) then skip because \"x\" }",
     {},
     "default-cpu !on-demand dws spot"},
    {"prefer alone",
     "rule p on flavor { then prefer spot over on-demand because \"cheap\" }",
     {},
     "default-cpu spot on-demand dws"},
    {"a fault holds everything",
     "rule f on flavor { when flavor.name = \"dws\" and 8 / (workload.priority + 0) > 1 then skip because "
     "\"x\" }",
     {},
     "!default-cpu !on-demand !dws !spot"},
    {"unless the rule says otherwise",
     "rule f on flavor { when flavor.name = \"dws\" and 8 / (workload.priority + 0) > 1 then skip because "
     "\"x\" on error skip }",
     {},
     "default-cpu on-demand dws spot"},
};

struct AdmitCase {
  const char* why;
  const char* policy;
  Duration waited;
  Verdict want;
  const char* until;    ///< after noon; empty: not by itself
  const char* because;  ///< of the first reason
};
std::ostream& operator<<(std::ostream& out, const AdmitCase& c) {
  return out << c.why;
}
const AdmitCase admit_cases[] = {
    {"nothing matches",
     "rule r on admit { when workload.priority > 5 then deny because \"x\" }",
     {},
     Verdict::allow,
     "",
     ""},
    {"a hold without an end",
     "rule r on admit { when workload.user = \"ana\" then hold because \"{workload.name} of "
     "{workload.user}\" }",
     {},
     Verdict::hold,
     "",
     "w of ana"},
    {"until the clock shows it",
     "rule r on admit { then hold until clock(\"Europe/Paris\") = 20:00 because \"night\" }",
     {},
     Verdict::hold,
     "7h",
     "night"},
    {"until a condition holds",
     "fn open(t: instant) -> bool = clock(\"Europe/Paris\", t) in 08:00..12:00 and weekday(\"Europe/Paris\", "
     "t) = wed\n"
     "rule r on admit { when not open(now) then hold until next(open) because \"opens at {until}\" }",
     {},
     Verdict::hold,
     "1d19h",
     "opens at 2026-03-04T07:00:00Z"},
    {"the latest of two holds",
     "rule a on admit { then hold until now + 1h because \"a\" }\nrule b on admit { then hold until now + 2h "
     "because \"b\" }",
     {},
     Verdict::hold,
     "2h",
     "a"},
    {"one without an end has none",
     "rule a on admit { then hold until now + 1h because \"a\" }\nrule b on admit { then hold because \"b\" "
     "}",
     {},
     Verdict::hold,
     "",
     "a"},
    {"deny is more than hold",
     "rule a on admit { then hold because \"a\" }\nrule b on admit { then deny because \"b\" }",
     {},
     Verdict::deny,
     "",
     "a"},
    {"the condition itself ends by waiting",
     "rule a on admit { when waited < 10min then hold because \"young: {waited}\" }", Duration::seconds(60),
     Verdict::hold, "10min", "young: 1min"},
    {"an instant that is over holds nothing",
     "rule a on admit { then hold until created + 1h because \"a\" }", Duration::seconds(3600),
     Verdict::allow, "", ""},
    {"sums over other workloads",
     "rule a on admit { let mine = sum(w.total(nvidia.com/gpu) of w in workloads where w.user = "
     "workload.user and w.running)\n"
     "when mine + workload.total(nvidia.com/gpu) > 16 then hold because \"{mine} of 16\" }",
     {},
     Verdict::hold,
     "",
     "12 of 16"},
    {"a fault holds",
     "rule a on admit { when 8 / (workload.priority + 0) > 1 then deny because \"x\" }",
     {},
     Verdict::hold,
     "",
     ""},
    {"a fault that waiting ends",
     "rule a on admit { when 8 / hours(waited) > 99 then deny because \"x\" }",
     {},
     Verdict::hold,
     "1h",
     ""},
    {"on error deny",
     "rule a on admit { when 8 / (workload.priority + 0) > 1 then hold because \"x\" on error deny }",
     {},
     Verdict::deny,
     "",
     ""},
    {"on error skip",
     "rule a on admit { when 8 / (workload.priority + 0) > 1 then hold because \"x\" on error skip }",
     {},
     Verdict::allow,
     "",
     ""},
    {"a fault of a score holds",
     "rule a on order { then score 8 / (workload.priority + 0) because \"x\" }",
     {},
     Verdict::hold,
     "",
     ""},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_DATA_TEST_CASE(flavors, flavor_cases, c) {
  World objects = world();
  if (c.stocked_out) objects.capacity.push_back({"on-demand", CapacitySignal::State::stocked_out, noon, {}});
  Bench bench(c.policy, std::move(objects));
  const FlavorsAnswer answer = bench.flavors(c.waited);
  BOOST_TEST(bench.summary(answer) == c.want);
  for (const FlavorAnswer& flavor : answer.flavors) BOOST_TEST(flavor.allowed == flavor.refusals.empty());
}

BOOST_AUTO_TEST_CASE(a_refusal_says_which_rung_and_when) {
  Bench bench(patient);
  const FlavorsAnswer answer = bench.flavors(Duration::seconds(60));
  BOOST_REQUIRE_EQUAL(answer.flavors[2].refusals.size(), 1U);
  const RuleNote& refusal = answer.flavors[2].refusals[0];
  BOOST_TEST(refusal.rule == "fallback for queue q");
  BOOST_TEST((refusal.verb == RuleNote::Verb::rung_closed));
  BOOST_TEST(bench.policy.sources.text(refusal.span).substr(0, 19) == "after 15min try dws");
  BOOST_REQUIRE(refusal.after.has_value());
  BOOST_TEST(refusal.after->to_string() == "15min");
  BOOST_REQUIRE(refusal.opens.has_value());
  BOOST_TEST((*refusal.opens - noon).to_string() == "15min");
  BOOST_REQUIRE(answer.otherwise.has_value());
  BOOST_TEST(answer.otherwise->because == "no plan");
}

BOOST_DATA_TEST_CASE(admit, admit_cases, c) {
  Bench bench(c.policy);
  WorkloadState running;
  running.reserved = running.admitted = true;
  running.admitted_at = noon;
  bench.rules->add(workload("other", 12), running);
  const AdmitAnswer answer = bench.admit(c.waited);
  BOOST_TEST((answer.verdict == c.want));
  BOOST_TEST((answer.until ? (*answer.until - noon).to_string() : "") == c.until);
  BOOST_TEST((answer.reasons.empty() ? "" : answer.reasons[0].because) == c.because);
}

BOOST_AUTO_TEST_CASE(a_fault_has_its_kind_and_place) {
  Bench bench(
      "rule a on admit { when workload.user = \"ana\" and 8 / (workload.priority + 0) > 1 then deny because "
      "\"x\" }");
  const AdmitAnswer answer = bench.admit({});
  BOOST_REQUIRE_EQUAL(answer.reasons.size(), 1U);
  BOOST_REQUIRE(answer.reasons[0].fault.has_value());
  BOOST_TEST((answer.reasons[0].fault->kind == RuleFault::Kind::division_by_zero));
  BOOST_TEST(bench.policy.sources.text(answer.reasons[0].fault->span) == "8 / (workload.priority + 0)");
}

BOOST_AUTO_TEST_CASE(required_checks_are_sorted_and_unique) {
  Bench bench(
      "check b { controller x }\ncheck a { controller x }\nrule r on admit { then require check b, require "
      "check a, require check b because \"x\" }");
  const AdmitAnswer answer = bench.admit({});
  BOOST_TEST(answer.checks == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST((answer.verdict == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(submit_denies_warns_and_sets) {
  Bench bench(R"(
rule d on submit { when workload.total(nvidia.com/gpu) > 4 then deny because "{workload.total(nvidia.com/gpu)} GPUs" }
rule w on submit { when not has labels["team"] then warn because "no team" }
rule s on submit { when workload.priority-class = "" then default label team = "none" because "somebody" }
rule t on submit { when not has run-limit then default max-run 2h, default annotation note = "set" because "short" })");
  const SubmitAnswer answer = bench.rules->submit(0, noon);
  BOOST_TEST((answer.verdict == Verdict::deny));
  BOOST_REQUIRE_EQUAL(answer.denied.size(), 1U);
  BOOST_TEST(answer.denied[0].because == "8 GPUs");
  BOOST_REQUIRE_EQUAL(answer.warnings.size(), 1U);
  BOOST_TEST(answer.warnings[0].because == "no team");
  BOOST_REQUIRE_EQUAL(answer.defaults.size(), 3U);
  BOOST_TEST(answer.defaults[0].key == "team");
  BOOST_TEST(answer.defaults[0].value == "none");
  BOOST_TEST((answer.defaults[1].kind == Default::Kind::max_run));
  BOOST_TEST(answer.defaults[1].value == "2h");
  BOOST_TEST(answer.defaults[2].key == "note");
  BOOST_TEST(answer.defaults[2].value == "set");
}

BOOST_AUTO_TEST_CASE(defaults_say_what_they_set) {
  Bench bench(R"(
rule a on submit { then default annotation example.com/a = "b", default max-run 90min because "x" }
rule b on submit {
  then default label tier = (if 10 / (workload.priority - workload.priority) > 1 then "a" else "b")
  because "x" on error skip
})");
  const SubmitAnswer answer = bench.rules->submit(0, noon);
  BOOST_REQUIRE_EQUAL(answer.defaults.size(), 2U);
  BOOST_TEST((answer.defaults[0].kind == Default::Kind::annotation));
  BOOST_TEST(answer.defaults[0].note.what == "annotation example.com/a = b");
  BOOST_TEST((answer.defaults[1].kind == Default::Kind::max_run));
  BOOST_TEST(answer.defaults[1].value == "1h30min");
  BOOST_TEST(answer.defaults[1].note.what == "max-run 1h30min");
  BOOST_TEST((answer.verdict == Verdict::allow));
  BOOST_REQUIRE_EQUAL(answer.warnings.size(), 1U);
  BOOST_TEST(answer.warnings[0].fault.has_value());
}

BOOST_AUTO_TEST_CASE(a_fault_that_holds_refuses_what_is_submitted) {
  Bench bench("rule a on submit { when 8 / (workload.priority - workload.priority) > 1 then warn because \"x\" }");
  const SubmitAnswer answer = bench.rules->submit(0, noon);
  BOOST_TEST((answer.verdict == Verdict::hold));
  BOOST_REQUIRE_EQUAL(answer.denied.size(), 1U);
  BOOST_TEST((answer.denied[0].verb == RuleNote::Verb::hold));
}

BOOST_AUTO_TEST_CASE(scores) {
  Bench bench(
      "rule aging on order { then score workload.priority + min(hours(waited), 24) * 10 because \"old\" }");
  const auto score = [&](std::int64_t minutes) {
    return bench.rules->score(0, noon + Duration::seconds(60 * minutes), bench.quota).score.value_or(-1);
  };
  BOOST_TEST(score(59) == 0);
  BOOST_TEST(score(60) == 10);
  BOOST_TEST(score(60 * 100) == 240);
  BOOST_TEST(bench.rules->has_order_rules());
}

BOOST_AUTO_TEST_CASE(scores_add_up_where_the_policy_says_so) {
  Bench bench(
      "on order collect sum\nrule a on order { then score 3 because \"x\" }\nrule b on order { when "
      "queue.pending > 2 then score 4 because \"x\" }");
  BOOST_TEST(bench.rules->score(0, noon, bench.quota).score.value_or(-1) == 7);
}

BOOST_AUTO_TEST_CASE(the_next_change_is_the_earliest) {
  Bench bench(std::string(patient) +
              "\nrule r on admit { when waited > 5min and waited < 20min then hold because \"x\" }"
              "\nrule aging on order { then score hours(waited) because \"x\" }");
  std::vector<std::string> changes;
  Instant at = noon;
  for (int i = 0; i < 5; ++i) {
    const auto next = bench.rules->next_change(0, at);
    BOOST_REQUIRE(next.has_value());
    at = *next;
    changes.push_back((at - noon).ns % 1'000'000'000 == 0 ? (at - noon).to_string()
                                                          : (Duration{(at - noon).ns - 1}).to_string() + "+");
  }
  // `waited > 5min` begins to hold one nanosecond later.
  BOOST_TEST(changes == (std::vector<std::string>{"5min+", "15min", "20min", "1h", "2h"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_a_clock_nothing_changes) {
  Bench bench(
      "rule r on admit { when workload.priority > 5 then hold because \"x\" }\nfallback for queue q { try "
      "spot }");
  BOOST_TEST(!bench.rules->next_change(0, noon).has_value());
}

BOOST_AUTO_TEST_CASE(a_clone_goes_its_own_way) {
  Bench bench(
      "rule r on admit { when sum(w.total(nvidia.com/gpu) of w in workloads where w.reserved) > 0 then hold "
      "because \"x\" }");
  const auto clone = bench.rules->clone();
  WorkloadState reserved;
  reserved.reserved = true;
  clone->update(0, reserved);
  BOOST_TEST((clone->admit(0, {}, false, noon, bench.quota).verdict == Verdict::hold));
  BOOST_TEST((bench.admit({}).verdict == Verdict::allow));
  BOOST_TEST(clone->add(workload("new", 1), {}) == 1U);
  BOOST_TEST(bench.rules->add(workload("other", 1), {}) == 1U);
}

BOOST_AUTO_TEST_CASE(who_is_gone_counts_no_more) {
  Bench bench("rule r on admit { when count(w in workloads) > 1 then hold because \"x\" }");
  const std::uint32_t other = bench.rules->add(workload("other", 1), {});
  BOOST_TEST((bench.admit({}).verdict == Verdict::hold));
  WorkloadState gone;
  gone.gone = true;
  bench.rules->update(other, gone);
  BOOST_TEST((bench.admit({}).verdict == Verdict::allow));
}

BOOST_AUTO_TEST_CASE(capacity_signals_may_change) {
  Bench bench(patient);
  BOOST_TEST(bench.summary(bench.flavors({})) == "default-cpu on-demand !dws@+15min spot");
  const std::vector<CapacitySignal> signals = {
      {"on-demand", CapacitySignal::State::quota_exceeded, noon, {}}};
  bench.rules->set_capacity(signals);
  BOOST_TEST(bench.summary(bench.flavors({})) == "default-cpu !on-demand !dws@+15min spot");
}

struct LimitCase {
  const char* why;
  std::optional<std::int64_t> seconds;
  const char* annotation;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const LimitCase& c) {
  return out << c.why;
}
const LimitCase limit_cases[] = {
    {"none: until DWS takes the machines back", {}, "", "7d none"},
    {"maximumExecutionTimeSeconds", 3600, "", "1h 1h"},
    {"the annotation", {}, "7200", "2h 2h"},
    {"the smaller of both", 3600, "7200", "1h 1h"},
    {"longer than DWS allows", 864'000, "", "10d 10d"},
    {"an annotation that is no number", {}, "2h", "7d none"},
};

BOOST_DATA_TEST_CASE(how_long_it_may_run, limit_cases, c) {
  Bench bench("rule r on admit { then hold because \"{max-run} {run-limit}\" }");
  Workload limited = workload("limited", 1);
  limited.max_run_seconds = c.seconds;
  if (c.annotation[0] != '\0')
    limited.annotations["provreq.kueue.x-k8s.io/maxRunDurationSeconds"] = c.annotation;
  const std::uint32_t number = bench.rules->add(limited, {});
  const AdmitAnswer answer = bench.rules->admit(number, {}, false, noon, bench.quota);
  BOOST_REQUIRE_EQUAL(answer.reasons.size(), 1U);
  BOOST_TEST(answer.reasons[0].because == c.want);
}

BOOST_AUTO_TEST_SUITE_END()
