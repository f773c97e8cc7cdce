#include "lang/check_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/names.hpp"
#include "base/suggest.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

// Limits of the objects' schemas. Source: CRDs and webhooks of Kueue 0.19.2.
constexpr std::size_t kMaxNodeLabels = 8;
constexpr std::size_t kMaxTaints = 8;
constexpr std::size_t kMaxTolerations = 8;
constexpr std::size_t kMaxGroups = 16;
constexpr std::size_t kMaxResourcesOfGroup = 64;
constexpr std::size_t kMaxFlavorsOfGroup = 64;
constexpr std::size_t kMaxFlavorsOfQueue = 256;
constexpr std::size_t kMaxResourcesOfQueue = 256;
constexpr std::size_t kMaxPairsOfGroup = 512;
constexpr std::size_t kMaxChecksOfQueue = 64;
constexpr std::size_t kMaxTopologyLevels = 16;
constexpr std::size_t kMaxParameters = 100;
constexpr std::size_t kMaxNodeUpdates = 8;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

constexpr std::string_view kNameHelp =
    "names are of a-z, 0-9, `-` and `.`, begin and end with a letter or digit";

std::string_view counted(Kind kind) {
  switch (kind) {
    case Kind::cpu:
      return "cores";
    case Kind::memory:
      return "bytes";
    case Kind::duration:
      return "time";
    case Kind::percent:
      return "per cent";
    case Kind::money:
      return "money";
    default:
      return "pieces";
  }
}

class ObjectCheck {
 public:
  ObjectCheck(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names)
      : declaration_(declaration), expressions_(expressions), names_(names) {
    place_.scope = &expressions.scopes().of(declaration.span.source);
    place_.has_workload = false;
  }

  void run() {
    std::visit([&](const auto& node) { on(node); }, declaration_.node);
  }

