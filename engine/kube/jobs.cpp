#include "kube/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/digest.hpp"
#include "base/names.hpp"
#include "kube/job_parts.hpp"
#include "kube/schema.hpp"
#include "model/selector.hpp"

// Source: Kueue pkg/controller/jobframework (reconciler.go, validation.go, defaults.go, workload_names.go).
namespace sluice::kube {
namespace jobs {
namespace {

/// Kueue follows owners no further.
constexpr int kMaxOwners = 10;

enum class Family : std::uint8_t {
  batch_job,
  job_set,
  ray_cluster,
  ray_job,
  ray_service,
  training_job,
  leader_worker_set,
  stateful_set,
  deployment,
  pod,
  train_job,
  app_wrapper,
  spark_application,
};

struct KnownKind {
  std::string_view group, version, kind;
  Family family;
  std::string_view framework;  ///< its name in integrations.frameworks
};

constexpr KnownKind known_kinds[] = {
    {"batch", "v1", "Job", Family::batch_job, "batch/job"},
    {"jobset.x-k8s.io", "v1alpha2", "JobSet", Family::job_set, "jobset.x-k8s.io/jobset"},
    {"ray.io", "v1", "RayCluster", Family::ray_cluster, "ray.io/raycluster"},
    {"ray.io", "v1alpha1", "RayCluster", Family::ray_cluster, "ray.io/raycluster"},
    {"ray.io", "v1", "RayJob", Family::ray_job, "ray.io/rayjob"},
    {"ray.io", "v1alpha1", "RayJob", Family::ray_job, "ray.io/rayjob"},
    {"ray.io", "v1", "RayService", Family::ray_service, "ray.io/rayservice"},
    {"ray.io", "v1alpha1", "RayService", Family::ray_service, "ray.io/rayservice"},
    {"kubeflow.org", "v1", "PyTorchJob", Family::training_job, "kubeflow.org/pytorchjob"},
    {"kubeflow.org", "v1", "TFJob", Family::training_job, "kubeflow.org/tfjob"},
    {"kubeflow.org", "v1", "XGBoostJob", Family::training_job, "kubeflow.org/xgboostjob"},
    {"kubeflow.org", "v1", "JAXJob", Family::training_job, "kubeflow.org/jaxjob"},
    {"kubeflow.org", "v1", "PaddleJob", Family::training_job, "kubeflow.org/paddlejob"},
    {"kubeflow.org", "v2beta1", "MPIJob", Family::training_job, "kubeflow.org/mpijob"},
    {"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", Family::leader_worker_set, "leaderworkerset.x-k8s.io/leaderworkerset"},
    {"apps", "v1", "StatefulSet", Family::stateful_set, "statefulset"},
    {"apps", "v1", "Deployment", Family::deployment, "deployment"},
    {"", "v1", "Pod", Family::pod, "pod"},
    {"trainer.kubeflow.org", "v1alpha1", "TrainJob", Family::train_job, "trainer.kubeflow.org/trainjob"},
    {"workload.codeflare.dev", "v1beta2", "AppWrapper", Family::app_wrapper, "workload.codeflare.dev/appwrapper"},
    {"sparkoperator.k8s.io", "v1beta2", "SparkApplication", Family::spark_application, "sparkoperator.k8s.io/sparkapplication"},
};

const KnownKind* find_kind(const Object& object) {
  for (const KnownKind& k : known_kinds) {
    if (k.kind == object.kind && k.group == object.group && k.version == object.version) return &k;
  }
  return nullptr;
}

bool is_built_in(const Object& object) {
  return object.group.empty() || object.group == "batch" || object.group == "apps";
}

Labels labels_of_namespace(const World& world, const std::string& name) {
  Labels labels;
  for (const Namespace& n : world.namespaces) {
    if (n.name == name) labels = n.labels;
  }
  labels.emplace("kubernetes.io/metadata.name", name);
  return labels;
}

/// managedJobsNamespaceSelector.
bool is_managed_namespace(const World& world, const Configuration& kueue, const std::string& name) {
  if (!kueue.managed_namespaces) return name != "kube-system" && name != kueue.name_space;
  return matches(*kueue.managed_namespaces, labels_of_namespace(world, name));
}

bool is_integrated(const Configuration& kueue, const KnownKind& kind) {
  if (kind.family == Family::spark_application && !kueue.gates.spark_application_integration) return false;
  return !kueue.frameworks || kueue.frameworks->contains(std::string(kind.framework));
}

// ---- decoding ----

/// Is the problem one that the decoder finds, before any webhook?
bool is_decoding(const Problem& p) {
  return p.kind == Problem::Kind::unknown_field || p.kind == Problem::Kind::wrong_type;
}

/// A scenario's objects do not pass an API server, only decoders and webhooks; these write absent fields as
/// empty ones. Of the built-in kinds only what makes the Workload's own template invalid counts.
bool counts_in_scenario(const Object& object, const Problem& p) {
  if (p.kind == Problem::Kind::missing_field && p.scalar) return false;
  if (object.kind == "SparkApplication" && p.kind == Problem::Kind::missing_field)
    return p.path != "spec.driver" && p.path != "spec.executor";  // an empty one is right
  if (!is_built_in(object)) return true;
  switch (p.kind) {
    case Problem::Kind::unknown_field:
    case Problem::Kind::wrong_type:
    case Problem::Kind::duplicate:
      return true;
    case Problem::Kind::missing_field:
      return p.path.ends_with(".nodeSelectorTerms");
    case Problem::Kind::bad_value:
      return !p.at->is_null() && (object.kind == "Pod" || p.path.find("template.") != std::string::npos);
  }
  return true;
}

/// The schemas of built-in kinds are borrowed from CRDs, which are stricter in places: variables may repeat
/// (Kueue keeps the last one), blanks may surround a quantity.
bool is_crd_only(const Problem& p) {
  if (p.kind == Problem::Kind::duplicate) return p.path.find(".env[") != std::string::npos;
  return p.kind == Problem::Kind::bad_value && p.message.find("must have no blanks") != std::string::npos;
}

/// Returns what only the Workload of the job would be refused for: Kueue's webhooks see the job before that.
std::optional<JobRefusal> check_schema_of(const Job& job) {
  const bool built_in = is_built_in(*job.object);
  std::optional<JobRefusal> later;
  for (const Problem& p : schema_problems(*job.object)) {
    if (built_in && is_crd_only(p)) continue;
    if (job.options->scenario && !counts_in_scenario(*job.object, p)) continue;
    if (is_decoding(p)) job.refuse(RefusedBy::decoding, *p.at, p.message, p.help);
    if (!built_in || !job.options->scenario) job.refuse(RefusedBy::schema, *p.at, p.message, p.help);
    if (!later) later = job.refusal(RefusedBy::workload_schema, *p.at, p.message, p.help);
  }
  // Their schemas leave the status open: it changes with every release.
  if (const Value* status = job.status(); status != nullptr && !status->is_map())
    job.refuse(RefusedBy::decoding, *status, "`status` must be an object");
  return later;
}

void check_names(const Job& job) {
  if (job.options->scenario) return;  // nothing checks them there
  const Value* metadata = job.object->find("metadata");
  auto refuse_at = [&](std::string_view key, std::string message) {
    const Value* at = metadata ? metadata->find(key) : nullptr;
    job.refuse(RefusedBy::schema, at ? *at : *job.object->value, std::move(message));
  };
  if (!is_dns_subdomain(job.name)) {
    refuse_at(job.object->name.empty() ? "generateName" : "name",
              fmt::format("`{}` is no name of an object: lower-case letters, digits, `-` and `.`", job.name));
  }
  if (!is_dns_label(job.name_space))
    refuse_at("namespace", fmt::format("`{}` is no name of a namespace", job.name_space));
  for (const auto& [key, value] : job.labels) {
    if (!is_qualified_name(key)) refuse_at("labels", fmt::format("`{}` is no label key", key));
    if (!is_label_value(value))
      job.refuse(RefusedBy::schema, job.place_of_label(key), fmt::format("`{}` is no label value", value));
  }
}

const Value* controller_of(const Object& object) {
  const Value* owners = object.value->at({"metadata", "ownerReferences"});
  for (const Value& owner : owners ? owners->items() : std::span<const Value>()) {
    if (boolean_or(owner.find("controller"), false)) return &owner;
  }
  return nullptr;
}

bool is_job_reference(const Value& owner) {
  std::string version = text_of(owner.find("apiVersion"));
  std::size_t slash = version.find('/');
  std::string_view group =
      slash == std::string::npos ? std::string_view() : std::string_view(version).substr(0, slash);
  std::string kind = text_of(owner.find("kind"));
  return std::any_of(std::begin(known_kinds), std::end(known_kinds),
                     [&](const KnownKind& k) { return k.kind == kind && k.group == group; });
}

/// Before annotations could name a group or a Workload, only labels did; but for names too long for a label.
void drop_identifiers(Job& job) {
  constexpr std::size_t kLongestLabel = 63;
  job.annotations.erase("kueue.x-k8s.io/pod-group-name");
  if (!job.label(kPrebuilt).empty() || job.annotation(kPrebuilt).size() <= kLongestLabel)
    job.annotations.erase(std::string(kPrebuilt));
}

/// What the API server and the mutating webhook make of the metadata.
Job read(const Object& object, const World& world, const JobOptions& options) {
  Job job;
  job.object = &object;
  job.world = &world;
  job.options = &options;
  const Value* metadata = object.find("metadata");
  auto field = [&](std::string_view name) { return metadata ? metadata->find(name) : nullptr; };
  job.name = object.name.empty() ? fmt::format("{}{:05}", text_of(field("generateName")), object.number)
                               : std::string(object.name);
  job.name_space = object.name_space.empty() ? "default" : std::string(object.name_space);
  job.uid = text_of(field("uid"));
  if (job.uid.empty()) job.uid = job.name;
  const Nulls nulls = is_built_in(object) ? Nulls::zero : Nulls::absent;
  job.labels = labels_of(field("labels"), nulls);
  job.annotations = labels_of(field("annotations"), nulls);

  bool has_default_queue =
      std::any_of(world.local_queues.begin(), world.local_queues.end(),
                  [&](const LocalQueue& q) { return q.name == "default" && q.name_space == job.name_space; });
  const Value* owner = controller_of(object);
  bool is_owned = owner && is_job_reference(*owner);
  if (has_default_queue && job.queue().empty() && !is_owned &&
      is_managed_namespace(world, options.kueue, job.name_space)) {
    job.labels[std::string(kQueue)] = "default";
  }
  const Gates& gates = options.kueue.gates;
  if (gates.workload_priority_class_defaulting && job.label(kPriorityClass).empty() && !is_owned &&
      std::any_of(world.workload_priority_classes.begin(), world.workload_priority_classes.end(),
                  [](const WorkloadPriorityClass& c) { return c.name == "default"; })) {
    job.labels[std::string(kPriorityClass)] = "default";
  }
  if (!gates.workload_identifier_annotations) drop_identifiers(job);
  return job;
}

// ---- owners ----

/// The note for a job that belongs to another one; empty if it stands for itself.
std::string owner_note(const Job& job, std::span<const Object> all) {
  const Object* current = job.object;
  std::string note;
  for (int depth = 0; depth < kMaxOwners; ++depth) {
    const Value* owner = controller_of(*current);
    if (!owner || !is_job_reference(*owner)) break;
    std::string kind = text_of(owner->find("kind"));
    std::string name = text_of(owner->find("name"));
    const Object* parent = nullptr;
    for (const Object& o : all) {
      std::string_view space = o.name_space.empty() ? std::string_view("default") : o.name_space;
      if (o.kind == kind && o.name == name && space == job.name_space) parent = &o;
    }
    if (!parent) return fmt::format("belongs to {} `{}`, which is not here", kind, name);
    std::string uid = text_of(parent->value->at({"metadata", "uid"}));
    if (text_of(owner->find("uid")) != (uid.empty() ? name : uid)) break;
    const Value* labels = parent->value->at({"metadata", "labels"});
    if (labels && !text_of(labels->find(kQueue)).empty())
      note = fmt::format("belongs to {} `{}`, which has the Workload", kind, name);
    current = parent;
  }
  return note;
}

// ---- the way of one job ----

Parts parts_of(const Job& job, Family family) {
  switch (family) {
    case Family::batch_job:
      return parts_of_job(job);
    case Family::job_set:
      return parts_of_job_set(job);
    case Family::ray_cluster:
      return parts_of_ray_cluster(job);
    case Family::ray_job:
      return parts_of_ray_job(job);
    case Family::ray_service:
      return parts_of_ray_service(job);
    case Family::training_job:
      return parts_of_training_job(job);
    case Family::train_job:
      return parts_of_train_job(job);
    case Family::app_wrapper:
      return parts_of_app_wrapper(job);
    case Family::spark_application:
      return parts_of_spark_application(job);
    case Family::leader_worker_set:
    case Family::stateful_set:
    case Family::deployment:
    case Family::pod:
      break;
  }
  return {};
}

std::string generation_of(const Job& job) {
  return fmt::to_string(integer_or(job.object->value->at({"metadata", "generation"}), 1));
}

void make_generic(const Job& job, Family family, std::string note, JobResult& result) {
  Parts parts;
  try {
    parts = parts_of(job, family);
  } catch (const Refused& refused) {
    if (is_stored(refused.refusal.by)) check_common(job);  // the webhook came before the reconciler
    throw;
  }
  check_common(job);
  if (job.queue().empty() && !job.options->kueue.manage_jobs_without_queue_name) note = "no queue name";
  if (note.empty()) note = parts.note;
  if (!note.empty()) {
    result.note = std::move(note);
    return;
  }
  refuse_prebuilt(job);
  const Object& o = *job.object;
  Workload w = new_workload(job, workload_name(o.kind, o.group, job.name, job.uid,
                                               job.elastic() ? generation_of(job) : std::string(),
                                               job.longest_workload_name()));
  for (const Draft& d : parts.drafts) w.pod_sets.push_back(d.pod_set);
  set_priority(job, w, parts.priority_class);
  for (const Draft& d : parts.drafts) require_containers(job, d);
  if (job.elastic()) w.annotations[std::string(kSliceName)] = w.name;
  result.workloads.push_back(std::move(w));
}

/// `pods`: of the kinds whose pods Kueue gates; the others it manages wherever they name a queue, if it is told to.
std::string not_managed(const Job& job, bool pods) {
  const Configuration& kueue = job.options->kueue;
  if (!pods && !kueue.gates.namespace_selector_always && !job.queue().empty()) return {};
  if (is_managed_namespace(*job.world, kueue, job.name_space)) return {};
  return fmt::format("Kueue leaves namespace `{}` alone", job.name_space);
}

void make_of_family(const Job& job, const KnownKind& kind, std::span<const Object> all, JobResult& result) {
  if (!is_integrated(job.options->kueue, kind)) {
    result.note = fmt::format("Kueue's integration of {} is switched off", job.object->kind);
    return;
  }
  const Family family = kind.family;
  bool pods = family == Family::deployment || family == Family::pod || family == Family::stateful_set ||
              family == Family::leader_worker_set;
  std::string note = not_managed(job, pods);
  switch (family) {
    case Family::batch_job:
    case Family::job_set:
    case Family::ray_cluster:
    case Family::ray_job:
    case Family::ray_service:
    case Family::training_job:
    case Family::train_job:
    case Family::app_wrapper:
    case Family::spark_application:
      make_generic(job, family, note.empty() ? owner_note(job, all) : note, result);
      return;
    case Family::leader_worker_set:
      result.workloads = workloads_of_leader_worker_set(job, result.note);
      return;
    case Family::stateful_set:
      result.workloads = workloads_of_stateful_set(job, result.note);
      return;
    case Family::deployment:
    case Family::pod:
      if (family == Family::deployment) {
        result.workloads = workloads_of_deployment(job, result.note);
      } else {
        if (note.empty()) note = owner_note(job, all);
        result.workloads = workloads_of_pod(job, result.note);
      }
      if (!note.empty()) {
        result.workloads.clear();
        result.note = note;
      }
      return;
  }
}

void make(const Job& job, const KnownKind& kind, std::span<const Object> all, JobResult& result) {
  std::optional<JobRefusal> later = check_schema_of(job);
  check_names(job);
  try {
    make_of_family(job, kind, all, result);
  } catch (const Refused& refused) {
    if (!later || !is_stored(refused.refusal.by)) throw;
  } catch (const Error&) {
    if (!later) throw;
  }
  if (later && result.note.empty()) {
    result.workloads.clear();
    result.refusal = std::move(later);
  }
}

/// The members of the pod group of `all[first]`, in the order of their names; those that the webhook refuses
/// are no members and get their result.
std::vector<std::size_t> group_members(std::span<const Object> all, std::vector<Job>& jobs, std::size_t first,
                                       std::vector<JobResult>& results) {
  std::string group = pod_group_of(jobs[first].labels, jobs[first].annotations);
  std::vector<std::size_t> members;
  for (std::size_t i = first; i < all.size(); ++i) {
    if (all[i].kind != "Pod" || jobs[i].name_space != jobs[first].name_space) continue;
    if (pod_group_of(jobs[i].labels, jobs[i].annotations) != group) continue;
    try {
      std::optional<JobRefusal> later = check_schema_of(jobs[i]);
      check_names(jobs[i]);
      check_pod(jobs[i]);
      if (later)
        results[i].refusal = std::move(later);
      else
        members.push_back(i);
    } catch (Refused& r) {
      results[i].refusal = std::move(r.refusal);
    }
  }
  std::stable_sort(members.begin(), members.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].name < jobs[b].name; });
  return members;
}

void make_group(std::span<const Object> all, std::vector<Job>& jobs, std::size_t first,
                std::vector<JobResult>& results) {
  std::vector<std::size_t> members = group_members(all, jobs, first, results);
  if (members.empty()) return;
  std::vector<Job> pods;
  for (std::size_t m : members) pods.push_back(jobs[m]);
  std::string note = not_managed(pods.front(), true);
  if (pods.front().queue().empty()) note = "no queue name";
  const KnownKind* kind = find_kind(*pods.front().object);
  if (kind && !is_integrated(pods.front().options->kueue, *kind)) note = "Kueue's integration of Pod is switched off";
  std::size_t used = 0;
  std::optional<JobRefusal> refusal;
  Workload made;
  if (note.empty()) {
    try {
      made = workload_of_pod_group(pods, note, used);
    } catch (Refused& r) {
      refusal = std::move(r.refusal);
    }
  }
  bool first_member = true;
  for (std::size_t i = 0; i < members.size(); ++i) {
    JobResult& r = results[members[i]];
    if (refusal || !note.empty()) {
      r.refusal = refusal;
      r.note = note;
    } else if (i >= used) {
      r.note = fmt::format("pod group `{}` is complete without it", made.name);
    } else if (first_member) {
      r.workloads.push_back(made);
      r.refusal = check_workload(pods.front(), made);
      first_member = false;
    } else {
      r.note = fmt::format("belongs to pod group `{}`", made.name);
    }
  }
}

}  // namespace

