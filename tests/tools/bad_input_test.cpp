#include <sys/stat.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "support/golden.hpp"
#include "support/hostile.hpp"
#include "support/temp_folder.hpp"
#include "tools/run_command.hpp"

/// Broken manifests, files, databases and disks: one clear error each, exit code 1, nothing half-written.

using namespace sluice;
using test::TempFolder;

namespace {

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

const char* const kQueue =
    "apiVersion: kueue.x-k8s.io/v1beta2\n"
    "kind: ClusterQueue\n"
    "metadata: {name: training}\n"
    "spec:\n"
    "  resourceGroups:\n"
    "  - coveredResources: [cpu]\n"
    "    flavors:\n"
    "    - name: spot\n"
    "      resources:\n"
    "      - name: cpu\n"
    "        nominalQuota: 10\n";

std::string queue_with(std::string_view old, std::string_view changed) {
  std::string text = kQueue;
  std::size_t at = text.find(old);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), changed);
}

std::string cohort(const char* name, const char* parent) {
  return std::string("---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: ") + name +
         "}\nspec: {parentName: " + parent + "}\n";
}

struct BadManifest {
  const char* why;  // names the case when it fails
  std::function<std::string()> text;
  const char* code;
  const char* message;  // what the error contains
};
std::ostream& operator<<(std::ostream& out, const BadManifest& c) {
  return out << c.why;
}

