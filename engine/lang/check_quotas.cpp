#include "lang/object_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/suggest.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

// Limits of the schemas. Source: CRDs and webhooks of Kueue 0.19.2.
constexpr std::size_t kMaxGroups = 16;
constexpr std::size_t kMaxResourcesOfGroup = 64;
constexpr std::size_t kMaxFlavorsOfGroup = 64;
constexpr std::size_t kMaxFlavorsOfQueue = 256;
constexpr std::size_t kMaxResourcesOfQueue = 256;
constexpr std::size_t kMaxPairsOfGroup = 512;

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

}  // namespace

void ObjectCheck::on(const ast::Cohort& cohort) {
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
        quotas.resources, [](const ast::ResourceQuota& quota) -> const ast::Name& { return quota.resource; },
        "the resource");
  }
  check_unique(
      cohort.quotas, [](const ast::FlavorQuotas& quotas) -> const ast::Name& { return quotas.flavor; },
      "the flavor");
  check_groups(cohort.groups, !cohort.parent.empty(), "parent", false);
}

void ObjectCheck::check_groups(std::span<const ast::ResourceGroup> groups, bool has_parent,
                               std::string_view parent, bool of_queue) {
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

bool ObjectCheck::check_covered(const ast::ResourceGroup& group, const ast::FlavorQuotas& quotas) {
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

void ObjectCheck::check_quota(const ast::ResourceQuota& quota, bool has_parent, std::string_view parent,
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

const Constant* ObjectCheck::check_amount(ast::ExprPtr amount, std::string_view resource) {
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

bool ObjectCheck::reports_unit(ast::ExprPtr amount, const ast::Literal& literal, Kind kind,
                               std::string_view resource) {
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

}  // namespace sluice::lang
