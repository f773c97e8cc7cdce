#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <utility>

#include "lang/constant.hpp"

namespace sluice::lang {
namespace {

/// A value to write where `kind` may be absent.
std::string_view example_default(Kind kind) {
  switch (kind) {
    case Kind::duration:
      return "0min";
    case Kind::instant:
      return "now";
    case Kind::boolean:
      return "false";
    case Kind::percent:
      return "0%";
    case Kind::time_of_day:
      return "00:00";
    case Kind::weekday:
      return "mon";
    default:
      return is_text(kind) ? "\"unknown\"" : "0";
  }
}

}  // namespace

Type ExpressionCheck::check_present(ast::ExprPtr expr, std::optional<Kind> want) {
  Type type = check(expr, want);
  if (!type.optional || type.kind == Kind::error) return type;
  if (type.kind == Kind::none) {
    error("type-mismatch", expr->span, "`none` is no value here");
  } else {
    std::string text(source(expr));
    error("optional-unguarded", expr->span, fmt::format("`{}` may be absent", text)).help =
        ast::as<ast::Binary>(expr) != nullptr || ast::as<ast::Conditional>(expr) != nullptr
            ? fmt::format("write `({}) or {}`", text, example_default(type.kind))
            : fmt::format("write `has {} and …` or `{} or {}`", text, text, example_default(type.kind));
  }
  return type_of(Kind::error);
}

void ExpressionCheck::learn(ast::ExprPtr condition, bool outcome) {
  for (const std::string& text : present_if(condition, outcome, checked_)) place_.present.insert(text);
}

Type ExpressionCheck::has(ast::ExprPtr expr, const ast::Unary& unary) {
  std::set<std::string> outer = std::exchange(place_.present, {});  // asks for what the declaration says
  Type type = check(unary.operand, std::nullopt);
  place_.present = std::move(outer);
  if (type.kind == Kind::error) return wrong();
  if (!type.optional) {
    error("always-present", unary.operand->span, fmt::format("`{}` is never absent", source(unary.operand)))
        .help = "leave `has` out";
    return wrong();
  }
  (void)expr;
  return type_of(Kind::boolean);
}

Type ExpressionCheck::logical_and(ast::ExprPtr expr, const ast::Binary& binary) {
  bool left = check_as(binary.left, Kind::boolean, "what `and` joins");
  std::set<std::string> outer = place_.present;
  if (left) learn(binary.left, true);
  // One operator, one mistake: beside a wrong left side only what is wrong inside of the right one is
  // reported.
  bool right =
      left ? check_as(binary.right, Kind::boolean, "what `and` joins") : (check(binary.right, {}), false);
  place_.present = std::move(outer);
  if (!left || !right) return wrong();
  fold_logical(expr, binary, false);
  return type_of(Kind::boolean);
}

Type ExpressionCheck::logical_or(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
  std::set<std::string> outer = std::exchange(place_.present, {});
  std::size_t errors_before = diagnostics_.all().size();
  Type declared = is_path(binary.left) ? check(binary.left, want) : wrong();
  place_.present = std::move(outer);
  if (is_path(binary.left) && declared.kind == Kind::error && diagnostics_.all().size() > errors_before) {
    check(binary.right, std::nullopt);
    return wrong();
  }
  Type left = is_path(binary.left) ? declared : check(binary.left, want);
  if (left.kind == Kind::error) {
    check(binary.right, std::nullopt);
    return wrong();
  }
  if (left.optional) return default_value(binary, left);
  if (left.kind == Kind::boolean && !left.list) {
    std::set<std::string> before = place_.present;
    learn(binary.left, false);
    bool right = check_as(binary.right, Kind::boolean, "what `or` joins");
    place_.present = std::move(before);
    if (!right) return wrong();
    fold_logical(expr, binary, true);
    return type_of(Kind::boolean);
  }
  Type right = check(binary.right, left.kind);
  if (right.kind == Kind::error) return wrong();
  if (right.kind == Kind::boolean) {
    mismatch(binary.left, left, Kind::boolean, "what `or` joins");
  } else {
    error("always-present", binary.left->span,
          fmt::format("`{}` is never absent: the default is never used", source(binary.left)))
        .help = fmt::format("leave `or {}` out", source(binary.right));
  }
  return wrong();
}

void ExpressionCheck::fold_logical(ast::ExprPtr expr, const ast::Binary& binary, bool decisive) {
  const Constant* left = checked_.constant(binary.left);
  const Constant* right = checked_.constant(binary.right);
  auto is = [](const Constant* constant, bool value) {
    return constant != nullptr && (constant->value != 0) == value;
  };
  if (is(left, decisive) || (is(left, !decisive) && is(right, decisive))) {
    known(expr, constant_of(Kind::boolean, decisive ? 1 : 0));
  } else if (is(left, !decisive) && is(right, !decisive)) {
    known(expr, constant_of(Kind::boolean, decisive ? 0 : 1));
  }
}

bool ExpressionCheck::is_path(ast::ExprPtr expr) {
  return ast::as<ast::NameRef>(expr) != nullptr || ast::as<ast::Member>(expr) != nullptr ||
         ast::as<ast::Index>(expr) != nullptr || ast::as<ast::Call>(expr) != nullptr;
}

Type ExpressionCheck::default_value(const ast::Binary& binary, Type left) {
  Type right = check(binary.right, left.kind);
  if (right.kind == Kind::error) return wrong();
  if (!comparable(left.kind, right.kind) || right.list) {
    mismatch(binary.right, right, left.kind, fmt::format("`{}`", source(binary.left)));
    return wrong();
  }
  return {left.kind == Kind::none ? right.kind : left.kind, right.optional, false};
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Conditional& conditional, std::optional<Kind> want) {
  bool fits = check_as(conditional.condition, Kind::boolean, "what `if` asks");
  std::set<std::string> outer = place_.present;
  if (fits) learn(conditional.condition, true);
  bool no_first = takes_unit(conditional.yes) && !takes_unit(conditional.no);
  Type yes;
  Type no;
  auto branch = [&](ast::ExprPtr side, bool outcome, std::optional<Kind> wish) {
    place_.present = outer;
    if (fits) learn(conditional.condition, outcome);
    return check(side, wish && *wish != Kind::none && *wish != Kind::error ? wish : want);
  };
  if (no_first) {
    no = branch(conditional.no, false, want);
    yes = branch(conditional.yes, true, want ? want : std::optional(no.kind));
  } else {
    yes = branch(conditional.yes, true, want);
    no = branch(conditional.no, false, want ? want : std::optional(yes.kind));
  }
  place_.present = std::move(outer);
  if (!fits || yes.kind == Kind::error || no.kind == Kind::error) return wrong();
  if (!comparable(yes.kind, no.kind) || yes.list != no.list) {
    mismatch(conditional.no, no, yes.kind, fmt::format("`{}`", source(conditional.yes)));
    return wrong();
  }
  if (const Constant* condition = checked_.constant(conditional.condition)) {
    const Constant* chosen = checked_.constant(condition->value != 0 ? conditional.yes : conditional.no);
    if (chosen != nullptr) {
      Constant copy = *chosen;
      return known(expr, std::move(copy));
    }
  }
  return {yes.kind == Kind::none ? no.kind : yes.kind, yes.optional || no.optional, yes.list};
}

}  // namespace sluice::lang
