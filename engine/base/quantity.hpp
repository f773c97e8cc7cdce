#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// A Kubernetes resource.Quantity: an exact decimal number.
///
/// Unit     10^-9 of the resource's base unit (cores, bytes, pieces); finer parts round up (away from zero),
///          values beyond 2^63-1 base units are capped there, as `ParseQuantity` does.
/// Source   Kubernetes API conventions, "Quantity"; apimachinery pkg/api/resource.
class Quantity {
 public:
  enum class Format : std::uint8_t { decimal_si, binary_si, decimal_exponent };

  constexpr Quantity() = default;
  static Quantity from_units(std::int64_t units, Format format = Format::decimal_si);
  static Quantity from_milli(std::int64_t milli, Format format = Format::decimal_si);

  /// `500m`, `20Gi`, `1.5`, `1e3`, `12E`, `+1`, `-1`. Empty if the text is no quantity.
  static std::optional<Quantity> parse(std::string_view text);

  /// Value() and MilliValue() of Kubernetes: rounded up, saturating at the ends of int64.
  std::int64_t value() const;
  std::int64_t milli_value() const;
  /// The nearest double.
  double to_double() const;

  bool is_zero() const { return nano_ == 0; }
  bool is_negative() const { return nano_ < 0; }
  __extension__ typedef __int128 Nano;
  Nano nano() const { return nano_; }
  static Quantity from_nano(Nano nano, Format format = Format::decimal_si);

  /// Kubernetes' canonical form, e.g. `500m`, `4Gi`, `1500m`.
  std::string to_string() const;

  friend Quantity operator+(Quantity a, Quantity b);  ///< keeps the format of `a` unless `a` is zero
  friend Quantity operator-(Quantity a, Quantity b);
  friend bool operator==(Quantity a, Quantity b) { return a.nano_ == b.nano_; }
  friend auto operator<=>(Quantity a, Quantity b) { return a.nano_ <=> b.nano_; }

 private:
  Nano nano_ = 0;
  Format format_ = Format::decimal_si;
};

}  // namespace sluice
