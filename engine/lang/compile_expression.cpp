#include "lang/compile_expression.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "base/time_zone.hpp"

namespace sluice::lang {

using program::kNone;
using program::Opcode;
using program::Role;
using program::ValueKind;

program::ValueKind value_kind(Kind kind) {
  switch (kind) {
    case Kind::boolean: return ValueKind::boolean;
    case Kind::percent: return ValueKind::percent;
    case Kind::cpu: return ValueKind::cpu;
    case Kind::memory: return ValueKind::memory;
    case Kind::devices: return ValueKind::devices;
    case Kind::money: return ValueKind::money;
    case Kind::duration: return ValueKind::duration;
    case Kind::instant: return ValueKind::instant;
    case Kind::time_of_day: return ValueKind::time_of_day;
    case Kind::clock_range: return ValueKind::clock_range;
    case Kind::weekday: return ValueKind::weekday;
    case Kind::text:
    case Kind::flavor_name:
    case Kind::queue_name:
    case Kind::cohort_name:
    case Kind::resource_name:
    case Kind::check_name:
    case Kind::level_name: return ValueKind::text;
    case Kind::workload:
    case Kind::name_space:
    case Kind::pod_set:
    case Kind::queue:
    case Kind::flavor:
    case Kind::assignment:
    case Kind::shape:
    case Kind::domain: return ValueKind::row;
    case Kind::error:
    case Kind::none:
    case Kind::number:
    case Kind::labels: break;
  }
  return ValueKind::number;
}

namespace {

Role role_of(Table table) {
  switch (table) {
    case Table::workload: return Role::workload;
    case Table::name_space: return Role::name_space;
    case Table::pod_set: return Role::pod_set;
    case Table::queue: return Role::queue;
    case Table::flavor: return Role::flavor;
    case Table::assignment: return Role::assignment;
    case Table::shape: return Role::shape;
    case Table::domain: return Role::domain;
  }
  return Role::workload;
}

Role role_of(const RowRef& row) { return row.of == RowRef::Of::role ? Role::candidate : role_of(row.table); }

ValueKind field_kind(const FieldInfo& field, std::string_view key) {
  switch (field.type) {
    case FieldType::boolean: return ValueKind::boolean;
    case FieldType::text: return ValueKind::text;
    case FieldType::number: return ValueKind::number;
    case FieldType::amount: return value_kind(kind_of_resource(key));
    case FieldType::duration: return ValueKind::duration;
    case FieldType::instant: return ValueKind::instant;
    case FieldType::money: return ValueKind::money;
  }
  return ValueKind::number;
}

bool is_comparison(ast::BinaryOp op) { return op >= ast::BinaryOp::equal && op <= ast::BinaryOp::greater_equal; }

const std::span<const ast::ExprPtr> no_arguments;

std::span<const ast::ExprPtr> arguments_of(ast::ExprPtr expr) {
  const auto* call = ast::as<ast::Call>(expr);
  return call == nullptr ? no_arguments : call->arguments;
}

constexpr std::array<std::int64_t, 4> unit_seconds = {1, 60, 3600, 86'400};

}  // namespace

// Part: names.

const Frame* ExpressionCompiler::call_frame(const Code& code, const ast::Function& function) {
  const auto [found, added] = calls_.try_emplace({code.expr, code.frame}, nullptr);
  if (!added) return found->second;
  const auto arguments = arguments_of(code.expr);
  Frame frame;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ast::ExprPtr value = i < arguments.size() ? arguments[i] : nullptr;
    frame.arguments.push_back({function.parameters[i].id, value, code.frame});
  }
  frames_.push_back(std::move(frame));
  found->second = &frames_.back();
  return found->second;
}

Code ExpressionCompiler::resolve(Code code) {
  while (code.expr != nullptr && checked_.constant(code.expr) == nullptr) {
    const Meaning& meaning = checked_.meaning(code.expr);
    switch (meaning.what) {
      case Meaning::What::let: {
        const auto let = std::find_if(lets_.begin(), lets_.end(), [&](const ast::Let& l) { return l.id == meaning.node; });
        if (let == lets_.end()) return code;
        code = Code(let->value, nullptr);
        break;
      }
      case Meaning::What::argument: {
        if (code.frame == nullptr) return code;
        const auto& arguments = code.frame->arguments;
        const auto argument = std::find_if(arguments.begin(), arguments.end(), [&](const Frame::Argument& a) { return a.parameter == meaning.node; });
        if (argument == arguments.end()) return code;
        if (argument->value == nullptr) return Code(code.span);
        code = Code(argument->value, argument->frame);
        break;
      }
      case Meaning::What::function: {
        const auto* function = ast::as<ast::Function>(*meaning.declaration);
        const Frame* frame = call_frame(code, *function);
        code = Code(function->body, frame);
        break;
      }
      case Meaning::What::now: return Code(code.span);
      case Meaning::What::until:
        if (until_ == nullptr) return code;
        if (checked_.type(until_).kind == Kind::boolean) return code;  // a search, see named_value
        code = Code(until_, nullptr);
        break;
      case Meaning::What::none:
      case Meaning::What::row:
      case Meaning::What::field:
      case Meaning::What::collection:
      case Meaning::What::builtin:
      case Meaning::What::column: return code;
    }
  }
  return code;
}

bool ExpressionCompiler::is_logical_or(const ast::Binary& binary) const {
  const Type left = checked_.type(binary.left);
  return left.kind == Kind::boolean && !left.optional;
}

void ExpressionCompiler::report_too_large(Span span) {
  diagnostics_.error("too-large", span, "this needs more code than an expression may have").help =
      "functions and `let` are copied where they are used: use them less often, or split the rule";
}

// Part: values.

void ExpressionCompiler::need(Shape& shape, Reg reg, Span span) {
  if (!shape.maybe) return;
  if (absent_) {
    out_->jump(Opcode::jump_if_absent, reg, 0, *absent_, span);
  } else {
    out_->emit(Opcode::need, reg, reg, 0, 0, span);
  }
  shape.maybe = false;
}

Shape ExpressionCompiler::present_value(const Code& code, Reg dst) {
  Shape shape = value(code, dst);
  need(shape, dst, code.span);
  return shape;
}

Shape ExpressionCompiler::load(const Constant& constant, Reg dst, Span span) {
  const ValueKind kind = value_kind(constant.type.kind);
  if (!constant.present) {
    out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(kind, 0), span);
    return {kind, true};
  }
  const std::uint32_t number =
      kind == ValueKind::text ? pool_.text(constant.text) : pool_.constant(kind, constant.value);
  out_->emit(Opcode::constant, dst, 0, 0, number, span);
  return {kind, false};
}

