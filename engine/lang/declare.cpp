#include "lang/declare.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <string>

#include "model/overlay.hpp"

namespace sluice::lang {
namespace {

constexpr std::int64_t kUnlimitedUnits = 1'000'000'000;
constexpr std::int64_t kGi = std::int64_t{1} << 30;
constexpr std::int64_t kSecond = 1'000'000'000;

Amount unlimited_quota(std::string_view resource) {
  switch (kind_of_resource(resource)) {
    case Kind::cpu:
      return Amount(kUnlimitedUnits * 1000);
    case Kind::memory:
      return Amount(kUnlimitedUnits * kGi);
    default:
      return Amount(kUnlimitedUnits);
  }
}

std::string effect_name(ast::TaintEffect effect) {
  switch (effect) {
    case ast::TaintEffect::no_schedule:
      return "NoSchedule";
    case ast::TaintEffect::prefer_no_schedule:
      return "PreferNoSchedule";
    case ast::TaintEffect::no_execute:
      return "NoExecute";
  }
  return {};
}

class Declarer {
 public:
  Declarer(const Checked& checked, const SourceMap& sources) : checked_(checked), sources_(sources) {
    for (const ast::Declaration* declaration : checked.active) {
      if (const auto* flavor = ast::as<ast::Flavor>(*declaration)) flavors_[declaration->name.text] = flavor;
    }
  }

  World run() {
    for (const ast::Declaration* declaration : checked_.active) {
      declaration_ = declaration;
      std::visit([&](const auto& node) { on(node); }, declaration->node);
    }
    sort_objects(world_);
    return std::move(world_);
  }

 private:
  // Values.

  const Constant& constant(ast::ExprPtr expr) const {
    const Constant* found = checked_.constant(expr);
    assert(found != nullptr && "check asks for constants in declarations");
    return *found;
  }
  std::string text(ast::ExprPtr expr) const { return std::string(constant(expr).text); }
  std::int32_t number(ast::ExprPtr expr) const { return static_cast<std::int32_t>(constant(expr).value); }
  std::int32_t seconds(ast::ExprPtr expr) const {
    return static_cast<std::int32_t>(constant(expr).value / kSecond);
  }
  std::string name_of(const ast::Name& name) const { return std::string(checked_.name_of(name)); }
  std::string own_name() const { return std::string(declaration_->name.text); }

  std::optional<Quantity> weight(ast::ExprPtr expr) const {
    if (expr == nullptr) return std::nullopt;
    if (const auto* literal = ast::as<ast::Literal>(expr)) {
      if (std::optional<Quantity> quantity = Quantity::parse(literal->text)) return quantity;
    }
    return Quantity::from_units(constant(expr).value);
  }

  Labels labels(std::span<const ast::KeyValue> entries) const {
    Labels labels;
    for (const ast::KeyValue& entry : entries) labels[std::string(entry.key.text)] = text(entry.value);
    return labels;
  }

  Origin origin() {
    Span span = declaration_->keyword;
    auto [file, is_new] = files_.try_emplace(span.source, static_cast<std::uint32_t>(world_.files.size()));
    if (is_new) world_.files.emplace_back(sources_.path(span.source));
    return {file->second, sources_.line(span)};
  }

  // Objects.

  void on(const ast::Flavor& flavor) {
    ResourceFlavor object;
    object.name = own_name();
    object.origin = origin();
    object.node_labels = labels(flavor.nodes);
    for (const ast::TaintClause& taint : flavor.taints) {
      object.node_taints.push_back({std::string(taint.key.text),
                                    taint.value == nullptr ? "" : text(taint.value),
                                    effect_name(taint.effect)});
    }
    for (const ast::TolerateClause& clause : flavor.tolerations)
      object.tolerations.push_back(toleration(clause));
    if (!flavor.topology.empty()) object.topology = name_of(flavor.topology);
    world_.flavors.push_back(std::move(object));
  }

  Toleration toleration(const ast::TolerateClause& clause) const {
    Toleration made;
    made.key = clause.all ? "" : std::string(clause.key.text);
    made.op = clause.op == ast::TolerateClause::Op::equal ? "Equal" : "Exists";
    if (clause.value != nullptr) made.value = text(clause.value);
    if (clause.effect) made.effect = effect_name(*clause.effect);
    if (clause.seconds != nullptr) made.seconds = constant(clause.seconds).value / kSecond;
    return made;
  }

