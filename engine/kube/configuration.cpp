#include "kube/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/names.hpp"
#include "base/suggest.hpp"
#include "kube/kinds.hpp"
#include "kube/pod_template.hpp"
#include "kube/schema.hpp"
#include "model/selector.hpp"

namespace sluice::kube {
namespace {

constexpr std::string_view kGroup = "config.kueue.x-k8s.io";

/// Which apiVersion's words and defaults hold.
enum class Form : std::uint8_t { v1beta1, v1beta2, scenario };

constexpr std::string_view kFrameworks[] = {
    "batch/job",
    "deployment",
    "jobset.x-k8s.io/jobset",
    "kubeflow.org/jaxjob",
    "kubeflow.org/mpijob",
    "kubeflow.org/paddlejob",
    "kubeflow.org/pytorchjob",
    "kubeflow.org/tfjob",
    "kubeflow.org/xgboostjob",
    "leaderworkerset.x-k8s.io/leaderworkerset",
    "pod",
    "ray.io/raycluster",
    "ray.io/rayjob",
    "ray.io/rayservice",
    "sparkoperator.k8s.io/sparkapplication",
    "statefulset",
    "trainer.kubeflow.org/trainjob",
    "workload.codeflare.dev/appwrapper",
};

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
  return text;
}

/// Reads one Configuration. Its parts are checked for their types before.
class Reader {
 public:
  Reader(const Object& object, Form form, Configuration& into) : object_(object), form_(form), into_(into) {}

  void read() {
    const Value& root = *object_.value;
    if (root.find("metadata")) fail(*root.find("metadata"), "a Configuration has no `metadata`");
    if (const Value* gates = root.find("featureGates")) read_gates(*gates);
    if (const Value* name_space = root.find("namespace")) into_.name_space = name_space->text();
    if (const Value* flag = root.find("manageJobsWithoutQueueName"))
      into_.manage_jobs_without_queue_name = flag->boolean();
    read_integrations(root.find("integrations"));
    read_managed_namespaces(root.find("managedJobsNamespaceSelector"));
    read_parts();
    read_retention(root.at({"objectRetentionPolicies", "workloads"}));
    if (const Value* part = root.find("multiKueue")) check_multi_kueue(*part);
    if (const Value* port = root.at({"visibilityServer", "bindPort"})) check_port(*port);
  }

  /// What a scenario may have, too.
  void read_parts() {
    const Value& root = *object_.value;
    read_fair_sharing(root.find("fairSharing"));
    read_admission_fair_sharing(root.find("admissionFairSharing"));
    read_wait_for_pods_ready(root.find("waitForPodsReady"));
    read_resources(root.find("resources"));
  }

  /// Its settings replace those of before.
  void read_gates(const Value& gates) {
    GateSettings settings;
    for (const Member& gate : gates.members()) {
      std::string name(gate.key.text());
      settings[name] = gate.value.boolean();
      try {
        into_.gates = gates_of(into_.gates.version, {{name, gate.value.boolean()}});
      } catch (const Error& error) {
        throw object_.error(error.code(), gate.key, error.message()).help(error.help());
      }
    }
    into_.gates = gates_of(into_.gates.version, settings);
    if (is_lenient()) return;
    try {
      refuse_unmet_needs(into_.gates);
    } catch (const Error& error) {
      throw object_.error(error.code(), gates, error.message()).help(error.help());
    }
  }

 private:
  bool is_lenient() const { return form_ == Form::scenario; }

  [[noreturn]] void fail(const Value& at, std::string message, std::string help = {}) const {
    Error error = object_.error("bad-configuration", at, std::move(message));
    error.help(std::move(help));
    throw error;
  }

  /// A line that does not know a field refuses it.
  void need_line(const Value* value, std::string_view name, KueueVersion since) const {
    if (value != nullptr && into_.gates.version < since)
      fail(*value, fmt::format("Kueue {} has no `{}` yet", name_of(into_.gates.version), name),
           fmt::format("it is there from {} on", name_of(since)));
  }

