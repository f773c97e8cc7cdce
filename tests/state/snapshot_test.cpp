#include "state/snapshot.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>

#include "state/schema.hpp"
#include "state/sqlite.hpp"
#include "state/worlds.hpp"
#include "support/golden.hpp"
#include "support/hostile.hpp"
#include "support/temp_folder.hpp"

/// What goes wrong with files, disks and databases: one clear error each, nothing half-written.

using namespace sluice;
using state::Database;
using test::TempFolder;

namespace {

constexpr Duration kNoWait{};

/// The error that `work` ends with; fails the test if there is none.
Error error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  BOOST_ERROR("no error");
  return Error("none", "");
}

void store(const std::string& path, const World& world) {
  update_snapshot(path, [&](World& held) { held = world; });
}

/// Changes the file behind the snapshot's back.
void run_sql(const std::string& path, const char* sql) {
  Database database(path, Database::Access::write, kNoWait);
  database.run(sql);
}

struct BadFile {
  const char* why;  // names the case when it fails
  std::function<void(const TempFolder&, const std::string& path)> make;
  const char* code;
  const char* message;  // what it contains, besides the path
  bool only_reading = false;
};
std::ostream& operator<<(std::ostream& out, const BadFile& c) {
  return out << c.why;
}

const BadFile bad_files[] = {
    {"missing", [](const TempFolder&, const std::string&) {}, "snapshot-missing", "there is no such snapshot",
     true},
    {"a folder", [](const TempFolder&, const std::string& path) { std::filesystem::create_directory(path); },
     "not-a-snapshot", "it is a folder"},
    {"a pipe",
     [](const TempFolder&, const std::string& path) { BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0); },
     "not-a-snapshot", "no regular file"},
    {"empty", [](const TempFolder& folder, const std::string&) { folder.write("a.db", ""); },
     "not-a-snapshot", "the file is empty", true},
    {"text", [](const TempFolder& folder, const std::string&) { folder.write("a.db", "apiVersion: v1\n"); },
     "not-a-snapshot", "no SQLite database"},
    {"long text",
     [](const TempFolder& folder, const std::string&) { folder.write("a.db", std::string(100'000, 'x')); },
     "not-a-snapshot", "no SQLite database"},
    {"only the first bytes of a database",
     [](const TempFolder& folder, const std::string&) {
       folder.write("a.db", std::string_view("SQLite format 3\0", 16));
     },
     "not-a-snapshot", "no SQLite database"},
    {"a database of another program",
     [](const TempFolder& folder, const std::string& path) {
       store(folder.file("b.db"), World{});
       std::filesystem::rename(folder.file("b.db"), path);
       run_sql(path, "PRAGMA application_id = 252006");
     },
     "not-a-snapshot", "belongs to another program"},
    {"a schema of the future",
     [](const TempFolder&, const std::string& path) {
       store(path, World{});
       run_sql(path, "PRAGMA user_version = 4711");
     },
     "snapshot-too-new", "schema version 4711"},
    {"a schema version that never was",
     [](const TempFolder&, const std::string& path) {
       store(path, World{});
       run_sql(path, "PRAGMA user_version = -1");
     },
     "snapshot-corrupt", "schema version -1"},
    {"a table is missing",
     [](const TempFolder&, const std::string& path) {
       store(path, World{});
       run_sql(path, "DROP TABLE pod_label");
     },
     "snapshot-corrupt", "pod_label"},
    {"a value that no writer writes",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_plain_world(3, 0));
       run_sql(path, "UPDATE container_resource SET quantity = 'much' WHERE resource = 'cpu'");
     },
     "snapshot-corrupt", "`much` in column quantity is no quantity"},
    {"a number that does not fit",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_plain_world(3, 0));
       run_sql(path, "UPDATE workload SET priority = 5000000000");
     },
     "snapshot-corrupt", "5000000000 in column priority is out of range"},
    {"a part without its object",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_plain_world(3, 0));
       run_sql(path, "PRAGMA foreign_keys = OFF; DELETE FROM workload WHERE id = 2");
     },
     "snapshot-corrupt", "part of an object 2 that is not there"},
    {"a flavor without the quotas of its group",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_world(1));
       run_sql(path, "DELETE FROM quota");
     },
     "snapshot-corrupt", "has no quotas for what the group covers"},
    {"a quota for a resource that the group does not cover",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_world(1));
       run_sql(path, "UPDATE quota SET resource = 'other' WHERE position = 0");
     },
     "snapshot-corrupt", "has no quotas for what the group covers"},
    {"a group that covers what nobody has quota for",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_world(1));
       run_sql(path, "UPDATE resource_group_resource SET resource = 'other' WHERE position = 0");
     },
     "snapshot-corrupt", "has no quotas for what the group covers"},
    {"the instant is missing",
     [](const TempFolder&, const std::string& path) {
       store(path, World{});
       run_sql(path, "DELETE FROM snapshot");
     },
     "snapshot-corrupt", "it has no instant"},
    {"cut in half",
     [](const TempFolder&, const std::string& path) {
       store(path, test::make_plain_world(100, 10));
       std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
     },
     "snapshot-corrupt", "damaged"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot)

