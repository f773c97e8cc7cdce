#include <boost/test/unit_test.hpp>

#include "decide/engine.hpp"
#include "worlds.hpp"

/// The controller of variants, as Kueue's own tests of it tell (pkg/controller/concurrentadmission).
namespace sluice::decide {
namespace {

using test::job;
using test::kNow;

struct Setting {
  const char* first = "4";   ///< quota of flavor a
  const char* second = "4";  ///< of flavor b
  bool retains_first = false;
  const char* last_acceptable = "";
  bool preempts = false;
};

World world_of(const Setting& setting) {
  World world;
  ClusterQueue queue = test::queue("q", nullptr, {{"a", {{"cpu", setting.first}}}, {"b", {{"cpu", setting.second}}}});
  queue.concurrent_admission = true;
  queue.retains_first_admission = setting.retains_first;
  queue.last_acceptable_flavor = setting.last_acceptable;
  if (setting.preempts) queue.preemption.within_cluster_queue = PreemptionPolicy::lower_priority;
  test::add(world, std::move(queue));
  return world;
}

/// What another parent's variant holds.
Workload holder(const char* name, const char* flavor, int priority = 9) {
  Workload held = test::running(job(name, "q", {{"cpu", "4"}}, 1, priority, 100), "q", flavor);
  held.owner = {"Workload", "kueue.x-k8s.io", "other", "other"};
  return held;
}

Options with_variants() {
  Options options;
  options.kueue.gates = gates_of(kNewestKueue, {{"ConcurrentAdmission", true}});
  options.cycle_period = Duration::seconds(1);
  return options;
}

/// The state of the variant of `job-1` for a flavor; unqueued if there is none.
State variant(const Engine& engine, const std::string& flavor) {
  for (const WorkloadName& name : engine.workloads()) {
    if (name.name.starts_with("job-variant-" + flavor + "-")) return engine.state(name);
  }
  return State::unqueued;
}

const WorkloadName kParent{"default", "job-1"};

std::string flavor_of_parent(const Engine& engine) {
  std::vector<PodSetDecision> held = engine.assignment(kParent);
  return held.empty() ? "" : held[0].flavors.at("cpu");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variants)

BOOST_AUTO_TEST_CASE(the_first_flavor_that_fits_is_taken_and_better_ones_stay_in_the_queue) {
  World world = world_of({});
  world.workloads = {holder("r", "a"), job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  BOOST_TEST((engine.state(kParent) == State::admitted));
  BOOST_TEST(flavor_of_parent(engine) == "b");
  BOOST_TEST((variant(engine, "a") == State::inadmissible));
  BOOST_TEST((variant(engine, "b") == State::admitted));
  BOOST_TEST(engine.usage()["q"]["b"]["cpu"].reserved.value() == 3000);  // the parent is not charged

  engine.finish({"default", "r"});
  engine.run();
  BOOST_TEST((engine.state(kParent) == State::admitted));
  BOOST_TEST(flavor_of_parent(engine) == "a");
  BOOST_TEST((variant(engine, "b") == State::deactivated));
  BOOST_TEST(engine.usage()["q"]["b"]["cpu"].reserved.value() == 0);
}

BOOST_AUTO_TEST_CASE(worse_flavors_are_given_up) {
  World world = world_of({});
  world.workloads = {job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  BOOST_TEST(flavor_of_parent(engine) == "a");
  BOOST_TEST((variant(engine, "b") == State::deactivated));
}

BOOST_AUTO_TEST_CASE(the_first_admission_may_be_retained) {
  World world = world_of({.retains_first = true});
  world.workloads = {holder("r", "a"), job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  BOOST_TEST(flavor_of_parent(engine) == "b");
  BOOST_TEST((variant(engine, "a") == State::deactivated));
  engine.finish({"default", "r"});
  engine.run();
  BOOST_TEST(flavor_of_parent(engine) == "b");
}

BOOST_AUTO_TEST_CASE(a_gate_is_opened_for_the_first_variant_that_must_preempt) {
  World world = world_of({.preempts = true});
  world.workloads = {holder("ra", "a", 0), holder("rb", "b", 0), job("job-1", "q", {{"cpu", "3"}}, 1, 5)};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  BOOST_TEST(flavor_of_parent(engine) == "a");
  BOOST_TEST((engine.state({"default", "rb"}) == State::admitted));
}

BOOST_AUTO_TEST_CASE(variants_go_with_their_parent) {
  World world = world_of({});
  world.workloads = {job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  Engine removed = engine.clone();
  engine.finish(kParent);
  BOOST_TEST((variant(engine, "a") == State::finished));
  BOOST_TEST((variant(engine, "b") == State::finished));
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 0);
  removed.remove(kParent);
  BOOST_TEST(removed.workloads().empty());
  BOOST_TEST(removed.usage()["q"]["a"]["cpu"].reserved.value() == 0);
}

BOOST_AUTO_TEST_CASE(a_deactivated_parent_takes_its_variants_along) {
  World world = world_of({});
  world.workloads = {job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, with_variants());
  engine.run();
  engine.set_active(kParent, false);
  engine.run();
  BOOST_TEST((variant(engine, "a") == State::deactivated));
  BOOST_TEST(engine.usage()["q"]["a"]["cpu"].reserved.value() == 0);
  engine.set_active(kParent, true);
  engine.run();
  BOOST_TEST((engine.state(kParent) == State::admitted));
}

BOOST_AUTO_TEST_CASE(without_the_gate_nothing_of_this_happens) {
  World world = world_of({});
  world.workloads = {job("job-1", "q", {{"cpu", "3"}})};
  world = test::finished(std::move(world));
  Engine engine(world, {});
  engine.run();
  BOOST_TEST(engine.workloads().size() == 1u);
  BOOST_TEST(flavor_of_parent(engine) == "a");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
