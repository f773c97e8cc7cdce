#include "lang/cost.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace sluice::lang {
namespace {

class CostCheck {
 public:
  CostCheck(Checked& checked, Diagnostics& diagnostics) : checked_(checked), diagnostics_(diagnostics) {}

  void run() {
    for (const ast::Declaration* declaration : checked_.active) {
      Cost cost;
      if (const auto* rule = ast::as<ast::Rule>(*declaration)) {
        add_rule(cost, *rule);
      } else if (const auto* fallback = ast::as<ast::Fallback>(*declaration)) {
        add_fallback(cost, *fallback);
      } else if (const auto* invariant = ast::as<ast::Invariant>(*declaration)) {
        add_invariant(cost, *invariant);
      } else {
        if (ast::as<ast::Function>(*declaration) != nullptr) of_function(*declaration);
        continue;
      }
      report_large(*declaration, cost);
      checked_.costs[declaration->id] = std::move(cost);
    }
  }

 private:
  void report_large(const ast::Declaration& declaration, const Cost& cost) {
    for (const auto& [exponents, steps] : cost.terms) {
      bool nested = exponents.second > 1 || exponents.first > 2;
      if (!nested && steps <= kMaxRuleSteps) continue;
      diagnostics_
          .error("too-costly", declaration.name.span,
                 fmt::format("`{}` may take {} steps", declaration.name.text, cost.to_string()))
          .help = nested ? "a loop over all workloads cannot stand inside another one"
                         : "functions unfold where they are called: name a value once with `let`";
      return;
    }
  }

  void add_rule(Cost& cost, const ast::Rule& rule) {
    for (const ast::Let& let : rule.lets) cost.add(of(let.value));
    cost.add(of(rule.when));
    for (const ast::Verdict& verdict : rule.then) {
      if (const auto* score = std::get_if<ast::ScoreVerdict>(&verdict.node)) cost.add(of(score->value));
      if (const auto* price = std::get_if<ast::CostVerdict>(&verdict.node)) cost.add(of(price->value));
      if (const auto* hold = std::get_if<ast::HoldVerdict>(&verdict.node)) cost.add(of(hold->until));
    }
    if (rule.because) add_text(cost, *rule.because);
  }

  void add_fallback(Cost& cost, const ast::Fallback& fallback) {
    for (const ast::Rung& rung : fallback.rungs) {
      cost.add(of(rung.when));
      cost.add(of(rung.unless));
      if (rung.because) add_text(cost, *rung.because);
    }
    if (fallback.otherwise_hold) add_text(cost, *fallback.otherwise_hold);
  }

  void add_invariant(Cost& cost, const ast::Invariant& invariant) {
    for (const ast::InvariantClause& clause : invariant.clauses) {
      Cost inner = of(clause.filter);
      inner.add(of(clause.condition));
      cost.add(each(clause.collection, inner));
    }
  }

  void add_text(Cost& cost, const ast::Text& text) {
    for (const ast::TextPiece& piece : text.pieces) {
      if (piece.hole != nullptr) cost.add(of(piece.hole));
    }
  }

  static Cost step() {
    Cost cost;
    cost.terms[{0, 0}] = 1;
    return cost;
  }

  Cost each(ast::ExprPtr collection, const Cost& inner) const {
    bool pod_sets = info(checked_.meaning(collection).collection).element == Table::pod_set;
    return inner.times(pod_sets ? 1 : 0, pod_sets ? 0 : 1);
  }

  Cost of(ast::ExprPtr expr) {
    if (expr == nullptr) return {};
    Cost cost = step();
    if (checked_.constant(expr) != nullptr) return cost;
    const Meaning& meaning = checked_.meaning(expr);
    if (meaning.what == Meaning::What::function) cost.add(of_function(*meaning.declaration));
    std::visit([&](const auto& node) { add(cost, node); }, expr->node);
    return cost;
  }

  Cost of_function(const ast::Declaration& declaration) {
    auto found = checked_.costs.find(declaration.id);
    if (found != checked_.costs.end()) return found->second;
    Cost cost = of(ast::as<ast::Function>(declaration)->body);
    checked_.costs[declaration.id] = cost;
    return cost;
  }

  void add(Cost&, const ast::Literal&) {}
  void add(Cost&, const ast::NameRef&) {}
  void add(Cost&, const ast::QualifiedName&) {}
  void add(Cost&, const ast::Member&) {}
  void add(Cost&, const ast::Index&) {}
  void add(Cost& cost, const ast::Call& call) {
    for (ast::ExprPtr argument : call.arguments) cost.add(of(argument));
  }
  void add(Cost& cost, const ast::Unary& unary) { cost.add(of(unary.operand)); }
  void add(Cost& cost, const ast::Binary& binary) {
    cost.add(of(binary.left));
    cost.add(of(binary.right));
  }
  void add(Cost& cost, const ast::Conditional& conditional) {
    cost.add(of(conditional.condition));
    cost.add(of(conditional.yes));
    cost.add(of(conditional.no));
  }
  void add(Cost& cost, const ast::Aggregate& aggregate) {
    Cost inner = step();
    inner.add(of(aggregate.filter));
    inner.add(of(aggregate.value));
    cost.add(each(aggregate.collection, inner));
  }
  void add(Cost& cost, const ast::List& list) {
    for (ast::ExprPtr item : list.items) cost.add(of(item));
  }
  void add(Cost& cost, const ast::Range& range) {
    cost.add(of(range.from));
    cost.add(of(range.to));
  }

  Checked& checked_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_costs(Checked& checked, Diagnostics& diagnostics) {
  CostCheck(checked, diagnostics).run();
}

}  // namespace sluice::lang
