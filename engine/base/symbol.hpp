#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sluice {

/// A text by number; equal texts of one table have equal symbols.
using Symbol = std::uint32_t;

/// Interns texts: names, label keys and values. Symbols count from 0 and never change.
class Symbols {
 public:
  Symbols() = default;
  /// The copy has the same symbols.
  Symbols(const Symbols& other);
  Symbols& operator=(const Symbols& other);
  Symbols(Symbols&&) noexcept = default;
  Symbols& operator=(Symbols&&) noexcept = default;

  Symbol intern(std::string_view text);
  /// The symbol of a text that was interned before, or `none`.
  Symbol find(std::string_view text) const;
  std::string_view text(Symbol symbol) const { return texts_[symbol]; }
  std::size_t size() const { return texts_.size(); }

  static constexpr Symbol none = 0xffffffff;

 private:
  std::deque<std::string> texts_;  // a deque: the map's keys point into it
  std::unordered_map<std::string_view, Symbol> index_;
};

}  // namespace sluice
