#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace sluice {

/// The world failed: file, database, API, an input that is no manifest. Thrown; caught once, in main.
/// What a policy author got wrong is a Diagnostic instead.
class Error : public std::runtime_error {
 public:
  /// `code` is the entry of `sluice explain` ("bad-manifest"); `message` as in Diagnostic.
  Error(std::string code, std::string message)
      : std::runtime_error(message), code_(std::move(code)), message_(std::move(message)) {}

  /// Where it went wrong, as the user sees it; line and column count from 1, the column in bytes, 0 = unknown.
  /// `source_line` is the text of that line, for the caret; may be empty.
  Error& at(std::string file, std::uint32_t line = 0, std::uint32_t column = 0, std::string source_line = {}) {
    file_ = std::move(file);
    line_ = line;
    column_ = column;
    source_line_ = std::move(source_line);
    return *this;
  }
  /// What the user can do about it.
  Error& help(std::string text) {
    help_ = std::move(text);
    return *this;
  }

  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& file() const { return file_; }
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }
  const std::string& source_line() const { return source_line_; }
  const std::string& help() const { return help_; }

 private:
  std::string code_;
  std::string message_;
  std::string file_;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
  std::string source_line_;
  std::string help_;
};

}  // namespace sluice
