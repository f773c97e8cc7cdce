#include "lang/declare.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

World declared(const std::string& text) {
  Policy policy = load({{"p.sluice", "edition 2026\n" + text}});
  for (const Diagnostic& found : policy.diagnostics.all()) BOOST_ERROR(found.message);
  return std::move(policy.declarations);
}

BOOST_AUTO_TEST_SUITE(declare_objects)

// The objects of the TPU guide's manifests, which the policy stands for.
BOOST_AUTO_TEST_CASE(plan_a_plan_b) {
  Policy policy = load({{"p.sluice", test::read_file(SLUICE_SOURCE_DIR "/policies/plan-a-plan-b.sluice")}});
  BOOST_REQUIRE(!policy.has_errors());
  const World& world = policy.declarations;

  BOOST_REQUIRE_EQUAL(world.flavors.size(), 3u);
  const char* flavors[][2] = {
      {"default-cpu", "default-pool"}, {"dws", "dws-pool"}, {"on-demand", "on-demand-pool"}};
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(world.flavors[i].name == flavors[i][0]);
    BOOST_TEST((world.flavors[i].node_labels == Labels{{"cloud.google.com/gke-nodepool", flavors[i][1]}}));
    BOOST_TEST(world.flavors[i].node_taints.empty());
    BOOST_TEST(world.flavors[i].tolerations.empty());
  }

  BOOST_REQUIRE_EQUAL(world.cluster_queues.size(), 1u);
  const ClusterQueue& queue = world.cluster_queues[0];
  BOOST_TEST(queue.name == "cluster-queue");
  BOOST_TEST(!queue.cohort.has_value());
  BOOST_TEST(!queue.namespace_selector.nothing);
  BOOST_TEST(queue.namespace_selector.requirements.empty());
  BOOST_TEST((queue.strategy == QueueingStrategy::best_effort_fifo));
  BOOST_TEST((queue.preemption.within_cluster_queue == PreemptionPolicy::never));
  BOOST_TEST((queue.fungibility.when_can_borrow == FungibilityPolicy::may_stop_search));
  BOOST_TEST((queue.fungibility.when_can_preempt == FungibilityPolicy::try_next_flavor));
  BOOST_REQUIRE_EQUAL(queue.resource_groups.size(), 1u);
  const ResourceGroup& group = queue.resource_groups[0];
  BOOST_TEST(group.covered_resources == (std::vector<std::string>{"cpu", "memory", "google.com/tpu"}),
             boost::test_tools::per_element());
  constexpr std::int64_t gi = std::int64_t{1} << 30;
  const std::int64_t quotas[3][3] = {
      {10'000, 20 * gi, 0}, {40'000, 75 * gi, 16}, {1'000'000'000'000, 1'000'000'000 * gi, 1'000'000'000}};
  const char* order[] = {"default-cpu", "on-demand", "dws"};
  BOOST_REQUIRE_EQUAL(group.flavors.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(group.flavors[i].flavor == order[i]);
    BOOST_REQUIRE_EQUAL(group.flavors[i].resources.size(), 3u);
    for (std::size_t j = 0; j < 3; ++j) {
      BOOST_TEST(group.flavors[i].resources[j].resource == group.covered_resources[j]);
      BOOST_TEST(group.flavors[i].resources[j].nominal.value() == quotas[i][j]);
      BOOST_TEST(!group.flavors[i].resources[j].borrowing_limit.has_value());
      BOOST_TEST(!group.flavors[i].resources[j].lending_limit.has_value());
    }
  }
  BOOST_REQUIRE_EQUAL(queue.admission_checks.size(), 1u);
  BOOST_TEST(queue.admission_checks[0].name == "dws-prov");
  BOOST_TEST(queue.admission_checks[0].on_flavors == std::vector<std::string>{"dws"},
             boost::test_tools::per_element());

  BOOST_REQUIRE_EQUAL(world.local_queues.size(), 1u);
  BOOST_TEST(world.local_queues[0].name_space == "default");
  BOOST_TEST(world.local_queues[0].name == "user-queue");
  BOOST_TEST(world.local_queues[0].cluster_queue == "cluster-queue");

  BOOST_REQUIRE_EQUAL(world.admission_checks.size(), 1u);
  const AdmissionCheck& check = world.admission_checks[0];
  BOOST_TEST(check.name == "dws-prov");
  BOOST_TEST(check.controller == "kueue.x-k8s.io/provisioning-request");
  BOOST_TEST(check.parameters_group == "kueue.x-k8s.io");
  BOOST_TEST(check.parameters_kind == "ProvisioningRequestConfig");
  BOOST_TEST(check.parameters_name == "dws-config");
  BOOST_REQUIRE_EQUAL(world.provisioning_configs.size(), 1u);
  const ProvisioningRequestConfig& config = world.provisioning_configs[0];
  BOOST_TEST(config.name == "dws-config");
  BOOST_TEST(config.class_name == "queued-provisioning.gke.io");
  BOOST_TEST(config.managed_resources == std::vector<std::string>{"google.com/tpu"},
             boost::test_tools::per_element());
  BOOST_TEST(config.retry.limit == 3);
  BOOST_TEST(config.retry.base_seconds == 60);
  BOOST_TEST(config.retry.max_seconds == 1800);
}

