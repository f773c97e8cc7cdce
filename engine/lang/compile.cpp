#include "lang/compile.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "lang/compile_expression.hpp"

namespace sluice::lang {

using program::kNone;
using program::Opcode;

namespace {

/// A condition with negations pushed in and constants folded, over predicates.
struct Formula {
  enum class What : std::uint8_t { yes, no, predicate, all, any };
  What what = What::yes;
  bool negated = false;  ///< of predicate: it must not hold
  ExpressionCompiler::Atom atom;
  Span span;
  std::vector<Formula> parts;
};

Formula constant_formula(bool value) {
  Formula formula;
  formula.what = value ? Formula::What::yes : Formula::What::no;
  return formula;
}

class Compiler {
 public:
  Compiler(const Checked& checked, program::Program& program, Diagnostics& diagnostics)
      : checked_(checked),
        program_(program),
        pool_(program),
        expressions_(pool_, checked, diagnostics) {}

  void run() {
    for (const ast::Declaration* declaration : checked_.active) {
      try {
        if (const auto* rule = ast::as<ast::Rule>(*declaration)) add_rule(*declaration, *rule);
        if (const auto* fallback = ast::as<ast::Fallback>(*declaration)) add_fallback(*declaration, *fallback);
        if (const auto* invariant = ast::as<ast::Invariant>(*declaration)) add_invariant(*declaration, *invariant);
        if (const auto* policy = ast::as<ast::HitPolicy>(*declaration)) {
          if (policy->point == ast::DecisionPoint::order) program_.order_collects_sum = policy->collect_sum;
        }
      } catch (const TooLarge&) {
        expressions_.report_too_large(declaration->name.span);
      }
    }
    std::stable_sort(program_.rules.begin(), program_.rules.end(),
                     [](const program::Rule& a, const program::Rule& b) { return a.point < b.point; });
    std::stable_sort(program_.fallbacks.begin(), program_.fallbacks.end(),
                     [](const program::Fallback& a, const program::Fallback& b) { return a.queue < b.queue; });
    std::sort(program_.uses.begin(), program_.uses.end(),
              [](const program::Program::Use& a, const program::Program::Use& b) { return a.test < b.test; });
  }

 private:
  // Part: conditions.

  Formula formula(const Code& given, bool negated) {
    const Code code = expressions_.resolve(given);
    if (code.expr != nullptr) {
      if (const Constant* known = expressions_.constant(code)) return constant_formula((known->value != 0) != negated);
      const auto* unary = ast::as<ast::Unary>(code.expr);
      if (unary != nullptr && unary->op == ast::UnaryOp::logical_not) return formula(Code(unary->operand, code.frame), !negated);
      const auto* binary = ast::as<ast::Binary>(code.expr);
      const bool conjunction = binary != nullptr && binary->op == ast::BinaryOp::logical_and;
      const bool disjunction =
          binary != nullptr && binary->op == ast::BinaryOp::logical_or && expressions_.is_logical_or(*binary);
      if (conjunction || disjunction) {
        Formula joined;
        joined.what = conjunction != negated ? Formula::What::all : Formula::What::any;
        join(joined, formula(Code(binary->left, code.frame), negated));
        join(joined, formula(Code(binary->right, code.frame), negated));
        if (joined.parts.empty()) return constant_formula(joined.what == Formula::What::all);
        if (joined.parts.size() == 1) return std::move(joined.parts.front());
        return joined;
      }
    }
    Formula leaf;
    leaf.what = Formula::What::predicate;
    leaf.span = code.span;
    leaf.atom = expressions_.atom(code);
    leaf.negated = leaf.atom.negated != negated;
    return leaf;
  }

  /// Adds a part; nested ones of the same kind dissolve. A part that decides ends the list: what stands behind it
  /// is never looked at, what stands before it may fault.
  static void join(Formula& joined, Formula part) {
    const bool all = joined.what == Formula::What::all;
    if (!joined.parts.empty() && joined.parts.back().what == (all ? Formula::What::no : Formula::What::yes)) return;
    if (part.what == (all ? Formula::What::yes : Formula::What::no)) return;
    if (part.what == joined.what) {
      for (Formula& inner : part.parts) join(joined, std::move(inner));
      return;
    }
    joined.parts.push_back(std::move(part));
  }

