#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sluice::report {
namespace {

constexpr std::array<std::string_view, 7> binary_suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

bool counts_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource == "storage" ||
         resource.starts_with("hugepages-");
}

/// The largest power of 1024 that divides `bytes`.
int exact_power(std::int64_t bytes) {
  int power = 0;
  while (bytes != 0 && bytes % 1024 == 0 && power < 6) {
    bytes /= 1024;
    ++power;
  }
  return power;
}

std::string bytes_text(std::int64_t bytes, int power) {
  std::int64_t value = bytes;
  for (int i = 0; i < power; ++i) value /= 1024;
  return value == 0 ? "0" : fmt::format("{}{}", value, binary_suffixes[static_cast<std::size_t>(power)]);
}

/// Decimal where binary units cannot say it: `1500M`.
std::string decimal_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 7> suffixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t power = 0;
  while (bytes != 0 && bytes % 1000 == 0 && power < 6) {
    bytes /= 1000;
    ++power;
  }
  return fmt::format("{}{}", bytes, suffixes[power]);
}

std::string cores_text(std::int64_t milli) {
  std::int64_t rest = milli % 1000;
  if (rest == 0) return fmt::format("{}", milli / 1000);
  std::string digits = fmt::format("{:03}", rest < 0 ? -rest : rest);
  digits.erase(digits.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}", milli < 0 ? "-" : "", milli / 1000 < 0 ? -(milli / 1000) : milli / 1000,
                     digits);
}

/// Beyond this a number is no longer compared by eye: an "infinite" quota keeps its own unit.
constexpr std::int64_t comparable = 100'000'000;

}  // namespace

void Units::see(std::string_view resource, Amount amount) {
  if (!counts_bytes(resource) || amount.is_unlimited() || amount.value() == 0) return;
  int power = exact_power(amount.value());
  std::int64_t whole = amount.value() >> (10 * power);
  if (whole >= comparable) return;
  auto [found, added] = binary_.emplace(resource, power);
  if (!added) found->second = std::min(found->second, power);
}

std::string Units::text(std::string_view resource, Amount amount) const {
  auto found = binary_.find(resource);
  if (found == binary_.end() || amount.is_unlimited()) return amount_text(resource, amount);
  int power = found->second;
  bool is_exact = exact_power(amount.value()) >= power;
  std::int64_t whole = amount.value() / (std::int64_t{1} << (10 * power));
  if (!is_exact || whole >= comparable) return amount_text(resource, amount);
  return bytes_text(amount.value(), power);
}

std::string amount_text(std::string_view resource, Amount amount) {
  if (amount.is_unlimited()) return "unlimited";
  if (resource == "cpu") return cores_text(amount.value());
  if (counts_bytes(resource)) {
    int power = exact_power(amount.value());
    return power == 0 ? decimal_text(amount.value()) : bytes_text(amount.value(), power);
  }
  return fmt::format("{}", amount.value());
}

std::string quantity_text(std::string_view resource, const Quantity& quantity) {
  return amount_text(resource, Amount::request(resource, quantity));
}

std::string number_text(double number) {
  return fmt::format("{:.6g}", number);
}

std::string instant_text(Instant instant, Instant now) {
  if (instant <= now) return instant.to_string();
  return fmt::format("{} (in {})", instant.to_string(), (instant - now).to_string());
}

}  // namespace sluice::report
