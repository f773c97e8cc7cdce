#include "base/time_zone.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <absl/time/civil_time.h>
#include <absl/time/time.h>

namespace sluice {

struct TimeZone::Impl {
  absl::TimeZone zone;
};

TimeZone::TimeZone(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
TimeZone::~TimeZone() = default;
TimeZone::TimeZone(TimeZone&&) noexcept = default;
TimeZone& TimeZone::operator=(TimeZone&&) noexcept = default;

std::optional<TimeZone> TimeZone::load(std::string_view name) {
  // absl reads "" as UTC and "localtime" as what the machine is set to; a policy may depend on neither.
  if (name.empty() || name == "localtime") return std::nullopt;
  absl::TimeZone zone;
  if (!absl::LoadTimeZone(std::string(name), &zone)) return std::nullopt;
  return TimeZone(std::make_unique<const Impl>(Impl{zone}));
}

std::int64_t TimeZone::second_of_day(Instant t) const {
  const absl::CivilSecond local = impl_->zone.At(absl::FromUnixNanos(t.ns)).cs;
  return local.hour() * 3600 + local.minute() * 60 + local.second();
}

std::int64_t TimeZone::weekday(Instant t) const {
  const absl::CivilSecond local = impl_->zone.At(absl::FromUnixNanos(t.ns)).cs;
  return static_cast<std::int64_t>(absl::GetWeekday(local));
}

Instant TimeZone::next(Instant t, std::int64_t second) const {
  const absl::Time from = absl::FromUnixNanos(t.ns);
  absl::Time best = absl::InfiniteFuture();
  const auto consider = [&](absl::Time at) {
    if (at > from) best = std::min(best, at);
  };
  const absl::CivilDay today(impl_->zone.At(from).cs);
  for (int days = -1; days <= 2; ++days) {
    const absl::TimeZone::TimeInfo shown = impl_->zone.At(absl::CivilSecond(today + days) + second);
    consider(shown.pre);
    consider(shown.post);
  }
  absl::TimeZone::CivilTransition change;
  if (impl_->zone.NextTransition(from, &change)) consider(impl_->zone.At(std::min(change.from, change.to)).trans);
  return best == absl::InfiniteFuture() ? Instant{std::numeric_limits<std::int64_t>::max()}
                                        : Instant{absl::ToUnixNanos(best)};
}

}  // namespace sluice