// ---- Job ----

std::string_view Job::label(std::string_view key) const {
  auto at = labels.find(std::string(key));
  return at == labels.end() ? std::string_view() : at->second;
}

std::string_view Job::annotation(std::string_view key) const {
  auto at = annotations.find(std::string(key));
  return at == annotations.end() ? std::string_view() : at->second;
}

const Value& Job::place_of_label(std::string_view key) const {
  const Value* at = object->value->at({"metadata", "labels", key});
  return at ? *at : *object->value;
}

const Value& Job::place_of_annotation(std::string_view key) const {
  const Value* at = object->value->at({"metadata", "annotations", key});
  return at ? *at : place_of_label(key);
}

JobRefusal Job::refusal(RefusedBy by, const Value& at, std::string message, std::string help) const {
  Error error =
      object->error(by == RefusedBy::not_decided ? "not-yet-decided" : "refused-job", at, std::move(message));
  if (!help.empty()) error.help(std::move(help));
  return {by, std::move(error)};
}

void Job::refuse(RefusedBy by, const Value& at, std::string message, std::string help) const {
  throw Refused{refusal(by, at, std::move(message), std::move(help))};
}

void Job::refuse(RefusedBy by, std::string message, std::string help) const {
  refuse(by, *object->value, std::move(message), std::move(help));
}

