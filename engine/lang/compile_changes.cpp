#include <utility>
#include <variant>

#include "lang/compile_expression.hpp"

/// When an expression may change by waiting alone, as code: values that move with time are straight lines, and
/// comparisons of lines change where they cross.
namespace sluice::lang {

using program::Opcode;
using program::ValueKind;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Calls `visit` for every part of an expression that is evaluated; what names stand for is not followed.
template <class Visit>
void each_part(ast::ExprPtr expr, Visit visit) {
  const auto optional = [&](ast::ExprPtr part) {
    if (part != nullptr) visit(part);
  };
  if (const auto* unary = ast::as<ast::Unary>(expr)) {
    visit(unary->operand);
  } else if (const auto* binary = ast::as<ast::Binary>(expr)) {
    visit(binary->left);
    visit(binary->right);
  } else if (const auto* conditional = ast::as<ast::Conditional>(expr)) {
    visit(conditional->condition);
    visit(conditional->yes);
    visit(conditional->no);
  } else if (const auto* aggregate = ast::as<ast::Aggregate>(expr)) {
    optional(aggregate->filter);
    optional(aggregate->value);
  } else if (const auto* list = ast::as<ast::List>(expr)) {
    for (const ast::ExprPtr item : list->items) visit(item);
  } else if (const auto* range = ast::as<ast::Range>(expr)) {
    visit(range->from);
    visit(range->to);
  }
}

}  // namespace

bool ExpressionCompiler::moves(const Code& given) {
  const Code code = resolve(given);
  if (code.expr == nullptr) return true;
  if (constant(code) != nullptr) return false;
  const auto [known, added] = moves_.try_emplace({code.expr, code.frame}, false);
  if (!added) return known->second;
  bool found = false;
  const Meaning& meaning = checked_.meaning(code.expr);
  if (meaning.what == Meaning::What::field) {
    found = meaning.field == FieldId::workload_waited || meaning.field == FieldId::workload_remaining;
  } else if (meaning.what == Meaning::What::until) {
    found = true;
  } else if (meaning.what == Meaning::What::builtin) {
    const auto arguments = arguments_of(code.expr);
    const bool of_now = meaning.builtin == FunctionId::clock || meaning.builtin == FunctionId::weekday;
    found = meaning.builtin == FunctionId::next || (of_now && arguments.size() < 2);
    for (const ast::ExprPtr argument : arguments) found = found || moves(Code(argument, code.frame));
  } else {
    each_part(code.expr, [&](ast::ExprPtr part) { found = found || moves(Code(part, code.frame)); });
  }
  moves_[{code.expr, code.frame}] = found;
  return found;
}

std::optional<Code> ExpressionCompiler::clock_call(const Code& given) {
  const Code code = resolve(given);
  if (code.expr == nullptr || constant(code) != nullptr) return std::nullopt;
  const Meaning& meaning = checked_.meaning(code.expr);
  const bool is_call = meaning.what == Meaning::What::builtin &&
                       (meaning.builtin == FunctionId::clock || meaning.builtin == FunctionId::weekday);
  return is_call && moves(code) ? std::optional(code) : std::nullopt;
}

void ExpressionCompiler::add_crossing(Reg distance, Reg slope, std::int64_t below, Reg earliest, Span span) {
  const Reg mark = out_->mark();
  const Reg at = out_->take();
  const Reg shift = out_->take();
  out_->emit(Opcode::constant, shift, 0, 0, pool_.constant(ValueKind::number, below), span);
  out_->emit(Opcode::elapsed, at, distance, shift, 0, span);
  out_->emit(Opcode::crossing, at, at, slope, 0, span);
  out_->emit(Opcode::earlier, earliest, earliest, at, 0, span);
  out_->moves = true;
  out_->release(mark);
}

