#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "lang/constant.hpp"
#include "lang/literal.hpp"
#include "lang/words.hpp"

namespace sluice::lang {
namespace {

std::string_view points_of(TableScope scope) {
  switch (scope) {
    case TableScope::always:
      return "where a rule is asked about a workload";
    case TableScope::pod_set:
      return "on `flavor` and `place`";
    case TableScope::queued:
      return "on every decision point but `submit`";
    case TableScope::flavor:
      return "on `flavor`";
    case TableScope::admit:
      return "on `admit`";
    case TableScope::preempt:
      return "on `preempt`";
    case TableScope::provision:
      return "on `provision`";
    case TableScope::place:
      return "on `place`";
  }
  return "";
}

std::optional<NameSpace> space_of(Kind kind) {
  switch (kind) {
    case Kind::flavor_name:
      return NameSpace::flavor;
    case Kind::queue_name:
      return NameSpace::queue;
    case Kind::cohort_name:
      return NameSpace::cohort;
    case Kind::check_name:
      return NameSpace::check;
    default:
      return std::nullopt;
  }
}

}  // namespace

const Local* ExpressionCheck::local(std::string_view name) const {
  auto found = std::find_if(place_.locals.rbegin(), place_.locals.rend(),
                            [&](const Local& candidate) { return candidate.name == name; });
  return found == place_.locals.rend() ? nullptr : &*found;
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::NameRef& name, std::optional<Kind> want) {
  if (const Local* found = local(name.text)) {
    meaning(expr) = found->meaning;
    if (found->constant) return known(expr, *found->constant);
    return narrowed(expr, found->type);
  }
  if (const ast::Declaration* value = place_.scope->find(NameSpace::value, name.text)) {
    return declared_value(expr, *value, want);
  }
  if (name.text == "now") {
    meaning(expr).what = Meaning::What::now;
    return type_of(Kind::instant);
  }
  if (name.text == "until" && place_.has_until) {
    meaning(expr).what = Meaning::What::until;
    return type_of(Kind::instant);
  }
  if (want) {
    if (std::optional<Type> type = named_object(expr, name.text, *want)) return *type;
  }
  if (const FieldInfo* field = bare_field(name.text))
    return plain_field(expr, *field, table_row(field->table));
  if (std::optional<RowRef> row = row_word(name.text)) {
    meaning(expr).what = Meaning::What::row;
    meaning(expr).row = *row;
    return type_of(kind_of(row->table));
  }
  for (const CollectionInfo& collection : collection_infos) {
    if (collection.owner == kNoTable && collection.word == name.text) {
      meaning(expr).what = Meaning::What::collection;
      meaning(expr).collection = collection.id;
      return list_of(kind_of(collection.element));
    }
  }
  return unknown_name(expr, name.text, want);
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::QualifiedName& name, std::optional<Kind> want) {
  if (want == Kind::resource_name) return known(expr, constant_of_text(Kind::resource_name, name.text));
  error("unknown-name", expr->span, fmt::format("`{}` is a resource or label key, not a value", name.text))
      .help = fmt::format(
      "write `workload.total({0})` for how much is asked for, `labels[\"{0}\"]` for a label", name.text);
  return wrong();
}

std::optional<Type> ExpressionCheck::named_object(ast::ExprPtr expr, std::string_view name, Kind want) {
  if (want == Kind::weekday) {
    for (std::size_t day = 0; day < weekday_words.size(); ++day) {
      if (name == weekday_words[day])
        return known(expr, constant_of(Kind::weekday, static_cast<std::int64_t>(day)));
    }
    auto& report = error("unknown-name", expr->span, fmt::format("no weekday is called `{}`", name));
    report.help = fmt::format("weekdays are `{}`", fmt::join(weekday_words, "`, `"));
    return wrong();
  }
  if (want == Kind::resource_name) return known(expr, constant_of_text(Kind::resource_name, name));
  std::optional<NameSpace> space = space_of(want);
  if (!space) return std::nullopt;
  if (const ast::Declaration* found = place_.scope->find(*space, name)) {
    return known(expr, constant_of_text(want, found->name.text));
  }
  if (bare_field(name) != nullptr || row_word(name)) return std::nullopt;
  std::string_view near = nearest(name, place_.scope->names(*space));
  if (!near.empty()) {
    error("unknown-name", expr->span, fmt::format("no {} is called `{}`", lang::to_string(*space), name))
        .help = fmt::format("did you mean `{}`?", near);
    return wrong();
  }
  return known(expr, constant_of_text(want, name));  // may be in the snapshot
}

Type ExpressionCheck::declared_value(ast::ExprPtr expr, const ast::Declaration& declaration,
                                     std::optional<Kind> want) {
  if (ast::as<ast::Param>(declaration) != nullptr) {
    if (!begin_use(expr->span, declaration)) return wrong();
    all_.check_param(declaration);
    auto constant = checked_.params.find(&declaration);
    if (constant == checked_.params.end()) return wrong();
    meaning(expr).declaration = &declaration;
    return known(expr, constant->second);
  }
  const auto& function = *ast::as<ast::Function>(declaration);
  bool of_time = function.parameters.size() == 1 && function.parameters[0].type.name.text == "instant" &&
                 !function.parameters[0].type.list;
  if (in_next_ && of_time) {
    if (!begin_use(expr->span, declaration)) return wrong();
    all_.check_function(declaration);
    meaning(expr).what = Meaning::What::function;
    meaning(expr).declaration = &declaration;
    return result_of(declaration);
  }
  (void)want;
  std::string parameters;
  for (const ast::Function::Parameter& parameter : function.parameters) {
    if (!kind_named(parameter.type.name.text)) return wrong();  // reported with the function
    parameters += (parameters.empty() ? "" : ", ") + std::string(parameter.name.text);
  }
  error("type-mismatch", expr->span, fmt::format("`{}` is a function", declaration.name.text)).help =
      fmt::format("call it: `{}({})`", declaration.name.text, parameters);
  return wrong();
}

Type ExpressionCheck::result_of(const ast::Declaration& declaration) {
  auto found = all_.results_.find(&declaration);
  return found == all_.results_.end() ? wrong() : found->second;
}

bool ExpressionCheck::begin_use(Span span, const ast::Declaration& declaration) {
  auto state = all_.values_.find(&declaration);
  if (state == all_.values_.end() || state->second == Expressions::State::done) return true;
  error("recursion", span, fmt::format("`{}` needs itself", declaration.name.text))
      .labels.emplace_back(declaration.name.span, "declared here");
  all_.results_[&declaration] = wrong();
  return false;
}

const FieldInfo* ExpressionCheck::bare_field(std::string_view word) const {
  auto found = std::find_if(field_infos.begin(), field_infos.end(), [&](const FieldInfo& field) {
    return field.bare && field.word == word && is_in_scope(info(field.table).scope, place_);
  });
  return found == field_infos.end() ? nullptr : &*found;
}

std::optional<RowRef> ExpressionCheck::row_word(std::string_view word) const {
  for (const TableInfo& table : table_infos) {
    if (table.word == word && is_in_scope(table.scope, place_)) return table_row(table.id);
  }
  for (std::size_t i = 0; i < role_infos.size(); ++i) {
    if (role_infos[i].word == word && is_in_scope(role_infos[i].scope, place_)) {
      return RowRef{RowRef::Of::role, role_infos[i].table, static_cast<std::uint8_t>(i), ast::no_node};
    }
  }
  return std::nullopt;
}

std::string ExpressionCheck::not_here(std::string_view word) const {
  auto where = [&](TableScope scope) { return fmt::format("`{}` is known only {}", word, points_of(scope)); };
  for (const TableInfo& table : table_infos) {
    if (table.word == word) return where(table.scope);
  }
  for (const RoleInfo& role : role_infos) {
    if (role.word == word) return where(role.scope);
  }
  for (const FieldInfo& field : field_infos) {
    if (field.bare && field.word == word) return where(info(field.table).scope);
  }
  if (word == "until") return "`until` is known only in the text of a rule that says `hold until`";
  return {};
}

std::vector<std::string_view> ExpressionCheck::words_here() const {
  std::vector<std::string_view> words;
  for (const Local& candidate : place_.locals) words.push_back(candidate.name);
  for (std::string_view name : place_.scope->names(NameSpace::value)) words.push_back(name);
  for (const FieldInfo& field : field_infos) {
    if (field.bare && is_in_scope(info(field.table).scope, place_)) words.push_back(field.word);
  }
  for (const TableInfo& table : table_infos) {
    if (is_in_scope(table.scope, place_)) words.push_back(table.word);
  }
  for (const RoleInfo& role : role_infos) {
    if (is_in_scope(role.scope, place_)) words.push_back(role.word);
  }
  for (const CollectionInfo& collection : collection_infos) {
    if (collection.owner == kNoTable) words.push_back(collection.word);
  }
  words.push_back("now");
  return words;
}

Type ExpressionCheck::unknown_name(ast::ExprPtr expr, std::string_view name, std::optional<Kind> want) {
  if (quiet_names_ || !place_.reported.emplace(name).second) return wrong();
  std::string reason = not_here(name);
  if (!reason.empty()) {
    auto& report = error("not-in-scope", expr->span, std::move(reason));
    if (name == "until") {
      report.help = "leave it out, or say `hold until …`";
      return wrong();
    }
    if (place_.point)
      report.help = fmt::format("this rule is asked on `{}`", word_of(point_words, *place_.point));
    return wrong();
  }
  auto& report = error("unknown-name", expr->span, fmt::format("nothing is called `{}`", name));
  std::string_view near = nearest(name, words_here());
  if (!near.empty()) {
    report.help = fmt::format("did you mean `{}`?", near);
    return wrong();
  }
  for (const FieldInfo& field : field_infos) {  // `total(cpu)`, `kind`: a field without its row
    if (field.word == name && is_in_scope(info(field.table).scope, place_)) {
      report.help = fmt::format("did you mean `{}.{}`?", info(field.table).word, name);
      return wrong();
    }
  }
  for (const CollectionInfo& collection : collection_infos) {
    if (collection.word == name && collection.owner != kNoTable) {
      report.help =
          fmt::format("did you mean `{}.{}`?", info(static_cast<Table>(collection.owner)).word, name);
      return wrong();
    }
  }
  if (want && is_text(*want)) report.help = fmt::format("a text stands in quotes: `\"{}\"`", name);
  return wrong();
}

}  // namespace sluice::lang
