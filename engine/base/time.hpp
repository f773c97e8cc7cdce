#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// A span of time. Unit: nanoseconds, signed; about ±292 years.
struct Duration {
  std::int64_t ns = 0;

  static constexpr Duration seconds(std::int64_t s) { return {s * 1'000'000'000}; }
  /// Reads the language's form: `90s`, `10min`, `2h30min`, `7d`, `500ms`. Units descend, each at most once.
  /// Empty for anything else, for `10m` (ten milli) and on overflow.
  static std::optional<Duration> parse(std::string_view text);
  /// Reads Go's form as Kubernetes uses it: `1h30m`, `1.5s`, `300ms`.
  static std::optional<Duration> parse_go(std::string_view text);
  /// `2h30min`, `7d`, `0s`; the shortest text that `parse` reads back.
  std::string to_string() const;

  friend constexpr auto operator<=>(Duration, Duration) = default;
};

/// A point in time. Unit: nanoseconds since 1970-01-01T00:00:00Z.
struct Instant {
  std::int64_t ns = 0;

  /// RFC 3339 with `Z` or an offset; fractions of a second up to nine digits. Years 1678 to 2261.
  static std::optional<Instant> parse(std::string_view text);
  /// Is this RFC 3339, too, but of a year that `parse` does not take?
  static bool is_out_of_range(std::string_view text);
  /// `2026-01-01T00:00:00Z`; fractions only if there are any.
  std::string to_string() const;

  friend constexpr auto operator<=>(Instant, Instant) = default;
};

constexpr Instant operator+(Instant t, Duration d) { return {t.ns + d.ns}; }
constexpr Instant operator-(Instant t, Duration d) { return {t.ns - d.ns}; }
/// Empty where the sum lies behind the year 2261 or before 1678.
std::optional<Instant> checked_sum(Instant t, Duration d);
constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }

}  // namespace sluice