BOOST_DATA_TEST_CASE(reading_a_bad_file, bad_files, c) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  c.make(folder, path);
  Error error = error_of([&] { Snapshot::open(path).read_world(); });
  BOOST_TEST(error.code() == c.code);
  BOOST_TEST(error.message().starts_with("`" + path + "`: "), error.message());
  BOOST_TEST(error.message().find(c.message) != std::string::npos, error.message());
  BOOST_TEST(!error.help().empty());
}

BOOST_DATA_TEST_CASE(writing_to_a_bad_file, bad_files, c) {
  if (c.only_reading) return;
  TempFolder folder;
  std::string path = folder.file("a.db");
  c.make(folder, path);
  bool is_file = std::filesystem::is_regular_file(path);
  std::string before = is_file ? test::read_file(path) : "";
  Error error = error_of([&] { store(path, test::make_plain_world(5, 5)); });
  BOOST_TEST(error.code() == c.code);
  BOOST_TEST(error.message().find(c.message) != std::string::npos, error.message());
  if (is_file) BOOST_TEST((test::read_file(path) == before), "the file was changed");
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_file_becomes_a_snapshot_and_keeps_its_mode) {
  TempFolder folder;
  std::string path = folder.write("a.db", "");
  ::chmod(path.c_str(), 0600);
  World want = test::make_plain_world(5, 5);
  store(path, want);
  BOOST_TEST((Snapshot::open(path).read_world() == want));
  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0600u);
}

BOOST_AUTO_TEST_CASE(a_link_is_followed) {
  TempFolder folder;
  std::filesystem::create_symlink("real.db", folder.file("link.db"));
  folder.write("real.db", "");
  store(folder.file("link.db"), test::make_plain_world(1, 1));
  BOOST_TEST(std::filesystem::is_symlink(folder.file("link.db")));
  BOOST_TEST(Snapshot::open(folder.file("real.db")).read_world().nodes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_copy_made_by_sqlite_is_a_snapshot) {
  TempFolder folder;
  World want = test::make_world(5);
  store(folder.file("a.db"), want);
  run_sql(folder.file("a.db"), ("VACUUM INTO '" + folder.file("b.db") + "'").c_str());
  BOOST_TEST((Snapshot::open(folder.file("b.db")).read_world() == want));
  store(folder.file("b.db"), World{});
  BOOST_TEST((Snapshot::open(folder.file("b.db")).read_world() == World{}));
}

BOOST_AUTO_TEST_CASE(names_that_sqlite_finds_hard) {
  TempFolder folder;
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:a.db", "-"}) {
    store(name, test::make_plain_world(1, 1));
    store(name, test::make_plain_world(2, 2));
    BOOST_TEST(Snapshot::open(name).read_world().nodes.size() == 2u, name);
  }
  std::filesystem::current_path(before);
  BOOST_TEST(folder.names().size() == 3u);
  BOOST_TEST(error_of([&] { store("", World{}); }).code() == "snapshot-io");
  BOOST_TEST(error_of([&] { Snapshot::open(""); }).code() == "snapshot-missing");
}

BOOST_AUTO_TEST_CASE(names_that_urls_find_hard) {
  TempFolder folder;
  for (const char* name : {"a b.db", "100%25.db", "what?.db", "#1.db", "größe.db", "'quoted'.db"}) {
    std::string path = folder.file(name);
    store(path, test::make_plain_world(1, 1));
    BOOST_TEST(Snapshot::open(path).read_world().nodes.size() == 1u, name);
  }
  BOOST_TEST(folder.names().size() == 6u);
}

