#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kube/manifest.hpp"
#include "model/overlay.hpp"
#include "state/snapshot.hpp"
#include "support/golden.hpp"
#include "support/temp_folder.hpp"
#include "tools/scenario_input.hpp"

/// Whatever a decision reads of the objects of a scenario is in a snapshot of them, too: a snapshot gives the same World
/// back. Files that hold what is refused when it is read count as well, as far as it is read.
namespace sluice {
namespace {

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(SLUICE_CONFORMANCE) + "/admission")) {
    std::string path = entry.path().string();
    if (path.ends_with(".scenarios.jsonl")) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What comes back differently: the first kind, and the first object of it where one can be named.
std::string difference(const World& got, const World& want) {
  auto differs = [](const auto& a, const auto& b) -> std::string {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (a[i] == b[i]) continue;
      if constexpr (requires { a[i].name; }) {
        return b[i].name;
      } else {
        return "number " + std::to_string(i + 1);
      }
    }
    return a.size() == b.size() ? std::string() : "their number";
  };
  std::string out;
  auto kind = [&](const char* name, const auto& a, const auto& b) {
    std::string one = differs(a, b);
    if (out.empty() && !one.empty()) out = std::string(name) + ": " + one;
  };
  kind("flavors", got.flavors, want.flavors);
  kind("cluster queues", got.cluster_queues, want.cluster_queues);
  kind("cohorts", got.cohorts, want.cohorts);
  kind("local queues", got.local_queues, want.local_queues);
  kind("workload priority classes", got.workload_priority_classes, want.workload_priority_classes);
  kind("priority classes", got.priority_classes, want.priority_classes);
  kind("admission checks", got.admission_checks, want.admission_checks);
  kind("provisioning configs", got.provisioning_configs, want.provisioning_configs);
  kind("provisioning requests", got.provisioning_requests, want.provisioning_requests);
  kind("topologies", got.topologies, want.topologies);
  kind("namespaces", got.namespaces, want.namespaces);
  kind("limit ranges", got.limit_ranges, want.limit_ranges);
  kind("runtime classes", got.runtime_classes, want.runtime_classes);
  kind("nodes", got.nodes, want.nodes);
  kind("pods", got.pods, want.pods);
  kind("workloads", got.workloads, want.workloads);
  if (out.empty() && !(got == want)) out = "a kind that this test does not name";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshots)

BOOST_DATA_TEST_CASE(give_scenarios_back, boost::unit_test::data::make(scenario_files()), file) {
  test::TempFolder folder;
  std::string path = folder.file("a.db");
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  constexpr std::size_t kMost = 80;  // of each file: writing and reading a snapshot costs milliseconds
  std::size_t stored = 0;
  for (std::size_t i = 0; i < lines.size(); i += 1 + lines.size() / kMost) {
    const std::string& line = lines[i];
    std::string name;
    std::string profile;
    World world;
    try {
      kube::Manifest manifest = kube::parse_json(line, file);
      world = tools::read_scenario(manifest, manifest.documents()[0], name, profile).world;
    } catch (const Error&) {
      continue;  // refused before there is a World
    }
    world.training_runtimes.clear();  // a snapshot keeps the Workloads that they made
    sort_objects(world);
    update_snapshot(path, [&](World& into) { into = world; });
    std::string differs = difference(Snapshot::open(path).read_world(), world);
    BOOST_TEST(differs.empty(), name << ": " << differs);
    ++stored;
  }
  BOOST_TEST(stored > 0u, file);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