BOOST_AUTO_TEST_CASE(everything_a_queue_can_say) {
  World world = declared(R"(
flavor f { nodes a = "b" }
flavor g { nodes a = "c" }
check license { controller example.com/license parameters example.com/Pool main }
queue q {
  cohort c  strategy strict-fifo  weight 0.5  stop hold-and-drain
  accept namespaces where labels["team"] in ["a", "b"] and has labels["x"] and labels["y"] != "z" and not (has labels["w"])
  group cpu, memory {
    flavor f { memory 1Gi lend 512Mi, cpu 1.5 borrow 500m }
    flavor g { cpu unlimited, memory 0 }
  }
  preempt within-queue lower-or-newer-equal, within-cohort any, while-borrowing below 100
  fungible can-borrow try-next, can-preempt try-next, prefer preemption
  check license on g
  admission usage-based
}
)");
  const ClusterQueue& queue = world.cluster_queues.at(0);
  BOOST_TEST(queue.cohort.value_or("") == "c");
  BOOST_TEST((queue.strategy == QueueingStrategy::strict_fifo));
  BOOST_TEST(queue.fair_weight.value().milli_value() == 500);
  BOOST_TEST((queue.stop_policy == StopPolicy::hold_and_drain));
  std::vector<Requirement> want = {
      {"team", "In", {"a", "b"}}, {"x", "Exists", {}}, {"y", "NotIn", {"z"}}, {"w", "DoesNotExist", {}}};
  BOOST_TEST((queue.namespace_selector.requirements == want));
  const FlavorQuotas& f = queue.resource_groups.at(0).flavors.at(0);
  BOOST_TEST(f.resources.at(0).resource == "cpu");  // in the order of the group
  BOOST_TEST(f.resources.at(0).nominal.value() == 1500);
  BOOST_TEST(f.resources.at(0).borrowing_limit.value().value() == 500);
  BOOST_TEST(f.resources.at(1).lending_limit.value().value() == 512LL << 20);
  BOOST_TEST(queue.resource_groups[0].flavors.at(1).resources.at(0).nominal.value() == 1'000'000'000'000);
  BOOST_TEST((queue.preemption.within_cluster_queue == PreemptionPolicy::lower_or_newer_equal_priority));
  BOOST_TEST((queue.preemption.reclaim_within_cohort == PreemptionPolicy::any));
  BOOST_TEST((queue.preemption.borrow_within_cohort == PreemptionPolicy::lower_priority));
  BOOST_TEST(queue.preemption.borrow_max_priority_threshold.value() == 99);
  BOOST_TEST((queue.fungibility.when_can_borrow == FungibilityPolicy::try_next_flavor));
  BOOST_TEST((queue.fungibility.preference == FungibilityPreference::preemption_over_borrowing));
  BOOST_TEST(queue.admission_checks.at(0).on_flavors == std::vector<std::string>{"g"},
             boost::test_tools::per_element());
  BOOST_TEST(queue.usage_based_fair_sharing);
  BOOST_TEST((queue.origin == Origin{0, 6}));
  const AdmissionCheck& check = world.admission_checks.at(0);
  BOOST_TEST(check.controller == "example.com/license");
  BOOST_TEST(check.parameters_group == "example.com");
  BOOST_TEST(check.parameters_kind == "Pool");
  BOOST_TEST(check.parameters_name == "main");
}

BOOST_AUTO_TEST_CASE(a_queue_that_says_nothing_is_as_the_api_server_would_make_it) {
  World world = declared("flavor f { nodes a = \"b\" }\nqueue q { group cpu { flavor f { cpu 1 } } }\n");
  const ClusterQueue& queue = world.cluster_queues.at(0);
  BOOST_TEST(queue.namespace_selector.nothing);
  BOOST_TEST((queue.stop_policy == StopPolicy::none));
  BOOST_TEST(!queue.fair_weight.has_value());
  BOOST_TEST(
      declared(
          "flavor f { nodes a = \"b\" }\nqueue q { accept no namespaces group cpu { flavor f { cpu 1 } } }\n")
          .cluster_queues.at(0)
          .namespace_selector.nothing);
}