BOOST_AUTO_TEST_CASE(an_edit_that_throws_leaves_no_new_file) {
  TempFolder folder;
  Error error = error_of([&] {
    update_snapshot(folder.file("a.db"), [](World& world) {
      world = test::make_plain_world(5, 5);
      throw Error("bad-manifest", "third document");
    });
  });
  BOOST_TEST(error.code() == "bad-manifest");
  BOOST_TEST(error.message() == "third document");
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(an_edit_that_throws_leaves_the_file_as_it_was) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  store(path, test::make_plain_world(5, 5));
  std::string before = test::read_file(path);
  error_of([&] {
    update_snapshot(path, [](World& world) {
      world.nodes.clear();
      throw Error("bad-manifest", "third document");
    });
  });
  BOOST_TEST((test::read_file(path) == before));
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_full_disk_leaves_no_new_file,
                     (boost::unit_test::data::make({1, 4096, 100'000, 600'000})), bytes) {
  TempFolder folder;
  World big = test::make_plain_world(1000, 100);
  Error error("none", "");
  {
    test::FileSizeLimit limit(static_cast<rlim_t>(bytes));
    error = error_of([&] { store(folder.file("a.db"), big); });
  }
  BOOST_TEST(error.code() == "disk-full", error.message());
  BOOST_TEST(!error.help().empty());
  BOOST_TEST(folder.names().empty());
}

