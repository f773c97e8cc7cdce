#include "model/overlay.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace sluice {
namespace {

ResourceFlavor flavor(std::string name, std::string pool, Origin origin) {
  ResourceFlavor made;
  made.name = std::move(name);
  made.node_labels["pool"] = std::move(pool);
  made.origin = origin;
  return made;
}

LocalQueue local_queue(std::string name_space, std::string name, std::string cluster_queue) {
  LocalQueue made;
  made.name_space = std::move(name_space);
  made.name = std::move(name);
  made.cluster_queue = std::move(cluster_queue);
  return made;
}

BOOST_AUTO_TEST_SUITE(overlay_of_declarations)

BOOST_AUTO_TEST_CASE(the_policy_wins_and_order_is_kept) {
  World world;
  world.now = Instant{7};
  world.files = {"cluster.yaml"};
  world.flavors = {flavor("a", "old-a", {0, 1}), flavor("c", "old-c", {0, 2})};
  World declarations;
  declarations.now = Instant{9};
  declarations.files = {"one.sluice", "two.sluice"};
  declarations.flavors = {flavor("d", "new-d", {1, 4}), flavor("c", "new-c", {0, 3}), flavor("b", "new-b", {})};

  overlay(world, declarations);

  BOOST_TEST(world.now.ns == 7);
  BOOST_TEST(world.files == (std::vector<std::string>{"cluster.yaml", "one.sluice", "two.sluice"}),
             boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(world.flavors.size(), 4u);
  const char* names[] = {"a", "b", "c", "d"};
  const char* pools[] = {"old-a", "new-b", "new-c", "new-d"};
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(world.flavors[i].name == names[i]);
    BOOST_TEST(world.flavors[i].node_labels.at("pool") == pools[i]);
  }
  BOOST_TEST((world.flavors[0].origin == Origin{0, 1}));
  BOOST_TEST((world.flavors[1].origin == Origin{}));
  BOOST_TEST((world.flavors[2].origin == Origin{1, 3}));
  BOOST_TEST((world.flavors[3].origin == Origin{2, 4}));
}

BOOST_AUTO_TEST_CASE(local_queues_go_by_namespace_and_name) {
  World world;
  world.local_queues = {local_queue("a", "z", "old"), local_queue("b", "a", "old")};
  World declarations;
  declarations.local_queues = {local_queue("b", "a", "new"), local_queue("a", "b", "new")};
  overlay(world, declarations);
  BOOST_REQUIRE_EQUAL(world.local_queues.size(), 3u);
  const char* want[] = {"a/b new", "a/z old", "b/a new"};
  for (std::size_t i = 0; i < 3; ++i) {
    const LocalQueue& got = world.local_queues[i];
    BOOST_TEST(got.name_space + "/" + got.name + " " + got.cluster_queue == want[i]);
  }
}

BOOST_AUTO_TEST_CASE(a_capacity_signal_replaces_that_of_its_flavor) {
  World world;
  world.capacity = {{"dws", CapacitySignal::State::available, Instant{1}, {}}};
  World declarations;
  declarations.capacity = {{"dws", CapacitySignal::State::stocked_out, Instant{2}, {}}};
  overlay(world, declarations);
  BOOST_REQUIRE_EQUAL(world.capacity.size(), 1u);
  BOOST_TEST((world.capacity[0].state == CapacitySignal::State::stocked_out));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice
