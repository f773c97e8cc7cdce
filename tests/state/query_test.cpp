#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "state/snapshot.hpp"
#include "state/worlds.hpp"
#include "support/golden.hpp"
#include "support/temp_folder.hpp"

using namespace sluice;

namespace {

struct BadQuery {
  const char* why;  // names the case when it fails
  const char* sql;
  const char* message;  // what it contains
};
std::ostream& operator<<(std::ostream& out, const BadQuery& c) {
  return out << c.why;
}

const BadQuery bad_queries[] = {
    {"empty", "", "no statement"},
    {"only a comment", "-- nothing", "no statement"},
    {"syntax", "SELEC 1", "syntax error"},
    {"unknown table", "SELECT * FROM gpu", "no such table: gpu"},
    {"unknown column", "SELECT colour FROM node", "no such column: colour"},
    {"two statements", "SELECT 1; SELECT 2", "one statement"},
    {"delete", "DELETE FROM node", "only reads"},
    {"update", "UPDATE node SET ready = 0", "only reads"},
    {"insert", "INSERT INTO source_file VALUES (9, 'x')", "only reads"},
    {"drop", "DROP TABLE node", "only reads"},
    {"create", "CREATE TABLE x (a)", "only reads"},
    {"temporary table", "CREATE TEMP TABLE x (a)", "only reads"},
    {"attach", "ATTACH 'other.db' AS other", "only reads"},
    {"vacuum into", "VACUUM INTO 'copy.db'", "only reads"},
    {"pragma that sets", "PRAGMA user_version = 9", "only reads"},
    {"pragma that writes", "PRAGMA journal_mode = DELETE", "only reads"},
    {"begin", "BEGIN", "only reads"},
    {"commit", "COMMIT", "only reads"},
    {"extension", "SELECT load_extension('x')", "not authorized"},
};

std::string text_of(const SqlTable& table) {
  auto value_text = [](const SqlValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
    return std::string("NULL");
  };
  std::string all;
  for (const auto& row : table.rows) {
    for (const SqlValue& value : row) all += (&value == &row.front() ? "" : " ") + value_text(value);
    all += "\n";
  }
  return all;
}

Quantity quantity(const char* text) {
  return Quantity::parse(text).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(query)

BOOST_DATA_TEST_CASE(is_refused, bad_queries, c) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) { world = test::make_plain_world(2, 2); });
  std::string before = test::read_file(path);
  Snapshot snapshot = Snapshot::open(path);
  BOOST_CHECK_EXCEPTION(snapshot.query(c.sql), Error, [&](const Error& error) {
    BOOST_TEST(error.message().find(c.message) != std::string::npos, error.message());
    return error.code() == "bad-query";
  });
  // The snapshot still answers, and still as of its instant.
  BOOST_TEST(text_of(snapshot.query("SELECT count(*) FROM node")) == "2\n");
  BOOST_TEST((test::read_file(path) == before));
}

BOOST_AUTO_TEST_CASE(values_have_their_types) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World&) {});
  SqlTable table = Snapshot::open(path).query("SELECT NULL AS a, 1 AS b, 1.5 AS c, 'x' AS d -- and so on");
  BOOST_TEST(table.columns == (std::vector<std::string>{"a", "b", "c", "d"}),
             boost::test_tools::per_element());
  std::vector<SqlValue> want = {std::monostate(), std::int64_t{1}, 1.5, std::string("x")};
  BOOST_REQUIRE(table.rows.size() == 1u);
  BOOST_TEST((table.rows[0] == want));
}

BOOST_AUTO_TEST_CASE(queue_quota_lists_flavors_in_order) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) {
    ClusterQueue& queue = world.cluster_queues.emplace_back();
    queue.name = "training";
    queue.cohort = "all";
    queue.resource_groups = {
        {{"cpu"},
         {{"spot", {{"cpu", Amount(4000), Amount(0), std::nullopt}}},
          {"dws", {{"cpu", Amount::unlimited(), std::nullopt, Amount(7)}}}}},
        {{"memory"}, {{"any", {{"memory", Amount(1024), std::nullopt, std::nullopt}}}}},
    };
  });
  BOOST_TEST(text_of(Snapshot::open(path).query("SELECT * FROM queue_quota")) ==
             "training all 0 0 spot cpu 4000 0 NULL\n"
             "training all 0 1 dws cpu 9223372036854775807 NULL 7\n"
             "training all 1 0 any memory 1024 NULL NULL\n");
}

