#include "lang/compile_expression.hpp"

#include <utility>

namespace sluice::lang {

using program::Opcode;
using program::ValueKind;

void ExpressionCompiler::loop(ast::ExprPtr collection, const Frame* frame, ast::NodeId variable, Span span,
                              const std::function<void(Reg element, Emitter::Label exit)>& body) {
  const Code elements = resolve(Code(collection, frame));
  const Meaning& meaning = checked_.meaning(elements.expr);
  const CollectionInfo& about = info(meaning.collection);
  const Reg mark = out_->mark();
  const Reg iterator = out_->take_pair();
  const Reg element = out_->take();
  const auto number = static_cast<std::uint32_t>(meaning.collection);
  if (about.owner == kNoTable) {
    out_->emit(Opcode::first_of_world, iterator, 0, 0, number, elements.span);
  } else {
    row(meaning.row, element, elements.span);
    out_->emit(Opcode::first, iterator, element, 0, number, elements.span);
  }
  const auto head = out_->label();
  const auto exit = out_->label();
  out_->place(head);
  out_->iterate(element, iterator, static_cast<Reg>(number), exit, span);
  // The same loop may be around already, through an argument: then its variable comes back afterwards.
  const auto [known, added] = out_->variables.try_emplace(variable, element);
  const Reg outer = std::exchange(known->second, element);
  body(element, exit);
  out_->variables[variable] = outer;
  if (added) out_->variables.erase(variable);
  out_->jump(Opcode::jump, 0, 0, head, span);
  out_->place(exit);
  out_->release(mark);
}

void ExpressionCompiler::each_element(const ast::Aggregate& aggregate, const Code& code,
                                      const std::function<void(Emitter::Label next)>& body) {
  loop(aggregate.collection, code.frame, code.expr->id, code.span, [&](Reg, Emitter::Label) {
    const auto next = out_->label();
    body(next);
    out_->place(next);
  });
}

void ExpressionCompiler::keep_smaller(Shape shape, bool largest, Reg dst, Reg other, Span span) {
  if (shape.kind != ValueKind::text) {
    out_->emit(largest ? Opcode::maximum : Opcode::minimum, dst, dst, other, 0, span);
    return;
  }
  const Reg mark = out_->mark();
  const Reg less = out_->take();
  const auto keep = out_->label();
  out_->emit(Opcode::text_less, less, largest ? dst : other, largest ? other : dst, 0, span);
  out_->jump(Opcode::jump_unless, less, 0, keep, span);
  out_->emit(Opcode::move, dst, other, 0, 0, span);
  out_->place(keep);
  out_->release(mark);
}

Shape ExpressionCompiler::aggregate_value(const Code& code, const ast::Aggregate& aggregate, Reg dst) {
  const Span span = code.span;
  const ValueKind kind = value_kind(checked_.type(code.expr).kind);
  const auto constant_to = [&](Reg reg, ValueKind of, std::int64_t value) {
    out_->emit(Opcode::constant, reg, 0, 0, pool_.constant(of, value), span);
  };
  const bool quantifier =
      aggregate.kind == ast::AggregateKind::any || aggregate.kind == ast::AggregateKind::all;
  const bool extreme = aggregate.kind == ast::AggregateKind::min || aggregate.kind == ast::AggregateKind::max;
  if (quantifier) {
    constant_to(dst, ValueKind::boolean, aggregate.kind == ast::AggregateKind::all ? 1 : 0);
  } else if (extreme) {
    out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(kind, 0), span);
  } else {
    constant_to(dst, kind, 0);
  }
  loop(aggregate.collection, code.frame, code.expr->id, span, [&](Reg, Emitter::Label exit) {
    const Reg mark = out_->mark();
    const auto skip = out_->label();
    if (quantifier) {
      const bool any = aggregate.kind == ast::AggregateKind::any;
      branch(Code(aggregate.filter, code.frame), skip, !any);
      constant_to(dst, ValueKind::boolean, any ? 1 : 0);
      out_->jump(Opcode::jump, 0, 0, exit, span);
      out_->place(skip);
      return;
    }
    if (aggregate.filter != nullptr) branch(Code(aggregate.filter, code.frame), skip, false);
    const Reg value_reg = out_->take();
    if (aggregate.kind == ast::AggregateKind::count) {
      constant_to(value_reg, ValueKind::number, 1);
      out_->emit(Opcode::add, dst, dst, value_reg, 0, span);
    } else {
      const Shape shape = present_value(Code(aggregate.value, code.frame), value_reg);
      if (extreme) {
        const auto first = out_->label();
        const auto done = out_->label();
        out_->jump(Opcode::jump_if_absent, dst, 0, first, span);
        keep_smaller(shape, aggregate.kind == ast::AggregateKind::max, dst, value_reg, span);
        out_->jump(Opcode::jump, 0, 0, done, span);
        out_->place(first);
        out_->emit(Opcode::move, dst, value_reg, 0, 0, span);
        out_->place(done);
      } else {
        out_->emit(Opcode::add, dst, dst, value_reg, 0, span);
      }
    }
    out_->place(skip);
    out_->release(mark);
  });
  return {quantifier ? ValueKind::boolean : kind, extreme};
}

}  // namespace sluice::lang