  void on(const ast::Provision& provision) {
    ProvisioningRequestConfig config;
    config.name = provision.config.empty() ? own_name() : std::string(provision.config.text);
    config.origin = origin();
    config.class_name = provision.class_name.text;
    config.parameters = labels(provision.parameters);
    for (const ast::Name& resource : provision.manage) config.managed_resources.emplace_back(resource.text);
    if (provision.retry) {
      config.retry.limit = number(provision.retry->times);
      if (provision.retry->backoff != nullptr) config.retry.base_seconds = seconds(provision.retry->backoff);
      if (provision.retry->up_to != nullptr) config.retry.max_seconds = seconds(provision.retry->up_to);
    }
    for (const ast::Provision::NodeUpdate& update : provision.node_updates) {
      config.node_selector_updates.emplace_back(update.key.text, update.detail.text);
    }
    if (provision.merge.text == "identical-pod-templates")
      config.pod_set_merge_policy = "IdenticalPodTemplates";
    if (provision.merge.text == "identical-workload-scheduling-requirements") {
      config.pod_set_merge_policy = "IdenticalWorkloadSchedulingRequirements";
    }
    AdmissionCheck check;
    check.name = own_name();
    check.origin = origin();
    check.controller = "kueue.x-k8s.io/provisioning-request";
    check.parameters_group = "kueue.x-k8s.io";
    check.parameters_kind = "ProvisioningRequestConfig";
    check.parameters_name = config.name;
    world_.admission_checks.push_back(std::move(check));
    world_.provisioning_configs.push_back(std::move(config));
  }

  void on(const ast::Check& check) {
    AdmissionCheck object;
    object.name = own_name();
    object.origin = origin();
    object.controller = check.controller.text;
    std::string_view kind = check.parameters_kind.text;
    std::size_t slash = kind.rfind('/');
    if (slash != std::string_view::npos) object.parameters_group = kind.substr(0, slash);
    object.parameters_kind = slash == std::string_view::npos ? kind : kind.substr(slash + 1);
    object.parameters_name = check.parameters_name.text;
    world_.admission_checks.push_back(std::move(object));
  }

  void on(const ast::Topology& topology) {
    sluice::Topology object;
    object.name = own_name();
    object.origin = origin();
    for (const ast::Topology::Level& level : topology.levels) {
      object.levels.push_back({std::string(level.name.text), std::string(level.node_label.text)});
    }
    world_.topologies.push_back(std::move(object));
  }

  ResourceQuota quota(const ast::ResourceQuota& quota) const {
    ResourceQuota made;
    made.resource = quota.resource.text;
    made.nominal =
        quota.nominal == nullptr ? unlimited_quota(made.resource) : Amount(constant(quota.nominal).value);
    if (quota.borrow != nullptr) made.borrowing_limit = Amount(constant(quota.borrow).value);
    if (quota.lend != nullptr) made.lending_limit = Amount(constant(quota.lend).value);
    return made;
  }

  /// The quotas of a flavor in the order of the group's resources, as Kueue asks for it.
  FlavorQuotas quotas(const ast::FlavorQuotas& quotas, const std::vector<std::string>& covered) const {
    FlavorQuotas made;
    made.flavor = name_of(quotas.flavor);
    for (const std::string& resource : covered) {
      if (quotas.unlimited) {
        made.resources.push_back({resource, unlimited_quota(resource), std::nullopt, std::nullopt});
        continue;
      }
      auto found =
          std::find_if(quotas.resources.begin(), quotas.resources.end(),
                       [&](const ast::ResourceQuota& entry) { return entry.resource.text == resource; });
      assert(found != quotas.resources.end() && "check compares flavors with the group");
      made.resources.push_back(quota(*found));
    }
    return made;
  }

  ResourceGroup group(const ast::ResourceGroup& group) const {
    ResourceGroup made;
    for (const ast::Name& resource : group.resources) made.covered_resources.emplace_back(resource.text);
    for (const ast::FlavorQuotas& flavor : group.flavors)
      made.flavors.push_back(quotas(flavor, made.covered_resources));
    return made;
  }