Shape ExpressionCompiler::value(const Code& given, Reg dst) {
  const Code code = resolve(given);
  if (code.expr == nullptr) {
    out_->emit(Opcode::now, dst, 0, 0, 0, code.span);
    return {ValueKind::instant, false};
  }
  if (const Constant* known = constant(code)) return load(*known, dst, code.span);
  const ast::Expr& expr = *code.expr;
  if (const auto* unary = ast::as<ast::Unary>(&expr)) {
    if (unary->op == ast::UnaryOp::logical_not) return truth_value(code, dst);
    if (unary->op == ast::UnaryOp::has) {
      const Reg mark = out_->mark();
      const Reg operand = out_->take();
      value(Code(unary->operand, code.frame), operand);
      out_->emit(Opcode::has, dst, operand, 0, 0, expr.span);
      out_->release(mark);
      return {ValueKind::boolean, false};
    }
    Shape shape = present_value(Code(unary->operand, code.frame), dst);
    out_->emit(Opcode::negate, dst, dst, 0, 0, expr.span);
    return shape;
  }
  if (const auto* binary = ast::as<ast::Binary>(&expr)) return binary_value(code, *binary, dst);
  if (const auto* conditional = ast::as<ast::Conditional>(&expr)) return conditional_value(code, *conditional, dst);
  if (const auto* aggregate = ast::as<ast::Aggregate>(&expr)) return aggregate_value(code, *aggregate, dst);
  return named_value(code, dst);
}