  void branch(Emitter& out, const Formula& condition, Emitter::Label target, bool when) {
    switch (condition.what) {
      case Formula::What::yes:
      case Formula::What::no:
        if ((condition.what == Formula::What::yes) == when) out.jump(Opcode::jump, 0, 0, target, condition.span);
        return;
      case Formula::What::predicate: {
        const bool hit = condition.negated != when;
        const std::uint32_t number = condition.atom.predicate;
        uses_.push_back({out.size(), static_cast<std::uint32_t>(program_.use_spans.size())});
        program_.use_spans.insert(program_.use_spans.end(), condition.atom.spans.begin(), condition.atom.spans.end());
        out.jump(hit ? Opcode::jump_if_predicate : Opcode::jump_unless_predicate, static_cast<Reg>(number >> 8),
                 static_cast<Reg>(number & 0xff), target, condition.span);
        return;
      }
      case Formula::What::all:
      case Formula::What::any: {
        if ((condition.what == Formula::What::all) != when) {
          for (const Formula& part : condition.parts) branch(out, part, target, when);
          return;
        }
        const auto skip = out.label();
        for (std::size_t i = 0; i + 1 < condition.parts.size(); ++i) branch(out, condition.parts[i], skip, !when);
        branch(out, condition.parts.back(), target, when);
        out.place(skip);
        return;
      }
    }
  }

  /// The masks of the leading predicates that cannot fault.
  void add_masks(program::Condition& condition, const Formula& formula) const {
    std::vector<const Formula*> leaves;
    bool exact = true;
    if (formula.what == Formula::What::predicate) {
      leaves.push_back(&formula);
    } else if (formula.what == Formula::What::all) {
      for (const Formula& part : formula.parts) {
        exact = part.what == Formula::What::predicate;
        if (!exact) break;
        leaves.push_back(&part);
      }
    } else {
      return;
    }
    for (const Formula* leaf : leaves) {
      const program::Predicate& predicate = program_.predicates[leaf->atom.predicate];
      if (predicate.faults || predicate.loops) {
        exact = false;
        break;
      }
      const std::uint32_t word = leaf->atom.predicate / 64;
      const std::uint64_t bit = std::uint64_t{1} << (leaf->atom.predicate % 64);
      auto mask = std::find_if(condition.masks.begin(), condition.masks.end(),
                               [&](const program::Mask& m) { return m.word == word; });
      if (mask == condition.masks.end()) mask = condition.masks.insert(mask, program::Mask{word, 0, 0});
      const std::uint64_t want = leaf->negated ? 0 : bit;
      // Once to hold and once not: no word has a bit wanted that is not cared for.
      if ((mask->care & bit) != 0 && (mask->want & bit) != want) {
        condition.masks = {program::Mask{word, 0, 1}};
        condition.exact = true;
        return;
      }
      mask->care |= bit;
      mask->want |= want;
    }
    condition.exact = exact;
  }

  void gather_changes(const Formula& formula, std::vector<program::TimeAtom>& changes) const {
    if (formula.atom.change) changes.push_back(*formula.atom.change);
    for (const Formula& part : formula.parts) gather_changes(part, changes);
  }

  program::Condition condition(ast::ExprPtr expr, std::vector<program::TimeAtom>& changes) {
    program::Condition condition;
    if (expr == nullptr) return condition;
    const Formula guard = formula(Code(expr, nullptr), false);
    gather_changes(guard, changes);
    Emitter out;
    uses_.clear();
    const auto no = out.label();
    branch(out, guard, no, false);
    out.emit(Opcode::yes, 0, 0, 0, 0, expr->span);
    out.place(no);
    out.emit(Opcode::no, 0, 0, 0, 0, expr->span);
    condition.chunk = pool_.append(out, program::ValueKind::boolean, false, expr->span);
    program::Chunk& chunk = program_.chunks[condition.chunk];
    for (const program::Program::Use& use : uses_) {
      const std::uint32_t at = chunk.begin + use.test;
      program_.uses.push_back({at, use.first_span});
      const program::Instruction& test = program_.code[at];
      const program::Chunk& tested = program_.chunks[program_.predicates[test.a * 256U + test.b].chunk];
      chunk.reads |= tested.reads;
      chunk.moves = chunk.moves || tested.moves;
    }
    add_masks(condition, guard);
    return condition;
  }