 private:
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return expressions_.diagnostics().error(code, span, std::move(message));
  }

  // What every object has.

  void check_name(const ast::Name& name, std::string_view what) {
    if (is_dns_subdomain(name.text)) return;
    error("bad-name", name.span, fmt::format("`{}` can be no name of a {}", name.text, what)).help =
        kNameHelp;
  }

  bool check_key(const ast::Name& name, std::string_view what) {
    if (is_qualified_name(name.text)) return true;
    error("bad-name", name.span, fmt::format("`{}` can be no {}", name.text, what)).help =
        "write `name` or `domain/name`";
    return false;
  }

  void check_limit(std::size_t count, std::size_t most, Span span, std::string_view what) {
    if (count <= most) return;
    error("too-many", span, fmt::format("{} {}, but Kueue takes {} at most", count, what, most));
  }

  /// Reports the second of two equal names. True if all differ.
  template <class List, class NameOf>
  bool check_unique(const List& list, NameOf name_of, std::string_view what) {
    std::map<std::string_view, Span> seen;
    bool unique = true;
    for (const auto& item : list) {
      const ast::Name& name = name_of(item);
      auto [first, is_new] = seen.try_emplace(name.text, name.span);
      if (is_new) continue;
      error("duplicate-entry", name.span, fmt::format("{} `{}` stands here twice", what, name.text))
          .labels.emplace_back(first->second, "first here");
      unique = false;
    }
    return unique;
  }

  void check_label_value(ast::ExprPtr value, std::string_view what) {
    const Constant* constant = expressions_.check_constant(value, place_, Kind::text, what);
    if (constant == nullptr || is_label_value(constant->text)) return;
    error("bad-name", value->span, fmt::format("`{}` can be no label value", constant->text)).help =
        "values have 63 letters, digits, `-`, `_` and `.` at most, and begin and end with a letter or digit";
  }

  /// A whole number from `least` to `most`.
  void check_number(ast::ExprPtr value, std::string_view what, std::int64_t least, std::int64_t most) {
    const Constant* constant = expressions_.check_constant(value, place_, Kind::number, what);
    if (constant == nullptr || (constant->value >= least && constant->value <= most)) return;
    error("out-of-range", value->span, fmt::format("{} goes from {} to {}", what, least, most));
  }

  void check_duration(ast::ExprPtr value, std::string_view what) {
    const Constant* constant = expressions_.check_constant(value, place_, Kind::duration, what);
    if (constant == nullptr) return;
    constexpr std::int64_t second = 1'000'000'000;
    if (constant->value < 0 || constant->value % second != 0 ||
        constant->value / second > std::numeric_limits<std::int32_t>::max()) {
      error("out-of-range", value->span, fmt::format("{} is counted in whole seconds, from 0", what));
    }
  }

  void check_weight(ast::ExprPtr value) {
    if (value == nullptr) return;
    if (const auto* literal = ast::as<ast::Literal>(value)) {  // a weight may be a fraction: `0.5`
      bool number = literal->kind == ast::LiteralKind::number || literal->kind == ast::LiteralKind::quantity;
      std::optional<Quantity> quantity = number ? Quantity::parse(literal->text) : std::nullopt;
      if (quantity && quantity->nano() > 0 && quantity->nano() <= 1) {
        error("out-of-range", value->span, "a weight is 0 or more than 1n");
        return;
      }
      if (quantity) return;
    }
    const Constant* constant = expressions_.check_constant(value, place_, Kind::number, "a weight");
    if (constant != nullptr && constant->value < 0) {
      error("out-of-range", value->span, "a weight cannot be negative");
    }
  }

  // Flavors.

  void on(const ast::Flavor& flavor) {
    check_name(declaration_.name, "flavor");
    for (const ast::KeyValue& entry : flavor.nodes) {
      check_key(entry.key, "label key");
      check_label_value(entry.value, "a node label");
    }
    check_unique(
        flavor.nodes, [](const ast::KeyValue& entry) -> const ast::Name& { return entry.key; },
        "the node label");
    check_limit(flavor.nodes.size(), kMaxNodeLabels, declaration_.name.span, "node labels");
    check_taints(flavor);
    for (const ast::TolerateClause& clause : flavor.tolerations) check_toleration(clause);
    check_limit(flavor.tolerations.size(), kMaxTolerations, declaration_.name.span, "tolerations");
    if (!flavor.topology.empty()) {
      names_.check(NameSpace::topology, flavor.topology);
      if (flavor.nodes.empty()) {
        error("topology-without-nodes", flavor.topology.span,
              "a flavor with a topology needs at least one node label")
            .help = "say which nodes these are: `nodes cloud.google.com/gke-nodepool = \"…\"`";
      }
    }
    for (const ast::Name& check : flavor.checks) names_.check(NameSpace::check, check);
    check_unique(
        flavor.checks, [](const ast::Name& name) -> const ast::Name& { return name; }, "the check");
  }

  void check_taints(const ast::Flavor& flavor) {
    std::map<std::pair<std::string_view, ast::TaintEffect>, Span> seen;
    for (const ast::TaintClause& taint : flavor.taints) {
      check_key(taint.key, "taint key");
      if (taint.value != nullptr) check_label_value(taint.value, "a taint");
      auto [first, is_new] = seen.try_emplace({taint.key.text, taint.effect}, taint.key.span);
      if (is_new) continue;
      error("duplicate-entry", taint.key.span,
            fmt::format("the taint `{}` stands here twice with the same effect", taint.key.text))
          .labels.emplace_back(first->second, "first here");
    }
    check_limit(flavor.taints.size(), kMaxTaints, declaration_.name.span, "taints");
  }

  void check_toleration(const ast::TolerateClause& clause) {
    if (!clause.all) check_key(clause.key, "taint key");
    if (clause.op == ast::TolerateClause::Op::greater || clause.op == ast::TolerateClause::Op::less) {
      error("not-in-kueue", clause.span, "a flavor's tolerations only know `=` and the key alone");
      return;
    }
    if (clause.value != nullptr) check_label_value(clause.value, "a toleration");
    if (clause.seconds == nullptr) return;
    check_duration(clause.seconds, "how long a taint is tolerated");
    if (clause.effect != ast::TaintEffect::no_execute) {
      error("not-in-kueue", clause.seconds->span, "only `no-execute` taints are tolerated for a time").help =
          fmt::format("write `tolerate {}: no-execute for …`", clause.key.text);
    }
  }

  // Checks and what they provision.

  void on(const ast::Provision& provision) {
    check_name(declaration_.name, "admission check");
    if (provision.class_name.empty()) {
      error(
          "missing-clause", declaration_.name.span,
          fmt::format("`provision {}` does not say which class of request it makes", declaration_.name.text))
          .help = "write `class queued-provisioning.gke.io`";
    } else {
      check_name(provision.class_name, "provisioning class");
    }
    if (!provision.config.empty()) check_name(provision.config, "config");
    for (const ast::Name& resource : provision.manage) check_key(resource, "resource");
    check_unique(
        provision.manage, [](const ast::Name& name) -> const ast::Name& { return name; }, "the resource");
    check_limit(provision.manage.size(), kMaxParameters, declaration_.name.span, "managed resources");
    for (const ast::KeyValue& parameter : provision.parameters) {
      expressions_.check_constant(parameter.value, place_, Kind::text, "a parameter");
    }
    check_unique(
        provision.parameters, [](const ast::KeyValue& entry) -> const ast::Name& { return entry.key; },
        "the parameter");
    check_limit(provision.parameters.size(), kMaxParameters, declaration_.name.span, "parameters");
    for (const ast::Provision::NodeUpdate& update : provision.node_updates)
      check_key(update.key, "label key");
    check_unique(
        provision.node_updates,
        [](const ast::Provision::NodeUpdate& update) -> const ast::Name& { return update.key; },
        "the node label");
    check_limit(provision.node_updates.size(), kMaxNodeUpdates, declaration_.name.span, "`select` clauses");
    if (!provision.retry) return;
    check_number(provision.retry->times, "the number of retries", 0,
                 std::numeric_limits<std::int32_t>::max());
    if (provision.retry->backoff != nullptr) check_duration(provision.retry->backoff, "a backoff");
    if (provision.retry->up_to != nullptr) check_duration(provision.retry->up_to, "a backoff");
  }

  void on(const ast::Check& check) {
    check_name(declaration_.name, "admission check");
    if (check.controller.empty()) {
      error("missing-clause", declaration_.name.span,
            fmt::format("`check {}` does not say which controller answers it", declaration_.name.text))
          .help = "write `controller example.com/license-server`";
      return;
    }
    check_key(check.controller, "controller name");
  }

  void on(const ast::Topology& topology) {
    check_name(declaration_.name, "topology");
    if (topology.levels.empty()) {
      error("missing-clause", declaration_.name.span,
            fmt::format("topology `{}` has no level", declaration_.name.text))
          .help = "write `level block = cloud.google.com/gce-topology-block`";
    }
    check_limit(topology.levels.size(), kMaxTopologyLevels, declaration_.name.span, "levels");
    check_unique(
        topology.levels, [](const ast::Topology::Level& level) -> const ast::Name& { return level.name; },
        "the level");
    check_unique(
        topology.levels,
        [](const ast::Topology::Level& level) -> const ast::Name& { return level.node_label; },
        "the node label");
    for (std::size_t i = 0; i < topology.levels.size(); ++i) {
      const ast::Name& label = topology.levels[i].node_label;
      check_key(label, "label key");
      if (label.text == kHostname && i + 1 != topology.levels.size()) {
        error("level-order", label.span, "the hostname can only be the lowest level").help =
            "levels go from the widest to the narrowest";
      }
    }
  }

  // Quota.

  void on(const ast::Cohort& cohort) {
    check_name(declaration_.name, "cohort");
    if (!cohort.parent.empty()) check_name(cohort.parent, "cohort");
    check_weight(cohort.weight);
    // Each `quota` is a group of its own resources; those of the same resources are one group.
    std::map<std::string_view, std::pair<std::vector<std::string_view>, Span>> group_of;
    for (const ast::FlavorQuotas& quotas : cohort.quotas) {
      names_.check(NameSpace::flavor, quotas.flavor);
      if (quotas.unlimited) {
        error("missing-clause", quotas.span, "a cohort's quota must name its resources").help =
            fmt::format("write `quota {} {{ cpu unlimited }}`", quotas.flavor.text);
      }
      std::vector<std::string_view> resources;
      for (const ast::ResourceQuota& quota : quotas.resources) resources.push_back(quota.resource.text);
      std::sort(resources.begin(), resources.end());
      for (const ast::ResourceQuota& quota : quotas.resources) {
        check_key(quota.resource, "resource");
        check_quota(quota, !cohort.parent.empty(), "parent", false);
        auto [first, is_new] = group_of.try_emplace(quota.resource.text, resources, quota.resource.span);
        if (is_new || first->second.first == resources) continue;
        error("group-mismatch", quota.resource.span,
              fmt::format("`{}` stands in two different sets of resources", quota.resource.text))
            .labels.emplace_back(first->second.second, "in another set here");
      }
      check_unique(
          quotas.resources,
          [](const ast::ResourceQuota& quota) -> const ast::Name& { return quota.resource; }, "the resource");
    }
    check_unique(
        cohort.quotas, [](const ast::FlavorQuotas& quotas) -> const ast::Name& { return quotas.flavor; },
        "the flavor");
    check_groups(cohort.groups, !cohort.parent.empty(), "parent", false);
  }

  void on(const ast::Queue& queue) {
    check_name(declaration_.name, "queue");
    if (!queue.cohort.empty()) {
      check_name(queue.cohort, "cohort");
      check_cohort_name(queue.cohort);
    }
    if (queue.accept && queue.accept->condition != nullptr) check_selector(queue.accept->condition);
    check_groups(queue.groups, !queue.cohort.empty(), "cohort", true);
    if (queue.preempt) check_preemption(queue);
    if (queue.fungible) check_fungibility(*queue.fungible);
    check_weight(queue.weight);
    check_queue_checks(queue);
    if (queue.concurrent_admission) check_concurrent(queue);
  }

  /// A cohort need not be declared: it exists where it is named. A near miss of a declared one is a mistake.
  void check_cohort_name(const ast::Name& name) {
    if (names_.find(NameSpace::cohort, name) != nullptr) return;
    std::string_view near = nearest(name.text, place_.scope->names(NameSpace::cohort));
    if (near.empty()) return;
    expressions_.diagnostics()
        .warning("undeclared-name", name.span, fmt::format("cohort `{}` is not declared", name.text))
        .help = fmt::format("did you mean `{}`?", near);
  }

  void check_groups(std::span<const ast::ResourceGroup> groups, bool has_parent, std::string_view parent,
                    bool of_queue) {
    std::map<std::string_view, Span> resources;
    std::map<std::string_view, Span> flavors;
    std::size_t flavor_count = 0;
    std::size_t resource_count = 0;
    check_limit(groups.size(), kMaxGroups, declaration_.name.span, "groups");
    for (const ast::ResourceGroup& group : groups) {
      mismatched_.clear();
      for (const ast::Name& resource : group.resources) {
        check_key(resource, "resource");
        auto [first, is_new] = resources.try_emplace(resource.text, resource.span);
        if (is_new) continue;
        error("duplicate-entry", resource.span, fmt::format("resource `{}` is covered twice", resource.text))
            .labels.emplace_back(first->second, "first here");
      }
      if (group.flavors.empty()) {
        error("missing-clause", group.span, "this group has no flavor").help =
            "write `flavor on-demand { cpu 40 }`";
      }
      for (const ast::FlavorQuotas& quotas : group.flavors) {
        names_.check(NameSpace::flavor, quotas.flavor, of_queue);
        auto [first, is_new] = flavors.try_emplace(quotas.flavor.text, quotas.flavor.span);
        if (!is_new) {
          error("duplicate-entry", quotas.flavor.span,
                fmt::format("flavor `{}` stands here twice", quotas.flavor.text))
              .labels.emplace_back(first->second, "first here");
        }
        bool covers_all = check_covered(group, quotas);
        if (!covers_all) continue;  // the amount of a misspelt resource would be in the wrong unit, too
        for (const ast::ResourceQuota& quota : quotas.resources)
          check_quota(quota, has_parent, parent, of_queue);
      }
      check_limit(group.resources.size(), kMaxResourcesOfGroup, group.span, "resources in a group");
      check_limit(group.flavors.size(), kMaxFlavorsOfGroup, group.span, "flavors in a group");
      check_limit(group.flavors.size() * group.resources.size(), kMaxPairsOfGroup, group.span,
                  "pairs of flavor and resource");
      flavor_count += group.flavors.size();
      resource_count += group.resources.size();
    }
    check_limit(flavor_count, kMaxFlavorsOfQueue, declaration_.name.span, "flavors");
    check_limit(resource_count, kMaxResourcesOfQueue, declaration_.name.span, "resources");
  }

  /// Each flavor has a quota of each covered resource, and of no other.
  bool check_covered(const ast::ResourceGroup& group, const ast::FlavorQuotas& quotas) {
    if (quotas.unlimited) return true;
    if (!check_unique(
            quotas.resources,
            [](const ast::ResourceQuota& quota) -> const ast::Name& { return quota.resource; },
            "the quota of")) {
      return false;
    }
    std::vector<std::string_view> covered;
    for (const ast::Name& resource : group.resources) covered.push_back(resource.text);
    std::vector<std::string_view> missing = covered;
    bool has_extra = false;
    for (const ast::ResourceQuota& quota : quotas.resources) {
      std::erase(missing, quota.resource.text);
      if (std::find(covered.begin(), covered.end(), quota.resource.text) != covered.end()) continue;
      has_extra = true;
      if (!mismatched_.insert(quota.resource.text).second)
        continue;  // the group's own list is wrong: one mistake
      auto& report = error("group-mismatch", quota.resource.span,
                           fmt::format("`{}` is no resource of this group", quota.resource.text));
      std::string_view near = nearest(quota.resource.text, covered);
      report.help = near.empty()
                        ? fmt::format("write `group {}, {}`", fmt::join(covered, ", "), quota.resource.text)
                        : fmt::format("did you mean `{}`?", near);
    }
    if (has_extra) return false;
    if (missing.empty()) return true;
    bool is_new = false;
    for (std::string_view resource : missing) is_new = mismatched_.insert(resource).second || is_new;
    if (!is_new) return true;
    std::string written;
    for (std::string_view resource : missing)
      written += fmt::format("{}{} 0", written.empty() ? "" : ", ", resource);
    error("group-mismatch", quotas.flavor.span,
          fmt::format("flavor `{}` has no quota of `{}`", quotas.flavor.text, fmt::join(missing, "`, `")))
        .help = fmt::format("write `{}` for none", written);
    return true;
  }

  void check_quota(const ast::ResourceQuota& quota, bool has_parent, std::string_view parent,
                   bool bounds_lending) {
    std::string_view resource = quota.resource.text;
    const Constant* nominal = check_amount(quota.nominal, resource);
    const Constant* borrow = check_amount(quota.borrow, resource);
    const Constant* lend = check_amount(quota.lend, resource);
    auto needs_parent = [&](ast::ExprPtr limit, std::string_view word) {
      error("limit-without-cohort", limit->span,
            fmt::format("`{}` needs a {} to {} {}", word, parent, word, word == "borrow" ? "from" : "to"))
          .help = parent == "cohort" ? "write `cohort …` in the queue, or leave the limit out"
                                     : "write `parent …` in the cohort, or leave the limit out";
    };
    if (!has_parent && quota.borrow != nullptr) {
      needs_parent(quota.borrow, "borrow");
    } else if (!has_parent && quota.lend != nullptr) {
      needs_parent(quota.lend, "lend");
    } else if (bounds_lending && nominal != nullptr && lend != nullptr && lend->value > nominal->value) {
      error("lend-above-quota", quota.lend->span,
            fmt::format("`{}` lends {} of a quota of {}", resource, value_text(lend->type.kind, lend->value),
                        value_text(nominal->type.kind, nominal->value)))
          .labels.emplace_back(quota.nominal->span, "the quota");
    }
    (void)borrow;
  }

  /// A quota in the resource's unit. Null if there is none, or it was reported.
  const Constant* check_amount(ast::ExprPtr amount, std::string_view resource) {
    if (amount == nullptr) return nullptr;
    Kind kind = kind_of_resource(resource);
    if (const auto* literal = ast::as<ast::Literal>(amount)) {
      if (reports_unit(amount, *literal, kind, resource)) return nullptr;
    }
    const Constant* constant =
        expressions_.check_constant(amount, place_, kind, fmt::format("the quota of `{}`", resource));
    if (constant == nullptr || constant->value >= 0) return constant;
    error("out-of-range", amount->span, "a quota cannot be negative");
    return nullptr;
  }

  bool reports_unit(ast::ExprPtr amount, const ast::Literal& literal, Kind kind, std::string_view resource) {
    bool number = literal.kind == ast::LiteralKind::quantity || literal.kind == ast::LiteralKind::percent ||
                  literal.kind == ast::LiteralKind::duration;
    if (!number) return false;
    LiteralValue got = read_literal(literal.text, kind);
    if (got.problem == LiteralProblem::overflow) {
      error("overflow", amount->span, fmt::format("`{}` does not fit in 64 bits", literal.text)).help =
          "write `unlimited`";
      return true;
    }
    if (got.problem != LiteralProblem::wrong_unit) return false;
    std::string_view digits = literal.text.substr(0, literal.text.find_first_not_of("0123456789."));
    Kind natural = natural_kind(literal.text);
    auto& report = error(
        "unit-mismatch", amount->span,
        fmt::format("`{}` counts {}, but `{}` {}", resource, counted(kind), literal.text,
                    natural == Kind::cpu ? "is in thousandths" : fmt::format("counts {}", counted(natural))));
    report.help = kind == Kind::memory && natural != Kind::memory
                      ? fmt::format("write `{0} {1}Mi` or `{0} {1}Gi`", resource, digits)
                      : fmt::format("write `{} {}`", resource, digits);
    return true;
  }

  void check_preemption(const ast::Queue& queue) {
    const ast::PreemptClause& preempt = *queue.preempt;
    bool reclaims = preempt.within_cohort.value_or(PreemptionPolicy::never) != PreemptionPolicy::never;
    bool borrows = preempt.while_borrowing.value_or(PreemptionPolicy::never) != PreemptionPolicy::never;
    if (borrows && !reclaims) {
      error("preempt-conflict", preempt.span,
            "`while-borrowing` needs `within-cohort lower-priority` or `any`")
          .help = "write `within-cohort lower-priority`, or leave `while-borrowing` out";
    }
    if (preempt.threshold != nullptr) {
      constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
      constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
      // `below N` is stored as `up to N - 1`.
      std::int64_t shift = preempt.threshold_inclusive ? 0 : 1;
      check_number(preempt.threshold, "a priority", least + shift, most + shift);
    }
  }

  void check_fungibility(const ast::FungibleClause& fungible) {
    if (!fungible.preference) return;
    bool both_try = fungible.can_borrow == FungibilityPolicy::try_next_flavor &&
                    fungible.can_preempt.value_or(FungibilityPolicy::try_next_flavor) ==
                        FungibilityPolicy::try_next_flavor;
    if (both_try) return;
    error("fungible-conflict", fungible.span,
          "`prefer` needs `can-borrow try-next` and `can-preempt try-next`")
        .help = "write `fungible can-borrow try-next, can-preempt try-next, prefer …`";
  }

  void check_queue_checks(const ast::Queue& queue) {
    std::vector<std::string_view> flavors;
    for (const ast::ResourceGroup& group : queue.groups) {
      for (const ast::FlavorQuotas& quotas : group.flavors) flavors.push_back(quotas.flavor.text);
    }
    for (const ast::CheckClause& clause : queue.checks) {
      names_.check(NameSpace::check, clause.check);
      for (const ast::Name& flavor : clause.flavors) {
        if (std::find(flavors.begin(), flavors.end(), flavor.text) != flavors.end()) continue;
        auto& report =
            error("unknown-name", flavor.span,
                  fmt::format("queue `{}` has no flavor `{}`", declaration_.name.text, flavor.text));
        std::string_view near = nearest(flavor.text, flavors);
        if (!near.empty()) report.help = fmt::format("did you mean `{}`?", near);
      }
    }
    check_unique(
        queue.checks, [](const ast::CheckClause& clause) -> const ast::Name& { return clause.check; },
        "the check");
    check_limit(queue.checks.size(), kMaxChecksOfQueue, declaration_.name.span, "checks");
  }

  void check_concurrent(const ast::Queue& queue) {
    if (queue.groups.size() != 1) {
      error("admission-conflict", declaration_.name.span, "concurrent admission needs exactly one group");
    } else if (queue.strategy == QueueingStrategy::strict_fifo) {
      error("admission-conflict", declaration_.name.span,
            "concurrent admission does not go with `strategy strict-fifo`");
    } else {
      check_limit(queue.groups[0].flavors.size(), kMaxGroups, queue.groups[0].span,
                  "flavors with concurrent admission");
    }
  }

  // `accept namespaces where …`: what a label selector can say.

  void check_selector(ast::ExprPtr condition) {
    if (const auto* binary = ast::as<ast::Binary>(condition)) {
      switch (binary->op) {
        case ast::BinaryOp::logical_and:
          check_selector(binary->left);
          check_selector(binary->right);
          return;
        case ast::BinaryOp::equal:
        case ast::BinaryOp::not_equal:
          if (check_selector_key(binary->left)) check_label_value(binary->right, "a label");
          return;
        case ast::BinaryOp::in:
          check_selector_in(*binary);
          return;
        case ast::BinaryOp::logical_or:
        case ast::BinaryOp::less:
        case ast::BinaryOp::less_equal:
        case ast::BinaryOp::greater:
        case ast::BinaryOp::greater_equal:
        case ast::BinaryOp::matches:
        case ast::BinaryOp::add:
        case ast::BinaryOp::subtract:
        case ast::BinaryOp::multiply:
        case ast::BinaryOp::divide:
          break;
      }
    } else if (const auto* unary = ast::as<ast::Unary>(condition)) {
      if (unary->op == ast::UnaryOp::has) {
        check_selector_key(unary->operand);
        return;
      }
      const auto* inner = ast::as<ast::Binary>(unary->operand);
      bool negatable =
          inner != nullptr && (inner->op == ast::BinaryOp::in || inner->op == ast::BinaryOp::equal ||
                               inner->op == ast::BinaryOp::not_equal);
      const auto* has = ast::as<ast::Unary>(unary->operand);
      if (unary->op == ast::UnaryOp::logical_not &&
          (negatable || (has != nullptr && has->op == ast::UnaryOp::has))) {
        check_selector(unary->operand);
        return;
      }
    }
    error("selector", condition->span, "namespaces are chosen by their labels only").help =
        "join `labels[\"k\"] = \"v\"`, `!=`, `in […]` and `has labels[\"k\"]` with `and`";
  }

  void check_selector_in(const ast::Binary& binary) {
    if (!check_selector_key(binary.left)) return;
    const auto* list = ast::as<ast::List>(binary.right);
    if (list != nullptr && !list->items.empty()) {
      for (ast::ExprPtr item : list->items) check_label_value(item, "a label");
      return;
    }
    Type type = expressions_.check(binary.right, place_, Kind::text);
    const Constant* constant = expressions_.checked().constant(binary.right);
    if (type.kind == Kind::error || (constant != nullptr && type.list && is_text(type.kind))) return;
    error("selector", binary.right->span, "`in` needs a list of label values").help =
        "write `[\"a\", \"b\"]`";
  }

  /// `labels["k"]`: of the namespace.
  bool check_selector_key(ast::ExprPtr expr) {
    const auto* index = ast::as<ast::Index>(expr);
    const auto* name = index == nullptr ? nullptr : ast::as<ast::NameRef>(index->object);
    if (name == nullptr || name->text != "labels") {
      error("selector", expr->span, "namespaces are chosen by their labels only").help =
          "write `labels[\"team\"]`";
      return false;
    }
    const Constant* key = expressions_.check_constant(index->key, place_, Kind::text, "a label key");
    if (key == nullptr) return false;
    if (is_qualified_name(key->text)) return true;
    error("bad-name", index->key->span, fmt::format("`{}` can be no label key", key->text));
    return false;
  }

  // The rest.

  void on(const ast::LocalQueue& local) {
    if (!is_dns_label(local.name_space.text)) {
      error("bad-name", local.name_space.span, fmt::format("`{}` can be no namespace", local.name_space.text))
          .help = "namespaces are of a-z, 0-9 and `-`, 63 characters at most";
    }
    check_name(local.name, "local queue");
    names_.check(NameSpace::queue, local.queue);
    check_weight(local.weight);
  }

  void on(const ast::PriorityClass& priority) {
    check_name(declaration_.name, "priority class");
    check_number(priority.value, "a priority", std::numeric_limits<std::int32_t>::min(),
                 std::numeric_limits<std::int32_t>::max());
  }

  void on(const ast::ComputeClass& compute) {
    check_name(declaration_.name, "compute class");
    bool some_scored = std::any_of(compute.rules.begin(), compute.rules.end(),
                                   [](const ast::MachineRule& rule) { return rule.score != nullptr; });
    for (const ast::MachineRule& rule : compute.rules) {
      if (rule.score != nullptr) {
        check_number(rule.score, "a score", 1, 1000);
      } else if (some_scored) {
        error("score-missing", rule.span, "some rules of this class have a score, this one has none").help =
            "GKE takes scores for all rules or for none";
      }
      for (const ast::MachineClause& clause : rule.clauses) check_machine(clause);
    }
    if (!compute.consolidate) return;
    if (compute.consolidate->after != nullptr)
      check_duration(compute.consolidate->after, "how long a node idles");
    if (compute.consolidate->below == nullptr) return;
    const Constant* below =
        expressions_.check_constant(compute.consolidate->below, place_, Kind::percent, "a load");
    if (below != nullptr && (below->value < 0 || below->value > 1'000'000)) {
      error("out-of-range", compute.consolidate->below->span, "a load goes from 0% to 100%");
    }
  }

  void check_machine(const ast::MachineClause& clause) {
    using Clause = ast::MachineClause::Kind;
    switch (clause.kind) {
      case Clause::min_cores:
        check_number(clause.value, "a number of cores", 1, 10'000);
        break;
      case Clause::min_memory:
        expressions_.check_constant(clause.value, place_, Kind::memory, "a size of memory");
        break;
      case Clause::accelerator:
        if (clause.value != nullptr) check_number(clause.value, "a number of accelerators", 1, 100'000);
        break;
      case Clause::max_run:
        check_duration(clause.value, "a run");
        break;
      case Clause::wait:
        check_duration(clause.value, "a wait");
        break;
      case Clause::flex_start:
        check_options(clause.options);
        break;
      case Clause::machine_type:
      case Clause::family:
      case Clause::node_pools:
      case Clause::pod_family:
      case Clause::zones:
      case Clause::on_demand:
      case Clause::spot:
      case Clause::reservation:
      case Clause::placement:
        break;
    }
  }

  void check_options(std::span<const ast::Option> options) {
    for (const ast::Option& option : options) {
      if (option.key.text == "max-run" || option.key.text == "wait" || option.key.text == "recycle-lead") {
        check_duration(option.value, fmt::format("`{}`", option.key.text));
        continue;
      }
      auto& report =
          error("unknown-option", option.key.span, fmt::format("no option is called `{}`", option.key.text));
      report.help = "options are `max-run`, `wait` and `recycle-lead`";
    }
  }

  void on(const ast::Import&) {}
  void on(const ast::Param&) {}
  void on(const ast::Function&) {}
  void on(const ast::Fallback&) {}
  void on(const ast::Rule&) {}
  void on(const ast::HitPolicy&) {}
  void on(const ast::Capacity&) {}
  void on(const ast::Test&) {}
  void on(const ast::Invariant&) {}

  const ast::Declaration& declaration_;
  Expressions& expressions_;
  ObjectNames& names_;
  Place place_;
  std::set<std::string_view> mismatched_;  // resources of the group at hand that were reported
};

}  // namespace

