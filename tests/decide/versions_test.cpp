#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "base/error.hpp"
#include "decide/engine.hpp"
#include "worlds.hpp"

/// What the lines of Kueue decide differently, apart from their gates.
/// Source: Kueue v0.17.8 and v0.18.6, pkg/scheduler; docs/kueue-compatibility.md.
namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::running;

constexpr const char* kAll[] = {"0.17", "0.18", "0.19", "0.20"};

Options following(const std::string& line) {
  Options options;
  options.kueue.gates = gates_of(*parse_kueue_version(line), {});
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(versions)

BOOST_DATA_TEST_CASE(implicit_pods_find_victims_only_in_0_17, kAll, line) {
  World world;
  ClusterQueue queue = test::queue("q", nullptr, {{"f", {{"cpu", "100"}, {"pods", "2"}}}});
  queue.preemption.within_cluster_queue = PreemptionPolicy::lower_priority;
  add(world, queue);
  for (const char* name : {"low1", "low2"}) {
    Workload low = running(job(name, "q", {{"cpu", "1"}}), "q", "f");
    low.assignments[0].flavors["pods"] = "f";
    low.assignments[0].usage["pods"] = Quantity::from_units(1);
    world.workloads.push_back(low);
  }
  world.workloads.push_back(job("high", "q", {{"cpu", "1"}}, 2, 100));
  world = finished(std::move(world));
  Engine engine(world, following(line));
  engine.run();
  bool is_old = std::string(line) == "0.17";
  BOOST_TEST((engine.state({"default", "high"}) == State::admitted) == is_old);
  BOOST_TEST((engine.state({"default", "low1"}) == State::admitted) == !is_old);
  BOOST_TEST((engine.state({"default", "low2"}) == State::admitted) == !is_old);
}

BOOST_DATA_TEST_CASE(nobody_to_preempt_may_beat_borrowing_only_in_0_17, kAll, line) {
  // The queue's own quota of f1 is lent to others and not to be had back; of f2 it has only what the cohort lends.
  World world;
  ClusterQueue queue = test::queue("q", "c", {{"f1", {{"cpu", "4"}}}, {"f2", {{"cpu", "0"}}}});
  queue.fungibility = {FungibilityPolicy::try_next_flavor, FungibilityPolicy::try_next_flavor,
                       FungibilityPreference::preemption_over_borrowing};
  add(world, queue);
  add(world, test::queue("borrower", "c", {{"f1", {{"cpu", "0"}}}}));
  add(world, test::queue("pool", "c", {{"f2", {{"cpu", "4"}}}}));
  world.workloads = {running(job("lent", "borrower", {{"cpu", "4"}}), "borrower", "f1"),
                     job("new", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Engine engine(world, following(line));
  engine.run();
  bool is_old = std::string(line) == "0.17";
  BOOST_TEST((engine.state({"default", "new"}) == State::admitted) == !is_old);
}

BOOST_AUTO_TEST_CASE(a_gate_is_refused_only_where_it_would_count) {
  World world;
  add(world, test::queue("q", nullptr, {{"f", {{"cpu", "4"}}}}));
  world = finished(std::move(world));
  Options options;
  options.kueue.gates = gates_of(kNewestKueue, {{"TASBalancedPlacement", true}, {"MultiKueue", false}});
  BOOST_CHECK_NO_THROW(Engine(world, options));
  auto is_not_decided = [](const Error& e) { return e.code() == "not-yet-decided"; };
  World with_check = world;
  AdmissionCheck check;
  check.name = "far";
  check.controller = "kueue.x-k8s.io/multikueue";
  with_check.admission_checks = {check};
  BOOST_CHECK_EXCEPTION(Engine(with_check, options), Error, is_not_decided);
}

BOOST_DATA_TEST_CASE(each_line_decides_with_its_defaults, kAll, line) {
  World world;
  add(world, test::queue("q", nullptr, {{"f", {{"cpu", "4"}}}}));
  world.workloads = {job("w", "q", {{"cpu", "4"}})};
  world = finished(std::move(world));
  Engine engine(world, following(line));
  engine.run();
  BOOST_TEST((engine.state({"default", "w"}) == State::admitted));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
