#include "lang/constant.hpp"

#include <limits>

#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

__extension__ typedef __int128 Wide;
constexpr Wide kPercentUnit = 1'000'000;

bool fits(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() &&
         value <= std::numeric_limits<std::int64_t>::max();
}

/// Percent, money, cpu …: scaled by their unit. A number times one of these keeps the unit.
bool is_unit(Kind kind) {
  return is_quantity(kind) && kind != Kind::number;
}

}  // namespace

Constant constant_of(Kind kind, std::int64_t value) {
  Constant constant;
  constant.type = type_of(kind);
  constant.value = value;
  return constant;
}

Constant constant_of_text(Kind kind, std::string_view text) {
  Constant constant;
  constant.type = type_of(kind);
  constant.text = text;
  return constant;
}

Constant absent() {
  Constant constant;
  constant.type = optional_of(Kind::none);
  constant.present = false;
  return constant;
}

std::optional<Kind> arithmetic_kind(ast::BinaryOp op, Kind left, Kind right) {
  switch (op) {
    case ast::BinaryOp::add:
      if (is_quantity(left) && left == right) return left;
      if (left == Kind::instant && right == Kind::duration) return Kind::instant;
      if (left == Kind::duration && right == Kind::instant) return Kind::instant;
      return std::nullopt;
    case ast::BinaryOp::subtract:
      if (is_quantity(left) && left == right) return left;
      if (left == Kind::instant && right == Kind::duration) return Kind::instant;
      if (left == Kind::instant && right == Kind::instant) return Kind::duration;
      return std::nullopt;
    case ast::BinaryOp::multiply:
      if (left == Kind::number && right == Kind::number) return Kind::number;
      if (left == Kind::percent && is_quantity(right)) return right;
      if (right == Kind::percent && is_quantity(left)) return left;
      if (left == Kind::number && is_unit(right)) return right;
      if (right == Kind::number && is_unit(left)) return left;
      return std::nullopt;
    case ast::BinaryOp::divide:
      if (is_quantity(left) && right == Kind::number) return left;
      if (is_unit(left) && left == right) return Kind::number;
      return std::nullopt;
    case ast::BinaryOp::logical_or:
    case ast::BinaryOp::logical_and:
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::less:
    case ast::BinaryOp::less_equal:
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal:
    case ast::BinaryOp::in:
    case ast::BinaryOp::matches:
      return std::nullopt;
  }
  return std::nullopt;
}

Folded fold_arithmetic(ast::BinaryOp op, const Constant& left, const Constant& right, Kind result) {
  Wide a = left.value;
  Wide b = right.value;
  Wide value = 0;
  if (op == ast::BinaryOp::add) {
    value = a + b;
  } else if (op == ast::BinaryOp::subtract) {
    value = a - b;
  } else if (op == ast::BinaryOp::multiply) {
    value = a * b;
    if (left.type.kind == Kind::percent || right.type.kind == Kind::percent) value /= kPercentUnit;
  } else {
    if (b == 0) return {std::nullopt, FoldProblem::division_by_zero};
    value = a / b;
  }
  if (!fits(value)) return {std::nullopt, FoldProblem::overflow};
  return {constant_of(result, static_cast<std::int64_t>(value)), FoldProblem::none};
}

bool fold_comparison(ast::BinaryOp op, const Constant& left, const Constant& right) {
  bool both_present = left.present && right.present;
  bool equal =
      left.present == right.present &&
      (!both_present || (is_text(left.type.kind) ? left.text == right.text : left.value == right.value));
  if (op == ast::BinaryOp::equal) return equal;
  if (op == ast::BinaryOp::not_equal) return !equal;
  if (!both_present) return false;
  bool less = is_text(left.type.kind) ? left.text < right.text : left.value < right.value;
  switch (op) {
    case ast::BinaryOp::less:
      return less;
    case ast::BinaryOp::less_equal:
      return less || equal;
    case ast::BinaryOp::greater:
      return !less && !equal;
    case ast::BinaryOp::greater_equal:
      return !less;
    case ast::BinaryOp::logical_or:
    case ast::BinaryOp::logical_and:
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::in:
    case ast::BinaryOp::matches:
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide:
      break;
  }
  return false;
}

std::string to_string(const Constant& constant) {
  if (constant.type.list) {
    std::string text = "[";
    for (const Constant& item : constant.items) {
      if (text.size() > 1) text += ", ";
      text += to_string(item);
    }
    return text + "]";
  }
  if (!constant.present) return "none";
  if (constant.type.kind == Kind::text) return "\"" + std::string(constant.text) + "\"";
  if (is_text(constant.type.kind)) return std::string(constant.text);
  return value_text(constant.type.kind, constant.value);
}

}  // namespace sluice::lang
