#include "model/references.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "model/overlay.hpp"

using namespace sluice;

namespace {

std::string text_of(const std::vector<DanglingReference>& references) {
  std::string text;
  for (const DanglingReference& r : references) {
    text += fmt::format("{} {} -> {} {}\n", r.kind, r.name, r.target_kind, r.target);
  }
  return text;
}

Cohort cohort(const char* name, const char* parent = nullptr) {
  Cohort made;
  made.name = name;
  if (parent != nullptr) made.parent = parent;
  return made;
}

std::string cycle_of(std::vector<Cohort> cohorts) {
  World world;
  world.cohorts = std::move(cohorts);
  sort_objects(world);
  std::string text;
  for (const Cohort* c : cohort_cycle(world)) text += c->name;
  return text;
}

World world_of_names() {
  World w;
  ResourceFlavor& flavor = w.flavors.emplace_back();
  flavor.name = "tas";
  flavor.topology = "racks";
  ClusterQueue& queue = w.cluster_queues.emplace_back();
  queue.name = "cq";
  queue.cohort = "not-an-object";
  queue.resource_groups = {{{"cpu"}, {{"spot", {}}, {"tas", {}}}}, {{"memory"}, {{"spot", {}}}}};
  queue.admission_checks = {{"dws", {}}};
  Cohort& group = w.cohorts.emplace_back();
  group.name = "group";
  group.parent = "not-an-object";
  group.resource_groups = {{{"cpu"}, {{"reserved", {}}}}};
  LocalQueue& local = w.local_queues.emplace_back();
  local.name_space = "team-a";
  local.name = "lq";
  local.cluster_queue = "cq2";
  AdmissionCheck& check = w.admission_checks.emplace_back();
  check.name = "provision";
  check.parameters_kind = "ProvisioningRequestConfig";
  check.parameters_name = "config";
  AdmissionCheck& other = w.admission_checks.emplace_back();
  other.name = "someone-elses";
  other.parameters_kind = "Secret";
  other.parameters_name = "key";
  Workload& bare = w.workloads.emplace_back();
  bare.name_space = "team-a";
  bare.name = "bare";
  bare.queue = "lq";
  Workload& job = w.workloads.emplace_back();
  job.name_space = "team-b";
  job.name = "job-train-1";
  job.owner = {"Job", "batch", "train", ""};
  job.queue = "lq";
  job.priority_class = "high";
  job.priority_class_kind = "WorkloadPriorityClass";
  job.pod_sets.resize(2);
  job.pod_sets[0].pod.priority_class = "system-node-critical";
  job.pod_sets[1].pod.priority_class = "low";
  job.pod_sets[0].pod.runtime_class = "gvisor";
  job.pod_sets[1].pod.runtime_class = "gvisor";
  return w;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(references)

BOOST_AUTO_TEST_CASE(every_kind_of_name_is_looked_up) {
  BOOST_TEST(text_of(dangling_references(world_of_names())) ==
             "ResourceFlavor tas -> Topology racks\n"
             "ClusterQueue cq -> ResourceFlavor spot\n"
             "ClusterQueue cq -> AdmissionCheck dws\n"
             "Cohort group -> ResourceFlavor reserved\n"
             "LocalQueue team-a/lq -> ClusterQueue cq2\n"
             "AdmissionCheck provision -> ProvisioningRequestConfig config\n"
             "Job team-b/train -> LocalQueue team-b/lq\n"
             "Job team-b/train -> WorkloadPriorityClass high\n"
             "Job team-b/train -> RuntimeClass gvisor\n"
             "Job team-b/train -> PriorityClass low\n");
}

BOOST_AUTO_TEST_CASE(what_is_there_does_not_dangle) {
  World w = world_of_names();
  auto add = [](auto& objects, const char* name) { objects.emplace_back().name = name; };
  add(w.topologies, "racks");
  add(w.flavors, "spot");
  add(w.flavors, "reserved");
  add(w.admission_checks, "dws");
  add(w.cluster_queues, "cq2");
  add(w.provisioning_configs, "config");
  add(w.workload_priority_classes, "high");
  add(w.runtime_classes, "gvisor");
  add(w.priority_classes, "low");
  w.local_queues.emplace_back(w.local_queues.front()).name_space = "team-b";
  sort_objects(w);
  BOOST_TEST(text_of(dangling_references(w)) == "");
}

BOOST_AUTO_TEST_CASE(cohort_cycles) {
  BOOST_TEST(cycle_of({}) == "");
  BOOST_TEST(cycle_of({cohort("a", "b"), cohort("b", "c"), cohort("c")}) == "");
  BOOST_TEST(cycle_of({cohort("a", "b"), cohort("b", "not-an-object")}) == "");
  BOOST_TEST(cycle_of({cohort("a", "c"), cohort("b", "c"), cohort("c", "d"), cohort("d")}) == "");
  BOOST_TEST(cycle_of({cohort("a", "a")}) == "a");
  BOOST_TEST(cycle_of({cohort("a", "b"), cohort("b", "a")}) == "ab");
  BOOST_TEST(cycle_of({cohort("a", "c"), cohort("b", "c"), cohort("c", "d"), cohort("d", "c")}) == "cd");
}

BOOST_AUTO_TEST_CASE(a_long_chain_of_cohorts_is_quick) {
  std::vector<Cohort> cohorts;
  for (int i = 0; i < 20'000; ++i) {
    cohorts.push_back(cohort(fmt::format("c{:05}", i).c_str(), fmt::format("c{:05}", i + 1).c_str()));
  }
  BOOST_TEST(cycle_of(cohorts) == "");
}

BOOST_AUTO_TEST_SUITE_END()
