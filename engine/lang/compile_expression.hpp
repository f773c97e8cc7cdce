#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/emit.hpp"

/// Expressions as code. Functions and `let` are copied where they are used, with their arguments as written.
namespace sluice::lang {

program::ValueKind value_kind(Kind kind);

/// Of a call; every other expression has none.
std::span<const ast::ExprPtr> arguments_of(ast::ExprPtr expr);

/// `=`, `!=`, `<`, `<=`, `>`, `>=`.
constexpr bool is_comparison(ast::BinaryOp op) {
  return op >= ast::BinaryOp::equal && op <= ast::BinaryOp::greater_equal;
}

/// What `seconds`, `minutes`, `hours` and `days` count, in seconds, in the order of their FunctionId.
inline constexpr std::array<std::int64_t, 4> unit_seconds = {1, 60, 3600, 86'400};

/// What the parameters of the functions around an expression stand for.
struct Frame {
  struct Argument {
    ast::NodeId parameter = ast::no_node;
    ast::ExprPtr value = nullptr;  ///< null: `now`
    const Frame* frame = nullptr;  ///< of the value
  };
  std::vector<Argument> arguments;
};

/// An expression with what its names stand for.
struct Code {
  ast::ExprPtr expr = nullptr;  ///< null: `now`
  const Frame* frame = nullptr;
  Span span;

  Code(ast::ExprPtr e, const Frame* f) : expr(e), frame(f), span(e->span) {}
  /// `now`, referred to at `s`.
  explicit Code(Span s) : span(s) {}
};

/// What an expression leaves in its register.
struct Shape {
  program::ValueKind kind = program::ValueKind::boolean;
  bool maybe = false;  ///< may be absent
};

class ExpressionCompiler {
 public:
  ExpressionCompiler(Pool& pool, const Checked& checked, Diagnostics& diagnostics)
      : pool_(pool), checked_(checked), diagnostics_(diagnostics) {}

  /// What `let` names and `{until}` mean from now on.
  void set_rule(std::span<const ast::Let> lets, ast::ExprPtr until) {
    lets_ = lets;
    until_ = until;
  }

  /// A chunk with the value; of a condition on the time with `as_instant` the next instant at which it holds.
  std::uint32_t chunk(ast::ExprPtr expr, bool as_instant = false);
  /// A chunk with the first element of a collection for which `condition` is `outcome`.
  std::uint32_t first_chunk(const ast::InvariantClause& clause);

  struct Atom {
    std::uint32_t predicate = 0;
    bool negated = false;     ///< the condition holds where the predicate does not
    std::vector<Span> spans;  ///< of the predicate's instructions, as written here
    std::optional<program::TimeAtom> change;
  };
  Atom atom(const Code& code);
  /// When the value may change by waiting alone; empty if never.
  std::optional<program::TimeAtom> change(const Code& code);

  /// The call of a function with what its parameters stand for.
  const Frame* call_frame(const Code& code, const ast::Function& function);
  /// Names followed to what they stand for: functions, `let` and parameters.
  Code resolve(Code code);
  /// Null if the value is not known now.
  const Constant* constant(const Code& code) const { return checked_.constant(code.expr); }
  /// `a or b` of two conditions; else it is `x or default`.
  bool is_logical_or(const ast::Binary& binary) const;
  /// Reports that a rule needs more code than there may be.
  void report_too_large(Span span);

 private:
  // Part: values (compile_expression.cpp).
  Shape value(const Code& code, Reg dst);
  /// As value, but never absent: a fault instead.
  Shape present_value(const Code& code, Reg dst);
  Shape load(const Constant& constant, Reg dst, Span span);
  Shape named_value(const Code& code, Reg dst);
  void row(const RowRef& row, Reg dst, Span span);
  Shape field_value(const Meaning& meaning, Reg dst, Span span);
  void need(Shape& shape, Reg reg, Span span);

  // Part: calls (compile_calls.cpp).
  Shape builtin_value(const Code& code, const Meaning& meaning, Reg dst);
  Shape smallest(const Code& code, std::span<const ast::ExprPtr> arguments, bool largest, Reg dst);
  Shape solve(const Code& condition, Reg dst);
  std::uint32_t zone(const Code& code);

  // Part: operators and branches (compile_operators.cpp).
  Shape binary_value(const Code& code, const ast::Binary& binary, Reg dst);
  Shape arithmetic(const Code& code, const ast::Binary& binary, Reg dst);
  Shape default_value(const Code& code, const ast::Binary& binary, Reg dst);
  Shape membership(const Code& code, const ast::Binary& binary, Reg dst);
  /// The ends of a range of times of day, if they are known.
  std::optional<std::pair<std::int64_t, std::int64_t>> clock_range(const Code& code);
  /// Whether the comparison, or its opposite (`negated`): `a > b` is not (a <= b).
  Shape comparison(const Code& code, const ast::Binary& binary, Reg dst, bool& negated);
  /// Loads both sides of a comparison; an absent literal takes the kind of the other side.
  std::pair<Shape, Shape> operands(const Code& code, const ast::Binary& binary, Reg left, Reg right);
  Shape conditional_value(const Code& code, const ast::Conditional& conditional, Reg dst);
  Shape truth_value(const Code& code, Reg dst);
  /// Jumps if the condition is `when`.
  void branch(const Code& code, Emitter::Label target, bool when);
  void compare_branch(const Code& code, const ast::Binary& binary, Emitter::Label target, bool when);

  // Part: loops (compile_loops.cpp).
  /// Runs `body` for each element; `next` is where the next one begins.
  void each_element(const ast::Aggregate& aggregate, const Code& code,
                    const std::function<void(Emitter::Label next)>& body);
  /// As each_element, with the element's register and where to leave the loop.
  void loop(ast::ExprPtr collection, const Frame* frame, ast::NodeId variable, Span span,
            const std::function<void(Reg element, Emitter::Label exit)>& body);
  Shape aggregate_value(const Code& code, const ast::Aggregate& aggregate, Reg dst);
  void keep_smaller(Shape shape, bool largest, Reg dst, Reg other, Span span);

  // Part: time (compile_changes.cpp).
  /// A value that moves with time: value + slope * (time since now).
  struct Line {
    Reg value = 0;
    Reg slope = 0;
  };
  bool moves(const Code& code);
  /// `earliest` becomes the earlier of itself and the next instant at which the value may change.
  void add_changes(const Code& code, Reg earliest);
  void add_comparison(const Code& code, const ast::Binary& binary, Reg earliest);
  void add_clock(const Code& clock, std::vector<std::int64_t> seconds, Reg earliest);
  void add_crossing(Reg distance, Reg slope, std::int64_t below, Reg earliest, Span span);
  void add_poll(Reg earliest, Span span);
  void add_steps(const Line& line, Reg unit, bool towards_zero, Reg earliest, Span span);
  Line line(const Code& code, Reg earliest);
  Line aggregate_line(const Code& code, const ast::Aggregate& aggregate, Reg earliest);
  /// `best` becomes the smaller (larger) of both lines.
  void keep_line(const Line& best, const Line& other, bool largest, Reg earliest, Span span);
  Line still_line(const Code& code);
  /// The call of `clock` or `weekday` that a value is, if it is one.
  std::optional<Code> clock_call(const Code& code);

  Pool& pool_;
  const Checked& checked_;
  Diagnostics& diagnostics_;
  std::span<const ast::Let> lets_;
  ast::ExprPtr until_ = nullptr;
  Emitter* out_ = nullptr;
  std::deque<Frame> frames_;
  std::map<std::pair<ast::ExprPtr, const Frame*>, const Frame*> calls_;
  /// While changes are looked for: where to go on when a value is absent; a fault there would hide other
  /// changes.
  std::optional<Emitter::Label> absent_;
  std::map<std::pair<ast::ExprPtr, const Frame*>, bool> moves_;
  std::map<std::uint32_t, std::uint32_t> predicate_of_chunk_;
};

}  // namespace sluice::lang