// ---- small parts ----

std::string pod_set_name(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

Draft draft_of(const Job& job, std::string_view name, std::int32_t count, const Value* pod_template,
               std::string path) {
  Draft d;
  d.pod_set.name = pod_set_name(name);
  d.pod_set.count = count;
  d.pod_set.pod =
      pod_template_of(job.manifest(), pod_template, is_built_in(*job.object) ? Nulls::zero : Nulls::absent);
  d.template_at = pod_template;
  d.metadata = pod_template ? pod_template->find("metadata") : nullptr;
  d.path = std::move(path);
  return d;
}

void refuse_prebuilt(const Job& job) {
  std::string_view prebuilt =
      job.annotation(kPrebuilt).empty() ? job.label(kPrebuilt) : job.annotation(kPrebuilt);
  if (prebuilt.empty()) return;
  job.refuse(RefusedBy::reconciler, job.place_of_annotation(kPrebuilt),
             fmt::format("the prebuilt workload `{}` is not found", prebuilt));
}

void require_containers(const Job& job, const Draft& draft) {
  // An empty list passes.
  if (!draft.pod_set.pod.containers.empty()) return;
  const Value* at = draft.template_at;
  if (at && at->at({"spec", "containers"})) return;
  job.refuse(is_built_in(*job.object) ? RefusedBy::workload_schema : RefusedBy::schema,
             at ? *at : *job.object->value,
             fmt::format("`{}spec.containers` is missing in {}", draft.path.empty() ? "" : draft.path + ".",
                         job.object->kind));
}

std::int32_t wrapping_product(std::int32_t a, std::int32_t b) {
  std::int64_t product = static_cast<std::int64_t>(a) * b;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(product)));
}

