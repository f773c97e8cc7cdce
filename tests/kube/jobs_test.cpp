#include "kube/jobs.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

/// Jobs in a cluster (not a scenario): places, texts, owners, what runs already. What Kueue makes of them in
/// detail is in podsets_test.cpp.
namespace {

using namespace sluice;
using namespace sluice::kube;

struct NameCase {
  const char* kind;
  const char* group;
  std::string name;
  const char* uid;
  const char* extra;
  std::string want;
};
std::ostream& operator<<(std::ostream& out, const NameCase& c) {
  return out << c.want;
}
const NameCase name_cases[] = {
    {"Job", "batch", "j", "j", "", "job-j-c1ee1"},
    {"Job", "batch", "j", "j", "1", "job-j-5ed19"},
    {"RayJob", "ray.io", "rayjob-tpu-v6e-dws-1", "rayjob-tpu-v6e-dws-1", "1",
     "rayjob-rayjob-tpu-v6e-dws-1-571d8"},
    {"Pod", "", "p", "p", "", "pod-p-1758c"},
    // Cut so that the whole has 253 characters.
    {"Job", "batch", std::string(253, 'a'), "u", "", "job-" + std::string(243, 'a') + "-d5653"},
};

struct JobCase {
  const char* why;   // names the case when it fails
  const char* text;  // YAML documents; the last job is looked at
  const char* want;  // the Workload's name, `note: …`, or `line:column message; help`
};
std::ostream& operator<<(std::ostream& out, const JobCase& c) {
  return out << c.why;
}

#define QUEUE "labels: {kueue.x-k8s.io/queue-name: q}"
#define POD "template: {spec: {containers: [{name: a, image: x, resources: {requests: {cpu: 1}}}]}}"

const JobCase job_cases[] = {
    {"a job", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " QUEUE "}\nspec: {" POD "}\n",
     "job-j-c1ee1"},
    {"without a queue", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {" POD "}\n",
     "note: no queue name"},
    {"in a namespace that Kueue leaves alone",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: kube-system, " QUEUE "}\nspec: {" POD
     "}\n",
     "note: Kueue leaves namespace `kube-system` alone"},
    {"a label value at its place",
     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  labels:\n    kueue.x-k8s.io/queue-name: q\n"
     "    kueue.x-k8s.io/max-exec-time-seconds: \"0\"\nspec: {" POD "}\n",
     "7:43 label `kueue.x-k8s.io/max-exec-time-seconds` must be a whole number greater than 0, not `0`; "},
    {"a name that the API server refuses",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: My_Job, " QUEUE "}\nspec: {" POD "}\n",
     "3:18 `My_Job` is no name of an object: lower-case letters, digits, `-` and `.`; "},
    {"a container without a name",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " QUEUE "}\n"
     "spec:\n  template:\n    spec:\n      containers:\n      - image: x\n",
     "8:9 `spec.template.spec.containers[0].name` is missing in Job; "},
    {"a RayJob that keeps its cluster",
     "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: j, " QUEUE "}\nspec:\n  rayClusterSpec:\n"
     "    headGroupSpec: {" POD "}\n",
     "5:3 `spec.shutdownAfterJobFinishes` must be true in a job with a queue; the cluster would hold its "
     "quota for "
     "ever; write `shutdownAfterJobFinishes: true`"},
    {"autoscaling without an elastic job",
     "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: c, " QUEUE "}\nspec:\n"
     "  enableInTreeAutoscaling: true\n  headGroupSpec: {" POD "}\n",
     "5:28 `spec.enableInTreeAutoscaling` needs an elastic job; set the annotation "
     "`kueue.x-k8s.io/elastic-job: "
     "\"true\"`"},
    {"names of groups that are equal in lower case",
     "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: c, " QUEUE "}\nspec:\n  headGroupSpec: {" POD
     "}\n"
     "  workerGroupSpecs:\n  - {groupName: W, " POD "}\n  - {groupName: w, " POD "}\n",
     "1:1 two pod sets are called `w`; names are lower-cased; the job would be stored, and stay suspended "
     "without a "
     "Workload"},
    {"an app wrapper without pods",
     "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nmetadata: {name: a, " QUEUE
     "}\nspec: {components: [{template: {}}]}\n",
     "1:1 the job has no pod sets; the job would be stored, and stay suspended without a Workload"},
    {"a TrainJob without its runtime",
     "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t, " QUEUE
     "}\nspec: {runtimeRef: {name: none}}\n",
     "4:20 ClusterTrainingRuntime `none` is not there; give it together with the job: a snapshot does not keep "
     "runtimes"},
    {"a priority class that is not there",
     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  labels:\n    kueue.x-k8s.io/queue-name: q\n"
     "    kueue.x-k8s.io/priority-class: high\nspec: {" POD "}\n",
     "7:36 WorkloadPriorityClass `high` is not there; "},
    {"a finished job",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " QUEUE "}\nspec: {" POD "}\n"
     "status: {conditions: [{type: Complete, status: \"True\"}]}\n",
     "note: the job is finished"},
    {"a running job",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " QUEUE "}\nspec: {" POD
     "}\nstatus: {active: 2}\n",
     "note: the job has running pods: Kueue waits until they have ended"},
    {"a Deployment of a live cluster, whose pods are there too",
     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, " QUEUE "}\nspec: {" POD
     "}\nstatus: {replicas: 1}\n",
     "note: its pods have the Workloads"},
    {"more Workloads than are decided",
     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, " QUEUE
     "}\nspec:\n  replicas: 2000000000\n  " POD "\n",
     "5:13 2000000000 replicas would be as many Workloads; 100000 are the most that are decided; "},
    {"a part of a job that Kueue manages",
     "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: s, uid: u1, " QUEUE
     "}\nspec: {}\n---\n"
     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: s-a-0\n  " QUEUE "\n  ownerReferences:\n"
     "  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: u1, controller: true}\nspec: "
     "{" POD "}\n",
     "note: belongs to JobSet `s`, which has the Workload"},
    {"a part of a job without a queue stands for itself",
     "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: s, uid: u1}\nspec: {}\n---\n"
     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  uid: j\n  " QUEUE "\n  ownerReferences:\n"
     "  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: u1, controller: true}\nspec: "
     "{" POD "}\n",
     "job-j-c1ee1"},
    {"a part of a job that is not here",
     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  " QUEUE "\n  ownerReferences:\n"
     "  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: u1, controller: true}\nspec: "
     "{" POD "}\n",
     "note: belongs to JobSet `s`, which is not here"},
    {"several layers of slices",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " QUEUE "}\nspec:\n  template:\n    metadata:\n"
     "      annotations:\n        kueue.x-k8s.io/podset-slice-required-topology-constraints: '[]'\n"
     "    spec: {containers: [{name: a}]}\n",
     "8:68 `kueue.x-k8s.io/podset-slice-required-topology-constraints` must be a list of 1 to 3 layers; "
     "[{\"topology\": NODE LABEL, \"size\": PODS}, …]"},
};

