#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <variant>

#include "base/pattern.hpp"
#include "lang/constant.hpp"

namespace sluice::lang {

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want) {
  switch (unary.op) {
    case ast::UnaryOp::logical_not: {
      if (!check_as(unary.operand, Kind::boolean, "what `not` turns")) return wrong();
      if (const Constant* constant = checked_.constant(unary.operand)) {
        known(expr, constant_of(Kind::boolean, constant->value == 0 ? 1 : 0));
      }
      return type_of(Kind::boolean);
    }
    case ast::UnaryOp::negate:
      return negate(expr, unary, want);
    case ast::UnaryOp::has:
      return has(expr, unary);
  }
  return wrong();
}

Type ExpressionCheck::negate(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want) {
  Type type = check_present(unary.operand, want);
  if (type.kind == Kind::error) return wrong();
  if (!is_quantity(type.kind) || type.list) {
    error("type-mismatch", unary.operand->span,
          fmt::format("`-` takes a number, but `{}` is {}", source(unary.operand),
                      with_article(lang::to_string(type))));
    return wrong();
  }
  if (const Constant* constant = checked_.constant(unary.operand)) {
    std::int64_t negative = 0;
    if (__builtin_sub_overflow(std::int64_t{0}, constant->value, &negative)) return overflow(expr);
    return known(expr, constant_of(type.kind, negative));
  }
  return type;
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
  switch (binary.op) {
    case ast::BinaryOp::logical_and:
      return logical_and(expr, binary);
    case ast::BinaryOp::logical_or:
      return logical_or(expr, binary, want);
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
      return equality(expr, binary);
    case ast::BinaryOp::less:
    case ast::BinaryOp::less_equal:
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal:
      return order(expr, binary);
    case ast::BinaryOp::in:
      return in(expr, binary);
    case ast::BinaryOp::matches:
      return matches(binary);
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide:
      return arithmetic(expr, binary, want);
  }
  return wrong();
}

Type ExpressionCheck::arithmetic(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
  bool sum = binary.op == ast::BinaryOp::add || binary.op == ast::BinaryOp::subtract;
  Type left;
  Type right;
  bool literals = takes_unit(binary.left) && takes_unit(binary.right);
  if (sum && !literals && want != Kind::instant) {
    std::tie(left, right) = sum_sides(binary, want);
  } else {
    bool plain = is_plain_number(binary.left) && is_plain_number(binary.right);
    std::optional<Kind> wish = sum && !plain ? want : std::nullopt;
    left = check_present(binary.left, wish == Kind::instant ? std::nullopt : wish);
    right = check_present(binary.right, wish == Kind::instant ? std::nullopt : wish);
  }
  if (left.kind == Kind::error || right.kind == Kind::error) return wrong();
  std::optional<Kind> kind;
  if (!left.list && !right.list) kind = arithmetic_kind(binary.op, left.kind, right.kind);
  if (!kind) return no_arithmetic(expr, binary, left, right);
  const Constant* a = checked_.constant(binary.left);
  const Constant* b = checked_.constant(binary.right);
  if (binary.op == ast::BinaryOp::divide && b != nullptr && b->value == 0) {
    error("division-by-zero", binary.right->span, fmt::format("`{}` is zero", source(binary.right)));
    return wrong();
  }
  if (a != nullptr && b != nullptr) {
    Folded folded = fold_arithmetic(binary.op, *a, *b, *kind);
    if (!folded.value) return overflow(expr);
    return known(expr, std::move(*folded.value));
  }
  return type_of(*kind);
}

std::pair<Type, Type> ExpressionCheck::sum_sides(const ast::Binary& binary, std::optional<Kind> want) {
  auto wish = [](Type type) -> std::optional<Kind> {
    if (type.kind == Kind::instant) return Kind::duration;
    if (is_quantity(type.kind)) return type.kind;
    return std::nullopt;
  };
  if (takes_unit(binary.left)) {
    Type right = check_present(binary.right, want);
    return {check_present(binary.left, wish(right)), right};
  }
  Type left = check_present(binary.left, want);
  return {left, check_present(binary.right, takes_unit(binary.right) ? wish(left) : want)};
}

Type ExpressionCheck::no_arithmetic(ast::ExprPtr expr, const ast::Binary& binary, Type left, Type right) {
  bool units = is_quantity(left.kind) && is_quantity(right.kind) && !left.list && !right.list;
  (void)expr;
  auto& report =
      error(units ? "unit-mismatch" : "type-mismatch", binary.op_span,
            fmt::format("{} and {} do not go together with `{}`", with_article(lang::to_string(left)),
                        with_article(lang::to_string(right)), all_.source_text(binary.op_span)));
  report.labels.emplace_back(binary.left->span, with_article(lang::to_string(left)));
  report.labels.emplace_back(binary.right->span, with_article(lang::to_string(right)));
  if (binary.op == ast::BinaryOp::multiply && units)
    report.help = "a unit is multiplied by a plain number or a percentage";
  if (binary.op == ast::BinaryOp::divide && units)
    report.help = "a unit is divided by a plain number or by the same unit";
  if (is_text(left.kind) && is_text(right.kind))
    report.help = "texts are joined in `because \"{…} {…}\"` only";
  return wrong();
}

Type ExpressionCheck::matches(const ast::Binary& binary) {
  bool left = check_as(binary.left, Kind::text, "what `matches` looks at");
  if (!left) {
    check(binary.right, Kind::text);
    return wrong();
  }
  bool right = check_as(binary.right, Kind::text, "a pattern");
  if (!right) return wrong();
  const Constant* pattern = checked_.constant(binary.right);
  if (pattern == nullptr) {
    error("constant-key", binary.right->span, "a pattern must be known before anything is decided").help =
        "write it in quotes, or name a param";
    return wrong();
  }
  const auto compiled = Pattern::compile(pattern->text);
  if (const auto* problem = std::get_if<PatternProblem>(&compiled)) {
    Span span = binary.right->span;
    bool as_written =
        ast::as<ast::Literal>(binary.right) != nullptr && span.end - span.begin == pattern->text.size() + 2;
    if (as_written) {  // no escapes: offsets in the text are offsets in the source
      std::uint32_t first = span.begin + 1 + static_cast<std::uint32_t>(problem->begin);
      span = {span.source, first,
              first + static_cast<std::uint32_t>(std::max<std::size_t>(problem->length, 1))};
    }
    error("bad-pattern", span, fmt::format("no pattern: {}", problem->message)).help =
        "patterns are RE2: no look-ahead and no back-references, hence linear time";
    return wrong();
  }
  return left ? type_of(Kind::boolean) : wrong();
}

}  // namespace sluice::lang
