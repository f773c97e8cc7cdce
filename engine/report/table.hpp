#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::report {

/// Aligned columns of text. Widths are columns of a terminal.
class Table {
 public:
  enum class Align : std::uint8_t { left, right };
  struct Column {
    std::string_view title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells are empty.
  void add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  /// Cells, then one text over the rest of the line, which widens no column.
  void add_with_text(std::vector<std::string> cells, std::string text) {
    rows_.push_back({std::move(cells), std::move(text)});
  }
  bool empty() const { return rows_.empty(); }

  /// One line a row, each behind `indent`, no blanks at the ends. A column without any content is left out.
  std::string to_string(std::string_view indent) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string text;
  };
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace sluice::report