Shape ExpressionCompiler::named_value(const Code& code, Reg dst) {
  const Meaning& meaning = checked_.meaning(code.expr);
  switch (meaning.what) {
    case Meaning::What::row: row(meaning.row, dst, code.span); return {ValueKind::row, false};
    case Meaning::What::field: return field_value(meaning, dst, code.span);
    case Meaning::What::builtin: return builtin_value(code, meaning, dst);
    case Meaning::What::until:
      if (until_ != nullptr) return solve(Code(until_, nullptr), dst);
      break;
    case Meaning::What::none:
    case Meaning::What::collection:
    case Meaning::What::function:
    case Meaning::What::let:
    case Meaning::What::argument:
    case Meaning::What::column:
    case Meaning::What::now: break;
  }
  diagnostics_.error("not-decided", code.span, "this expression cannot be evaluated here");
  const ValueKind kind = value_kind(checked_.type(code.expr).kind);
  out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(kind == ValueKind::row ? ValueKind::number : kind, 0), code.span);
  return {kind == ValueKind::row ? ValueKind::number : kind, true};
}

void ExpressionCompiler::row(const RowRef& row, Reg dst, Span span) {
  if (row.of != RowRef::Of::variable) {
    out_->emit(Opcode::role, dst, static_cast<Reg>(role_of(row)), 0, 0, span);
    return;
  }
  const auto variable = out_->variables.find(row.variable);
  if (variable == out_->variables.end()) {
    diagnostics_.error("not-decided", span, "`next` cannot look at an element of a collection").help =
        "compare the time itself: `clock(zone, t) in 08:00..20:00`";
    out_->emit(Opcode::role, dst, static_cast<Reg>(role_of(row.table)), 0, 0, span);
    return;
  }
  out_->emit(Opcode::move, dst, variable->second, 0, 0, span);
}

Shape ExpressionCompiler::field_value(const Meaning& meaning, Reg dst, Span span) {
  // What grows with time is computed from an instant that stands still.
  if (meaning.field == FieldId::workload_waited || meaning.field == FieldId::workload_remaining) {
    const bool waited = meaning.field == FieldId::workload_waited;
    Meaning source = meaning;
    source.field = waited ? FieldId::workload_created : FieldId::workload_ends;
    const Reg mark = out_->mark();
    const Reg instant = out_->take();
    const Reg now = out_->take();
    const Shape shape = field_value(source, instant, span);
    const auto end = out_->label();
    const auto absent = out_->label();
    if (shape.maybe) out_->jump(Opcode::jump_if_absent, instant, 0, absent, span);
    out_->emit(Opcode::now, now, 0, 0, 0, span);
    out_->emit(Opcode::elapsed, dst, waited ? now : instant, waited ? instant : now, 0, span);
    if (shape.maybe) {
      out_->jump(Opcode::jump, 0, 0, end, span);
      out_->place(absent);
      out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(ValueKind::duration, 0), span);
      out_->place(end);
    }
    out_->release(mark);
    return {ValueKind::duration, shape.maybe};
  }
  const FieldInfo& field = info(meaning.field);
  const std::uint32_t column = pool_.column(meaning.field, meaning.key);
  const Shape shape{field_kind(field, meaning.key), field.presence == Presence::optional};
  if (meaning.row.of != RowRef::Of::variable) {
    out_->emit(Opcode::role_field, dst, static_cast<Reg>(role_of(meaning.row)), 0, column, span);
    return shape;
  }
  const auto variable = out_->variables.find(meaning.row.variable);
  if (variable != out_->variables.end()) {
    out_->emit(Opcode::field, dst, variable->second, 0, column, span);
    return shape;
  }
  const Reg mark = out_->mark();
  const Reg owner = out_->take();
  row(meaning.row, owner, span);  // reports
  out_->emit(Opcode::field, dst, owner, 0, column, span);
  out_->release(mark);
  return shape;
}

