#include "program/value.hpp"

#include <array>

#include <fmt/format.h>

#include "base/amount.hpp"
#include "base/time.hpp"

namespace sluice::program {

namespace {

/// Millionths as a decimal number without trailing zeros.
std::string decimal(std::int64_t millionths) {
  const bool negative = millionths < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(millionths) : static_cast<std::uint64_t>(millionths);
  std::string text = fmt::format("{}{}", negative ? "-" : "", size / 1'000'000);
  if (size % 1'000'000 == 0) return text;
  text += fmt::format(".{:06}", size % 1'000'000);
  while (text.back() == '0') text.pop_back();
  return text;
}

std::string clock(std::int64_t second) {
  const std::int64_t rest = second % 60;
  const std::string text = fmt::format("{:02}:{:02}", second / 3600, second / 60 % 60);
  return rest == 0 ? text : fmt::format("{}:{:02}", text, rest);
}

std::string percent(std::int64_t millionths) {
  // A percent is 10,000 millionths; decimal() shows millionths, so four digits move.
  if (millionths % 10'000 == 0) return fmt::format("{}%", millionths / 10'000);
  return fmt::format("{}%", static_cast<double>(millionths) / 10'000.0);
}

}  // namespace

std::string to_string(ValueKind kind, std::int64_t value) {
  switch (kind) {
    case ValueKind::boolean: return value != 0 ? "true" : "false";
    case ValueKind::number:
    case ValueKind::devices: return fmt::format("{}", value);
    case ValueKind::percent: return percent(value);
    case ValueKind::cpu: return Amount(value).to_string("cpu");
    case ValueKind::memory: return Amount(value).to_string("memory");
    case ValueKind::money: return decimal(value);
    case ValueKind::duration: return Duration{value}.to_string();
    case ValueKind::instant: return Instant{value}.to_string();
    case ValueKind::time_of_day: return clock(value);
    case ValueKind::clock_range: return clock(value >> 32) + ".." + clock(value & 0xffffffff);
    case ValueKind::weekday: {
      constexpr std::array<std::string_view, 7> names = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
      return value >= 0 && value < 7 ? std::string(names[static_cast<std::size_t>(value)]) : fmt::format("{}", value);
    }
    case ValueKind::text:
    case ValueKind::row: break;
  }
  return fmt::format("#{}", value);
}

std::string_view to_string(ValueKind kind) {
  constexpr std::array<std::string_view, 14> names = {
      "bool",  "number",   "percent", "cpu",         "memory",      "count",   "money",
      "duration", "instant", "time of day", "clock range", "weekday", "string", "row"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace sluice::program
