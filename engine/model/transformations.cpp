#include "model/transformations.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace sluice {
namespace {

constexpr std::uint32_t kLimb = 1'000'000'000;

/// An exact decimal number with up to 27 digits after the point: enough for input * multiplier * factor.
class Decimal {
 public:
  static constexpr std::size_t kFraction = 3;  ///< limbs of nine digits after the point

  Decimal() = default;
  explicit Decimal(Quantity quantity) {
    Quantity::Nano nano = quantity.nano();
    negative_ = nano < 0;
    if (negative_) nano = -nano;
    limbs_.assign(kFraction - 1, 0);
    for (; nano > 0; nano /= kLimb) limbs_.push_back(static_cast<std::uint32_t>(nano % kLimb));
    trim();
  }

  /// Both together have at most 27 digits after the point.
  Decimal times(Quantity factor) const {
    Quantity::Nano nano = factor.nano();
    Decimal product;
    product.negative_ = negative_ != (nano < 0);
    if (nano < 0) nano = -nano;
    // The factor's own unit is 10^-9: its limbs stand one lower.
    std::vector<std::uint32_t> sum(limbs_.size() + 6, 0);
    std::size_t at = 0;
    for (; nano > 0; nano /= kLimb, ++at) {
      std::uint64_t digit = static_cast<std::uint64_t>(nano % kLimb);
      std::uint64_t carry = 0;
      std::size_t i = 0;
      for (; i < limbs_.size() || carry > 0; ++i) {
        std::uint64_t value = sum[at + i] + carry + (i < limbs_.size() ? digit * limbs_[i] : 0);
        sum[at + i] = static_cast<std::uint32_t>(value % kLimb);
        carry = value / kLimb;
      }
    }
    product.limbs_.assign(sum.begin() + 1, sum.end());
    product.trim();
    return product;
  }

  void add(const Decimal& other) {
    if (negative_ == other.negative_) {
      limbs_ = sum_of(limbs_, other.limbs_);
    } else if (is_less(limbs_, other.limbs_)) {
      limbs_ = difference_of(other.limbs_, limbs_);
      negative_ = other.negative_;
    } else {
      limbs_ = difference_of(limbs_, other.limbs_);
    }
    trim();
  }

  /// Rounded up and capped; zero if negative.
  Quantity quantity() const {
    if (negative_ || limbs_.empty()) return Quantity();
    Quantity::Nano nano = 0;
    constexpr std::size_t kMost = kFraction + 3;  // Quantity's cap has 19 + 9 digits
    if (limbs_.size() > kMost) return Quantity::from_units(std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = limbs_.size(); i-- > kFraction - 1;) nano = nano * kLimb + limbs_[i];
    bool rest = false;
    for (std::size_t i = 0; i < std::min(kFraction - 1, limbs_.size()); ++i) rest = rest || limbs_[i] != 0;
    return Quantity::from_nano(rest ? nano + 1 : nano);
  }

 private:
  using Limbs = std::vector<std::uint32_t>;  // lowest first

  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    if (limbs_.empty()) negative_ = false;
  }
  static bool is_less(const Limbs& a, const Limbs& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  }
  static Limbs sum_of(const Limbs& a, const Limbs& b) {
    Limbs sum;
    std::uint32_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
      std::uint32_t value = (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0) + carry;
      sum.push_back(value % kLimb);
      carry = value / kLimb;
    }
    return sum;
  }
  /// `a` is not less.
  static Limbs difference_of(const Limbs& a, const Limbs& b) {
    Limbs difference;
    std::uint32_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::uint32_t taken = (i < b.size() ? b[i] : 0) + borrow;
      borrow = a[i] < taken ? 1 : 0;
      difference.push_back(a[i] + borrow * kLimb - taken);
    }
    return difference;
  }

  bool negative_ = false;
  Limbs limbs_;
};

}  // namespace

Resources counted_requests(const Resources& asked, std::span<const std::string> excluded_prefixes,
                           std::span<const ResourceTransformation> transformations) {
  Resources input;
  for (const auto& [name, quantity] : asked) {
    bool excluded = std::any_of(excluded_prefixes.begin(), excluded_prefixes.end(),
                                [&](const std::string& prefix) { return name.starts_with(prefix); });
    if (!excluded) input[name] = quantity;
  }
  Resources counted;
  std::map<std::string, Decimal> generated;
  for (const auto& [name, quantity] : input) {
    auto rule = std::find_if(transformations.begin(), transformations.end(),
                             [&](const ResourceTransformation& t) { return t.input == name; });
    if (rule == transformations.end()) {
      counted[name] = quantity;
      continue;
    }
    Decimal base(quantity);
    if (auto by = input.find(rule->multiply_by); by != input.end()) base = base.times(by->second);
    for (const auto& [output, factor] : rule->outputs) generated[output].add(base.times(factor));
    if (!rule->replaces) counted[name] = quantity;
  }
  for (const auto& [name, amount] : generated) {
    auto [at, is_new] = counted.emplace(name, amount.quantity());
    if (!is_new) at->second = at->second + amount.quantity();
  }
  return counted;
}

}  // namespace sluice
