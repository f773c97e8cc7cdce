#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/suggest.hpp"
#include "base/time_zone.hpp"
#include "lang/constant.hpp"
#include "lang/words.hpp"

namespace sluice::lang {

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Call& call, std::optional<Kind> want) {
  if (call.object != nullptr) {
    std::optional<RowRef> row = row_of(call.object);
    if (!row) return wrong();
    const FieldInfo* field = field_of(*row, call.function);
    return field == nullptr ? wrong() : amount(expr, call, *field, *row);
  }
  if (const ast::Declaration* value = place_.scope->find(NameSpace::value, call.function.text)) {
    return user_call(expr, call, *value);
  }
  for (const FunctionInfo& function : function_infos) {
    if (function.word == call.function.text) return builtin_call(expr, call, function, want);
  }
  if (const FieldInfo* field = bare_field(call.function.text))
    return amount(expr, call, *field, table_row(field->table));
  return unknown_function(call);
}

Type ExpressionCheck::unknown_function(const ast::Call& call) {
  if (!place_.reported.emplace(call.function.text).second) return wrong();
  std::string reason = not_here(call.function.text);
  if (!reason.empty()) {
    auto& report = error("not-in-scope", call.function.span, std::move(reason));
    if (place_.point)
      report.help = fmt::format("this rule is asked on `{}`", word_of(point_words, *place_.point));
    return wrong();
  }
  std::vector<std::string_view> candidates;
  for (std::string_view name : place_.scope->names(NameSpace::value)) {
    if (ast::as<ast::Function>(*place_.scope->find(NameSpace::value, name)) != nullptr)
      candidates.push_back(name);
  }
  for (const FunctionInfo& function : function_infos) candidates.push_back(function.word);
  for (const FieldInfo& field : field_infos) {
    if (field.bare && field.key == FieldKey::resource && is_in_scope(info(field.table).scope, place_)) {
      candidates.push_back(field.word);
    }
  }
  auto& report = error("unknown-name", call.function.span,
                       fmt::format("no function is called `{}`", call.function.text));
  std::string_view near = nearest(call.function.text, candidates);
  if (!near.empty()) {
    report.help = fmt::format("did you mean `{}`?", near);
    return wrong();
  }
  for (const FieldInfo& field : field_infos) {
    if (field.word == call.function.text && field.key == FieldKey::resource &&
        is_in_scope(info(field.table).scope, place_)) {
      report.help = fmt::format("did you mean `{}.{}`?", info(field.table).word, field.word);
      break;
    }
  }
  return wrong();
}

bool ExpressionCheck::has_arguments(const ast::Call& call, Span span, std::size_t least, std::size_t most,
                                    std::string_view signature) {
  if (call.arguments.size() >= least && call.arguments.size() <= most) return true;
  error("argument-count", span,
        fmt::format("`{}` takes {}, but {} {} given", call.function.text,
                    least == most ? fmt::format("{} argument{}", least, least == 1 ? "" : "s")
                    : most > 1000 ? fmt::format("at least {} arguments", least)
                                  : fmt::format("{} or {} arguments", least, most),
                    call.arguments.size(), call.arguments.size() == 1 ? "is" : "are"))
      .help = fmt::format("`{}{}`", call.function.text, signature);
  return false;
}

Type ExpressionCheck::user_call(ast::ExprPtr expr, const ast::Call& call,
                                const ast::Declaration& declaration) {
  const auto* function = ast::as<ast::Function>(declaration);
  if (function == nullptr) {
    error("type-mismatch", call.function.span, fmt::format("`{}` is no function", call.function.text)).help =
        "leave the parentheses out";
    return wrong();
  }
  if (!begin_use(call.function.span, declaration)) return wrong();
  all_.check_function(declaration);
  std::string signature;
  for (const ast::Function::Parameter& parameter : function->parameters) {
    signature += (signature.empty() ? "" : ", ") +
                 fmt::format("{}: {}", parameter.name.text, all_.source_text(parameter.type.span));
  }
  if (!has_arguments(call, expr->span, function->parameters.size(), function->parameters.size(),
                     "(" + signature + ")")) {
    return wrong();
  }
  bool fits = true;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    fits = check_argument(call.arguments[i], function->parameters[i]) && fits;
  }
  meaning(expr).what = Meaning::What::function;
  meaning(expr).declaration = &declaration;
  return fits ? result_of(declaration) : wrong();
}

bool ExpressionCheck::check_argument(ast::ExprPtr argument, const ast::Function::Parameter& parameter) {
  const Type want = checked_.types[parameter.id];
  if (want.kind == Kind::error) {
    check(argument, std::nullopt);
    return false;
  }
  std::string what = fmt::format("`{}`", parameter.name.text);
  if (!want.optional && !want.list) return check_as(argument, want.kind, what);
  Type got = check(argument, want.kind);
  if (got.kind == Kind::error) return false;
  bool fits = got.list == want.list && (comparable(got.kind, want.kind)) && (want.optional || !got.optional);
  if (!fits) mismatch(argument, got, want.kind, what);
  return fits;
}

