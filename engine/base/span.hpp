#pragma once

#include <cstdint>

namespace sluice {

/// Bytes [begin, end) of one source text; small, as every node and instruction has one.
/// Line and column exist only in report/.
struct Span {
  std::uint32_t source = 0;  ///< index into SourceMap
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace sluice