const BadManifest bad_manifests[] = {
    {"broken YAML", [] { return std::string("a: [1, 2\nb: 3\n"); }, "bad-manifest", "bad.yaml:"},
    {"a tab as indentation", [] { return std::string("a:\n\tb: 1\n"); }, "bad-manifest", "bad.yaml:2"},
    {"broken JSON", [] { return std::string("{\"kind\": \"List\", \"items\": [}"); }, "bad-manifest",
     "bad.yaml:1"},
    {"JSON without an end", [] { return std::string("{\"kind\": \"List\", \"items\": ["); }, "bad-manifest",
     "bad.yaml:1"},
    {"a key twice", [] { return queue_with("metadata:", "kind: Cohort\nmetadata:"); }, "bad-manifest",
     "bad.yaml:3"},
    {"not UTF-8",
     [] {
       return queue_with("training",
                         "tr\xff\xfe"
                         "ining");
     },
     "bad-manifest", "UTF-8"},
    {"binary",
     [] {
       return std::string(
           "\x7f"
           "ELF\x02\x01\x01\0\0\0\0\0",
           12);
     },
     "bad-manifest", "bad.yaml"},
    {"a list where an object is expected", [] { return std::string("- a\n- b\n"); }, "bad-object",
     "bad.yaml:1"},
    {"a text", [] { return std::string("hello\n"); }, "bad-object", "bad.yaml:1"},
    {"no kind", [] { return std::string("apiVersion: v1\nmetadata: {name: a}\n"); }, "bad-object", "`kind`"},
    {"no name", [] { return std::string("apiVersion: v1\nkind: Namespace\nmetadata: {}\n"); }, "bad-object",
     "metadata.name"},
    {"an unknown field", [] { return queue_with("  resourceGroups", "  resurceGroups"); }, "bad-object",
     "did you mean `resourceGroups`"},
    {"an unknown kind of Kueue", [] { return queue_with("ClusterQueue", "ClusterQeue"); }, "bad-object",
     "did you mean `ClusterQueue`"},
    {"an unknown version", [] { return queue_with("v1beta2", "v1beta7"); }, "bad-object", "v1beta7"},
    {"a wrong unit", [] { return queue_with("10\n", "10GB\n"); }, "bad-object", "10GB"},
    {"a negative quota", [] { return queue_with("10\n", "-1\n"); }, "bad-object", "nominalQuota"},
    {"a wrong type", [] { return queue_with("[cpu]", "cpu"); }, "bad-object", "coveredResources"},
    {"an unset variable", [] { return queue_with("10\n", "${QUOTA}\n"); }, "unset-variable", "QUOTA"},
    {"a circle of two cohorts", [] { return cohort("a", "b") + cohort("b", "a"); }, "cohort-cycle",
     "`a` → `b` → `a`"},
    {"a cohort above itself", [] { return cohort("a", "a"); }, "", "`a`"},
    {"100 MB in one line",
     [] {
       return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + std::string(100'000'000, 'x') + "}\n";
     },
     "too-large", "67108864 bytes"},
    {"a line of 60 MB", [] { return queue_with("training", std::string(60'000'000, 'x')); }, "bad-object",
     "name"},
    {"10,000 lists in each other",
     [] { return "a: " + repeated("[", 10'000) + repeated("]", 10'000) + "\n"; }, "manifest-limit", "nest"},
    {"10,000 lists without an end", [] { return "a: " + repeated("[", 10'000); }, "", "bad.yaml:1"},
    {"10,000 maps in each other",
     [] { return repeated("{a: ", 10'000) + "1" + repeated("}", 10'000) + "\n"; }, "manifest-limit", "nest"},
    {"10,000 list dashes", [] { return repeated("- ", 10'000) + "1\n"; }, "manifest-limit", "nest"},
    {"10,000 maps in JSON", [] { return repeated("{\"a\":", 10'000) + "1" + repeated("}", 10'000) + "\n"; },
     "manifest-limit", "nest"},
    {"aliases that multiply",
     [] {
       std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
       for (int i = 1; i < 12; ++i) {
         std::string last = "*a" + std::to_string(i - 1);
         text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(last + ", ", 9) +
                 last + "]\n";
       }
       return text;
     },
     "manifest-limit", "bad.yaml"},
    {"an alias of itself", [] { return std::string("a: &a [*a]\n"); }, "", "bad.yaml"},
};

/// One error and nothing else.
void check_refused(const test::Outcome& outcome, std::string_view code, std::string_view message) {
  BOOST_TEST(outcome.exit == 1);
  BOOST_TEST(outcome.out == "");
  BOOST_TEST(outcome.err.starts_with("error[" + std::string(code)), outcome.err.substr(0, 1000));
  BOOST_TEST(outcome.err.find("error[", 1) == std::string::npos, outcome.err.substr(0, 1000));
  BOOST_TEST(outcome.err.find(message) != std::string::npos, outcome.err.substr(0, 1000));
  BOOST_TEST(outcome.err.size() < 4000u, "the error is too long to read");
}

const char* const kNamespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_input)

BOOST_DATA_TEST_CASE(a_bad_manifest_makes_no_snapshot, bad_manifests, c) {
  TempFolder folder;
  std::string good = folder.write("good.yaml", kNamespace);
  std::string bad = folder.write("bad.yaml", c.text());
  check_refused(test::run({{"load", good, bad, "--db", folder.file("a.db")}, {}, {}}), c.code, c.message);
  std::vector<std::string> want = {"bad.yaml", "good.yaml"};
  BOOST_TEST(folder.names() == want, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_bad_manifest_changes_no_snapshot, bad_manifests, c) {
  TempFolder folder;
  std::string good = folder.write("good.yaml", kNamespace);
  std::string bad = folder.write("bad.yaml", c.text());
  std::string snapshot = folder.file("a.db");
  BOOST_REQUIRE(test::run({{"load", good, "--db", snapshot}, {}, {}}).exit == 0);
  std::string before = test::read_file(snapshot);
  std::string other =
      folder.write("other.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-b}\n");
  check_refused(test::run({{"load", other, bad, "--db", snapshot, "--replace"}, {}, {}}), c.code, c.message);
  BOOST_TEST((test::read_file(snapshot) == before), "the snapshot was changed");
  std::vector<std::string> want = {"a.db", "bad.yaml", "good.yaml", "other.yaml"};
  BOOST_TEST(folder.names() == want, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_folder_for_a_manifest_that_cannot_be_read) {
  TempFolder folder;
  ::chmod(folder.path().c_str(), 0777);
  std::string bad = folder.write("bad.yaml", kNamespace);
  ::chmod(bad.c_str(), 0);
  test::Unprivileged nobody;
  check_refused(test::run({{"load", folder.path(), "--db", folder.file("a.db")}, {}, {}}), "file",
                "permission denied");
}

BOOST_AUTO_TEST_CASE(a_full_disk_makes_no_snapshot) {
  TempFolder folder;
  std::string good = folder.write("good.yaml", kNamespace);
  test::Outcome outcome;
  {
    test::FileSizeLimit limit(100'000);
    outcome = test::run({{"load", good, "--db", folder.file("a.db")}, {}, {}});
  }
  check_refused(outcome, "disk-full", "a.db");
  BOOST_TEST(folder.names() == std::vector<std::string>{"good.yaml"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_disk_changes_no_snapshot) {
  TempFolder folder;
  std::string snapshot = folder.file("a.db");
  std::string good = folder.write("good.yaml", kNamespace);
  BOOST_REQUIRE(test::run({{"load", good, "--db", snapshot}, {}, {}}).exit == 0);
  std::string before = test::read_file(snapshot);
  std::string many;
  for (int i = 0; i < 3000; ++i) {
    many += "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n" + std::to_string(i) + "}\n";
  }
  std::string big = folder.write("big.yaml", many);
  test::Outcome outcome;
  {
    test::FileSizeLimit limit(100'000);
    outcome = test::run({{"load", big, "--db", snapshot}, {}, {}});
  }
  check_refused(outcome, "disk-full", "nothing was changed");
  BOOST_TEST((test::read_file(snapshot) == before), "the snapshot was changed");
  std::vector<std::string> want = {"a.db", "big.yaml", "good.yaml"};
  BOOST_TEST(folder.names() == want, boost::test_tools::per_element());
  // With room it loads.
  BOOST_TEST(test::run({{"load", big, "--db", snapshot}, {}, {}}).exit == 0);
}

struct BadSnapshot {
  const char* why;                                     // names the case when it fails
  std::function<void(const std::string& path)> spoil;  // a sound snapshot
  const char* code;
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const BadSnapshot& c) {
  return out << c.why;
}

void overwrite(const std::string& path, std::size_t at, std::string_view bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

const BadSnapshot bad_snapshots[] = {
    {"a schema of the future",
     [](const std::string& path) {
       overwrite(path, 60, {"\0\0\x10\x00", 4});
     },
     "snapshot-too-new", "schema version 4096"},
    {"a database of another program",
     [](const std::string& path) {
       overwrite(path, 68, {"\x0f\x05\x51\x12", 4});
     },
     "not-a-snapshot", "another program"},
    {"a folder",
     [](const std::string& path) {
       std::filesystem::remove(path);
       std::filesystem::create_directory(path);
     },
     "not-a-snapshot", "it is a folder"},
    {"a text", [](const std::string& path) { std::ofstream(path) << "apiVersion: v1\n"; }, "not-a-snapshot",
     "no SQLite database"},
    {"cut off", [](const std::string& path) { std::filesystem::resize_file(path, 5000); }, "snapshot-corrupt",
     "damaged"},
    {"overwritten with nonsense",
     [](const std::string& path) { overwrite(path, 4096, repeated("nonsense", 40'000)); }, "snapshot-corrupt",
     "damaged"},
};

BOOST_DATA_TEST_CASE(a_bad_snapshot, bad_snapshots, c) {
  TempFolder folder;
  std::string snapshot = folder.file("a.db");
  std::string good = folder.write("good.yaml", kNamespace);
  BOOST_REQUIRE(test::run({{"load", good, "--db", snapshot}, {}, {}}).exit == 0);
  c.spoil(snapshot);
  std::string before = std::filesystem::is_regular_file(snapshot) ? test::read_file(snapshot) : "";
  check_refused(test::run({{"snapshot", "info", snapshot}, {}, {}}), c.code, c.message);
  check_refused(test::run({{"load", good, "--db", snapshot}, {}, {}}), c.code, c.message);
  check_refused(test::run({{"load", good, "--db", snapshot, "--replace"}, {}, {}}), c.code, c.message);
  if (!before.empty()) BOOST_TEST((test::read_file(snapshot) == before), "the file was changed");
  std::vector<std::string> want = {"a.db", "good.yaml"};
  BOOST_TEST(folder.names() == want, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_query_as_deep_as_the_shell_allows) {
  TempFolder folder;
  std::string snapshot = folder.file("a.db");
  std::string good = folder.write("good.yaml", kNamespace);
  BOOST_REQUIRE(test::run({{"load", good, "--db", snapshot}, {}, {}}).exit == 0);
  std::string deep = "SELECT " + repeated("(", 10'000) + "1" + repeated(")", 10'000);
  check_refused(test::run({{"snapshot", "query", snapshot, deep}, {}, {}}), "bad-query", "");
}

BOOST_AUTO_TEST_SUITE_END()
