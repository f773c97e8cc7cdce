#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ast.hpp"

/// Which tokens of a policy share a line, before long lines are broken and columns aligned.
namespace sluice::lang {

inline constexpr std::size_t kLineWidth = 120;
inline constexpr std::size_t kIndent = 2;
/// Ranks of places to break a line at, within one level of brackets.
inline constexpr std::size_t kRanks = 16;
inline constexpr std::size_t kItemRank = 2;

/// A part of a line as printed.
struct Piece {
  std::string text;
  std::size_t spaces = 0;  ///< before it
  bool cell = false;
  bool comment = false;  ///< behind the line's last token
  std::size_t rank = 0;  ///< 0: the line cannot be broken before it; else lower ranks break first
};
struct Line {
  std::size_t indent = 0;
  std::size_t hanging = 4;
  std::string_view kind;
  bool blank_before = false;
  std::vector<Piece> pieces;
};

/// `tokens` of the whole file `text`, commas before closing brackets left out.
std::vector<Line> layout(std::string_view text, std::span<const ast::Token> tokens);

/// Characters as an editor counts columns: code points.
std::size_t columns(std::string_view text);
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

}  // namespace sluice::lang
