#include "kube/decode.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

using namespace sluice;
using namespace sluice::kube;

namespace {

const Instant kNow = *Instant::parse("2026-03-01T12:00:00Z");

World decode(std::string_view text, bool scenario = false) {
  World world;
  Manifest manifest = parse_manifest(std::string(text), "t.yaml");
  std::vector<Object> objects = objects_of(manifest);
  add_objects(world, objects, {.now = kNow, .scenario = scenario});
  return world;
}

/// `line:column message | help`; empty if nothing is refused.
std::string refusal_of(std::string_view text, bool scenario = false) {
  try {
    decode(text, scenario);
    return {};
  } catch (const Error& error) {
    BOOST_TEST(error.code() == "bad-object");
    BOOST_TEST(error.file() == "t.yaml");
    std::string all =
        std::to_string(error.line()) + ":" + std::to_string(error.column()) + " " + error.message();
    return error.help().empty() ? all : all + " | " + error.help();
  }
}

std::string kueue(std::string_view kind, std::string_view spec, std::string_view version = "v1beta2") {
  return "apiVersion: kueue.x-k8s.io/" + std::string(version) + "\nkind: " + std::string(kind) +
         "\nmetadata: {name: it}\nspec:\n" + std::string(spec);
}

/// A ClusterQueue with one group of one flavor; `more` are further lines of its spec, from line 10 on.
std::string queue(std::string_view more, std::string_view limits = "") {
  return kueue("ClusterQueue",
               "  resourceGroups:\n"
               "  - coveredResources: [cpu]\n"
               "    flavors:\n"
               "    - name: spot\n"
               "      resources: [{name: cpu, nominalQuota: 4" +
                   std::string(limits) + "}]\n" + std::string(more));
}

/// A Workload of one pod; `more` are further lines of its spec, from line 9 on.
std::string workload(std::string_view more) {
  return kueue("Workload",
               "  podSets:\n"
               "  - name: main\n"
               "    count: 2\n"
               "    template: {spec: {containers: [{name: c, image: i}]}}\n" +
                   std::string(more));
}

struct RefusedCase {
  const char* why;
  std::string text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const RefusedCase& c) {
  return out << c.why;
}

const RefusedCase refused_cases[] = {
    // Kinds, versions, names.
    {"a version that is gone", kueue("Cohort", "  {}\n", "v1alpha1"),
     "1:13 Cohort is not served as `kueue.x-k8s.io/v1alpha1` | write `kueue.x-k8s.io/v1beta2` or "
     "`kueue.x-k8s.io/v1beta1`"},
    {"a version of a built-in kind", "apiVersion: v2\nkind: Namespace\nmetadata: {name: a}\n",
     "1:13 Namespace is not served as `v2` | write `v1`"},
    {"a kind of Kueue that is misspelt", kueue("ClusterQuue", "  {}\n"),
     "2:7 `kueue.x-k8s.io` has no kind `ClusterQuue` | did you mean `ClusterQueue`?"},
    {"a name in upper case", "apiVersion: v1\nkind: Namespace\nmetadata: {name: TeamA}\n",
     "3:18 `TeamA` is no name of a Namespace | lower-case letters, digits and `-`, with a letter or digit at "
     "both "
     "ends"},
    {"a namespace that is no name",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: a, namespace: a.b}\n"
     "spec: {clusterQueue: q}\n",
     "3:32 `a.b` is no name of a namespace | lower-case letters, digits and `-`, with a letter or digit at "
     "both ends"},

    // The schema.
    {"an unknown field", queue("  cohortNme: pool\n"),
     "10:3 unknown field `spec.cohortNme` in ClusterQueue | did you mean `cohortName`?"},
    {"a field of the other version", kueue("ClusterQueue", "  cohort: pool\n"),
     "5:3 unknown field `spec.cohort` in ClusterQueue | in v1beta2 it is `cohortName`"},
    {"the same the other way round",
     "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: it}\nspec: {cohortName: "
     "pool}\n",
     "4:8 unknown field `spec.cohortName` in ClusterQueue | in v1beta1 it is `cohort`"},
    {"a text where a number belongs", workload("  priority: \"7\"\n"),
     "9:13 `spec.priority` must be a whole number, not `7`"},
    {"a word that YAML takes for a boolean", queue("  cohortName: n # not y\n"),
     "10:15 `spec.cohortName` must be a text, not `false` | put it in quotes: `\"n\"`"},
    {"a number for a name", queue("  cohortName: 007\n"),
     "10:15 `spec.cohortName` must be a text, not `7` | put it in quotes: `\"007\"`"},
    {"a word that is none of the enum's", queue("  stopPolicy: Halt\n"),
     "10:15 `spec.stopPolicy` must be one of `None`, `Hold`, `HoldAndDrain`, not `Halt`"},

