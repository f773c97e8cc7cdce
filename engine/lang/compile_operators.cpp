#include "lang/compile_expression.hpp"

#include <utility>

namespace sluice::lang {

using program::Opcode;
using program::ValueKind;

Shape ExpressionCompiler::binary_value(const Code& code, const ast::Binary& binary, Reg dst) {
  switch (binary.op) {
    case ast::BinaryOp::logical_or:
      if (!is_logical_or(binary)) return default_value(code, binary, dst);
      return truth_value(code, dst);
    case ast::BinaryOp::logical_and:
      return truth_value(code, dst);
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::less:
    case ast::BinaryOp::less_equal:
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal: {
      bool negated = false;
      const Shape shape = comparison(code, binary, dst, negated);
      if (negated) out_->emit(Opcode::negation, dst, dst, 0, 0, code.span);
      return shape;
    }
    case ast::BinaryOp::in:
      return membership(code, binary, dst);
    case ast::BinaryOp::matches: {
      value(Code(binary.left, code.frame), dst);
      const Code pattern = resolve(Code(binary.right, code.frame));
      const Constant* known = pattern.expr == nullptr ? nullptr : constant(pattern);
      std::uint32_t number = pool_.pattern("");
      if (known == nullptr) {
        diagnostics_.error("constant-key", pattern.span,
                           "a pattern must be known before anything is decided");
      } else {
        number = pool_.pattern(known->text);  // the checker has tried it
      }
      out_->emit(Opcode::matches, dst, dst, 0, number, code.span);
      return {ValueKind::boolean, false};
    }
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide:
      return arithmetic(code, binary, dst);
  }
  return {};
}

Shape ExpressionCompiler::arithmetic(const Code& code, const ast::Binary& binary, Reg dst) {
  const Reg mark = out_->mark();
  const Shape left = present_value(Code(binary.left, code.frame), dst);
  const Reg other = out_->take();
  const Shape right = present_value(Code(binary.right, code.frame), other);
  Opcode opcode = Opcode::add;
  if (binary.op == ast::BinaryOp::subtract) opcode = Opcode::subtract;
  if (binary.op == ast::BinaryOp::divide) opcode = Opcode::divide;
  if (binary.op == ast::BinaryOp::multiply) {
    const bool percent = left.kind == ValueKind::percent || right.kind == ValueKind::percent;
    opcode = percent ? Opcode::scale : Opcode::multiply;
  }
  out_->emit(opcode, dst, dst, other, 0, code.span);
  out_->release(mark);
  return {value_kind(checked_.type(code.expr).kind), false};
}

std::pair<Shape, Shape> ExpressionCompiler::operands(const Code& code, const ast::Binary& binary, Reg left,
                                                     Reg right) {
  const Code a = resolve(Code(binary.left, code.frame));
  const Code b = resolve(Code(binary.right, code.frame));
  const auto is_none = [&](const Code& side) {
    const Constant* known = side.expr == nullptr ? nullptr : constant(side);
    return known != nullptr && !known->present;
  };
  // `none` has no kind of its own; it takes that of the other side.
  const auto load_none = [&](Reg reg, ValueKind kind, Span span) {
    out_->emit(Opcode::absent, reg, 0, 0, pool_.constant(kind, 0), span);
    return Shape{kind, true};
  };
  if (is_none(a) && !is_none(b)) {
    const Shape other = value(b, right);
    return {load_none(left, other.kind, a.span), other};
  }
  const Shape first = value(a, left);
  if (is_none(b)) return {first, load_none(right, first.kind, b.span)};
  return {first, value(b, right)};
}

Shape ExpressionCompiler::comparison(const Code& code, const ast::Binary& binary, Reg dst, bool& negated) {
  const Reg mark = out_->mark();
  const Reg left = out_->take();
  const Reg right = out_->take();
  auto [a, b] = operands(code, binary, left, right);
  Opcode opcode = Opcode::equal;
  if (binary.op == ast::BinaryOp::equal || binary.op == ast::BinaryOp::not_equal) {
    negated = binary.op == ast::BinaryOp::not_equal;
  } else {
    need(a, left, binary.left->span);
    need(b, right, binary.right->span);
    const bool text = a.kind == ValueKind::text;
    const bool strict = binary.op == ast::BinaryOp::less || binary.op == ast::BinaryOp::greater_equal;
    negated = binary.op == ast::BinaryOp::greater || binary.op == ast::BinaryOp::greater_equal;
    if (strict) opcode = text ? Opcode::text_less : Opcode::less;
    if (!strict) opcode = text ? Opcode::text_less_equal : Opcode::less_equal;
  }
  out_->emit(opcode, dst, left, right, 0, code.span);
  out_->release(mark);
  return {ValueKind::boolean, false};
}

Shape ExpressionCompiler::default_value(const Code& code, const ast::Binary& binary, Reg dst) {
  const Reg mark = out_->mark();
  const Reg left = out_->take();
  Shape shape = value(Code(binary.left, code.frame), left);
  if (!shape.maybe) {
    out_->emit(Opcode::move, dst, left, 0, 0, code.span);
    out_->release(mark);
    return shape;
  }
  const auto absent = out_->label();
  const auto end = out_->label();
  out_->jump(Opcode::jump_if_absent, left, 0, absent, code.span);
  out_->emit(Opcode::move, dst, left, 0, 0, code.span);
  out_->jump(Opcode::jump, 0, 0, end, code.span);
  out_->place(absent);
  const Shape other = value(Code(binary.right, code.frame), dst);
  out_->place(end);
  out_->release(mark);
  return {shape.kind, other.maybe};
}

std::optional<std::pair<std::int64_t, std::int64_t>> ExpressionCompiler::clock_range(const Code& code) {
  const auto* range = ast::as<ast::Range>(code.expr);
  if (range == nullptr) return std::nullopt;
  const auto end = [&](ast::ExprPtr expr) -> const Constant* {
    const Code side = resolve(Code(expr, code.frame));
    const Constant* known = side.expr == nullptr ? nullptr : constant(side);
    return known != nullptr && known->type.kind == Kind::time_of_day ? known : nullptr;
  };
  const Constant* from = end(range->from);
  const Constant* to = end(range->to);
  if (from == nullptr || to == nullptr) return std::nullopt;
  return std::pair(from->value, to->value);
}

Shape ExpressionCompiler::membership(const Code& code, const ast::Binary& binary, Reg dst) {
  const Reg mark = out_->mark();
  const Reg left = out_->take();
  Shape shape = value(Code(binary.left, code.frame), left);
  const Code right = resolve(Code(binary.right, code.frame));
  const Constant* known = right.expr == nullptr ? nullptr : constant(right);
  const auto* range = ast::as<ast::Range>(right.expr);
  const auto* items = ast::as<ast::List>(right.expr);
  if (known != nullptr && known->type.list) {
    program::List list;
    list.kind = shape.kind;
    for (const Constant& item : known->items) {
      list.values.push_back(shape.kind == ValueKind::text
                                ? static_cast<std::int64_t>(pool_.program().texts.intern(item.text))
                                : item.value);
    }
    out_->emit(Opcode::in_list, dst, left, 0, pool_.list(std::move(list)), code.span);
    out_->release(mark);
    return {ValueKind::boolean, false};
  }
  const auto no = out_->label();
  const auto end = out_->label();
  if (shape.maybe) out_->jump(Opcode::jump_if_absent, left, 0, no, code.span);
  const Reg other = out_->take();
  if (const auto packed = clock_range(right)) {
    out_->emit(Opcode::constant, other, 0, 0,
               pool_.constant(ValueKind::clock_range, program::pack_range(packed->first, packed->second)),
               right.span);
    out_->emit(Opcode::in_range, dst, left, other, 0, code.span);
  } else if (range != nullptr && shape.kind == ValueKind::time_of_day) {
    // Ends that are only known while deciding are packed as program::pack_range does.
    const Reg shift = out_->take();
    present_value(Code(range->from, right.frame), other);
    out_->emit(Opcode::constant, shift, 0, 0, pool_.constant(ValueKind::number, std::int64_t{1} << 32),
               right.span);
    out_->emit(Opcode::multiply, other, other, shift, 0, right.span);
    present_value(Code(range->to, right.frame), shift);
    out_->emit(Opcode::add, other, other, shift, 0, right.span);
    out_->emit(Opcode::in_range, dst, left, other, 0, code.span);
  } else if (range != nullptr) {
    present_value(Code(range->from, right.frame), other);
    out_->jump(Opcode::jump_if_less, left, other, no, code.span);
    present_value(Code(range->to, right.frame), other);
    out_->emit(Opcode::less, dst, left, other, 0, code.span);
  } else if (items != nullptr) {
    const auto yes = out_->label();
    for (const ast::ExprPtr item : items->items) {
      present_value(Code(item, right.frame), other);
      out_->jump(Opcode::jump_if_equal, left, other, yes, code.span);
    }
    out_->jump(Opcode::jump, 0, 0, no, code.span);
    out_->place(yes);
    out_->emit(Opcode::constant, dst, 0, 0, pool_.constant(ValueKind::boolean, 1), code.span);
  } else {
    diagnostics_.error("not-decided", right.span, "this is neither a list nor a range");
    out_->emit(Opcode::constant, dst, 0, 0, pool_.constant(ValueKind::boolean, 0), code.span);
  }
  out_->jump(Opcode::jump, 0, 0, end, code.span);
  out_->place(no);
  out_->emit(Opcode::constant, dst, 0, 0, pool_.constant(ValueKind::boolean, 0), code.span);
  out_->place(end);
  out_->release(mark);
  return {ValueKind::boolean, false};
}

Shape ExpressionCompiler::conditional_value(const Code& code, const ast::Conditional& conditional, Reg dst) {
  const auto no = out_->label();
  const auto end = out_->label();
  branch(Code(conditional.condition, code.frame), no, false);
  const ValueKind kind = value_kind(checked_.type(code.expr).kind);
  const auto one = [&](ast::ExprPtr expr) {
    const Code side = resolve(Code(expr, code.frame));
    const Constant* known = side.expr == nullptr ? nullptr : constant(side);
    if (known == nullptr || known->present) return value(side, dst);
    out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(kind, 0), side.span);
    return Shape{kind, true};
  };
  const Shape first = one(conditional.yes);
  out_->jump(Opcode::jump, 0, 0, end, code.span);
  out_->place(no);
  const Shape second = one(conditional.no);
  out_->place(end);
  return {kind, first.maybe || second.maybe};
}

