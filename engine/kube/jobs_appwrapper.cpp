#include <fmt/format.h>

#include <algorithm>

#include "kube/job_parts.hpp"
#include "kube/schema.hpp"

// AppWrapper: the pod sets are those its components declare, or what is found in components of known kinds.
// Source: Kueue pkg/controller/jobs/appwrapper, appwrapper v1.2.2 pkg/utils.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kPodIndex = "workload.codeflare.dev.appwrapper/tas-pod-index-label";
constexpr std::string_view kSubGroupIndex = "workload.codeflare.dev.appwrapper/tas-sub-group-index-label";
constexpr std::string_view kSubGroupCount = "workload.codeflare.dev.appwrapper/tas-sub-group-count";
constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";

/// A pod set of one component.
struct Declared {
  std::string path;
  std::int32_t replicas = 1;
  Labels annotations;
};

/// The value at `template.spec.jobs[2].template` of a component; none if there is none.
const Value* value_at(const Value& component_template, std::string_view path) {
  constexpr std::string_view root = "template";
  if (!path.starts_with(root)) return nullptr;
  path.remove_prefix(root.size());
  const Value* at = &component_template;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t end = path.find(']');
      if (end == std::string_view::npos) return nullptr;
      std::optional<std::int64_t> index = go_integer(path.substr(1, end - 1));
      if (!index || *index < 0 || static_cast<std::size_t>(*index) >= at->items().size()) return nullptr;
      at = &at->items()[static_cast<std::size_t>(*index)];
      path.remove_prefix(end + 1);
    } else if (path.front() == '.') {
      path.remove_prefix(1);
      // A separator at the very start belongs to the key.
      std::size_t end = path.find_first_of(".[", std::min<std::size_t>(1, path.size()));
      std::string_view key = path.substr(0, end);
      auto found = std::find_if(at->members().begin(), at->members().end(),
                                [&](const Member& m) { return m.key.text() == key; });
      if (found == at->members().end()) return nullptr;
      at = &found->value;
      path.remove_prefix(key.size());
    } else {
      return nullptr;
    }
  }
  return at;
}

bool is_whole(const Value& value) {
  return value.is_number() && value.text().find_first_of(".eE") == std::string_view::npos;
}

/// The number at a path; `otherwise` where there is none.
std::int32_t number_at(const Value& component_template, const std::string& path, std::int32_t otherwise) {
  const Value* value = value_at(component_template, path);
  return value && is_whole(*value) ? int32_or(value, otherwise) : otherwise;
}

/// Is it what a pod template or a pod has, with a spec that decodes?
bool is_pod_template(const Job& job, const Value* value) {
  const Value* spec = value ? value->find("spec") : nullptr;
  if (!spec || !spec->is_map()) return false;
  Object pod = *job.object;
  pod.group = {};
  pod.version = "v1";
  pod.kind = "Pod";
  std::vector<Problem> problems = schema_problems(pod, *spec, "v1", "spec");
  return std::none_of(problems.begin(), problems.end(), [](const Problem& p) {
    return p.kind == Problem::Kind::unknown_field || p.kind == Problem::Kind::wrong_type;
  });
}

class Inference {
 public:
  Inference(const Job& job, const Value& component_template) : job_(job), template_(component_template) {}

  std::vector<Declared> pod_sets() {
    std::string version = text_of(template_.find("apiVersion"));
    std::string kind = text_of(template_.find("kind"));
    std::string name = version + " " + kind;
    if (name == "batch/v1 Job") {
      add("template.spec.template", pods_of("template.spec."), {{kPodIndex, kCompletionIndex}});
    } else if (name == "jobset.x-k8s.io/v1alpha2 JobSet") {
      job_set();
    } else if (name == "kubeflow.org/v1 PyTorchJob") {
      for (const char* type : {"Master", "Worker"})
        replicated(fmt::format("template.spec.pytorchReplicaSpecs.{}.", type),
                   {{kPodIndex, "training.kubeflow.org/replica-index"}});
    } else if (name == "ray.io/v1 RayCluster") {
      ray("template.spec.");
    } else if (name == "ray.io/v1 RayJob") {
      ray("template.spec.rayClusterSpec.");
    } else if (name == "v1 Pod") {
      add("template", 1, {});
    } else if (name == "apps/v1 Deployment" || name == "apps/v1 StatefulSet") {
      if (value_at(template_, "template.spec.template"))
        add("template.spec.template", replicas_at("template.spec.replicas"), {});
    }
    for (const Declared& d : found_) {
      const Value* at = value_at(template_, d.path);
      if (!is_pod_template(job_, at))
        job_.refuse(RefusedBy::reconciler, at ? *at : template_,
                    fmt::format("`{}` of this component is no pod template", d.path));
    }
    return std::move(found_);
  }

 private:
  using Notes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  void add(std::string path, std::int32_t replicas, Notes notes) {
    Declared& d = found_.emplace_back(Declared{std::move(path), replicas, {}});
    for (const auto& [key, value] : notes) d.annotations.emplace(key, value);
  }

