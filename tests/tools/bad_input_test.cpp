#include <sys/stat.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "support/golden.hpp"
#include "support/hostile.hpp"
#include "support/temp_folder.hpp"
#include "tools/run_command.hpp"
#include "tools/verb.hpp"

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

struct BadScenario {
  const char* why;      // names the case when it fails
  const char* members;  // of the scenario; `@` stands before the place of the error
  const char* error;    // how it begins behind the place
};
std::ostream& operator<<(std::ostream& out, const BadScenario& c) {
  return out << c.why;
}

#define STEP(step) "\"objects\": [], \"steps\": [" step "]"
#define CHECK(rest) STEP("{\"setCheck\": {\"workload\": \"w\", \"check\": \"c\", \"state\": \"Ready\", " rest "}}")
#define OBJECT(object) "\"objects\": [" object "]"
#define JOB(metadata, containers)                                                                       \
  "{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"metadata\": {\"name\": \"j\", " metadata "}, \"spec\": " \
  "{\"template\": {\"spec\": {\"containers\": [" containers "]}}}}"

const BadScenario bad_scenarios[] = {
    {"a priority beyond int32", STEP("{\"priority\": {\"workload\": \"w\", \"value\": @4294967296}}"),
     "bad-scenario: `value` is a whole number from -2147483648 to 2147483647"},
    {"a priority that is a text", STEP("{\"priority\": {\"workload\": \"w\", \"value\": @\"5\"}}"),
     "bad-scenario: `value` is a whole number"},
    {"half a priority", STEP("{\"priority\": {\"workload\": \"w\", \"value\": @1.5}}"),
     "bad-scenario: `value` is a whole number"},
    {"reclaimable pods beyond int32", STEP("{\"reclaim\": {\"workload\": \"w\", \"pods\": {\"main\": @-2147483649}}}"),
     "bad-scenario: `main` is a whole number"},
    {"reclaimable pods in a list", STEP("{\"reclaim\": {\"workload\": \"w\", \"pods\": @[\"main\"]}}"),
     "bad-scenario: `pods` is a map"},
    {"a wait beyond int32", CHECK("\"requeueAfterSeconds\": @4294967297"),
     "bad-scenario: `requeueAfterSeconds` is a whole number"},
    {"a message that is a number", CHECK("\"message\": @5"), "bad-scenario: `message` is a text"},
    {"updates in a map", CHECK("\"podSetUpdates\": @{\"name\": \"main\"}"),
     "bad-scenario: `podSetUpdates` is a list"},
    {"an unknown field of an update", CHECK("\"podSetUpdates\": [{@\"nam\": \"main\"}]"),
     "bad-scenario: unknown field `nam`"},
    {"a label of an update that is a number", CHECK("\"podSetUpdates\": [{\"labels\": {\"a\": @1}}]"),
     "bad-scenario: `a` is a text"},
    {"an unknown state", STEP("{\"setCheck\": {\"workload\": \"w\", \"check\": \"c\", \"state\": @\"Red\"}}"),
     "bad-scenario: `state` is Pending, Ready, Retry or Rejected"},
    {"readiness that is a text", STEP("{\"podsReady\": {\"workload\": \"w\", \"ready\": @\"true\"}}"),
     "bad-scenario: `ready` is true or false"},
    {"a workload that is a number", STEP("{\"finish\": @5}"), "bad-scenario: `finish` is a text"},
    {"a condition that is a number", STEP("{\"provision\": {\"workload\": \"w\", \"condition\": @5}}"),
     "bad-scenario: `condition` is a text"},
    {"a queue that is a number", STEP("{\"stopPolicy\": {\"clusterQueue\": @5, \"policy\": \"Hold\"}}"),
     "bad-scenario: `clusterQueue` is a text"},
    {"a workload that is not there", STEP("{\"finish\": @\"ns/nope\"}"), "unknown-workload: "},
    {"a queue that is not there", STEP("{\"stopPolicy\": @{\"clusterQueue\": \"q\", \"policy\": \"Hold\"}}"),
     "unknown-queue: "},
    {"what is not decided in a step", STEP("{\"delete\": @{\"kind\": \"Pod\", \"name\": \"p\"}}"),
     "not-yet-decided: "},
    {"what is not decided at all", "\"objects\": [], \"options\": {\"emulation\": {\"workloadEvents\": false}}",
     "not-yet-decided: "},
    {"an unknown kind to delete", STEP("{\"delete\": {\"kind\": @\"Foo\", \"name\": \"p\"}}"),
     "bad-scenario: unknown kind `Foo`"},
    {"the namespace of a queue of the cluster",
     STEP("{\"delete\": {\"kind\": \"ClusterQueue\", \"namespace\": @\"default\", \"name\": \"q\"}}"),
     "bad-scenario: a ClusterQueue is in no namespace"},
    {"a step after the end of time", STEP("{\"at\": @\"9999-01-01T00:00:00Z\"}"),
     "bad-scenario: `at` lies outside of the years 1678 to 2261"},
    {"a wait to the end of time", STEP("{\"at\": @\"+2562047h\"}"),
     "bad-scenario: `at` lies outside of the years 1678 to 2261"},
    {"a step that is no time", STEP("{\"at\": @\"soon\"}"),
     "bad-scenario: `at` is an RFC 3339 time or `+` and a duration"},
    {"a start before the beginning of time", "\"objects\": [], \"now\": @\"0001-01-01T00:00:00Z\"",
     "bad-scenario: `now` lies outside of the years 1678 to 2261"},
    {"a start that is a number", "\"objects\": [], \"now\": @5", "bad-scenario: `now` is a text"},
    {"cycles that are a text", "\"objects\": [], \"maxCycles\": @\"5\"", "bad-scenario: `maxCycles` is a whole number"},
    {"cycles beyond int32", "\"objects\": [], \"maxCycles\": @4294967296",
     "bad-scenario: `maxCycles` is a whole number"},
    {"a profile that is a number", "\"objects\": [], \"profile\": @5", "bad-scenario: `profile` is a text"},
    {"a rule that is a list", "\"objects\": [], \"rule\": @[]", "bad-scenario: `rule` is a text"},
    {"a misspelt gate", "\"objects\": [], \"options\": {\"featureGates\": {@\"PartialAdmision\": true}}",
     "unknown-feature-gate: `PartialAdmision` is no feature gate of Kueue 0.19 (did you mean `PartialAdmission`?)"},
    {"a kind without its group",
     OBJECT("{\"apiVersion\": \"v1\", \"kind\": @\"ClusterQueue\", \"metadata\": {\"name\": \"q\"}}"),
     "bad-object: unknown kind `ClusterQueue` of `v1` (did you mean `ClusterQueue` of `kueue.x-k8s.io/v1beta2`?)"},
    {"a kind without a version",
     OBJECT("{\"apiVersion\": \"kueue.x-k8s.io\", \"kind\": @\"LocalQueue\", \"metadata\": {\"name\": \"q\"}}"),
     "bad-object: unknown kind `LocalQueue` of `kueue.x-k8s.io` (did you mean"},
    {"a group in capitals",
     OBJECT("{\"apiVersion\": \"KUEUE.x-k8s.io/v1beta2\", \"kind\": @\"Cohort\", \"metadata\": {\"name\": \"q\"}}"),
     "bad-object: unknown kind `Cohort` of `KUEUE.x-k8s.io/v1beta2` (did you mean"},
    {"a version that jobs never had",
     OBJECT("{\"apiVersion\": \"batch/v2\", \"kind\": @\"Job\", \"metadata\": {\"name\": \"q\"}}"),
     "bad-object: unknown kind `Job` of `batch/v2` (did you mean `Job` of `batch/v1`?)"},
    {"an unknown kind",
     STEP("{\"apply\": {\"apiVersion\": \"v1\", \"kind\": @\"Foo\", \"metadata\": {\"name\": \"q\"}}}"),
     "bad-object: unknown kind `Foo` of `v1`"},
    // The Workload of the first would be refused for its containers, but the job is refused before.
    {"a job that the webhook refuses",
     OBJECT(JOB("\"labels\": {\"kueue.x-k8s.io/queue-name\": \"q\", \"kueue.x-k8s.io/max-exec-time-seconds\": @\"0\"}",
                "{\"name\": \"c\"}, {\"name\": \"c\"}")),
     "refused-job: label `kueue.x-k8s.io/max-exec-time-seconds`"},
    {"a job of a step that the webhook refuses",
     STEP("{\"apply\": " JOB("\"labels\": {\"kueue.x-k8s.io/queue-name\": @\"Q_q\"}", "{\"name\": \"c\"}") "}"),
     "refused-job: `Q_q` is no name of a LocalQueue"},
    {"no object", "\"objects\": [@5]", "bad-object: "},
};

