#include "decide/provisioning_check.hpp"

#include <boost/test/unit_test.hpp>

#include "decide/engine.hpp"
#include "worlds.hpp"

namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::kNow;
using test::named;
using test::queue;

/// A queue with a provisioning check, and a workload that has quota and waits for machines.
World waiting_for_machines() {
  World world;
  ClusterQueue q = queue("q", nullptr, {{"a", {{"cpu", "4"}}}});
  q.admission_checks.push_back({"prov", {}});
  add(world, q);
  AdmissionCheck check;
  check.name = "prov";
  check.controller = "kueue.x-k8s.io/provisioning-request";
  check.parameters_group = "kueue.x-k8s.io";
  check.parameters_kind = "ProvisioningRequestConfig";
  check.parameters_name = "config";
  world.admission_checks.push_back(check);
  ProvisioningRequestConfig config;
  config.name = "config";
  config.class_name = "queued";
  config.node_selector_updates = {{"zone", "SelectedZone"}};
  config.retry.limit = 2;
  world.provisioning_configs.push_back(config);
  Workload w = job("w", "q", {{"cpu", "4"}});
  w.admitted_queue = "q";
  PodSetAssignment assignment;
  assignment.name = w.pod_sets.at(0).name;
  assignment.flavors = {{"cpu", "a"}};
  assignment.usage = {{"cpu", *Quantity::parse("4")}};
  assignment.count = 1;
  w.assignments = {assignment};
  w.conditions = {{"QuotaReserved", true, "QuotaReserved", "", kNow, 1}};
  CheckStatus status;
  status.name = "prov";
  status.since = kNow;
  status.retry_count = 1;
  w.checks = {status};
  world.workloads = {w};
  return finished(std::move(world));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(provisioning)

BOOST_AUTO_TEST_CASE(a_request_of_the_cluster_is_the_present_attempt) {
  World world = waiting_for_machines();
  ProvisioningRequest request;
  request.name = "w-prov-2";
  request.workload = "w";
  request.class_name = "queued";
  request.pod_sets = {{"ppt-w-prov-2-main", 1}};
  request.conditions = {{"Accepted", true, "R", "in the queue", kNow, 1}};
  world.provisioning_requests = {request};
  Engine engine(world, {});
  engine.run();
  BOOST_TEST((engine.state(named("w")) == State::quota_reserved));
  WorkloadReport report = engine.report(named("w"));
  BOOST_REQUIRE(report.checks.at(0).request);
  const RequestPlan& plan = *report.checks.at(0).request;
  BOOST_TEST(plan.attempt == 2);
  BOOST_TEST(plan.attempts == 3);
  BOOST_TEST((plan.says == RequestEvent::accepted));
  BOOST_TEST(plan.message == "in the queue");

  Engine provisioned = engine.clone();
  provisioned.provision(named("w"), RequestEvent::provisioned, "");
  BOOST_TEST((provisioned.state(named("w")) == State::admitted));
  BOOST_TEST((engine.state(named("w")) == State::quota_reserved));

  world.provisioning_requests[0].conditions[0].type = "Failed";
  Engine failed(world, {});
  failed.run();
  // The second wait is twice the first.
  BOOST_TEST(failed.next_due()->to_string() == (kNow + Duration::seconds(120)).to_string());

  // A request of another class is not the check's.
  world.provisioning_requests[0].class_name = "other";
  Engine other(world, {});
  other.run();
  BOOST_TEST((other.state(named("w")) == State::quota_reserved));
  BOOST_TEST(!other.report(named("w")).checks.at(0).request->says);
}

BOOST_AUTO_TEST_CASE(names_of_requests) {
  BOOST_TEST(request_name("w", "prov", 3) == "w-prov-3");
  BOOST_TEST(request_template_name("w-prov-3", "main") == "ppt-w-prov-3-main");
  BOOST_TEST((attempt_in_name("w-prov-12", "w", "prov") == 12));
  BOOST_TEST(!attempt_in_name("w-prov-", "w", "prov"));
  BOOST_TEST(!attempt_in_name("w-prov-1x", "w", "prov"));
  BOOST_TEST(!attempt_in_name("w-prov-1-1", "w", "prov"));
  // Kueue never finds a request again whose name was shortened.
  std::string name = request_name(std::string(245, 'w'), "prov", 1);
  BOOST_TEST(name.size() == 253u);
  BOOST_TEST(!attempt_in_name(name, std::string(245, 'w'), "prov"));
}

BOOST_AUTO_TEST_CASE(waits_double_up_to_the_longest) {
  ProvisioningRetry retry{10, 60, 100};
  BOOST_TEST(retry_wait_seconds(retry, 1) == 60);
  BOOST_TEST(retry_wait_seconds(retry, 2) == 100);
  BOOST_TEST(retry_wait_seconds(retry, 30) == 100);
  BOOST_TEST(retry_wait_seconds({10, 120, 100}, 1) == 120);
}

BOOST_AUTO_TEST_CASE(pod_sets_of_a_request) {
  Workload w = job("w", "q", {{"cpu", "1"}}, 2);
  w.pod_sets.push_back(w.pod_sets[0]);
  w.pod_sets[1].name = "same";
  w.pod_sets.push_back(w.pod_sets[0]);
  w.pod_sets[2].name = "empty";
  ProvisioningRequestConfig config;
  BOOST_TEST(requested_pod_sets(w, {2, 3, 0}, config).size() == 2u);
  config.pod_set_merge_policy = "IdenticalPodTemplates";
  auto merged = requested_pod_sets(w, {2, 3, 0}, config);
  BOOST_REQUIRE_EQUAL(merged.size(), 1u);
  BOOST_TEST(merged[0].count == 5);
  w.pod_sets[1].pod.labels["a"] = "b";
  BOOST_TEST(requested_pod_sets(w, {2, 3, 0}, config).size() == 2u);
  config.pod_set_merge_policy = "IdenticalWorkloadSchedulingRequirements";
  BOOST_TEST(requested_pod_sets(w, {2, 3, 0}, config).size() == 1u);
  config.managed_resources = {"gpu"};
  BOOST_TEST(requested_pod_sets(w, {2, 3, 0}, config).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