Shape ExpressionCompiler::truth_value(const Code& code, Reg dst) {
  const auto no = out_->label();
  const auto end = out_->label();
  branch(code, no, false);
  out_->emit(Opcode::constant, dst, 0, 0, pool_.constant(ValueKind::boolean, 1), code.span);
  out_->jump(Opcode::jump, 0, 0, end, code.span);
  out_->place(no);
  out_->emit(Opcode::constant, dst, 0, 0, pool_.constant(ValueKind::boolean, 0), code.span);
  out_->place(end);
  return {ValueKind::boolean, false};
}

void ExpressionCompiler::branch(const Code& given, Emitter::Label target, bool when) {
  const Code code = resolve(given);
  if (code.expr != nullptr) {
    if (const Constant* known = constant(code)) {
      if ((known->value != 0) == when) out_->jump(Opcode::jump, 0, 0, target, code.span);
      return;
    }
    if (const auto* unary = ast::as<ast::Unary>(code.expr);
        unary != nullptr && unary->op == ast::UnaryOp::logical_not) {
      return branch(Code(unary->operand, code.frame), target, !when);
    }
    if (const auto* binary = ast::as<ast::Binary>(code.expr)) {
      const bool conjunction = binary->op == ast::BinaryOp::logical_and;
      if (conjunction || (binary->op == ast::BinaryOp::logical_or && is_logical_or(*binary))) {
        const Code left(binary->left, code.frame);
        const Code right(binary->right, code.frame);
        if (conjunction != when) {
          branch(left, target, when);
          branch(right, target, when);
        } else {
          const auto skip = out_->label();
          branch(left, skip, !when);
          branch(right, target, when);
          out_->place(skip);
        }
        return;
      }
      if (is_comparison(binary->op)) return compare_branch(code, *binary, target, when);
    }
  }
  const Reg mark = out_->mark();
  const Reg truth = out_->take();
  present_value(code, truth);
  out_->jump(when ? Opcode::jump_if : Opcode::jump_unless, truth, 0, target, code.span);
  out_->release(mark);
}