BOOST_DATA_TEST_CASE(a_full_disk_leaves_the_file_as_it_was,
                     (boost::unit_test::data::make({0, 40'000, 150'000, 300'000})), more) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World small = test::make_plain_world(5, 5);
  store(path, small);
  Error error("none", "");
  {
    test::FileSizeLimit limit(static_cast<rlim_t>(more));
    error = error_of([&] { store(path, test::make_plain_world(1000, 100)); });
  }
  BOOST_TEST(error.code() == "disk-full", error.message());
  BOOST_TEST((Snapshot::open(path).read_world() == small));
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sqlite_says_that_the_disk_is_full) {
  TempFolder folder;
  store(folder.file("a.db"), World{});
  Database database(folder.file("a.db"), Database::Access::write, kNoWait);
  database.run("PRAGMA max_page_count = 1");
  Error error = error_of([&] {
    database.run(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
        "INSERT INTO source_file SELECT i, 'file' || i FROM n");
  });
  BOOST_TEST(error.code() == "disk-full");
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_be_written) {
  TempFolder folder;
  ::chmod(folder.path().c_str(), 0777);
  std::string path = folder.file("a.db");
  World want = test::make_plain_world(5, 5);
  store(path, want);
  ::chmod(path.c_str(), 0444);
  test::Unprivileged nobody;
  Error error = error_of([&] { store(path, World{}); });
  BOOST_TEST(error.code() == "snapshot-read-only");
  BOOST_TEST((Snapshot::open(path).read_world() == want));
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_folder_that_may_not_be_written) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World want = test::make_plain_world(5, 5);
  store(path, want);
  ::chmod(path.c_str(), 0666);
  ::chmod(folder.path().c_str(), 0555);
  {
    test::Unprivileged nobody;
    BOOST_TEST(error_of([&] { store(path, World{}); }).code() == "snapshot-read-only");
    BOOST_TEST(error_of([&] { store(folder.file("new.db"), World{}); }).code() == "snapshot-read-only");
    BOOST_TEST((Snapshot::open(path).read_world() == want));
    BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_reader_without_rights_beside_a_writer) {
  TempFolder folder;
  ::chmod(folder.path().c_str(), 0755);
  std::string path = folder.file("a.db");
  World want = test::make_plain_world(50, 5);
  store(path, World{});
  Database writer(path, Database::Access::write, kNoWait);
  writer.integer("SELECT count(*) FROM snapshot");  // holds the log: what is written next stays in it
  store(path, want);
  BOOST_TEST(std::filesystem::exists(path + "-wal"));
  test::Unprivileged nobody;
  BOOST_TEST((Snapshot::open(path).read_world() == want));
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_be_read) {
  TempFolder folder;
  ::chmod(folder.path().c_str(), 0777);
  std::string path = folder.file("a.db");
  store(path, World{});
  ::chmod(path.c_str(), 0);
  test::Unprivileged nobody;
  Error error = error_of([&] { Snapshot::open(path); });
  BOOST_TEST(error.code() == "snapshot-io");
  BOOST_TEST(error.message().find("Permission denied") != std::string::npos, error.message());
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there) {
  TempFolder folder;
  Error error = error_of([&] { store(folder.file("none/a.db"), World{}); });
  BOOST_TEST(error.code() == "snapshot-io");
  BOOST_TEST(error.message().find("No such file or directory") != std::string::npos, error.message());
}

BOOST_AUTO_TEST_CASE(a_writer_waits_for_another_and_then_says_so) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World want = test::make_plain_world(5, 5);
  store(path, want);
  Database other(path, Database::Access::write, kNoWait);
  state::Transaction writing(other, state::Transaction::Kind::write);
  Error error = error_of([&] {
    update_snapshot(
        path, [](World& world) { world.nodes.clear(); }, kNoWait);
  });
  BOOST_TEST(error.code() == "snapshot-locked");
  BOOST_TEST(error.help() == "try again when the other process is done");
  // Readers do not wait.
  BOOST_TEST((Snapshot::open(path, kNoWait).read_world() == want));
}

BOOST_AUTO_TEST_CASE(a_reader_sees_one_instant_and_keeps_no_writer_waiting) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World first = test::make_plain_world(50, 5);
  World second = test::make_plain_world(80, 2);
  store(path, first);
  Snapshot reader = Snapshot::open(path, kNoWait);
  update_snapshot(
      path, [&](World& world) { world = second; }, kNoWait);
  BOOST_TEST((reader.read_world() == first));
  BOOST_TEST(reader.query("SELECT * FROM workload").rows.size() == 50u);
  BOOST_TEST((Snapshot::open(path, kNoWait).read_world() == second));
  BOOST_TEST((reader.read_world() == first));
}

BOOST_AUTO_TEST_CASE(two_writers_at_once_make_one_snapshot) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World other = test::make_plain_world(3, 3);
  int calls = 0;
  update_snapshot(path, [&](World& world) {
    if (++calls == 1) {
      BOOST_TEST(world.nodes.empty());
      store(path, other);
    } else {
      BOOST_TEST((world == other), "the edit is made on what the other one wrote");
    }
    world.files.emplace_back("mine.yaml");
  });
  BOOST_TEST(calls == 2);
  other.files.emplace_back("mine.yaml");
  BOOST_TEST((Snapshot::open(path).read_world() == other));
  BOOST_TEST(folder.names() == std::vector<std::string>{"a.db"}, boost::test_tools::per_element());
}

/// Damage anywhere ends in a World or in one clear Error, never in anything else.
BOOST_DATA_TEST_CASE(flipped_bytes, boost::unit_test::data::xrange(0, 60), seed) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  static const std::string sound = [&] {
    store(path, test::make_world(3));
    return test::read_file(path);
  }();
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  for (int round = 0; round < 10; ++round) {
    std::string damaged = sound;
    for (int flips = 1 << (random() % 8); flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    }
    folder.write("a.db", damaged);
    try {
      Snapshot snapshot = Snapshot::open(path);
      snapshot.info();
      snapshot.read_world();
    } catch (const Error& error) {
      bool is_clear = error.code() == "snapshot-corrupt" || error.code() == "not-a-snapshot" ||
                      error.code() == "snapshot-too-new" || error.code() == "snapshot-io";
      BOOST_TEST(is_clear, error.code() << ": " << error.message());
    }
  }
}

BOOST_AUTO_TEST_CASE(damages_are_named) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  store(path, test::make_plain_world(50, 5));
  BOOST_TEST(Snapshot::open(path).damages().empty());
  run_sql(path, "PRAGMA foreign_keys = OFF; DELETE FROM workload WHERE id = 2");
  std::vector<std::string> damages = Snapshot::open(path).damages();
  BOOST_REQUIRE(!damages.empty());
  BOOST_TEST(damages.front().find("refers to a row of workload that is not there") != std::string::npos,
             damages.front());
}

