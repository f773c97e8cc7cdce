#include <fmt/core.h>

#include <set>
#include <unordered_map>

#include "base/names.hpp"
#include "kube/kinds.hpp"
#include "kube/pod_template.hpp"

// ResourceFlavor, ClusterQueue, Cohort and LocalQueue.
// Source of the rules: Kueue v0.19.2 pkg/webhooks and the CEL rules of its CRDs.

namespace sluice::kube {

namespace {

std::optional<std::string> optional_text(const Value* value) {
  if (value == nullptr || value->text().empty()) return {};
  return std::string(value->text());
}

std::string_view word_or(const Value* value, std::string_view otherwise) {
  return value == nullptr || value->text().empty() ? otherwise : value->text();
}

/// One of a field's words; the schema refuses others before.
template <class Enum>
Enum word_of(const Object& object, const Value* value, Enum otherwise,
             std::initializer_list<std::pair<std::string_view, Enum>> words) {
  if (value == nullptr || value->text().empty()) return otherwise;
  for (const auto& [word, meaning] : words)
    if (value->text() == word) return meaning;
  std::string known;
  for (const auto& [word, meaning] : words) known += fmt::format("{}`{}`", known.empty() ? "" : ", ", word);
  refuse(object, *value, fmt::format("`{}` is not a value of this field", value->text()),
         "write one of " + known);
}

StopPolicy stop_policy_of(const Object& object) {
  return word_of(
      object, object.value->at({"spec", "stopPolicy"}), StopPolicy::none,
      {{"None", StopPolicy::none}, {"Hold", StopPolicy::hold}, {"HoldAndDrain", StopPolicy::hold_and_drain}});
}

std::optional<Quantity> fair_weight_of(const Object& object) {
  const Value* sharing = object.value->at({"spec", "fairSharing"});
  if (sharing == nullptr) return {};
  const Value* weight = sharing->find("weight");
  if (weight == nullptr) return Quantity::from_units(1);
  Quantity quantity = amount_of(object, *weight);
  if (!quantity.is_zero() && quantity <= *Quantity::parse("1n"))
    refuse(object, *weight, "a weight that is not 0 must be above 1n");
  return quantity;
}

/// What a ClusterQueue and a Cohort check differently.
struct QuotaRules {
  bool has_parent;
  const char* parent_field;
  bool limits_lending;  ///< lendingLimit may not exceed nominalQuota
};

class GroupReader {
 public:
  GroupReader(const Input& input, QuotaRules rules)
      : object_(input.object), rules_(rules), line_(input.options.kueue.gates.version) {}

  std::vector<ResourceGroup> read(const Value* groups) {
    std::vector<ResourceGroup> result;
    if (groups == nullptr) return result;
    std::size_t flavors = 0;
    std::size_t resources = 0;
    for (const Value& group : groups->items()) {
      result.push_back(read_group(group));
      flavors += result.back().flavors.size();
      resources += result.back().covered_resources.size();
      if (result.back().flavors.size() * result.back().covered_resources.size() > 512)
        refuse(object_, group, "a resource group has at most 512 pairs of flavor and resource");
    }
    if (flavors > 256)
      refuse(object_, *groups, fmt::format("at most 256 flavors in all groups, here are {}", flavors));
    if (resources > 256)
      refuse(object_, *groups, fmt::format("at most 256 resources in all groups, here are {}", resources));
    return result;
  }

 private:
  ResourceGroup read_group(const Value& value) {
    ResourceGroup group;
    if (const Value* covered = value.find("coveredResources"))
      for (const Value& resource : covered->items()) {
        if (!is_qualified_name(resource.text()))
          refuse(object_, resource, fmt::format("`{}` is no resource name", resource.text()));
        if (!resources_.insert(resource.text()).second)
          refuse(object_, resource, fmt::format("the resource `{}` is covered twice", resource.text()),
                 "a resource belongs to one group");
        group.covered_resources.emplace_back(resource.text());
      }
    if (const Value* flavors = value.find("flavors"))
      for (const Value& flavor : flavors->items()) group.flavors.push_back(read_flavor(group, flavor));
    return group;
  }

