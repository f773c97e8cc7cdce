#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/span.hpp"

/// Texts before and inside of tokens: what may stand in a file, and what stands in quotes.
namespace sluice::lang {

/// Whether the text can be read at all: not too large, UTF-8, no NUL. Reports the first problem with its
/// place.
bool check_readable(std::string_view text, std::uint32_t source, Diagnostics& diagnostics);

/// The size of a byte order mark at the start of `text`: 3 or 0.
std::size_t byte_order_mark(std::string_view text);

/// A part of a text in quotes: literal characters, or the expression of a `{…}` hole as written.
struct QuotedPiece {
  std::string literal;
  bool is_hole = false;
  std::uint32_t begin = 0;  ///< of a hole: the bytes between the braces
  std::uint32_t end = 0;
};

/// Resolves the escapes `\" \\ \n \t`; `at` is the place of the characters between the quotes. Reports an
/// unknown escape and returns empty.
std::optional<std::string> unescape(std::string_view quoted, Span at, Diagnostics& diagnostics);

/// Like `unescape`, and splits at the holes; `{{` and `}}` are braces. Reports a brace without partner.
std::optional<std::vector<QuotedPiece>> split_holes(std::string_view quoted, Span at,
                                                    Diagnostics& diagnostics);

}  // namespace sluice::lang
