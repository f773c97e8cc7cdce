#include <boost/test/unit_test.hpp>

#include "decide/engine.hpp"
#include "worlds.hpp"

// A cycle that stands still while somebody asks what would be: what it decides is in tests/conformance.
namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::queue;

/// Queues `a`, `b` and `c`, one workload each.
World three() {
  World world;
  for (const char* name : {"a", "b", "c"}) {
    add(world, queue(name, nullptr, {{"f1", {{"cpu", "2"}}}}));
    world.workloads.push_back(job(name, name, {{"cpu", "1"}}));
  }
  return finished(std::move(world));
}

Options blocking(bool fair) {
  Options options;
  options.kueue.wait_for_pods_ready.emplace();
  options.kueue.wait_for_pods_ready->block_admission = true;
  if (fair) options.kueue.fair_sharing.emplace();
  return options;
}

std::size_t admitted(const Engine& engine) {
  std::size_t count = 0;
  for (const WorkloadName& name : engine.workloads()) count += engine.state(name) == State::admitted ? 1u : 0u;
  return count;
}

/// Reports pods as ready until nobody waits.
void all_ready(Engine& engine) {
  while (engine.blocked_head()) {
    for (const WorkloadName& name : engine.workloads()) {
      if (engine.state(name) == State::admitted) engine.set_pods_ready(name, PodsReady::ready);
    }
  }
  engine.run();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(open_cycle)

BOOST_AUTO_TEST_CASE(a_copy_goes_on_by_itself) {
  for (bool fair : {false, true}) {
    World world = three();
    Engine engine(world, blocking(fair));
    engine.run();
    BOOST_TEST_REQUIRE(engine.blocked_head().has_value());
    BOOST_TEST(admitted(engine) == 1u);
    Engine copy = engine.clone();
    all_ready(copy);
    BOOST_TEST(admitted(copy) == 3u);
    BOOST_TEST(!copy.is_in_cycle());
    BOOST_TEST(admitted(engine) == 1u);
    copy = engine.clone();
    all_ready(engine);
    BOOST_TEST(admitted(engine) == 3u);
    BOOST_TEST(copy.blocked_head().has_value());
    all_ready(copy);
    BOOST_TEST(admitted(copy) == 3u);
  }
}

BOOST_AUTO_TEST_CASE(a_cycle_that_is_over_is_reported_by_the_next) {
  World world = three();
  Engine engine(world, blocking(false));
  engine.run();
  engine.take_cycles();
  BOOST_TEST_REQUIRE(engine.blocked_head().has_value());
  BOOST_TEST(engine.unreported_cycle().decisions.size() == 1u);
  while (engine.blocked_head()) {
    for (const WorkloadName& name : engine.workloads()) {
      if (engine.state(name) == State::admitted) engine.set_pods_ready(name, PodsReady::ready);
    }
  }
  BOOST_TEST(engine.take_cycles().empty());
  BOOST_TEST(engine.unreported_cycle().decisions.size() == 3u);
  BOOST_TEST(engine.cycle());
  std::vector<Cycle> cycles = engine.take_cycles();
  BOOST_TEST_REQUIRE(cycles.size() == 1u);
  BOOST_TEST(cycles[0].blocked);
  BOOST_TEST(cycles[0].decisions.size() == 3u);
}

// The head and everything around it may go, and what it is decided with stays.
BOOST_AUTO_TEST_CASE(the_head_and_its_queue_are_deleted) {
  World world = three();
  Engine engine(world, blocking(false));
  engine.run();
  WorkloadName head = *engine.blocked_head();
  engine.remove(head);
  engine.remove(ObjectKind::local_queue, head.name_space, head.name);
  engine.remove(ObjectKind::cluster_queue, {}, head.name);
  all_ready(engine);
  BOOST_TEST(!engine.exists(head));
  BOOST_TEST(admitted(engine) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
