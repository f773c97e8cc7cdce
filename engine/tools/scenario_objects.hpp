#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "decide/engine.hpp"
#include "model/world.hpp"

/// Objects of steps, by kind and name.
namespace sluice::tools {

/// The kind called `kind`; empty: the engine knows no such kind.
std::optional<decide::ObjectKind> object_kind(std::string_view kind);

bool has_namespace(decide::ObjectKind kind);

template <class T>
const T* find_named(const std::vector<T>& objects, std::string_view name, std::string_view name_space = {}) {
  for (const T& object : objects) {
    if constexpr (requires { object.name_space; }) {
      if (object.name_space != name_space) continue;
    }
    if (object.name == name) return &object;
  }
  return nullptr;
}

/// The part of `world` that is one object; nothing for a workload.
World only(const World& world, decide::ObjectKind kind, std::string_view name_space, std::string_view name);

}  // namespace sluice::tools
