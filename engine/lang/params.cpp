#include "lang/params.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/suggest.hpp"
#include "base/time.hpp"
#include "lang/constant.hpp"
#include "lang/expression.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> read_clock(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  auto digits = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  for (std::size_t at : {0u, 1u, 3u, 4u}) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
  }
  std::int64_t second = digits(0) * 3600 + digits(3) * 60;
  if (digits(3) > 59 || second > 24 * 3600) return std::nullopt;
  return second;
}

/// A value as it stands in an argument or a file: strings need no quotes.
std::optional<Constant> read_value(std::string_view text, Kind kind, ast::Arena& arena) {
  if (is_text(kind)) return constant_of_text(kind, arena.text(text));
  if (kind == Kind::boolean) {
    if (text != "true" && text != "false") return std::nullopt;
    return constant_of(kind, text == "true" ? 1 : 0);
  }
  if (kind == Kind::instant) {
    std::optional<Instant> instant = Instant::parse(text);
    return instant ? std::optional(constant_of(kind, instant->ns)) : std::nullopt;
  }
  if (kind == Kind::time_of_day) {
    std::optional<std::int64_t> second = read_clock(text);
    return second ? std::optional(constant_of(kind, *second)) : std::nullopt;
  }
  if (kind == Kind::weekday) {
    for (std::int64_t day = 0; day < 7; ++day) {
      if (value_text(kind, day) == text) return constant_of(kind, day);
    }
    return std::nullopt;
  }
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (kind == Kind::money && text.ends_with("USD")) text.remove_suffix(3);
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  LiteralValue got = read_literal(text, kind);
  if (got.problem) return std::nullopt;
  return constant_of(kind, negative ? -got.value : got.value);
}

std::optional<Constant> read_value(std::string_view text, Type type, ast::Arena& arena) {
  if (type.optional && text == "none") return absent();
  if (!type.list) return read_value(text, type.kind, arena);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  Constant list;
  list.type = type;
  while (!trimmed(text).empty()) {
    std::size_t comma = text.find(',');
    std::optional<Constant> item = read_value(trimmed(text.substr(0, comma)), type.kind, arena);
    if (!item) return std::nullopt;
    list.items.push_back(std::move(*item));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return list;
}

void report_value(const ast::Declaration& declaration, Type type, std::string_view text,
                  Diagnostics& diagnostics) {
  auto& report = diagnostics.error("bad-param", declaration.name.span,
                                   fmt::format("param `{}` is a {}, but `{}` was given for it",
                                               declaration.name.text, to_string(type), text));
  if (type.kind == Kind::duration && suffix_of(text) == Suffix::milli) {
    report.help = fmt::format("minutes are `{}in`", text);
  } else if (type.kind == Kind::instant) {
    report.help = "write RFC 3339 with a zone, as in `2026-03-29T05:30:00Z`";
  } else if (type.list) {
    report.help = "separate the values by commas";
  }
}

}  // namespace

void read_params(const std::map<std::string, std::string>& given, const Scope& scope, ast::Arena& arena,
                 Checked& checked, Diagnostics& diagnostics) {
  for (const auto& [name, text] : given) {
    const ast::Declaration* declaration = scope.find(NameSpace::value, name);
    const auto* param = declaration == nullptr ? nullptr : ast::as<ast::Param>(*declaration);
    if (param == nullptr) {
      auto& report = diagnostics.error("unknown-param", Span{}, fmt::format("no param is called `{}`", name));
      std::vector<std::string_view> params;
      for (std::string_view value : scope.names(NameSpace::value)) {
        if (ast::as<ast::Param>(*scope.find(NameSpace::value, value)) != nullptr) params.push_back(value);
      }
      std::string_view near = nearest(name, params);
      if (!near.empty()) {
        report.help = fmt::format("did you mean `{}`?", near);
      } else if (!params.empty()) {
        report.help = fmt::format("params are `{}`", fmt::join(params, "`, `"));
      } else {
        report.help = "the policy has no param";
      }
      continue;
    }
    std::optional<Kind> kind = kind_named(param->type.name.text);
    if (!kind) continue;  // reported with the declaration
    Type type{*kind, param->type.optional, param->type.list};
    std::optional<Constant> value = read_value(text, type, arena);
    if (!value) {
      report_value(*declaration, type, text, diagnostics);
      continue;
    }
    value->type = type;
    checked.params.insert_or_assign(declaration, std::move(*value));
  }
}

}  // namespace sluice::lang