  void on(const ast::Cohort& cohort) {
    sluice::Cohort object;
    object.name = own_name();
    object.origin = origin();
    if (!cohort.parent.empty()) object.parent = name_of(cohort.parent);
    object.fair_weight = weight(cohort.weight);
    for (const ast::ResourceGroup& one : cohort.groups) object.resource_groups.push_back(group(one));
    add_quotas(cohort, object);
    world_.cohorts.push_back(std::move(object));
  }

  /// `quota F {…}` of the same resources make one group, in the order written.
  void add_quotas(const ast::Cohort& cohort, sluice::Cohort& object) const {
    for (const ast::FlavorQuotas& entry : cohort.quotas) {
      std::vector<std::string> resources;
      for (const ast::ResourceQuota& one : entry.resources) resources.emplace_back(one.resource.text);
      auto same = std::find_if(
          object.resource_groups.begin(), object.resource_groups.end(), [&](const ResourceGroup& g) {
            return std::is_permutation(g.covered_resources.begin(), g.covered_resources.end(),
                                       resources.begin(), resources.end());
          });
      if (same == object.resource_groups.end()) {
        object.resource_groups.push_back({resources, {}});
        same = std::prev(object.resource_groups.end());
      }
      same->flavors.push_back(quotas(entry, same->covered_resources));
    }
  }

  void on(const ast::Queue& queue) {
    ClusterQueue object;
    object.name = own_name();
    object.origin = origin();
    if (!queue.cohort.empty()) object.cohort = name_of(queue.cohort);
    for (const ast::ResourceGroup& one : queue.groups) object.resource_groups.push_back(group(one));
    object.strategy = queue.strategy.value_or(QueueingStrategy::best_effort_fifo);
    object.stop_policy = queue.stop.value_or(StopPolicy::none);
    object.fair_weight = weight(queue.weight);
    object.usage_based_fair_sharing = queue.usage_based_fair_sharing;
    object.concurrent_admission = queue.concurrent_admission;
    if (queue.accept) object.namespace_selector = selector(*queue.accept);
    if (queue.preempt) object.preemption = preemption(*queue.preempt);
    if (queue.fungible) {
      object.fungibility.when_can_borrow =
          queue.fungible->can_borrow.value_or(object.fungibility.when_can_borrow);
      object.fungibility.when_can_preempt =
          queue.fungible->can_preempt.value_or(object.fungibility.when_can_preempt);
      object.fungibility.preference = queue.fungible->preference.value_or(object.fungibility.preference);
    }
    add_checks(queue, object);
    world_.cluster_queues.push_back(std::move(object));
  }

  Preemption preemption(const ast::PreemptClause& clause) const {
    Preemption made;
    made.within_cluster_queue = clause.within_queue.value_or(PreemptionPolicy::never);
    made.reclaim_within_cohort = clause.within_cohort.value_or(PreemptionPolicy::never);
    made.borrow_within_cohort = clause.while_borrowing.value_or(PreemptionPolicy::never);
    if (clause.threshold != nullptr) {  // Kueue's threshold is included
      std::int64_t threshold = constant(clause.threshold).value;
      made.borrow_max_priority_threshold =
          static_cast<std::int32_t>(clause.threshold_inclusive ? threshold : threshold - 1);
    }
    return made;
  }

  void add_checks(const ast::Queue& queue, ClusterQueue& object) const {
    auto find = [&](const std::string& name) {
      return std::find_if(object.admission_checks.begin(), object.admission_checks.end(),
                          [&](const AdmissionCheckRule& rule) { return rule.name == name; });
    };
    for (const ast::CheckClause& clause : queue.checks) {
      AdmissionCheckRule rule;
      rule.name = name_of(clause.check);
      for (const ast::Name& flavor : clause.flavors) rule.on_flavors.push_back(name_of(flavor));
      object.admission_checks.push_back(std::move(rule));
    }
    for (const ResourceGroup& one : object.resource_groups) {
      for (const FlavorQuotas& entry : one.flavors) {
        auto declared = flavors_.find(entry.flavor);
        if (declared == flavors_.end()) continue;
        for (const ast::Name& check : declared->second->checks) {
          std::string name = name_of(check);
          auto rule = find(name);
          if (rule == object.admission_checks.end()) {
            object.admission_checks.push_back({name, {entry.flavor}});
          } else if (!rule->on_flavors.empty() && std::find(rule->on_flavors.begin(), rule->on_flavors.end(),
                                                            entry.flavor) == rule->on_flavors.end()) {
            rule->on_flavors.push_back(entry.flavor);  // empty: every flavor has it already
          }
        }
      }
    }
  }