std::int32_t int32_or(const Value* value, std::int32_t otherwise) {
  return static_cast<std::int32_t>(integer_or(value, otherwise));
}

std::optional<std::int64_t> go_integer(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return {};
  }
  std::int64_t n = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || status != std::errc() || end != text.data() + text.size()) return {};
  return n;
}

std::optional<bool> go_boolean(std::string_view text) {
  for (std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return {};
}

bool has_condition(const Job& job, std::string_view type) {
  const Value* conditions = job.status() ? job.status()->find("conditions") : nullptr;
  for (const Value& c : conditions ? conditions->items() : std::span<const Value>()) {
    if (text_of(c.find("type")) == type && text_of(c.find("status")) == "True") return true;
  }
  return false;
}

}  // namespace jobs

std::vector<JobKind> job_kinds() {
  std::vector<JobKind> all;
  for (const jobs::KnownKind& known : jobs::known_kinds) all.push_back({known.group, known.version, known.kind});
  return all;
}

bool is_stored(RefusedBy by) {
  return by == RefusedBy::reconciler || by == RefusedBy::workload_schema || by == RefusedBy::workload_webhook;
}

bool is_job(const Object& object) {
  const jobs::KnownKind* known = jobs::find_kind(object);
  if (!known || known->family != jobs::Family::pod) return known != nullptr;
  const Value* labels = object.value->at({"metadata", "labels"});
  bool asks = (labels && !text_of(labels->find(jobs::kQueue)).empty()) ||
              !jobs::pod_group_of(labels_of(labels), labels_of(object.value->at({"metadata", "annotations"})))
                   .empty();
  // A pod that has been placed is no candidate any more.
  std::string phase = text_of(object.value->at({"status", "phase"}));
  return asks && !object.value->at({"spec", "nodeName"}) && (phase.empty() || phase == "Pending");
}