#undef STEP
#undef CHECK
#undef OBJECT
#undef JOB

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

BOOST_DATA_TEST_CASE(a_bad_scenario, bad_scenarios, c) {
  std::string line = std::string("{\"name\": \"bad\", ") + c.members + "}";
  std::size_t mark = line.find('@');
  std::string column = std::to_string(mark == std::string::npos ? 1 : mark + 1);
  if (mark != std::string::npos) line.erase(mark, 1);
  TempFolder folder;
  std::string file = folder.write("bad.jsonl", line + "\n{\"name\": \"good\", \"objects\": []}\n");
  test::Outcome outcome = test::run({{"decide", "--scenario", file}, {}, {}});
  BOOST_TEST(outcome.exit == 0);
  BOOST_TEST(outcome.err == "");
  std::string want = "\"cycles\":[],\"error\":\"" + file + ":1:" + column + ": " + c.error;
  BOOST_TEST(outcome.out.find(want) != std::string::npos, "wanted " << want << "\ngot    " << outcome.out);
  BOOST_TEST(outcome.out.find("\n{\"name\":\"good\",\"cycles\":[],\"final\"") != std::string::npos, outcome.out);
}

BOOST_AUTO_TEST_CASE(a_scenario_that_is_null) {
  TempFolder folder;
  std::string file = folder.write("null.jsonl", "\n  null\n");
  BOOST_TEST(test::run({{"decide", "--scenario", file}, {}, {}}).out ==
             "{\"name\":\"\",\"cycles\":[],\"error\":\"" + file + ":2:3: bad-scenario: expected one JSON object\"}\n");
}