void ExpressionCompiler::add_poll(Reg earliest, Span span) {
  const Reg mark = out_->mark();
  const Reg at = out_->take();
  const Reg second = out_->take();
  out_->emit(Opcode::now, at, 0, 0, 0, span);
  out_->emit(Opcode::constant, second, 0, 0, pool_.constant(ValueKind::duration, kSecond), span);
  out_->emit(Opcode::add, at, at, second, 0, span);
  out_->emit(Opcode::earlier, earliest, earliest, at, 0, span);
  out_->release(mark);
}

void ExpressionCompiler::add_steps(const Line& line, Reg unit, bool towards_zero, Reg earliest, Span span) {
  // The quotient changes when the line leaves [q * unit, (q + 1) * unit); where division goes towards zero and the
  // line is below it, (q * unit, (q + 1) * unit].
  const Reg mark = out_->mark();
  const Reg low = out_->take();
  const Reg distance = out_->take();
  out_->emit(Opcode::divide_down, low, line.value, unit, 0, span);
  out_->emit(Opcode::multiply, low, low, unit, 0, span);
  out_->emit(Opcode::elapsed, distance, line.value, low, 0, span);
  add_crossing(distance, line.slope, 0, earliest, span);
  out_->emit(Opcode::elapsed, low, distance, unit, 0, span);
  add_crossing(low, line.slope, 0, earliest, span);
  if (towards_zero) {
    // Above its first unit both ways of rounding are the same.
    const auto whole = out_->label();
    const auto below = out_->label();
    const Reg zero = out_->take();
    out_->emit(Opcode::constant, zero, 0, 0, pool_.constant(ValueKind::number, 0), span);
    out_->jump(Opcode::jump_unless_less, zero, unit, below, span);
    out_->jump(Opcode::jump_if_less, unit, line.value, whole, span);
    out_->place(below);
    add_crossing(distance, line.slope, 1, earliest, span);
    add_crossing(low, line.slope, 1, earliest, span);
    out_->place(whole);
  }
  out_->release(mark);
}

ExpressionCompiler::Line ExpressionCompiler::still_line(const Code& code) {
  Line still{out_->take(), out_->take()};
  present_value(code, still.value);
  out_->emit(Opcode::constant, still.slope, 0, 0, pool_.constant(ValueKind::number, 0), code.span);
  return still;
}

