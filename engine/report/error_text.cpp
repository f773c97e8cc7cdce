#include "report/error_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/source_text.hpp"

namespace sluice::report {
namespace {

/// Error counts bytes; readers count characters.
std::uint32_t character_column(std::string_view line, std::uint32_t column) {
  std::uint32_t characters = 1;
  for (std::size_t i = 0; i + 1 < column && i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xc0) != 0x80) ++characters;
  }
  return line.empty() ? column : characters;
}

/// The word at a place, for the width of the caret.
std::size_t end_of_word(std::string_view line, std::size_t begin) {
  if (begin >= line.size()) return begin;
  std::size_t end = line.find_first_of(" \t:,{}[]()#\"'", begin);
  if (end == std::string_view::npos) end = line.size();
  return end;
}

/// What users gave may be of any length; a message shows its ends.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 600;
  if (text.size() <= most) return std::string(text);
  auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  std::size_t first = most / 2;
  std::size_t last = text.size() - most / 3;
  while (is_inside(first)) --first;
  while (last < text.size() && is_inside(last)) ++last;
  return fmt::format("{}…{}", text.substr(0, first), text.substr(last));
}

}  // namespace

std::string to_text(const Error& error, bool colour) {
  Paint paint{colour};
  std::string text = fmt::format("{}: {}\n", paint.red(fmt::format("error[{}]", error.code())),
                                 paint.bold(shortened(error.message())));
  std::size_t gutter = fmt::formatted_size("{}", error.line());
  if (!error.file().empty()) {
    std::string place = error.file();
    if (error.line() > 0) place += fmt::format(":{}", error.line());
    if (error.line() > 0 && error.column() > 0) {
      place += fmt::format(":{}", character_column(error.source_line(), error.column()));
    }
    text += fmt::format("{:{}}{} {}\n", "", gutter, paint.blue("-->"), place);
    if (error.line() > 0 && error.column() > 0 && !error.source_line().empty()) {
      std::size_t begin = std::min<std::size_t>(error.column() - 1, error.source_line().size());
      Underline mark{
          .line = error.source_line(), .begin = begin, .end = end_of_word(error.source_line(), begin)};
      text += underlined(mark, error.line(), gutter, true, paint);
    }
  }
  if (!error.help().empty()) {
    std::string lead =
        error.file().empty() ? paint.blue("  help:") : std::string(gutter + 1, ' ') + paint.blue("= help:");
    text += fmt::format("{} {}\n", lead, shortened(error.help()));
  }
  return text;
}

}  // namespace sluice::report