  // Part: texts.

  std::uint32_t text(const std::optional<ast::Text>& text) {
    if (!text) return kNone;
    program::Template made;
    for (const ast::TextPiece& piece : text->pieces) {
      program::Template::Piece out;
      out.literal = std::string(piece.literal);
      if (piece.hole != nullptr) out.chunk = expressions_.chunk(piece.hole);
      made.pieces.push_back(std::move(out));
    }
    program_.templates.push_back(std::move(made));
    return static_cast<std::uint32_t>(program_.templates.size() - 1);
  }

  // Part: rules.

  std::int64_t duration(ast::ExprPtr expr) const {
    const Constant* known = expr == nullptr ? nullptr : checked_.constant(expr);
    return known == nullptr ? 0 : known->value;
  }

  std::string name(const ast::Name& name) const { return std::string(checked_.name_of(name)); }

  /// A value that is a name or a text known now; else empty.
  std::string known_text(ast::ExprPtr expr) const {
    const Constant* known = checked_.constant(expr);
    if (known == nullptr) return {};
    return is_text(known->type.kind) ? std::string(known->text) : program::to_string(value_kind(known->type.kind), known->value);
  }

  program::Action action(const ast::Verdict& verdict, std::vector<program::TimeAtom>& changes) {
    program::Action action;
    action.span = verdict.span;
    action.after = duration(verdict.after);
    const auto value = [&](ast::ExprPtr expr) {
      action.value = expressions_.chunk(expr);
      if (auto change = expressions_.change(Code(expr, nullptr))) changes.push_back(*change);
    };
    using Kind = program::Action::Kind;
    struct Visitor {
      Compiler& compiler;
      program::Action& action;
      const decltype(value)& with_value;

      void operator()(const ast::DenyVerdict&) { action.kind = Kind::deny; }
      void operator()(const ast::WarnVerdict&) { action.kind = Kind::warn; }
      void operator()(const ast::SkipVerdict&) { action.kind = Kind::skip; }
      void operator()(const ast::ProtectVerdict&) { action.kind = Kind::protect; }
      void operator()(const ast::DefaultVerdict& verdict) {
        const std::string_view field = verdict.field.text;
        action.kind = field == "queue"            ? Kind::default_queue
                      : field == "priority-class" ? Kind::default_priority_class
                      : field == "priority"       ? Kind::default_priority
                      : field == "label"          ? Kind::default_label
                      : field == "annotation"     ? Kind::default_annotation
                      : field == "compute-class"  ? Kind::default_compute_class
                      : field == "max-run"        ? Kind::default_max_run
                                                  : Kind::default_topology;
        action.other = std::string(field);
        action.key = std::string(verdict.mode.empty() ? verdict.key.text : verdict.mode.text);
        if (verdict.value == nullptr) return;
        action.name = compiler.known_text(verdict.value);
        if (compiler.checked_.constant(verdict.value) == nullptr || action.kind == Kind::default_priority) {
          action.value = compiler.expressions_.chunk(verdict.value);
        }
      }
      void operator()(const ast::ScoreVerdict& verdict) {
        action.kind = Kind::score;
        with_value(verdict.value);
      }
      void operator()(const ast::PreferVerdict& verdict) {
        action.kind = Kind::prefer;
        action.name = compiler.name(verdict.flavor);
        action.other = compiler.name(verdict.over);
      }
      void operator()(const ast::HoldVerdict& verdict) {
        action.kind = Kind::hold;
        if (verdict.until != nullptr) action.value = compiler.expressions_.chunk(verdict.until, true);
      }
      void operator()(const ast::RequireCheckVerdict& verdict) {
        action.kind = Kind::require_check;
        action.name = compiler.name(verdict.check);
      }
      void operator()(const ast::CostVerdict& verdict) {
        action.kind = Kind::cost;
        with_value(verdict.value);
      }
      void operator()(const ast::UseVerdict& verdict) {
        action.kind = Kind::use;
        constexpr std::array<std::string_view, 5> words = {"on-demand", "spot", "flex-start", "calendar", "reservation"};
        action.name = words[static_cast<std::size_t>(verdict.provisioning)];
      }
      void operator()(const ast::PlaceVerdict& verdict) {
        action.kind = Kind::place;
        constexpr std::array<std::string_view, 4> words = {"require", "prefer", "spread", "slice"};
        action.name = words[static_cast<std::size_t>(verdict.placement)];
        action.other = compiler.name(verdict.level);
        if (verdict.size != nullptr) action.value = compiler.expressions_.chunk(verdict.size);
      }
    };
    std::visit(Visitor{*this, action, value}, verdict.node);
    return action;
  }