std::string workload_name(std::string_view kind, std::string_view group, std::string_view name,
                          std::string_view uid, std::string_view extra, std::size_t longest) {
  constexpr std::size_t kHash = 5;
  std::string hashed = fmt::format("{}\n{}\n{}\n{}", kind, group, name, uid);
  if (!extra.empty()) hashed += fmt::format("\n{}", extra);
  std::string prefix = fmt::format("{}-{}", jobs::pod_set_name(kind), name);
  prefix.resize(std::min(prefix.size(), longest - 1 - kHash));
  return fmt::format("{}-{}", prefix, sha1_hex(hashed).substr(0, kHash));
}

std::vector<JobResult> workloads_of(std::span<const Object> all, const World& world,
                                    const JobOptions& options) {
  std::vector<JobResult> results(all.size());
  std::vector<jobs::Job> read;
  for (const Object& o : all) read.push_back(jobs::read(o, world, options));
  std::set<std::pair<std::string, std::string>> groups;  // namespace and name of those that are done
  for (std::size_t i = 0; i < all.size(); ++i) {
    JobResult& result = results[i];
    result.job = i;
    const jobs::KnownKind* known = jobs::find_kind(all[i]);
    if (!known) continue;
    const jobs::Job& job = read[i];
    if (known->family == jobs::Family::pod) {
      std::string group = jobs::pod_group_of(job.labels, job.annotations);
      if (!group.empty()) {
        if (groups.emplace(job.name_space, group).second) jobs::make_group(all, read, i, results);
        continue;
      }
    }
    try {
      jobs::make(job, *known, all, result);
      for (const Workload& w : result.workloads) {
        if (!result.refusal) result.refusal = jobs::check_workload(job, w);
      }
    } catch (jobs::Refused& r) {
      result.refusal = std::move(r.refusal);
    } catch (Error& error) {
      result.refusal = JobRefusal{RefusedBy::decoding, std::move(error)};
    }
  }
  return results;
}

}  // namespace sluice::kube
