#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "state/snapshot.hpp"
#include "state/worlds.hpp"
#include "support/temp_folder.hpp"

/// World → file → World gives an equal World, whatever was in the file before.

using namespace sluice;

namespace {

/// Names the kind that differs; a whole World says nothing.
void check_equal(const World& got, const World& want) {
  BOOST_TEST((got.now == want.now), "now");
  BOOST_TEST((got.files == want.files), "files");
  BOOST_TEST((got.flavors == want.flavors), "flavors");
  BOOST_TEST((got.cluster_queues == want.cluster_queues), "cluster queues");
  BOOST_TEST((got.cohorts == want.cohorts), "cohorts");
  BOOST_TEST((got.local_queues == want.local_queues), "local queues");
  BOOST_TEST((got.workload_priority_classes == want.workload_priority_classes), "workload priority classes");
  BOOST_TEST((got.priority_classes == want.priority_classes), "priority classes");
  BOOST_TEST((got.admission_checks == want.admission_checks), "admission checks");
  BOOST_TEST((got.provisioning_configs == want.provisioning_configs), "provisioning configs");
  BOOST_TEST((got.provisioning_requests == want.provisioning_requests), "provisioning requests");
  BOOST_TEST((got.topologies == want.topologies), "topologies");
  BOOST_TEST((got.namespaces == want.namespaces), "namespaces");
  BOOST_TEST((got.limit_ranges == want.limit_ranges), "limit ranges");
  BOOST_TEST((got.runtime_classes == want.runtime_classes), "runtime classes");
  BOOST_TEST((got.nodes == want.nodes), "nodes");
  BOOST_TEST((got.workloads == want.workloads), "workloads");
  BOOST_TEST((got.capacity == want.capacity), "capacity");
  BOOST_TEST((got == want), "a part of World that this test does not name");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(round_trip)

BOOST_DATA_TEST_CASE(a_new_file_gives_back_the_world, boost::unit_test::data::xrange(1, 41), seed) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  World want = test::make_world(static_cast<std::uint32_t>(seed));
  update_snapshot(path, [&](World& world) {
    BOOST_TEST((world == World{}), "a new snapshot is empty");
    world = want;
  });
  check_equal(Snapshot::open(path).read_world(), want);
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_change_gives_back_the_new_world, boost::unit_test::data::xrange(1, 41), seed) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  World first = test::make_world(static_cast<std::uint32_t>(seed));
  World other = test::make_world(static_cast<std::uint32_t>(seed) + 1000);
  update_snapshot(path, [&](World& world) { world = first; });
  // Half of the objects of each kind stay, half change, some go and some come.
  World want = first;
  auto mix = [](auto& objects, const auto& others) {
    for (std::size_t i = 0; i < objects.size(); i += 2) {
      auto changed = others[i];
      if constexpr (requires { changed.name; }) changed.name = objects[i].name;
      if constexpr (requires { changed.name_space; }) changed.name_space = objects[i].name_space;
      if constexpr (!requires { changed.name; }) changed.flavor = objects[i].flavor;
      objects[i] = changed;
    }
    objects.pop_back();
    objects.erase(objects.begin() + 1);
  };
  mix(want.flavors, other.flavors);
  mix(want.cluster_queues, other.cluster_queues);
  mix(want.cohorts, other.cohorts);
  mix(want.local_queues, other.local_queues);
  mix(want.workload_priority_classes, other.workload_priority_classes);
  mix(want.priority_classes, other.priority_classes);
  mix(want.admission_checks, other.admission_checks);
  mix(want.provisioning_configs, other.provisioning_configs);
  mix(want.provisioning_requests, other.provisioning_requests);
  mix(want.topologies, other.topologies);
  mix(want.namespaces, other.namespaces);
  mix(want.limit_ranges, other.limit_ranges);
  mix(want.runtime_classes, other.runtime_classes);
  mix(want.nodes, other.nodes);
  std::vector<Workload> workloads(want.workloads.begin(), want.workloads.end());
  mix(workloads, other.workloads);
  want.workloads = std::move(workloads);
  mix(want.capacity, other.capacity);
  want.files.push_back("later.yaml");
  want.nodes.front().origin = {static_cast<std::uint32_t>(want.files.size() - 1), 7};
  want.now = other.now;
  update_snapshot(path, [&](World& world) {
    check_equal(world, first);
    world = want;
  });
  check_equal(Snapshot::open(path).read_world(), want);
  BOOST_TEST(Snapshot::open(path).damages().empty());

  // Afresh: other files, other objects.
  update_snapshot(path, [&](World& world) { world = other; });
  check_equal(Snapshot::open(path).read_world(), other);
  World files_turned = other;
  std::reverse(files_turned.files.begin(), files_turned.files.end());
  update_snapshot(path, [&](World& world) { world = files_turned; });
  check_equal(Snapshot::open(path).read_world(), files_turned);
  update_snapshot(path, [&](World& world) { world = World{}; });
  check_equal(Snapshot::open(path).read_world(), World{});
  BOOST_TEST(Snapshot::open(path).damages().empty());
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_change_rewrites_only_what_differs) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) { world = test::make_plain_world(200, 50); });
  // A trigger would slow writers down for ever; here it counts what one change removes.
  SqlTable before = Snapshot::open(path).query("SELECT id, name FROM workload ORDER BY id");
  update_snapshot(path, [](World& world) { world.workloads.edit(3).priority = 12345; });
  Snapshot snapshot = Snapshot::open(path);
  BOOST_TEST((snapshot.query("SELECT id, name FROM workload ORDER BY id").rows == before.rows),
             "ids stay, so that other tables may refer to them");
  BOOST_TEST(snapshot.query("SELECT 1 FROM workload WHERE priority = 12345").rows.size() == 1u);
}

BOOST_AUTO_TEST_CASE(generated_worlds_reach_every_column) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) { world = test::make_world(7, {40, 40, 60}); });
  Snapshot snapshot = Snapshot::open(path);
  SqlTable tables = snapshot.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  BOOST_TEST(tables.rows.size() > 50u);
  for (const auto& row : tables.rows) {
    const auto& table = std::get<std::string>(row[0]);
    if (table == "resource_version" || table.starts_with("sqlite_")) continue;
    SqlTable columns = snapshot.query("SELECT name FROM pragma_table_info('" + table + "')");
    for (const auto& column_row : columns.rows) {
      const auto& column = std::get<std::string>(column_row[0]);
      SqlTable seen =
          snapshot.query("SELECT count(DISTINCT \"" + column + "\"), count(*) FROM \"" + table + "\"");
      bool is_single = table == "snapshot";
      BOOST_TEST((std::get<std::int64_t>(seen.rows[0][0]) >= (is_single ? 1 : 2)),
                 table << "." << column << " holds always the same");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
