#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace sluice {

/// Why RE2 refuses a pattern, and which bytes of it.
struct PatternProblem {
  std::string message;
  std::size_t begin = 0;
  std::size_t length = 0;
};

/// A regular expression in RE2's syntax: matching takes time in proportion to the text, whatever the pattern.
class Pattern {
 public:
  static std::variant<Pattern, PatternProblem> compile(std::string_view text);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Whether it matches somewhere in the text; `^` and `$` bind it to the ends.
  bool is_found_in(std::string_view text) const;

 private:
  struct Impl;
  explicit Pattern(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace sluice
