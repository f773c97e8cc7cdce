#include "decide/decay.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sluice::decide {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr double kLn2 = 0.693147180559945309417232121458176568;
constexpr double kLog2E = 1.4426950408889634073599246810018920;
// ln 2 in two parts: the upper one has zeros at its end, so that its multiples are exact.
constexpr double kLn2Upper = 0.69314718055966295651160180568695068359375;
constexpr double kLn2Lower = 0.28235290563031577122588448175013436025525412068e-12;

/// e^x for small x: reduced to a sixteenth of ln 2, a Taylor series of eight terms, four times squared.
double exponential(double x) {
  double multiple = std::nearbyint(x * kLog2E);
  x = std::fma(-multiple, kLn2Upper, x);
  x = std::fma(-multiple, kLn2Lower, x);
  x *= 0.0625;
  // 1/8! in the beginning, then 1/7! down to 1/1!.
  double sum = 2.4801587301587301587e-5;
  for (double inverse_factorial : {1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3,
                                   4.1666666666666666667e-2, 1.6666666666666666667e-1, 0.5, 1.0}) {
    sum = std::fma(x, sum, inverse_factorial);
  }
  double less_one = x * sum;  // e^x - 1; squaring e^x is less_one * (less_one + 2)
  for (int i = 0; i < 3; ++i) less_one *= less_one + 2;
  return std::ldexp(std::fma(less_one + 2, less_one, 1.0), static_cast<int>(multiple));
}

/// 0.5^y for y >= 0.
double half_to(double y) {
  if (y == 0.5) return std::sqrt(0.5);
  double whole = 0;
  double part = std::modf(y, &whole);
  if (whole > 2000) return 0;
  if (part > 0.5) {
    part -= 1;
    whole += 1;
  }
  double power = part == 0 ? 1.0 : exponential(part * -kLn2);
  return std::ldexp(power, -static_cast<int>(whole));
}

/// A number of 192 bits, lowest first.
using Limbs = std::array<std::uint64_t, 3>;

Limbs multiply(Wide value, std::uint64_t factor) {
  Wide low = static_cast<Wide>(static_cast<std::uint64_t>(value)) * factor;
  Wide high = (value >> 64) * factor + (low >> 64);
  return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high),
          static_cast<std::uint64_t>(high >> 64)};
}

void divide(Limbs& number, std::uint64_t divisor) {
  Wide remainder = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    Wide part = (remainder << 64) | number[i];
    number[i] = static_cast<std::uint64_t>(part / divisor);
    remainder = part % divisor;
  }
}

}  // namespace

double faded_share(double seconds, double half_life) {
  return half_life == 0 ? 0.0 : 1.0 - half_to(seconds / half_life);
}

Quantity::Nano scale(Quantity::Nano value, double factor) {
  if (factor >= 1) return value;
  if (factor <= 0) return 0;
  std::array<char, 32> text{};
  auto written = std::to_chars(text.data(), text.data() + text.size(), factor, std::chars_format::scientific);
  std::uint64_t mantissa = 0;
  int digits_after_point = 0;
  const char* at = text.data();
  bool after_point = false;
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at - '0');
    if (after_point) ++digits_after_point;
  }
  int exponent = 0;
  std::from_chars(at + 1, written.ptr, exponent);
  int cut = digits_after_point - exponent;  // the factor is mantissa * 10^-cut, and below 1

  bool negative = value < 0;
  Limbs product = multiply(static_cast<Wide>(negative ? -value : value), mantissa);
  // Rounding down in several steps is rounding down once.
  while (cut > 0 && (product[0] | product[1] | product[2]) != 0) {
    std::uint64_t power = 1;
    for (int digits = std::min(cut, 19); digits > 0; --digits, --cut) power *= 10;
    divide(product, power);
  }
  auto result = static_cast<Quantity::Nano>((static_cast<Wide>(product[1]) << 64) | product[0]);
  return negative ? -result : result;
}

double approximate(const Quantity& quantity) {
  Quantity::Nano number = quantity.nano();
  if (number == 0) return 0;
  int exponent = -9;
  while (number % 1000 == 0) {
    number /= 1000;
    exponent += 3;
  }
  constexpr std::array<double, 4> kBelowOne = {1e-9, 1e-6, 1e-3, 1};
  auto base = static_cast<double>(number);
  if (exponent <= 0) return base * kBelowOne[static_cast<std::size_t>(exponent + 9) / 3];
  return base * std::pow(10.0, exponent);
}

}  // namespace sluice::decide
