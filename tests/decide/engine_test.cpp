#include "decide/engine.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "base/error.hpp"
#include "decide/rules.hpp"
#include "decide/unsupported.hpp"
#include "worlds.hpp"

namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::kNow;
using test::named;
using test::queue;
using test::running;

State state_after(const World& world, const char* name) {
  Engine engine(world, {});
  engine.run();
  return engine.state(named(name));
}

/// Rules written in C++: refuses a flavor until an instant, holds or denies at admission.
class Fake : public Rules {
 public:
  std::string closed_flavor;
  std::optional<Instant> opens;
  bool otherwise = false;
  Verdict at_admission = Verdict::allow;
  std::optional<Instant> until;
  std::vector<std::string> checks;
  bool prefer_last = false;

  FlavorsAnswer flavors(std::uint32_t id, std::uint32_t pod_set, std::string_view name,
                        const ResourceGroup& group, Instant now, const QuotaView& quota) override {
    FlavorsAnswer answer = Rules::flavors(id, pod_set, name, group, now, quota);
    for (std::size_t i = 0; i < group.flavors.size(); ++i) {
      if (group.flavors[i].flavor != closed_flavor || (opens && now >= *opens)) continue;
      answer.flavors[i].allowed = false;
      answer.flavors[i].opens = opens;
    }
    if (prefer_last) std::reverse(answer.order.begin(), answer.order.end());
    if (otherwise) {
      answer.otherwise.emplace();
      answer.otherwise->because = "nothing applies";
    }
    return answer;
  }
  AdmitAnswer admit(std::uint32_t, std::span<const PodSetAssignment>, bool, Instant now,
                    const QuotaView&) override {
    AdmitAnswer answer;
    answer.verdict = until && now >= *until ? Verdict::allow : at_admission;
    answer.until = until;
    answer.checks = checks;
    return answer;
  }
  std::optional<Instant> next_change(std::uint32_t, Instant now) override {
    std::optional<Instant> next;
    for (const auto& at : {opens, until}) {
      if (at && *at > now && (!next || *at < *next)) next = at;
    }
    return next;
  }
  std::unique_ptr<Rules> clone() const override { return std::make_unique<Fake>(*this); }
};

World two_flavors(const char* first, const char* second) {
  World world;
  add(world, queue("q", nullptr, {{"a", {{"cpu", first}}}, {"b", {{"cpu", second}}}}));
  return world;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)

BOOST_AUTO_TEST_CASE(says_whose_end_lets_a_workload_in) {
  World world = two_flavors("4", "1");
  world.workloads = {running(job("r1", "q", {{"cpu", "2"}}, 1, 0, 9), "q", "a"),
                     running(job("r2", "q", {{"cpu", "1"}}, 1, 0, 8), "q", "a"),
                     job("w", "q", {{"cpu", "3"}})};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  WorkloadReport report = engine.report(named("w"));
  BOOST_TEST((report.prospect == Prospect::waits_its_turn));
  BOOST_REQUIRE(report.decision);
  const PodSetDecision& pod_set = report.decision->pod_sets.at(0);
  BOOST_REQUIRE_EQUAL(pod_set.attempts.size(), 2u);
  const ResourceTrial& trial = pod_set.attempts[0].resources.at(0);
  BOOST_TEST(trial.asked.value() == 3000);
  BOOST_TEST(trial.used.value() == 3000);
  BOOST_TEST(trial.available.value() == 1000);
  BOOST_TEST(trial.short_by.value() == 2000);
  BOOST_TEST((pod_set.attempts[1].resources.at(0).verdict == ResourceTrial::Verdict::exceeds_capacity));
  BOOST_REQUIRE_EQUAL(report.releases.size(), 1u);
  BOOST_TEST(report.releases[0].workload.name == "r1");
  BOOST_TEST(report.releases[0].admits);

  engine.finish(named("r1"));
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::admitted));
  BOOST_TEST((engine.state(named("r1")) == State::finished));
}

BOOST_AUTO_TEST_CASE(room_that_another_takes_first_is_not_told_as_its_own) {
  World world = two_flavors("4", "1");
  world.workloads = {running(job("r", "q", {{"cpu", "4"}}, 1, 0, 9), "q", "a"), job("first", "q", {{"cpu", "3"}}, 1, 0, 8),
                     job("second", "q", {{"cpu", "2"}}, 1, 0, 7)};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  for (const char* name : {"first", "second"}) {
    WorkloadReport report = engine.report(named(name));
    BOOST_REQUIRE_EQUAL(report.releases.size(), 1u);
    BOOST_TEST(report.releases[0].admits == (std::string_view(name) == "first"), name);
  }
}

