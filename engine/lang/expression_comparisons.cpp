#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/constant.hpp"

namespace sluice::lang {

std::pair<Type, Type> ExpressionCheck::both_sides(const ast::Binary& binary, bool present) {
  auto side = [&](ast::ExprPtr expr, std::optional<Kind> want) {
    return present ? check_present(expr, want) : check(expr, want);
  };
  auto other_side = [&](ast::ExprPtr expr, Type first, std::optional<Kind> want) {
    bool outer = std::exchange(quiet_names_, quiet_names_ || first.kind == Kind::error);
    Type type = side(expr, want);
    quiet_names_ = outer;
    return type;
  };
  auto wish = [](Type type) -> std::optional<Kind> {
    if (type.kind == Kind::error || type.kind == Kind::none) return std::nullopt;
    return type.kind;
  };
  bool right_first = (takes_unit(binary.left) && !takes_unit(binary.right)) || is_bare_object(binary.left);
  if (right_first) {
    Type right = side(binary.right, std::nullopt);
    Type left = other_side(binary.left, right, wish(right));
    return {left, right};
  }
  Type left = side(binary.left, std::nullopt);
  Type right = other_side(binary.right, left, wish(left));
  return {left, right};
}

bool ExpressionCheck::is_bare_object(ast::ExprPtr expr) const {
  const auto* name = ast::as<ast::NameRef>(expr);
  if (name == nullptr || local(name->text) != nullptr || name->text == "now" || name->text == "until")
    return false;
  if (place_.scope->find(NameSpace::value, name->text) != nullptr) return false;
  return bare_field(name->text) == nullptr && !row_word(name->text);
}

Type ExpressionCheck::equality(ast::ExprPtr expr, const ast::Binary& binary) {
  bool with_none = is_none(binary.left) || is_none(binary.right);
  std::set<std::string> outer = place_.present;
  if (with_none) place_.present.clear();
  auto [left, right] = both_sides(binary, false);
  place_.present = std::move(outer);
  if (left.kind == Kind::error || right.kind == Kind::error) return wrong();
  if (with_none) {
    ast::ExprPtr other = is_none(binary.right) ? binary.left : binary.right;
    Type type = is_none(binary.right) ? left : right;
    if (!type.optional) {
      error("always-present", other->span, fmt::format("`{}` is never absent", source(other)));
      return wrong();
    }
    return type_of(Kind::boolean);
  }
  if (!can_be_compared(binary.left, left) || !can_be_compared(binary.right, right)) return wrong();
  if (!check_comparable(binary, left, right)) return wrong();
  fold_compared(expr, binary);
  return type_of(Kind::boolean);
}

bool ExpressionCheck::is_none(ast::ExprPtr expr) {
  const auto* literal = ast::as<ast::Literal>(expr);
  return literal != nullptr && literal->kind == ast::LiteralKind::none;
}

Type ExpressionCheck::order(ast::ExprPtr expr, const ast::Binary& binary) {
  auto [left, right] = both_sides(binary, true);
  if (left.kind == Kind::error || right.kind == Kind::error) return wrong();
  if (!can_be_compared(binary.left, left) || !can_be_compared(binary.right, right)) return wrong();
  if (!check_comparable(binary, left, right)) return wrong();
  if (!is_ordered(left.kind)) {
    bool name = is_text(left.kind);
    error("type-mismatch", binary.op_span,
          fmt::format("{} has no order", with_article(lang::to_string(left))))
        .help = name || left.kind == Kind::weekday || left.kind == Kind::boolean ? "use `=`, `!=` or `in`"
                                                                                 : std::string{};
    return wrong();
  }
  fold_compared(expr, binary);
  return type_of(Kind::boolean);
}

bool ExpressionCheck::can_be_compared(ast::ExprPtr expr, Type type) {
  if (!is_record(type.kind) && !type.list) return true;
  error("type-mismatch", expr->span,
        fmt::format("`{}` is {} and cannot be compared", source(expr), with_article(lang::to_string(type))))
      .help = type.list ? std::string{} : fields_help(type.kind);
  return false;
}

bool ExpressionCheck::check_comparable(const ast::Binary& binary, Type left, Type right) {
  if (comparable(left.kind, right.kind) && left.list == right.list) return true;
  bool at_left = takes_unit(binary.left) && !takes_unit(binary.right);
  ast::ExprPtr at = at_left ? binary.left : binary.right;
  ast::ExprPtr other = at_left ? binary.right : binary.left;
  mismatch(at, at_left ? left : right, at_left ? right.kind : left.kind, fmt::format("`{}`", source(other)));
  return false;
}

void ExpressionCheck::fold_compared(ast::ExprPtr expr, const ast::Binary& binary) {
  const Constant* left = checked_.constant(binary.left);
  const Constant* right = checked_.constant(binary.right);
  if (left == nullptr || right == nullptr) return;
  known(expr, constant_of(Kind::boolean, fold_comparison(binary.op, *left, *right) ? 1 : 0));
}

Type ExpressionCheck::in(ast::ExprPtr expr, const ast::Binary& binary) {
  Type left = check(binary.left, std::nullopt);
  std::optional<Kind> want;
  if (left.kind != Kind::error && left.kind != Kind::none) want = left.kind;
  if (left.kind == Kind::none) {
    error("type-mismatch", binary.left->span, "`none` is in nothing");
    return wrong();
  }
  bool outer = std::exchange(quiet_names_, quiet_names_ || left.kind == Kind::error);
  range_ = binary.right;
  Type right = check(binary.right, want);
  quiet_names_ = outer;
  if (left.kind == Kind::error || right.kind == Kind::error) return wrong();
  const auto* range = ast::as<ast::Range>(binary.right);
  bool clock_range = left.kind == Kind::time_of_day && right.kind == Kind::clock_range;
  if (range == nullptr && !clock_range && !right.list) {
    error("type-mismatch", binary.right->span,
          fmt::format("`in` needs a list or a range, but `{}` is {}", source(binary.right),
                      with_article(lang::to_string(right))))
        .help = fmt::format("write `[{}]`", source(binary.right));
    return wrong();
  }
  if (right.list && is_record(right.kind)) {
    error("type-mismatch", binary.right->span, "`in` needs a list of values").help =
        "ask `any(w in workloads where …)`";
    return wrong();
  }
  if (!clock_range && !comparable(left.kind, right.kind)) {
    mismatch(binary.left, left, right.kind, "what the list holds");
    return wrong();
  }
  const Constant* value = checked_.constant(binary.left);
  const Constant* list = checked_.constant(binary.right);
  if (value != nullptr && list != nullptr && right.list) {
    bool found = std::any_of(list->items.begin(), list->items.end(), [&](const Constant& item) {
      return fold_comparison(ast::BinaryOp::equal, *value, item);
    });
    known(expr, constant_of(Kind::boolean, found ? 1 : 0));
  }
  return type_of(Kind::boolean);
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Range& range, std::optional<Kind> want) {
  if (expr != range_) {
    error("type-mismatch", expr->span, fmt::format("the range `{}` stands for no single value", source(expr)))
        .help = fmt::format("ranges stand after `in`, as in `x in {}`", source(expr));
    return wrong();
  }
  Type from = check_present(range.from, want);
  std::optional<Kind> wish = want;
  if (!wish && from.kind != Kind::error) wish = from.kind;
  Type to = check_present(range.to, wish);
  if (from.kind == Kind::error || to.kind == Kind::error) return wrong();
  if (from.kind != to.kind || from.list || to.list) {
    mismatch(range.to, to, from.kind, fmt::format("`{}`", source(range.from)));
    return wrong();
  }
  if (!is_ordered(from.kind) || is_text(from.kind)) {
    error("type-mismatch", range.from->span, fmt::format("no range goes over {}s", lang::to_string(from)));
    return wrong();
  }
  const Constant* low = checked_.constant(range.from);
  const Constant* high = checked_.constant(range.to);
  if (low != nullptr && high != nullptr) {
    bool clock = from.kind == Kind::time_of_day;
    bool empty = clock ? low->value == high->value : low->value >= high->value;
    if (empty) {
      error("bad-range", expr->span, fmt::format("the range `{}` is empty", source(expr))).help =
          clock ? "the whole day is `00:00..24:00`" : "the upper end is left out: `1..9` holds 1 to 8";
      return wrong();
    }
  }
  return from.kind == Kind::time_of_day ? type_of(Kind::clock_range) : list_of(from.kind);
}

}  // namespace sluice::lang
