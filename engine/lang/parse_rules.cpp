#include "lang/parse_tree.hpp"

namespace sluice::lang {

using namespace ast;
using P = grammar::SluiceParser;

DecisionPoint Tree::decision_point(P::NameContext* context) {
  return fixed_word(context, point_words, "decision point");
}

Rule Tree::rule(P::RuleDeclContext* context) {
  for (auto* let : context->let()) mark(let, Role::clause);
  mark(context->whenClause(), Role::clause);
  mark(context->thenClause(), Role::clause);
  mark(context->becauseClause(), Role::clause);
  mark(context->onError(), Role::clause);
  mark_items(context->thenClause()->verdict());
  Rule result;
  result.point = decision_point(context->name(1));
  result.point_span = span(context->name(1));
  result.lets = map(context->let(), &Tree::let);
  if (context->whenClause() != nullptr) result.when = expr(context->whenClause()->expr());
  result.then = map(context->thenClause()->verdict(), &Tree::verdict);
  if (context->becauseClause() != nullptr) result.because = text(context->becauseClause()->STRING());
  if (auto* on_error = context->onError()) {
    result.on_error = OnError::hold;
    if (on_error->SKIP_() != nullptr) result.on_error = OnError::skip;
    if (on_error->DENY() != nullptr) result.on_error = OnError::deny;
  }
  return result;
}

Let Tree::let(P::LetContext* context) {
  return {arena_.next_id(), span(context), variable_name(context->name(), "a value"), expr(context->expr())};
}

Verdict Tree::verdict(P::VerdictContext* context) {
  Verdict result;
  result.span = span(context);
  result.after = arith_if(context->arith());
  P::VerdictBodyContext* body = context->verdictBody();
  if (dynamic_cast<P::DenyVerdictContext*>(body) != nullptr) {
    result.node = DenyVerdict{};
  } else if (dynamic_cast<P::WarnVerdictContext*>(body) != nullptr) {
    result.node = WarnVerdict{};
  } else if (auto* default_key = dynamic_cast<P::DefaultKeyVerdictContext*>(body)) {
    auto* field = default_key->LABEL() != nullptr ? default_key->LABEL() : default_key->ANNOTATION();
    result.node =
        DefaultVerdict{word_name(span(field)), name(default_key->name()), {}, arith(default_key->arith())};
  } else if (auto* topology = dynamic_cast<P::DefaultTopologyVerdictContext*>(body)) {
    auto* mode = topology->REQUIRE() != nullptr ? topology->REQUIRE() : topology->PREFER();
    result.node = DefaultVerdict{
        word_name(span(topology->TOPOLOGY())), {}, word_name(span(mode)), name_as_expr(topology->name())};
  } else if (auto* default_field = dynamic_cast<P::DefaultVerdictContext*>(body)) {
    result.node = DefaultVerdict{name(default_field->name()), {}, {}, arith(default_field->arith())};
  } else if (auto* score = dynamic_cast<P::ScoreVerdictContext*>(body)) {
    result.node = ScoreVerdict{expr(score->expr())};
  } else if (dynamic_cast<P::SkipVerdictContext*>(body) != nullptr) {
    result.node = SkipVerdict{};
  } else if (auto* prefer_flavor = dynamic_cast<P::PreferFlavorVerdictContext*>(body)) {
    result.node = PreferVerdict{name(prefer_flavor->name(0)), name(prefer_flavor->name(1))};
  } else if (auto* hold = dynamic_cast<P::HoldVerdictContext*>(body)) {
    result.node = HoldVerdict{expr_if(hold->expr())};
  } else if (auto* require_check = dynamic_cast<P::RequireCheckVerdictContext*>(body)) {
    result.node = RequireCheckVerdict{name(require_check->name())};
  } else if (dynamic_cast<P::ProtectVerdictContext*>(body) != nullptr) {
    result.node = ProtectVerdict{};
  } else if (auto* cost = dynamic_cast<P::CostVerdictContext*>(body)) {
    result.node = CostVerdict{expr(cost->expr())};
  } else if (auto* use = dynamic_cast<P::UseVerdictContext*>(body)) {
    UseVerdict use_verdict;
    use_verdict.provisioning = fixed_word(use->name(), provisioning_words, "way to get machines");
    use_verdict.word = span(use->name());
    if (use->settings() != nullptr)
      use_verdict.options = map_clauses(use->settings()->setting(), &Tree::option);
    result.node = use_verdict;
  } else if (auto* require = dynamic_cast<P::RequireVerdictContext*>(body)) {
    result.node = PlaceVerdict{Placement::require, name(require->name()), nullptr};
  } else if (auto* prefer = dynamic_cast<P::PreferVerdictContext*>(body)) {
    result.node = PlaceVerdict{Placement::prefer, name(prefer->name()), nullptr};
  } else if (auto* spread = dynamic_cast<P::SpreadVerdictContext*>(body)) {
    result.node = PlaceVerdict{Placement::spread, name(spread->name()), nullptr};
  } else if (auto* slice = dynamic_cast<P::SliceVerdictContext*>(body)) {
    result.node = PlaceVerdict{Placement::slice, name(slice->name()), arith(slice->arith())};
  }
  return result;
}

Rung Tree::rung(P::RungContext* context) {
  Rung result;
  result.span = span(context);
  result.after = arith_if(context->arith());
  result.flavor = name(context->name());
  for (auto* guard : context->rungGuard()) mark(guard, Role::guard);
  mark(context->becauseClause(), Role::guard);
  for (auto* guard : context->rungGuard()) {
    const bool is_when = guard->WHEN() != nullptr;
    ExprPtr& place = is_when ? result.when : result.unless;
    once(place != nullptr, span(guard), is_when ? "when" : "unless");
    place = expr(guard->expr());
  }
  if (context->becauseClause() != nullptr) result.because = text(context->becauseClause()->STRING());
  return result;
}

}  // namespace sluice::lang
