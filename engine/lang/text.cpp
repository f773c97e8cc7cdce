#include "lang/text.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace sluice::lang {
namespace {

/// The length of the UTF-8 sequence at `i`, or 0 if there is none: overlong forms, surrogates and values
/// beyond U+10FFFF are none. Source: RFC 3629, section 4.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : static_cast<unsigned char>(0);
  };
  auto continues = [&](std::size_t k, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(k) >= low && byte(k) <= high;
  };
  const unsigned first = byte(i);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(i + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;
    return continues(i + 1, low, high) && continues(i + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return continues(i + 1, low, high) && continues(i + 2) && continues(i + 3) ? 4 : 0;
  }
  return 0;
}

/// Reads the escape at `quoted[i]`, a backslash, and moves `i` behind it.
bool take_escape(std::string_view quoted, std::size_t& i, std::string& out, Span at,
                 Diagnostics& diagnostics) {
  const char next = i + 1 < quoted.size() ? quoted[i + 1] : '\0';
  const auto place = static_cast<std::uint32_t>(at.begin + i);
  i += 2;
  switch (next) {
    case '"':
      out += '"';
      return true;
    case '\\':
      out += '\\';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 't':
      out += '\t';
      return true;
    default:
      break;
  }
  const auto length = static_cast<std::uint32_t>(sequence_length(quoted, i - 1));
  const Span span{at.source, place, place + 1 + length};
  std::string_view written = quoted.substr(i - 2, 1 + length);
  diagnostics.error("bad-escape", span, fmt::format("`{}` means nothing in a text", written)).help =
      "a text knows `\\\"`, `\\\\`, `\\n` and `\\t`; a backslash itself is `\\\\`, also in the pattern of "
      "`matches`";
  return false;
}

/// The end of the hole that begins behind `quoted[i]`, a brace; npos if it does not end. Texts in the hole
/// have escaped quotes.
std::size_t hole_end(std::string_view quoted, std::size_t i) {
  bool in_text = false;
  for (++i; i < quoted.size(); ++i) {
    if (quoted.substr(i, 2) == "\\\"") {
      in_text = !in_text;
      ++i;
    } else if (quoted[i] == '}' && !in_text) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

bool check_readable(std::string_view text, std::uint32_t source, Diagnostics& diagnostics) {
  if (text.size() > kMaxPolicyBytes) {
    diagnostics
        .error("too-large", Span{source, 0, 0},
               fmt::format("this file has {} bytes; a policy may have {}", text.size(), kMaxPolicyBytes))
        .help = "split the policy into several files; `import` joins them";
    return false;
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    const auto place = static_cast<std::uint32_t>(i);
    if (length == 0) {
      diagnostics
          .error("not-utf-8", Span{source, place, place + 1},
                 fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[i])))
          .help = "save the file as UTF-8";
      return false;
    }
    if (text[i] == '\0') {
      diagnostics.error("nul-byte", Span{source, place, place + 1}, "a NUL byte; this is no text file");
      return false;
    }
    i += length;
  }
  return true;
}

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? 3 : 0;
}

std::optional<std::string> unescape(std::string_view quoted, Span at, Diagnostics& diagnostics) {
  std::string out;
  for (std::size_t i = 0; i < quoted.size();) {
    if (quoted[i] == '\\') {
      if (!take_escape(quoted, i, out, at, diagnostics)) return std::nullopt;
    } else {
      out += quoted[i++];
    }
  }
  return out;
}

std::optional<std::vector<QuotedPiece>> split_holes(std::string_view quoted, Span at,
                                                    Diagnostics& diagnostics) {
  std::vector<QuotedPiece> pieces;
  std::string literal;
  auto end_literal = [&] {
    if (!literal.empty()) pieces.push_back(QuotedPiece{std::move(literal), false, 0, 0});
    literal.clear();
  };
  auto brace_alone = [&](std::size_t i, std::string_view message) {
    const auto place = static_cast<std::uint32_t>(at.begin + i);
    diagnostics.error("bad-hole", Span{at.source, place, place + 1}, std::string(message)).help =
        "`{expression}` shows a value; write `{{` and `}}` for braces themselves";
  };
  for (std::size_t i = 0; i < quoted.size();) {
    const std::string_view two = quoted.substr(i, 2);
    if (quoted[i] == '\\') {
      if (!take_escape(quoted, i, literal, at, diagnostics)) return std::nullopt;
    } else if (two == "{{" || two == "}}") {
      literal += quoted[i];
      i += 2;
    } else if (quoted[i] == '{') {
      const std::size_t end = hole_end(quoted, i);
      if (end == std::string_view::npos) {
        brace_alone(i, "this `{` is never closed");
        return std::nullopt;
      }
      if (quoted.substr(i + 1, end - i - 1).find_first_not_of(" \t") == std::string_view::npos) {
        brace_alone(i, "nothing stands between `{` and `}`");
        return std::nullopt;
      }
      end_literal();
      pieces.push_back(QuotedPiece{{},
                                   true,
                                   static_cast<std::uint32_t>(at.begin + i + 1),
                                   static_cast<std::uint32_t>(at.begin + end)});
      i = end + 1;
    } else if (quoted[i] == '}') {
      brace_alone(i, "this `}` closes nothing");
      return std::nullopt;
    } else {
      literal += quoted[i++];
    }
  }
  end_literal();
  return pieces;
}

}  // namespace sluice::lang
