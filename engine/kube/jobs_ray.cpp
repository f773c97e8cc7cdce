#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "kube/job_parts.hpp"

// RayCluster, RayJob, RayService. Source: Kueue pkg/controller/jobs/raycluster, rayjob, rayservice; KubeRay
// for the containers that it adds to the head.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kFaultTolerance = "ray.io/ft-enabled";

Container autoscaler_container(const Job& job, const Value* options) {
  Container c;
  c.name = "autoscaler";
  if (const Value* resources = options ? options->find("resources") : nullptr) {
    c.requests = resources_of(job.manifest(), resources->find("requests"));
    c.limits = resources_of(job.manifest(), resources->find("limits"));
    return c;
  }
  c.requests = c.limits = {{"cpu", *Quantity::parse("500m")}, {"memory", *Quantity::parse("512Mi")}};
  return c;
}

Container submitter_container() {
  Container c;
  c.name = "ray-job-submitter";
  c.requests = {{"cpu", *Quantity::parse("500m")}, {"memory", *Quantity::parse("200Mi")}};
  c.limits = {{"cpu", *Quantity::parse("1")}, {"memory", *Quantity::parse("1Gi")}};
  return c;
}

bool has_redis(const Job& job, const Value& cluster) {
  std::string value(job.annotation(kFaultTolerance));
  std::transform(value.begin(), value.end(), value.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return value == "true" || cluster.find("gcsFaultToleranceOptions");
}

/// KubeRay ends a cluster with a Redis store by a clean-up job in the head's place; the quota covers the
/// larger.
void count_redis_cleanup(const Job& job, Draft& head) {
  if (head.pod_set.pod.containers.empty()) {
    job.refuse(RefusedBy::validating_webhook, head.template_at ? *head.template_at : *job.object->value,
               fmt::format("`{}` has no container for Ray", head.path));
  }
  Resources& requests = head.pod_set.pod.containers.front().requests;
  for (const auto& [name, text] : {std::pair("cpu", "200m"), std::pair("memory", "256Mi")}) {
    Quantity least = *Quantity::parse(text);
    auto [at, added] = requests.emplace(name, least);
    if (!added && at->second < least) at->second = least;
  }
}

std::int32_t worker_count(const Value& group) {
  // The schema's defaults are 0 and 1: a cluster has no group without `replicas`.
  std::int32_t count = int32_or(group.find("replicas"), 0);
  std::int32_t hosts = int32_or(group.find("numOfHosts"), 1);
  return hosts > 1 ? wrapping_product(count, hosts) : count;
}

std::span<const Value> worker_groups(const Value& cluster) {
  const Value* groups = cluster.find("workerGroupSpecs");
  return groups ? groups->items() : std::span<const Value>();
}

bool autoscaling(const Value& cluster) {
  return boolean_or(cluster.find("enableInTreeAutoscaling"), false);
}

/// What the webhooks of all three kinds check in a job with a queue.
void check_cluster(const Job& job, const Value& cluster, const std::string& path) {
  if (job.queue().empty()) return;
  if (autoscaling(cluster) && !job.elastic()) {
    job.refuse(RefusedBy::validating_webhook, *cluster.find("enableInTreeAutoscaling"),
               fmt::format("`{}.enableInTreeAutoscaling` needs an elastic job", path),
               fmt::format("set the annotation `{}: \"true\"`{}", kElastic,
                           job.options->kueue.gates.elastic_slices
                               ? ""
                               : " and enable the feature gate ElasticJobsViaWorkloadSlices"));
  }
  std::size_t index = 0;
  for (const Value& group : worker_groups(cluster)) {
    if (text_of(group.find("groupName")) == "head") {
      job.refuse(
          RefusedBy::validating_webhook, *group.find("groupName"),
          fmt::format("`{}.workerGroupSpecs[{}].groupName` may not be `head`: that is the head's pod set",
                      path, index));
    }
    ++index;
  }
  if (index + 1 > kMaxPodSets) {
    job.refuse(RefusedBy::validating_webhook, *cluster.find("workerGroupSpecs"),
               fmt::format("{} worker groups and the head are more than {} pod sets", index, kMaxPodSets));
  }
}

std::vector<Draft> cluster_drafts(const Job& job, const Value& cluster, const std::string& path) {
  std::vector<Draft> drafts;
  Draft& head = drafts.emplace_back(
      draft_of(job, "head", 1, cluster.at({"headGroupSpec", "template"}), path + ".headGroupSpec.template"));
  check_topology(job, head, head.pod_set.pod.annotations);
  set_topology(job, head, head.pod_set.pod.annotations);
  if (has_redis(job, cluster)) count_redis_cleanup(job, head);
  if (autoscaling(cluster))
    head.pod_set.pod.containers.push_back(autoscaler_container(job, cluster.find("autoscalerOptions")));

  std::size_t index = 0;
  for (const Value& group : worker_groups(cluster)) {
    Draft& d = drafts.emplace_back(draft_of(job, text_of(group.find("groupName")), worker_count(group),
                                            group.find("template"),
                                            fmt::format("{}.workerGroupSpecs[{}].template", path, index++)));
    check_topology(job, d, d.pod_set.pod.annotations);
    set_topology(job, d, d.pod_set.pod.annotations);
  }
  return drafts;
}

void check_cluster_reference(const Job& job, const Value& spec) {
  const Value* selector = spec.find("clusterSelector");
  bool selects = selector && !selector->members().empty();
  if (selects && spec.find("rayClusterSpec")) {
    job.refuse(RefusedBy::validating_webhook, *selector,
               "`spec.clusterSelector` and `spec.rayClusterSpec` exclude each other in a job with a queue",
               "a job that Kueue manages brings its own cluster: leave out `clusterSelector`");
  }
  if (!selects && !spec.find("rayClusterSpec")) {
    job.refuse(
        RefusedBy::validating_webhook, spec, "`spec.rayClusterSpec` is missing in RayJob",
        "a job with a queue brings its own cluster; one with `clusterSelector` is not managed by Kueue");
  }
}

/// The CRD's own rules.
void check_deletion(const Job& job, const Value* strategy) {
  if (!strategy) return;
  bool rules = strategy->find("deletionRules");
  bool success = strategy->find("onSuccess");
  bool failure = strategy->find("onFailure");
  if (rules && (success || failure)) {
    job.refuse(RefusedBy::schema, *strategy,
               "`deletionRules` and `onSuccess`, `onFailure` exclude each other in `spec.deletionStrategy`");
  }
  if (!rules && !(success && failure)) {
    job.refuse(RefusedBy::schema, *strategy,
               "`spec.deletionStrategy` needs `onSuccess` and `onFailure`, or `deletionRules`");
  }
}

void add_submitter(const Job& job, const Value& spec, std::vector<Draft>& drafts) {
  const Value* own = spec.find("submitterPodTemplate");
  require_containers(job, drafts.front());
  if (!own && drafts.front().pod_set.pod.containers.empty()) {
    job.refuse(
        RefusedBy::validating_webhook, spec,
        "`spec.rayClusterSpec.headGroupSpec.template` has no container, whose image the submitter would run");
  }
  Draft d = draft_of(job, "submitter", 1, own, "spec.submitterPodTemplate");
  if (!own) d.pod_set.pod.containers.push_back(submitter_container());
  set_topology(job, d, d.pod_set.pod.annotations);
  drafts.push_back(std::move(d));
}

}  // namespace

