#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Lines, columns and carets of source texts.
namespace sluice::report {

/// Counts from 1; the column counts characters (code points), as editors show it.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// The place of a byte; the end of the text if it lies behind it.
Place place_of(std::string_view text, std::uint32_t offset);
/// The line that holds a byte, without its end.
std::string_view line_at(std::string_view text, std::uint32_t offset);

/// Columns of a terminal that a text takes: wide characters take two, combining ones none. No tabs.
std::size_t display_width(std::string_view text);

/// ESC sequences, or nothing.
struct Paint {
  bool on = false;
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string red(std::string_view text) const { return wrap("1;31", text); }
  std::string yellow(std::string_view text) const { return wrap("1;33", text); }
  std::string green(std::string_view text) const { return wrap("32", text); }
  std::string blue(std::string_view text) const { return wrap("1;34", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
};

/// One source line and its underline, for a message about columns of it:
///
///      |
///    3 |     flavor f { cpu 75Gi }
///      |                    ^^^^ label
///
/// `begin` and `end` are bytes of `line`; an empty range gets one caret. Tabs become spaces up to the next
/// multiple of 4, control characters a dot; of a long line only the part around the caret is shown.
struct Underline {
  std::string_view line;
  std::size_t begin = 0;
  std::size_t end = 0;
  char mark = '^';
  std::string_view label = {};
};
/// `number` in a gutter of `gutter` columns. `with_line` false leaves the source line out: a second underline
/// below the first.
std::string underlined(const Underline& underline, std::uint32_t number, std::size_t gutter, bool with_line,
                       const Paint& paint);

}  // namespace sluice::report
