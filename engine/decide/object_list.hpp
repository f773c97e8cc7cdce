#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// The lists of a World: sorted by (namespace, name), each name once.
namespace sluice::decide {

template <class T>
std::pair<std::string_view, std::string_view> key_of(const T& object) {
  if constexpr (requires { object.name_space; }) {
    return {object.name_space, object.name};
  } else {
    return {{}, object.name};
  }
}

template <class T>
auto place_of(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  return std::lower_bound(sorted.begin(), sorted.end(), std::pair(name_space, name),
                          [](const T& object, const auto& key) { return key_of(object) < key; });
}

template <class T>
T* find_object(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  auto it = place_of(sorted, name_space, name);
  return it != sorted.end() && key_of(*it) == std::pair(name_space, name) ? &*it : nullptr;
}

/// Replaces or inserts; the object that was there.
template <class T>
std::optional<T> put(std::vector<T>& sorted, const T& object) {
  auto [name_space, name] = key_of(object);
  auto it = place_of(sorted, name_space, name);
  if (it != sorted.end() && key_of(*it) == key_of(object)) {
    std::optional<T> before = std::move(*it);
    *it = object;
    return before;
  }
  sorted.insert(it, object);
  return std::nullopt;
}

template <class T>
std::optional<T> erase(std::vector<T>& sorted, std::string_view name_space, std::string_view name) {
  auto it = place_of(sorted, name_space, name);
  if (it == sorted.end() || key_of(*it) != std::pair(name_space, name)) return std::nullopt;
  std::optional<T> before = std::move(*it);
  sorted.erase(it);
  return before;
}

/// Whether both say the same, wherever they were written.
template <class T>
bool is_same(T a, const T& b) {
  a.origin = b.origin;
  if constexpr (requires { a.generation; }) a.generation = b.generation;
  return a == b;
}

}  // namespace sluice::decide
