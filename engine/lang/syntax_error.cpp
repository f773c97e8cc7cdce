#include "lang/syntax_error.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"

namespace sluice::lang {
namespace {

/// More than this many alternatives are not listed in the message, but in the help.
constexpr std::size_t kMaxListed = 5;

std::string in_ticks(std::string_view text) {
  return fmt::format("`{}`", text);
}

std::string found_text(const SyntaxError& error) {
  switch (error.found) {
    case SyntaxError::Found::end:
      return error.in_hole ? "`{…}` ends" : "the file ends";
    case SyntaxError::Found::text:
      return error.text.size() > 40 ? "found a text" : "found " + in_ticks(error.text);
    case SyntaxError::Found::word:
    case SyntaxError::Found::reserved_word:
    case SyntaxError::Found::number:
    case SyntaxError::Found::clock:
    case SyntaxError::Found::sign:
      break;
  }
  return "found " + in_ticks(error.text);
}

std::string join_or(const std::vector<std::string>& items) {
  if (items.size() < 2) return items.empty() ? std::string() : items.front();
  return fmt::format("{} or {}", fmt::join(items.begin(), items.end() - 1, ", "), items.back());
}

/// What would have been right, shortest first: `a name`, `an expression`, then words and signs.
std::vector<std::string> expectations(const SyntaxError& error) {
  std::vector<std::string> items;
  if (error.expression) items.emplace_back("an expression");
  if (error.name && !error.expression) items.emplace_back("a name");
  if (error.quoted && !error.expression && !error.name) items.emplace_back("a text in quotes");
  if (error.number) items.emplace_back("a number");
  for (std::string_view word : error.words) items.push_back(in_ticks(word));
  for (std::string_view sign : error.signs) items.push_back(in_ticks(sign));
  if (error.at_end) items.emplace_back("the end of the file");
  return items;
}

bool is_comparison(std::string_view sign) {
  static constexpr std::array<std::string_view, 8> signs = {"=", "!=", "<", "<=", ">", ">=", "in", "matches"};
  return std::find(signs.begin(), signs.end(), sign) != signs.end();
}

/// Words that begin a declaration and are no clause of any.
bool begins_declaration(const SyntaxError& error) {
  static constexpr std::array<std::string_view, 8> words = {"import", "param",    "fn",        "local-queue",
                                                            "rule",   "fallback", "invariant", "queue"};
  return std::find(words.begin(), words.end(), error.text) != words.end();
}

/// Whether a bracket that was not closed explains the error.
bool is_open_bracket(const SyntaxError& error) {
  if (error.open.end == error.open.begin) return false;
  const bool could_close = std::find(error.signs.begin(), error.signs.end(), "}") != error.signs.end();
  return error.found == SyntaxError::Found::end || (could_close && begins_declaration(error));
}

/// `"team {labels["` before `team`: the quote of a key ended the text.
bool is_quote_in_hole(const SyntaxError& error) {
  if (!error.touches_previous || !error.previous.starts_with('"')) return false;
  const std::size_t open = error.previous.rfind('{');
  return open != std::string_view::npos && error.previous.find('}', open) == std::string_view::npos;
}

bool is_word(const SyntaxError& error) {
  return error.found == SyntaxError::Found::word || error.found == SyntaxError::Found::reserved_word;
}

/// Many words are listed in the help; so are few ones where a whole clause is wrong.
bool lists_in_help(const SyntaxError& error) {
  const bool could_close = std::find(error.signs.begin(), error.signs.end(), "}") != error.signs.end();
  return error.words.size() > kMaxListed || (is_word(error) && could_close && error.words.size() > 1);
}

/// Whether the grammar asks for a certain sign here, so that nothing else was meant by what was found.
bool expects_sign(const SyntaxError& error) {
  return error.words.empty() && error.signs.size() == 1 && error.signs.front() != "}";
}

std::string help_for(const SyntaxError& error) {
  if (is_quote_in_hole(error)) return "quotes inside of `{…}` in a text are written `\\\"`";
  if (error.found == SyntaxError::Found::reserved_word && error.previous == ",")
    return fmt::format("leave out the comma before `{}`", error.text);
  if (is_word(error) && !error.words.empty()) {
    if (std::string_view near = nearest(error.text, error.words); !near.empty())
      return fmt::format("did you mean `{}`?", near);
  }
  if (error.found == SyntaxError::Found::reserved_word && error.name && !error.expression)
    return fmt::format("`{}` is a word of the language; as a name it needs quotes: `\"{}\"`", error.text,
                       error.text);
  if (error.found == SyntaxError::Found::number && error.name && !error.expression)
    return fmt::format("a name begins with a letter; others need quotes: `\"{}\"`", error.text);
  if (error.found == SyntaxError::Found::word && error.quoted && !error.name)
    return fmt::format("write `\"{}\"`", error.text);
  if (is_comparison(error.text) && !error.expression && !error.name && !expects_sign(error))
    return "comparisons do not follow each other: write `a < b and b < c`, or use parentheses";
  if (is_open_bracket(error)) return {};
  if (lists_in_help(error)) {
    std::vector<std::string> words;
    for (std::string_view word : error.words) words.push_back(in_ticks(word));
    return fmt::format("{} may have {}", error.place.empty() ? "a policy" : error.place, join_or(words));
  }
  return {};
}

}  // namespace

void report(const SyntaxError& error, Diagnostics& diagnostics) {
  std::vector<std::string> expected = expectations(error);
  std::string message;
  if (lists_in_help(error) && is_word(error)) {
    message = error.place.empty() ? fmt::format("`{}` begins no declaration", error.text)
                                  : fmt::format("`{}` is no part of {}", error.text, error.place);
  } else if (lists_in_help(error)) {
    message = found_text(error);
    message += error.place.empty() ? ", expected a declaration" : fmt::format(" inside {}", error.place);
    if (!error.signs.empty() && error.found == SyntaxError::Found::end)
      message += fmt::format(", expected {}", in_ticks(error.signs.back()));
  } else if (expected.empty() || !error.certain) {
    message = error.found == SyntaxError::Found::end
                  ? "the file ends in the middle of " +
                        std::string(error.place.empty() ? "a declaration" : error.place)
                  : fmt::format("`{}` does not belong here", error.text);
  } else {
    message = fmt::format("{}, expected {}", found_text(error), join_or(expected));
  }
  Diagnostic& diagnostic = diagnostics.error("syntax", error.span, std::move(message));
  diagnostic.help = help_for(error);
  if (is_open_bracket(error))
    diagnostic.labels.emplace_back(error.open, fmt::format("this `{}` is not closed", error.open_text));
}

void report_unknown_sign(std::string_view sign, Span span, Diagnostics& diagnostics) {
  struct Meant {
    std::string_view sign;
    std::string_view help;
  };
  static constexpr std::array<Meant, 13> meant = {{
      {"==", "equality is written `=`"},
      {"=>", "write `->`, or `>=` to compare"},
      {"<>", "write `!=`"},
      {"&&", "write `and`"},
      {"||", "write `or`"},
      {"&", "write `and`"},
      {"!", "write `not`, or `!=` to compare"},
      {"'", "texts stand in double quotes: `\"…\"`"},
      {"`", "texts stand in double quotes: `\"…\"`"},
      {";", "statements end by themselves; leave it out"},
      {"#", "comments begin with `//`"},
      {"%", "percent belongs to its number: `80%`"},
      {"$", "money is written with its currency: `12.50USD`"},
  }};
  Diagnostic& diagnostic =
      diagnostics.error("syntax", span, fmt::format("`{}` has no meaning in a policy", sign));
  for (const Meant& row : meant)
    if (row.sign == sign) diagnostic.help = row.help;
  if (static_cast<unsigned char>(sign.front()) >= 0x80) {
    diagnostic.help = "outside of texts and comments, a policy has only the characters of ASCII";
    if (sign == "“" || sign == "”" || sign == "„")
      diagnostic.help = "texts stand in straight quotes: `\"…\"`";
    if (sign == "–" || sign == "—" || sign == "−") diagnostic.help = "write a plain `-`";
  }
}

}  // namespace sluice::lang