    // Quantities.
    {"no quantity", queue("", ", lendingLimit: 1KB"),
     "9:62 `spec.resourceGroups[0].flavors[0].resources[0].lendingLimit` must be a quantity, not `1KB` | "
     "write a number with an optional suffix: `500m`, `2`, `20Gi`"},
    {"a negative quota",
     kueue("Cohort",
           "  resourceGroups:\n"
           "  - coveredResources: [cpu]\n"
           "    flavors: [{name: f, resources: [{name: cpu, nominalQuota: -1}]}]\n"),
     "7:63 `-1` is negative"},

    // Groups.
    {"a flavor twice",
     kueue("ClusterQueue",
           "  resourceGroups:\n"
           "  - coveredResources: [cpu]\n"
           "    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]\n"
           "  - coveredResources: [memory]\n"
           "    flavors: [{name: f, resources: [{name: memory, nominalQuota: 1}]}]\n"),
     "9:22 the flavor `f` is listed twice | a flavor belongs to one group, and there once"},
    {"a resource in two groups",
     kueue("ClusterQueue",
           "  resourceGroups:\n"
           "  - coveredResources: [cpu]\n"
           "    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]\n"
           "  - coveredResources: [cpu]\n"
           "    flavors: [{name: g, resources: [{name: cpu, nominalQuota: 1}]}]\n"),
     "8:24 the resource `cpu` is covered twice | a resource belongs to one group"},
    {"a flavor without a covered resource",
     kueue("ClusterQueue",
           "  resourceGroups:\n"
           "  - coveredResources: [cpu, memory]\n"
           "    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]\n"),
     "7:15 the flavor `f` lists 1 resources, `coveredResources` has 2 | every flavor lists exactly the "
     "covered "
     "resources, in their order"},
    {"resources in another order",
     kueue("ClusterQueue",
           "  resourceGroups:\n"
           "  - coveredResources: [cpu, memory]\n"
           "    flavors:\n"
           "    - name: f\n"
           "      resources:\n"
           "      - {name: memory, nominalQuota: 1}\n"
           "      - {name: cpu, nominalQuota: 1}\n"),
     "10:16 `cpu` is expected here, as in `coveredResources` | every flavor lists exactly the covered "
     "resources, in "
     "their order"},
    {"a borrowing limit without a cohort", queue("", ", borrowingLimit: 1"),
     "9:64 `borrowingLimit` needs a `cohortName` | without a cohort there is nobody to borrow from or lend "
     "to"},
    {"more to lend than there is", queue("  cohortName: pool\n", ", lendingLimit: 5"),
     "9:62 the `lendingLimit` 5 is above the `nominalQuota` 4"},
    {"a check on an unknown flavor",
     queue("  admissionChecksStrategy:\n    admissionChecks: [{name: c, onFlavors: [sport]}]\n"),
     "11:45 the queue has no flavor `sport`"},

    // Policies.
    {"a preference that has no choice",
     queue("  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: MayStopSearch, preference: "
           "BorrowingOverPreemption}\n"),
     "10:96 `preference` needs `TryNextFlavor` for both `whenCanBorrow` and `whenCanPreempt`"},
    {"to borrow and preempt without reclaiming",
     queue("  preemption: {borrowWithinCohort: {policy: LowerPriority}}\n"),
     "10:36 `borrowWithinCohort` needs a `reclaimWithinCohort` other than `Never`"},
    {"a weight of almost nothing", queue("  fairSharing: {weight: 1n}\n"),
     "10:25 a weight that is not 0 must be above 1n"},
    {"a selector without values",
     queue("  namespaceSelector: {matchExpressions: [{key: a, operator: In}]}\n"),
     "10:42 `In` needs `values`"},
    {"a selector with a value that is none", queue("  namespaceSelector: {matchLabels: {team: a b}}\n"),
     "10:43 `a b` is no label value | at most 63 letters, digits, `-`, `_`, `.`, with a letter or digit at "
     "both ends"},