/// What follows an end may not be decided yet; the answer about now must not suffer from that.
BOOST_AUTO_TEST_CASE(an_end_that_cannot_be_played_is_told_as_room) {
  class Undecided : public Rules {
    AdmitAnswer admit(std::uint32_t, std::span<const PodSetAssignment>, bool, Instant, const QuotaView&) override {
      throw Unsupported("an admission");
    }
    std::unique_ptr<Rules> clone() const override { return std::make_unique<Undecided>(*this); }
  };
  World world = two_flavors("4", "1");
  world.workloads = {running(job("r", "q", {{"cpu", "4"}}, 1, 0, 9), "q", "a"), job("w", "q", {{"cpu", "3"}})};
  world = finished(std::move(world));
  Undecided rules;
  Engine engine(world, {}, &rules);
  engine.run();
  WorkloadReport report = engine.report(named("w"));
  BOOST_REQUIRE_EQUAL(report.releases.size(), 1u);
  BOOST_TEST(!report.releases[0].admits);
}

BOOST_AUTO_TEST_CASE(tells_never_from_not_now) {
  World world = two_flavors("4", "1");
  world.flavors.at(0).node_labels = {{"pool", "a"}};
  world.flavors.at(1).node_labels = {{"pool", "b"}};
  Workload elsewhere = job("elsewhere", "q", {{"cpu", "1"}});
  elsewhere.pod_sets[0].pod.node_selector = {{"pool", "c"}};
  world.workloads = {job("big", "q", {{"cpu", "5"}}), elsewhere, job("gpu", "q", {{"nvidia.com/gpu", "1"}}),
                     job("lost", "no-such-queue", {{"cpu", "1"}})};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  auto never = [&](const char* name) {
    WorkloadReport report = engine.report(named(name));
    BOOST_TEST((report.prospect == Prospect::never_as_written));
    return report.never.reason;
  };
  BOOST_TEST((never("big") == Never::Reason::exceeds_capacity));
  BOOST_TEST((never("elsewhere") == Never::Reason::no_matching_flavor));
  BOOST_TEST((never("gpu") == Never::Reason::uncovered_resource));
  BOOST_TEST((never("lost") == Never::Reason::no_local_queue));
  BOOST_CHECK_THROW(engine.report(named("nobody")), Error);
}

BOOST_AUTO_TEST_CASE(a_check_of_a_flavor_holds_admission_back) {
  World world;
  ClusterQueue q =
      queue("q", nullptr, {{"a", {{"tpu", "1"}, {"cpu", "9"}}}, {"b", {{"tpu", "9"}, {"cpu", "9"}}}});
  q.admission_checks.push_back({"prov", {"b"}});
  add(world, q);
  AdmissionCheck check;
  check.name = "prov";
  check.controller = "kueue.x-k8s.io/provisioning-request";
  check.parameters_group = "kueue.x-k8s.io";
  check.parameters_kind = "ProvisioningRequestConfig";
  check.parameters_name = "config";
  world.admission_checks.push_back(check);
  ProvisioningRequestConfig config;
  config.name = "config";
  config.class_name = "queued-provisioning.gke.io";
  config.managed_resources = {"tpu"};
  world.provisioning_configs.push_back(config);
  Workload w = job("w", "q", {{"tpu", "2"}}, 2);
  w.annotations["provreq.kueue.x-k8s.io/maxRunDurationSeconds"] = "60";
  world.workloads = {w, job("small", "q", {{"tpu", "1"}}), job("no-tpu", "q", {{"cpu", "9"}}, 1, -1)};
  world = finished(std::move(world));
  for (ResourceFlavor& flavor : world.flavors) flavor.node_labels = {{"pool", flavor.name}};
  Engine engine(world, {});
  engine.run();
  BOOST_TEST((engine.state(named("small")) == State::admitted));
  BOOST_TEST((engine.state(named("w")) == State::quota_reserved));
  WorkloadReport report = engine.report(named("w"));
  BOOST_REQUIRE_EQUAL(report.checks.size(), 1u);
  BOOST_REQUIRE(report.checks[0].request);
  const RequestPlan& request = *report.checks[0].request;
  BOOST_TEST(request.name == "w-prov-1");
  BOOST_TEST(request.class_name == "queued-provisioning.gke.io");
  BOOST_TEST(request.parameters.at("maxRunDurationSeconds") == "60");
  BOOST_REQUIRE_EQUAL(request.pod_sets.size(), 1u);
  BOOST_TEST(request.pod_sets[0].count == 2);
  BOOST_TEST(request.pod_sets[0].template_name == "ppt-w-prov-1-main");
  BOOST_TEST(request.pod_sets[0].node_selector.at("pool") == "b");

  engine.set_check(named("w"), {"prov", CheckState::ready, {}, {}, {}});
  BOOST_TEST((engine.state(named("w")) == State::admitted));
}

