#include "tools/test_value.hpp"

#include <fmt/format.h>

#include "lang/literal.hpp"
#include "report/source_text.hpp"

namespace sluice::tools {
namespace {

namespace ast = lang::ast;

Error undecided(const lang::Policy& policy, ast::ExprPtr expr) {
  return error_at(policy, expr->span, "not-yet-decided", "this expression is not decided in tests yet");
}

TestValue value_of(const lang::Constant& constant) {
  return {constant.type.kind, constant.value, std::string(constant.text)};
}

TestValue value_of(const ast::Literal& literal) {
  using Literal = ast::LiteralKind;
  if (literal.kind == Literal::string) return {lang::Kind::text, 0, std::string(literal.text)};
  if (literal.kind == Literal::boolean) return {lang::Kind::boolean, literal.text == "true" ? 1 : 0, {}};
  lang::Kind kind = lang::natural_kind(literal.text);
  return {kind, lang::read_literal(literal.text, kind).value, std::string(literal.text)};
}

TestValue calculated(const ast::Binary& binary, const TestValue& left, const TestValue& right,
                     bool& overflow) {
  TestValue result;
  result.kind = left.kind == lang::Kind::number ? right.kind : left.kind;
  switch (binary.op) {
    case ast::BinaryOp::add:
      overflow = __builtin_add_overflow(left.number, right.number, &result.number);
      break;
    case ast::BinaryOp::subtract:
      overflow = __builtin_sub_overflow(left.number, right.number, &result.number);
      break;
    case ast::BinaryOp::multiply:
      overflow = __builtin_mul_overflow(left.number, right.number, &result.number);
      break;
    case ast::BinaryOp::divide:
      overflow = right.number == 0 || (right.number == -1 && left.number == INT64_MIN);
      if (!overflow) result.number = left.number / right.number;
      break;
    default:
      overflow = true;
  }
  return result;
}

}  // namespace

const ast::Table::Cell* TestRow::cell(std::string_view column) const {
  if (table == nullptr) return nullptr;
  for (std::size_t i = 0; i < table->columns.size() && i < row->cells.size(); ++i) {
    if (table->columns[i].text == column) return &row->cells[i];
  }
  return nullptr;
}

Error error_at(const lang::Policy& policy, Span span, std::string code, std::string message) {
  std::string_view text = policy.sources.text(span.source);
  std::string_view line = report::line_at(text, span.begin);
  auto begin = static_cast<std::uint32_t>(line.data() - text.data());
  Error error(std::move(code), std::move(message));
  error.at(std::string(policy.sources.path(span.source)), report::place_of(text, span.begin).line,
           span.begin - begin + 1, std::string(line));
  return error;
}

TestValue test_value(ast::ExprPtr expr, const lang::Policy& policy, const TestRow& row) {
  if (const auto* name = ast::as<ast::NameRef>(expr)) {
    if (const ast::Table::Cell* cell = row.cell(name->text))
      return test_value(cell->value, policy, TestRow());
  }
  if (const lang::Constant* constant = policy.checked.constant(expr)) return value_of(*constant);
  if (const auto* literal = ast::as<ast::Literal>(expr)) return value_of(*literal);
  if (ast::is_dotted_name(expr)) return {lang::Kind::text, 0, std::string(policy.sources.text(expr->span))};
  if (const auto* unary = ast::as<ast::Unary>(expr); unary != nullptr && unary->op == ast::UnaryOp::negate) {
    TestValue value = test_value(unary->operand, policy, row);
    value.number = -value.number;
    return value;
  }
  if (const auto* binary = ast::as<ast::Binary>(expr)) {
    bool overflow = false;
    TestValue value = calculated(*binary, test_value(binary->left, policy, row),
                                 test_value(binary->right, policy, row), overflow);
    if (!overflow) return value;
  }
  throw undecided(policy, expr);
}

Quantity test_quantity(ast::ExprPtr expr, std::string_view resource, const lang::Policy& policy,
                       const TestRow& row) {
  lang::Kind kind = lang::kind_of_resource(resource);
  const auto* literal = ast::as<ast::Literal>(expr);
  if (literal != nullptr && policy.checked.constant(expr) == nullptr) {
    std::int64_t value = lang::read_literal(literal->text, kind).value;
    return kind == lang::Kind::cpu ? Quantity::from_milli(value) : Quantity::from_units(value);
  }
  TestValue value = test_value(expr, policy, row);
  if (value.kind == lang::Kind::cpu) return Quantity::from_milli(value.number);
  auto format = kind == lang::Kind::memory ? Quantity::Format::binary_si : Quantity::Format::decimal_si;
  return Quantity::from_units(value.number, format);
}

std::string test_text(ast::ExprPtr expr, const lang::Policy& policy, const TestRow& row) {
  TestValue value = test_value(expr, policy, row);
  return value.text.empty() ? fmt::format("{}", value.number) : value.text;
}

}  // namespace sluice::tools
