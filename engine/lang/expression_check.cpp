#include "lang/expression_check.hpp"

#include <fmt/format.h>

namespace sluice::lang {

Kind kind_of(Table table) {
  switch (table) {
    case Table::workload:
      return Kind::workload;
    case Table::name_space:
      return Kind::name_space;
    case Table::pod_set:
      return Kind::pod_set;
    case Table::queue:
      return Kind::queue;
    case Table::flavor:
      return Kind::flavor;
    case Table::assignment:
      return Kind::assignment;
    case Table::shape:
      return Kind::shape;
    case Table::domain:
      return Kind::domain;
  }
  return Kind::error;
}

bool is_in_scope(TableScope scope, const Place& place) {
  using Point = ast::DecisionPoint;
  switch (scope) {
    case TableScope::always:
      return place.has_workload;
    case TableScope::pod_set:
      return place.point == Point::flavor || place.point == Point::place;
    case TableScope::queued:
      return place.point && place.point != Point::submit;
    case TableScope::flavor:
      return place.point == Point::flavor;
    case TableScope::admit:
      return place.point == Point::admit;
    case TableScope::preempt:
      return place.point == Point::preempt;
    case TableScope::provision:
      return place.point == Point::provision;
    case TableScope::place:
      return place.point == Point::place;
  }
  return false;
}

Type ExpressionCheck::check(ast::ExprPtr expr, std::optional<Kind> want) {
  Type type = std::visit([&](const auto& node) { return on(expr, node, want); }, expr->node);
  if (want && type == type_of(Kind::number) && *want != Kind::number && is_plain_number(expr)) {
    type = take_unit(expr, *want);
  }
  checked_.types[expr->id] = type;
  return type;
}

bool ExpressionCheck::check_as(ast::ExprPtr expr, Kind want, std::string_view what) {
  Type type = check_present(expr, want);
  if (type.kind == Kind::error) return false;
  bool fits = !type.list && (type.kind == want || (is_text(want) && type.kind == Kind::text) ||
                             (want == Kind::text && is_text(type.kind)));
  if (!fits) mismatch(expr, type, want, what);
  return fits;
}

Type ExpressionCheck::known(ast::ExprPtr expr, Constant constant) {
  Type type = constant.type;
  checked_.constants.insert_or_assign(expr->id, std::move(constant));
  return type;
}

void ExpressionCheck::mismatch(ast::ExprPtr expr, Type type, Kind want, std::string_view what) {
  bool units = !type.list && is_quantity(type.kind) && is_quantity(want);
  auto& report = error(units ? "unit-mismatch" : "type-mismatch", expr->span,
                       fmt::format("{} is {}, but `{}` is {}", what, with_article(lang::to_string(want)),
                                   source(expr), with_article(lang::to_string(type))));
  if (is_record(type.kind) && !type.list) report.help = fields_help(type.kind);
  if (is_text(want) && ast::as<ast::Literal>(expr) != nullptr)
    report.help = fmt::format("write `\"{}\"`", source(expr));
  if (want == Kind::boolean && is_quantity(type.kind))
    report.help = fmt::format("compare it, as in `{} > 0`", source(expr));
}

std::string ExpressionCheck::fields_help(Kind kind) {
  for (const FieldInfo& field : field_infos) {
    if (kind_of(field.table) == kind) return fmt::format("name one of its fields, such as `{}`", field.word);
  }
  return {};
}

}  // namespace sluice::lang