void ExpressionCompiler::compare_branch(const Code& code, const ast::Binary& binary, Emitter::Label target,
                                        bool when) {
  const Reg mark = out_->mark();
  const Reg left = out_->take();
  const Reg right = out_->take();
  const bool equality = binary.op == ast::BinaryOp::equal || binary.op == ast::BinaryOp::not_equal;
  if (!equality && is_text(checked_.type(binary.left).kind)) {
    bool negated = false;
    comparison(code, binary, left, negated);
    out_->jump(negated != when ? Opcode::jump_if : Opcode::jump_unless, left, 0, target, code.span);
    out_->release(mark);
    return;
  }
  auto [a, b] = operands(code, binary, left, right);
  if (equality) {
    const bool equal = (binary.op == ast::BinaryOp::equal) == when;
    out_->jump(equal ? Opcode::jump_if_equal : Opcode::jump_unless_equal, left, right, target, code.span);
  } else {
    need(a, left, binary.left->span);
    need(b, right, binary.right->span);
    const bool strict = binary.op == ast::BinaryOp::less || binary.op == ast::BinaryOp::greater_equal;
    const bool negated = binary.op == ast::BinaryOp::greater || binary.op == ast::BinaryOp::greater_equal;
    const bool hit = negated != when;
    const Opcode opcode = strict ? (hit ? Opcode::jump_if_less : Opcode::jump_unless_less)
                                 : (hit ? Opcode::jump_if_less_equal : Opcode::jump_unless_less_equal);
    out_->jump(opcode, left, right, target, code.span);
  }
  out_->release(mark);
}

}  // namespace sluice::lang
