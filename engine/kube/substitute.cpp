#include "kube/substitute.hpp"

#include <algorithm>

namespace sluice::kube {

namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

/// Follows a YAML text just closely enough to tell comments from content: quotes, block scalars, `#` after a
/// blank. JSON has no comments and its quotes are YAML's.
class CommentFinder {
 public:
  explicit CommentFinder(std::string_view text) : text_(text) {}

  /// Offsets must ascend.
  bool in_comment(std::size_t offset) {
    while (line_end_ <= offset && line_end_ < text_.size()) next_line();
    return offset >= comment_ && offset < line_end_;
  }

 private:
  void next_line() {
    std::size_t begin = line_end_;
    std::size_t newline = text_.find('\n', begin);
    line_end_ = newline == std::string_view::npos ? text_.size() : newline + 1;
    comment_ = line_end_;
    std::string_view line = text_.substr(begin, line_end_ - begin);
    std::size_t indent = line.find_first_not_of(" \r\n");
    if (in_block_) {
      if (indent == std::string_view::npos) return;
      if (block_indent_ == 0 && indent > parent_indent_ + (parent_is_root_ ? 0 : 1) - 1)
        block_indent_ = indent;
      if (block_indent_ != 0 && indent >= block_indent_) return;
      in_block_ = false;
    }
    scan(begin, line);
  }

  void scan(std::size_t begin, std::string_view line) {
    std::size_t content_end = line.size();
    for (std::size_t i = 0; i < line.size(); ++i) {
      char c = line[i];
      if (quote_ == '"') {
        if (c == '\\')
          ++i;
        else if (c == '"')
          quote_ = 0;
      } else if (quote_ == '\'') {
        if (c == '\'') quote_ = 0;  // a doubled quote closes and opens again
      } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
        comment_ = begin + i;
        content_end = i;
        break;
      } else if ((c == '"' || c == '\'') && starts_value(line, i)) {
        quote_ = c;
      }
    }
    if (quote_ == 0) open_block(line.substr(0, content_end));
  }

  /// A quote in the middle of a plain scalar is an ordinary character.
  static bool starts_value(std::string_view line, std::size_t at) {
    std::size_t before = line.find_last_not_of(" \t", at == 0 ? std::string_view::npos : at - 1);
    if (at == 0 || before == std::string_view::npos) return true;
    char c = line[before];
    if (c == '[' || c == '{' || c == ',') return true;
    if (c == '\'' || c == '"') return before + 1 == at;  // '' inside of a quoted text
    bool blank_between = before + 1 < at;
    if (c == ':' || c == '-' || c == '?') return blank_between || c == ':';
    // After a tag or an anchor.
    std::size_t word = line.find_last_of(" \t", before);
    char first = line[word == std::string_view::npos ? 0 : word + 1];
    return blank_between && (first == '!' || first == '&');
  }

  /// `key: |`, `- >-`, `key: |2 # comment`: the lines that follow are content while they are indented.
  void open_block(std::string_view content) {
    std::size_t end = content.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) return;
    std::size_t mark = end;
    while (mark > 0 &&
           (content[mark] == '+' || content[mark] == '-' || (content[mark] >= '1' && content[mark] <= '9')))
      --mark;
    if (content[mark] != '|' && content[mark] != '>') return;
    if (end - mark > 2) return;
    std::size_t before = mark == 0 ? std::string_view::npos : content.find_last_not_of(" \t", mark - 1);
    if (before != std::string_view::npos) {
      char c = content[before];
      if (before + 1 == mark) return;
      std::size_t word = content.find_last_of(" \t", before);
      char first = content[word == std::string_view::npos ? 0 : word + 1];
      if (c != ':' && c != '-' && first != '!' && first != '&') return;
    }
    std::size_t parent = content.find_first_not_of(' ');
    while (parent < mark && content[parent] == '-' && content[parent + 1] == ' ') {
      std::size_t next = content.find_first_not_of(' ', parent + 1);
      if (next >= mark) break;
      parent = next;
    }
    in_block_ = true;
    block_indent_ = 0;
    parent_indent_ = parent;
    parent_is_root_ = parent >= mark;
    for (std::size_t i = mark + 1; i <= end; ++i)
      if (content[i] >= '1' && content[i] <= '9') {
        std::size_t digit = static_cast<std::size_t>(content[i] - '0');
        block_indent_ = parent_is_root_ ? digit : parent + digit;
      }
  }

  std::string_view text_;
  std::size_t line_end_ = 0;
  std::size_t comment_ = 0;
  char quote_ = 0;
  bool in_block_ = false;
  bool parent_is_root_ = false;
  std::size_t block_indent_ = 0;  // 0: the first line that is not blank says
  std::size_t parent_indent_ = 0;
};

}  // namespace

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_name_start(name.front()) && std::all_of(name.begin(), name.end(), is_name_part);
}

std::size_t Substituted::original(std::size_t offset) const {
  auto behind = std::upper_bound(edits_.begin(), edits_.end(), offset,
                                 [](std::size_t at, const Edit& edit) { return at < edit.begin; });
  if (behind == edits_.begin()) return offset;
  const Edit& edit = *std::prev(behind);
  return offset < edit.end ? edit.from : edit.behind + (offset - edit.end);
}

Substituted substitute(std::string_view text, const Substitutions& substitutions, UnsetVariable& unset) {
  Substituted result;
  CommentFinder comments(text);
  std::size_t copied = 0;
  for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 1)) {
    std::size_t end = at + 2;
    if (end < text.size() && is_name_start(text[end]))
      while (end < text.size() && is_name_part(text[end])) ++end;
    if (end == at + 2 || end >= text.size() || text[end] != '}') continue;
    if (comments.in_comment(at)) continue;
    std::string name(text.substr(at + 2, end - at - 2));
    std::optional<std::string> value;
    if (auto given = substitutions.values.find(name); given != substitutions.values.end())
      value = given->second;
    else if (substitutions.environment)
      value = substitutions.environment(name);
    if (!value) {
      unset = {std::move(name), at};
      return result;
    }
    result.text += text.substr(copied, at - copied);
    std::size_t begin = result.text.size();
    result.text += *value;
    result.edits_.push_back({begin, result.text.size(), at, end + 1});
    copied = end + 1;
  }
  result.text += text.substr(copied);
  return result;
}

}  // namespace sluice::kube
