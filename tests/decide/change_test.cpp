#include <boost/test/unit_test.hpp>

#include "base/error.hpp"
#include "decide/engine.hpp"
#include "decide/rules.hpp"
#include "worlds.hpp"

namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::named;
using test::queue;

ClusterQueue queue_of(const char* name, const char* cpu) {
  return queue(name, nullptr, {{"f1", {{"cpu", cpu}}}});
}

/// A queue `a` of two cpu; `w` asks for one, `big` for four.
World world_of_a() {
  World world;
  add(world, queue_of("a", "2"));
  world.workloads.push_back(job("w", "a", {{"cpu", "1"}}));
  world.workloads.push_back(job("big", "a", {{"cpu", "4"}}));
  return finished(std::move(world));
}

template <class T>
World only(const T& object, std::vector<T> World::*list) {
  World world;
  (world.*list).push_back(object);
  return world;
}

State after(Engine& engine, const char* name) {
  engine.run();
  return engine.state(named(name));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(change)

BOOST_AUTO_TEST_CASE(more_quota_lets_a_parked_workload_in) {
  World world = world_of_a();
  Engine engine(world, {});
  BOOST_TEST((after(engine, "big") == State::inadmissible));
  engine.apply(only(queue_of("a", "5"), &World::cluster_queues));
  BOOST_TEST((after(engine, "big") == State::admitted));
  BOOST_TEST((engine.usage().at("a").at("f1").at("cpu").reserved == Amount(5000)));
}

BOOST_AUTO_TEST_CASE(the_same_object_again_changes_nothing) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  engine.take_cycles();
  engine.apply(only(queue_of("a", "2"), &World::cluster_queues));
  BOOST_TEST(!engine.cycle());
}

BOOST_AUTO_TEST_CASE(a_copy_shares_no_objects) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  engine.apply(only(queue_of("a", "3"), &World::cluster_queues));
  Engine copy = engine.clone();
  engine.apply(only(queue_of("a", "5"), &World::cluster_queues));
  BOOST_TEST((after(engine, "big") == State::admitted));
  BOOST_TEST((after(copy, "big") == State::inadmissible));
  copy.apply(only(queue_of("b", "9"), &World::cluster_queues));
  BOOST_TEST(copy.usage().contains("b"));
  BOOST_TEST(!engine.usage().contains("b"));
  Workload smaller = copy.object(named("big"));
  smaller.pod_sets[0] = job("big", "a", {{"cpu", "1"}}).pod_sets[0];
  copy.apply(smaller);
  BOOST_TEST((after(copy, "big") == State::admitted));
  BOOST_TEST((engine.object(named("big")).pod_sets[0] != smaller.pod_sets[0]));
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_deleted_stays_until_nobody_holds_quota_in_it) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  engine.remove(ObjectKind::cluster_queue, "", "a");
  BOOST_TEST(engine.inactive_queues().at("a") == "Terminating");
  BOOST_TEST((engine.state(named("big")) == State::inadmissible));
  engine.finish(named("w"));
  BOOST_TEST(!engine.usage().contains("a"));
  BOOST_TEST((after(engine, "big") == State::unqueued));
  engine.apply(only(queue_of("a", "4"), &World::cluster_queues));
  BOOST_TEST((after(engine, "big") == State::admitted));
}

BOOST_AUTO_TEST_CASE(a_flavor_that_is_deleted_stays_until_no_queue_names_it) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  engine.remove(ObjectKind::resource_flavor, "", "f1");
  BOOST_TEST(engine.inactive_queues().empty());
  BOOST_TEST(engine.objects().flavors.size() == 1u);
  ClusterQueue bare = queue_of("a", "2");
  bare.resource_groups.clear();
  engine.apply(only(bare, &World::cluster_queues));
  BOOST_TEST(engine.objects().flavors.empty());
  engine.apply(only(queue_of("a", "2"), &World::cluster_queues));
  BOOST_TEST(engine.inactive_queues().at("a") == "FlavorNotFound");
}

// What a workload holds counts again when a quota names its flavor again.
BOOST_AUTO_TEST_CASE(usage_survives_a_quota_that_goes_and_comes_back) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  engine.apply(only(queue("a", nullptr, {{"f2", {{"cpu", "2"}}}}), &World::cluster_queues));
  engine.apply(only(queue_of("a", "2"), &World::cluster_queues));
  BOOST_TEST((engine.usage().at("a").at("f1").at("cpu").reserved == Amount(1000)));
}

BOOST_AUTO_TEST_CASE(nothing_happens_when_there_is_no_such_object) {
  World world = world_of_a();
  Engine engine(world, {});
  engine.run();
  for (ObjectKind kind : {ObjectKind::cluster_queue, ObjectKind::cohort, ObjectKind::local_queue,
                          ObjectKind::resource_flavor, ObjectKind::admission_check, ObjectKind::topology,
                          ObjectKind::node, ObjectKind::limit_range}) {
    engine.remove(kind, "default", "nobody");
  }
  BOOST_TEST((after(engine, "w") == State::admitted));
  BOOST_CHECK_EXCEPTION(engine.remove(ObjectKind::workload, "default", "nobody"), Error,
                        [](const Error& error) { return error.code() == "unknown-workload"; });
}

// A policy is bound to the objects it was given.
BOOST_AUTO_TEST_CASE(refused_under_a_policy) {
  World world = world_of_a();
  Rules rules;
  Engine engine(world, {}, &rules);
  BOOST_CHECK_EXCEPTION(engine.apply(only(queue_of("a", "5"), &World::cluster_queues)), Error,
                        [](const Error& error) { return error.code() == "not-yet-decided"; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