ExpressionCompiler::Line ExpressionCompiler::line(const Code& given, Reg earliest) {
  const Code code = resolve(given);
  const Span span = code.span;
  const auto sloped = [&](std::int64_t slope) {
    const Line moving{out_->take(), out_->take()};
    out_->emit(Opcode::constant, moving.slope, 0, 0, pool_.constant(ValueKind::number, slope), span);
    return moving;
  };
  if (code.expr == nullptr) {
    const Line moving = sloped(1);
    value(code, moving.value);
    return moving;
  }
  if (!moves(code)) return still_line(code);
  const Meaning& meaning = checked_.meaning(code.expr);
  if (meaning.what == Meaning::What::field) {
    const Line moving = sloped(meaning.field == FieldId::workload_waited ? 1 : -1);
    present_value(code, moving.value);
    return moving;
  }
  if (const auto* unary = ast::as<ast::Unary>(code.expr); unary != nullptr && unary->op == ast::UnaryOp::negate) {
    const Line operand = line(Code(unary->operand, code.frame), earliest);
    out_->emit(Opcode::negate, operand.value, operand.value, 0, 0, span);
    out_->emit(Opcode::negate, operand.slope, operand.slope, 0, 0, span);
    return operand;
  }
  if (const auto* binary = ast::as<ast::Binary>(code.expr)) {
    const Code left(binary->left, code.frame);
    const Code right(binary->right, code.frame);
    const bool sum = binary->op == ast::BinaryOp::add || binary->op == ast::BinaryOp::subtract;
    const bool percent = checked_.type(binary->left).kind == Kind::percent || checked_.type(binary->right).kind == Kind::percent;
    const bool product = binary->op == ast::BinaryOp::multiply && !percent && !(moves(left) && moves(right));
    if (sum || product) {
      const Line a = line(left, earliest);
      const Line b = line(right, earliest);
      const Opcode opcode = binary->op == ast::BinaryOp::add ? Opcode::add : Opcode::subtract;
      if (sum) {
        out_->emit(opcode, a.slope, a.slope, b.slope, 0, span);
        out_->emit(opcode, a.value, a.value, b.value, 0, span);
      } else {
        // One slope is 0: (a * b)' = a' * b + a * b'.
        out_->emit(Opcode::multiply, a.slope, a.slope, b.value, 0, span);
        out_->emit(Opcode::multiply, b.slope, b.slope, a.value, 0, span);
        out_->emit(Opcode::add, a.slope, a.slope, b.slope, 0, span);
        out_->emit(Opcode::multiply, a.value, a.value, b.value, 0, span);
      }
      return a;
    }
    if (binary->op == ast::BinaryOp::logical_or && !is_logical_or(*binary)) {
      const Line result{out_->take(), out_->take()};
      const auto absent = out_->label();
      const auto end = out_->label();
      const auto outer = std::exchange(absent_, absent);
      const auto keep = [&](const Line& side) {
        out_->emit(Opcode::move, result.value, side.value, 0, 0, span);
        out_->emit(Opcode::move, result.slope, side.slope, 0, 0, span);
      };
      keep(line(left, earliest));
      absent_ = outer;
      out_->jump(Opcode::jump, 0, 0, end, span);
      out_->place(absent);
      keep(line(right, earliest));
      out_->place(end);
      return result;
    }
  }
  if (const auto* conditional = ast::as<ast::Conditional>(code.expr)) {
    const Line result{out_->take(), out_->take()};
    const auto no = out_->label();
    const auto end = out_->label();
    const auto keep = [&](const Line& side) {
      out_->emit(Opcode::move, result.value, side.value, 0, 0, span);
      out_->emit(Opcode::move, result.slope, side.slope, 0, 0, span);
    };
    add_changes(Code(conditional->condition, code.frame), earliest);
    branch(Code(conditional->condition, code.frame), no, false);
    keep(line(Code(conditional->yes, code.frame), earliest));
    out_->jump(Opcode::jump, 0, 0, end, span);
    out_->place(no);
    keep(line(Code(conditional->no, code.frame), earliest));
    out_->place(end);
    return result;
  }
  if (meaning.what == Meaning::What::builtin) {
    const auto arguments = arguments_of(code.expr);
    if (meaning.builtin == FunctionId::min || meaning.builtin == FunctionId::max) {
      const Line best = line(Code(arguments[0], code.frame), earliest);
      for (const ast::ExprPtr argument : arguments.subspan(1)) {
        const Reg mark = out_->mark();
        keep_line(best, line(Code(argument, code.frame), earliest), meaning.builtin == FunctionId::max, earliest, span);
        out_->release(mark);
      }
      return best;
    }
    if (meaning.builtin == FunctionId::abs) {
      // |x| is the larger of x and -x.
      const Line best = line(Code(arguments[0], code.frame), earliest);
      const Line opposite{out_->take(), out_->take()};
      out_->emit(Opcode::negate, opposite.value, best.value, 0, 0, span);
      out_->emit(Opcode::negate, opposite.slope, best.slope, 0, 0, span);
      keep_line(best, opposite, true, earliest, span);
      return best;
    }
    if (meaning.builtin == FunctionId::next) {
      // It stands still until it is reached; then it is `now` for as long as the condition holds.
      add_changes(code, earliest);
      const Line still = still_line(code);
      const Reg now = out_->take();
      const auto ahead = out_->label();
      out_->emit(Opcode::now, now, 0, 0, 0, span);
      out_->jump(Opcode::jump_unless_equal, still.value, now, ahead, span);
      out_->emit(Opcode::constant, still.slope, 0, 0, pool_.constant(ValueKind::number, 1), span);
      out_->place(ahead);
      return still;
    }
  }
  const auto* aggregate = ast::as<ast::Aggregate>(code.expr);
  if (aggregate != nullptr && aggregate->value != nullptr && moves(Code(aggregate->value, code.frame))) {
    return aggregate_line(code, *aggregate, earliest);
  }
  // Numbers go in steps, and the steps are looked for. Everything else that moves is no line: a part of one, a
  // product of two.
  add_changes(code, earliest);
  if (checked_.type(code.expr).kind != Kind::number) add_poll(earliest, span);
  return still_line(code);
}