BOOST_AUTO_TEST_CASE(a_retried_check_waits_before_the_quota_is_given_back) {
  World world;
  ClusterQueue q = queue("q", nullptr, {{"a", {{"cpu", "4"}}}});
  q.admission_checks.push_back({"human", {}});
  add(world, q);
  AdmissionCheck check;
  check.name = "human";
  check.controller = "example.com/human";
  world.admission_checks.push_back(check);
  world.workloads = {job("w", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  // Kueue 0.19.2 evicts only when the wait that the check asks for is over, and then offers the workload at
  // once.
  engine.set_check(named("w"), {"human", CheckState::retry, 60, {}, {}});
  engine.run();
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 4000);
  BOOST_TEST(engine.next_due()->to_string() == (kNow + Duration::seconds(60)).to_string());
  engine.take_cycles();
  engine.advance(kNow + Duration::seconds(59));
  BOOST_TEST(engine.take_cycles().empty());
  engine.advance(kNow + Duration::seconds(60));
  std::vector<Cycle> cycles = engine.take_cycles();
  BOOST_REQUIRE_EQUAL(cycles.size(), 1u);
  BOOST_TEST((cycles[0].decisions.at(0).outcome == Outcome::quota_reserved));
  BOOST_TEST((engine.report(named("w")).checks.at(0).state == CheckState::pending));

  engine.set_check(named("w"), {"human", CheckState::rejected, {}, {}, {}});
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::deactivated));
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_clone_is_independent) {
  World world = two_flavors("4", "4");
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.submit(job("first", "q", {{"cpu", "4"}}));
  engine.run();
  Engine what_if = engine.clone();
  what_if.submit(job("second", "q", {{"cpu", "4"}}));
  what_if.run();
  BOOST_TEST((what_if.state(named("second")) == State::admitted));
  BOOST_TEST(engine.workloads().size() == 1u);
  BOOST_TEST(engine.usage()["q"]["b"]["cpu"].reserved.value() == 0);
  BOOST_CHECK_THROW(engine.submit(job("first", "q", {{"cpu", "4"}})), Error);
}

BOOST_AUTO_TEST_CASE(partial_admission_and_done_pods) {
  World world = two_flavors("4", "1");
  Workload shrinks = job("w", "q", {{"cpu", "1"}}, 9);
  shrinks.pod_sets[0].min_count = 2;
  world.workloads = {shrinks};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  BOOST_REQUIRE((engine.state(named("w")) == State::admitted));
  BOOST_TEST(engine.assignment(named("w"))[0].count == 4);
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 4000);
  engine.set_reclaimable(named("w"), {{shrinks.pod_sets[0].name, 4}});  // five of nine are left: no change
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 4000);
  engine.set_reclaimable(named("w"), {{shrinks.pod_sets[0].name, 6}});
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 3000);
}

BOOST_AUTO_TEST_CASE(a_report_knows_that_fewer_pods_may_do) {
  World world = two_flavors("4", "1");
  Workload shrinks = job("w", "q", {{"cpu", "1"}}, 9);
  shrinks.pod_sets[0].min_count = 2;
  Workload larger = job("x", "q", {{"cpu", "1"}}, 9);
  larger.pod_sets[0].min_count = 5;
  world.workloads = {running(job("r", "q", {{"cpu", "3"}}), "q", "a"), shrinks, larger};
  world = finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  BOOST_TEST((engine.report(named("w")).prospect == Prospect::waits_its_turn));
  BOOST_TEST((engine.report(named("x")).prospect == Prospect::never_as_written));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_decided) {
  World world = two_flavors("4", "4");
  Topology topology;  // without one the gate changes nothing
  topology.name = "t";
  topology.levels = {{"", "kubernetes.io/hostname"}};
  world.topologies.push_back(topology);
  world = finished(std::move(world));
  Options gates;
  gates.kueue.gates = gates_of(kNewestKueue, {{"ElasticJobsViaWorkloadSlicesWithTAS", true}});
  BOOST_CHECK_EXCEPTION(Engine(world, gates), Error,
                        [](const Error& e) { return e.code() == "not-yet-decided"; });
}

