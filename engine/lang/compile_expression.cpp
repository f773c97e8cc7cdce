#include "lang/compile_expression.hpp"

#include <algorithm>
#include <utility>

#include "base/time_zone.hpp"

namespace sluice::lang {

using program::kNone;
using program::Opcode;
using program::Role;
using program::ValueKind;

program::ValueKind value_kind(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return ValueKind::boolean;
    case Kind::percent:
      return ValueKind::percent;
    case Kind::cpu:
      return ValueKind::cpu;
    case Kind::memory:
      return ValueKind::memory;
    case Kind::devices:
      return ValueKind::devices;
    case Kind::money:
      return ValueKind::money;
    case Kind::duration:
      return ValueKind::duration;
    case Kind::instant:
      return ValueKind::instant;
    case Kind::time_of_day:
      return ValueKind::time_of_day;
    case Kind::clock_range:
      return ValueKind::clock_range;
    case Kind::weekday:
      return ValueKind::weekday;
    case Kind::text:
    case Kind::flavor_name:
    case Kind::queue_name:
    case Kind::cohort_name:
    case Kind::resource_name:
    case Kind::check_name:
    case Kind::level_name:
      return ValueKind::text;
    case Kind::workload:
    case Kind::name_space:
    case Kind::pod_set:
    case Kind::queue:
    case Kind::flavor:
    case Kind::assignment:
    case Kind::shape:
    case Kind::domain:
      return ValueKind::row;
    case Kind::error:
    case Kind::none:
    case Kind::number:
    case Kind::labels:
      break;
  }
  return ValueKind::number;
}

namespace {

Role role_of(Table table) {
  switch (table) {
    case Table::workload:
      return Role::workload;
    case Table::name_space:
      return Role::name_space;
    case Table::pod_set:
      return Role::pod_set;
    case Table::queue:
      return Role::queue;
    case Table::flavor:
      return Role::flavor;
    case Table::assignment:
      return Role::assignment;
    case Table::shape:
      return Role::shape;
    case Table::domain:
      return Role::domain;
  }
  return Role::workload;
}

Role role_of(const RowRef& row) {
  return row.of == RowRef::Of::role ? Role::candidate : role_of(row.table);
}

ValueKind field_kind(const FieldInfo& field, std::string_view key) {
  switch (field.type) {
    case FieldType::boolean:
      return ValueKind::boolean;
    case FieldType::text:
      return ValueKind::text;
    case FieldType::number:
      return ValueKind::number;
    case FieldType::amount:
      return value_kind(kind_of_resource(key));
    case FieldType::duration:
      return ValueKind::duration;
    case FieldType::instant:
      return ValueKind::instant;
    case FieldType::money:
      return ValueKind::money;
  }
  return ValueKind::number;
}

}  // namespace

std::span<const ast::ExprPtr> arguments_of(ast::ExprPtr expr) {
  const auto* call = ast::as<ast::Call>(expr);
  return call == nullptr ? std::span<const ast::ExprPtr>() : call->arguments;
}

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
        const auto let =
            std::find_if(lets_.begin(), lets_.end(), [&](const ast::Let& l) { return l.id == meaning.node; });
        if (let == lets_.end()) return code;
        code = Code(let->value, nullptr);
        break;
      }
      case Meaning::What::argument: {
        if (code.frame == nullptr) return code;
        const auto& arguments = code.frame->arguments;
        const auto argument = std::find_if(arguments.begin(), arguments.end(), [&](const Frame::Argument& a) {
          return a.parameter == meaning.node;
        });
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
      case Meaning::What::now:
        return Code(code.span);
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
      case Meaning::What::column:
        return code;
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
  if (const auto* conditional = ast::as<ast::Conditional>(&expr))
    return conditional_value(code, *conditional, dst);
  if (const auto* aggregate = ast::as<ast::Aggregate>(&expr)) return aggregate_value(code, *aggregate, dst);
  return named_value(code, dst);
}

Shape ExpressionCompiler::named_value(const Code& code, Reg dst) {
  const Meaning& meaning = checked_.meaning(code.expr);
  switch (meaning.what) {
    case Meaning::What::row:
      row(meaning.row, dst, code.span);
      return {ValueKind::row, false};
    case Meaning::What::field:
      return field_value(meaning, dst, code.span);
    case Meaning::What::builtin:
      return builtin_value(code, meaning, dst);
    case Meaning::What::until:
      if (until_ != nullptr) return solve(Code(until_, nullptr), dst);
      break;
    case Meaning::What::none:
    case Meaning::What::collection:
    case Meaning::What::function:
    case Meaning::What::let:
    case Meaning::What::argument:
    case Meaning::What::column:
    case Meaning::What::now:
      break;
  }
  diagnostics_.error("not-decided", code.span, "this expression cannot be evaluated here");
  const ValueKind kind = value_kind(checked_.type(code.expr).kind);
  out_->emit(Opcode::absent, dst, 0, 0, pool_.constant(kind == ValueKind::row ? ValueKind::number : kind, 0),
             code.span);
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
  const Shape shape =
      as_instant && checked_.type(expr).kind == Kind::boolean ? solve(code, result) : value(code, result);
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
  const auto [found, added] =
      predicate_of_chunk_.try_emplace(chunk, static_cast<std::uint32_t>(program.predicates.size()));
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
