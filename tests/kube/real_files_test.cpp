#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

#include "base/error.hpp"
#include "kube/decode.hpp"
#include "support/golden.hpp"

using namespace sluice;
using namespace sluice::kube;

namespace {

struct FileCase {
  const char* file;  ///< in the repository
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const FileCase& c) {
  return out << c.file;
}
const FileCase file_cases[] = {
    {"examples/plan-a-plan-b/dws-tpu-queue.yaml", "3 flavors, 1 queue, 1 local queue, 1 check, 1 config"},
    {"examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml", "1 workload"},
    {"tests/data/manifests/01-gke-cohort-team-a.yaml", "1 queue, 1 local queue"},
    {"tests/data/manifests/03-gke-cohort-flavors.yaml", "2 flavors"},
    {"tests/data/manifests/04-gke-cohort-job.yaml", "1 workload"},
    {"tests/data/manifests/05-gke-intro-clusterqueue.yaml", "1 queue"},
    {"tests/data/manifests/08-gke-dynamic-slice-topology.yaml",
     "1 flavor, 1 queue, 1 local queue, 1 check, 1 topology"},
    {"tests/data/manifests/14-toolkit-a3ultra.yaml.tftpl",
     "1 flavor, 1 queue, 1 local queue, 1 topology, 5 priority classes"},
    // The file is in v1beta2, the field in v1beta1; kubectl refuses it as well.
    {"tests/data/manifests/16-toolkit-dws-gpu.yaml.tftpl",
     "53:3 bad-object: unknown field `spec.admissionChecks` in ClusterQueue"},
    {"tests/data/manifests/18-toolkit-tas-queues.yaml", "1 flavor, 1 queue, 1 local queue, 1 topology"},
    {"tests/data/manifests/20-toolkit-tas-rack-job.yaml", "1 workload"},
    {"tests/data/manifests/24-toolkit-dws-sample-job.yaml", "1 workload"},
    {"tests/data/manifests/28-ccc-h100-x8.yaml", "skipped ComputeClass"},
    {"tests/data/manifests/37-tpu-queue-mixed-versions.yaml", "1 flavor, 1 queue, 1 local queue"},
    {"tests/data/manifests/42-jobset-tpu-multislice-workload.yaml", "1 workload"},
    {"tests/data/manifests/46-konflux-prod-clusterqueue-wide.yaml", "4 flavors, 1 queue"},
    {"tests/data/manifests/48-konflux-priority-classes.yaml", "9 priority classes"},
    {"tests/data/manifests/52-odh-workshop-team1-cq.yaml", "1 queue"},
    {"tests/data/manifests/54-odh-raycluster.yaml", "1 workload"},
    {"tests/data/manifests/58-kuberay-kueue-toy-rayjob.yaml", "skipped RayJob: no queue name"},
    {"tests/data/manifests/59-kuberay-rayjob-tpu-v6e-16.yaml", "skipped RayJob: no queue name"},
    {"tests/data/manifests/62-mlbatch-pytorchjob-appwrapper.yaml", "1 workload"},
    {"tests/data/manifests/66-konflux-external-admissioncheck.yaml", "1 check"},
};

std::string path_of(const std::string& file) {
  return std::string(SLUICE_SOURCE_DIR) + "/" + file;
}

Substitutions values() {
  Substitutions values;
  values.values = {{"ONDEMAND_NODEPOOL", "on-demand-pool"},
                   {"DWS_NODEPOOL", "dws-pool"},
                   {"JOB_ID", "1"},
                   {"accelerator_type", "nvidia-h200-141gb"},
                   {"num_gpus", "16"}};
  return values;
}

std::string count_of(std::size_t count, std::string one, const std::string& many) {
  if (count == 0) return {};
  return std::to_string(count) + " " + (count == 1 ? one : many) + ", ";
}

std::string outcome_of(const std::string& file) {
  try {
    Manifest manifest = parse_manifest(test::read_file(path_of(file)), file, values());
    std::vector<Object> objects = objects_of(manifest);
    World world;
    std::string text;
    for (const Skipped& skipped : add_objects(world, objects, {}))
      text += "skipped " + skipped.kind + (skipped.reason.empty() ? "" : ": " + skipped.reason) + ", ";
    text += count_of(world.flavors.size(), "flavor", "flavors");
    text += count_of(world.cluster_queues.size(), "queue", "queues");
    text += count_of(world.local_queues.size(), "local queue", "local queues");
    text += count_of(world.admission_checks.size(), "check", "checks");
    text += count_of(world.provisioning_configs.size(), "config", "configs");
    text += count_of(world.topologies.size(), "topology", "topologies");
    text += count_of(world.priority_classes.size() + world.workload_priority_classes.size(), "priority class",
                     "priority classes");
    text += count_of(world.workloads.size(), "workload", "workloads");
    return text.substr(0, text.size() - 2);
  } catch (const Error& error) {
    return std::to_string(error.line()) + ":" + std::to_string(error.column()) + " " + error.code() + ": " +
           error.message();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(real_files)

BOOST_DATA_TEST_CASE(load, file_cases, c) {
  BOOST_TEST(outcome_of(c.file) == c.want);
}

BOOST_AUTO_TEST_CASE(each_is_tested) {
  for (const std::string& path : test::files_in(path_of("tests/data/manifests"), "")) {
    if (path.ends_with("README.md")) continue;
    auto is_this = [&](const FileCase& c) { return path.ends_with(c.file); };
    BOOST_TEST((std::find_if(std::begin(file_cases), std::end(file_cases), is_this) != std::end(file_cases)),
               path);
  }
}

BOOST_AUTO_TEST_CASE(the_guides_queue) {
  std::string file = "examples/plan-a-plan-b/dws-tpu-queue.yaml";
  Manifest manifest = parse_manifest(test::read_file(path_of(file)), file, values());
  World world;
  add_objects(world, objects_of(manifest), {});
  const ClusterQueue& queue = world.cluster_queues.at(0);
  const std::vector<FlavorQuotas>& flavors = queue.resource_groups.at(0).flavors;
  BOOST_TEST(flavors.at(1).flavor == "on-demand");
  BOOST_TEST(flavors.at(1).resources.at(0).nominal.value() == 40'000);
  BOOST_TEST(flavors.at(1).resources.at(1).nominal.value() == 75LL << 30);
  BOOST_TEST(flavors.at(2).resources.at(1).nominal.value() == 1'000'000'000LL << 30);
  BOOST_TEST(queue.admission_checks.at(0).on_flavors.at(0) == "dws");
  BOOST_TEST(queue.origin.line == 28u);
  BOOST_TEST(world.flavors.at(2).node_labels.at("cloud.google.com/gke-nodepool") == "on-demand-pool");
  BOOST_TEST(world.provisioning_configs.at(0).class_name == "queued-provisioning.gke.io");
}

BOOST_AUTO_TEST_SUITE_END()
