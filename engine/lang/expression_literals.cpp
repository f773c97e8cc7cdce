#include "lang/expression_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/time.hpp"
#include "lang/constant.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

/// What a number of this kind counts, for messages.
std::string_view counts(Kind kind) {
  switch (kind) {
    case Kind::cpu:
      return "cores";
    case Kind::memory:
      return "bytes";
    case Kind::devices:
      return "devices";
    case Kind::duration:
      return "time";
    case Kind::percent:
      return "per cent";
    case Kind::money:
      return "money";
    default:
      return "a plain number";
  }
}

bool is_arithmetic(ast::BinaryOp op) {
  return op == ast::BinaryOp::add || op == ast::BinaryOp::subtract || op == ast::BinaryOp::multiply ||
         op == ast::BinaryOp::divide;
}

}  // namespace

bool takes_unit(ast::ExprPtr expr) {
  if (const auto* literal = ast::as<ast::Literal>(expr)) {
    return literal->kind != ast::LiteralKind::boolean && literal->kind != ast::LiteralKind::none;
  }
  if (ast::as<ast::List>(expr) != nullptr) return true;
  if (const auto* name = ast::as<ast::NameRef>(expr)) {
    return std::find(weekday_words.begin(), weekday_words.end(), name->text) != weekday_words.end();
  }
  if (const auto* unary = ast::as<ast::Unary>(expr)) {
    return unary->op == ast::UnaryOp::negate && takes_unit(unary->operand);
  }
  if (const auto* binary = ast::as<ast::Binary>(expr)) {
    return is_arithmetic(binary->op) && takes_unit(binary->left) && takes_unit(binary->right);
  }
  return false;
}

bool is_plain_number(ast::ExprPtr expr) {
  if (const auto* literal = ast::as<ast::Literal>(expr)) return literal->kind == ast::LiteralKind::number;
  if (const auto* unary = ast::as<ast::Unary>(expr)) {
    return unary->op == ast::UnaryOp::negate && is_plain_number(unary->operand);
  }
  if (const auto* binary = ast::as<ast::Binary>(expr)) {
    return is_arithmetic(binary->op) && is_plain_number(binary->left) && is_plain_number(binary->right);
  }
  return false;
}

Type ExpressionCheck::on(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
  switch (literal.kind) {
    case ast::LiteralKind::number:
      return number(expr, literal, want);
    case ast::LiteralKind::quantity:
      return quantity(expr, literal, want);
    case ast::LiteralKind::percent:
      return with_unit(expr, literal, Kind::percent, want);
    case ast::LiteralKind::duration:
      return with_unit(expr, literal, Kind::duration, want);
    case ast::LiteralKind::money:
      return money(expr, literal, want);
    case ast::LiteralKind::unknown_unit:
      return unknown_unit(expr, literal);
    case ast::LiteralKind::clock:
      return clock_time(expr, literal);
    case ast::LiteralKind::string:
      return string(expr, literal, want);
    case ast::LiteralKind::boolean:
      return known(expr, constant_of(Kind::boolean, literal.text == "true" ? 1 : 0));
    case ast::LiteralKind::none:
      return known(expr, absent());
  }
  return wrong();
}

Type ExpressionCheck::number(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
  if (want == Kind::duration) {
    error("unit-mismatch", expr->span,
          fmt::format("a duration is expected, but `{}` has no unit", literal.text))
        .help = fmt::format("write `{0}s`, `{0}min` or `{0}h`", literal.text);
    return wrong();
  }
  if (want == Kind::percent) {
    error("unit-mismatch", expr->span,
          fmt::format("a percentage is expected, but `{}` has no `%`", literal.text))
        .help = fmt::format("write `{}%`", literal.text);
    return wrong();
  }
  bool takes = want == Kind::cpu || want == Kind::memory || want == Kind::devices || want == Kind::money;
  return read(expr, literal.text, takes ? *want : Kind::number);
}

Type ExpressionCheck::quantity(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
  Kind natural = natural_kind(literal.text);
  if (want == Kind::duration && natural == Kind::cpu) {
    std::string_view digits = literal.text.substr(0, literal.text.size() - 1);
    error("minutes-not-milli", expr->span,
          fmt::format("a duration is expected, but `{}` is {} milli: `m` is a thousandth", literal.text,
                      digits))
        .help = fmt::format("minutes are `{}min`", digits);
    return wrong();
  }
  bool may_take = want && is_quantity(*want) && *want != Kind::percent && *want != Kind::money;
  return read(expr, literal.text, may_take ? *want : natural);
}

Type ExpressionCheck::with_unit(ast::ExprPtr expr, const ast::Literal& literal, Kind kind,
                                std::optional<Kind> want) {
  // A percentage of something, or a wrong unit: whoever compares sees both sides and says so.
  (void)want;
  return read(expr, literal.text, kind);
}

Type ExpressionCheck::money(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
  (void)want;
  std::string_view currency = literal.text.substr(literal.text.size() - 3);
  if (currency != "USD") {
    error("unknown-unit", expr->span,
          fmt::format("prices are in USD, but `{}` is in {}", literal.text, currency))
        .help = fmt::format("write `{}USD`", literal.text.substr(0, literal.text.size() - 3));
    return wrong();
  }
  return read(expr, literal.text.substr(0, literal.text.size() - 3), Kind::money);
}

