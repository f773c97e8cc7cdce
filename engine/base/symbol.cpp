#include "base/symbol.hpp"

#include <utility>

namespace sluice {

Symbols::Symbols(const Symbols& other) {
  // The keys of a copied map would point into the other table.
  for (const std::string& text : other.texts_) intern(text);
}

Symbols& Symbols::operator=(const Symbols& other) {
  Symbols copy(other);
  return *this = std::move(copy);
}

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
