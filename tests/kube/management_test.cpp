#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

#include "kube/configuration.hpp"
#include "kube/decode.hpp"
#include "kube/jobs.hpp"

/// Which jobs Kueue makes a Workload of, by its configuration and gates.
/// Source: Kueue pkg/controller/jobframework (defaults.go, reconciler.go, utils.go), the webhooks of the integrations.
namespace sluice::kube {
namespace {

constexpr const char* kNamespaces =
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, labels: {batch: 'yes'}}\n---\n"
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: default}\nvalue: 7\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: default, namespace: local}\n"
    "spec: {clusterQueue: c}\n";

constexpr const char* kOnlyTeam =
    "managedJobsNamespaceSelector:\n  matchLabels: {batch: 'yes'}\n";

std::string job(const std::string& name_space, const std::string& labels, const std::string& name = "j",
                const std::string& annotations = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name + ", namespace: " + name_space +
         ", labels: {" + labels + "}, annotations: {" + annotations +
         "}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}\n";
}

struct Case {
  const char* why;
  KueueVersion line;
  std::string configuration;
  std::string job;
  std::string want;  ///< the Workload's name, queue and priority, or why there is none
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.why;
}

constexpr KueueVersion v17 = KueueVersion::v0_17;
constexpr KueueVersion v19 = KueueVersion::v0_19;
constexpr KueueVersion v20 = KueueVersion::v0_20;
const std::string kQueued = "kueue.x-k8s.io/queue-name: q";
const std::string kLong = "a-name-that-is-so-long-that-it-does-not-fit-into-the-value-of-a-label";

const Case cases[] = {
    {"a job with a queue", v19, "", job("team", kQueued), "job-j-c1ee1 q 0"},
    {"a job without", v19, "", job("team", ""), "no queue name"},
    {"a job without, all are managed", v19, "manageJobsWithoutQueueName: true\n", job("team", ""), "job-j-c1ee1  0"},
    {"all are managed, not in kube-system", v19, "manageJobsWithoutQueueName: true\n", job("kube-system", ""),
     "Kueue leaves namespace `kube-system` alone"},
    {"Kueue's own namespace", v19, "namespace: queues\n", job("queues", kQueued),
     "Kueue leaves namespace `queues` alone"},
    {"what was Kueue's own namespace", v19, "namespace: queues\n", job("kueue-system", kQueued), "job-j-c1ee1 q 0"},
    {"a namespace that is selected", v19, kOnlyTeam, job("team", kQueued), "job-j-c1ee1 q 0"},
    {"one that is not", v19, kOnlyTeam, job("other", kQueued), "Kueue leaves namespace `other` alone"},
    {"one that is not, the gate off", v17,
     std::string(kOnlyTeam) + "featureGates: {ManagedJobsNamespaceSelectorAlwaysRespected: false}\n",
     job("other", kQueued), "job-j-c1ee1 q 0"},
    {"the gate off, without a queue", v17,
     std::string(kOnlyTeam) +
         "manageJobsWithoutQueueName: true\nfeatureGates: {ManagedJobsNamespaceSelectorAlwaysRespected: false}\n",
     job("other", ""), "Kueue leaves namespace `other` alone"},
    {"the queue `default` of a namespace", v19, "", job("local", ""), "job-j-c1ee1 default 0"},
    {"not where jobs are not managed", v19, kOnlyTeam, job("local", ""), "no queue name"},
    {"an integration that is off", v19, "integrations: {frameworks: [pod]}\n", job("team", kQueued),
     "Kueue's integration of Job is switched off"},
    {"the priority class `default`", v20, "", job("team", kQueued), "job-j-c1ee1 q 7"},
    {"not before 0.20", v19, "", job("team", kQueued), "job-j-c1ee1 q 0"},
    {"a long name", v19, "", job("team", kQueued, kLong), "job-" + kLong + "-32e43 q 0"},
    {"a long name, made short", v19, "featureGates: {ShortWorkloadNames: true}\n", job("team", kQueued, kLong),
     "job-" + kLong.substr(0, 53) + "-32e43 q 0"},
    {"a prebuilt Workload by annotation", v19, "",
     job("team", kQueued, "j", "kueue.x-k8s.io/prebuilt-workload-name: w"), "the prebuilt workload `w` is not found"},
    {"not before 0.18", v17, "", job("team", kQueued, "j", "kueue.x-k8s.io/prebuilt-workload-name: w"),
     "job-j-c1ee1 q 0"},
};

std::string made_of(const Case& c) {
  std::string text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + c.configuration;
  if (c.configuration.find("frameworks") == std::string::npos) text += "integrations: {frameworks: [batch/job]}\n";
  JobOptions options;
  options.kueue = read_configuration(parse_manifest(text, "kueue.yaml"), c.line);
  World world;
  Manifest others = parse_manifest(kNamespaces, "cluster.yaml");
  add_objects(world, objects_of(others), {});
  Manifest manifest = parse_manifest(c.job, "job.yaml");
  std::vector<Object> objects = objects_of(manifest);
  JobResult result = workloads_of(objects, world, options).front();
  if (result.refusal) return result.refusal->error.message();
  if (result.workloads.empty()) return result.note;
  const Workload& w = result.workloads.front();
  return w.name + " " + w.queue + " " + std::to_string(w.priority);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(management)

BOOST_DATA_TEST_CASE(becomes, cases, c) {
  BOOST_TEST(made_of(c) == c.want);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::kube
