#include "base/time.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

namespace sluice {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
// In the language `m` would be milli, so minutes are `min`. Largest first.
constexpr std::array<Unit, 7> kUnits = {{
    {"d", 86'400'000'000'000}, {"h", 3'600'000'000'000}, {"min", 60'000'000'000}, {"s", 1'000'000'000},
    {"ms", 1'000'000},         {"us", 1'000},            {"ns", 1},
}};

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
  std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::string_view take_letters(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= 'a' && text[n] <= 'z') ++n;
  std::string_view letters = text.substr(0, n);
  text.remove_prefix(n);
  return letters;
}

std::optional<std::int64_t> to_number(std::string_view digits) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

/// Exactly `width` digits.
std::optional<int> take_fixed(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int value = 0;
  for (char c : text.substr(0, width)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Duration> Duration::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    auto number = to_number(take_digits(text));
    std::string_view name = take_letters(text);
    if (!number || name.empty()) return std::nullopt;
    std::size_t unit = next_unit;
    while (unit < kUnits.size() && kUnits[unit].name != name) ++unit;
    if (unit == kUnits.size()) return std::nullopt;
    std::int64_t part = 0;
    if (__builtin_mul_overflow(*number, kUnits[unit].ns, &part)) return std::nullopt;
    if (__builtin_add_overflow(total, part, &total)) return std::nullopt;
    next_unit = unit + 1;
  }
  return Duration{total};
}

std::optional<Duration> Duration::parse_go(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return Duration{0};
  if (text.empty()) return std::nullopt;
  __extension__ typedef __int128 Wide;
  Wide total = 0;
  while (!text.empty()) {
    std::string_view whole = take_digits(text);
    std::string_view fraction;
    if (take(text, '.')) fraction = take_digits(text);
    if (whole.empty() && fraction.empty()) return std::nullopt;
    if (whole.size() > 18) return std::nullopt;
    std::string_view name = take_letters(text);
    std::int64_t unit = 0;
    for (const Unit& u : kUnits) {
      if (u.name == name && u.name != "d" && u.name != "min") unit = u.ns;
    }
    if (name == "m") unit = 60'000'000'000;
    if (unit == 0) return std::nullopt;
    Wide part = 0;
    for (char c : whole) part = part * 10 + (c - '0');
    part *= unit;
    Wide scale = unit;
    for (char c : fraction) {
      scale /= 10;
      part += scale * (c - '0');
    }
    total += part;
    if (total > INT64_MAX) return std::nullopt;
  }
  return Duration{static_cast<std::int64_t>(negative ? -total : total)};
}

std::string Duration::to_string() const {
  if (ns == 0) return "0s";
  std::string text = ns < 0 ? "-" : "";
  std::uint64_t rest = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  for (const Unit& unit : kUnits) {
    auto size = static_cast<std::uint64_t>(unit.ns);
    if (rest >= size) text += fmt::format("{}{}", rest / size, unit.name);
    rest %= size;
  }
  return text;
}

std::optional<Instant> Instant::parse(std::string_view text) {
  auto year = take_fixed(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  auto month = take_fixed(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  auto day = take_fixed(text, 2);
  if (!day || !(take(text, 'T') || take(text, 't'))) return std::nullopt;
  auto hour = take_fixed(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  auto minute = take_fixed(text, 2);
  if (!minute || !take(text, ':')) return std::nullopt;
  auto second = take_fixed(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  std::int64_t nanos = 0;
  if (take(text, '.')) {
    std::string_view digits = take_digits(text);
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    std::int64_t scale = 100'000'000;
    for (char c : digits) {
      nanos += scale * (c - '0');
      scale /= 10;
    }
  }
  std::int64_t offset_minutes = 0;
  if (!(take(text, 'Z') || take(text, 'z'))) {
    bool west = !text.empty() && text.front() == '-';
    if (!(take(text, '+') || take(text, '-'))) return std::nullopt;
    auto hours = take_fixed(text, 2);
    if (!hours || !take(text, ':')) return std::nullopt;
    auto minutes = take_fixed(text, 2);
    if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
    offset_minutes = (*hours * 60 + *minutes) * (west ? -1 : 1);
  }
  if (!text.empty()) return std::nullopt;
  // int64 nanoseconds reach from 1677-09-21 to 2262-04-11.
  if (*year < 1678 || *year > 2261) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                   std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  std::int64_t seconds = ((days * 24 + *hour) * 60 + *minute - offset_minutes) * 60 + *second;
  return Instant{seconds * 1'000'000'000 + nanos};
}

bool Instant::is_out_of_range(std::string_view text) {
  constexpr std::size_t kYear = 4;
  if (text.size() < kYear || parse(text)) return false;
  std::string_view year = text.substr(0, kYear);
  if (take_digits(year).size() != kYear) return false;
  return parse("2000" + std::string(text.substr(kYear))).has_value();
}

std::optional<Instant> checked_sum(Instant t, Duration d) {
  static const Instant first = *Instant::parse("1678-01-01T00:00:00Z");
  static const Instant last = *Instant::parse("2261-12-31T23:59:59.999999999Z");
  Instant sum;
  if (__builtin_add_overflow(t.ns, d.ns, &sum.ns) || sum < first || sum > last) return std::nullopt;
  return sum;
}

std::string Instant::to_string() const {
  std::int64_t seconds = ns / 1'000'000'000;
  std::int64_t nanos = ns % 1'000'000'000;
  if (nanos < 0) {
    nanos += 1'000'000'000;
    --seconds;
  }
  auto time = std::chrono::sys_seconds(std::chrono::seconds(seconds));
  auto day = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day date(day);
  std::int64_t of_day = (time - day).count();
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 of_day / 3600, of_day / 60 % 60, of_day % 60);
  if (nanos != 0) {
    std::string fraction = fmt::format("{:09}", nanos);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += "." + fraction;
  }
  return text + "Z";
}

}  // namespace sluice