BOOST_AUTO_TEST_CASE(pods_of_which_nothing_is_known_may_count_as_ready) {
  World world = two_flavors("4", "4");
  world.workloads = {job("w", "q", {{"cpu", "1"}})};
  world = finished(std::move(world));
  for (bool assumed : {true, false}) {
    Options options;
    options.kueue.wait_for_pods_ready.emplace();
    options.kueue.wait_for_pods_ready->backoff_base_seconds = 7200;
    options.kueue.wait_for_pods_ready->backoff_max_seconds = 7200;
    options.assume_pods_ready = assumed;
    Engine engine(world, options);
    engine.run();
    BOOST_TEST((engine.state(named("w")) == State::admitted));
    engine.advance(kNow + Duration::seconds(3600));
    BOOST_TEST((engine.state(named("w")) == State::admitted) == assumed);
  }
}

BOOST_AUTO_TEST_CASE(ties_without_uid_keep_the_order_of_arrival) {
  World world = two_flavors("1", "0");
  Workload first = job("z", "q", {{"cpu", "1"}});
  Workload second = job("a", "q", {{"cpu", "1"}});
  first.synthetic_uid = second.synthetic_uid = true;
  first.arrival = 1;
  second.arrival = 2;
  world.workloads = {first, second};
  world = finished(std::move(world));
  BOOST_TEST((state_after(world, "z") == State::admitted));
  for (Workload& workload : world.workloads.edit_all()) workload.synthetic_uid = false;
  BOOST_TEST((state_after(world, "a") == State::admitted));
}

BOOST_AUTO_TEST_CASE(a_rung_that_opens_wakes_the_workload) {
  World world = two_flavors("0", "4");
  world.workloads = {job("w", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Fake rules;
  rules.closed_flavor = "b";
  rules.opens = kNow + Duration::seconds(900);
  rules.otherwise = true;
  Engine engine(world, {}, &rules);
  engine.run();
  // Waiting alone will do: it is not held.
  BOOST_TEST((engine.state(named("w")) == State::inadmissible));
  const auto attempts = engine.report(named("w")).decision->pod_sets.at(0).attempts;
  BOOST_TEST((attempts.at(1).refusal == FlavorAttempt::Refusal::rule));
  BOOST_TEST((attempts.at(1).opens == rules.opens));
  auto change = engine.what_waiting_changes(named("w"), Duration::seconds(3600));
  BOOST_REQUIRE(change);
  BOOST_TEST((change->at == *rules.opens));
  BOOST_TEST((change->state == State::admitted));
  BOOST_TEST(change->decision.pod_sets.at(0).flavors.at("cpu") == "b");
  engine.advance(kNow + Duration::seconds(899));
  BOOST_TEST((engine.state(named("w")) == State::inadmissible));
  engine.advance(kNow + Duration::seconds(900));
  BOOST_TEST((engine.state(named("w")) == State::admitted));
}

BOOST_AUTO_TEST_CASE(otherwise_holds_when_no_flavor_will_open) {
  World world = two_flavors("0", "4");
  world.workloads = {job("w", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Fake rules;
  rules.closed_flavor = "b";
  rules.otherwise = true;
  Engine engine(world, {}, &rules);
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::held));
  WorkloadReport report = engine.report(named("w"));
  BOOST_TEST((report.prospect == Prospect::held_by_rule));
  BOOST_TEST(report.decision->reasons.at(0).because == "nothing applies");
}

BOOST_AUTO_TEST_CASE(rules_order_flavors_and_require_checks) {
  World world = two_flavors("4", "4");
  world.workloads = {job("w", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Fake rules;
  rules.prefer_last = true;
  rules.checks = {"human"};
  Engine engine(world, {}, &rules);
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::quota_reserved));
  BOOST_TEST(engine.assignment(named("w")).at(0).flavors.at("cpu") == "b");
  BOOST_TEST(engine.report(named("w")).checks.at(0).name == "human");
}

BOOST_AUTO_TEST_CASE(held_at_admission_until_an_instant) {
  World world = two_flavors("4", "4");
  world.workloads = {job("w", "q", {{"cpu", "4"}}, 1, 0, 5), job("v", "q", {{"cpu", "1"}})};
  world = finished(std::move(world));
  Fake rules;
  rules.at_admission = Verdict::hold;
  rules.until = kNow + Duration::seconds(60);
  Engine engine(world, {}, &rules);
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::held));
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 0);
  engine.advance(kNow + Duration::seconds(60));
  BOOST_TEST((engine.state(named("w")) == State::admitted));

  Fake deny;
  deny.at_admission = Verdict::deny;
  Engine denied(world, {}, &deny);
  denied.run();
  BOOST_TEST((denied.state(named("w")) == State::denied));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