BOOST_AUTO_TEST_CASE(older_schemas_are_migrated) {
  TempFolder folder;
  store(folder.file("a.db"), test::make_plain_world(2, 2));
  Database database(folder.file("a.db"), Database::Access::write, kNoWait);
  const state::Migration steps[] = {
      {1, "ALTER TABLE node ADD COLUMN zone TEXT NOT NULL DEFAULT ''"},
      {2, "CREATE TABLE journal (id INTEGER PRIMARY KEY) STRICT; INSERT INTO journal VALUES (5)"},
      {state::schema_version, "INSERT INTO journal VALUES (6)"},
  };
  {
    state::Transaction transaction(database, state::Transaction::Kind::write);
    state::migrate(database, 1, steps);
    transaction.commit();
  }
  BOOST_TEST(database.integer("PRAGMA user_version") == state::schema_version + 1);
  BOOST_TEST(database.integer("SELECT count(zone) FROM node") == 2);
  BOOST_TEST(database.integer("SELECT id FROM journal") == 5);
  BOOST_TEST(error_of([&] { state::check_schema(database); }).code() == "snapshot-too-new");
}

// A file of the version before, as far as the last step goes: what the step adds is taken out.
BOOST_AUTO_TEST_CASE(the_last_step_leads_to_the_schema) {
  TempFolder folder;
  store(folder.file("new.db"), test::make_plain_world(2, 2));
  store(folder.file("old.db"), test::make_plain_world(2, 2));
  run_sql(folder.file("old.db"),
          "DROP TABLE workload_preemption_gate_state; ALTER TABLE queue DROP COLUMN last_acceptable_flavor; "
          "ALTER TABLE queue DROP COLUMN retains_first_admission; PRAGMA user_version = 2");
  World world = Snapshot::open(folder.file("new.db")).read_world();
  update_snapshot(folder.file("old.db"), [&](World& old) { BOOST_TEST((old == world)); });
  auto columns = [&](const char* file) {
    SqlTable table = Snapshot::open(folder.file(file)).query(
        "SELECT t.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM pragma_table_list t "
        "JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid");
    return table.rows;
  };
  BOOST_TEST((columns("old.db") == columns("new.db")));
}

BOOST_AUTO_TEST_CASE(the_file_is_as_the_manual_says) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  store(path, World{});
  Snapshot snapshot = Snapshot::open(path);
  auto pragma = [&](const char* sql) { return snapshot.query(sql).rows.at(0).at(0); };
  BOOST_TEST((pragma("PRAGMA application_id") == SqlValue(state::kApplicationId)));
  BOOST_TEST((pragma("PRAGMA user_version") == SqlValue(state::schema_version)));
  BOOST_TEST(test::read_file(path)[18] == '\2', "a WAL file says so in its header");
  SqlTable loose = snapshot.query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
      "AND NOT strict AND name NOT LIKE 'sqlite%'");
  BOOST_TEST(loose.rows.empty());
}

BOOST_AUTO_TEST_CASE(info_counts) {
  TempFolder folder;
  std::string path = folder.file("a.db");
  World world = test::make_plain_world(30, 4);
  world.files.push_back("nothing.yaml");
  store(path, world);
  run_sql(path, "INSERT INTO resource_version VALUES ('Workload', '4711')");
  SnapshotInfo info = Snapshot::open(path).info();
  BOOST_TEST(info.schema_version == state::schema_version);
  BOOST_TEST((info.instant == world.now));
  BOOST_TEST(info.bytes == std::filesystem::file_size(path));
  BOOST_TEST(info.kinds.size() == 17u);
  for (const SnapshotInfo::Kind& kind : info.kinds) {
    BOOST_TEST(kind.count == (kind.name == "Workload" ? 30 : kind.name == "Node" ? 4 : 0), kind.name);
  }
  BOOST_REQUIRE(info.sources.size() == 2u);
  BOOST_TEST(info.sources[0].path == "cluster.yaml");
  BOOST_TEST(info.sources[0].objects == 34);
  BOOST_TEST(info.sources[1].objects == 0);
  BOOST_REQUIRE(info.resource_versions.size() == 1u);
  BOOST_TEST(info.resource_versions[0].second == "4711");
}

BOOST_AUTO_TEST_SUITE_END()
