#include "lang/format.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/ast.hpp"
#include "lang/layout.hpp"
#include "lang/parse.hpp"

namespace sluice::lang {
namespace {

using ast::Token;

/// Columns further apart than this are not aligned: the gap would be harder to read across than the
/// raggedness.
constexpr std::size_t kMaxGap = 24;
constexpr std::size_t kMaxCommentGap = 60;

std::size_t width(const Line& line) {
  std::size_t result = line.indent;
  for (const Piece& piece : line.pieces)
    if (!piece.comment) result += piece.spaces + columns(piece.text);
  return result;
}

/// Breaks a line that is too long at its outermost places; what is still too long, again. Things after commas
/// fill lines, all else gets a line for each.
void break_long(const Line& line, std::vector<Line>& out) {
  std::size_t rank = 0;
  for (const Piece& piece : line.pieces)
    if (piece.rank > 0 && &piece != &line.pieces.front() && (rank == 0 || piece.rank < rank))
      rank = piece.rank;
  if (width(line) <= kLineWidth || rank == 0) {
    out.push_back(line);
    return;
  }
  std::vector<std::vector<Piece>> parts(1);
  for (const Piece& piece : line.pieces) {
    if (piece.rank == rank && !parts.back().empty()) parts.emplace_back();
    parts.back().push_back(piece);
  }
  Line part = line;
  part.kind = {};
  part.pieces = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Line longer = part;
    longer.pieces.insert(longer.pieces.end(), parts[i].begin(), parts[i].end());
    if (rank % kRanks == kItemRank && width(longer) <= kLineWidth) {
      part = std::move(longer);
      continue;
    }
    break_long(part, out);
    part.indent = line.indent + line.hanging;
    part.hanging = kIndent;
    part.blank_before = false;
    part.pieces = std::move(parts[i]);
    part.pieces.front().spaces = 0;
  }
  break_long(part, out);
}

/// Where the `n`-th cell of a line begins; npos if it has fewer.
std::size_t cell_column(const Line& line, std::size_t n, std::size_t& index) {
  std::size_t column = line.indent;
  for (index = 0; index < line.pieces.size(); ++index) {
    const Piece& piece = line.pieces[index];
    column += piece.spaces;
    if (piece.cell && n-- == 0) return column;
    column += columns(piece.text);
  }
  return std::string::npos;
}

/// Runs of neighbouring lines for which `column` gives a place get it moved to the right-most of them.
template <class ColumnOf, class SameRun>
void align(std::vector<Line>& lines, std::size_t max_gap, ColumnOf column_of, SameRun same_run) {
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin;
    std::size_t least = std::string::npos;
    std::size_t most = 0;
    std::vector<std::pair<Piece*, std::size_t>> places;
    while (end < lines.size() && (end == begin || same_run(lines[end - 1], lines[end]))) {
      Piece* piece = nullptr;
      const std::size_t column = column_of(lines[end], piece);
      if (piece == nullptr) break;
      least = std::min(least, column);
      most = std::max(most, column);
      places.emplace_back(piece, column);
      ++end;
    }
    if (most - std::min(least, most) <= max_gap)
      for (auto& [piece, column] : places) piece->spaces += most - column;
    begin = std::max(end, begin + 1);
  }
}

void align_cells(std::vector<Line>& lines) {
  std::size_t most_cells = 0;
  for (const Line& line : lines)
    most_cells =
        std::max(most_cells, static_cast<std::size_t>(std::count_if(line.pieces.begin(), line.pieces.end(),
                                                                    [](const Piece& p) { return p.cell; })));
  for (std::size_t n = 0; n < most_cells; ++n)
    align(
        lines, kMaxGap,
        [n](Line& line, Piece*& piece) {
          std::size_t index = 0;
          const std::size_t column = line.kind.empty() ? std::string::npos : cell_column(line, n, index);
          if (column != std::string::npos) piece = &line.pieces[index];
          return column;
        },
        [](const Line& a, const Line& b) {
          return a.kind == b.kind && !b.blank_before && (a.indent == b.indent || a.kind == "row");
        });
}

void align_comments(std::vector<Line>& lines) {
  align(
      lines, kMaxCommentGap,
      [](Line& line, Piece*& piece) {
        if (line.pieces.size() < 2 || !line.pieces.back().comment) return std::string::npos;
        piece = &line.pieces.back();
        std::size_t column = line.indent + piece->spaces;
        for (const Piece& other : line.pieces)
          if (&other != piece) column += other.spaces + columns(other.text);
        return column;
      },
      [](const Line&, const Line& b) { return !b.blank_before; });
}

std::string print(const std::vector<Line>& lines) {
  std::string result;
  for (const Line& line : lines) {
    if (line.blank_before) result += '\n';
    result.append(line.indent, ' ');
    for (const Piece& piece : line.pieces) {
      result.append(piece.spaces, ' ');
      result += piece.text;
    }
    result += '\n';
  }
  return result;
}

/// The text of every token and comment without what layout may change.
std::vector<std::string> essence(std::string_view text, std::span<const Token> tokens) {
  std::vector<std::string> result;
  for (const Token& token : tokens) {
    std::string essential;
    for (char c : text.substr(token.begin, token.end - token.begin))
      if (!token.is_comment() || !is_one_of(std::string_view(&c, 1), {" ", "\t", "\r", "\n"})) essential += c;
    if (is_one_of(essential, {"}", "]", ")"})) {
      // A comma before it may have gone; comments in between stay in place.
      std::size_t last = result.size();
      while (last > 0 && result[last - 1].starts_with('/') && result[last - 1].size() > 1) --last;
      if (last > 0 && result[last - 1] == ",")
        result.erase(result.begin() + static_cast<std::ptrdiff_t>(last) - 1);
    }
    result.push_back(std::move(essential));
  }
  return result;
}

}  // namespace

std::optional<std::string> format(const SourceMap& sources, std::uint32_t source, Diagnostics& diagnostics) {
  ast::Arena arena;
  const ast::File* file = parse(sources, source, arena, diagnostics);
  if (file == nullptr) return std::nullopt;
  const std::string_view text = sources.text(source);
  std::vector<Line> lines;
  for (const Line& line : layout(text, file->tokens)) break_long(line, lines);
  align_cells(lines);
  align_comments(lines);
  std::string result = print(lines);

  SourceMap again;
  Diagnostics ignored;
  const std::uint32_t formatted = again.add(std::string(sources.path(source)), result);
  const ast::File* reread = parse(again, formatted, arena, ignored);
  if (reread == nullptr || essence(text, file->tokens) != essence(result, reread->tokens)) {
    diagnostics.error("format-failed", Span{source, 0, 0}, "the layout of this file would change its meaning")
        .help = "the file is left as it is; please report it with the file";
    return std::nullopt;
  }
  return result;
}

}  // namespace sluice::lang