BOOST_AUTO_TEST_CASE(objects_without_effect_are_no_mistake_in_a_scenario) {
  TempFolder folder;
  std::string file = folder.write(
      "idle.jsonl",
      R"({"name": "idle", "objects": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}], )"
      R"("steps": [{"apply": {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "a"}}}]})");
  test::Outcome outcome = test::run({{"decide", "--scenario", file}, {}, {}});
  BOOST_TEST(outcome.out.find("error") == std::string::npos, outcome.out);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_before_a_scenario) {
  TempFolder folder;
  std::string file = folder.write("mark.jsonl", "\xef\xbb\xbf{\"name\": \"a\", \"objects\": []}\n\xef\xbb\xbf{}\n");
  std::string out = test::run({{"decide", "--scenario", file}, {}, {}}).out;
  BOOST_TEST(out.starts_with("{\"name\":\"a\",\"cycles\":[],\"final\""), out);
  BOOST_TEST(out.find("mark.jsonl:2:1: bad-manifest: ") != std::string::npos, out);
}

struct NoScenario {
  const char* name;
  const char* text;
  const char* code;
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const NoScenario& c) {
  return out << c.name << " with " << c.text;
}

const NoScenario no_scenarios[] = {
    {"a.jsonl", "", "bad-scenario", "there is no scenario in the file"},
    {"a.jsonl", "\n \n", "bad-scenario", "there is no scenario in the file"},
    {"a.yaml", "# nothing\n", "bad-scenario", "there is no scenario in the file"},
    {"a.json", "[]", "bad-scenario", "there is no scenario in the file"},
    {"a.json", "[{\"name\": \"one\", \"objects\": []}\n", "bad-manifest", "the `[` is not closed"},
    {"a.json", "{\"name\": \"one\", \"objects\": []", "bad-manifest", "the `{` is not closed"},
};

BOOST_DATA_TEST_CASE(a_file_without_scenarios, no_scenarios, c) {
  TempFolder folder;
  check_refused(test::run({{"decide", "--scenario", folder.write(c.name, c.text)}, {}, {}}), c.code, c.message);
}

const char* const beside_scenario[] = {
    "--policy=p", "--snapshot=s", "--at=+1h",       "--set=A=1",       "--param=a=1",       "--capacity=c",
    "--trace",    "--limit=1",    "--fail",         "--format=json",   "--kueue=0.19",      "--kueue-config=k",
    "--feature-gates=A=true",
};

BOOST_DATA_TEST_CASE(a_flag_that_no_scenario_listens_to, beside_scenario, flag) {
  TempFolder folder;
  std::string file = folder.write("a.jsonl", "{\"name\": \"a\", \"objects\": []}\n");
  std::string_view word = flag;
  std::string name(word.substr(0, word.find('=')));
  check_refused(test::run({{"decide", "--scenario", file, flag}, {}, {}}), "usage",
                "`" + name + "` says nothing to a scenario");
  check_refused(test::run({{"decide", "--scenario", file, "job.yaml"}, {}, {}}), "usage", "the manifest `job.yaml`");
}

struct BadUsage {
  std::vector<std::string> words;
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const BadUsage& c) {
  return out << c.message;
}

const BadUsage bad_usages[] = {
    {{"decide", "--set", "A B=1", "job.yaml"}, "no manifest can name `A B`"},
    {{"decide", "--set", "1A=1", "job.yaml"}, "no manifest can name `1A`"},
    {{"decide", "--param", "x=1", "job.yaml"}, "`--param` sets `x`, but there is no policy"},
    {{"decide", "--at", "9999-01-01T00:00:00Z", "job.yaml"}, "the years 1678 to 2261"},
    {{"decide", "--at", "+99999d", "job.yaml"}, "the years 1678 to 2261"},
};

BOOST_DATA_TEST_CASE(bad_usage, bad_usages, c) {
  TempFolder folder;
  std::vector<std::string> words = c.words;
  words.back() = folder.write("job.yaml", kNamespace);
  check_refused(test::run({words, {}, {}}), "usage", c.message);
}

BOOST_AUTO_TEST_CASE(results_are_seen_before_the_next_scenario_is_played) {
  TempFolder folder;
  std::string file =
      folder.write("two.jsonl", "{\"name\": \"a\", \"objects\": []}\n{\"name\": \"b\", \"objects\": []}\n");
  std::string events;
  tools::Context context;
  context.out = [&](std::string_view) { events += 'o'; };
  context.err = [&](std::string_view) { events += 'e'; };
  context.flush = [&] { events += 'f'; };
  context.environment = [](std::string_view) { return std::nullopt; };
  std::vector<std::string_view> words = {"decide", "--scenario", file};
  BOOST_TEST(tools::run_command(context, words) == 0);
  BOOST_TEST(events == "ofof");
}

BOOST_AUTO_TEST_SUITE_END()
