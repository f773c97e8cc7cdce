#include "lang/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/suggest.hpp"
#include "lang/expression_check.hpp"

namespace sluice::lang {

Type Expressions::check(ast::ExprPtr expr, Place& place, std::optional<Kind> want) {
  return ExpressionCheck(*this, place).check(expr, want);
}

Type Expressions::check_present(ast::ExprPtr expr, Place& place, std::optional<Kind> want) {
  return ExpressionCheck(*this, place).check_present(expr, want);
}

bool Expressions::check_as(ast::ExprPtr expr, Place& place, Kind want, std::string_view what) {
  return ExpressionCheck(*this, place).check_as(expr, want, what);
}

bool Expressions::check_condition(ast::ExprPtr expr, Place& place) {
  if (!check_as(expr, place, Kind::boolean, "a condition")) return false;
  learn(expr, true, place);
  return true;
}

void Expressions::learn(ast::ExprPtr condition, bool outcome, Place& place) {
  ExpressionCheck(*this, place).learn(condition, outcome);
}

void Expressions::check_text(const ast::Text& text, Place& place) {
  for (const ast::TextPiece& piece : text.pieces) {
    if (piece.hole == nullptr) continue;
    Type type = check(piece.hole, place);
    if (type.kind == Kind::error) continue;
    if (type.list || is_record(type.kind) || type.kind == Kind::none || type.kind == Kind::clock_range) {
      auto& report =
          diagnostics_.error("type-mismatch", piece.hole->span,
                             fmt::format("`{}` is {} and cannot be shown in a text",
                                         source_text(piece.hole->span), with_article(lang::to_string(type))));
      if (!type.list && is_record(type.kind))
        report.help = fmt::format("name a field, as in `{{{}.name}}`", source_text(piece.hole->span));
    }
  }
}

const Constant* Expressions::check_constant(ast::ExprPtr expr, Place& place, Kind want,
                                            std::string_view what) {
  if (!check_as(expr, place, want, what)) return nullptr;
  const Constant* constant = checked_.constant(expr);
  if (constant == nullptr) {
    diagnostics_
        .error("not-constant", expr->span, fmt::format("{} must be known before anything is decided", what))
        .help = "write a value, or name a param";
  }
  return constant;
}

namespace {
struct TypeWord {
  std::string_view word;
  Kind kind;
};
constexpr std::array type_words = {
    TypeWord{"bool", Kind::boolean},       TypeWord{"number", Kind::number},
    TypeWord{"percent", Kind::percent},    TypeWord{"cpu", Kind::cpu},
    TypeWord{"memory", Kind::memory},      TypeWord{"count", Kind::devices},
    TypeWord{"money", Kind::money},        TypeWord{"duration", Kind::duration},
    TypeWord{"instant", Kind::instant},    TypeWord{"clock", Kind::time_of_day},
    TypeWord{"weekday", Kind::weekday},    TypeWord{"string", Kind::text},
    TypeWord{"flavor", Kind::flavor_name}, TypeWord{"queue", Kind::queue_name},
};
}  // namespace

std::optional<Kind> kind_named(std::string_view word) {
  auto found = std::find_if(type_words.begin(), type_words.end(),
                            [&](const TypeWord& type) { return type.word == word; });
  return found == type_words.end() ? std::nullopt : std::optional(found->kind);
}

std::optional<Type> Expressions::type_named(const ast::TypeRef& type) {
  if (std::optional<Kind> kind = kind_named(type.name.text)) return Type{*kind, type.optional, type.list};
  std::vector<std::string_view> candidates;
  for (const TypeWord& word : type_words) candidates.push_back(word.word);
  auto& report = diagnostics_.error("unknown-type", type.name.span,
                                    fmt::format("no type is called `{}`", type.name.text));
  std::string_view near = type.name.text == "text" ? "string" : nearest(type.name.text, candidates);
  report.help = near.empty() ? fmt::format("types are `{}`", fmt::join(candidates, "`, `"))
                             : fmt::format("did you mean `{}`?", near);
  return std::nullopt;
}

void Expressions::check_param(const ast::Declaration& declaration) {
  if (!values_.emplace(&declaration, State::checking).second) return;
  const auto& param = *ast::as<ast::Param>(declaration);
  std::optional<Type> type = type_named(param.type);
  bool given = checked_.params.contains(&declaration);  // from outside
  if (param.value != nullptr) {
    Place place;
    place.scope = &scopes_.of(declaration.span.source);
    place.has_workload = false;
    std::optional<Kind> want;
    if (type) want = type->kind;
    ExpressionCheck check(*this, place);
    Type got = type && (type->optional || type->list) ? check.check(param.value, want)
                                                      : check.check_present(param.value, want);
    const Constant* value = checked_.constant(param.value);
    bool fits = type && got.kind != Kind::error;
    if (fits && (!comparable(got.kind, type->kind) || got.list != type->list)) {
      diagnostics_.error(is_quantity(got.kind) && is_quantity(type->kind) ? "unit-mismatch" : "type-mismatch",
                         param.value->span,
                         fmt::format("`{}` is {}, but `{}` is {}", declaration.name.text,
                                     with_article(lang::to_string(*type)), source_text(param.value->span),
                                     with_article(lang::to_string(got))));
      fits = false;
    }
    if (fits && value == nullptr) {
      diagnostics_.error("not-constant", param.value->span,
                         "the value of a param must be known before anything is decided");
      fits = false;
    }
    if (fits && !given) {
      Constant constant = *value;
      constant.type = *type;
      checked_.params.emplace(&declaration, std::move(constant));
    }
  } else if (!given && type) {
    diagnostics_
        .error("param-missing", declaration.name.span,
               fmt::format("param `{}` has no value", declaration.name.text))
        .help = fmt::format("give one with `--param {}=…`, or write a default here", declaration.name.text);
  }
  values_[&declaration] = State::done;
}

void Expressions::check_function(const ast::Declaration& declaration) {
  if (!values_.emplace(&declaration, State::checking).second) return;
  const auto& function = *ast::as<ast::Function>(declaration);
  Place place;
  place.scope = &scopes_.of(declaration.span.source);
  bool fits = true;
  for (const ast::Function::Parameter& parameter : function.parameters) {
    std::optional<Type> type = type_named(parameter.type);
    fits = fits && type;
    checked_.types[parameter.id] = type.value_or(type_of(Kind::error));
    for (const Local& other : place.locals) {
      if (other.name != parameter.name.text) continue;
      diagnostics_
          .error("duplicate-declaration", parameter.name.span,
                 fmt::format("`{}` is a parameter already", parameter.name.text))
          .labels.emplace_back(other.span, "first declared here");
    }
    Local local;
    local.name = parameter.name.text;
    local.span = parameter.name.span;
    local.type = checked_.types[parameter.id];
    local.meaning.what = Meaning::What::argument;
    local.meaning.node = parameter.id;
    place.locals.push_back(local);
  }
  std::optional<Type> result = type_named(function.result);
  if (!result || !fits) {
    results_[&declaration] = type_of(Kind::error);
    values_[&declaration] = State::done;
    return;
  }
  results_[&declaration] = *result;
  Type got = check(function.body, place, result->kind);
  if (got.optional && !result->optional && got.kind != Kind::error)
    got = check_present(function.body, place, result->kind);
  if (got.kind != Kind::error && (!comparable(got.kind, result->kind) || got.list != result->list)) {
    auto& report = diagnostics_.error(
        is_quantity(got.kind) && is_quantity(result->kind) ? "unit-mismatch" : "type-mismatch",
        function.body->span,
        fmt::format("`{}` gives {}, but this is {}", declaration.name.text,
                    with_article(lang::to_string(*result)), with_article(lang::to_string(got))));
    report.labels.emplace_back(function.result.span, "the type it says it gives");
    results_[&declaration] = type_of(Kind::error);  // who calls it makes no mistake
  }
  values_[&declaration] = State::done;
}

}  // namespace sluice::lang