    // Flavors and topologies.
    {"a label key that is none", kueue("ResourceFlavor", "  nodeLabels: {\"a b\": c}\n"),
     "5:16 `a b` is no label key | a key is `name` or `domain/name`: letters, digits, `-`, `_`, `.`"},
    {"a taint twice",
     kueue("ResourceFlavor",
           "  nodeTaints:\n  - {key: a, value: b, effect: NoSchedule}\n  - {key: a, effect: NoSchedule}\n"),
     "7:5 the taint `a` with effect `NoSchedule` is given twice"},
    {"a topology without labels", kueue("ResourceFlavor", "  topologyName: racks\n"),
     "5:17 a flavor with a `topologyName` needs at least one of `nodeLabels`"},
    {"a toleration of everything without Exists", kueue("ResourceFlavor", "  tolerations: [{value: a}]\n"),
     "5:17 a toleration without `key` needs `operator: Exists`"},
    {"the host name above another level",
     kueue("Topology", "  levels: [{nodeLabel: kubernetes.io/hostname}, {nodeLabel: rack}]\n"),
     "5:24 `kubernetes.io/hostname` can only be the lowest level"},
    {"a level twice", kueue("Topology", "  levels: [{nodeLabel: rack}, {nodeLabel: rack}]\n"),
     "5:43 the level `rack` is given twice"},

