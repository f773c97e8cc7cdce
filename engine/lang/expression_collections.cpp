#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include "lang/constant.hpp"

namespace sluice::lang {

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Aggregate& aggregate, std::optional<Kind> want) {
  Type collection = check(aggregate.collection, std::nullopt);
  if (collection.kind == Kind::error) return wrong();
  if (!collection.list || !is_record(collection.kind)) {
    error("type-mismatch", aggregate.collection->span,
          fmt::format("`{}` is {} and not a collection", source(aggregate.collection),
                      with_article(lang::to_string(collection))))
        .help = "collections are `workloads` and `workload.podsets`";
    return wrong();
  }
  if (!declare_local(aggregate.variable)) return wrong();
  Local variable;
  variable.name = aggregate.variable.text;
  variable.span = aggregate.variable.span;
  variable.type = type_of(collection.kind);
  variable.meaning.what = Meaning::What::row;
  variable.meaning.row = {RowRef::Of::variable, info(meaning(aggregate.collection).collection).element, 0,
                          expr->id};
  place_.locals.push_back(variable);
  std::set<std::string> outer = place_.present;
  bool fits = true;
  if (aggregate.filter != nullptr) {
    fits = check_as(aggregate.filter, Kind::boolean, "a filter");
    if (fits) learn(aggregate.filter, true);
  }
  Type value = type_of(aggregate.kind == ast::AggregateKind::count ? Kind::number : Kind::boolean);
  if (aggregate.value != nullptr) value = aggregate_value(aggregate, want);
  place_.present = std::move(outer);
  place_.locals.pop_back();
  return fits ? value : wrong();
}

Type ExpressionCheck::aggregate_value(const ast::Aggregate& aggregate, std::optional<Kind> want) {
  Type value = check_present(aggregate.value, want);
  if (value.kind == Kind::error) return wrong();
  bool sum = aggregate.kind == ast::AggregateKind::sum;
  if (value.list || (sum ? !is_quantity(value.kind) : !is_ordered(value.kind))) {
    error("type-mismatch", aggregate.value->span,
          fmt::format("`{}` is {} and has no {}", source(aggregate.value),
                      with_article(lang::to_string(value)), sum ? "sum" : "order"));
    return wrong();
  }
  if (sum) return type_of(value.kind);
  return optional_of(value.kind);  // of nothing there is no smallest
}

bool ExpressionCheck::declare_local(const ast::Name& name) {
  Span first;
  bool taken = false;
  if (const Local* outer = local(name.text)) {
    first = outer->span;
    taken = true;
  } else if (const ast::Declaration* value = place_.scope->find(NameSpace::value, name.text)) {
    first = value->name.span;
    taken = true;
  }
  if (taken) {
    error("duplicate-declaration", name.span, fmt::format("`{}` has a meaning here already", name.text))
        .labels.emplace_back(first, "first declared here");
    return false;
  }
  return true;
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::List& list, std::optional<Kind> want) {
  std::optional<Kind> kind = want;
  Constant constant;
  bool all_known = true;
  bool fits = true;
  for (ast::ExprPtr item : list.items) {
    Type type = check_present(item, kind);
    if (type.kind == Kind::error) {
      fits = false;
      continue;
    }
    if (kind && (!comparable(*kind, type.kind) || type.list)) {
      mismatch(item, type, *kind, "what the list holds");
      fits = false;
      continue;
    }
    if (!kind) kind = type.kind;
    const Constant* value = checked_.constant(item);
    if (value == nullptr) {
      all_known = false;
    } else {
      constant.items.push_back(*value);
    }
  }
  if (!fits) return wrong();
  Type type = list_of(kind.value_or(Kind::error));
  if (!kind) {
    error("type-mismatch", expr->span, "an empty list holds nothing to compare with");
    return wrong();
  }
  constant.type = type;
  if (all_known) return known(expr, std::move(constant));
  return type;
}

}  // namespace sluice::lang