#undef QUEUE
#undef POD

}  // namespace

BOOST_AUTO_TEST_SUITE(jobs)

BOOST_DATA_TEST_CASE(names, name_cases, c) {
  std::string got = workload_name(c.kind, c.group, c.name, c.uid, c.extra);
  BOOST_TEST(got == c.want);
  BOOST_TEST(got.size() <= 253u);
}

BOOST_DATA_TEST_CASE(answers, job_cases, c) {
  Manifest manifest = parse_manifest(c.text, "test.yaml");
  JobOptions options;
  options.now = *Instant::parse("2026-01-01T00:00:00Z");
  std::vector<JobResult> results = workloads_of(objects_of(manifest), World{}, options);
  BOOST_REQUIRE(!results.empty());
  const JobResult& r = results.back();
  std::string got = "note: " + r.note;
  if (r.refusal) {
    const Error& e = r.refusal->error;
    got = std::to_string(e.line()) + ":" + std::to_string(e.column()) + " " + e.message() + "; " + e.help();
  } else if (!r.workloads.empty()) {
    got = r.workloads.front().name;
  }
  BOOST_TEST(got == c.want);
}

BOOST_AUTO_TEST_CASE(a_workload_has_what_the_job_says) {
  Manifest manifest = parse_manifest(
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  namespace: team\n  uid: 1-2-3\n"
      "  creationTimestamp: \"2026-01-02T03:04:05Z\"\n"
      "  labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/max-exec-time-seconds: \"60\", user: ada}\n"
      "  annotations: {note: x}\n"
      "spec:\n  parallelism: 2\n  template: {spec: {containers: [{name: a}], priorityClassName: high}}\n",
      "test.yaml");
  World world;
  world.priority_classes.push_back({"high", 7, false, {}});
  JobOptions options;
  options.now = *Instant::parse("2026-01-01T00:00:00Z");
  std::vector<JobResult> results = workloads_of(objects_of(manifest), world, options);
  BOOST_REQUIRE(results.size() == 1u);
  BOOST_REQUIRE(results[0].workloads.size() == 1u);
  const Workload& w = results[0].workloads[0];
  BOOST_TEST(w.name_space == "team");
  BOOST_TEST(w.queue == "q");
  BOOST_TEST(w.created.to_string() == "2026-01-02T03:04:05Z");
  BOOST_TEST(w.owner->kind == "Job");
  BOOST_TEST(w.owner->group == "batch");
  BOOST_TEST(w.owner->name == "j");
  BOOST_TEST(w.owner->uid == "1-2-3");
  BOOST_TEST(w.synthetic_uid);
  BOOST_TEST(w.labels.at("user") == "ada");
  BOOST_TEST(w.annotations.at("note") == "x");
  BOOST_TEST(w.max_run_seconds.value_or(0) == 60);
  BOOST_TEST(w.priority == 7);
  BOOST_TEST(w.priority_class == "high");
  BOOST_TEST(w.priority_class_kind == "PriorityClass");
  BOOST_REQUIRE(w.pod_sets.size() == 1u);
  // Both absent would be one; with parallelism alone, as many.
  BOOST_TEST(w.pod_sets[0].count == 2);
}

BOOST_AUTO_TEST_CASE(a_default_queue_is_taken) {
  Manifest manifest = parse_manifest(
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: team}\n"
      "spec: {template: {spec: {containers: [{name: a}]}}}\n",
      "test.yaml");
  World world;
  LocalQueue queue;
  queue.name_space = "team";
  queue.name = "default";
  queue.cluster_queue = "c";
  world.local_queues.push_back(queue);
  std::vector<JobResult> results = workloads_of(objects_of(manifest), world, {});
  BOOST_REQUIRE(results[0].workloads.size() == 1u);
  BOOST_TEST(results[0].workloads[0].queue == "default");
}

BOOST_AUTO_TEST_SUITE_END()