  Duration duration_of(const Value& value) const {
    auto duration = Duration::parse_go(value.text());
    if (!duration) fail(value, fmt::format("`{}` is no duration", value.text()), "write `30m`, `1h30m` or `90s`");
    return *duration;
  }

  Duration not_negative(const Value& value) const {
    Duration duration = duration_of(value);
    if (duration < Duration{} && !is_lenient()) fail(value, fmt::format("`{}` is negative", value.text()));
    return duration;
  }

  std::int32_t count_of(const Value& value) const {
    auto count = static_cast<std::int32_t>(integer_or(&value, 0));
    if (count < 0 && !is_lenient()) fail(value, fmt::format("`{}` is negative", value.text()));
    return count;
  }

  /// Absent, or switched off in v1beta1's way.
  bool is_off(const Value* part) const {
    if (part == nullptr) return true;
    const Value* enable = part->find("enable");
    if (form_ == Form::v1beta1) return enable == nullptr || !enable->boolean();
    return enable != nullptr && !enable->boolean();
  }

  void read_fair_sharing(const Value* part) {
    into_.fair_sharing.reset();
    if (is_off(part)) return;
    FairSharing& sharing = into_.fair_sharing.emplace();
    const Value* strategies = part->find("preemptionStrategies");
    if (strategies == nullptr || strategies->items().empty()) {
      if (form_ == Form::v1beta2)
        fail(*part, "`fairSharing` needs `preemptionStrategies`",
             "write `[LessThanOrEqualToFinalShare, LessThanInitialShare]`");
      return;
    }
    constexpr std::string_view words[] = {"LessThanOrEqualToFinalShare", "LessThanInitialShare"};
    sharing.strategies.clear();
    for (const Value& strategy : strategies->items()) {
      bool is_final = strategy.text() == words[0];
      bool is_twice = sharing.strategies.size() == 1 &&
                      (is_final || sharing.strategies[0] == FairStrategy::less_than_initial_share);
      if ((!is_final && strategy.text() != words[1]) || is_twice || sharing.strategies.size() == 2)
        fail(strategy, fmt::format("`{}` cannot stand here", strategy.text()),
             fmt::format("the strategies are {}, or both in this order", listed(words)));
      sharing.strategies.push_back(is_final ? FairStrategy::less_than_or_equal_to_final_share
                                            : FairStrategy::less_than_initial_share);
    }
  }

  void read_admission_fair_sharing(const Value* part) {
    into_.admission_fair_sharing.reset();
    if (part == nullptr || (is_lenient() && is_off(part))) return;
    AdmissionFairSharing& sharing = into_.admission_fair_sharing.emplace();
    if (const Value* time = part->find("usageHalfLifeTime")) sharing.usage_half_life = not_negative(*time);
    if (const Value* interval = part->find("usageSamplingInterval")) {
      Duration given = not_negative(*interval);
      if (given != Duration{}) sharing.sampling_interval = given;
    }
    const Value* weights = part->find("resourceWeights");
    if (weights == nullptr) return;
    for (const Member& weight : weights->members()) {
      double value = 0;
      std::string_view text = weight.value.text();
      std::from_chars(text.data(), text.data() + text.size(), value);
      if (value < 0 && !is_lenient()) fail(weight.value, fmt::format("the weight `{}` is negative", text));
      sharing.resource_weights[std::string(weight.key.text())] = value;
    }
  }