void ExpressionCompiler::keep_line(const Line& best, const Line& other, bool largest, Reg earliest, Span span) {
  const Reg mark = out_->mark();
  const Reg distance = out_->take();
  const Reg slope = out_->take();
  const auto keep = out_->label();
  const auto take = out_->label();
  out_->emit(Opcode::elapsed, distance, best.value, other.value, 0, span);
  out_->emit(Opcode::elapsed, slope, best.slope, other.slope, 0, span);
  add_crossing(distance, slope, 0, earliest, span);
  add_crossing(distance, slope, 1, earliest, span);
  // The smaller line goes on; where they meet, the one that falls below the other.
  const auto smaller = [&](Reg a, Reg b) { out_->jump(Opcode::jump_if_less, largest ? b : a, largest ? a : b, keep, span); };
  smaller(best.value, other.value);
  out_->jump(Opcode::jump_unless_equal, best.value, other.value, take, span);
  smaller(best.slope, other.slope);
  out_->place(take);
  out_->emit(Opcode::move, best.value, other.value, 0, 0, span);
  out_->emit(Opcode::move, best.slope, other.slope, 0, 0, span);
  out_->place(keep);
  out_->release(mark);
}

ExpressionCompiler::Line ExpressionCompiler::aggregate_line(const Code& code, const ast::Aggregate& aggregate, Reg earliest) {
  const Span span = code.span;
  const bool sum = aggregate.kind == ast::AggregateKind::sum;
  const Line result{out_->take(), out_->take()};
  const Reg any = out_->take();
  const auto constant_to = [&](Reg reg, ValueKind kind, std::int64_t value) {
    out_->emit(Opcode::constant, reg, 0, 0, pool_.constant(kind, value), span);
  };
  constant_to(result.value, ValueKind::number, 0);
  constant_to(result.slope, ValueKind::number, 0);
  constant_to(any, ValueKind::boolean, 0);
  const auto outer = absent_;
  each_element(aggregate, code, [&](Emitter::Label next) {
    absent_ = next;
    const Reg mark = out_->mark();
    if (aggregate.filter != nullptr) {
      add_changes(Code(aggregate.filter, code.frame), earliest);
      branch(Code(aggregate.filter, code.frame), next, false);
    }
    const Line element = line(Code(aggregate.value, code.frame), earliest);
    const auto first = out_->label();
    const auto done = out_->label();
    if (sum) {
      out_->emit(Opcode::add, result.value, result.value, element.value, 0, span);
      out_->emit(Opcode::add, result.slope, result.slope, element.slope, 0, span);
    } else {
      out_->jump(Opcode::jump_unless, any, 0, first, span);
      keep_line(result, element, aggregate.kind == ast::AggregateKind::max, earliest, span);
      out_->jump(Opcode::jump, 0, 0, done, span);
      out_->place(first);
      out_->emit(Opcode::move, result.value, element.value, 0, 0, span);
      out_->emit(Opcode::move, result.slope, element.slope, 0, 0, span);
      constant_to(any, ValueKind::boolean, 1);
      out_->place(done);
    }
    out_->release(mark);
  });
  absent_ = outer;
  if (!sum && absent_) out_->jump(Opcode::jump_unless, any, 0, *absent_, span);
  return result;
}