  /// A number that is something else is an error here.
  std::int32_t replicas_at(const std::string& path) const {
    const Value* value = value_at(template_, path);
    if (!value || value->is_null()) return 1;
    if (!is_whole(*value))
      job_.refuse(RefusedBy::reconciler, *value, fmt::format("`{}` of this component is no whole number", path));
    return int32_or(value, 1);
  }

  std::int32_t pods_of(const std::string& spec) const {
    std::int32_t parallelism = number_at(template_, spec + "parallelism", 1);
    return std::min(parallelism, number_at(template_, spec + "completions", parallelism));
  }

  void replicated(const std::string& prefix, Notes notes) {
    if (value_at(template_, prefix + "template"))
      add(prefix + "template", replicas_at(prefix + "replicas"), notes);
  }

  void job_set() {
    const Value* jobs = value_at(template_, "template.spec.replicatedJobs");
    for (std::size_t i = 0; jobs && i < jobs->items().size(); ++i) {
      std::string prefix = fmt::format("template.spec.replicatedJobs[{}].", i);
      if (!value_at(template_, prefix + "template")) continue;
      std::int32_t replicas = number_at(template_, prefix + "replicas", 1);
      std::string count = fmt::to_string(replicas);
      add(prefix + "template.spec.template",
          wrapping_product(replicas, pods_of(prefix + "template.spec.")),
          {{kPodIndex, kCompletionIndex}, {kSubGroupIndex, "jobset.sigs.k8s.io/job-index"}, {kSubGroupCount, count}});
    }
  }

  void ray(const std::string& cluster) {
    add(cluster + "headGroupSpec.template", 1, {});
    const Value* groups = value_at(template_, cluster + "workerGroupSpecs");
    for (std::size_t i = 0; groups && i < groups->items().size(); ++i)
      replicated(fmt::format("{}workerGroupSpecs[{}].", cluster, i), {});
  }

  const Job& job_;
  const Value& template_;
  std::vector<Declared> found_;
};

std::vector<Declared> declared_of(const Value& list) {
  std::vector<Declared> all;
  for (const Value& item : list.items())
    all.push_back(
        {text_of(item.find("path")), int32_or(item.find("replicas"), 1), labels_of(item.find("annotations"))});
  return all;
}

/// The wrapper copies only some fields of a template, so the others count for nothing.
void keep_copied_fields(PodTemplate& pod) {
  pod.runtime_class.clear();
  pod.pod_requests.reset();
  pod.pod_limits.reset();
  pod.priority.reset();
  for (Container& container : pod.containers) container.ports.clear();
  for (Container& container : pod.init_containers) {
    container.ports.clear();
    container.sidecar = false;
  }
}

void add_drafts(const Job& job, std::size_t component, const Value& component_template,
                const std::vector<Declared>& pod_sets, std::vector<Draft>& drafts) {
  for (const Declared& declared : pod_sets) {
    const Value* at = value_at(component_template, declared.path);
    if (!is_pod_template(job, at)) continue;  // left out without a word
    Draft& d = drafts.emplace_back(draft_of(job, fmt::format("{}-{}", job.name, drafts.size()), declared.replicas, at,
                                            fmt::format("spec.components[{}].{}", component, declared.path)));
    keep_copied_fields(d.pod_set.pod);
    auto note = [&](std::string_view key) -> std::string_view {
      auto found = declared.annotations.find(std::string(key));
      return found == declared.annotations.end() ? std::string_view() : found->second;
    };
    TopologyLabels labels{note(kPodIndex), note(kSubGroupIndex), {}};
    if (auto count = go_integer(note(kSubGroupCount))) labels.sub_group_count = static_cast<std::int32_t>(*count);
    set_topology(job, d, d.pod_set.pod.annotations, labels);
  }
}

}  // namespace

Parts parts_of_app_wrapper(const Job& job) {
  Parts parts;
  std::string phase = text_of(job.status() ? job.status()->find("phase") : nullptr);
  if (phase == "Succeeded" || (phase == "Failed" && !has_condition(job, "ResourcesDeployed"))) {
    parts.note = "the app wrapper is finished";
    return parts;
  }
  const Value* list = job.spec() ? job.spec()->find("components") : nullptr;
  // Kueue's webhook writes the spec, so the schema misses what is in it.
  if (!list) job.refuse(RefusedBy::schema, "`spec.components` is missing in AppWrapper");
  std::span<const Value> components = list->items();
  const Value* known = job.status() ? job.status()->find("componentStatus") : nullptr;
  bool is_known = known && known->items().size() == components.size();
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Value* component_template = components[i].find("template");
    if (!component_template) continue;
    const Value* declared = (is_known ? known->items()[i] : components[i]).find("podSets");
    bool declares = declared && !declared->items().empty();
    std::vector<Declared> pod_sets;
    if (declares)
      pod_sets = declared_of(*declared);
    else if (!is_known)
      pod_sets = Inference(job, *component_template).pod_sets();
    add_drafts(job, i, *component_template, pod_sets, parts.drafts);
  }
  return parts;
}

}  // namespace sluice::kube::jobs