Type ExpressionCheck::builtin_call(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
                                   std::optional<Kind> want) {
  meaning(expr).what = Meaning::What::builtin;
  meaning(expr).builtin = function.id;
  switch (function.id) {
    case FunctionId::min:
    case FunctionId::max:
      return extreme(expr, call, function, want);
    case FunctionId::abs: {
      if (!has_arguments(call, expr->span, 1, 1, function.signature)) return wrong();
      Type type = check_present(call.arguments[0], want);
      if (type.kind == Kind::error) return wrong();
      if (!is_quantity(type.kind) || type.list) {
        error("type-mismatch", call.arguments[0]->span,
              fmt::format("`abs` takes a number, but `{}` is {}", source(call.arguments[0]),
                          with_article(lang::to_string(type))));
        return wrong();
      }
      return type;
    }
    case FunctionId::seconds:
    case FunctionId::minutes:
    case FunctionId::hours:
    case FunctionId::days: {
      if (!has_arguments(call, expr->span, 1, 1, function.signature)) return wrong();
      bool fits = check_as(call.arguments[0], Kind::duration, fmt::format("what `{}` counts", function.word));
      return fits ? type_of(Kind::number) : wrong();
    }
    case FunctionId::clock:
      return local_time(expr, call, function, Kind::time_of_day);
    case FunctionId::weekday:
      return local_time(expr, call, function, Kind::weekday);
    case FunctionId::next: {
      if (!has_arguments(call, expr->span, 1, 1, function.signature)) return wrong();
      bool outer = std::exchange(in_next_, true);
      bool fits = check_as(call.arguments[0], Kind::boolean, "what `next` waits for");
      in_next_ = outer;
      return fits ? optional_of(Kind::instant) : wrong();
    }
    case FunctionId::stocked_out:
    case FunctionId::stocked_out_since: {
      if (!has_arguments(call, expr->span, 1, 1, function.signature)) return wrong();
      if (!check_as(call.arguments[0], Kind::flavor_name, fmt::format("the argument of `{}`", function.word)))
        return wrong();
      return function.id == FunctionId::stocked_out ? type_of(Kind::boolean)
                                                    : narrowed(expr, optional_of(Kind::instant));
    }
  }
  return wrong();
}

Type ExpressionCheck::extreme(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
                              std::optional<Kind> want) {
  if (!has_arguments(call, expr->span, 2, 100'000, function.signature)) return wrong();
  std::optional<Kind> kind = want;
  for (ast::ExprPtr argument : call.arguments) {
    if (takes_unit(argument)) continue;
    Type type = check_present(argument, want);
    if (type.kind == Kind::error) return wrong();
    kind = type.kind;
    break;
  }
  for (ast::ExprPtr argument : call.arguments) {
    if (!takes_unit(argument) && checked_.types[argument->id].kind != Kind::error &&
        checked_.types[argument->id].kind == kind)
      continue;
    Type type = check_present(argument, kind);
    if (type.kind == Kind::error) return wrong();
    if (!kind) kind = type.kind;
    if (type.kind != *kind || type.list) {
      mismatch(argument, type, *kind, fmt::format("the other value of `{}`", function.word));
      return wrong();
    }
  }
  if (!is_ordered(*kind)) {
    error("type-mismatch", call.function.span,
          fmt::format("{} has no order", with_article(lang::to_string(*kind))));
    return wrong();
  }
  fold_extreme(expr, call, function.id);
  return type_of(*kind);
}

void ExpressionCheck::fold_extreme(ast::ExprPtr expr, const ast::Call& call, FunctionId function) {
  const Constant* best = nullptr;
  for (ast::ExprPtr argument : call.arguments) {
    const Constant* constant = checked_.constant(argument);
    if (constant == nullptr) return;
    ast::BinaryOp better = function == FunctionId::min ? ast::BinaryOp::less : ast::BinaryOp::greater;
    if (best == nullptr || fold_comparison(better, *constant, *best)) best = constant;
  }
  Constant copy = *best;
  known(expr, std::move(copy));
}

Type ExpressionCheck::local_time(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
                                 Kind result) {
  if (!has_arguments(call, expr->span, 1, 2, function.signature)) return wrong();
  bool fits = check_as(call.arguments[0], Kind::text, "a time zone");
  if (fits) {
    const Constant* zone = checked_.constant(call.arguments[0]);
    if (zone == nullptr) {
      error("constant-key", call.arguments[0]->span, "a time zone must be known before anything is decided")
          .help = "write it in quotes, or name a param";
      fits = false;
    } else if (!TimeZone::load(zone->text)) {
      if (!place_.reported.emplace(zone->text).second) return wrong();
      error("unknown-time-zone", call.arguments[0]->span,
            fmt::format("no time zone is called `{}`", zone->text))
          .help = "write an IANA name, as in `\"Europe/Paris\"` or `\"UTC\"`";
      fits = false;
    }
  }
  if (call.arguments.size() == 2) fits = check_as(call.arguments[1], Kind::instant, "the time") && fits;
  return fits ? type_of(result) : wrong();
}

}  // namespace sluice::lang
