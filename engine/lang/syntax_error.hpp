#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/span.hpp"

namespace sluice::lang {

/// What the parser found where it could not go on, and what it would have taken. Data of the parser; the text
/// made of it speaks of the language.
struct SyntaxError {
  enum class Found : std::uint8_t { word, reserved_word, number, text, clock, sign, end };
  Span span;
  Found found = Found::sign;
  std::string_view text;          ///< what was found, as written
  std::string_view previous;      ///< the token before it, as written; empty at the start
  bool touches_previous = false;  ///< no white space between the two
  bool in_hole = false;           ///< the end found is that of a `{…}` in a text

  /// Where: "a queue", "a rule"; empty outside of any declaration.
  std::string_view place;
  std::vector<std::string_view> words;  ///< keywords that could follow
  std::vector<std::string_view> signs;  ///< `{`, `=` …, as written
  bool name = false;                    ///< a name could follow
  bool expression = false;              ///< an expression could follow
  bool quoted = false;                  ///< a text in quotes could follow
  bool number = false;                  ///< a number could follow, and no expression
  bool at_end = false;                  ///< the file could end here
  bool certain = true;                  ///< the lists are complete: what else was found is wrong

  /// The innermost bracket that is open where it was found; empty span if there is none.
  Span open;
  std::string_view open_text;
};

/// Reports it as one error of code `syntax`.
void report(const SyntaxError& error, Diagnostics& diagnostics);

/// A character that no token begins with, or a sign of other languages (`==`, `&&`).
void report_unknown_sign(std::string_view sign, Span span, Diagnostics& diagnostics);

}  // namespace sluice::lang
