#include "tools/line_editor.hpp"

#include <editline/readline.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace sluice::tools {
namespace {

// libedit's readline interface takes plain functions: what they need stands here while an editor lives.
LineEditor::Names* current_names = nullptr;
std::vector<std::string> matches;

/// Called for the first match with 0, then until it returns null, which ends the list. The caller frees the
/// text.
char* next_match(const char* start, int state) {
  static std::size_t at = 0;
  if (state == 0) {
    matches.clear();
    at = 0;
    for (std::string& name : (*current_names)()) {
      if (name.starts_with(start)) matches.push_back(std::move(name));
    }
  }
  return at < matches.size() ? ::strdup(matches[at++].c_str()) : nullptr;
}

char** complete(const char* start, int, int) {
  rl_attempted_completion_over = 1;    // no file names when nothing matches
  rl_completion_append_character = 0;  // a name may go on: `twice(`, `workload.name`
  return rl_completion_matches(start, next_match);
}

constexpr int longest_history = 1000;

}  // namespace

LineEditor::LineEditor(std::string history, Names names) : history_(std::move(history)) {
  static Names kept;
  kept = std::move(names);
  current_names = &kept;
  static char name[] = "sluice";
  rl_readline_name = name;
  rl_attempted_completion_function = complete;
  static char breaks[] = " \t\n\"'(){}[],=<>";
  rl_basic_word_break_characters = breaks;
  using_history();
  stifle_history(longest_history);
  if (history_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(history_).parent_path(), failed);
  if (failed) {
    history_.clear();
    return;
  }
  read_history(history_.c_str());
}

LineEditor::~LineEditor() {
  if (!history_.empty()) write_history(history_.c_str());
  current_names = nullptr;
  rl_attempted_completion_function = nullptr;
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  std::unique_ptr<char, decltype(&std::free)> line(::readline(prompt.c_str()), &std::free);
  if (!line) return std::nullopt;
  if (*line.get() != '\0') add_history(line.get());
  return std::string(line.get());
}

}  // namespace sluice::tools
