#include "base/symbol.hpp"

namespace sluice {

Symbol Symbols::intern(std::string_view text) {
  if (auto it = index_.find(text); it != index_.end()) return it->second;
  auto symbol = static_cast<Symbol>(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), symbol);
  return symbol;
}

Symbol Symbols::find(std::string_view text) const {
  auto it = index_.find(text);
  return it == index_.end() ? none : it->second;
}

}  // namespace sluice