  // Namespaces.

  LabelSelector selector(const ast::AcceptClause& accept) const {
    LabelSelector made;
    made.nothing = accept.kind == ast::AcceptClause::Kind::no;
    if (accept.condition != nullptr) add_requirements(accept.condition, true, made.requirements);
    return made;
  }

  void add_requirements(ast::ExprPtr condition, bool holds, std::vector<Requirement>& requirements) const {
    if (const auto* unary = ast::as<ast::Unary>(condition)) {
      if (unary->op == ast::UnaryOp::logical_not)
        return add_requirements(unary->operand, !holds, requirements);
      requirements.push_back({key_of(unary->operand), holds ? "Exists" : "DoesNotExist", {}});
      return;
    }
    const auto& binary = *ast::as<ast::Binary>(condition);
    if (binary.op == ast::BinaryOp::logical_and) {
      add_requirements(binary.left, holds, requirements);
      add_requirements(binary.right, holds, requirements);
      return;
    }
    bool in = (binary.op != ast::BinaryOp::not_equal) == holds;
    requirements.push_back({key_of(binary.left), in ? "In" : "NotIn", values_of(binary.right)});
  }

  std::string key_of(ast::ExprPtr label) const { return text(ast::as<ast::Index>(label)->key); }

  std::vector<std::string> values_of(ast::ExprPtr expr) const {
    std::vector<std::string> values;
    if (const auto* list = ast::as<ast::List>(expr)) {
      for (ast::ExprPtr item : list->items) values.push_back(text(item));
    } else if (constant(expr).type.list) {
      for (const Constant& item : constant(expr).items) values.emplace_back(item.text);
    } else {
      values.push_back(text(expr));
    }
    return values;
  }

  // The rest.

  void on(const ast::LocalQueue& local) {
    sluice::LocalQueue object;
    object.name_space = local.name_space.text;
    object.name = local.name.text;
    object.origin = origin();
    object.cluster_queue = name_of(local.queue);
    object.stop_policy = local.stop.value_or(StopPolicy::none);
    object.fair_weight = weight(local.weight);
    world_.local_queues.push_back(std::move(object));
  }

  void on(const ast::PriorityClass& priority) {
    WorkloadPriorityClass object;
    object.name = own_name();
    object.origin = origin();
    object.value = number(priority.value);
    object.description = priority.description;
    world_.workload_priority_classes.push_back(std::move(object));
  }

  /// Signals about flavors; those about machine types wait for compute classes to be decided.
  void on(const ast::Capacity& capacity) {
    for (const ast::CapacityEntry& entry : capacity.entries) {
      if (!entry.zone.empty() || entry.provisioning) continue;
      CapacitySignal signal;
      signal.flavor = name_of(entry.subject);
      signal.origin = origin();
      if (entry.since != nullptr) signal.since = Instant{constant(entry.since).value};
      if (entry.state.text == "stocked-out" || entry.state.text == "used-up") {
        signal.state = CapacitySignal::State::stocked_out;
      } else if (entry.state.text == "quota-exceeded") {
        signal.state = CapacitySignal::State::quota_exceeded;
      }
      world_.capacity.push_back(std::move(signal));
    }
  }

  void on(const ast::Import&) {}
  void on(const ast::Param&) {}
  void on(const ast::Function&) {}
  void on(const ast::ComputeClass&) {}
  void on(const ast::Fallback&) {}
  void on(const ast::Rule&) {}
  void on(const ast::HitPolicy&) {}
  void on(const ast::Test&) {}
  void on(const ast::Invariant&) {}

  const Checked& checked_;
  const SourceMap& sources_;
  World world_;
  const ast::Declaration* declaration_ = nullptr;
  std::map<std::uint32_t, std::uint32_t> files_;  // source to index into World::files
  std::map<std::string_view, const ast::Flavor*, std::less<>> flavors_;
};

}  // namespace

World declare(const Checked& checked, const SourceMap& sources) {
  return Declarer(checked, sources).run();
}

}  // namespace sluice::lang
