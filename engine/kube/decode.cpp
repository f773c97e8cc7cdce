#include "kube/decode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "base/names.hpp"
#include "base/suggest.hpp"
#include "kube/jobs.hpp"
#include "kube/kinds.hpp"
#include "kube/schema.hpp"
#include "model/pod_set_pool.hpp"

namespace sluice::kube {

namespace {

/// What a kind's objects are sorted by and replaced by.
template <class T>
std::pair<std::string_view, std::string_view> key_of(const T& object) {
  if constexpr (requires { object.name_space; })
    return {object.name_space, object.name};
  else
    return {{}, object.name};
}

template <class T>
bool before(const T& a, const T& b) {
  return key_of(a) < key_of(b);
}

/// A pod that is bound to a node takes room there and makes no Workload any more, as it is no longer held back.
bool is_on_node(const Object& object) {
  if (object.kind != "Pod" || !object.group.empty()) return false;
  const Value* node = object.value->at({"spec", "nodeName"});
  return node != nullptr && !node->text().empty();
}

void keep_status(Workload& workload, const Workload& old) {
  bool has_status = workload.admitted_queue || !workload.conditions.empty() || !workload.checks.empty() ||
                    !workload.reclaimable.empty() || workload.requeue_at;
  if (has_status) return;
  workload.admitted_queue = old.admitted_queue;
  workload.assignments = old.assignments;
  workload.conditions = old.conditions;
  workload.checks = old.checks;
  workload.reclaimable = old.reclaimable;
  workload.requeue_at = old.requeue_at;
  workload.requeue_count = old.requeue_count;
  workload.past_run_seconds = old.past_run_seconds;
  workload.unhealthy_nodes = old.unhealthy_nodes;
}

template <class T>
void merge(std::vector<T>& into, std::vector<T>&& added) {
  if (added.empty()) return;
  std::stable_sort(added.begin(), added.end(), before<T>);
  auto middle = static_cast<std::ptrdiff_t>(into.size());
  into.insert(into.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  std::inplace_merge(into.begin(), into.begin() + middle, into.end(), before<T>);
  // Of equal keys the last one stays.
  std::size_t kept = 0;
  for (std::size_t i = 1; i < into.size(); ++i) {
    if (key_of(into[kept]) != key_of(into[i])) ++kept;
    if (kept != i) into[kept] = std::move(into[i]);
  }
  into.resize(kept + 1);
}

/// The same for workloads; those that stay are not touched.
void merge(SharedList<Workload>& into, SharedList<Workload>&& added) {
  if (added.empty()) return;
  added.sort(before<Workload>);
  SharedList<Workload> over;
  for (Workload& workload : added.edit_all()) {
    bool again = !over.empty() && key_of(over.back()) == key_of(workload);
    auto old = std::lower_bound(into.begin(), into.end(), workload, before<Workload>);
    bool known = old != into.end() && key_of(*old) == key_of(workload);
    if (again || known) {
      const Workload& earlier = again ? over.back() : *old;
      keep_status(workload, earlier);
      workload.arrival = earlier.arrival;
    }
    if (again) {
      over.edit_back() = std::move(workload);
    } else {
      over.push_back(std::move(workload));
    }
  }
  into.overlay(over, key_of<Workload>);
}

template <auto read, auto list>
void add(const Input& input, World& world) {
  (world.*list).push_back(read(input));
}

struct KnownKind {
  std::string_view group;
  std::string_view kind;
  std::string_view versions;  ///< served, joined by blanks
  void (*add)(const Input& input, World& world);
};

constexpr std::string_view kueue = "kueue.x-k8s.io";
constexpr std::string_view both = "v1beta2 v1beta1";
constexpr KnownKind known_kinds[] = {
    {kueue, "ResourceFlavor", both, add<resource_flavor_of, &World::flavors>},
    {kueue, "ClusterQueue", both, add<cluster_queue_of, &World::cluster_queues>},
    {kueue, "Cohort", both, add<cohort_of, &World::cohorts>},
    {kueue, "LocalQueue", both, add<local_queue_of, &World::local_queues>},
    {kueue, "Workload", both, add<workload_of, &World::workloads>},
    {kueue, "WorkloadPriorityClass", both,
     add<workload_priority_class_of, &World::workload_priority_classes>},
    {kueue, "AdmissionCheck", both, add<admission_check_of, &World::admission_checks>},
    {kueue, "ProvisioningRequestConfig", both, add<provisioning_config_of, &World::provisioning_configs>},
    {"autoscaling.x-k8s.io", "ProvisioningRequest", "v1 v1beta1",
     add<provisioning_request_of, &World::provisioning_requests>},
    {kueue, "Topology", both, add<topology_of, &World::topologies>},
    {"", "Namespace", "v1", add<namespace_of, &World::namespaces>},
    {"", "LimitRange", "v1", add<limit_range_of, &World::limit_ranges>},
    {"", "Node", "v1", add<node_of, &World::nodes>},
    {"", "Pod", "v1", add<pod_on_node_of, &World::pods>},
    {"node.k8s.io", "RuntimeClass", "v1", add<runtime_class_of, &World::runtime_classes>},
    {"trainer.kubeflow.org", "TrainingRuntime", "v1alpha1",
     add<training_runtime_of, &World::training_runtimes>},
    {"trainer.kubeflow.org", "ClusterTrainingRuntime", "v1alpha1",
     add<training_runtime_of, &World::training_runtimes>},
    {"scheduling.k8s.io", "PriorityClass", "v1", add<priority_class_of, &World::priority_classes>},
};

const KnownKind* find_kind(const Object& object) {
  for (const KnownKind& kind : known_kinds)
    if (kind.group == object.group && kind.kind == object.kind) return &kind;
  return nullptr;
}

std::string api_version_of(const Object& object) {
  return object.group.empty() ? std::string(object.version)
                              : fmt::format("{}/{}", object.group, object.version);
}

void check_version(const KnownKind& kind, const Object& object) {
  std::string served;
  std::string_view rest = kind.versions;
  while (!rest.empty()) {
    std::string_view version = rest.substr(0, rest.find(' '));
    if (version == object.version) return;
    rest.remove_prefix(std::min(rest.size(), version.size() + 1));
    served += fmt::format("{}`{}{}{}`", served.empty() ? "" : " or ", kind.group,
                          kind.group.empty() ? "" : "/", version);
  }
  const Value* at = object.find("apiVersion");
  refuse(object, at == nullptr ? *object.value : *at,
         fmt::format("{} is not served as `{}`", object.kind, api_version_of(object)), "write " + served);
}

/// A kind of Kueue that does not exist is a slip, not somebody else's object.
void check_group(const Object& object) {
  if (object.group != kueue || object.kind == "MultiKueueConfig" || object.kind == "MultiKueueCluster")
    return;
  std::vector<std::string_view> names;
  for (const KnownKind& kind : known_kinds)
    if (kind.group == kueue) names.push_back(kind.kind);
  const Value* at = object.find("kind");
  std::string_view meant = nearest(object.kind, names);
  refuse(object, at == nullptr ? *object.value : *at,
         fmt::format("`{}` has no kind `{}`", kueue, object.kind),
         meant.empty() ? std::string{} : fmt::format("did you mean `{}`?", meant));
}

/// Kinds that Kueue or the rest of a cluster has and that decide nothing here.
struct IdleKinds {
  std::string_view group;
  std::string_view kinds;  ///< joined by blanks
};
constexpr IdleKinds idle_kinds[] = {
    {"", "ConfigMap Endpoints Event PersistentVolume PersistentVolumeClaim PodTemplate ReplicationController "
         "ResourceQuota Secret Service ServiceAccount"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration ValidatingAdmissionPolicy "
                                     "ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration"},
    {"apps", "ControllerRevision DaemonSet ReplicaSet"},
    {"autoscaling", "HorizontalPodAutoscaler"},
    {"batch", "CronJob"},
    {"coordination.k8s.io", "Lease"},
    {"discovery.k8s.io", "EndpointSlice"},
    {"events.k8s.io", "Event"},
    {"kubeflow.org", "MPIJob"},  // of the training operator; Kueue takes that of the MPI operator
    {"kueue.x-k8s.io", "MultiKueueCluster MultiKueueConfig"},
    {"networking.k8s.io", "Ingress IngressClass NetworkPolicy"},
    {"policy", "PodDisruptionBudget"},
    {"rbac.authorization.k8s.io", "ClusterRole ClusterRoleBinding Role RoleBinding"},
    {"resource.k8s.io", "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"},
    {"storage.k8s.io", "CSIDriver CSINode StorageClass VolumeAttachment"},
};

bool has_word(std::string_view words, std::string_view word) {
  return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

bool is_idle(const Object& object) {
  for (const IdleKinds& idle : idle_kinds)
    if (idle.group == object.group) return has_word(idle.kinds, object.kind);
  return false;
}

/// A scenario is written to be played: an object that nothing knows is a slip in its kind or apiVersion.
void check_known(const Object& object) {
  if (is_idle(object)) return;
  std::vector<JobKind> kinds = job_kinds();
  for (const KnownKind& kind : known_kinds)
    kinds.push_back({kind.group, kind.versions.substr(0, kind.versions.find(' ')), kind.kind});
  std::vector<std::string_view> names;
  for (const JobKind& kind : kinds) names.push_back(kind.kind);
  std::string help;
  std::string_view meant = nearest(object.kind, names);
  for (const JobKind& kind : kinds) {
    if (kind.kind != meant || !help.empty()) continue;
    help = fmt::format("did you mean `{}` of `{}{}{}`?", kind.kind, kind.group, kind.group.empty() ? "" : "/",
                       kind.version);
  }
  const Value* at = object.find("kind");
  refuse(object, at == nullptr ? *object.value : *at,
         fmt::format("unknown kind `{}` of `{}`", object.kind, api_version_of(object)), help);
}

/// Fields that have another name in the other version: the distance between the words would not find them.
struct RenamedField {
  std::string_view kind;
  std::string_view path;
  std::string_view help;
};
constexpr RenamedField renamed_fields[] = {
    {"ClusterQueue", "spec.cohort", "in v1beta2 it is `cohortName`"},
    {"ClusterQueue", "spec.cohortName", "in v1beta1 it is `cohort`"},
    {"ClusterQueue", "spec.admissionChecks",
     "in v1beta2 it is `admissionChecksStrategy: {admissionChecks: [{name: …}]}`"},
    {"Workload", "spec.priorityClassName",
     "in v1beta2 it is `priorityClassRef: {group: …, kind: …, name: …}`"},
    {"Workload", "spec.priorityClassSource",
     "in v1beta2 it is `priorityClassRef: {group: …, kind: …, name: …}`"},
    {"Workload", "spec.priorityClassRef", "in v1beta1 it is `priorityClassName` and `priorityClassSource`"},
};

std::string help_of(const Object& object, const Problem& problem) {
  if (problem.kind == Problem::Kind::unknown_field)
    for (const RenamedField& field : renamed_fields)
      if (field.kind == object.kind && field.path == problem.path) return std::string(field.help);
  return problem.help;
}

/// Scenarios stand for what is stored already: there only what no decoder reads is refused.
void check_fields(const Object& object, bool scenario) {
  for (const Problem& problem : schema_problems(object)) {
    bool is_decoding =
        problem.kind == Problem::Kind::unknown_field || problem.kind == Problem::Kind::wrong_type;
    if (is_decoding || !scenario) refuse(object, *problem.at, problem.message, help_of(object, problem));
  }
}

void check_names(const Object& object) {
  const Value* name = object.value->at({"metadata", "name"});
  bool is_label = object.kind == "Namespace";
  if (name != nullptr && !(is_label ? is_dns_label(name->text()) : is_dns_subdomain(name->text())))
    refuse(object, *name, fmt::format("`{}` is no name of a {}", name->text(), object.kind),
           "lower-case letters, digits and `-`, with a letter or digit at both ends");
  const Value* name_space = object.value->at({"metadata", "namespace"});
  if (name_space == nullptr || name_space->text().empty()) return;
  if (!is_dns_label(name_space->text()))
    refuse(object, *name_space, fmt::format("`{}` is no name of a namespace", name_space->text()),
           "lower-case letters, digits and `-`, with a letter or digit at both ends");
}

std::uint32_t file_index(World& world, const std::string& path) {
  auto found = std::find(world.files.begin(), world.files.end(), path);
  if (found == world.files.end()) found = world.files.insert(world.files.end(), path);
  return static_cast<std::uint32_t>(found - world.files.begin());
}

void merge_all(World& world, World&& added) {
  merge(world.flavors, std::move(added.flavors));
  merge(world.cluster_queues, std::move(added.cluster_queues));
  merge(world.cohorts, std::move(added.cohorts));
  merge(world.local_queues, std::move(added.local_queues));
  merge(world.workload_priority_classes, std::move(added.workload_priority_classes));
  merge(world.priority_classes, std::move(added.priority_classes));
  merge(world.admission_checks, std::move(added.admission_checks));
  merge(world.provisioning_configs, std::move(added.provisioning_configs));
  merge(world.provisioning_requests, std::move(added.provisioning_requests));
  merge(world.topologies, std::move(added.topologies));
  merge(world.namespaces, std::move(added.namespaces));
  merge(world.limit_ranges, std::move(added.limit_ranges));
  merge(world.runtime_classes, std::move(added.runtime_classes));
  merge(world.training_runtimes, std::move(added.training_runtimes));
  merge(world.nodes, std::move(added.nodes));
  merge(world.pods, std::move(added.pods));
  merge(world.workloads, std::move(added.workloads));
}

class Adder {
 public:
  Adder(World& world, const DecodeOptions& options) : world_(world), options_(options) {
    for (const Workload& workload : world.workloads) arrival_ = std::max(arrival_, workload.arrival);
  }

  std::vector<Skipped> add(std::span<const Object> objects) {
    std::vector<Object> jobs;
    for (const Object& object : objects) {
      if (is_job(object) && !is_on_node(object))
        jobs.push_back(object);
      else
        add(object);
    }
    for (const Workload& workload : added_.workloads) given_.emplace(workload.name_space, workload.name);
    merge_all(world_, std::move(added_));
    if (!jobs.empty()) add_jobs(jobs);
    return std::move(skipped_);
  }

 private:
  void add(const Object& object) {
    const KnownKind* kind = find_kind(object);
    if (kind == nullptr) {
      check_group(object);
      if (options_.scenario) check_known(object);
      skip(object, {});
      return;
    }
    check_version(*kind, object);
    // A pod on a node is what an API server has stored, whatever fields it knows.
    if (object.kind != "Pod" || options_.scenario) check_fields(object, options_.scenario);
    if (options_.scenario)
      check_unique(*kind, object);
    else
      check_names(object);
    kind->add({object, options_, origin_of(object)}, added_);
    if (kind->kind == "Workload") {
      Workload& workload = added_.workloads.edit_back();
      workload.arrival = ++arrival_;
      pool_.share(workload.pod_sets);
    }
  }

  /// A scenario creates its objects; manifests are applied, and the last one stays.
  void check_unique(const KnownKind& kind, const Object& object) {
    if (!seen_.insert({&kind, namespace_name_of(object), name_of(object)}).second)
      refuse(object, *object.value, fmt::format("the {} `{}` is given twice", kind.kind, name_of(object)));
  }

  void add_jobs(const std::vector<Object>& jobs) {
    SharedList<Workload> made;
    for (JobResult& result : workloads_of(
             jobs, world_, {.now = options_.now, .scenario = options_.scenario, .kueue = options_.kueue})) {
      const Object& job = jobs[result.job];
      if (result.refusal) {
        if (!is_stored(result.refusal->by)) throw result.refusal->error;
        skip(job, result.refusal->error.message());
        continue;
      }
      if (result.workloads.empty()) skip(job, result.note);
      for (Workload& workload : result.workloads) {
        if (given_.contains({workload.name_space, workload.name})) continue;
        workload.origin = origin_of(job);
        workload.arrival = ++arrival_;
        pool_.share(workload.pod_sets);
        made.push_back(std::move(workload));
      }
    }
    merge(world_.workloads, std::move(made));
  }

  void skip(const Object& object, std::string reason) {
    skipped_.push_back({origin_of(object), api_version_of(object), std::string(object.kind), name_of(object),
                        std::move(reason)});
  }

  Origin origin_of(const Object& object) {
    return {file_index(world_, object.manifest->path()), object.line};
  }

  World& world_;
  const DecodeOptions& options_;
  PodSetPool pool_;
  World added_;
  std::vector<Skipped> skipped_;
  std::set<std::pair<std::string, std::string>> given_;  ///< Workloads among the objects
  std::set<std::tuple<const KnownKind*, std::string, std::string>> seen_;
  std::uint64_t arrival_ = 0;
};

}  // namespace

bool is_kind(std::string_view kind) {
  for (const KnownKind& known : known_kinds)
    if (known.kind == kind) return true;
  for (const JobKind& known : job_kinds())
    if (known.kind == kind) return true;
  for (const IdleKinds& idle : idle_kinds)
    if (has_word(idle.kinds, kind)) return true;
  return false;
}

std::vector<Skipped> add_objects(World& world, std::span<const Object> objects,
                                 const DecodeOptions& options) {
  return Adder(world, options).add(objects);
}

}  // namespace sluice::kube
