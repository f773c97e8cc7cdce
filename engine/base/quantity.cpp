#include "base/quantity.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace sluice {
namespace {

using Nano = Quantity::Nano;

constexpr std::int64_t kNanoPerUnit = 1'000'000'000;
constexpr std::int64_t kNanoPerMilli = 1'000'000;
constexpr Nano kCap = static_cast<Nano>(std::numeric_limits<std::int64_t>::max()) * kNanoPerUnit;
constexpr Nano kFloor = static_cast<Nano>(std::numeric_limits<std::int64_t>::min()) * kNanoPerUnit;

struct Suffix {
  std::string_view text;
  int base;      // 10 or 2
  int exponent;  // of the base
};
constexpr std::array<Suffix, 16> kSuffixes = {{
    {"", 10, 0},   {"n", 10, -9}, {"u", 10, -6}, {"m", 10, -3}, {"k", 10, 3},  {"M", 10, 6},
    {"G", 10, 9},  {"T", 10, 12}, {"P", 10, 15}, {"E", 10, 18}, {"Ki", 2, 10}, {"Mi", 2, 20},
    {"Gi", 2, 30}, {"Ti", 2, 40}, {"Pi", 2, 50}, {"Ei", 2, 60},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits with a decimal exponent: value = digits * 10^exponent, exactly. Digits are few thousand at the most.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};

/// value * 10^9 * 2^shift, rounded away from zero, capped: an int64 reaches one unit further below zero.
Nano to_nano(const Decimal& decimal, int shift) {
  std::int64_t exponent = decimal.exponent + 9;
  Nano value = 0;
  bool rest = false;
  // Digits that stand right of 10^0 after scaling are cut and only decide the rounding. A binary suffix
  // multiplies first, which may move them left again: keep what the shift can bring back.
  std::size_t keep = decimal.digits.size();
  if (shift == 0 && exponent < 0) {
    auto cut = static_cast<std::size_t>(std::min<std::int64_t>(-exponent, static_cast<std::int64_t>(keep)));
    keep -= cut;
    exponent = 0;
    rest = decimal.digits.find_first_not_of('0', keep) != std::string::npos;
  }
  constexpr Nano kLimit = kCap * 10;  // room to see an overflow before it wraps
  for (std::size_t i = 0; i < keep; ++i) {
    value = value * 10 + (decimal.digits[i] - '0');
    if (value > kLimit) return -kFloor;
  }
  if (value == 0 && !rest) return 0;
  for (int i = 0; i < shift; ++i) {
    value *= 2;
    if (value > (kLimit << 28)) {
      if (exponent >= 0) return -kFloor;
      // Still to be divided by a power of ten: give up low digits, remember that they were there.
      rest = rest || value % 10 != 0;
      value /= 10;
      ++exponent;
    }
  }
  for (; exponent > 0 && value <= -kFloor; --exponent) value *= 10;
  for (; exponent < 0; ++exponent) {
    rest = rest || value % 10 != 0;
    value /= 10;
    if (value == 0) break;
  }
  if (rest) ++value;
  return std::min(value, -kFloor);
}

std::int64_t round_up(Nano nano, std::int64_t unit) {
  Nano quotient = nano / unit;
  Nano remainder = nano % unit;
  if (remainder > 0) ++quotient;
  if (remainder < 0) --quotient;
  constexpr Nano max = std::numeric_limits<std::int64_t>::max();
  constexpr Nano min = -max;  // whoever turns its sign round must not overflow
  return static_cast<std::int64_t>(std::clamp(quotient, min, max));
}

std::string digits_of(Nano value) {
  if (value == 0) return "0";
  std::string text;
  for (; value > 0; value /= 10) text.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace

Quantity Quantity::from_nano(Nano nano, Format format) {
  Quantity q;
  q.nano_ = std::clamp(nano, kFloor, kCap);
  q.format_ = format;
  return q;
}

Quantity Quantity::from_units(std::int64_t units, Format format) {
  return from_nano(static_cast<Nano>(units) * kNanoPerUnit, format);
}

Quantity Quantity::from_milli(std::int64_t milli, Format format) {
  return from_nano(static_cast<Nano>(milli) * kNanoPerMilli, format);
}

std::optional<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  bool negative = text.front() == '-';
  std::size_t at = text.front() == '-' || text.front() == '+' ? 1 : 0;

  Decimal decimal;
  bool any_digit = false;
  auto take_digits = [&] {
    std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    decimal.digits.append(text.substr(from, at - from));
    any_digit = any_digit || at > from;
    return at - from;
  };
  take_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    decimal.exponent = -static_cast<std::int64_t>(take_digits());
  }
  if (!any_digit) return std::nullopt;
  decimal.digits.erase(0, std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size()));

