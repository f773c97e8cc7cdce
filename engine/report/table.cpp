#include "report/table.hpp"

#include <algorithm>

#include "report/source_text.hpp"

namespace sluice::report {
namespace {

void add_cell(std::string& line, std::string_view text, std::size_t width, Table::Align align) {
  std::size_t used = display_width(text);
  std::string blanks(width > used ? width - used : 0, ' ');
  if (align == Table::Align::right) line += blanks;
  line += text;
  if (align == Table::Align::left) line += blanks;
}

void end_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

}  // namespace

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) widths[i] = std::max(widths[i], display_width(columns_[i].title));
  }
  return widths;
}

std::string Table::to_string(std::string_view indent) const {
  constexpr std::string_view gap = "  ";
  std::vector<std::size_t> width = widths();
  std::string text;
  std::string line(indent);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (width[i] == 0) continue;
    add_cell(line, columns_[i].title, width[i], columns_[i].align);
    line += gap;
  }
  end_line(text, std::move(line));
  for (const Row& row : rows_) {
    line = indent;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (width[i] == 0) continue;
      add_cell(line, row.cells[i], width[i], columns_[i].align);
      line += gap;
    }
    end_line(text, line + row.text);
  }
  return text;
}

}  // namespace sluice::report
