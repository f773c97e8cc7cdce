#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace sluice {

/// How much of one resource: a quota, a request, a usage.
///
/// Unit     cpu in milli-cores, all else in base units (bytes, devices), as Kueue counts:
///          `cpu: 500m` is 500, `memory: 1Ki` is 1024.
/// Range    signed 64 bit (an over-committed queue has a negative rest). The largest value is the sentinel
///          `unlimited`; sums saturate instead of wrapping: a wrapped quota would admit everything.
/// Source   Kueue 0.18+ pkg/resources Amount: a+b is unlimited if either is, else saturating;
///          U-U = 0, U-x = U, x-U = the minimum; unlimited compares above everything.
class Amount {
 public:
  constexpr Amount() = default;
  constexpr explicit Amount(std::int64_t value) : value_(value) {}
  static constexpr Amount unlimited() { return Amount(std::numeric_limits<std::int64_t>::max()); }

  /// A quota: from 2^63-1 (cpu: (2^63-1)/1000 cores) on it is unlimited; parts of a unit round up.
  static Amount quota(std::string_view resource, const Quantity& quantity);
  /// What one pod asks for: rounded up, clamped to int64, negative counts as 0.
  static Amount request(std::string_view resource, const Quantity& quantity);

  constexpr std::int64_t value() const { return value_; }
  constexpr bool is_unlimited() const { return value_ == std::numeric_limits<std::int64_t>::max(); }
  /// `count` pods of this request, saturating.
  Amount times(std::int64_t count) const;

  /// As Kueue prints amounts in messages: cpu `500m` or `4`; memory, ephemeral-storage and hugepages
  /// binary when exact (`4Gi`); others plain; `<unlimited>`.
  std::string to_string(std::string_view resource) const;
  /// As Kueue writes what is requested or used: the same, but the largest number is a number.
  std::string to_quantity(std::string_view resource) const;

  // Inline: walks over quota trees are made of these.
  friend constexpr Amount operator+(Amount a, Amount b) {
    if (a.is_unlimited() || b.is_unlimited()) return unlimited();
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a.value_, b.value_, &sum)) return Amount(sum);
    return Amount(a.value_ > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min());
  }
  friend constexpr Amount operator-(Amount a, Amount b) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    if (a.is_unlimited()) return b.is_unlimited() ? Amount(0) : a;
    if (b.is_unlimited()) return Amount(kLeast);
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a.value_, b.value_, &difference)) return Amount(difference);
    return Amount(a.value_ >= 0 ? std::numeric_limits<std::int64_t>::max() : kLeast);
  }
  friend constexpr auto operator<=>(Amount a, Amount b) = default;

 private:
  std::int64_t value_ = 0;
};

}  // namespace sluice
