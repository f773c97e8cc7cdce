#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace sluice {

/// Local time somewhere, with its daylight saving: `Europe/Paris`, `UTC`.
/// Source: the zone files of the machine (tzdata), read by `load`.
class TimeZone {
 public:
  /// Empty if there is no such zone.
  static std::optional<TimeZone> load(std::string_view name);
  ~TimeZone();
  TimeZone(TimeZone&&) noexcept;
  TimeZone& operator=(TimeZone&&) noexcept;

  /// Seconds since local midnight, 0 to 86,399, as a clock on the wall shows them.
  std::int64_t second_of_day(Instant t) const;
  /// 0 is Monday.
  std::int64_t weekday(Instant t) const;
  /// The first instant after `t` at which the clock on the wall shows `second` of the day (0 to 86,400), or at which
  /// it is put forward or back, whichever comes first: between two such instants it does not pass `second`.
  Instant next(Instant t, std::int64_t second) const;

 private:
  struct Impl;
  explicit TimeZone(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace sluice