std::uint32_t ExpressionCompiler::zone(const Code& given) {
  const Code code = resolve(given);
  const Constant* known = code.expr == nullptr ? nullptr : constant(code);
  if (known == nullptr) {
    diagnostics_.error("not-constant", code.span, "a time zone must be known before anything is decided").help =
        "write its name, or use a param: `param zone: string = \"Europe/Paris\"`";
    return pool_.zone("UTC");
  }
  if (!TimeZone::load(known->text)) {
    diagnostics_.error("unknown-time-zone", code.span, "there is no time zone `" + std::string(known->text) + "`").help =
        "names are those of the IANA time zone database: `Europe/Paris`, `UTC`";
    return pool_.zone("UTC");
  }
  return pool_.zone(known->text);
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
  out_->emit(Opcode::solve, dst, 0, 0, static_cast<std::uint32_t>(pool_.program().solvers.size() - 1), condition.span);
  return {ValueKind::instant, true};
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

Shape ExpressionCompiler::smallest(const Code& code, std::span<const ast::ExprPtr> arguments, bool largest, Reg dst) {
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
    case FunctionId::min: return smallest(code, arguments, false, dst);
    case FunctionId::max: return smallest(code, arguments, true, dst);
    case FunctionId::abs: {
      const Shape shape = present_value(argument(0), dst);
      out_->emit(Opcode::absolute, dst, dst, 0, 0, code.span);
      return shape;
    }
    case FunctionId::seconds:
    case FunctionId::minutes:
    case FunctionId::hours:
    case FunctionId::days: {
      const auto unit = unit_seconds[static_cast<std::size_t>(meaning.builtin) - static_cast<std::size_t>(FunctionId::seconds)];
      present_value(argument(0), dst);
      const Reg divisor = out_->take();
      out_->emit(Opcode::constant, divisor, 0, 0, pool_.constant(ValueKind::duration, unit * 1'000'000'000), code.span);
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
    case FunctionId::next: return solve(argument(0), dst);
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

Shape ExpressionCompiler::binary_value(const Code& code, const ast::Binary& binary, Reg dst) {
  switch (binary.op) {
    case ast::BinaryOp::logical_or:
      if (!is_logical_or(binary)) return default_value(code, binary, dst);
      return truth_value(code, dst);
    case ast::BinaryOp::logical_and: return truth_value(code, dst);
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
    case ast::BinaryOp::in: return membership(code, binary, dst);
    case ast::BinaryOp::matches: {
      value(Code(binary.left, code.frame), dst);
      const Code pattern = resolve(Code(binary.right, code.frame));
      const Constant* known = pattern.expr == nullptr ? nullptr : constant(pattern);
      std::uint32_t number = pool_.pattern("");
      if (known == nullptr) {
        diagnostics_.error("constant-key", pattern.span, "a pattern must be known before anything is decided");
      } else {
        number = pool_.pattern(known->text);  // the checker has tried it
      }
      out_->emit(Opcode::matches, dst, dst, 0, number, code.span);
      return {ValueKind::boolean, false};
    }
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide: return arithmetic(code, binary, dst);
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

std::pair<Shape, Shape> ExpressionCompiler::operands(const Code& code, const ast::Binary& binary, Reg left, Reg right) {
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
      list.values.push_back(shape.kind == ValueKind::text ? static_cast<std::int64_t>(pool_.program().texts.intern(item.text)) : item.value);
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
    out_->emit(Opcode::constant, other, 0, 0, pool_.constant(ValueKind::clock_range, program::pack_range(packed->first, packed->second)), right.span);
    out_->emit(Opcode::in_range, dst, left, other, 0, code.span);
  } else if (range != nullptr && shape.kind == ValueKind::time_of_day) {
    // Ends that are only known while deciding are packed as program::pack_range does.
    const Reg shift = out_->take();
    present_value(Code(range->from, right.frame), other);
    out_->emit(Opcode::constant, shift, 0, 0, pool_.constant(ValueKind::number, std::int64_t{1} << 32), right.span);
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

template <class Body>
void ExpressionCompiler::loop(ast::ExprPtr collection, const Frame* frame, ast::NodeId variable, Span span, Body body) {
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

Shape ExpressionCompiler::aggregate_value(const Code& code, const ast::Aggregate& aggregate, Reg dst) {
  const Span span = code.span;
  const ValueKind kind = value_kind(checked_.type(code.expr).kind);
  const auto constant_to = [&](Reg reg, ValueKind of, std::int64_t value) {
    out_->emit(Opcode::constant, reg, 0, 0, pool_.constant(of, value), span);
  };
  const bool quantifier = aggregate.kind == ast::AggregateKind::any || aggregate.kind == ast::AggregateKind::all;
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

// Part: branches.

void ExpressionCompiler::branch(const Code& given, Emitter::Label target, bool when) {
  const Code code = resolve(given);
  if (code.expr != nullptr) {
    if (const Constant* known = constant(code)) {
      if ((known->value != 0) == when) out_->jump(Opcode::jump, 0, 0, target, code.span);
      return;
    }
    if (const auto* unary = ast::as<ast::Unary>(code.expr); unary != nullptr && unary->op == ast::UnaryOp::logical_not) {
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

void ExpressionCompiler::compare_branch(const Code& code, const ast::Binary& binary, Emitter::Label target, bool when) {
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

// Part: chunks.

namespace {

/// Gives back the emitter before, whatever happens.
class Writing {
 public:
  Writing(Emitter*& out, Emitter& emitter) : out_(out), before_(out) { out_ = &emitter; }
  ~Writing() { out_ = before_; }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  Emitter*& out_;
  Emitter* before_;
};

}  // namespace

std::uint32_t ExpressionCompiler::chunk(ast::ExprPtr expr, bool as_instant) {
  Emitter emitter;
  const Writing writing(out_, emitter);
  const Reg result = emitter.take();
  const Code code(expr, nullptr);
  const Shape shape = as_instant && checked_.type(expr).kind == Kind::boolean ? solve(code, result) : value(code, result);
  emitter.emit(Opcode::result, 0, result, 0, 0, expr->span);
  return pool_.append(emitter, shape.kind, shape.maybe, expr->span);
}

std::uint32_t ExpressionCompiler::first_chunk(const ast::InvariantClause& clause) {
  Emitter emitter;
  const Writing writing(out_, emitter);
  const Reg result = emitter.take();
  const Meaning& meaning = checked_.meaning(clause.collection);
  const auto table = static_cast<std::int64_t>(info(meaning.collection).element);
  emitter.emit(Opcode::absent, result, 0, 0, pool_.constant(ValueKind::row, table), clause.span);
  loop(clause.collection, nullptr, clause.id, clause.span, [&](Reg element, Emitter::Label exit) {
    const auto skip = emitter.label();
    if (clause.filter != nullptr) branch(Code(clause.filter, nullptr), skip, false);
    branch(Code(clause.condition, nullptr), skip, clause.always);
    emitter.emit(Opcode::move, result, element, 0, 0, clause.span);
    emitter.jump(Opcode::jump, 0, 0, exit, clause.span);
    emitter.place(skip);
  });
  emitter.emit(Opcode::result, 0, result, 0, 0, clause.span);
  return pool_.append(emitter, ValueKind::row, true, clause.span);
}

ExpressionCompiler::Atom ExpressionCompiler::atom(const Code& given) {
  Atom atom;
  const Code code = resolve(given);
  Emitter emitter;
  std::uint32_t chunk = kNone;
  {
    const Writing writing(out_, emitter);
    const Reg result = emitter.take();
    const auto* binary = ast::as<ast::Binary>(code.expr);
    if (binary != nullptr && is_comparison(binary->op)) {
      comparison(code, *binary, result, atom.negated);
    } else {
      present_value(code, result);
    }
    emitter.emit(Opcode::result, 0, result, 0, 0, code.span);
    chunk = pool_.append_shared(emitter, ValueKind::boolean, false, code.span);
  }
  atom.spans = emitter.spans();
  program::Program& program = pool_.program();
  const auto [found, added] = predicate_of_chunk_.try_emplace(chunk, static_cast<std::uint32_t>(program.predicates.size()));
  if (added) {
    if (program.predicates.size() >= 0xffff) throw TooLarge{};
    program::Predicate predicate;
    predicate.chunk = chunk;
    const program::Chunk& about = program.chunks[chunk];
    for (std::uint32_t at = about.begin; at < about.end; ++at) {
      const Opcode opcode = program.code[at].opcode;
      predicate.loops = predicate.loops || opcode == Opcode::iterate || opcode == Opcode::solve;
      predicate.faults = predicate.faults || program::can_fault(opcode);
    }
    program.predicates.push_back(predicate);
  }
  atom.predicate = found->second;
  atom.change = change(code);
  return atom;
}

std::optional<program::TimeAtom> ExpressionCompiler::change(const Code& code) {
  if (!moves(code)) return std::nullopt;
  Emitter emitter;
  const Writing writing(out_, emitter);
  const Reg earliest = emitter.take();
  emitter.emit(Opcode::absent, earliest, 0, 0, pool_.constant(ValueKind::instant, 0), code.span);
  const auto end = emitter.label();
  absent_ = end;
  add_changes(code, earliest);
  absent_.reset();
  emitter.place(end);
  emitter.emit(Opcode::result, 0, earliest, 0, 0, code.span);
  return program::TimeAtom{pool_.append_shared(emitter, ValueKind::instant, true, code.span), code.span};
}

}  // namespace sluice::lang
