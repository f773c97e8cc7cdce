#include "base/amount.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

bool is_cpu(std::string_view resource) {
  return resource == "cpu";
}

bool is_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

}  // namespace

Amount Amount::quota(std::string_view resource, const Quantity& quantity) {
  if (is_cpu(resource)) {
    if (quantity >= Quantity::from_units(kMax / 1000)) return unlimited();
    return Amount(quantity.milli_value());
  }
  return Amount(quantity.value());
}

Amount Amount::request(std::string_view resource, const Quantity& quantity) {
  return Amount(std::max<std::int64_t>(0, is_cpu(resource) ? quantity.milli_value() : quantity.value()));
}

Amount Amount::times(std::int64_t count) const {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(value_, count, &product)) return Amount(product);
  return Amount((value_ > 0) == (count > 0) ? kMax : kMin);
}

std::string Amount::to_string(std::string_view resource) const {
  return is_unlimited() ? "<unlimited>" : to_quantity(resource);
}

std::string Amount::to_quantity(std::string_view resource) const {
  if (is_cpu(resource)) return Quantity::from_milli(value_).to_string();
  // In binary only when that shortens it: 1000000 bytes are 1M, 1024 are 1Ki.
  if (is_bytes(resource) && value_ % 1024 == 0)
    return Quantity::from_units(value_, Quantity::Format::binary_si).to_string();
  return Quantity::from_units(value_).to_string();
}

}  // namespace sluice