Parts parts_of_ray_cluster(const Job& job) {
  Parts parts;
  const Value* spec = job.spec();
  if (!spec) job.refuse(RefusedBy::schema, "`spec` is missing in RayCluster");
  check_cluster(job, *spec, "spec");
  if (job.elastic() && autoscaling(*spec) &&
      text_of(spec->find("managedBy")) == "kueue.x-k8s.io/multikueue") {
    job.refuse(RefusedBy::validating_webhook, *spec->find("enableInTreeAutoscaling"),
               "autoscaling is not supported for an elastic RayCluster that MultiKueue manages");
  }
  parts.drafts = cluster_drafts(job, *spec, "spec");
  check_topology_groups(job, parts.drafts);
  if (!job.elastic() && job.status() && text_of(job.status()->find("state")) == "ready")
    parts.note = "the cluster is running: Kueue waits until it has ended";
  return parts;
}

Parts parts_of_ray_job(const Job& job) {
  Parts parts;
  const Value* spec = job.spec();
  if (!spec && job.queue().empty()) return parts;  // whoever calls says so
  if (!spec) job.refuse(RefusedBy::validating_webhook, "`spec` is missing in RayJob");
  const Value* cluster = spec->find("rayClusterSpec");
  check_deletion(job, spec->find("deletionStrategy"));
  if (!job.queue().empty()) {
    check_cluster_reference(job, *spec);
    if (!cluster) {
      parts.note = "the job runs on an existing cluster (`clusterSelector`), which has the quota";
      return parts;
    }
    if (!boolean_or(spec->find("shutdownAfterJobFinishes"), false)) {
      const Value* at = spec->find("shutdownAfterJobFinishes");
      job.refuse(RefusedBy::validating_webhook, at ? *at : *spec,
                 "`spec.shutdownAfterJobFinishes` must be true in a job with a queue",
                 "the cluster would hold its quota for ever; write `shutdownAfterJobFinishes: true`");
    }
    check_cluster(job, *cluster, "spec.rayClusterSpec");
  }
  if (!cluster) return parts;  // without a queue; whoever calls says so
  parts.drafts = cluster_drafts(job, *cluster, "spec.rayClusterSpec");

  const Value* mode = spec->find("submissionMode");
  std::string submission = mode ? text_of(mode) : "K8sJobMode";
  if (submission == "K8sJobMode") add_submitter(job, *spec, parts.drafts);
  check_topology_groups(job, parts.drafts);
  if (submission == "SidecarMode")
    parts.drafts.front().pod_set.pod.containers.push_back(submitter_container());

  std::string state = job.status() ? text_of(job.status()->find("jobDeploymentStatus")) : "";
  if (state == "Complete" || state == "Failed") {
    parts.note = "the job is finished";
  } else if (state == "ValidationFailed") {
    parts.note = "KubeRay refused the job";
  } else if (!state.empty() && state != "Suspended" && !job.elastic()) {
    parts.note = "the job is running: Kueue waits until it has ended";
  }
  return parts;
}

Parts parts_of_ray_service(const Job& job) {
  Parts parts;
  const Value* cluster = job.spec() ? job.spec()->find("rayClusterConfig") : nullptr;
  if (!cluster) job.refuse(RefusedBy::schema, "`spec.rayClusterConfig` is missing in RayService");
  check_cluster(job, *cluster, "spec.rayClusterConfig");
  parts.drafts = cluster_drafts(job, *cluster, "spec.rayClusterConfig");
  check_topology_groups(job, parts.drafts);
  if (!job.elastic() && has_condition(job, "Ready"))
    parts.note = "the service is running: Kueue waits until it has ended";
  return parts;
}

}  // namespace sluice::kube::jobs