BOOST_AUTO_TEST_CASE(checks_of_flavors_and_queues_are_joined) {
  World world = declared(R"(
provision p { class x.io }
flavor f { nodes a = "f" check p }
flavor g { nodes a = "g" check p }
flavor h { nodes a = "h" }
queue some { accept all namespaces group cpu { flavor f { cpu 1 } flavor h { cpu 1 } flavor g { cpu 1 } } }
queue every { accept all namespaces group cpu { flavor f { cpu 1 } flavor h { cpu 1 } } check p }
queue more { accept all namespaces group cpu { flavor f { cpu 1 } flavor h { cpu 1 } } check p on h }
)");
  BOOST_REQUIRE_EQUAL(world.cluster_queues.size(), 3u);
  auto flavors = [&](std::size_t queue) {
    return world.cluster_queues[queue].admission_checks.at(0).on_flavors;
  };
  BOOST_TEST(flavors(0).empty());  // every: all flavors of the queue
  BOOST_TEST(flavors(1) == (std::vector<std::string>{"h", "f"}), boost::test_tools::per_element());  // more
  BOOST_TEST(flavors(2) == (std::vector<std::string>{"f", "g"}), boost::test_tools::per_element());  // some
  BOOST_TEST(world.provisioning_configs.at(0).name == "p");
}

BOOST_AUTO_TEST_CASE(flavors_taints_and_tolerations) {
  World world = declared(R"(
topology t { level rack = example.com/rack level host = kubernetes.io/hostname }
flavor f {
  nodes a = "b", c = ""
  taint k = "v": no-schedule
  taint other: prefer-no-schedule
  tolerate google.com/tpu
  tolerate spot = "true": no-schedule
  tolerate gone: no-execute for 5min
  tolerate all
  topology t
}
)");
  const ResourceFlavor& flavor = world.flavors.at(0);
  BOOST_TEST((flavor.node_labels == Labels{{"a", "b"}, {"c", ""}}));
  BOOST_TEST((flavor.node_taints ==
              std::vector<Taint>{{"k", "v", "NoSchedule"}, {"other", "", "PreferNoSchedule"}}));
  std::vector<Toleration> want = {{"google.com/tpu", "Exists", "", "", {}},
                                  {"spot", "Equal", "true", "NoSchedule", {}},
                                  {"gone", "Exists", "", "NoExecute", 300},
                                  {"", "Exists", "", "", {}}};
  BOOST_TEST((flavor.tolerations == want));
  BOOST_TEST(flavor.topology.value_or("") == "t");
  BOOST_TEST(world.topologies.at(0).levels.at(0).name == "rack");
  BOOST_TEST(world.topologies.at(0).levels.at(1).node_label == "kubernetes.io/hostname");
}

BOOST_AUTO_TEST_CASE(cohorts_and_the_rest) {
  World world = declared(R"(
flavor f { nodes a = "b" }
flavor g { nodes a = "c" }
cohort research {
  parent company  weight 2
  quota f { cpu 100, memory 1Gi }
  quota g { memory 2Gi, cpu 50 borrow 10 }
}
cohort company {}
priority-class batch = -10 "may be preempted"
provision p { class x.io parameter key = "value" retry 0 times backoff 30s up-to 10min select topology from zone merge identical-pod-templates }
local-queue a/b -> q { stop hold weight 3 }
capacity { f: stocked-out since "2026-01-01T00:00:00Z", g: available }
)");
  BOOST_REQUIRE_EQUAL(world.cohorts.size(), 2u);
  const Cohort& cohort = world.cohorts[1];
  BOOST_TEST(cohort.name == "research");
  BOOST_TEST(cohort.parent.value_or("") == "company");
  BOOST_REQUIRE_EQUAL(cohort.resource_groups.size(), 1u);
  BOOST_REQUIRE_EQUAL(cohort.resource_groups[0].flavors.size(), 2u);
  BOOST_TEST(cohort.resource_groups[0].flavors[1].resources.at(0).nominal.value() == 50'000);
  BOOST_TEST(cohort.resource_groups[0].flavors[1].resources.at(0).borrowing_limit.value().value() == 10'000);
  BOOST_TEST(world.workload_priority_classes.at(0).value == -10);
  BOOST_TEST(world.workload_priority_classes.at(0).description == "may be preempted");
  const ProvisioningRequestConfig& config = world.provisioning_configs.at(0);
  BOOST_TEST((config.parameters == Labels{{"key", "value"}}));
  BOOST_TEST(config.retry.limit == 0);
  BOOST_TEST(config.retry.base_seconds == 30);
  BOOST_TEST(config.retry.max_seconds == 600);
  BOOST_TEST(config.node_selector_updates.at(0).second == "zone");
  BOOST_TEST(config.pod_set_merge_policy == "IdenticalPodTemplates");
  BOOST_TEST((world.local_queues.at(0).stop_policy == StopPolicy::hold));
  BOOST_TEST((world.capacity.at(0).state == CapacitySignal::State::stocked_out));
  BOOST_TEST(world.capacity.at(0).since.to_string() == "2026-01-01T00:00:00Z");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