  void read_wait_for_pods_ready(const Value* part) {
    into_.wait_for_pods_ready.reset();
    // From 0.19 on it is on unless a gate says otherwise; v1beta1 has to switch it on.
    bool is_default = part == nullptr && form_ == Form::v1beta2 && into_.gates.version >= KueueVersion::v0_19;
    if (is_off(part) && !is_default) return;
    WaitForPodsReady& wait = into_.wait_for_pods_ready.emplace();
    wait.block_admission = form_ == Form::v1beta1;
    if (form_ == Form::v1beta1) wait.timeout = Duration::seconds(5 * 60);
    Duration timeout;
    if (part != nullptr) {
      if (const Value* given = part->find("timeout")) timeout = not_negative(*given);
      if (timeout == Duration{} && form_ == Form::v1beta2 && into_.gates.version < KueueVersion::v0_19)
        fail(*part, fmt::format("`waitForPodsReady` of Kueue {} needs a `timeout`", name_of(into_.gates.version)));
    }
    if (timeout != Duration{}) wait.timeout = timeout;
    wait.recovery_timeout = wait.timeout;
    if (part != nullptr) read_wait_details(*part, wait);
    if (into_.gates.disable_wait_for_pods_ready) into_.wait_for_pods_ready.reset();
  }

  void read_wait_details(const Value& part, WaitForPodsReady& wait) {
    if (const Value* block = part.find("blockAdmission")) wait.block_admission = block->boolean();
    if (const Value* recovery = part.find("recoveryTimeout")) wait.recovery_timeout = not_negative(*recovery);
    const Value* strategy = part.find("requeuingStrategy");
    if (strategy == nullptr) return;
    if (const Value* timestamp = strategy->find("timestamp")) {
      wait.order_by_creation = timestamp->text() == "Creation";
      if (!wait.order_by_creation && timestamp->text() != "Eviction")
        fail(*timestamp, fmt::format("`{}` is no timestamp to order by", timestamp->text()),
             "write `Creation` or `Eviction`");
    }
    if (const Value* limit = strategy->find("backoffLimitCount")) wait.backoff_limit_count = count_of(*limit);
    if (const Value* base = strategy->find("backoffBaseSeconds")) wait.backoff_base_seconds = count_of(*base);
    if (const Value* most = strategy->find("backoffMaxSeconds")) wait.backoff_max_seconds = count_of(*most);
  }

  void read_resources(const Value* part) {
    into_.ignore_undeclared = false;
    into_.exclude_resource_prefixes.clear();
    into_.transformations.clear();
    into_.maps_device_classes = false;
    if (part == nullptr || (is_lenient() && is_off(part))) return;
    if (const Value* prefixes = part->find("excludeResourcePrefixes")) {
      for (const Value& prefix : prefixes->items()) into_.exclude_resource_prefixes.emplace_back(prefix.text());
    }
    if (const Value* strategy = part->find("quotaCheckStrategy")) read_quota_check(*strategy);
    if (const Value* all = part->find("transformations")) {
      for (const Value& one : all->items()) read_transformation(one);
    }
    const Value* devices = part->find("deviceClassMappings");
    into_.maps_device_classes = devices != nullptr && !devices->items().empty();
  }

  void read_quota_check(const Value& strategy) {
    if (!is_lenient()) need_line(&strategy, "quotaCheckStrategy", KueueVersion::v0_18);
    into_.ignore_undeclared = strategy.text() == "IgnoreUndeclared";
    if (is_lenient() || !into_.gates.quota_check_strategy) return;
    if (!into_.ignore_undeclared && strategy.text() != "BlockUndeclared")
      fail(strategy, fmt::format("`{}` is no strategy", strategy.text()),
           "write `BlockUndeclared` or `IgnoreUndeclared`");
    if (into_.ignore_undeclared && !into_.exclude_resource_prefixes.empty())
      fail(strategy, "`IgnoreUndeclared` and `excludeResourcePrefixes` exclude each other");
  }