  FlavorQuotas read_flavor(const ResourceGroup& group, const Value& value) {
    FlavorQuotas quotas;
    const Value* name = value.find("name");
    if (name == nullptr || name->text().empty()) refuse(object_, value, "the flavor has no `name`");
    quotas.flavor = name->text();
    if (!flavors_.insert(name->text()).second)
      refuse(object_, *name, fmt::format("the flavor `{}` is listed twice", name->text()),
             "a flavor belongs to one group, and there once");
    const Value* resources = value.find("resources");
    std::size_t count = resources == nullptr ? 0 : resources->items().size();
    if (count != group.covered_resources.size())
      refuse(object_, value,
             fmt::format("the flavor `{}` lists {} resources, `coveredResources` has {}", name->text(), count,
                         group.covered_resources.size()),
             "every flavor lists exactly the covered resources, in their order");
    for (std::size_t i = 0; i < count; ++i)
      quotas.resources.push_back(read_resource(group.covered_resources[i], resources->items()[i]));
    return quotas;
  }

  ResourceQuota read_resource(const std::string& covered, const Value& value) {
    const Value* name = value.find("name");
    if (name == nullptr || name->text() != covered)
      refuse(object_, name == nullptr ? value : *name,
             fmt::format("`{}` is expected here, as in `coveredResources`", covered),
             "every flavor lists exactly the covered resources, in their order");
    const Value* nominal = value.find("nominalQuota");
    if (nominal == nullptr)
      refuse(object_, value, fmt::format("the resource `{}` has no `nominalQuota`", covered));
    Quantity own = amount_of(object_, *nominal);
    ResourceQuota quota{covered, counted(covered, own), {}, {}};
    if (const Value* limit = limit_of(value, "borrowingLimit"))
      quota.borrowing_limit = counted(covered, amount_of(object_, *limit));
    if (const Value* limit = limit_of(value, "lendingLimit")) {
      Quantity lent = amount_of(object_, *limit);
      if (rules_.limits_lending && lent > own)
        refuse(object_, *limit,
               fmt::format("the `lendingLimit` {} is above the `nominalQuota` {}", limit->text(),
                           nominal->text()));
      quota.lending_limit = counted(covered, lent);
    }
    return quota;
  }

  /// What does not fit in 63 bits was nothing at all before it became unlimited.
  Amount counted(const std::string& resource, const Quantity& quantity) const {
    Amount amount = Amount::quota(resource, quantity);
    return line_ == KueueVersion::v0_17 && amount.is_unlimited() ? Amount(0) : amount;
  }

  const Value* limit_of(const Value& value, std::string_view field) const {
    const Value* limit = value.find(field);
    if (limit != nullptr && !rules_.has_parent)
      refuse(object_, *limit, fmt::format("`{}` needs a `{}`", field, rules_.parent_field),
             "without a cohort there is nobody to borrow from or lend to");
    return limit;
  }

