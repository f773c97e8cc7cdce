#include "lang/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "base/names.hpp"
#include "base/pattern.hpp"
#include "base/suggest.hpp"
#include "base/time.hpp"
#include "base/time_zone.hpp"
#include "lang/constant.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

constexpr std::array weekday_words = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

constexpr Kind kind_of(Table table) {
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

std::string_view to_string(ast::DecisionPoint point) {
  switch (point) {
    case ast::DecisionPoint::submit:
      return "submit";
    case ast::DecisionPoint::order:
      return "order";
    case ast::DecisionPoint::flavor:
      return "flavor";
    case ast::DecisionPoint::admit:
      return "admit";
    case ast::DecisionPoint::preempt:
      return "preempt";
    case ast::DecisionPoint::provision:
      return "provision";
    case ast::DecisionPoint::place:
      return "place";
  }
  return "";
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

/// `a duration`, `cpu`: kinds that are counted have an article, those that are measured have none.
std::string with_article(std::string_view noun) {
  for (std::string_view measured : {"cpu", "memory", "money", "labels", "none"}) {
    if (noun.substr(0, noun.find(' ')) == measured) return std::string(noun);
  }
  if (noun.starts_with("percent")) return "a percentage" + std::string(noun.substr(7));
  bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

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

bool is_arithmetic(ast::BinaryOp op) {
  return op == ast::BinaryOp::add || op == ast::BinaryOp::subtract || op == ast::BinaryOp::multiply ||
         op == ast::BinaryOp::divide;
}

/// Literals and arithmetic of literals: they take their unit from what stands on the other side.
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

/// Only plain numbers and operators: `4 * 4`.
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

bool comparable(Kind left, Kind right) {
  if (left == Kind::error || right == Kind::error || left == right) return true;
  if (left == Kind::none || right == Kind::none) return true;
  bool one_is_text = left == Kind::text || right == Kind::text;
  return one_is_text && is_text(left) && is_text(right);
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

/// One expression with everything below it.
class ExpressionCheck {
 public:
  ExpressionCheck(Expressions& all, Place& place)
      : all_(all), checked_(all.checked_), diagnostics_(all.diagnostics_), place_(place) {}

  Type check(ast::ExprPtr expr, std::optional<Kind> want) {
    Type type = std::visit([&](const auto& node) { return on(expr, node, want); }, expr->node);
    if (want && type == type_of(Kind::number) && *want != Kind::number && is_plain_number(expr)) {
      type = take_unit(expr, *want);
    }
    checked_.types[expr->id] = type;
    return type;
  }

  /// Reports an operand that may be absent.
  Type check_present(ast::ExprPtr expr, std::optional<Kind> want) {
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

  bool check_as(ast::ExprPtr expr, Kind want, std::string_view what) {
    Type type = check_present(expr, want);
    if (type.kind == Kind::error) return false;
    bool fits = !type.list && (type.kind == want || (is_text(want) && type.kind == Kind::text) ||
                               (want == Kind::text && is_text(type.kind)));
    if (!fits) mismatch(expr, type, want, what);
    return fits;
  }

  void learn(ast::ExprPtr condition, bool outcome) {
    for (const std::string& text : present_if(condition, outcome, checked_)) place_.present.insert(text);
  }

 private:
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return diagnostics_.error(code, span, std::move(message));
  }
  std::string_view source(ast::ExprPtr expr) const { return all_.source_text(expr->span); }
  static Type wrong() { return type_of(Kind::error); }

  Type known(ast::ExprPtr expr, Constant constant) {
    Type type = constant.type;
    checked_.constants.insert_or_assign(expr->id, std::move(constant));
    return type;
  }

  void mismatch(ast::ExprPtr expr, Type type, Kind want, std::string_view what) {
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

  static std::string fields_help(Kind kind) {
    for (const FieldInfo& field : field_infos) {
      if (kind_of(field.table) == kind)
        return fmt::format("name one of its fields, such as `{}`", field.word);
    }
    return {};
  }

  /// A plain number where cores, bytes or devices are asked for.
  Type take_unit(ast::ExprPtr expr, Kind want) {
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

  Type overflow(ast::ExprPtr expr) {
    error("overflow", expr->span, fmt::format("`{}` does not fit in 64 bits", source(expr)));
    return wrong();
  }

  // Literals.

  Type on(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
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

  Type number(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
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

  Type quantity(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
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

  Type with_unit(ast::ExprPtr expr, const ast::Literal& literal, Kind kind, std::optional<Kind> want) {
    // A percentage of something, or a wrong unit: whoever compares sees both sides and says so.
    (void)want;
    return read(expr, literal.text, kind);
  }

  Type money(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
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

  Type unknown_unit(ast::ExprPtr expr, const ast::Literal& literal) {
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

  Type clock_time(ast::ExprPtr expr, const ast::Literal& literal) {
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

  Type string(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want) {
    if (want == Kind::instant) {
      std::optional<Instant> instant = Instant::parse(literal.text);
      if (instant) return known(expr, constant_of(Kind::instant, instant->ns));
      error("bad-instant", expr->span, fmt::format("`{}` is no instant", literal.text)).help =
          "write RFC 3339 with a zone, as in `\"2026-03-29T05:30:00Z\"`";
      return wrong();
    }
    return known(expr, constant_of_text(Kind::text, literal.text));
  }

  Type read(ast::ExprPtr expr, std::string_view text, Kind kind) {
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
        auto& report = error(
            "unit-mismatch", expr->span,
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

  // Names.

  const Local* local(std::string_view name) const {
    auto found = std::find_if(place_.locals.rbegin(), place_.locals.rend(),
                              [&](const Local& candidate) { return candidate.name == name; });
    return found == place_.locals.rend() ? nullptr : &*found;
  }

  Meaning& meaning(ast::ExprPtr expr) { return checked_.meanings[expr->id]; }

  Type on(ast::ExprPtr expr, const ast::NameRef& name, std::optional<Kind> want) {
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

  Type on(ast::ExprPtr expr, const ast::QualifiedName& name, std::optional<Kind> want) {
    if (want == Kind::resource_name) return known(expr, constant_of_text(Kind::resource_name, name.text));
    error("unknown-name", expr->span, fmt::format("`{}` is a resource or label key, not a value", name.text))
        .help = fmt::format(
        "write `workload.total({0})` for how much is asked for, `labels[\"{0}\"]` for a label", name.text);
    return wrong();
  }

  /// A name that only its place tells: a weekday, a flavor.
  std::optional<Type> named_object(ast::ExprPtr expr, std::string_view name, Kind want) {
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

  Type declared_value(ast::ExprPtr expr, const ast::Declaration& declaration, std::optional<Kind> want) {
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

  Type result_of(const ast::Declaration& declaration) {
    auto found = all_.results_.find(&declaration);
    return found == all_.results_.end() ? wrong() : found->second;
  }

  /// False, reported, if the declaration is being checked: it needs itself.
  bool begin_use(Span span, const ast::Declaration& declaration) {
    auto state = all_.values_.find(&declaration);
    if (state == all_.values_.end() || state->second == Expressions::State::done) return true;
    error("recursion", span, fmt::format("`{}` needs itself", declaration.name.text))
        .labels.emplace_back(declaration.name.span, "declared here");
    all_.results_[&declaration] = wrong();
    return false;
  }

  const FieldInfo* bare_field(std::string_view word) const {
    auto found = std::find_if(field_infos.begin(), field_infos.end(), [&](const FieldInfo& field) {
      return field.bare && field.word == word && is_in_scope(info(field.table).scope, place_);
    });
    return found == field_infos.end() ? nullptr : &*found;
  }

  static RowRef table_row(Table table) { return {RowRef::Of::table, table, 0, ast::no_node}; }

  std::optional<RowRef> row_word(std::string_view word) const {
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

  /// Says why a word that the language knows means nothing here; empty if it knows none.
  std::string not_here(std::string_view word) const {
    auto where = [&](TableScope scope) {
      return fmt::format("`{}` is known only {}", word, points_of(scope));
    };
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

  std::vector<std::string_view> words_here() const {
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

  Type unknown_name(ast::ExprPtr expr, std::string_view name, std::optional<Kind> want) {
    if (quiet_names_ || !place_.reported.emplace(name).second) return wrong();
    std::string reason = not_here(name);
    if (!reason.empty()) {
      auto& report = error("not-in-scope", expr->span, std::move(reason));
      if (name == "until") {
        report.help = "leave it out, or say `hold until …`";
        return wrong();
      }
      if (place_.point) report.help = fmt::format("this rule is asked on `{}`", to_string(*place_.point));
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

  // Fields.

  Type narrowed(ast::ExprPtr expr, Type type) {
    if (type.optional && place_.present.contains(canonical(expr, checked_))) type.optional = false;
    return type;
  }

  Type field_type(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row, std::string_view key) {
    Meaning& found = meaning(expr);
    found.what = Meaning::What::field;
    found.field = field.id;
    found.row = row;
    found.key = key;
    Type type{kind_of(field, key), field.presence == Presence::optional, false};
    return narrowed(expr, type);
  }

  /// A field that stands without key.
  Type plain_field(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row) {
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

  /// The row an object stands for; empty, reported, if it is none.
  std::optional<RowRef> row_of(ast::ExprPtr object) {
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

  /// The field `word` of `row`'s table; null, reported, if there is none.
  const FieldInfo* field_of(const RowRef& row, const ast::Name& word) {
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

  Type on(ast::ExprPtr expr, const ast::Member& member, std::optional<Kind> want) {
    (void)want;
    std::optional<RowRef> row = row_of(member.object);
    if (!row) return wrong();
    for (const CollectionInfo& collection : collection_infos) {
      if (collection.owner == static_cast<std::uint8_t>(row->table) &&
          collection.word == member.member.text) {
        meaning(expr).what = Meaning::What::collection;
        meaning(expr).collection = collection.id;
        meaning(expr).row = *row;
        return list_of(kind_of(collection.element));
      }
    }
    const FieldInfo* field = field_of(*row, member.member);
    return field == nullptr ? wrong() : plain_field(expr, *field, *row);
  }

  Type on(ast::ExprPtr expr, const ast::Index& index, std::optional<Kind> want) {
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
        error("type-mismatch", index.object->span, fmt::format("`{}` has no keys", source(index.object)))
            .help = "only `labels`, `annotations` and the like do";
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

  // Calls.

  Type on(ast::ExprPtr expr, const ast::Call& call, std::optional<Kind> want) {
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

  Type unknown_function(const ast::Call& call) {
    if (!place_.reported.emplace(call.function.text).second) return wrong();
    std::string reason = not_here(call.function.text);
    if (!reason.empty()) {
      auto& report = error("not-in-scope", call.function.span, std::move(reason));
      if (place_.point) report.help = fmt::format("this rule is asked on `{}`", to_string(*place_.point));
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

  bool has_arguments(const ast::Call& call, Span span, std::size_t least, std::size_t most,
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

  /// `workload.total(cpu)`.
  Type amount(ast::ExprPtr expr, const ast::Call& call, const FieldInfo& field, const RowRef& row) {
    if (field.key != FieldKey::resource) {
      error("type-mismatch", call.function.span, fmt::format("`{}` is no function", call.function.text))
          .help = field.key == FieldKey::label ? fmt::format("write `{}[\"team\"]`", call.function.text)
                                               : "leave the parentheses out";
      return wrong();
    }
    if (!has_arguments(call, expr->span, 1, 1, "(resource)")) return wrong();
    std::optional<std::string_view> resource = resource_name(call.arguments[0]);
    return resource ? field_type(expr, field, row, *resource) : wrong();
  }

  std::optional<std::string_view> resource_name(ast::ExprPtr argument) {
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

  /// Whether a group of the policy covers it.
  bool declares_resource(std::string_view name) const {
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

  Type user_call(ast::ExprPtr expr, const ast::Call& call, const ast::Declaration& declaration) {
    const auto* function = ast::as<ast::Function>(declaration);
    if (function == nullptr) {
      error("type-mismatch", call.function.span, fmt::format("`{}` is no function", call.function.text))
          .help = "leave the parentheses out";
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

  bool check_argument(ast::ExprPtr argument, const ast::Function::Parameter& parameter) {
    const Type want = checked_.types[parameter.id];
    if (want.kind == Kind::error) {
      check(argument, std::nullopt);
      return false;
    }
    std::string what = fmt::format("`{}`", parameter.name.text);
    if (!want.optional && !want.list) return check_as(argument, want.kind, what);
    Type got = check(argument, want.kind);
    if (got.kind == Kind::error) return false;
    bool fits =
        got.list == want.list && (comparable(got.kind, want.kind)) && (want.optional || !got.optional);
    if (!fits) mismatch(argument, got, want.kind, what);
    return fits;
  }

  Type builtin_call(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
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
        bool fits =
            check_as(call.arguments[0], Kind::duration, fmt::format("what `{}` counts", function.word));
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
        if (!check_as(call.arguments[0], Kind::flavor_name,
                      fmt::format("the argument of `{}`", function.word)))
          return wrong();
        return function.id == FunctionId::stocked_out ? type_of(Kind::boolean)
                                                      : narrowed(expr, optional_of(Kind::instant));
      }
    }
    return wrong();
  }

  /// `min(a, b, …)`.
  Type extreme(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
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

  void fold_extreme(ast::ExprPtr expr, const ast::Call& call, FunctionId function) {
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

  /// `clock(zone, t)`.
  Type local_time(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function, Kind result) {
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

  // Operators.

  Type on(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want) {
    switch (unary.op) {
      case ast::UnaryOp::logical_not: {
        if (!check_as(unary.operand, Kind::boolean, "what `not` turns")) return wrong();
        if (const Constant* constant = checked_.constant(unary.operand)) {
          known(expr, constant_of(Kind::boolean, constant->value == 0 ? 1 : 0));
        }
        return type_of(Kind::boolean);
      }
      case ast::UnaryOp::negate:
        return negate(expr, unary, want);
      case ast::UnaryOp::has:
        return has(expr, unary);
    }
    return wrong();
  }

  Type negate(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want) {
    Type type = check_present(unary.operand, want);
    if (type.kind == Kind::error) return wrong();
    if (!is_quantity(type.kind) || type.list) {
      error("type-mismatch", unary.operand->span,
            fmt::format("`-` takes a number, but `{}` is {}", source(unary.operand),
                        with_article(lang::to_string(type))));
      return wrong();
    }
    if (const Constant* constant = checked_.constant(unary.operand)) {
      std::int64_t negative = 0;
      if (__builtin_sub_overflow(std::int64_t{0}, constant->value, &negative)) return overflow(expr);
      return known(expr, constant_of(type.kind, negative));
    }
    return type;
  }

  Type has(ast::ExprPtr expr, const ast::Unary& unary) {
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

  Type on(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
    switch (binary.op) {
      case ast::BinaryOp::logical_and:
        return logical_and(expr, binary);
      case ast::BinaryOp::logical_or:
        return logical_or(expr, binary, want);
      case ast::BinaryOp::equal:
      case ast::BinaryOp::not_equal:
        return equality(expr, binary);
      case ast::BinaryOp::less:
      case ast::BinaryOp::less_equal:
      case ast::BinaryOp::greater:
      case ast::BinaryOp::greater_equal:
        return order(expr, binary);
      case ast::BinaryOp::in:
        return in(expr, binary);
      case ast::BinaryOp::matches:
        return matches(binary);
      case ast::BinaryOp::add:
      case ast::BinaryOp::subtract:
      case ast::BinaryOp::multiply:
      case ast::BinaryOp::divide:
        return arithmetic(expr, binary, want);
    }
    return wrong();
  }

  Type logical_and(ast::ExprPtr expr, const ast::Binary& binary) {
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

  /// `false and x`, `true or x`: the answer is `decisive`; else that of the other side.
  void fold_logical(ast::ExprPtr expr, const ast::Binary& binary, bool decisive) {
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

  Type logical_or(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
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

  /// Names of what may be absent, without operators.
  static bool is_path(ast::ExprPtr expr) {
    return ast::as<ast::NameRef>(expr) != nullptr || ast::as<ast::Member>(expr) != nullptr ||
           ast::as<ast::Index>(expr) != nullptr || ast::as<ast::Call>(expr) != nullptr;
  }

  Type default_value(const ast::Binary& binary, Type left) {
    Type right = check(binary.right, left.kind);
    if (right.kind == Kind::error) return wrong();
    if (!comparable(left.kind, right.kind) || right.list) {
      mismatch(binary.right, right, left.kind, fmt::format("`{}`", source(binary.left)));
      return wrong();
    }
    return {left.kind == Kind::none ? right.kind : left.kind, right.optional, false};
  }

  /// Checks both sides so that literals and names take their unit and meaning from the other side.
  std::pair<Type, Type> both_sides(const ast::Binary& binary, bool present) {
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

  /// A word that only the other side can give a meaning to: `on-demand = w.flavor`.
  bool is_bare_object(ast::ExprPtr expr) const {
    const auto* name = ast::as<ast::NameRef>(expr);
    if (name == nullptr || local(name->text) != nullptr || name->text == "now" || name->text == "until")
      return false;
    if (place_.scope->find(NameSpace::value, name->text) != nullptr) return false;
    return bare_field(name->text) == nullptr && !row_word(name->text);
  }

  Type equality(ast::ExprPtr expr, const ast::Binary& binary) {
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

  bool can_be_compared(ast::ExprPtr expr, Type type) {
    if (!is_record(type.kind) && !type.list) return true;
    error("type-mismatch", expr->span,
          fmt::format("`{}` is {} and cannot be compared", source(expr), with_article(lang::to_string(type))))
        .help = type.list ? std::string{} : fields_help(type.kind);
    return false;
  }

  static bool is_none(ast::ExprPtr expr) {
    const auto* literal = ast::as<ast::Literal>(expr);
    return literal != nullptr && literal->kind == ast::LiteralKind::none;
  }

  void fold_compared(ast::ExprPtr expr, const ast::Binary& binary) {
    const Constant* left = checked_.constant(binary.left);
    const Constant* right = checked_.constant(binary.right);
    if (left == nullptr || right == nullptr) return;
    known(expr, constant_of(Kind::boolean, fold_comparison(binary.op, *left, *right) ? 1 : 0));
  }

  /// Reports two sides that cannot be compared: at the literal if there is one, else at the right side.
  bool check_comparable(const ast::Binary& binary, Type left, Type right) {
    if (comparable(left.kind, right.kind) && left.list == right.list) return true;
    bool at_left = takes_unit(binary.left) && !takes_unit(binary.right);
    ast::ExprPtr at = at_left ? binary.left : binary.right;
    ast::ExprPtr other = at_left ? binary.right : binary.left;
    mismatch(at, at_left ? left : right, at_left ? right.kind : left.kind,
             fmt::format("`{}`", source(other)));
    return false;
  }

  Type order(ast::ExprPtr expr, const ast::Binary& binary) {
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

  Type in(ast::ExprPtr expr, const ast::Binary& binary) {
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

  Type matches(const ast::Binary& binary) {
    bool left = check_as(binary.left, Kind::text, "what `matches` looks at");
    if (!left) {
      check(binary.right, Kind::text);
      return wrong();
    }
    bool right = check_as(binary.right, Kind::text, "a pattern");
    if (!right) return wrong();
    const Constant* pattern = checked_.constant(binary.right);
    if (pattern == nullptr) {
      error("constant-key", binary.right->span, "a pattern must be known before anything is decided").help =
          "write it in quotes, or name a param";
      return wrong();
    }
    const auto compiled = Pattern::compile(pattern->text);
    if (const auto* problem = std::get_if<PatternProblem>(&compiled)) {
      Span span = binary.right->span;
      bool as_written =
          ast::as<ast::Literal>(binary.right) != nullptr && span.end - span.begin == pattern->text.size() + 2;
      if (as_written) {  // no escapes: offsets in the text are offsets in the source
        std::uint32_t first = span.begin + 1 + static_cast<std::uint32_t>(problem->begin);
        span = {span.source, first,
                first + static_cast<std::uint32_t>(std::max<std::size_t>(problem->length, 1))};
      }
      error("bad-pattern", span, fmt::format("no pattern: {}", problem->message)).help =
          "patterns are RE2: no look-ahead and no back-references, hence linear time";
      return wrong();
    }
    return left ? type_of(Kind::boolean) : wrong();
  }

  Type arithmetic(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want) {
    bool sum = binary.op == ast::BinaryOp::add || binary.op == ast::BinaryOp::subtract;
    Type left;
    Type right;
    bool literals = takes_unit(binary.left) && takes_unit(binary.right);
    if (sum && !literals && want != Kind::instant) {
      std::tie(left, right) = sum_sides(binary, want);
    } else {
      bool plain = is_plain_number(binary.left) && is_plain_number(binary.right);
      std::optional<Kind> wish = sum && !plain ? want : std::nullopt;
      left = check_present(binary.left, wish == Kind::instant ? std::nullopt : wish);
      right = check_present(binary.right, wish == Kind::instant ? std::nullopt : wish);
    }
    if (left.kind == Kind::error || right.kind == Kind::error) return wrong();
    std::optional<Kind> kind;
    if (!left.list && !right.list) kind = arithmetic_kind(binary.op, left.kind, right.kind);
    if (!kind) return no_arithmetic(expr, binary, left, right);
    const Constant* a = checked_.constant(binary.left);
    const Constant* b = checked_.constant(binary.right);
    if (binary.op == ast::BinaryOp::divide && b != nullptr && b->value == 0) {
      error("division-by-zero", binary.right->span, fmt::format("`{}` is zero", source(binary.right)));
      return wrong();
    }
    if (a != nullptr && b != nullptr) {
      Folded folded = fold_arithmetic(binary.op, *a, *b, *kind);
      if (!folded.value) return overflow(expr);
      return known(expr, std::move(*folded.value));
    }
    return type_of(*kind);
  }

  /// `x + 5`: the literal counts what x counts, except beside an instant.
  std::pair<Type, Type> sum_sides(const ast::Binary& binary, std::optional<Kind> want) {
    auto wish = [](Type type) -> std::optional<Kind> {
      if (type.kind == Kind::instant) return Kind::duration;
      if (is_quantity(type.kind)) return type.kind;
      return std::nullopt;
    };
    if (takes_unit(binary.left)) {
      Type right = check_present(binary.right, want);
      return {check_present(binary.left, wish(right)), right};
    }
    Type left = check_present(binary.left, want);
    return {left, check_present(binary.right, takes_unit(binary.right) ? wish(left) : want)};
  }

  Type no_arithmetic(ast::ExprPtr expr, const ast::Binary& binary, Type left, Type right) {
    bool units = is_quantity(left.kind) && is_quantity(right.kind) && !left.list && !right.list;
    (void)expr;
    auto& report =
        error(units ? "unit-mismatch" : "type-mismatch", binary.op_span,
              fmt::format("{} and {} do not go together with `{}`", with_article(lang::to_string(left)),
                          with_article(lang::to_string(right)), all_.source_text(binary.op_span)));
    report.labels.emplace_back(binary.left->span, with_article(lang::to_string(left)));
    report.labels.emplace_back(binary.right->span, with_article(lang::to_string(right)));
    if (binary.op == ast::BinaryOp::multiply && units)
      report.help = "a unit is multiplied by a plain number or a percentage";
    if (binary.op == ast::BinaryOp::divide && units)
      report.help = "a unit is divided by a plain number or by the same unit";
    if (is_text(left.kind) && is_text(right.kind))
      report.help = "texts are joined in `because \"{…} {…}\"` only";
    return wrong();
  }

  Type on(ast::ExprPtr expr, const ast::Conditional& conditional, std::optional<Kind> want) {
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

  // Collections.

  Type on(ast::ExprPtr expr, const ast::Aggregate& aggregate, std::optional<Kind> want) {
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

  Type aggregate_value(const ast::Aggregate& aggregate, std::optional<Kind> want) {
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

  /// False, reported, if the name is taken where it would stand.
  bool declare_local(const ast::Name& name) {
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

  Type on(ast::ExprPtr expr, const ast::List& list, std::optional<Kind> want) {
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

  Type on(ast::ExprPtr expr, const ast::Range& range, std::optional<Kind> want) {
    if (expr != range_) {
      error("type-mismatch", expr->span,
            fmt::format("the range `{}` stands for no single value", source(expr)))
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

  Expressions& all_;
  Checked& checked_;
  Diagnostics& diagnostics_;
  Place& place_;
  bool in_next_ = false;
  ast::ExprPtr range_ = nullptr;  ///< what stands after `in`, where a range may stand
  bool quiet_names_ = false;      ///< the other side, which would give words their meaning, is wrong itself
};

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
