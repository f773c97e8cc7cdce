#include "tree_evaluator.hpp"

#include <algorithm>
#include <limits>

#include "base/pattern.hpp"
#include "base/time_zone.hpp"

namespace sluice::test {

namespace ast = lang::ast;
using lang::Kind;
using lang::Meaning;
using program::FaultKind;

namespace {

TreeValue number(std::int64_t value) { return {true, value, {}}; }
TreeValue absent() { return {false, 0, {}}; }

__extension__ typedef __int128 Wide;

std::int64_t fit(Wide value, Span span) {
  if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max()) {
    throw TreeFault{FaultKind::overflow, span};
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t saturate(Wide value) {
  return static_cast<std::int64_t>(std::clamp<Wide>(value, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

TreeValue of_constant(const lang::Constant& constant) {
  if (!constant.present) return absent();
  if (lang::is_text(constant.type.kind)) return {true, 0, std::string(constant.text)};
  return number(constant.value);
}

/// -1, 0, 1; texts by bytes.
int order(const TreeValue& a, const TreeValue& b) {
  if (a.text != b.text) return a.text < b.text ? -1 : 1;
  return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  std::int64_t q = a / b;
  while (static_cast<Wide>(q) * b > a) --q;
  return q;
}

program::Role role_of(Table table) {
  switch (table) {
    case Table::workload: return program::Role::workload;
    case Table::name_space: return program::Role::name_space;
    case Table::pod_set: return program::Role::pod_set;
    case Table::queue: return program::Role::queue;
    case Table::flavor: return program::Role::flavor;
    case Table::assignment: return program::Role::assignment;
    case Table::shape: return program::Role::shape;
    case Table::domain: return program::Role::domain;
  }
  return program::Role::workload;
}

}  // namespace

TreeValue TreeEvaluator::value(ast::ExprPtr expr) { return eval(expr, nullptr); }

TreeValue TreeEvaluator::present(ast::ExprPtr expr, const Call* call) {
  TreeValue value = eval(expr, call);
  if (!value.present) throw TreeFault{FaultKind::absent_value, expr->span};
  return value;
}

TreeValue TreeEvaluator::eval(ast::ExprPtr expr, const Call* call) {
  if (const lang::Constant* constant = checked_.constant(expr)) return of_constant(*constant);
  if (const auto* unary = ast::as<ast::Unary>(expr)) {
    switch (unary->op) {
      case ast::UnaryOp::logical_not: return number(present(unary->operand, call).number == 0 ? 1 : 0);
      case ast::UnaryOp::negate: return number(fit(-static_cast<Wide>(present(unary->operand, call).number), expr->span));
      case ast::UnaryOp::has: return number(eval(unary->operand, call).present ? 1 : 0);
    }
  }
  if (const auto* operation = ast::as<ast::Binary>(expr)) return binary(expr, *operation, call);
  if (const auto* conditional = ast::as<ast::Conditional>(expr)) {
    return eval(present(conditional->condition, call).number != 0 ? conditional->yes : conditional->no, call);
  }
  if (const auto* fold = ast::as<ast::Aggregate>(expr)) return aggregate(expr, *fold, call);
  return named(expr, call);
}

TreeValue TreeEvaluator::named(ast::ExprPtr expr, const Call* call) {
  const Meaning& meaning = checked_.meaning(expr);
  switch (meaning.what) {
    case Meaning::What::now: return number(now_.ns);
    case Meaning::What::row: return number(row(meaning.row));
    case Meaning::What::field: return field(meaning);
    case Meaning::What::builtin: return builtin(expr, meaning, call);
    case Meaning::What::let:
      for (const ast::Let& let : lets_) {
        if (let.id == meaning.node) return eval(let.value, nullptr);
      }
      break;
    case Meaning::What::argument: {
      const ast::ExprPtr argument = call->arguments.at(meaning.node);
      return argument == nullptr ? number(now_.ns) : eval(argument, call->outer);
    }
    case Meaning::What::function: {
      const auto* function = ast::as<ast::Function>(*meaning.declaration);
      const auto* written = ast::as<ast::Call>(expr);
      Call inner;
      inner.outer = call;
      for (std::size_t i = 0; i < function->parameters.size(); ++i) {
        inner.arguments[function->parameters[i].id] = written == nullptr ? nullptr : written->arguments[i];
      }
      return eval(function->body, &inner);
    }
    case Meaning::What::none:
    case Meaning::What::collection:
    case Meaning::What::column:
    case Meaning::What::until: break;
  }
  throw std::logic_error("no meaning");
}

std::uint32_t TreeEvaluator::row(const lang::RowRef& row) const {
  switch (row.of) {
    case lang::RowRef::Of::variable: return variables_.at(row.variable);
    case lang::RowRef::Of::role: return rows_.roles.at(program::Role::candidate);
    case lang::RowRef::Of::table:
    case lang::RowRef::Of::none: break;
  }
  return rows_.roles.at(role_of(row.table));
}

TreeValue TreeEvaluator::field(const Meaning& meaning) {
  const std::uint32_t at = row(meaning.row);
  if (meaning.field == FieldId::workload_waited) {
    return number(saturate(static_cast<Wide>(now_.ns) - rows_.cell(FieldId::workload_created, {}, at).number));
  }
  if (meaning.field == FieldId::workload_remaining) {
    const TreeValue ends = rows_.cell(FieldId::workload_ends, {}, at);
    return ends.present ? number(saturate(static_cast<Wide>(ends.number) - now_.ns)) : absent();
  }
  return rows_.cell(meaning.field, meaning.key, at);
}

TreeValue TreeEvaluator::builtin(ast::ExprPtr expr, const Meaning& meaning, const Call* call) {
  const auto arguments = ast::as<ast::Call>(expr)->arguments;
  const auto zone = [&] { return TimeZone::load(present(arguments[0], call).text); };
  const auto instant = [&] { return arguments.size() > 1 ? Instant{present(arguments[1], call).number} : now_; };
  const auto units = [&](std::int64_t seconds) {
    return number(floor_divide(present(arguments[0], call).number, seconds * 1'000'000'000));
  };
  switch (meaning.builtin) {
    case FunctionId::min:
    case FunctionId::max: {
      TreeValue best = present(arguments[0], call);
      for (const ast::ExprPtr argument : arguments.subspan(1)) {
        const TreeValue other = present(argument, call);
        if (meaning.builtin == FunctionId::min ? order(other, best) < 0 : order(other, best) > 0) best = other;
      }
      return best;
    }
    case FunctionId::abs: {
      const Wide value = present(arguments[0], call).number;
      return number(fit(value < 0 ? -value : value, expr->span));
    }
    case FunctionId::seconds: return units(1);
    case FunctionId::minutes: return units(60);
    case FunctionId::hours: return units(3600);
    case FunctionId::days: return units(86'400);
    case FunctionId::clock: return number(zone()->second_of_day(instant()));
    case FunctionId::weekday: return number(zone()->weekday(instant()));
    case FunctionId::next: {
      // Minute by minute: what the tests write changes at whole minutes of the instants they use.
      const Instant start = now_;
      const auto back = [&](TreeValue answer) {
        now_ = start;
        return answer;
      };
      for (Instant t = start; t < start + Duration::seconds(9 * 86'400);) {
        now_ = t;
        if (present(arguments[0], call).number != 0) return back(number(t.ns));
        t = Instant{(floor_divide(t.ns, 60'000'000'000) + 1) * 60'000'000'000};
      }
      return back(absent());
    }
    case FunctionId::stocked_out: return number(rows_.stock_outs.count(present(arguments[0], call).text) != 0 ? 1 : 0);
    case FunctionId::stocked_out_since: {
      const auto found = rows_.stock_outs.find(present(arguments[0], call).text);
      return found == rows_.stock_outs.end() ? absent() : number(found->second);
    }
  }
  throw std::logic_error("no such function");
}

TreeValue TreeEvaluator::in(const ast::Binary& binary, const Call* call) {
  const TreeValue left = eval(binary.left, call);
  if (!left.present) return number(0);
  if (const lang::Constant* list = checked_.constant(binary.right)) {
    return number(std::any_of(list->items.begin(), list->items.end(), [&](const lang::Constant& item) { return of_constant(item) == left; }) ? 1 : 0);
  }
  if (const auto* list = ast::as<ast::List>(binary.right)) {
    for (const ast::ExprPtr item : list->items) {
      if (present(item, call) == left) return number(1);
    }
    return number(0);
  }
  const auto* range = ast::as<ast::Range>(binary.right);
  const std::int64_t from = present(range->from, call).number;
  if (checked_.type(binary.left).kind == Kind::time_of_day) {
    const std::int64_t to = present(range->to, call).number;
    const bool inside = from <= to ? left.number >= from && left.number < to : left.number >= from || left.number < to;
    return number(inside ? 1 : 0);
  }
  if (left.number < from) return number(0);
  return number(left.number < present(range->to, call).number ? 1 : 0);
}

TreeValue TreeEvaluator::binary(ast::ExprPtr expr, const ast::Binary& binary, const Call* call) {
  const auto truth = [](bool value) { return number(value ? 1 : 0); };
  switch (binary.op) {
    case ast::BinaryOp::logical_and:
      return truth(present(binary.left, call).number != 0 && present(binary.right, call).number != 0);
    case ast::BinaryOp::logical_or: {
      const lang::Type left = checked_.type(binary.left);
      if (left.kind == Kind::boolean && !left.optional) {
        return truth(present(binary.left, call).number != 0 || present(binary.right, call).number != 0);
      }
      const TreeValue value = eval(binary.left, call);
      return value.present ? value : eval(binary.right, call);
    }
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal: {
      const TreeValue left = eval(binary.left, call);
      const TreeValue right = eval(binary.right, call);
      const bool same = left.present == right.present && (!left.present || left == right);
      return truth(same == (binary.op == ast::BinaryOp::equal));
    }
    case ast::BinaryOp::less:
    case ast::BinaryOp::less_equal:
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal: {
      const TreeValue left = present(binary.left, call);
      const int compared = order(left, present(binary.right, call));
      if (binary.op == ast::BinaryOp::less) return truth(compared < 0);
      if (binary.op == ast::BinaryOp::less_equal) return truth(compared <= 0);
      if (binary.op == ast::BinaryOp::greater) return truth(compared > 0);
      return truth(compared >= 0);
    }
    case ast::BinaryOp::in: return in(binary, call);
    case ast::BinaryOp::matches: {
      const TreeValue text = eval(binary.left, call);
      const auto pattern = Pattern::compile(present(binary.right, call).text);
      return truth(text.present && std::get<Pattern>(pattern).is_found_in(text.text));
    }
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide: break;
  }
  const Wide a = present(binary.left, call).number;
  const Wide b = present(binary.right, call).number;
  switch (binary.op) {
    case ast::BinaryOp::add: return number(fit(a + b, expr->span));
    case ast::BinaryOp::subtract: return number(fit(a - b, expr->span));
    case ast::BinaryOp::multiply: {
      const bool percent = checked_.type(binary.left).kind == Kind::percent || checked_.type(binary.right).kind == Kind::percent;
      return number(fit(percent ? a * b / 1'000'000 : a * b, expr->span));
    }
    default: break;
  }
  if (b == 0) throw TreeFault{FaultKind::division_by_zero, expr->span};
  return number(fit(a / b, expr->span));
}

TreeValue TreeEvaluator::aggregate(ast::ExprPtr expr, const ast::Aggregate& aggregate, const Call* call) {
  const Meaning& meaning = checked_.meaning(aggregate.collection);
  const bool of_world = info(meaning.collection).owner == kNoTable;
  const auto elements = rows_.elements(meaning.collection, of_world ? 0 : row(meaning.row));
  std::int64_t total = 0;
  std::optional<TreeValue> best;
  for (const std::uint32_t element : elements) {
    variables_[expr->id] = element;
    const bool passes = aggregate.filter == nullptr || present(aggregate.filter, call).number != 0;
    switch (aggregate.kind) {
      case ast::AggregateKind::any:
        if (passes) return number(1);
        break;
      case ast::AggregateKind::all:
        if (!passes) return number(0);
        break;
      case ast::AggregateKind::count: total += passes ? 1 : 0; break;
      case ast::AggregateKind::sum:
        if (passes) total = fit(static_cast<Wide>(total) + present(aggregate.value, call).number, expr->span);
        break;
      case ast::AggregateKind::min:
      case ast::AggregateKind::max:
        if (passes) {
          const TreeValue value = present(aggregate.value, call);
          const bool better = !best || (aggregate.kind == ast::AggregateKind::min ? order(value, *best) < 0 : order(value, *best) > 0);
          if (better) best = value;
        }
        break;
    }
  }
  switch (aggregate.kind) {
    case ast::AggregateKind::any: return number(0);
    case ast::AggregateKind::all: return number(1);
    case ast::AggregateKind::count:
    case ast::AggregateKind::sum: return number(total);
    case ast::AggregateKind::min:
    case ast::AggregateKind::max: break;
  }
  return best ? *best : absent();
}

}  // namespace sluice::test
