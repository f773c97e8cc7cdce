#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lang/types.hpp"

/// Numbers with units as a policy writes them, and values as messages show them.
namespace sluice::lang {

/// Their places are the values of weekdays.
inline constexpr std::array weekday_words = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

/// What the suffix of a number says. `16`, `1.5`, `1e3` are plain and take the unit of their place.
enum class Suffix : std::uint8_t { none, milli, decimal, binary, percent, duration, unknown };
Suffix suffix_of(std::string_view text);

enum class LiteralProblem : std::uint8_t {
  wrong_unit,  ///< the suffix belongs to another unit: `75Gi` cores
  fraction,    ///< `1.5` devices
  overflow,    ///< does not fit in 63 bits
  malformed,
};

struct LiteralValue {
  std::int64_t value = 0;
  std::optional<LiteralProblem> problem;
};

/// The value of `text` where a `kind` is expected, in the kind's unit (types.def). Whole numbers of devices and
/// plain numbers may carry k, M, G …; cpu may carry `m`; only memory Ki, Mi, Gi …. No sign.
LiteralValue read_literal(std::string_view text, Kind kind);

/// The kind of a literal by its own text, where nothing else tells: `20Gi` memory, `500m` cpu, `2h` duration.
Kind natural_kind(std::string_view text);

/// A value as messages show it: `75Gi`, `500m`, `2h30min`, `80%`, `08:00`, `mon`. For texts the symbol's number.
std::string value_text(Kind kind, std::int64_t value);

}  // namespace sluice::lang
