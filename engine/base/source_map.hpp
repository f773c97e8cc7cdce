#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"

namespace sluice {

/// The texts that spans point into: policy files, expressions typed in the REPL, `<stdin>`.
/// Owns its texts; indices never change.
class SourceMap {
 public:
  /// `path` as the user gave it (shown in messages). Returns the index for Span::source.
  std::uint32_t add(std::string path, std::string text);

  std::string_view path(std::uint32_t source) const;
  std::string_view text(std::uint32_t source) const;
  /// The bytes a span covers; empty if the span lies outside of its text.
  std::string_view text(Span span) const;
  /// The line in which a span begins, from 1; the last one if it lies behind its text, 0 if it lies in none.
  std::uint32_t line(Span span) const;
  std::size_t size() const { return sources_.size(); }

 private:
  struct Source {
    std::string path;
    std::string text;
    std::vector<std::uint32_t> ends;  ///< where its lines end
  };
  std::vector<Source> sources_;
};

}  // namespace sluice
