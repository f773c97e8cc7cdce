#include "kube/schema.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "kube/pattern.hpp"
#include "support/golden.hpp"

namespace {

using namespace sluice;
using namespace sluice::kube;

struct ProblemCase {
  const char* why;   // names the case when it fails
  const char* text;  // one YAML document
  const char* want;  // `line:column message; help` of each problem, or empty
};
std::ostream& operator<<(std::ostream& out, const ProblemCase& c) {
  return out << c.why;
}

const ProblemCase problem_cases[] = {
    {"a flavor that is right",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata:\n  name: spot\n"
     "spec:\n  nodeLabels: {pool: spot}\n",
     ""},
    {"a field that is misspelt",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  paralelism: 3\n  template: {spec: "
     "{containers: []}}\n",
     "5:3 unknown field `spec.paralelism` in Job; did you mean `parallelism`?\n"},
    {"a field of nobody", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, colour: red}\n",
     "3:21 unknown field `metadata.colour` in Job; \n"},
    {"a field in the wrong place, deep",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n    request: {cpu: "
     "1}\n",
     "7:5 unknown field `spec.containers[0].request` in Pod; \n"},
    {"a text for a number",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  parallelism: three\n  template: {spec: "
     "{containers: []}}\n",
     "5:16 `spec.parallelism` must be a whole number, not `three`; \n"},
    {"a number beyond 32 bits",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  parallelism: 2147483648\n"
     "  template: {spec: {containers: []}}\n",
     "5:16 `spec.parallelism` must fit in 32 bits, not `2147483648`; \n"},
    {"a number for a text", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ns\n  labels: {team: 5}\n",
     "5:18 `metadata.labels[team]` must be a text, not `5`; put it in quotes: `\"5\"`\n"},
    {"a word for a boolean in quotes",
     "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\nvalue: 1\nglobalDefault: "
     "\"true\"\n",
     "5:16 `globalDefault` must be `true` or `false`, not `true`; without the quotes\n"},
    {"a list for an object", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ns\n  labels: [a]\n",
     "5:11 `metadata.labels` must be an object, not a list; \n"},
    {"a value outside of the enum",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n"
     "  queueingStrategy: BestEffortFifo\n",
     "5:21 `spec.queueingStrategy` must be one of `StrictFIFO`, `BestEffortFIFO`, not `BestEffortFifo`; "
     "did you mean `BestEffortFIFO`?\n"},
    {"a quantity that is none",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n"
     "    resources: {requests: {cpu: two}}\n",
     "7:33 `spec.containers[0].resources.requests[cpu]` must be a quantity, not `two`; "
     "write a number with an optional suffix: `500m`, `2`, `20Gi`\n"},
    {"a name that does not match the pattern",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\nspec:\n  clusterQueue: "
     "Team_A\n",
     "5:17 `spec.clusterQueue` must match "
     "`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, not `Team_A`; \n"},
    {"a part that is missing",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  resourceGroups:\n"
     "  - coveredResources: [cpu]\n",
     "6:5 `spec.resourceGroups[0].flavors` is missing in ClusterQueue; \n"},
    {"two items with one key",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n  - name: a\n",
     "7:5 `spec.containers[1]` repeats an earlier item: `name: a`; \n"},
    {"too many items",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\nspec:\n  levels: []\n",
     "5:11 `spec.levels` has 0 items, must have at least 1; \n"},
    {"null is absence",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, labels: }\nspec:\n  parallelism: ~\n"
     "  template: {spec: {containers: []}}\n",
     ""},
    {"null in a list is a value",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - ~\n",
     "6:5 `spec.containers[0]` must be an object, not null; \n"},
    {"a time that is none",
     "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, creationTimestamp: yesterday}\n",
     "3:41 `metadata.creationTimestamp` must be a time, not `yesterday`; write it as "
     "`2026-01-31T08:00:00Z`\n"},
    {"decoding comes before the schema",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n"
     "  queueingStrategy: Fifo\n  stopPolicies: Hold\n",
     "6:3 unknown field `spec.stopPolicies` in ClusterQueue; did you mean `stopPolicy`?\n"
     "5:21 `spec.queueingStrategy` must be one of `StrictFIFO`, `BestEffortFIFO`, not `Fifo`; \n"},
    {"a rule of the CRD as an enum",
     "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec:\n  managedBy: me\n"
     "  headGroupSpec: {template: {spec: {containers: []}}}\n",
     "5:14 `spec.managedBy` must be one of `ray.io/kuberay-operator`, `kueue.x-k8s.io/multikueue`, not `me`; "
     "\n"},
    {"a field of another version",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  admissionChecks: "
     "[a]\n",
     "5:3 unknown field `spec.admissionChecks` in ClusterQueue; version v1beta1 has it, this one has "
     "`admissionChecksStrategy`\n"},
    {"a field of another version, without a like",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: a}\nspec:\n  "
     "controllerName: c\n"
     "  retryDelayMinutes: 5\n",
     "6:3 unknown field `spec.retryDelayMinutes` in AdmissionCheck; version v1beta1 has it\n"},
    {"a fraction that is a number, of a CRD",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c}\nspec:\n  resourceGroups:\n"
     "  - coveredResources: [cpu]\n    flavors:\n    - name: f\n      resources:\n"
     "      - {name: cpu, nominalQuota: 1.5, borrowingLimit: 2.0, lendingLimit: \"1.5\"}\n",
     "10:35 `spec.resourceGroups[0].flavors[0].resources[0].nominalQuota` must be a whole number or a text, not `1.5`; "
     "put it in quotes: `\"1.5\"`\n"},
    {"a number that no double holds, of a CRD",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\nspec:\n  clusterQueue: c\n"
     "  fairSharing: {weight: 1e300}\n",
     "6:25 `spec.fairSharing.weight` must be a whole number or a text, not `1e+300`; put it in quotes: `\"1e300\"`\n"},
    {"numbers of a CRD that are whole",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w}\nspec:\n  podSets:\n"
     "  - name: main\n    count: 1\n    template: {spec: {containers: [{name: c, resources: {requests: "
     "{cpu: 1e3, memory: 2.0, a: -5, b: 9223372036854775807}}}]}}\n",
     ""},
    {"a fraction that is a number, of a built-in kind",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {requests: "
     "{cpu: 1.5}}}]}\n",
     ""},
    {"a SparkApplication",
     "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: s}\nspec:\n"
     "  type: SCALA\n  at: 1\n  image: {}\n  mainApplicationFile: x\n  driver: Never\n"
     "  executor: {cores: 0, instances: cluster}\n",
     "6:3 unknown field `spec.at` in SparkApplication; \n"
     "7:10 `spec.image` must be a text, not an object; \n"
     "9:11 `spec.driver` must be an object, not `Never`; \n"
     "10:35 `spec.executor.instances` must be a whole number, not `cluster`; \n"
     "5:9 `spec.type` must be one of `Java`, `Python`, `Scala`, `R`, not `SCALA`; did you mean `Scala`?\n"
     "10:21 `spec.executor.cores` must be at least 1, not `0`; \n"
     "5:3 `spec.sparkVersion` is missing in SparkApplication; \n"},
    {"an object that has no fields",
     "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\nmetadata: {name: r}\nspec:\n"
     "  mlPolicy: {torch: {numProcPerNode: 4}}\n  template: {spec: {}}\n",
     "5:22 unknown field `spec.mlPolicy.torch.numProcPerNode` in TrainingRuntime; \n"},
    {"an object that has no fields, empty",
     "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: r}\nspec:\n"
     "  mlPolicy: {torch: {}}\n  template: {spec: {}}\n",
     ""},
    {"a kind without schema", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nanything: 5\n", ""},
};

struct DefaultCase {
  const char* kind;
  const char* path;
  const char* want;  // JSON text
};
std::ostream& operator<<(std::ostream& out, const DefaultCase& c) {
  return out << c.kind << " " << c.path;
}

// What the code that makes Workloads of jobs takes for an absent field must be what the CRD says.
const DefaultCase default_cases[] = {
    {"RayJob", "spec.submissionMode", "\"K8sJobMode\""},
    {"RayJob", "spec.rayClusterSpec.workerGroupSpecs.[].replicas", "0"},
    {"RayJob", "spec.rayClusterSpec.workerGroupSpecs.[].numOfHosts", "1"},
    {"RayCluster", "spec.workerGroupSpecs.[].replicas", "0"},
    {"RayCluster", "spec.workerGroupSpecs.[].numOfHosts", "1"},
    {"RayService", "spec.rayClusterConfig.workerGroupSpecs.[].replicas", "0"},
    {"JobSet", "spec.replicatedJobs.[].replicas", "1"},
    {"LeaderWorkerSet", "spec.replicas", "1"},
    {"LeaderWorkerSet", "spec.leaderWorkerTemplate.size", "1"},
};

std::string_view group_of(std::string_view kind) {
  if (kind.starts_with("Ray")) return "ray.io";
  return kind == "JobSet" ? "jobset.x-k8s.io" : "leaderworkerset.x-k8s.io";
}

struct PatternCase {
  const char* pattern;
  const char* text;
  bool want;
};
std::ostream& operator<<(std::ostream& out, const PatternCase& c) {
  return out << c.pattern << " on " << c.text;
}
const PatternCase pattern_cases[] = {
    {"^[a-z]+$", "abc", true},  {"^[a-z]+$", "abc\n", false},         {"[0-9]", "a1b", true},
    {"^(?i)[a-z]$", "Q", true}, {"^([1-9][0-9]*)m?s$", "15ms", true}, {"(", "a pattern that is none", true},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(schema)

BOOST_DATA_TEST_CASE(problems, problem_cases, c) {
  Manifest manifest = parse_manifest(c.text, "test.yaml");
  std::string got;
  for (const Object& object : objects_of(manifest)) {
    for (const Problem& p : schema_problems(object))
      got += std::to_string(p.at->line()) + ":" + std::to_string(p.at->column()) + " " + p.message + "; " +
             p.help + "\n";
  }
  BOOST_TEST(got == c.want);
}

BOOST_AUTO_TEST_CASE(the_first_problem_is_thrown_with_its_place) {
  Manifest manifest = parse_manifest(
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  paralelism: 3\n", "job.yaml");
  const Object object = objects_of(manifest).front();
  BOOST_CHECK_EXCEPTION(check_schema(object), Error, [](const Error& e) {
    return e.code() == "bad-object" && e.file() == "job.yaml" && e.line() == 5 && e.column() == 3 &&
           e.source_line() == "  paralelism: 3" && e.help() == "did you mean `parallelism`?";
  });
}

BOOST_DATA_TEST_CASE(defaults, default_cases, c) {
  std::string_view version = std::string_view(c.kind) == "JobSet" ? "v1alpha2" : "v1";
  BOOST_TEST(default_of(group_of(c.kind), version, c.kind, c.path).value_or("none") == c.want);
}

BOOST_AUTO_TEST_CASE(fields_without_default) {
  BOOST_TEST(!default_of("ray.io", "v1", "RayJob", "spec.entrypoint"));
  BOOST_TEST(!default_of("ray.io", "v1", "RayJob", "spec.nothing"));
  BOOST_TEST(!default_of("ray.io", "v1", "Nothing", "spec"));
}

BOOST_DATA_TEST_CASE(patterns, pattern_cases, c) {
  BOOST_TEST(matches_pattern(c.pattern, c.text) == c.want);
}

BOOST_AUTO_TEST_SUITE_END()