void check_object(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names) {
  ObjectCheck(declaration, expressions, names).run();
}

void check_cohort_cycles(const Checked& checked, const Scopes& scopes, Diagnostics& diagnostics) {
  std::map<const ast::Declaration*, int> state;  // 1: on the way, 2: done
  for (const ast::Declaration* start : checked.active) {
    std::vector<const ast::Declaration*> path;
    const ast::Declaration* at = start;
    while (at != nullptr && ast::as<ast::Cohort>(*at) != nullptr && state[at] == 0) {
      state[at] = 1;
      path.push_back(at);
      const ast::Name& parent = ast::as<ast::Cohort>(*at)->parent;
      at = parent.empty() ? nullptr : scopes.of(at->span.source).find(NameSpace::cohort, parent.text);
    }
    if (at != nullptr && state[at] == 1) {
      auto first = std::find(path.begin(), path.end(), at);
      std::string circle;
      for (auto it = first; it != path.end(); ++it) circle += fmt::format("`{}` → ", (*it)->name.text);
      const ast::Cohort& last = *ast::as<ast::Cohort>(*path.back());
      diagnostics
          .error("cohort-cycle", last.parent.span,
                 fmt::format("the parents go round in a circle: {}`{}`", circle, at->name.text))
          .help = "leave one `parent` out";
    }
    for (const ast::Declaration* done : path) state[done] = 2;
  }
}

}  // namespace sluice::lang
