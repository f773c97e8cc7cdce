#pragma once

#include <span>
#include <string_view>

namespace sluice::lang {

/// One policy of the standard library: `import gke.tpu { v6e }` reads module `gke.tpu`.
struct StdlibModule {
  std::string_view name;
  std::string_view text;
};

/// Sorted by name. Written by stdlib/embed.py.
std::span<const StdlibModule> stdlib_modules();

}  // namespace sluice::lang
