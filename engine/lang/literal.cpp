#include "lang/literal.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

#include "base/quantity.hpp"
#include "base/time.hpp"

namespace sluice::lang {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr Quantity::Nano kNanoPerUnit = 1'000'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The number without its suffix.
std::string_view mantissa(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.' || text[end] == '_')) ++end;
  return text.substr(0, end);
}

LiteralValue problem(LiteralProblem what) {
  return {0, what};
}

/// `text` times `scale` as a whole number; the text is a decimal number without suffix.
LiteralValue scaled(std::string_view text, std::int64_t scale) {
  std::int64_t whole_number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole_number);
  if (error == std::errc{} && end == text.data() + text.size()) {  // also 2^63-1, where quantities are capped
    std::int64_t value = 0;
    if (__builtin_mul_overflow(whole_number, scale, &value)) return problem(LiteralProblem::overflow);
    return {value, std::nullopt};
  }
  std::optional<Quantity> quantity = Quantity::parse(text);
  if (!quantity) return problem(LiteralProblem::malformed);
  if (quantity->value() == std::numeric_limits<std::int64_t>::max()) return problem(LiteralProblem::overflow);
  Quantity::Nano whole = quantity->nano() / kNanoPerUnit;
  Quantity::Nano rest = quantity->nano() % kNanoPerUnit;
  if (rest * scale % kNanoPerUnit != 0) return problem(LiteralProblem::fraction);
  Quantity::Nano value = whole * scale + rest * scale / kNanoPerUnit;
  if (value > std::numeric_limits<std::int64_t>::max()) return problem(LiteralProblem::overflow);
  return {static_cast<std::int64_t>(value), std::nullopt};
}

}  // namespace

Suffix suffix_of(std::string_view text) {
  std::string_view rest = text.substr(mantissa(text).size());
  if (rest.empty()) return Suffix::none;
  if (rest == "%") return Suffix::percent;
  if (rest == "m") return Suffix::milli;
  if ((rest[0] == 'e' || rest[0] == 'E') && rest.size() > 1 && rest[1] != 'i') return Suffix::none;
  if (rest.size() == 1 && std::string_view("kMGTPEnu").find(rest[0]) != std::string_view::npos) {
    return Suffix::decimal;
  }
  if (rest.size() == 2 && rest[1] == 'i' &&
      std::string_view("KMGTPE").find(rest[0]) != std::string_view::npos) {
    return Suffix::binary;
  }
  return Duration::parse(text) ? Suffix::duration : Suffix::unknown;
}

LiteralValue read_literal(std::string_view text, Kind kind) {
  Suffix suffix = suffix_of(text);
  if (suffix == Suffix::unknown) return problem(LiteralProblem::malformed);
  switch (kind) {
    case Kind::duration: {
      if (suffix != Suffix::duration) return problem(LiteralProblem::wrong_unit);
      std::optional<Duration> duration = Duration::parse(text);
      if (!duration) return problem(LiteralProblem::overflow);
      return {duration->ns, std::nullopt};
    }
    case Kind::percent:
      if (suffix != Suffix::percent) return problem(LiteralProblem::wrong_unit);
      return scaled(mantissa(text), kMillion / 100);
    case Kind::money:
      if (suffix != Suffix::none) return problem(LiteralProblem::wrong_unit);
      return scaled(text, kMillion);
    case Kind::cpu:
      if (suffix == Suffix::binary || suffix == Suffix::percent || suffix == Suffix::duration) {
        return problem(LiteralProblem::wrong_unit);
      }
      return scaled(text, 1000);
    case Kind::memory:
      if (suffix == Suffix::milli || suffix == Suffix::percent || suffix == Suffix::duration) {
        return problem(LiteralProblem::wrong_unit);
      }
      return scaled(text, 1);
    case Kind::number:
    case Kind::devices:
      if (suffix != Suffix::none && suffix != Suffix::decimal) return problem(LiteralProblem::wrong_unit);
      return scaled(text, 1);
    case Kind::error:
    case Kind::none:
    case Kind::boolean:
    case Kind::instant:
    case Kind::time_of_day:
    case Kind::clock_range:
    case Kind::weekday:
    case Kind::text:
    case Kind::flavor_name:
    case Kind::queue_name:
    case Kind::cohort_name:
    case Kind::resource_name:
    case Kind::check_name:
    case Kind::level_name:
    case Kind::labels:
    case Kind::workload:
    case Kind::name_space:
    case Kind::pod_set:
    case Kind::queue:
    case Kind::flavor:
    case Kind::assignment:
    case Kind::shape:
    case Kind::domain:
      return problem(LiteralProblem::wrong_unit);
  }
  return problem(LiteralProblem::wrong_unit);
}

Kind natural_kind(std::string_view text) {
  switch (suffix_of(text)) {
    case Suffix::none:
      return Kind::number;
    case Suffix::milli:
      return Kind::cpu;
    case Suffix::decimal:
    case Suffix::binary:
      return Kind::memory;
    case Suffix::percent:
      return Kind::percent;
    case Suffix::duration:
      return Kind::duration;
    case Suffix::unknown:
      return Kind::error;
  }
  return Kind::error;
}

std::string value_text(Kind kind, std::int64_t value) {
  switch (kind) {
    case Kind::boolean:
      return value != 0 ? "true" : "false";
    case Kind::percent:
      return value % 10'000 == 0 ? fmt::format("{}%", value / 10'000)
                                 : fmt::format("{:g}%", static_cast<double>(value) / 1e4);
    case Kind::cpu:
      return Quantity::from_milli(value).to_string();
    case Kind::memory:
      return Quantity::from_units(value, Quantity::Format::binary_si).to_string();
    case Kind::money:
      return fmt::format("{}.{:02}", value / kMillion, value % kMillion / 10'000);
    case Kind::duration:
      return Duration{value}.to_string();
    case Kind::instant:
      return Instant{value}.to_string();
    case Kind::time_of_day:
      return fmt::format("{:02}:{:02}", value / 3600, value / 60 % 60);
    case Kind::weekday:
      return value >= 0 && value < 7 ? weekday_words[static_cast<std::size_t>(value)] : std::to_string(value);
    case Kind::none:
      return "none";
    case Kind::error:
    case Kind::number:
    case Kind::devices:
    case Kind::clock_range:
    case Kind::text:
    case Kind::flavor_name:
    case Kind::queue_name:
    case Kind::cohort_name:
    case Kind::resource_name:
    case Kind::check_name:
    case Kind::level_name:
    case Kind::labels:
    case Kind::workload:
    case Kind::name_space:
    case Kind::pod_set:
    case Kind::queue:
    case Kind::flavor:
    case Kind::assignment:
    case Kind::shape:
    case Kind::domain:
      return std::to_string(value);
  }
  return std::to_string(value);
}

}  // namespace sluice::lang
