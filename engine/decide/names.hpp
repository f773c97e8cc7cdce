#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::decide {

/// Texts by number, counted from 0. Unlike base's Symbols it can be copied with the engine it belongs to.
class Names {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t intern(std::string_view text) {
    std::string key(text);
    if (auto it = index_.find(key); it != index_.end()) return it->second;
    auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(key);
    index_.emplace(std::move(key), number);
    return number;
  }
  std::uint32_t find(std::string_view text) const {
    auto it = index_.find(std::string(text));
    return it == index_.end() ? none : it->second;
  }
  const std::string& text(std::uint32_t number) const { return texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace sluice::decide
