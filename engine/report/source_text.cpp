#include "report/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sluice::report {
namespace {

/// One character of a text.
struct Character {
  std::string_view bytes;
  char32_t code = 0;
};

/// Reads the character at the front; a broken byte counts as one character U+FFFD.
Character front(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (length == 0 || length > text.size()) return {text.substr(0, 1), 0xfffd};
  constexpr std::array<unsigned, 5> masks = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code = first & masks[length];
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {text.substr(0, 1), 0xfffd};
    code = (code << 6) | (byte(i) & 0x3fu);
  }
  return {text.substr(0, length), code};
}

struct Range {
  char32_t first;
  char32_t last;
};

// Source: Unicode, EastAsianWidth W and F, in blocks; and the common combining marks.
constexpr std::array wide = {
    Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0x33ff}, Range{0x3400, 0x4dbf},
    Range{0x4e00, 0x9fff},   Range{0xa000, 0xa4cf},   Range{0xac00, 0xd7a3}, Range{0xf900, 0xfaff},
    Range{0xfe30, 0xfe4f},   Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6}, Range{0x1f300, 0x1f64f},
    Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd},
};
constexpr std::array combining = {
    Range{0x0300, 0x036f}, Range{0x200b, 0x200f}, Range{0x20d0, 0x20ff},
    Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f},
};

template <std::size_t n>
bool within(const std::array<Range, n>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](Range r) { return r.first <= code && code <= r.last; });
}

std::size_t width_of(char32_t code) {
  if (code < 0x300) return 1;
  if (within(combining, code)) return 0;
  return within(wide, code) ? 2 : 1;
}

/// A line as it is shown, and where the underline starts and ends, in columns.
struct Shown {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Shown shown(const Underline& u) {
  constexpr std::size_t tab = 4;
  constexpr std::size_t longest = 140;  // columns; what is further from the caret is cut
  Shown result;
  std::size_t column = 0;
  std::size_t cut = 0;  // columns left out in front
  // A line of megabytes (minified JSON) is walked from shortly before the caret only.
  std::size_t start = 0;
  if (u.begin > 100) {
    start = u.begin - 60;
    while (start > 0 && (static_cast<unsigned char>(u.line[start]) & 0xc0) == 0x80) --start;
    cut = 1;
    if (u.line.size() < longest) start = cut = 0;
  }
  if (cut > 0) {
    result.text = "…";
    column = 1;
  }
  bool begun = false;
  bool ended = false;
  for (std::size_t at = start; at < u.line.size();) {
    if (!begun && at >= u.begin) result.begin = column, begun = true;
    if (!ended && at >= u.end) result.end = column, ended = true;
    if (column >= longest) {
      result.text += "…";
      ++column;
      break;
    }
    Character c = front(u.line.substr(at));
    at += c.bytes.size();
    if (c.code == '\t') {
      std::size_t spaces = tab - column % tab;
      result.text.append(spaces, ' ');
      column += spaces;
    } else if (c.code < 0x20 || c.code == 0x7f) {
      result.text += "·";
      column += 1;
    } else if (c.code == 0xfffd && c.bytes.size() == 1) {
      result.text += "\xef\xbf\xbd";
      column += 1;
    } else {
      result.text += c.bytes;
      column += width_of(c.code);
    }
  }
  if (!begun) result.begin = column;
  if (!ended) result.end = column;
  result.end = std::max(result.end, result.begin + 1);
  return result;
}

}  // namespace

Place place_of(std::string_view text, std::uint32_t offset) {
  Place place;
  std::size_t end = std::min<std::size_t>(offset, text.size());
  for (std::size_t at = 0; at < end; ++at) {
    if (text[at] == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) {
      ++place.column;
    }
  }
  return place;
}

std::string_view line_at(std::string_view text, std::uint32_t offset) {
  std::size_t at = std::min<std::size_t>(offset, text.size());
  std::size_t begin = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  std::string_view line = text.substr(begin, text.find('\n', at) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    Character c = front(text);
    width += width_of(c.code);
    text.remove_prefix(c.bytes.size());
  }
  return width;
}

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  if (!on || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string underlined(const Underline& u, std::uint32_t number, std::size_t gutter, bool with_line,
                       const Paint& paint) {
  Shown line = shown(u);
  std::string text;
  std::string bar = paint.blue("|");
  if (with_line) {
    text += fmt::format("{:{}} {}\n", "", gutter, bar);
    text += fmt::format("{} {}{}{}\n", paint.blue(fmt::format("{:>{}}", number, gutter)), bar,
                        line.text.empty() ? "" : " ", line.text);
  }
  std::string marks(line.end - line.begin, u.mark);
  if (!u.label.empty()) marks += fmt::format(" {}", u.label);
  text += fmt::format("{:{}} {} {:{}}{}\n", "", gutter, bar, "", line.begin,
                      u.mark == '^' ? paint.red(marks) : paint.blue(marks));
  return text;
}

}  // namespace sluice::report