BOOST_AUTO_TEST_CASE(workload_request_counts_as_kubernetes_does) {
  struct Case {
    const char* name;  // and the reason
    PodTemplate pod;
    const char* want;
  };
  auto container = [](Resources requests, Resources limits = {}, bool sidecar = false) {
    return Container{"c", std::move(requests), std::move(limits), sidecar, ""};
  };
  std::vector<Case> cases(6);
  cases[0].name = "containers-add-up";
  cases[0].pod.containers = {container({{"cpu", quantity("500m")}}), container({{"cpu", quantity("1")}})};
  cases[0].want = "cpu 1500 4500\n";
  cases[1].name = "limits-stand-in";
  cases[1].pod.containers = {
      container({{"cpu", quantity("1")}}, {{"cpu", quantity("2")}, {"memory", quantity("1Ki")}})};
  cases[1].want = "cpu 1000 3000\nmemory 1024 3072\n";
  cases[2].name = "the-largest-init-container-counts";
  cases[2].pod.containers = {container({{"cpu", quantity("1")}})};
  cases[2].pod.init_containers = {container({{"cpu", quantity("3")}}), container({{"cpu", quantity("2")}})};
  cases[2].want = "cpu 3000 9000\n";
  cases[3].name = "sidecars-run-beside";
  cases[3].pod.containers = {container({{"cpu", quantity("1")}})};
  cases[3].pod.init_containers = {container({{"cpu", quantity("1")}}),
                                  container({{"cpu", quantity("2")}}, {}, true),
                                  container({{"cpu", quantity("1500m")}})};
  cases[3].want = "cpu 3500 10500\n";  // the last init container beside the sidecar; without it 3
  cases[4].name = "pod-requests-replace";
  cases[4].pod.containers = {container({{"cpu", quantity("1")}, {"memory", quantity("5")}})};
  cases[4].pod.pod_requests = Resources{{"cpu", quantity("4")}};
  cases[4].want = "cpu 4000 12000\nmemory 5 15\n";
  cases[5].name = "overhead-is-added";
  cases[5].pod.containers = {container({{"cpu", quantity("1")}})};
  cases[5].pod.overhead = {{"cpu", quantity("250m")}, {"memory", quantity("1")}};
  cases[5].want = "cpu 1250 3750\nmemory 1 3\n";

  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [&](World& world) {
    for (const Case& c : cases) {
      Workload& workload = world.workloads.emplace_back();
      workload.name = c.name;
      PodSet& pod_set = workload.pod_sets.emplace_back();
      pod_set.name = "main";
      pod_set.count = 3;
      pod_set.pod = c.pod;
    }
    world.workloads.sort([](const Workload& a, const Workload& b) { return a.name < b.name; });
  });
  Snapshot snapshot = Snapshot::open(path);
  for (const Case& c : cases) {
    std::string sql =
        "SELECT resource, per_pod, total FROM workload_request WHERE name = '" + std::string(c.name) + "'";
    BOOST_TEST(text_of(snapshot.query(sql)) == c.want, c.name);
  }
}

BOOST_AUTO_TEST_CASE(queue_usage_takes_off_what_was_given_back) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) {
    auto add = [&](const char* name, int pods, int reclaimable, bool finished) {
      Workload& o = world.workloads.emplace_back();
      o.name = name;
      o.admitted_queue = "training";
      PodSet& pod_set = o.pod_sets.emplace_back();
      pod_set.name = "main";
      pod_set.count = pods;
      PodSetAssignment& assignment = o.assignments.emplace_back();
      assignment.name = "main";
      assignment.count = pods;
      assignment.flavors = {{"cpu", "spot"}};
      assignment.usage = {{"cpu", Quantity::from_milli(1000 * pods)}};
      if (reclaimable > 0) o.reclaimable["main"] = reclaimable;
      if (finished) o.conditions = {{"Finished", true, "", "", Instant{}, 1}};
    };
    add("a", 4, 0, false);
    add("b", 5, 2, false);
    add("c", 100, 0, true);
  });
  BOOST_TEST(text_of(Snapshot::open(path).query("SELECT * FROM queue_usage")) ==
             "training spot cpu 7000 2\n");
}

BOOST_AUTO_TEST_CASE(workload_status_says_how_far_it_came) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  update_snapshot(path, [](World& world) {
    world.now = *Instant::parse("2026-01-01T01:00:00Z");
    LocalQueue& queue = world.local_queues.emplace_back();
    queue.name_space = "default";
    queue.name = "lq";
    queue.cluster_queue = "cq";
    auto add = [&](const char* name) -> Workload& {
      Workload& o = world.workloads.emplace_back();
      o.name = name;
      o.queue = "lq";
      o.created = *Instant::parse("2026-01-01T00:00:00Z");
      return o;
    };
    add("a").owner = {"Job", "batch", "train", ""};
    add("b").admitted_queue = "cq";
    Workload& admitted = add("c");
    admitted.admitted_queue = "cq";
    admitted.conditions = {{"Admitted", true, "", "", Instant{}, 1}};
    Workload& finished = add("d");
    finished.conditions = {{"Admitted", true, "", "", Instant{}, 1},
                           {"Finished", true, "", "", Instant{}, 1}};
    add("e").active = false;
  });
  BOOST_TEST(text_of(Snapshot::open(path).query(
                 "SELECT name, owner, queue, state, created_at, age_seconds FROM workload_status")) ==
             "a Job/train cq pending 2026-01-01T00:00:00Z 3600\n"
             "b  cq quota-reserved 2026-01-01T00:00:00Z 3600\n"
             "c  cq admitted 2026-01-01T00:00:00Z 3600\n"
             "d  cq finished 2026-01-01T00:00:00Z 3600\n"
             "e  cq inactive 2026-01-01T00:00:00Z 3600\n");
}

BOOST_AUTO_TEST_SUITE_END()