    // Workloads.
    {"two pod sets of one name",
     kueue("Workload",
           "  podSets:\n"
           "  - {name: a, template: {spec: {containers: [{name: c, image: i}]}}}\n"
           "  - {name: a, template: {spec: {containers: [{name: c, image: i}]}}}\n"),
     "7:5 `spec.podSets[1]` repeats an earlier item: `name: a`"},
    {"a minCount above the count",
     kueue(
         "Workload",
         "  podSets:\n  - {count: 2, minCount: 3, template: {spec: {containers: [{name: c, image: i}]}}}\n"),
     "6:26 `minCount` 3 is above `count` 2"},
    {"a priority class without its value",
     workload("  priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}\n"),
     "9:21 a workload with a priority class needs `priority`, too | Kueue writes the class's value there"},
    {"pods as a resource",
     kueue("Workload",
           "  podSets:\n"
           "  - template:\n"
           "      spec:\n"
           "        containers:\n"
           "        - {name: c, image: i, resources: {requests: {pods: 1}}}\n"),
     "9:54 the resource `pods` is counted by Kueue itself"},
    {"a reservation without admission",
     workload("status:\n  conditions:\n  - {type: QuotaReserved, status: \"True\", reason: R, message: m, "
              "lastTransitionTime: 2026-01-01T00:00:00Z}\n"),
     "10:3 the condition `QuotaReserved` is true but there is no `admission`"},
    {"a usage that cannot be divided",
     workload("status:\n"
              "  admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 2, resourceUsage: "
              "{cpu: 3m}}]}\n"
              "  conditions:\n  - {type: QuotaReserved, status: \"True\", reason: R, message: m, "
              "lastTransitionTime: 2026-01-01T00:00:00Z}\n"),
     "10:14 the usage of `cpu` by `main` is not a multiple of its 2 pods"},
    {"more reclaimable pods than pods", workload("status: {reclaimablePods: [{name: main, count: 3}]}\n"),
     "9:28 3 pods of `main` are reclaimable, but it has 2"},
    {"a time that is none",
     "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, creationTimestamp: yesterday}\n",
     "3:40 `metadata.creationTimestamp` must be a time, not `yesterday` | write it as "
     "`2026-01-31T08:00:00Z`"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decoding)

BOOST_DATA_TEST_CASE(refused, refused_cases, c) {
  BOOST_TEST(refusal_of(c.text) == c.want);
}

BOOST_AUTO_TEST_CASE(cluster_queue_defaults) {
  ClusterQueue q = decode(queue("")).cluster_queues.at(0);
  BOOST_TEST(q.name == "it");
  BOOST_TEST(!q.cohort.has_value());
  BOOST_TEST((q.strategy == QueueingStrategy::best_effort_fifo));
  BOOST_TEST(q.namespace_selector.nothing);
  BOOST_TEST((q.fungibility.when_can_borrow == FungibilityPolicy::may_stop_search));
  BOOST_TEST((q.fungibility.when_can_preempt == FungibilityPolicy::try_next_flavor));
  BOOST_TEST((q.preemption.reclaim_within_cohort == PreemptionPolicy::never));
  BOOST_TEST((q.stop_policy == StopPolicy::none));
  BOOST_TEST(!q.fair_weight.has_value());
  BOOST_TEST(q.generation == 1);
  BOOST_TEST(q.resource_groups.at(0).flavors.at(0).resources.at(0).nominal.value() == 4000);
}

BOOST_AUTO_TEST_CASE(cluster_queue_in_full) {
  World world = decode(
      "apiVersion: kueue.x-k8s.io/v1beta2\n"
      "kind: ClusterQueue\n"
      "metadata: {name: it, generation: 7, labels: {a: b}, managedFields: [{manager: kubectl}], "
      "resourceVersion: "
      "\"12\"}\n"
      "spec:\n"
      "  cohortName: pool\n"
      "  queueingStrategy: StrictFIFO\n"
      "  stopPolicy: HoldAndDrain\n"
      "  namespaceSelector:\n"
      "    matchLabels: {team: a}\n"
      "    matchExpressions: [{key: tier, operator: NotIn, values: [x, z]}]\n"
      "  flavorFungibility: {whenCanBorrow: TryNextFlavor, preference: PreemptionOverBorrowing}\n"
      "  preemption:\n"
      "    reclaimWithinCohort: Any\n"
      "    withinClusterQueue: LowerOrNewerEqualPriority\n"
      "    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -5}\n"
      "  fairSharing: {weight: 500m}\n"
      "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"
      "  admissionChecksStrategy: {admissionChecks: [{name: c, onFlavors: [b]}, {name: d}]}\n"
      "  resourceGroups:\n"
      "  - coveredResources: [cpu, memory]\n"
      "    flavors:\n"
      "    - name: a\n"
      "      resources: [{name: cpu, nominalQuota: 1500m, borrowingLimit: 0}, {name: memory, nominalQuota: "
      "1Gi, "
      "lendingLimit: 1k}]\n"
      "    - name: b\n"
      "      resources: [{name: cpu, nominalQuota: \"2\"}, {name: memory, nominalQuota: 1e3}]\n"
      "status: {pendingWorkloads: 3}\n");
  const ClusterQueue& q = world.cluster_queues.at(0);
  BOOST_TEST(*q.cohort == "pool");
  BOOST_TEST(q.generation == 7);
  BOOST_TEST((q.strategy == QueueingStrategy::strict_fifo));
  BOOST_TEST((q.stop_policy == StopPolicy::hold_and_drain));
  BOOST_TEST(!q.namespace_selector.nothing);
  BOOST_TEST((q.namespace_selector.requirements ==
              std::vector<Requirement>{{"team", "In", {"a"}}, {"tier", "NotIn", {"x", "z"}}}));
  BOOST_TEST((q.fungibility.preference == FungibilityPreference::preemption_over_borrowing));
  BOOST_TEST((q.preemption.reclaim_within_cohort == PreemptionPolicy::any));
  BOOST_TEST((q.preemption.within_cluster_queue == PreemptionPolicy::lower_or_newer_equal_priority));
  BOOST_TEST((q.preemption.borrow_within_cohort == PreemptionPolicy::lower_priority));
  BOOST_TEST(*q.preemption.borrow_max_priority_threshold == -5);
  BOOST_TEST(q.fair_weight->to_string() == "500m");
  BOOST_TEST(q.usage_based_fair_sharing);
  BOOST_TEST(q.admission_checks.at(0).name == "c");
  BOOST_TEST((q.admission_checks.at(0).on_flavors == std::vector<std::string>{"b"}));
  BOOST_TEST(q.admission_checks.at(1).on_flavors.empty());
  const std::vector<FlavorQuotas>& flavors = q.resource_groups.at(0).flavors;
  BOOST_TEST(flavors.at(0).resources.at(0).nominal.value() == 1500);
  BOOST_TEST(flavors.at(0).resources.at(0).borrowing_limit->value() == 0);
  BOOST_TEST(!flavors.at(0).resources.at(0).lending_limit.has_value());
  BOOST_TEST(flavors.at(0).resources.at(1).lending_limit->value() == 1000);
  BOOST_TEST(flavors.at(1).resources.at(0).nominal.value() == 2000);
  BOOST_TEST(flavors.at(1).resources.at(1).nominal.value() == 1000);
  BOOST_TEST(q.origin.line == 1u);
  BOOST_TEST(world.files.at(q.origin.file) == "t.yaml");
}

BOOST_AUTO_TEST_CASE(empty_selector_matches_everything) {
  LabelSelector selector = decode(queue("  namespaceSelector: {}\n")).cluster_queues.at(0).namespace_selector;
  BOOST_TEST(!selector.nothing);
  BOOST_TEST(selector.requirements.empty());
}

BOOST_AUTO_TEST_CASE(v1beta1_becomes_v1beta2) {
  World world = decode(
      "apiVersion: kueue.x-k8s.io/v1beta1\n"
      "kind: ClusterQueue\n"
      "metadata: {name: it}\n"
      "spec:\n"
      "  cohort: pool\n"
      "  admissionChecks: [a, b]\n"
      "  admissionChecksStrategy: {admissionChecks: [{name: c}]}\n"
      "  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}\n"
      "---\n"
      "apiVersion: kueue.x-k8s.io/v1beta1\n"
      "kind: Workload\n"
      "metadata: {name: w}\n"
      "spec:\n"
      "  priority: 10\n"
      "  priorityClassName: high\n"
      "  priorityClassSource: kueue.x-k8s.io/workloadpriorityclass\n"
      "  podSets: [{template: {spec: {containers: [{name: c, image: i}]}}}]\n"
      "status: {accumulatedPastExexcutionTimeSeconds: 30}\n"
      "---\n"
      "apiVersion: kueue.x-k8s.io/v1beta1\n"
      "kind: AdmissionCheck\n"
      "metadata: {name: a}\n"
      "spec: {controllerName: x, retryDelayMinutes: 15}\n");
  const ClusterQueue& q = world.cluster_queues.at(0);
  BOOST_TEST(*q.cohort == "pool");
  BOOST_REQUIRE_EQUAL(q.admission_checks.size(), 2u);
  BOOST_TEST(q.admission_checks[0].name == "a");
  BOOST_TEST((q.fungibility.when_can_borrow == FungibilityPolicy::may_stop_search));
  BOOST_TEST((q.fungibility.when_can_preempt == FungibilityPolicy::may_stop_search));
  const Workload& w = world.workloads.at(0);
  BOOST_TEST(w.priority_class == "high");
  BOOST_TEST(w.priority_class_kind == "WorkloadPriorityClass");
  BOOST_TEST(w.past_run_seconds == 30);
  BOOST_TEST(world.admission_checks.at(0).controller == "x");
}

BOOST_AUTO_TEST_CASE(workload_defaults) {
  Workload w = decode(workload("")).workloads.at(0);
  BOOST_TEST(w.name_space == "default");
  BOOST_TEST(w.uid == "it");
  BOOST_TEST(w.synthetic_uid);
  BOOST_TEST((w.created == kNow));
  BOOST_TEST(w.active);
  BOOST_TEST(w.priority == 0);
  BOOST_TEST(w.pod_sets.at(0).count == 2);
  BOOST_TEST(!w.admitted_queue.has_value());
  BOOST_TEST(decode(workload(""), true).workloads.at(0).uid == "it");
  BOOST_TEST(!decode(workload(""), true).workloads.at(0).synthetic_uid);
}

BOOST_AUTO_TEST_CASE(a_single_pod_set_needs_no_name) {
  Workload w =
      decode(kueue("Workload", "  podSets: [{template: {spec: {containers: [{name: c, image: i}]}}}]\n"))
          .workloads.at(0);
  BOOST_TEST(w.pod_sets.at(0).name == "main");
  BOOST_TEST(w.pod_sets.at(0).count == 1);
}

BOOST_AUTO_TEST_CASE(workload_in_full) {
  Workload w =
      decode(
          "apiVersion: kueue.x-k8s.io/v1beta2\n"
          "kind: Workload\n"
          "metadata:\n"
          "  name: w\n"
          "  namespace: team\n"
          "  uid: u-1\n"
          "  creationTimestamp: 2026-01-02T03:04:05Z\n"
          "  generation: 3\n"
          "  labels: {a: b}\n"
          "  annotations: {c: d}\n"
          "  ownerReferences:\n"
          "  - {apiVersion: v1, kind: Node, name: n1, uid: u}\n"
          "  - {apiVersion: ray.io/v1, kind: RayJob, name: train, uid: u-2, controller: true}\n"
          "spec:\n"
          "  queueName: lq\n"
          "  active: false\n"
          "  priority: -3\n"
          "  maximumExecutionTimeSeconds: 60\n"
          "  preemptionGates: [{name: g}]\n"
          "  podSets:\n"
          "  - name: head\n"
          "    minCount: 1\n"
          "    count: 4\n"
          "    topologyRequest: {required: rack, podSetSliceRequiredTopology: host, podSetSliceSize: 2}\n"
          "    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]}}\n"
          "status:\n"
          "  admission:\n"
          "    clusterQueue: cq\n"
          "    podSetAssignments:\n"
          "    - {name: head, count: 4, flavors: {cpu: spot}, resourceUsage: {cpu: 400m}}\n"
          "  conditions:\n"
          "  - {type: QuotaReserved, status: \"True\", reason: R, message: m, lastTransitionTime: "
          "2026-01-02T03:05:00Z, observedGeneration: 3}\n"
          "  - {type: Admitted, status: \"False\", reason: R, message: m, lastTransitionTime: "
          "2026-01-02T03:05:00Z}\n"
          "  admissionChecks:\n"
          "  - {name: dws, state: Retry, message: wait, lastTransitionTime: 2026-01-02T03:06:00Z, "
          "requeueAfterSeconds: 60, retryCount: 2}\n"
          "  reclaimablePods: [{name: head, count: 1}]\n"
          "  requeueState: {count: 2, requeueAt: 2026-01-02T04:00:00Z}\n")
          .workloads.at(0);
  BOOST_TEST(w.uid == "u-1");
  BOOST_TEST(!w.synthetic_uid);
  BOOST_TEST(w.created.to_string() == "2026-01-02T03:04:05Z");
  BOOST_TEST(w.generation == 3);
  BOOST_TEST(w.owner->kind == "RayJob");
  BOOST_TEST(w.owner->group == "ray.io");
  BOOST_TEST(w.owner->uid == "u-2");
  BOOST_TEST(w.queue == "lq");
  BOOST_TEST(!w.active);
  BOOST_TEST(w.priority == -3);
  BOOST_TEST(*w.max_run_seconds == 60);
  BOOST_TEST((w.preemption_gates == std::vector<std::string>{"g"}));
  const PodSet& head = w.pod_sets.at(0);
  BOOST_TEST(*head.min_count == 1);
  BOOST_TEST((head.topology->mode == TopologyRequest::Mode::required));
  BOOST_TEST(head.topology->level == "rack");
  BOOST_TEST(*head.topology->slice_size == 2);
  BOOST_TEST(head.pod.containers.at(0).requests.at("cpu").to_string() == "100m");
  BOOST_TEST(*w.admitted_queue == "cq");
  BOOST_TEST(w.assignments.at(0).flavors.at("cpu") == "spot");
  BOOST_TEST(w.assignments.at(0).usage.at("cpu").to_string() == "400m");
  BOOST_TEST(w.conditions.at(0).status);
  BOOST_TEST(!w.conditions.at(1).status);
  BOOST_TEST(w.conditions.at(0).observed_generation == 3);
  BOOST_TEST((w.checks.at(0).state == CheckState::retry));
  BOOST_TEST(*w.checks.at(0).requeue_after_seconds == 60);
  BOOST_TEST(w.reclaimable.at("head") == 1);
  BOOST_TEST(w.requeue_at->to_string() == "2026-01-02T04:00:00Z");
  BOOST_TEST(w.requeue_count == 2);
}

BOOST_AUTO_TEST_CASE(limit_range_as_the_server_stores_it) {
  const char* text =
      "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: n1}\nspec:\n  limits:\n"
      "  - {type: Container, max: {cpu: 4}, min: {memory: 1Mi}, default: {memory: 1Gi}, defaultRequest: "
      "{memory: 1M}}\n"
      "  - {type: Pod, max: {cpu: 8}}\n";
  LimitRange stored = decode(text).limit_ranges.at(0);
  BOOST_TEST(stored.items.at(0).default_limits.at("cpu").to_string() == "4");
  BOOST_TEST(stored.items.at(0).default_requests.at("cpu").to_string() == "4");
  BOOST_TEST(stored.items.at(0).default_requests.at("memory").to_string() == "1M");
  BOOST_TEST(stored.items.at(1).default_limits.empty());
  LimitRange given = decode(text, true).limit_ranges.at(0);
  BOOST_TEST(!given.items.at(0).default_limits.contains("cpu"));
}

BOOST_AUTO_TEST_CASE(other_kinds) {
  World w = decode(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {a: b}}\n---\n"
      "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: gvisor}\nhandler: runsc\n"
      "overhead: {podFixed: {cpu: 250m}}\n---\n"
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: "
      "1000\nglobalDefault: true\n"
      "---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: p}\nvalue: -7\n"
      "description: low\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\n"
      "spec: {levels: [{nodeLabel: block}, {nodeLabel: kubernetes.io/hostname}]}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ProvisioningRequestConfig\nmetadata: {name: prc}\n"
      "spec: {provisioningClassName: queued, managedResources: [google.com/tpu], parameters: {a: b}, "
      "retryStrategy: {backoffBaseSeconds: 5}}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: ac}\n"
      "spec: {controllerName: c, parameters: {apiGroup: g, kind: k, name: cfg}}\n"
      "status: {conditions: [{type: Active, status: \"False\", reason: R, message: m, lastTransitionTime: "
      "2026-01-02T03:05:00Z}]}\n---\n"
      "apiVersion: autoscaling.x-k8s.io/v1\nkind: ProvisioningRequest\n"
      "metadata: {name: job-ac-1, ownerReferences: [{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, "
      "name: job, uid: u, controller: true}]}\n"
      "spec: {provisioningClassName: queued, parameters: {a: b}, podSets: [{count: 4, podTemplateRef: {name: "
      "ppt-job-ac-1-main}}]}\n"
      "status: {provisioningClassDetails: {SelectedZone: z}, conditions: [{type: Accepted, status: \"True\", "
      "reason: R, message: soon, lastTransitionTime: 2026-01-02T03:05:00Z}]}\n---\n"
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {l: v}}\n"
      "spec: {unschedulable: true, taints: [{key: k, effect: NoExecute}]}\n"
      "status: {capacity: {cpu: 4}, conditions: [{type: Ready, status: Unknown}]}\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: bare}\n");
  BOOST_TEST((w.namespaces.at(0).labels == Labels{{"a", "b"}, {"kubernetes.io/metadata.name", "team"}}));
  BOOST_TEST(w.runtime_classes.at(0).pod_overhead.at("cpu").to_string() == "250m");
  BOOST_TEST(w.priority_classes.at(0).value == 1000);
  BOOST_TEST(w.priority_classes.at(0).global_default);
  BOOST_TEST(w.workload_priority_classes.at(0).value == -7);
  BOOST_TEST(w.workload_priority_classes.at(0).description == "low");
  BOOST_TEST(w.topologies.at(0).levels.at(1).node_label == "kubernetes.io/hostname");
  const ProvisioningRequestConfig& config = w.provisioning_configs.at(0);
  BOOST_TEST(config.class_name == "queued");
  BOOST_TEST(config.retry.limit == 3);
  BOOST_TEST(config.retry.base_seconds == 5);
  BOOST_TEST(config.retry.max_seconds == 1800);
  BOOST_TEST((config.managed_resources == std::vector<std::string>{"google.com/tpu"}));
  const ProvisioningRequest& request = w.provisioning_requests.at(0);
  BOOST_TEST(request.name_space == "default");
  BOOST_TEST(request.workload == "job");
  BOOST_TEST(request.class_name == "queued");
  BOOST_TEST((request.parameters == Labels{{"a", "b"}}));
  BOOST_TEST(request.pod_sets.at(0).pod_template == "ppt-job-ac-1-main");
  BOOST_TEST(request.pod_sets.at(0).count == 4);
  BOOST_TEST(request.conditions.at(0).type == "Accepted");
  BOOST_TEST(request.conditions.at(0).status);
  BOOST_TEST((request.class_details == Labels{{"SelectedZone", "z"}}));
  BOOST_TEST(!w.admission_checks.at(0).active);
  BOOST_TEST(w.admission_checks.at(0).parameters_name == "cfg");
  const Node& node = w.nodes.at(0);
  BOOST_TEST(node.allocatable.at("cpu").to_string() == "4");
  BOOST_TEST(!node.ready);
  BOOST_TEST(node.unschedulable);
  BOOST_TEST(node.taints.at(0).effect == "NoExecute");
  BOOST_TEST(w.flavors.at(0).node_labels.empty());
}