void ExpressionCompiler::add_clock(const Code& clock, std::vector<std::int64_t> seconds, Reg earliest) {
  const auto arguments = arguments_of(clock.expr);
  const Span span = clock.span;
  const std::uint32_t where = zone(Code(arguments[0], clock.frame));
  const Reg mark = out_->mark();
  const Line at = line(arguments.size() > 1 ? Code(arguments[1], clock.frame) : Code(span), earliest);
  const Reg one = out_->take();
  const Reg second = out_->take();
  const Reg change = out_->take();
  const auto other_slope = out_->label();
  const auto end = out_->label();
  // A clock that runs as ours does: its changes are as far from its time as ours are from now.
  out_->emit(Opcode::constant, one, 0, 0, pool_.constant(ValueKind::number, 1), span);
  out_->jump(Opcode::jump_unless_equal, at.slope, one, other_slope, span);
  for (const std::int64_t value : seconds) {
    const auto none = out_->label();
    out_->emit(Opcode::constant, second, 0, 0, pool_.constant(ValueKind::time_of_day, value), span);
    out_->emit(Opcode::next_clock, change, at.value, second, where, span);
    out_->jump(Opcode::jump_if_absent, change, 0, none, span);
    out_->emit(Opcode::elapsed, second, at.value, change, 0, span);  // negative: how far it is
    add_crossing(second, one, 0, earliest, span);
    out_->place(none);
  }
  out_->jump(Opcode::jump, 0, 0, end, span);
  out_->place(other_slope);
  add_poll(earliest, span);
  out_->place(end);
  out_->release(mark);
}

void ExpressionCompiler::add_comparison(const Code& code, const ast::Binary& binary, Reg earliest) {
  const Reg mark = out_->mark();
  const Line left = line(Code(binary.left, code.frame), earliest);
  const Line right = line(Code(binary.right, code.frame), earliest);
  const bool strict = binary.op == ast::BinaryOp::less || binary.op == ast::BinaryOp::greater_equal;
  const bool equality = binary.op == ast::BinaryOp::equal || binary.op == ast::BinaryOp::not_equal;
  out_->emit(Opcode::elapsed, left.value, left.value, right.value, 0, code.span);
  out_->emit(Opcode::elapsed, left.slope, left.slope, right.slope, 0, code.span);
  if (strict || equality) add_crossing(left.value, left.slope, 0, earliest, code.span);
  if (!strict) add_crossing(left.value, left.slope, 1, earliest, code.span);
  out_->release(mark);
}

