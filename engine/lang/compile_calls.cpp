#include "lang/compile_expression.hpp"

#include <string>
#include <utility>

#include "base/time_zone.hpp"

namespace sluice::lang {

using program::Opcode;
using program::ValueKind;

std::uint32_t ExpressionCompiler::zone(const Code& given) {
  const Code code = resolve(given);
  const Constant* known = code.expr == nullptr ? nullptr : constant(code);
  if (known == nullptr) {
    diagnostics_.error("not-constant", code.span, "a time zone must be known before anything is decided")
        .help = "write its name, or use a param: `param zone: string = \"Europe/Paris\"`";
    return pool_.zone("UTC");
  }
  if (!TimeZone::load(known->text)) {
    diagnostics_
        .error("unknown-time-zone", code.span, "there is no time zone `" + std::string(known->text) + "`")
        .help = "names are those of the IANA time zone database: `Europe/Paris`, `UTC`";
    return pool_.zone("UTC");
  }
  return pool_.zone(known->text);
}

Shape ExpressionCompiler::smallest(const Code& code, std::span<const ast::ExprPtr> arguments, bool largest,
                                   Reg dst) {
  Shape shape = present_value(Code(arguments[0], code.frame), dst);
  for (const ast::ExprPtr argument : arguments.subspan(1)) {
    const Reg mark = out_->mark();
    const Reg other = out_->take();
    present_value(Code(argument, code.frame), other);
    keep_smaller(shape, largest, dst, other, code.span);
    out_->release(mark);
  }
  return shape;
}

Shape ExpressionCompiler::builtin_value(const Code& code, const Meaning& meaning, Reg dst) {
  const auto arguments = arguments_of(code.expr);
  const Reg mark = out_->mark();
  const auto argument = [&](std::size_t i) { return Code(arguments[i], code.frame); };
  switch (meaning.builtin) {
    case FunctionId::min:
      return smallest(code, arguments, false, dst);
    case FunctionId::max:
      return smallest(code, arguments, true, dst);
    case FunctionId::abs: {
      const Shape shape = present_value(argument(0), dst);
      out_->emit(Opcode::absolute, dst, dst, 0, 0, code.span);
      return shape;
    }
    case FunctionId::seconds:
    case FunctionId::minutes:
    case FunctionId::hours:
    case FunctionId::days: {
      const auto unit = unit_seconds[static_cast<std::size_t>(meaning.builtin) -
                                     static_cast<std::size_t>(FunctionId::seconds)];
      present_value(argument(0), dst);
      const Reg divisor = out_->take();
      out_->emit(Opcode::constant, divisor, 0, 0, pool_.constant(ValueKind::duration, unit * 1'000'000'000),
                 code.span);
      out_->emit(Opcode::divide_down, dst, dst, divisor, 0, code.span);
      out_->release(mark);
      return {ValueKind::number, false};
    }
    case FunctionId::clock:
    case FunctionId::weekday: {
      const std::uint32_t where = zone(argument(0));
      present_value(arguments.size() > 1 ? argument(1) : Code(code.span), dst);
      const bool is_clock = meaning.builtin == FunctionId::clock;
      out_->emit(is_clock ? Opcode::clock : Opcode::weekday, dst, dst, 0, where, code.span);
      return {is_clock ? ValueKind::time_of_day : ValueKind::weekday, false};
    }
    case FunctionId::next:
      return solve(argument(0), dst);
    case FunctionId::stocked_out:
      present_value(argument(0), dst);
      out_->emit(Opcode::stocked_out, dst, dst, 0, 0, code.span);
      return {ValueKind::boolean, false};
    case FunctionId::stocked_out_since:
      present_value(argument(0), dst);
      out_->emit(Opcode::stocked_out_since, dst, dst, 0, 0, code.span);
      return {ValueKind::instant, true};
  }
  return {};
}

Shape ExpressionCompiler::solve(const Code& condition, Reg dst) {
  Emitter* const outer = out_;
  const auto absent = absent_;
  absent_.reset();
  program::Solver solver;
  const auto finish = [&](auto emit, ValueKind kind, bool maybe) {
    Emitter inner;
    out_ = &inner;
    const Reg result = inner.take();
    emit(result);
    inner.emit(Opcode::result, 0, result, 0, 0, condition.span);
    outer->reads |= inner.reads;
    return pool_.append_shared(inner, kind, maybe, condition.span);
  };
  solver.condition = finish([&](Reg result) { present_value(condition, result); }, ValueKind::boolean, false);
  const std::uint32_t change = finish(
      [&](Reg result) {
        out_->emit(Opcode::absent, result, 0, 0, pool_.constant(ValueKind::instant, 0), condition.span);
        const auto end = out_->label();
        absent_ = end;
        add_changes(condition, result);
        out_->place(end);
      },
      ValueKind::instant, true);
  solver.atoms.push_back({change, condition.span});
  out_ = outer;
  absent_ = absent;
  pool_.program().solvers.push_back(std::move(solver));
  out_->emit(Opcode::solve, dst, 0, 0, static_cast<std::uint32_t>(pool_.program().solvers.size() - 1),
             condition.span);
  return {ValueKind::instant, true};
}

}  // namespace sluice::lang