  std::string_view suffix = text.substr(at);
  Format format = Format::decimal_si;
  int shift = 0;
  const auto* known = std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& s) { return s.text == suffix; });
  if (known != kSuffixes.end()) {
    if (known->base == 10) {
      decimal.exponent += known->exponent;
    } else {
      format = Format::binary_si;
      shift = known->exponent;
    }
  } else if (suffix.size() > 1 && (suffix[0] == 'e' || suffix[0] == 'E')) {
    format = Format::decimal_exponent;
    std::string_view number = suffix.substr(1);
    bool minus = number[0] == '-';
    if (number[0] == '-' || number[0] == '+') number.remove_prefix(1);
    if (number.empty() || !std::all_of(number.begin(), number.end(), is_digit)) return std::nullopt;
    if (number.size() > 9) return std::nullopt;  // beyond int32, as Kubernetes refuses it
    std::int64_t exponent = 0;
    for (char c : number) exponent = exponent * 10 + (c - '0');
    decimal.exponent += minus ? -exponent : exponent;
  } else {
    return std::nullopt;
  }
  if (decimal.digits.empty()) return from_nano(0, format);
  Nano nano = to_nano(decimal, shift);
  if (format == Format::binary_si && nano < kNanoPerUnit) format = Format::decimal_si;
  return from_nano(negative ? -nano : nano, format);
}

std::int64_t Quantity::value() const { return round_up(nano_, kNanoPerUnit); }
std::int64_t Quantity::milli_value() const { return round_up(nano_, kNanoPerMilli); }

double Quantity::to_double() const {
  // Exact up to 2^53 nano: then there is one rounding, that of the division.
  return static_cast<double>(nano_) / static_cast<double>(kNanoPerUnit);
}

std::string Quantity::to_string() const {
  if (nano_ == 0) return "0";
  Nano magnitude = nano_ < 0 ? -nano_ : nano_;
  std::string sign = nano_ < 0 ? "-" : "";
  if (format_ == Format::binary_si && magnitude % kNanoPerUnit == 0 &&
      magnitude >= static_cast<Nano>(1024) * kNanoPerUnit) {
    static constexpr std::array<const char*, 7> names = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    Nano units = magnitude / kNanoPerUnit;
    std::size_t power = 0;
    while (units % 1024 == 0 && power + 1 < names.size()) {
      units /= 1024;
      ++power;
    }
    return sign + digits_of(units) + names[power];
  }
  int exponent = -9;
  while (magnitude % 1000 == 0 && exponent < 18) {
    magnitude /= 1000;
    exponent += 3;
  }
  if (format_ == Format::decimal_exponent) {
    return sign + digits_of(magnitude) + (exponent == 0 ? std::string() : "e" + std::to_string(exponent));
  }
  static constexpr std::array<const char*, 10> names = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  return sign + digits_of(magnitude) + names[static_cast<std::size_t>(exponent + 9) / 3];
}

Quantity operator+(Quantity a, Quantity b) {
  return Quantity::from_nano(a.nano_ + b.nano_, a.nano_ == 0 ? b.format_ : a.format_);
}
Quantity operator-(Quantity a, Quantity b) {
  return Quantity::from_nano(a.nano_ - b.nano_, a.nano_ == 0 ? b.format_ : a.format_);
}

}  // namespace sluice