Type ExpressionCheck::unknown_unit(ast::ExprPtr expr, const ast::Literal& literal) {
  std::size_t digits = literal.text.find_first_not_of("0123456789.");
  std::string_view number = literal.text.substr(0, digits);
  std::string_view unit = literal.text.substr(std::min(digits, literal.text.size()));
  auto& report = error("unknown-unit", expr->span, fmt::format("no unit is called `{}`", unit));
  struct Meant {
    std::string_view wrote, write;
  };
  static constexpr std::array meant = {
      Meant{"sec", "s"},    Meant{"secs", "s"},      Meant{"seconds", "s"},  Meant{"second", "s"},
      Meant{"mins", "min"}, Meant{"minutes", "min"}, Meant{"minute", "min"}, Meant{"hr", "h"},
      Meant{"hrs", "h"},    Meant{"hours", "h"},     Meant{"hour", "h"},     Meant{"day", "d"},
      Meant{"days", "d"},   Meant{"K", "k"},         Meant{"KB", "k"},       Meant{"MB", "M"},
      Meant{"GB", "G"},     Meant{"TB", "T"},        Meant{"KiB", "Ki"},     Meant{"MiB", "Mi"},
      Meant{"GiB", "Gi"},   Meant{"TiB", "Ti"},      Meant{"kB", "k"},       Meant{"gi", "Gi"},
      Meant{"mi", "Mi"},    Meant{"ki", "Ki"},       Meant{"g", "G"},        Meant{"w", "d"},
  };
  for (const Meant& entry : meant) {
    if (entry.wrote == unit) report.help = fmt::format("write `{}{}`", number, entry.write);
  }
  if (unit == "w") report.help = "weeks are written in days: `7d`";
  if (report.help.empty())
    report.help = "units are `m`, `k M G T P E`, `Ki Mi Gi Ti Pi Ei`, `%`, `ms s min h d`";
  return wrong();
}

Type ExpressionCheck::clock_time(ast::ExprPtr expr, const ast::Literal& literal) {
  std::int64_t part[3] = {0, 0, 0};
  std::size_t index = 0;
  for (char c : literal.text) {
    if (c == ':') {
      ++index;
    } else if (index < 3 && c >= '0' && c <= '9') {
      part[index] = part[index] * 10 + (c - '0');
    }
  }
  std::int64_t second = part[0] * 3600 + part[1] * 60 + part[2];
  if (part[0] > 24 || part[1] > 59 || part[2] > 59 || second > 24 * 3600) {
    error("bad-clock", expr->span, fmt::format("`{}` is no time of day", literal.text)).help =
        "times of day go from `00:00` to `24:00`";
    return wrong();
  }
  return known(expr, constant_of(Kind::time_of_day, second));
}

Type ExpressionCheck::string(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
  if (want == Kind::instant) {
    std::optional<Instant> instant = Instant::parse(literal.text);
    if (instant) return known(expr, constant_of(Kind::instant, instant->ns));
    error("bad-instant", expr->span, fmt::format("`{}` is no instant", literal.text)).help =
        "write RFC 3339 with a zone, as in `\"2026-03-29T05:30:00Z\"`";
    return wrong();
  }
  return known(expr, constant_of_text(Kind::text, literal.text));
}

Type ExpressionCheck::read(ast::ExprPtr expr, std::string_view text, Kind kind) {
  LiteralValue got = read_literal(text, kind);
  if (!got.problem) return known(expr, constant_of(kind, got.value));
  switch (*got.problem) {
    case LiteralProblem::overflow:
      return overflow(expr);
    case LiteralProblem::fraction:
      error("not-whole", expr->span,
            fmt::format("`{}` is no whole number of {}", text,
                        kind == Kind::cpu      ? "milli-cores"
                        : kind == Kind::number ? "units"
                                               : counts(kind)))
          .help = kind == Kind::number || kind == Kind::devices ? "these are counted in whole numbers" : "";
      return wrong();
    case LiteralProblem::wrong_unit: {
      Kind natural = natural_kind(text);
      auto& report =
          error("unit-mismatch", expr->span,
                fmt::format("{} {} expected, but `{}` counts {}", counts(kind),
                            kind == Kind::cpu || kind == Kind::memory || kind == Kind::devices ? "are" : "is",
                            text, natural == Kind::cpu ? "thousandths" : counts(natural)));
      std::size_t digits = text.find_first_not_of("0123456789.");
      if (kind == Kind::cpu) report.help = fmt::format("write `{}`", text.substr(0, digits));
      if (kind == Kind::memory)
        report.help = fmt::format("write `{}Mi` or `{}Gi`", text.substr(0, digits), text.substr(0, digits));
      if (kind == Kind::devices || kind == Kind::number)
        report.help = fmt::format("write `{}`", text.substr(0, digits));
      return wrong();
    }
    case LiteralProblem::malformed:
      error("unknown-unit", expr->span, fmt::format("`{}` is no number of the language", text));
      return wrong();
  }
  return wrong();
}

Type ExpressionCheck::take_unit(ast::ExprPtr expr, Kind want) {
  const Constant* constant = checked_.constant(expr);
  if (constant == nullptr || ast::as<ast::Literal>(expr) != nullptr) return type_of(Kind::number);
  std::int64_t scale = want == Kind::cpu ? 1000 : want == Kind::money ? 1'000'000 : 1;
  if (want != Kind::cpu && want != Kind::memory && want != Kind::devices && want != Kind::money) {
    return type_of(Kind::number);
  }
  std::int64_t scaled = 0;
  if (__builtin_mul_overflow(constant->value, scale, &scaled)) return overflow(expr);
  return known(expr, constant_of(want, scaled));
}

Type ExpressionCheck::overflow(ast::ExprPtr expr) {
  error("overflow", expr->span, fmt::format("`{}` does not fit in 64 bits", source(expr)));
  return wrong();
}

}  // namespace sluice::lang
