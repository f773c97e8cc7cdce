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
      return "the file ends";
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

std::string help_for(const SyntaxError& error) {
  const bool is_word =
      error.found == SyntaxError::Found::word || error.found == SyntaxError::Found::reserved_word;
  if (is_word && !error.words.empty()) {
    if (std::string_view near = nearest(error.text, error.words); !near.empty())
      return fmt::format("did you mean `{}`?", near);
  }
  if (error.found == SyntaxError::Found::reserved_word && error.name)
    return fmt::format("`{}` is a word of the language; as a name it needs quotes: `\"{}\"`", error.text,
                       error.text);
  if (error.found == SyntaxError::Found::number && error.name && !error.expression)
    return fmt::format("a name begins with a letter; others need quotes: `\"{}\"`", error.text);
  if (error.found == SyntaxError::Found::word && error.quoted && !error.name)
    return fmt::format("write `\"{}\"`", error.text);
  if (is_comparison(error.text) && !error.expression)
    return "comparisons do not follow each other: write `a < b and b < c`, or use parentheses";
  if (error.words.size() > kMaxListed) {
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
  const bool is_word =
      error.found == SyntaxError::Found::word || error.found == SyntaxError::Found::reserved_word;
  if (error.words.size() > kMaxListed && is_word) {
    message = error.place.empty() ? fmt::format("`{}` begins no declaration", error.text)
                                  : fmt::format("`{}` is no part of {}", error.text, error.place);
  } else if (error.words.size() > kMaxListed) {
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
  if (error.open.end > error.open.begin)
    diagnostic.labels.emplace_back(error.open, fmt::format("this `{}` is never closed", error.open_text));
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
