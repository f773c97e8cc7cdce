#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/names.hpp"
#include "base/suggest.hpp"
#include "lang/constant.hpp"

namespace sluice::lang {
namespace {

/// The kind of a field's value. Texts that name an object have the kind of its names.
Kind kind_of(const FieldInfo& field, std::string_view key) {
  switch (field.type) {
    case FieldType::boolean:
      return Kind::boolean;
    case FieldType::number:
      return Kind::number;
    case FieldType::amount:
      return kind_of_resource(key);
    case FieldType::duration:
      return Kind::duration;
    case FieldType::instant:
      return Kind::instant;
    case FieldType::money:
      return Kind::money;
    case FieldType::text:
      break;
  }
  switch (field.id) {
    case FieldId::workload_flavor:
    case FieldId::flavor_name:
    case FieldId::assignment_flavor:
      return Kind::flavor_name;
    case FieldId::workload_queue:
    case FieldId::queue_name:
      return Kind::queue_name;
    case FieldId::queue_cohort:
      return Kind::cohort_name;
    case FieldId::domain_level:
      return Kind::level_name;
    default:
      return Kind::text;
  }
}

}  // namespace

Type ExpressionCheck::narrowed(ast::ExprPtr expr, Type type) {
  if (type.optional && place_.present.contains(canonical(expr, checked_))) type.optional = false;
  return type;
}

Type ExpressionCheck::field_type(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row,
                                 std::string_view key) {
  Meaning& found = meaning(expr);
  found.what = Meaning::What::field;
  found.field = field.id;
  found.row = row;
  found.key = key;
  Type type{kind_of(field, key), field.presence == Presence::optional, false};
  return narrowed(expr, type);
}

Type ExpressionCheck::plain_field(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row) {
  if (field.key == FieldKey::none) return field_type(expr, field, row, {});
  std::string_view text = source(expr);
  if (field.key == FieldKey::label) {
    error("key-missing", expr->span, fmt::format("`{}` needs a key", text)).help =
        fmt::format("write `{}[\"team\"]`", text);
  } else {
    error("key-missing", expr->span, fmt::format("`{}` needs a resource", text)).help =
        fmt::format("write `{}(cpu)`", text);
  }
  return wrong();
}

std::optional<RowRef> ExpressionCheck::row_of(ast::ExprPtr object) {
  if (const auto* name = ast::as<ast::NameRef>(object)) {
    // `namespace` alone is the name of the namespace; before a dot it is the row.
    if (local(name->text) == nullptr && place_.scope->find(NameSpace::value, name->text) == nullptr) {
      if (std::optional<RowRef> row = row_word(name->text)) {
        meaning(object).what = Meaning::What::row;
        meaning(object).row = *row;
        checked_.types[object->id] = type_of(kind_of(row->table));
        return row;
      }
    }
  }
  Type type = check(object, std::nullopt);
  if (type.kind == Kind::error) return std::nullopt;
  if (!type.list && is_record(type.kind) && meaning(object).what == Meaning::What::row)
    return meaning(object).row;
  error("unknown-field", object->span,
        fmt::format("`{}` is {} and has no fields", source(object), with_article(lang::to_string(type))));
  return std::nullopt;
}

const FieldInfo* ExpressionCheck::field_of(const RowRef& row, const ast::Name& word) {
  std::vector<std::string_view> candidates;
  for (const FieldInfo& field : field_infos) {
    if (field.table != row.table) continue;
    if (field.word == word.text) return &field;
    candidates.push_back(field.word);
  }
  for (const CollectionInfo& collection : collection_infos) {
    if (collection.owner == static_cast<std::uint8_t>(row.table)) candidates.push_back(collection.word);
  }
  auto& report = error(
      "unknown-field", word.span,
      fmt::format("{} has no field `{}`", with_article(lang::to_string(kind_of(row.table))), word.text));
  std::string_view near = nearest(word.text, candidates);
  report.help = near.empty() ? fmt::format("its fields are `{}`", fmt::join(candidates, "`, `"))
                             : fmt::format("did you mean `{}`?", near);
  return nullptr;
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Member& member, std::optional<Kind> want) {
  (void)want;
  std::optional<RowRef> row = row_of(member.object);
  if (!row) return wrong();
  for (const CollectionInfo& collection : collection_infos) {
    if (collection.owner == static_cast<std::uint8_t>(row->table) && collection.word == member.member.text) {
      meaning(expr).what = Meaning::What::collection;
      meaning(expr).collection = collection.id;
      meaning(expr).row = *row;
      return list_of(kind_of(collection.element));
    }
  }
  const FieldInfo* field = field_of(*row, member.member);
  return field == nullptr ? wrong() : plain_field(expr, *field, *row);
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Index& index, std::optional<Kind> want) {
  (void)want;
  const FieldInfo* field = nullptr;
  RowRef row;
  if (const auto* name = ast::as<ast::NameRef>(index.object)) {
    field = local(name->text) == nullptr ? bare_field(name->text) : nullptr;
    if (field != nullptr) row = table_row(field->table);
  } else if (const auto* member = ast::as<ast::Member>(index.object)) {
    std::optional<RowRef> owner = row_of(member->object);
    if (!owner) return wrong();
    row = *owner;
    field = field_of(row, member->member);
    if (field == nullptr) return wrong();
  }
  if (field == nullptr) {
    Type type = check(index.object, std::nullopt);
    if (type.kind != Kind::error) {
      error("type-mismatch", index.object->span, fmt::format("`{}` has no keys", source(index.object))).help =
          "only `labels`, `annotations` and the like do";
    }
    return wrong();
  }
  if (field->key != FieldKey::label) {
    error("type-mismatch", index.object->span, fmt::format("`{}` has no keys", source(index.object))).help =
        field->key == FieldKey::resource ? fmt::format("write `{}(cpu)`", source(index.object))
                                         : std::string{};
    return wrong();
  }
  checked_.types[index.object->id] = type_of(Kind::labels);
  Type key_type = check(index.key, Kind::text);
  if (key_type.kind == Kind::error) return wrong();
  const Constant* key = checked_.constant(index.key);
  if (key == nullptr || !is_text(key->type.kind) || key->type.list || !key->present) {
    error("constant-key", index.key->span, "a label key must be known before anything is decided").help =
        "write it in quotes, or name a param";
    return wrong();
  }
  if (!is_qualified_name(key->text)) {
    error("bad-name", index.key->span, fmt::format("`{}` can be no label key", key->text)).help =
        "a key is `name` or `domain/name`, of letters, digits, `-`, `_` and `.`";
    return wrong();
  }
  return field_type(expr, *field, row, key->text);
}

Type ExpressionCheck::amount(ast::ExprPtr expr, const ast::Call& call, const FieldInfo& field,
                             const RowRef& row) {
  if (field.key != FieldKey::resource) {
    error("type-mismatch", call.function.span, fmt::format("`{}` is no function", call.function.text)).help =
        field.key == FieldKey::label ? fmt::format("write `{}[\"team\"]`", call.function.text)
                                     : "leave the parentheses out";
    return wrong();
  }
  if (!has_arguments(call, expr->span, 1, 1, "(resource)")) return wrong();
  std::optional<std::string_view> resource = resource_name(call.arguments[0]);
  return resource ? field_type(expr, field, row, *resource) : wrong();
}

std::optional<std::string_view> ExpressionCheck::resource_name(ast::ExprPtr argument) {
  std::string_view name;
  if (const auto* word = ast::as<ast::NameRef>(argument)) {
    name = word->text;
    const Local* here = local(name);
    const ast::Declaration* value = place_.scope->find(NameSpace::value, name);
    if (here != nullptr || (value != nullptr && ast::as<ast::Param>(*value) != nullptr)) name = {};
  } else if (ast::is_dotted_name(argument)) {
    name = source(argument);
  }
  if (name.empty()) {  // a param, or a string
    Type type = check(argument, Kind::text);
    if (type.kind == Kind::error) return std::nullopt;
    const Constant* constant = checked_.constant(argument);
    if (constant == nullptr || !is_text(constant->type.kind) || constant->type.list) {
      error("constant-key", argument->span, "a resource must be known before anything is decided").help =
          "name it, as in `total(google.com/tpu)`, or name a param";
      return std::nullopt;
    }
    name = constant->text;
  }
  if (!is_qualified_name(name)) {
    error("bad-name", argument->span, fmt::format("`{}` can be no resource", name));
    return std::nullopt;
  }
  static const std::vector<std::string_view> native = {"cpu", "memory", "ephemeral-storage", "pods"};
  bool is_native =
      std::find(native.begin(), native.end(), name) != native.end() || name.starts_with("hugepages-");
  if (!is_native && name.find('/') == std::string_view::npos && !declares_resource(name)) {
    std::string_view near = name == "mem" ? "memory" : nearest(name, native);
    if (!near.empty()) {
      error("unknown-name", argument->span, fmt::format("no resource is called `{}`", name)).help =
          fmt::format("did you mean `{}`?", near);
      return std::nullopt;
    }
  }
  known(argument, constant_of_text(Kind::resource_name, name));
  checked_.types[argument->id] = type_of(Kind::resource_name);
  return name;
}

bool ExpressionCheck::declares_resource(std::string_view name) const {
  auto covers = [&](std::span<const ast::ResourceGroup> groups) {
    return std::any_of(groups.begin(), groups.end(), [&](const ast::ResourceGroup& group) {
      return std::any_of(group.resources.begin(), group.resources.end(),
                         [&](const ast::Name& resource) { return resource.text == name; });
    });
  };
  return std::any_of(checked_.active.begin(), checked_.active.end(),
                     [&](const ast::Declaration* declaration) {
                       if (const auto* queue = ast::as<ast::Queue>(*declaration))
                         return covers(queue->groups);
                       if (const auto* cohort = ast::as<ast::Cohort>(*declaration))
                         return covers(cohort->groups);
                       return false;
                     });
}

}  // namespace sluice::lang