  void add_rule(const ast::Declaration& declaration, const ast::Rule& rule) {
    ast::ExprPtr until = nullptr;
    for (const ast::Verdict& verdict : rule.then) {
      const auto* hold = std::get_if<ast::HoldVerdict>(&verdict.node);
      if (hold != nullptr && until == nullptr) until = hold->until;
    }
    expressions_.set_rule(rule.lets, until);
    program::Rule made;
    made.name = std::string(declaration.name.text);
    made.doc = std::string(declaration.doc);
    made.span = declaration.name.span;
    made.point = static_cast<program::Point>(rule.point);
    made.when = condition(rule.when, made.changes);
    for (const ast::Verdict& verdict : rule.then) made.actions.push_back(action(verdict, made.changes));
    made.because = text(rule.because);
    if (rule.on_error) made.on_error = static_cast<program::OnError>(*rule.on_error);
    program_.rules.push_back(std::move(made));
    expressions_.set_rule({}, nullptr);
  }

  void add_fallback(const ast::Declaration& declaration, const ast::Fallback& fallback) {
    program::Fallback made;
    made.queue = name(declaration.name);
    made.doc = std::string(declaration.doc);
    made.span = declaration.name.span;
    for (const ast::Rung& rung : fallback.rungs) {
      program::Rung step;
      step.flavor = name(rung.flavor);
      step.span = rung.span;
      if (rung.after != nullptr) step.after = Duration{duration(rung.after)};
      step.when = condition(rung.when, step.changes);
      step.unless = condition(rung.unless, step.changes);
      step.because = text(rung.because);
      made.rungs.push_back(std::move(step));
    }
    made.otherwise = text(fallback.otherwise_hold);
    if (fallback.otherwise_hold) made.otherwise_span = fallback.otherwise_hold->span;
    program_.fallbacks.push_back(std::move(made));
  }

  void add_invariant(const ast::Declaration& declaration, const ast::Invariant& invariant) {
    for (const ast::InvariantClause& clause : invariant.clauses) {
      program_.invariants.push_back({std::string(declaration.name.text), clause.span, expressions_.first_chunk(clause)});
    }
  }

  const Checked& checked_;
  program::Program& program_;
  Pool pool_;
  ExpressionCompiler expressions_;
  std::vector<program::Program::Use> uses_;  // of the condition being written; `test` counts from its begin
};

}  // namespace

program::Program compile(const Checked& checked, Diagnostics& diagnostics) {
  program::Program program;
  Compiler(checked, program, diagnostics).run();
  return program;
}

std::uint32_t compile_expression(ast::ExprPtr expr, const Checked& checked, program::Program& program,
                                 Diagnostics& diagnostics) {
  Pool pool(program);
  ExpressionCompiler expressions(pool, checked, diagnostics);
  try {
    return expressions.chunk(expr);
  } catch (const TooLarge&) {
    expressions.report_too_large(expr->span);
    return kNone;
  }
}

}  // namespace sluice::lang
