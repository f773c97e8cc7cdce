#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/amount.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

namespace sluice::report {

/// Prints the amounts of one text in units that compare by eye: cpu in cores (`2.5`), memory of one table all
/// in Mi if one of them needs it (`4608Mi` beside `65536Mi`), other resources as they are.
class Units {
 public:
  /// Every amount that will be printed is seen first.
  void see(std::string_view resource, Amount amount);
  std::string text(std::string_view resource, Amount amount) const;

 private:
  std::map<std::string, int, std::less<>>
      binary_;  ///< of memory: the power of 1024 that all amounts seen are whole in
};

/// An amount alone, in the largest unit that is exact: `2.5`, `4608Mi`, `64Gi`, `unlimited`.
std::string amount_text(std::string_view resource, Amount amount);
/// The same for what a pod asks for.
std::string quantity_text(std::string_view resource, const Quantity& quantity);

/// A share or a usage, to six digits: `83.3333`, `300`, `inf`.
std::string number_text(double number);

/// `2026-01-01T12:15:00Z (in 15min)`; without the wait if it lies not after `now`.
std::string instant_text(Instant instant, Instant now);

}  // namespace sluice::report