BOOST_AUTO_TEST_CASE(objects_are_sorted_and_the_last_of_a_name_stays) {
  World world = decode(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: b, labels: {v: \"1\"}}\n---\n"
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n"
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: b, labels: {v: \"2\"}}\n");
  BOOST_REQUIRE_EQUAL(world.namespaces.size(), 2u);
  BOOST_TEST(world.namespaces[0].name == "a");
  BOOST_TEST(world.namespaces[1].labels.at("v") == "2");
  BOOST_TEST(world.namespaces[1].origin.line == 9u);
}

BOOST_AUTO_TEST_CASE(a_workload_keeps_its_status) {
  World world = decode(workload("status:\n  conditions:\n  - {type: Evicted, status: \"True\", reason: R, "
                                "message: m, lastTransitionTime: "
                                "2026-01-01T00:00:00Z}\n") +
                       "---\n" + workload("  queueName: other\n"));
  BOOST_REQUIRE_EQUAL(world.workloads.size(), 1u);
  BOOST_TEST(world.workloads[0].queue == "other");
  BOOST_TEST(world.workloads[0].conditions.size() == 1u);
  BOOST_TEST(world.workloads[0].arrival == 1u);
}

BOOST_AUTO_TEST_CASE(workloads_arrive_in_the_order_of_the_file) {
  World world = decode(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadList\nitems:\n"
      "- {metadata: {name: z}, spec: {podSets: [{template: {spec: {containers: [{name: c, image: i}]}}}]}}\n"
      "- {metadata: {name: a}, spec: {podSets: [{template: {spec: {containers: [{name: c, image: "
      "i}]}}}]}}\n");
  BOOST_TEST(world.workloads.at(0).name == "a");
  BOOST_TEST(world.workloads.at(0).arrival == 2u);
  BOOST_TEST(world.workloads.at(1).arrival == 1u);
}

BOOST_AUTO_TEST_CASE(what_has_no_effect_is_named) {
  World world;
  Manifest manifest = parse_manifest(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n---\n"
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n"
      "spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}\n---\n"
      "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t}\nanything: [goes]\n",
      "t.yaml");
  std::vector<Object> objects = objects_of(manifest);
  std::vector<Skipped> skipped = add_objects(world, objects, {.now = kNow});
  BOOST_REQUIRE_EQUAL(skipped.size(), 3u);
  BOOST_TEST(skipped[0].kind == "ConfigMap");
  BOOST_TEST(skipped[0].api_version == "v1");
  BOOST_TEST(skipped[0].reason == "");
  BOOST_TEST(skipped[1].api_version == "example.com/v1");
  BOOST_TEST(skipped[2].kind == "Job");
  BOOST_TEST(skipped[2].reason == "no queue name");
  BOOST_TEST(skipped[2].origin.line == 6u);
}

BOOST_AUTO_TEST_CASE(jobs_become_workloads) {
  const char* job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, uid: u-9, labels: {kueue.x-k8s.io/queue-name: "
      "q}}\n"
      "spec: {parallelism: 3, suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, "
      "image: "
      "i}]}}}\n";
  World world = decode(job);
  BOOST_REQUIRE_EQUAL(world.workloads.size(), 1u);
  BOOST_TEST(world.workloads[0].queue == "q");
  BOOST_TEST(world.workloads[0].pod_sets.at(0).count == 3);
  BOOST_TEST(world.workloads[0].owner->name == "j");
  BOOST_TEST(world.workloads[0].origin.line == 1u);

  // `kubectl get` lists both: then the Workload is the one that the cluster has.
  std::string both =
      std::string(job) +
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + world.workloads[0].name +
      "}\nspec: {queueName: q, priority: 5, podSets: [{count: 3, template: {spec: {containers: [{name: "
      "c, image: i}]}}}]}\n";
  World with_both = decode(both);
  BOOST_REQUIRE_EQUAL(with_both.workloads.size(), 1u);
  BOOST_TEST(with_both.workloads[0].priority == 5);
}

BOOST_AUTO_TEST_CASE(scenarios_are_refused_as_kueue_would) {
  auto condition = [](const char* fields) {
    return refusal_of(workload(std::string("status:\n  conditions:\n  - {") + fields + "}\n"), true);
  };
  BOOST_TEST(condition("type: A, status: \"True\", reason: R") == "");
  BOOST_TEST(condition("status: \"True\", reason: R") == "11:5 the condition needs a `type`");
  BOOST_TEST(condition("type: A, status: Yep, reason: R") ==
             "11:5 the `status` of a condition is `True`, `False` or `Unknown`");
  BOOST_TEST(condition("type: A, status: \"True\"") ==
             "11:5 the condition needs a `reason` | one word, like `QuotaReserved`");
  BOOST_TEST(condition("type: A, status: \"True\", reason: 1R") ==
             "11:5 the condition needs a `reason` | one word, like `QuotaReserved`");
  BOOST_TEST(condition("type: A, status: \"True\", reason: R}\n  - {type: A, status: \"True\", reason: R") ==
             "12:5 the condition `A` is given twice");
  BOOST_TEST(refusal_of(workload("") + "---\n" + workload(""), true) ==
             "10:1 the Workload `it` is given twice");
}

BOOST_AUTO_TEST_CASE(scenarios_hold_what_is_stored) {
  BOOST_TEST(decode("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: R}\n", true)
                 .cohorts.at(0)
                 .name == "R");
  BOOST_TEST(
      refusal_of("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: R}\nspec: {parent: a}\n",
                 true) == "4:8 unknown field `spec.parent` in Cohort | did you mean `parentName`?");
}

BOOST_AUTO_TEST_SUITE_END()