  const Object& object_;
  QuotaRules rules_;
  KueueVersion line_;
  std::set<std::string_view> resources_;
  std::set<std::string_view> flavors_;
};

}  // namespace

LabelSelector selector_of(const Object& object, const Value* value) {
  LabelSelector selector;
  if (value == nullptr) {
    selector.nothing = true;
    return selector;
  }
  if (const Value* labels = value->find("matchLabels")) {
    check_labels(object, labels);
    for (const auto& [key, text] : labels_of(labels)) selector.requirements.push_back({key, "In", {text}});
  }
  if (const Value* expressions = value->find("matchExpressions"))
    for (const Value& expression : expressions->items()) {
      const Value* key = expression.find("key");
      const Value* op = expression.find("operator");
      const Value* values = expression.find("values");
      if (key == nullptr || !is_qualified_name(key->text()))
        refuse(object, key == nullptr ? expression : *key, "the selector needs a label `key`");
      bool is_set = op != nullptr && (op->text() == "In" || op->text() == "NotIn");
      bool is_presence = op != nullptr && (op->text() == "Exists" || op->text() == "DoesNotExist");
      if (!is_set && !is_presence)
        refuse(object, op == nullptr ? expression : *op,
               "the `operator` must be `In`, `NotIn`, `Exists` or `DoesNotExist`");
      bool has_values = values != nullptr && !values->items().empty();
      if (is_set && !has_values) refuse(object, expression, fmt::format("`{}` needs `values`", op->text()));
      if (is_presence && has_values) refuse(object, *values, fmt::format("`{}` has no `values`", op->text()));
    }
  std::vector<Requirement> expressions = requirements_of(value->find("matchExpressions"));
  selector.requirements.insert(selector.requirements.end(), expressions.begin(), expressions.end());
  return selector;
}

namespace {

FlavorFungibility fungibility_of(const Object& object) {
  FlavorFungibility fungibility;
  const Value* value = object.value->at({"spec", "flavorFungibility"});
  if (value == nullptr) return fungibility;
  using enum FungibilityPolicy;
  // `Borrow` and `Preempt` are v1beta1's words.
  fungibility.when_can_borrow = word_of(
      object, value->find("whenCanBorrow"), may_stop_search,
      {{"MayStopSearch", may_stop_search}, {"TryNextFlavor", try_next_flavor}, {"Borrow", may_stop_search}});
  fungibility.when_can_preempt = word_of(
      object, value->find("whenCanPreempt"), try_next_flavor,
      {{"MayStopSearch", may_stop_search}, {"TryNextFlavor", try_next_flavor}, {"Preempt", may_stop_search}});
  const Value* preference = value->find("preference");
  if (preference == nullptr || preference->text().empty()) return fungibility;
  fungibility.preference =
      word_of(object, preference, FungibilityPreference::borrowing_over_preemption,
              {{"BorrowingOverPreemption", FungibilityPreference::borrowing_over_preemption},
               {"PreemptionOverBorrowing", FungibilityPreference::preemption_over_borrowing}});
  if (fungibility.when_can_borrow != try_next_flavor || fungibility.when_can_preempt != try_next_flavor)
    refuse(object, *preference,
           "`preference` needs `TryNextFlavor` for both `whenCanBorrow` and `whenCanPreempt`");
  return fungibility;
}

Preemption preemption_of(const Object& object) {
  Preemption preemption;
  const Value* value = object.value->at({"spec", "preemption"});
  if (value == nullptr) return preemption;
  using enum PreemptionPolicy;
  preemption.reclaim_within_cohort =
      word_of(object, value->find("reclaimWithinCohort"), never,
              {{"Never", never}, {"LowerPriority", lower_priority}, {"Any", any}});
  preemption.within_cluster_queue = word_of(object, value->find("withinClusterQueue"), never,
                                            {{"Never", never},
                                             {"LowerPriority", lower_priority},
                                             {"LowerOrNewerEqualPriority", lower_or_newer_equal_priority}});
  const Value* borrow = value->find("borrowWithinCohort");
  if (borrow == nullptr) return preemption;
  preemption.borrow_within_cohort =
      word_of(object, borrow->find("policy"), never, {{"Never", never}, {"LowerPriority", lower_priority}});
  if (const Value* threshold = borrow->find("maxPriorityThreshold"))
    preemption.borrow_max_priority_threshold = static_cast<std::int32_t>(integer_or(threshold, 0));
  if (preemption.reclaim_within_cohort == never && preemption.borrow_within_cohort != never)
    refuse(object, *borrow, "`borrowWithinCohort` needs a `reclaimWithinCohort` other than `Never`");
  return preemption;
}

std::vector<AdmissionCheckRule> checks_of(const Object& object, const std::vector<ResourceGroup>& groups) {
  std::vector<AdmissionCheckRule> rules;
  if (object.version == "v1beta1") {
    // The plain list of v1beta1 overwrites the strategy.
    const Value* plain = object.value->at({"spec", "admissionChecks"});
    if (plain != nullptr && !plain->items().empty()) {
      for (const Value& name : plain->items()) rules.push_back({std::string(name.text()), {}});
      return rules;
    }
  }
  const Value* checks = object.value->at({"spec", "admissionChecksStrategy", "admissionChecks"});
  if (checks == nullptr) return rules;
  for (const Value& check : checks->items()) {
    AdmissionCheckRule& rule = rules.emplace_back();
    rule.name = text_of(check.find("name"));
    if (rule.name.empty()) refuse(object, check, "the admission check has no `name`");
    const Value* flavors = check.find("onFlavors");
    if (flavors == nullptr) continue;
    for (const Value& flavor : flavors->items()) {
      bool is_known = false;
      for (const ResourceGroup& group : groups)
        for (const FlavorQuotas& quotas : group.flavors)
          is_known = is_known || quotas.flavor == flavor.text();
      if (!is_known) refuse(object, flavor, fmt::format("the queue has no flavor `{}`", flavor.text()));
      rule.on_flavors.emplace_back(flavor.text());
    }
  }
  return rules;
}

/// Source   Kueue pkg/webhooks, validateConcurrentAdmissionPolicy.
void check_concurrent(const Object& object, const ClusterQueue& queue, const Value& policy) {
  constexpr std::size_t kMostFlavors = 16;
  if (queue.resource_groups.size() != 1)
    refuse(object, policy, "concurrent admission needs exactly one resource group");
  const std::vector<FlavorQuotas>& flavors = queue.resource_groups[0].flavors;
  if (flavors.size() > kMostFlavors)
    refuse(object, policy, "a queue with concurrent admission has at most 16 flavors");
  if (policy.at({"migration", "constraints"}) != nullptr) {
    if (queue.retains_first_admission)
      refuse(object, policy, "`constraints` go with the mode `TryPreferredFlavors` only");
    bool known = queue.last_acceptable_flavor.empty() ||
                 std::any_of(flavors.begin(), flavors.end(), [&](const FlavorQuotas& quotas) {
                   return quotas.flavor == queue.last_acceptable_flavor;
                 });
    if (!known)
      refuse(object, policy, fmt::format("the queue has no flavor `{}`", queue.last_acceptable_flavor));
  }
  if (queue.strategy == QueueingStrategy::strict_fifo)
    refuse(object, policy, "concurrent admission does not go with `StrictFIFO`");
}

}  // namespace

ResourceFlavor resource_flavor_of(const Input& input) {
  const Object& object = input.object;
  ResourceFlavor flavor;
  flavor.name = name_of(object);
  flavor.origin = input.origin;
  const Value* labels = object.value->at({"spec", "nodeLabels"});
  check_labels(object, labels);
  flavor.node_labels = labels_of(labels);
  flavor.node_taints = checked_taints(object, object.value->at({"spec", "nodeTaints"}));
  flavor.tolerations = checked_tolerations(object, object.value->at({"spec", "tolerations"}));
  const Value* topology = object.value->at({"spec", "topologyName"});
  flavor.topology = optional_text(topology);
  if (flavor.topology && flavor.node_labels.empty())
    refuse(object, *topology, "a flavor with a `topologyName` needs at least one of `nodeLabels`");
  return flavor;
}

ClusterQueue cluster_queue_of(const Input& input) {
  const Object& object = input.object;
  ClusterQueue queue;
  queue.name = name_of(object);
  queue.origin = input.origin;
  queue.generation = generation_of(object);
  const char* cohort_field = object.version == "v1beta1" ? "cohort" : "cohortName";
  queue.cohort = optional_text(object.value->at({"spec", cohort_field}));
  GroupReader groups(input, {queue.cohort.has_value(), cohort_field, true});
  queue.resource_groups = groups.read(object.value->at({"spec", "resourceGroups"}));
  queue.strategy =
      word_of(object, object.value->at({"spec", "queueingStrategy"}), QueueingStrategy::best_effort_fifo,
              {{"BestEffortFIFO", QueueingStrategy::best_effort_fifo},
               {"StrictFIFO", QueueingStrategy::strict_fifo}});
  queue.namespace_selector = selector_of(object, object.value->at({"spec", "namespaceSelector"}));
  queue.fungibility = fungibility_of(object);
  queue.preemption = preemption_of(object);
  queue.stop_policy = stop_policy_of(object);
  queue.admission_checks = checks_of(object, queue.resource_groups);
  queue.fair_weight = fair_weight_of(object);
  queue.usage_based_fair_sharing = word_or(object.value->at({"spec", "admissionScope", "admissionMode"}),
                                           "") == "UsageBasedAdmissionFairSharing";
  if (const Value* policy = object.value->at({"spec", "concurrentAdmissionPolicy"})) {
    queue.concurrent_admission = true;
    queue.retains_first_admission = word_or(policy->at({"migration", "mode"}), "") == "RetainFirstAdmission";
    queue.last_acceptable_flavor =
        text_of(policy->at({"migration", "constraints", "lastAcceptableFlavorName"}));
    if (input.options.kueue.gates.concurrent_admission) check_concurrent(object, queue, *policy);
  }
  return queue;
}

Cohort cohort_of(const Input& input) {
  const Object& object = input.object;
  Cohort cohort;
  cohort.name = name_of(object);
  cohort.origin = input.origin;
  cohort.parent = optional_text(object.value->at({"spec", "parentName"}));
  GroupReader groups(input, {cohort.parent.has_value(), "parentName", false});
  cohort.resource_groups = groups.read(object.value->at({"spec", "resourceGroups"}));
  cohort.fair_weight = fair_weight_of(object);
  return cohort;
}

LocalQueue local_queue_of(const Input& input) {
  const Object& object = input.object;
  LocalQueue queue;
  queue.name_space = namespace_name_of(object);
  queue.name = name_of(object);
  queue.origin = input.origin;
  queue.cluster_queue = text_of(object.value->at({"spec", "clusterQueue"}));
  queue.stop_policy = stop_policy_of(object);
  queue.fair_weight = fair_weight_of(object);
  queue.consumed = resources_of(*object.manifest,
                                object.value->at({"status", "fairSharing", "admissionFairSharingStatus",
                                                  "consumedResources"}));
  return queue;
}

}  // namespace sluice::kube
