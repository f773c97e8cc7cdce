#include "lang/check.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "lang/check_hits.hpp"
#include "lang/check_objects.hpp"
#include "lang/check_rules.hpp"
#include "lang/check_tests.hpp"
#include "lang/cost.hpp"
#include "lang/expression.hpp"
#include "lang/object_names.hpp"

namespace sluice::lang {
namespace {

void check_hit_policy(const ast::Declaration& declaration, const ast::HitPolicy& policy,
                      Diagnostics& diagnostics) {
  if (policy.point == ast::DecisionPoint::order) return;
  diagnostics.error("wrong-hit-policy", declaration.span, "only scores on `order` can be added up");
}

/// Two `provision` of one config would be one object with two contents.
void check_configs(const Checked& checked, Diagnostics& diagnostics) {
  std::map<std::string_view, Span> seen;
  for (const ast::Declaration* declaration : checked.active) {
    const auto* provision = ast::as<ast::Provision>(*declaration);
    if (provision == nullptr) continue;
    const ast::Name& name = provision->config.empty() ? declaration->name : provision->config;
    auto [first, is_new] = seen.try_emplace(name.text, name.span);
    if (is_new) continue;
    auto& report = diagnostics.error("duplicate-declaration", name.span,
                                     fmt::format("two provisions have the config `{}`", name.text));
    report.labels.emplace_back(first->second, "first here");
    report.help = "give each a `config` of its own";
  }
}

void check_declaration(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names) {
  if (ast::as<ast::Param>(declaration) != nullptr) {
    expressions.check_param(declaration);
  } else if (ast::as<ast::Function>(declaration) != nullptr) {
    expressions.check_function(declaration);
  } else if (const auto* rule = ast::as<ast::Rule>(declaration)) {
    check_rule(declaration, *rule, expressions, names);
  } else if (const auto* fallback = ast::as<ast::Fallback>(declaration)) {
    check_fallback(declaration, *fallback, expressions, names);
  } else if (const auto* policy = ast::as<ast::HitPolicy>(declaration)) {
    check_hit_policy(declaration, *policy, expressions.diagnostics());
  } else if (const auto* test = ast::as<ast::Test>(declaration)) {
    check_test(declaration, *test, expressions);
  } else if (const auto* invariant = ast::as<ast::Invariant>(declaration)) {
    check_invariant(declaration, *invariant, expressions);
  } else if (const auto* capacity = ast::as<ast::Capacity>(declaration)) {
    Place place;
    place.scope = &expressions.scopes().of(declaration.span.source);
    place.has_workload = false;
    check_capacity(*capacity, expressions, place);
  } else {
    check_object(declaration, expressions, names);
  }
}

}  // namespace

void check(Checked& checked, const Scopes& scopes, const SourceMap& sources, const World* known,
           Diagnostics& diagnostics) {
  Expressions expressions(checked, scopes, sources, diagnostics);
  ObjectNames names(scopes, known, diagnostics);
  // Params first: a wrong one is reported where it is declared, not where it is used first.
  for (const ast::Declaration* declaration : checked.active) {
    if (ast::as<ast::Param>(*declaration) != nullptr) expressions.check_param(*declaration);
  }
  for (const ast::Declaration* declaration : checked.active)
    check_declaration(*declaration, expressions, names);
  check_cohort_cycles(checked, scopes, diagnostics);
  check_configs(checked, diagnostics);
  if (diagnostics.has_errors()) return;  // the rest reads the tables
  check_hits(checked, sources, diagnostics);
  check_costs(checked, diagnostics);
}

}  // namespace sluice::lang
