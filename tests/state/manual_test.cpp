#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "state/schema.hpp"
#include "state/snapshot.hpp"
#include "state/worlds.hpp"
#include "support/golden.hpp"
#include "support/temp_folder.hpp"

/// docs/snapshot.md says what is so.

using namespace sluice;

namespace {

std::string manual() {
  return test::read_file(SLUICE_SOURCE_DIR "/docs/snapshot.md");
}

std::vector<std::string> queries_of(const std::string& text) {
  std::vector<std::string> queries;
  for (std::size_t at = 0; (at = text.find("```sql\n", at)) != std::string::npos;) {
    at += 7;
    std::size_t end = text.find("```", at);
    queries.push_back(text.substr(at, end - at));
    at = end + 3;
  }
  return queries;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot_manual)

BOOST_AUTO_TEST_CASE(its_queries_answer) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) {
    world = test::make_plain_world(40, 10);
    ClusterQueue& queue = world.cluster_queues.emplace_back();
    queue.name = "cluster-queue-4";
    queue.resource_groups = {{{"cpu"}, {{"spot", {{"cpu", Amount(4000), std::nullopt, std::nullopt}}}}}};
    queue.origin = {0, 7};
  });
  Snapshot snapshot = Snapshot::open(path);
  std::vector<std::string> queries = queries_of(manual());
  BOOST_TEST(queries.size() >= 4u);
  for (const std::string& sql : queries)
    BOOST_TEST(!snapshot.query(sql).rows.empty(), sql << "answers nothing");
}

BOOST_AUTO_TEST_CASE(every_table_and_view_is_in_it) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World&) {});
  std::string text = manual();
  SqlTable names = Snapshot::open(path).query(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'");
  BOOST_TEST(names.rows.size() > 60u);
  for (const auto& row : names.rows) {
    const auto& name = std::get<std::string>(row[0]);
    BOOST_TEST(text.find("`" + name + "`") != std::string::npos, name << " is not in docs/snapshot.md");
  }
  BOOST_TEST(text.find("now " + std::to_string(state::schema_version)) != std::string::npos);
  BOOST_TEST(text.find(std::to_string(state::kApplicationId)) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
