#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::tools {

/// Reads lines from a terminal, with editing, completion of names and a history file. One at a time: the
/// library below keeps its state for the whole process.
class LineEditor {
 public:
  /// All names that may stand where the word is typed.
  using Names = std::function<std::vector<std::string>()>;

  /// `history` is read now and written at the end; empty: none is kept.
  LineEditor(std::string history, Names names);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// Without its end; empty at the end of the input.
  std::optional<std::string> read(const std::string& prompt);

 private:
  std::string history_;
};

}  // namespace sluice::tools
