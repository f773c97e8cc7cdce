#include "kube/configuration.hpp"

#include <fmt/format.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

namespace sluice::kube {
namespace {

constexpr KueueVersion v17 = KueueVersion::v0_17;
constexpr KueueVersion v18 = KueueVersion::v0_18;
constexpr KueueVersion v19 = KueueVersion::v0_19;

Configuration read(const std::string& version, const std::string& body, KueueVersion line) {
  std::string text =
      "apiVersion: config.kueue.x-k8s.io/" + version + "\nkind: Configuration\n" + body;
  return read_configuration(parse_manifest(text, "kueue.yaml"), line);
}

/// What of a configuration decides, as one text: a difference shows itself.
std::string text_of(const Configuration& c) {
  std::string text;
  if (c.manage_jobs_without_queue_name) text += "manages-all ";
  if (c.managed_namespaces) text += "selector ";
  if (c.frameworks) text += fmt::format("frameworks={} ", c.frameworks->size());
  if (const auto& w = c.wait_for_pods_ready) {
    text += fmt::format("wait={}", w->timeout.to_string());
    if (w->block_admission) text += " block";
    if (w->recovery_timeout) text += " recovery=" + w->recovery_timeout->to_string();
    if (w->order_by_creation) text += " by-creation";
    if (w->backoff_limit_count) text += fmt::format(" limit={}", *w->backoff_limit_count);
    text += fmt::format(" backoff={}..{} ", w->backoff_base_seconds, w->backoff_max_seconds);
  }
  if (c.fair_sharing) {
    text += "fair=";
    for (FairStrategy s : c.fair_sharing->strategies) text += s == FairStrategy::less_than_initial_share ? 'i' : 'f';
    text += " ";
  }
  if (const auto& a = c.admission_fair_sharing) {
    text += fmt::format("afs={}/{}", a->usage_half_life.to_string(), a->sampling_interval.to_string());
    for (const auto& [name, weight] : a->resource_weights) text += fmt::format(" {}={}", name, weight);
    text += " ";
  }
  if (c.ignore_undeclared) text += "ignores-undeclared ";
  for (const std::string& prefix : c.exclude_resource_prefixes) text += "without=" + prefix + " ";
  for (const ResourceTransformation& t : c.transformations)
    text += fmt::format("{}{}{}:{} ", t.replaces ? "replace=" : "retain=", t.input,
                        t.multiply_by.empty() ? "" : "*" + t.multiply_by, t.outputs.size());
  if (c.maps_device_classes) text += "devices ";
  if (c.keep_finished) text += "keep=" + c.keep_finished->to_string() + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

struct ReadCase {
  const char* why;
  const char* version;
  KueueVersion line;
  const char* body;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const ReadCase& c) {
  return out << c.why;
}

constexpr const char* kWaits = "frameworks=1 wait=30min recovery=30min backoff=60..3600";
const ReadCase read_cases[] = {
    {"nothing said, 0.19: waits for pods", "v1beta2", v19, "", kWaits},
    {"nothing said, 0.18: does not", "v1beta2", v18, "", "frameworks=1"},
    {"nothing said, v1beta1: does not", "v1beta1", v19, "", "frameworks=1"},
    {"an empty block of v1beta2", "v1beta2", v19, "waitForPodsReady: {}\n", kWaits},
    {"v1beta1 has to switch it on", "v1beta1", v19, "waitForPodsReady: {timeout: 1m}\n", "frameworks=1"},
    {"v1beta1 blocks and waits 5 minutes", "v1beta1", v19, "waitForPodsReady: {enable: true}\n",
     "frameworks=1 wait=5min block recovery=5min backoff=60..3600"},
    {"recovery follows the timeout", "v1beta2", v19, "waitForPodsReady: {timeout: 90s}\n",
     "frameworks=1 wait=1min30s recovery=1min30s backoff=60..3600"},
    {"all of waitForPodsReady", "v1beta2", v19,
     "waitForPodsReady:\n  timeout: 10m\n  blockAdmission: true\n  recoveryTimeout: 3m\n  requeuingStrategy:\n"
     "    timestamp: Creation\n    backoffLimitCount: 5\n    backoffBaseSeconds: 10\n    backoffMaxSeconds: 100\n",
     "frameworks=1 wait=10min block recovery=3min by-creation limit=5 backoff=10..100"},
    {"a gate switches waiting off", "v1beta2", v19, "featureGates: {DisableWaitForPodsReady: true}\n",
     "frameworks=1"},
    {"a null is absent", "v1beta2", v18, "fairSharing: null\nintegrations: {frameworks: null}\n", "frameworks=1"},
    {"fair sharing, one strategy", "v1beta2", v18,
     "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n", "frameworks=1 fair=i"},
    {"fair sharing of v1beta1 is off unless enabled", "v1beta1", v18,
     "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n", "frameworks=1"},
    {"fair sharing of v1beta1 has both strategies", "v1beta1", v18, "fairSharing: {enable: true}\n",
     "frameworks=1 fair=fi"},
    {"admission fair sharing", "v1beta2", v18,
     "admissionFairSharing: {usageHalfLifeTime: 168h, resourceWeights: {cpu: 0, nvidia.com/gpu: 2.5}}\n",
     "frameworks=1 afs=7d/5min cpu=0 nvidia.com/gpu=2.5"},
    {"resources", "v1beta2", v18,
     "resources:\n  excludeResourcePrefixes: [example.com/, x]\n  transformations:\n"
     "  - {input: nvidia.com/mig-1g.5gb, strategy: Replace, outputs: {example.com/gpc: 1, memory: 5Gi}}\n"
     "  - {input: nvidia.com/gpu, multiplyBy: cpu, outputs: {example.com/gpc: 7}}\n",
     "frameworks=1 without=example.com/ without=x replace=nvidia.com/mig-1g.5gb:2 retain=nvidia.com/gpu*cpu:1"},
    {"undeclared resources", "v1beta2", v19,
     "resources: {quotaCheckStrategy: IgnoreUndeclared}\nfeatureGates: {DisableWaitForPodsReady: true}\n",
     "frameworks=1 ignores-undeclared"},
    {"jobs", "v1beta2", v18,
     "manageJobsWithoutQueueName: true\nmanagedJobsNamespaceSelector:\n  matchLabels: {managed: 'true'}\n"
     "integrations: {frameworks: [batch/job, pod, ray.io/rayjob], externalFrameworks: [Foo.v1.example.com]}\n",
     "manages-all selector frameworks=3"},
    {"how long objects stay", "v1beta2", v18, "objectRetentionPolicies: {workloads: {afterFinished: 1h}}\n",
     "frameworks=1 keep=1h"},
    {"what decides nothing", "v1beta2", v18,
     "health: {healthProbeBindAddress: ':8081'}\nmetrics: {bindAddress: ':8443'}\nwebhook: {port: 9443}\n"
     "leaderElection: {leaderElect: true, resourceName: x}\nclientConnection: {qps: 50, burst: 100}\n"
     "controller: {groupKindConcurrency: {Job.batch: 5}}\ninternalCertManagement: {enable: false}\n"
     "multiKueue: {gcInterval: 1m, origin: o}\nvisibilityServer: {bindPort: 8082}\n",
     "frameworks=1"},
    {"fields that only v1beta1 has", "v1beta1", v18,
     "queueVisibility: {clusterQueues: {maxCount: 10}}\nintegrations: {podOptions: {podSelector: {}}}\n",
     "frameworks=1"},
};

struct RefusedCase {
  const char* why;
  const char* version;
  KueueVersion line;
  const char* body;
  const char* want;  ///< code, place, message
};
std::ostream& operator<<(std::ostream& out, const RefusedCase& c) {
  return out << c.why;
}
const RefusedCase refused_cases[] = {
    {"an unknown field", "v1beta2", v19, "waitForPodReady: {}\n",
     "bad-object 3:1 unknown field `waitForPodReady` in Configuration"},
    {"a field of the other version", "v1beta2", v19, "fairSharing: {enable: true}\n",
     "bad-object 3:15 unknown field `fairSharing.enable` in Configuration"},
    {"a wrong type", "v1beta2", v19, "manageJobsWithoutQueueName: 'true'\n",
     "bad-object 3:29 `manageJobsWithoutQueueName` must be `true` or `false`, not `true`"},
    {"a name", "v1beta2", v19, "metadata: {name: x}\n", "bad-configuration 3:11 a Configuration has no `metadata`"},
    {"no duration", "v1beta2", v19, "waitForPodsReady: {timeout: 5min}\n",
     "bad-configuration 3:29 `5min` is no duration"},
    {"a negative duration", "v1beta2", v19, "waitForPodsReady: {timeout: -5m}\n",
     "bad-configuration 3:29 `-5m` is negative"},
    {"no timeout before 0.19", "v1beta2", v18, "waitForPodsReady: {blockAdmission: true}\n",
     "bad-configuration 3:19 `waitForPodsReady` of Kueue 0.18 needs a `timeout`"},
    {"no such timestamp", "v1beta2", v19, "waitForPodsReady: {requeuingStrategy: {timestamp: Admission}}\n",
     "bad-configuration 3:51 `Admission` is no timestamp to order by"},
    {"no strategies", "v1beta2", v19, "fairSharing: {}\n",
     "bad-configuration 3:14 `fairSharing` needs `preemptionStrategies`"},
    {"strategies the wrong way round", "v1beta2", v19,
     "fairSharing:\n  preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]\n",
     "bad-configuration 4:48 `LessThanOrEqualToFinalShare` cannot stand here"},
    {"a strategy twice", "v1beta2", v19,
     "fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanInitialShare]}\n",
     "bad-configuration 3:60 `LessThanInitialShare` cannot stand here"},
    {"a negative weight", "v1beta2", v19, "admissionFairSharing: {resourceWeights: {cpu: -1}}\n",
     "bad-configuration 3:47 the weight `-1` is negative"},
    {"an input twice", "v1beta2", v19, "resources: {transformations: [{input: a}, {input: a}]}\n",
     "bad-configuration 3:51 the input `a` is transformed twice"},
    {"two ways to leave resources out", "v1beta2", v19,
     "resources: {excludeResourcePrefixes: [a], quotaCheckStrategy: IgnoreUndeclared}\n",
     "bad-configuration 3:63 `IgnoreUndeclared` and `excludeResourcePrefixes` exclude each other"},
    {"a field of a later line", "v1beta2", v17, "resources: {quotaCheckStrategy: IgnoreUndeclared}\n",
     "bad-configuration 3:33 Kueue 0.17 has no `quotaCheckStrategy` yet"},
    {"no integration", "v1beta2", v19, "integrations: {frameworks: [batch/jobs]}\n",
     "bad-configuration 3:29 `batch/jobs` is no integration"},
    {"an integration twice", "v1beta2", v19, "integrations: {frameworks: [pod, pod]}\n",
     "bad-configuration 3:34 the integration `pod` is listed twice"},
    {"kube-system is selected", "v1beta2", v19, "managedJobsNamespaceSelector: {}\n",
     "bad-configuration 3:31 `managedJobsNamespaceSelector` must leave out the namespace `kube-system`"},
    {"Kueue's own namespace is selected", "v1beta2", v19,
     "namespace: queues\nmanagedJobsNamespaceSelector:\n  matchExpressions:\n"
     "  - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}\n",
     "bad-configuration 5:3 `managedJobsNamespaceSelector` must leave out the namespace `queues`"},
    {"another kind twice", "v1beta2", v19,
     "integrations: {externalFrameworks: [Foo.v1.example.com, Foo.v1.example.com]}\n",
     "bad-configuration 3:57 the integration `Foo.v1.example.com` is listed twice"},
    {"MultiKueue: a negative time", "v1beta2", v19, "multiKueue: {gcInterval: -1s}\n",
     "bad-configuration 3:26 `-1s` is negative"},
    {"MultiKueue: a negative time of v1beta1", "v1beta1", v19, "multiKueue: {workerLostTimeout: -1s}\n",
     "bad-configuration 3:33 `-1s` is negative"},
    {"MultiKueue: an origin that is no label value", "v1beta2", v19, "multiKueue: {origin: a b}\n",
     "bad-configuration 3:22 `a b` is no label value"},
    {"MultiKueue: no kind", "v1beta2", v19, "multiKueue: {externalFrameworks: [{name: Foo}]}\n",
     "bad-configuration 3:42 `Foo` names no kind"},
    {"MultiKueue: a kind without a name", "v1beta2", v19, "multiKueue: {externalFrameworks: [{}]}\n",
     "bad-configuration 3:35 `` names no kind"},
    {"MultiKueue: steps of another dispatcher", "v1beta2", v19,
     "multiKueue: {incrementalDispatcherConfig: {stepSize: 2}}\n",
     "bad-configuration 3:43 `incrementalDispatcherConfig` needs `dispatcherName: "
     "kueue.x-k8s.io/multikueue-dispatcher-incremental`"},
    {"MultiKueue: no step", "v1beta2", v19,
     "multiKueue:\n  dispatcherName: kueue.x-k8s.io/multikueue-dispatcher-incremental\n"
     "  incrementalDispatcherConfig: {stepSize: 0}\n",
     "bad-configuration 5:43 `stepSize` must be at least 1, not 0"},
    {"no port", "v1beta2", v19, "visibilityServer: {bindPort: 65536}\n", "bad-configuration 3:30 `65536` is no port"},
    {"no such gate", "v1beta2", v19, "featureGates: {PartialAdmission: false, PartialAdmision: true}\n",
     "unknown-feature-gate 3:41 `PartialAdmision` is no feature gate of Kueue 0.19"},
    {"a locked gate", "v1beta2", v19, "featureGates: {HierarchicalCohorts: false}\n",
     "locked-feature-gate 3:16 the feature gate `HierarchicalCohorts` is locked to true in Kueue 0.19"},
    {"a gate without the one below it", "v1beta2", v19, "featureGates: {TopologyAwareScheduling: false}\n",
     "feature-gate-needs 3:15 the feature gate `TASProfileMixed` is on, but `TopologyAwareScheduling` is off"},
    {"no Configuration version", "v1alpha1", v19, "",
     "bad-configuration 1:13 `config.kueue.x-k8s.io/v1alpha1` is not known"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(configuration)

BOOST_DATA_TEST_CASE(reads, read_cases, c) {
  BOOST_TEST(text_of(read(c.version, c.body, c.line)) == c.want);
}

BOOST_DATA_TEST_CASE(refuses, refused_cases, c) {
  try {
    read(c.version, c.body, c.line);
    BOOST_ERROR("read without an error");
  } catch (const Error& e) {
    BOOST_TEST(fmt::format("{} {}:{} {}", e.code(), e.line(), e.column(), e.message()) == c.want);
  }
}

BOOST_AUTO_TEST_CASE(gates_follow_the_line) {
  Configuration c = read("v1beta2", "featureGates: {AllAlpha: true, PriorityBoost: false}\n", v18);
  BOOST_TEST((c.gates.version == v18));
  BOOST_TEST(c.gates.concurrent_admission);
  BOOST_TEST(!c.gates.priority_boost);
}

BOOST_AUTO_TEST_CASE(another_object_is_refused) {
  for (const char* text : {"kind: ConfigMap\n", "kind: Deployment\n", "a: b\n", "[]\n", "kind: Configuration\n"}) {
    BOOST_CHECK_EXCEPTION(read_configuration(parse_manifest(text, "f"), v19), Error,
                          [](const Error& e) { return e.code() == "bad-configuration" && e.line() == 1; });
  }
}

BOOST_AUTO_TEST_CASE(the_config_map_of_an_installation_holds_one) {
  const std::string head =
      "kind: ConfigMap\napiVersion: v1\nmetadata: {name: kueue-manager-config}\ndata:\n"
      "  controller_manager_config.yaml: |\n    apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n";
  Configuration c =
      read_configuration(parse_manifest(head + "    manageJobsWithoutQueueName: true\n", "cm.yaml"), v18);
  BOOST_TEST(c.manage_jobs_without_queue_name);
  BOOST_CHECK_EXCEPTION(read_configuration(parse_manifest(head + "    nothing: true\n", "cm.yaml"), v18), Error,
                        [](const Error& e) {
                          return e.file() == "cm.yaml#controller_manager_config.yaml" && e.line() == 3;
                        });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::kube