  void read_transformation(const Value& value) {
    ResourceTransformation transformation;
    const Value* input = value.find("input");
    transformation.input = text_of(input);
    if (const Value* strategy = value.find("strategy"); strategy != nullptr && !strategy->text().empty()) {
      transformation.replaces = strategy->text() == "Replace";
      if (!transformation.replaces && strategy->text() != "Retain" && !is_lenient())
        fail(*strategy, fmt::format("`{}` is no strategy", strategy->text()), "write `Retain` or `Replace`");
    }
    transformation.multiply_by = text_of(value.find("multiplyBy"));
    if (const Value* outputs = value.find("outputs")) {
      for (const Member& output : outputs->members())
        transformation.outputs[std::string(output.key.text())] = quantity_of(object_, output.value);
    }
    auto same = std::find_if(into_.transformations.begin(), into_.transformations.end(),
                             [&](const ResourceTransformation& t) { return t.input == transformation.input; });
    if (same == into_.transformations.end()) {
      into_.transformations.push_back(std::move(transformation));
    } else if (is_lenient()) {
      *same = std::move(transformation);
    } else {
      fail(input == nullptr ? value : *input, fmt::format("the input `{}` is transformed twice", same->input));
    }
  }

  void read_integrations(const Value* part) {
    std::set<std::string>& frameworks = into_.frameworks.emplace();
    const Value* list = part == nullptr ? nullptr : part->find("frameworks");
    if (list == nullptr || list->items().empty()) frameworks.insert("batch/job");
    if (list != nullptr) {
      for (const Value& framework : list->items()) {
        bool is_known = std::find(std::begin(kFrameworks), std::end(kFrameworks), framework.text()) !=
                        std::end(kFrameworks);
        if (!is_known) unknown_framework(framework);
        if (!frameworks.emplace(framework.text()).second)
          fail(framework, fmt::format("the integration `{}` is listed twice", framework.text()));
      }
    }
    const Value* external = part == nullptr ? nullptr : part->find("externalFrameworks");
    if (external == nullptr) return;
    std::set<std::string_view> seen;
    for (const Value& framework : external->items()) check_external(framework, seen);
  }

  void check_external(const Value& framework, std::set<std::string_view>& seen) const {
    std::string_view text = framework.text();
    if (std::count(text.begin(), text.end(), '.') < 2)
      fail(framework, fmt::format("`{}` names no kind", text), "write `Kind.version.group.com`");
    if (!seen.insert(text).second) fail(framework, fmt::format("the integration `{}` is listed twice", text));
  }

  [[noreturn]] void unknown_framework(const Value& framework) const {
    std::vector<std::string_view> names(std::begin(kFrameworks), std::end(kFrameworks));
    std::string_view meant = nearest(framework.text(), names);
    fail(framework, fmt::format("`{}` is no integration", framework.text()),
         meant.empty() ? "the integrations are " + listed(kFrameworks) : fmt::format("did you mean `{}`?", meant));
  }

  void read_managed_namespaces(const Value* value) {
    into_.managed_namespaces.reset();
    if (value == nullptr) return;
    into_.managed_namespaces = selector_of(object_, value);
    for (const std::string& name : {std::string("kube-system"), into_.name_space}) {
      if (matches(*into_.managed_namespaces, {{"kubernetes.io/metadata.name", name}}))
        fail(*value, fmt::format("`managedJobsNamespaceSelector` must leave out the namespace `{}`", name));
    }
  }

  void read_retention(const Value* workloads) {
    if (workloads == nullptr) return;
    if (const Value* time = workloads->find("afterFinished")) into_.keep_finished = not_negative(*time);
    if (const Value* time = workloads->find("afterDeactivatedByKueue")) into_.keep_deactivated = not_negative(*time);
  }

  // Nothing here decides by the following, but Kueue does not start when it is wrong.