void ExpressionCompiler::add_changes(const Code& given, Reg earliest) {
  const Code code = resolve(given);
  if (code.expr == nullptr || !moves(code)) return;
  const Reg mark = out_->mark();
  const auto parts = [&] {
    each_part(code.expr, [&](ast::ExprPtr part) { add_changes(Code(part, code.frame), earliest); });
  };
  const Meaning& meaning = checked_.meaning(code.expr);
  if (meaning.what == Meaning::What::until) return;
  if (meaning.what == Meaning::What::builtin) {
    const auto arguments = arguments_of(code.expr);
    switch (meaning.builtin) {
      case FunctionId::seconds:
      case FunctionId::minutes:
      case FunctionId::hours:
      case FunctionId::days: {
        const auto unit = unit_seconds[static_cast<std::size_t>(meaning.builtin) - static_cast<std::size_t>(FunctionId::seconds)];
        const Line stepping = line(Code(arguments[0], code.frame), earliest);
        const Reg size = out_->take();
        out_->emit(Opcode::constant, size, 0, 0, pool_.constant(ValueKind::duration, unit * kSecond), code.span);
        add_steps(stepping, size, false, earliest, code.span);
        break;
      }
      case FunctionId::weekday: add_clock(code, {0}, earliest); break;
      case FunctionId::clock: add_poll(earliest, code.span); break;
      case FunctionId::next: {
        // It stays until it is reached, then it is `now` for as long as the condition holds.
        const Reg next = out_->take();
        value(code, next);
        out_->emit(Opcode::earlier, earliest, earliest, next, 0, code.span);
        add_changes(Code(arguments[0], code.frame), earliest);
        break;
      }
      case FunctionId::min:
      case FunctionId::max:
      case FunctionId::abs:
      case FunctionId::stocked_out:
      case FunctionId::stocked_out_since:
        for (const ast::ExprPtr argument : arguments) add_changes(Code(argument, code.frame), earliest);
        break;
    }
    out_->release(mark);
    return;
  }
  if (const auto* aggregate = ast::as<ast::Aggregate>(code.expr)) {
    const auto outer = absent_;
    each_element(*aggregate, code, [&](Emitter::Label next) {
      absent_ = next;
      if (aggregate->filter != nullptr) add_changes(Code(aggregate->filter, code.frame), earliest);
      if (aggregate->value != nullptr) add_changes(Code(aggregate->value, code.frame), earliest);
    });
    absent_ = outer;
    out_->release(mark);
    return;
  }
  const auto* binary = ast::as<ast::Binary>(code.expr);
  if (binary == nullptr) {
    parts();
    out_->release(mark);
    return;
  }
  const Code left(binary->left, code.frame);
  const Code right(binary->right, code.frame);
  const auto constant_value = [&](const Code& side) -> const Constant* {
    const Code known = resolve(side);
    return known.expr == nullptr ? nullptr : constant(known);
  };
  if (is_comparison(binary->op)) {
    const auto clock_left = clock_call(left);
    const auto clock_right = clock_call(right);
    const Kind kind = checked_.type(binary->left).kind;
    const Constant* fixed = constant_value(clock_left ? right : left);
    const Constant* other = constant_value(right);
    if (clock_left || clock_right) {
      const Code clock = clock_left ? *clock_left : *clock_right;
      if (checked_.meaning(clock.expr).builtin == FunctionId::weekday) {
        add_clock(clock, {0}, earliest);
      } else if (fixed != nullptr && fixed->present) {
        add_clock(clock, {fixed->value, fixed->value + 1}, earliest);
      } else {
        add_poll(earliest, code.span);
      }
    } else if ((fixed != nullptr && !fixed->present) || (other != nullptr && !other->present)) {
      parts();  // a comparison with `none`
    } else if (is_quantity(kind) || kind == Kind::instant) {
      add_comparison(code, *binary, earliest);
    } else {
      parts();
    }
  } else if (binary->op == ast::BinaryOp::in) {
    const Code set = resolve(right);
    const Constant* known = set.expr == nullptr ? nullptr : constant(set);
    const auto* range = ast::as<ast::Range>(set.expr);
    const auto clock = clock_call(left);
    if (clock && checked_.meaning(clock->expr).builtin == FunctionId::weekday) {
      add_clock(*clock, {0}, earliest);
    } else if (clock && known != nullptr && known->type.list) {
      std::vector<std::int64_t> seconds;
      for (const Constant& item : known->items) seconds.insert(seconds.end(), {item.value, item.value + 1});
      add_clock(*clock, std::move(seconds), earliest);
    } else if (const auto ends = clock ? clock_range(set) : std::nullopt) {
      add_clock(*clock, {ends->first, ends->second}, earliest);
    } else if (clock) {
      add_poll(earliest, code.span);
    } else if (range != nullptr) {
      for (const ast::ExprPtr bound : {range->from, range->to}) {
        const Reg inner = out_->mark();
        const Line a = line(left, earliest);
        const Line b = line(Code(bound, set.frame), earliest);
        out_->emit(Opcode::elapsed, a.value, a.value, b.value, 0, code.span);
        out_->emit(Opcode::elapsed, a.slope, a.slope, b.slope, 0, code.span);
        add_crossing(a.value, a.slope, 0, earliest, code.span);
        out_->release(inner);
      }
    } else {
      add_poll(earliest, code.span);
    }
  } else if (binary->op == ast::BinaryOp::divide && checked_.type(code.expr).kind == Kind::number &&
             checked_.type(binary->left).kind != Kind::number) {
    if (moves(right)) {
      parts();
      add_poll(earliest, code.span);
    } else {
      const Line stepping = line(left, earliest);
      const Reg unit = out_->take();
      present_value(right, unit);
      add_steps(stepping, unit, true, earliest, code.span);
    }
  } else {
    parts();
  }
  out_->release(mark);
}

}  // namespace sluice::lang
