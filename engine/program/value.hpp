#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::program {

/// What a register can hold; all the VM and the verifier need to know.
enum class ValueType : std::uint8_t { boolean, integer, text, row };

/// What a value means, for text: `because`, the REPL, constants in a listing.
enum class ValueKind : std::uint8_t {
  boolean,
  number,
  percent,      ///< millionths
  cpu,          ///< milli-cores
  memory,       ///< bytes
  devices,      ///< pieces
  money,        ///< millionths of the currency unit
  duration,     ///< nanoseconds
  instant,      ///< nanoseconds since 1970-01-01T00:00:00Z
  time_of_day,  ///< seconds since midnight
  clock_range,  ///< see `pack_range`
  weekday,      ///< 0 is Monday
  text,
  row,
};

constexpr ValueType type_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::boolean: return ValueType::boolean;
    case ValueKind::text: return ValueType::text;
    case ValueKind::row: return ValueType::row;
    case ValueKind::number:
    case ValueKind::percent:
    case ValueKind::cpu:
    case ValueKind::memory:
    case ValueKind::devices:
    case ValueKind::money:
    case ValueKind::duration:
    case ValueKind::instant:
    case ValueKind::time_of_day:
    case ValueKind::clock_range:
    case ValueKind::weekday: break;
  }
  return ValueType::integer;
}

/// A clock range as one integer: seconds of the day, `from` in the upper 32 bits, `to` (excluded) in the lower.
constexpr std::int64_t pack_range(std::int64_t from, std::int64_t to) { return (from << 32) | to; }
/// Whether a second of the day lies in a packed range; `22:00..06:00` passes midnight, `08:00..08:00` is empty.
constexpr bool in_range(std::int64_t second, std::int64_t range) {
  const std::int64_t from = range >> 32;
  const std::int64_t to = range & 0xffffffff;
  return from <= to ? from <= second && second < to : second >= from || second < to;
}

/// A value as the language writes it: `16`, `20Gi`, `2h30min`, `80%`, `08:00`, `mon`. Not for text and row.
std::string to_string(ValueKind kind, std::int64_t value);
std::string_view to_string(ValueKind kind);

}  // namespace sluice::program