  void check_multi_kueue(const Value& part) const {
    for (std::string_view time : {"gcInterval", "workerLostTimeout"}) {
      if (const Value* given = part.find(time)) not_negative(*given);
    }
    if (const Value* origin = part.find("origin"); origin != nullptr && !is_label_value(origin->text()))
      fail(*origin, fmt::format("`{}` is no label value", origin->text()),
           "at most 63 letters, digits, `-`, `_`, `.`, with a letter or digit at both ends");
    if (const Value* external = part.find("externalFrameworks")) {
      std::set<std::string_view> seen;
      for (const Value& framework : external->items()) {
        const Value* name = framework.find("name");
        check_external(name == nullptr ? framework : *name, seen);
      }
    }
    const Value* incremental = part.find("incrementalDispatcherConfig");
    if (incremental == nullptr) return;
    constexpr std::string_view dispatcher = "kueue.x-k8s.io/multikueue-dispatcher-incremental";
    if (text_of(part.find("dispatcherName")) != dispatcher)
      fail(*incremental, fmt::format("`incrementalDispatcherConfig` needs `dispatcherName: {}`", dispatcher));
    if (const Value* step = incremental->find("stepSize"); step != nullptr && integer_or(step, 1) < 1)
      fail(*step, fmt::format("`stepSize` must be at least 1, not {}", step->text()));
  }

  void check_port(const Value& port) const {
    std::int64_t number = integer_or(&port, 0);
    if (number < 1 || number > 65535) fail(port, fmt::format("`{}` is no port", port.text()));
  }

  const Object& object_;
  Form form_;
  Configuration& into_;
};

Object object_of(const Manifest& manifest, const Value& value, std::string_view version) {
  Object object;
  object.manifest = &manifest;
  object.value = &value;
  object.group = kGroup;
  object.version = version;
  object.kind = "Configuration";
  object.line = value.line();
  return object;
}

}  // namespace

Configuration read_configuration(const Manifest& manifest, KueueVersion version) {
  auto fail = [&](const Value& at, std::string message) {
    return manifest.error("bad-configuration", at, std::move(message))
        .help(fmt::format("it begins with `apiVersion: {}/v1beta2` and `kind: Configuration`", kGroup));
  };
  if (manifest.documents().size() != 1)
    throw Error("bad-configuration", "one document is expected").at(manifest.path());
  const Value& root = manifest.documents()[0];
  if (text_of(root.find("kind")) == "ConfigMap") {
    constexpr std::string_view key = "controller_manager_config.yaml";
    const Value* held = root.at({"data", key});
    if (held == nullptr || !held->is_string())
      throw manifest.error("bad-configuration", root, fmt::format("the ConfigMap has no `{}`", key));
    Substitutions as_written{.enabled = false, .values = {}, .environment = {}};
    return read_configuration(
        parse_manifest(std::string(held->text()), fmt::format("{}#{}", manifest.path(), key), as_written), version);
  }
  if (text_of(root.find("kind")) != "Configuration") throw fail(root, "this is no Configuration of Kueue's");
  const Value* given = root.find("apiVersion");
  if (given == nullptr) throw fail(root, "the Configuration has no `apiVersion`");
  std::string api_version = text_of(given);
  bool is_old = api_version == fmt::format("{}/v1beta1", kGroup);
  if (!is_old && api_version != fmt::format("{}/v1beta2", kGroup))
    throw fail(*given, fmt::format("`{}` is not known", api_version));
  Object object = object_of(manifest, root, is_old ? "v1beta1" : "v1beta2");
  check_schema(object);
  Configuration configuration;
  configuration.gates = gates_of(version, {});
  Reader(object, is_old ? Form::v1beta1 : Form::v1beta2, configuration).read();
  return configuration;
}

void read_scenario_options(const Manifest& manifest, const Value& options, Configuration& configuration) {
  Object object = object_of(manifest, options, "v1beta2");
  for (std::string_view part : {"featureGates", "fairSharing", "admissionFairSharing", "waitForPodsReady", "resources"}) {
    const Value* value = options.find(part);
    if (value == nullptr) continue;
    // v1beta1 has `enable` beside all else of these two.
    bool has_enable = part == "fairSharing" || part == "waitForPodsReady";
    check_schema(object, *value, has_enable ? "v1beta1" : "v1beta2", part);
  }
  Reader reader(object, Form::scenario, configuration);
  if (const Value* gates = options.find("featureGates")) reader.read_gates(*gates);
  reader.read_parts();
}

}  // namespace sluice::kube
