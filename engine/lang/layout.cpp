#include "lang/layout.hpp"

#include <algorithm>

namespace sluice::lang {
namespace {

using ast::Token;
using Role = Token::Role;

/// What the layout decided about the token that starts here.
struct Place {
  bool line = false;        ///< begins a line
  bool blank = false;       ///< a blank line stands before it, whatever the author wrote
  bool no_blank = false;    ///< never a blank line before it
  bool wide = false;        ///< two spaces before it, if it does not begin a line
  bool cell = false;        ///< begins a column that neighbouring lines align
  std::size_t indent = 0;   ///< of the line it begins, in columns
  std::size_t hanging = 4;  ///< further indent of the line's continuation
  std::size_t column = 0;   ///< at least this many columns after the line's indent
  std::string_view kind;    ///< lines of one kind align with each other; empty: none
};

/// Declarations whose braces never close on their line.
bool is_always_spread(std::string_view keyword) {
  return is_one_of(
      keyword, {"provision", "check", "topology", "queue", "class", "rule", "fallback", "test", "invariant"});
}

class Layout {
 public:
  Layout(std::string_view text, std::span<const Token> tokens) : text_(text) {
    drop_commas(tokens);
    places_.resize(tokens_.size());
    match_braces();
    file();
  }

  std::vector<Line> lines() const {
    std::vector<Line> result;
    std::size_t line_depth = 0;  // braces, brackets and parentheses that are open where the line begins
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      const bool closes = is_one_of(text(i), {"}", "]", ")"}) && !token.is_comment();
      if (closes && depth > 0) --depth;
      if (begins_line(i)) {
        result.push_back(new_line(i, result));
        line_depth = depth;
      }
      Piece piece{printed(i), result.back().pieces.empty() ? 0 : spaces_before(i), places_[i].cell,
                  token.is_comment() && !begins_line(i) && ends_line(i), 0};
      if (places_[i].column > 0) {
        std::size_t used = 0;
        for (const Piece& other : result.back().pieces) used += other.spaces + columns(other.text);
        piece.spaces = std::max(piece.spaces, places_[i].column - std::min(places_[i].column, used));
      }
      if (piece.comment) piece.spaces = std::max<std::size_t>(piece.spaces, 2);
      const std::size_t inner = depth - std::min(line_depth, depth);
      if (std::size_t rank = break_rank(i); rank > 0) piece.rank = inner * kRanks + rank;
      result.back().pieces.push_back(std::move(piece));
      if (is_one_of(text(i), {"{", "[", "("}) && !token.is_comment()) ++depth;
    }
    return result;
  }

 private:
  std::string_view text(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  /// The token as it is printed: comments lose what is invisible at the end of their lines.
  std::string printed(std::size_t i) const {
    std::string result;
    for (char c : text(i)) {
      if (c == '\n' && tokens_[i].is_comment()) trim_end(result);
      result += c;
    }
    if (tokens_[i].is_comment()) trim_end(result);
    return result;
  }
  static void trim_end(std::string& text) {
    while (!text.empty() && is_one_of(std::string_view(text).substr(text.size() - 1), {" ", "\t", "\r"}))
      text.pop_back();
  }

  // Structure.

  /// Takes all tokens but commas before a closing bracket.
  void drop_commas(std::span<const Token> tokens) {
    auto text_at = [&](std::size_t i) {
      return text_.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
    };
    bool newline = false;
    bool blank_line = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::size_t next = i + 1;
      while (next < tokens.size() && tokens[next].is_comment()) ++next;
      newline = newline || tokens[i].after_newline;
      blank_line = blank_line || tokens[i].after_blank_line;
      if (text_at(i) == "," && next < tokens.size() && is_one_of(text_at(next), {"}", "]", ")"})) continue;
      tokens_.push_back(tokens[i]);
      tokens_.back().after_newline = newline;
      tokens_.back().after_blank_line = blank_line;
      newline = blank_line = false;
    }
  }

  void match_braces() {
    partner_.assign(tokens_.size(), tokens_.size());
    comments_before_.assign(tokens_.size() + 1, 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      comments_before_[i + 1] = comments_before_[i] + (tokens_[i].is_comment() ? 1 : 0);
      if (tokens_[i].kind != Token::Kind::punctuation) continue;
      if (text(i) == "{") open.push_back(i);
      if (text(i) == "}" && !open.empty()) {
        partner_[open.back()] = i;
        open.pop_back();
      }
    }
  }
  bool has_comment(std::size_t first, std::size_t last) const {
    return comments_before_[last + 1] != comments_before_[first];
  }
  /// The token at or before `i` that is no comment.
  std::size_t last_token(std::size_t i) const {
    while (i > 0 && tokens_[i].is_comment()) --i;
    return i;
  }
  /// The last token of the same clause before the next one begins at `next`.
  std::size_t last_before(std::size_t next) const { return last_token(next - 1); }
  std::size_t next_token(std::size_t i) const {
    for (++i; i < tokens_.size() && tokens_[i].is_comment();) ++i;
    return i;
  }
  /// First tokens of the clauses directly inside of the brace `open`.
  std::vector<std::size_t> clauses_in(std::size_t open) const {
    std::vector<std::size_t> result;
    for (std::size_t i = open + 1; i < partner_[open]; ++i) {
      if (tokens_[i].role == Role::clause) result.push_back(i);
      if (partner_[i] < tokens_.size()) i = partner_[i];
    }
    return result;
  }
  /// The braces of a clause that are not inside of others.
  std::vector<std::size_t> braces_in(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> result;
    for (std::size_t i = first; i <= last; ++i) {
      if (partner_[i] == tokens_.size()) continue;
      result.push_back(i);
      i = partner_[i];
    }
    return result;
  }
  bool is_empty_block(std::size_t open) const { return partner_[open] == open + 1; }

  // Decisions.

  void file() {
    std::vector<std::size_t> starts;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].role == Role::declaration && depth == 0) starts.push_back(i);
      if (partner_[i] < tokens_.size()) i = partner_[i];
    }
    const std::size_t first = tokens_.empty() ? 0 : (tokens_[0].is_comment() ? next_token(0) : 0);
    if (first < tokens_.size() && tokens_[first].role == Role::none) places_[first].line = true;  // edition
    bool spread_before = !starts.empty() && starts.front() != first;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : tokens_.size();
      const std::size_t last = last_before(end);
      const bool spread = !statement(starts[k], last, 0, text(starts[k]), true);
      if (starts[k] != first && (spread || spread_before))
        places_[with_comments_above(starts[k])].blank = true;
      spread_before = spread || has_comment(starts[k], last);
    }
  }

  /// The first of the comments that stand directly above the token, or the token itself.
  std::size_t with_comments_above(std::size_t i) const {
    while (i > 0 && tokens_[i - 1].is_comment() && tokens_[i - 1].after_newline &&
           !tokens_[i].after_blank_line && tokens_[i].after_newline)
      --i;
    return i;
  }

  /// Lays out a declaration or clause, whose first token begins a line. False if it takes several lines.
  bool statement(std::size_t first, std::size_t last, std::size_t indent, std::string_view block,
                 bool is_declaration) {
    places_[first].line = true;
    places_[first].indent = indent;
    const std::vector<std::size_t> braces = braces_in(first, last);
    const bool one_line = fits_one_line(first, last, indent, is_declaration);
    if (one_line) {
      for (std::size_t open : braces) mark_one_line(open);
    } else {
      for (std::size_t open : braces) spread(open, indent);
    }
    for (std::size_t i = first + 1; i <= last; ++i)
      if (tokens_[i].role == Role::guard) places_[i].wide = true;
    columns_of(first, last, block, is_declaration, one_line);
    if (!is_declaration && block == "test" && text(first) == "for") rows(first, last, indent);
    return one_line;
  }

  bool fits_one_line(std::size_t first, std::size_t last, std::size_t indent, bool is_declaration) const {
    if (has_comment(first, last)) return false;
    const std::vector<std::size_t> braces = braces_in(first, last);
    std::size_t clauses = 0;
    for (std::size_t open : braces) {
      clauses += clauses_in(open).size();
      if (is_declaration && is_always_spread(text(first)) && !is_empty_block(open)) return false;
      if (is_one_of(text(first), {"group"}) && !is_declaration && clauses > 1) return false;
      for (std::size_t clause : clauses_in(open))
        if (is_declaration && text(first) == "cohort" && text(clause) == "group") return false;
    }
    if (braces.empty()) return true;  // too long or not, there is nothing to spread
    std::size_t width = indent;
    bool in_braces = false;
    for (std::size_t i = first; i <= last; ++i) {
      const bool separate =
          tokens_[i].role == Role::guard || (tokens_[i].role == Role::clause && is_wide_clause(i));
      width += (i == first ? 0 : (separate ? 2 : spaces_before(i))) + columns(text(i));
      in_braces = in_braces || partner_[i] < tokens_.size();
    }
    return width <= kLineWidth;
  }

  /// On one line, clauses without a comma between them stand two spaces apart.
  bool is_wide_clause(std::size_t i) const { return !is_one_of(text(last_before(i)), {",", "{"}); }

  void mark_one_line(std::size_t open) {
    for (std::size_t i = open + 1; i < partner_[open]; ++i)
      if (tokens_[i].role == Role::clause && is_wide_clause(i)) places_[i].wide = true;
  }

  void spread(std::size_t open, std::size_t indent) {
    if (is_empty_block(open)) return;
    const std::size_t close = partner_[open];
    places_[close].line = true;
    places_[close].no_blank = true;
    places_[close].indent = indent;
    const std::vector<std::size_t> clauses = clauses_in(open);
    for (std::size_t k = 0; k < clauses.size(); ++k) {
      const std::size_t end = k + 1 < clauses.size() ? clauses[k + 1] : close;
      statement(clauses[k], last_before(end), indent + kIndent, block_kind(open), false);
    }
    join_short_clauses(clauses, close, indent + kIndent);
  }

  /// The word that owns the brace: `queue`, `group`, `flavor` …
  std::string_view block_kind(std::size_t open) const {
    std::size_t i = open;
    while (i > 0 && tokens_[i].role != Role::declaration && tokens_[i].role != Role::clause) --i;
    return text(i);
  }

  /// `cohort company  strategy best-effort-fifo  weight 2`: the short clauses of a queue share a line.
  void join_short_clauses(const std::vector<std::size_t>& clauses, std::size_t close, std::size_t indent) {
    auto is_short = [&](std::size_t i) {
      return is_one_of(text(i), {"cohort", "parent", "strategy", "weight", "stop", "admission"});
    };
    auto end_of = [&](std::size_t k) { return last_before(k + 1 < clauses.size() ? clauses[k + 1] : close); };
    std::size_t start = 0;
    for (std::size_t k = 1; k < clauses.size(); ++k) {
      const bool joins = is_short(clauses[start]) && is_short(clauses[k]) &&
                         !has_comment(clauses[start], end_of(k)) && !tokens_[clauses[k]].after_blank_line &&
                         indent + width(clauses[start], end_of(k)) <= kLineWidth;
      if (!joins) {
        start = k;
        continue;
      }
      places_[clauses[k]] = Place{};
      places_[clauses[k]].wide = true;
    }
  }
  std::size_t width(std::size_t first, std::size_t last) const {
    std::size_t result = 0;
    for (std::size_t i = first; i <= last; ++i) result += columns(text(i)) + 2;
    return result;
  }

  /// Rows of a test's table stand below its head.
  void rows(std::size_t first, std::size_t last, std::size_t indent) {
    for (std::size_t i = first; i <= last; ++i) {
      if (tokens_[i].role == Role::row) {
        places_[i].line = true;
        places_[i].indent = indent + kIndent;
        places_[i].kind = "row";
      }
      if (tokens_[i].role == Role::bar) {
        places_[i].cell = true;
        places_[first].kind = "row";
      }
    }
  }

  /// Where the columns of a line are, and which neighbours it shares them with.
  void columns_of(std::size_t first, std::size_t last, std::string_view block, bool is_declaration,
                  bool one_line) {
    const std::string_view keyword = text(first);
    auto align_second = [&] {
      if (first < last) places_[first + 1].cell = true;
      places_[first].kind = block;
    };
    auto align_at = [&](std::string_view sign) {
      for (std::size_t i = first + 1; i <= last; ++i) {
        if (text(i) != sign || tokens_[i].kind != Token::Kind::punctuation) continue;
        places_[i].cell = true;
        places_[first].kind = keyword;
        return;
      }
    };
    if (is_declaration) {
      if (keyword == "flavor" && one_line) align_at("{");
      if (keyword == "local-queue") align_at("->");
      if (keyword == "priority-class") align_at("=");
      return;
    }
    if (block == "rule") {
      places_[first].kind = "rule";
      if (first < last && is_one_of(keyword, {"let", "when", "then"})) places_[first + 1].column = 6;
      places_[first].hanging = 6;
    } else if (block == "group" && keyword == "flavor" && one_line) {
      if (first + 2 <= last) places_[first + 2].cell = true;
      places_[first].kind = "quotas";
    } else if (keyword == "level") {
      align_at("=");
    } else if (is_one_of(block, {"flavor", "provision", "check"})) {
      align_second();
    } else if (block == "class" && keyword == "score" && one_line) {
      align_at("{");
    } else if (block == "class") {
      for (std::size_t i = first + 1; i <= last; ++i) {
        if (tokens_[i].role != Role::guard) continue;
        places_[i].cell = true;
        places_[first].kind = keyword;
        break;
      }
    } else if (block == "test") {
      test_columns(first, last);
    } else if (block == "invariant") {
      places_[first].hanging = kIndent;
    }
  }

  void test_columns(std::size_t first, std::size_t last) {
    std::size_t expect = first;
    if (text(first) == "at")
      for (std::size_t i = first + 1; i <= last && expect == first; ++i)
        if (is_one_of(text(i),
                      {"expect", "submit", "finish", "delete", "answer", "set", "capacity", "cluster"}))
          expect = i;
    if (expect != first) places_[expect].cell = true;
    places_[first].kind = text(expect);
    if (expect != first) places_[first].kind = "at";
    if (text(expect) != "expect" || expect + 2 > last) return;
    places_[expect + 2].cell = true;
    if (expect + 3 <= last && text(expect + 3) == "{") places_[expect + 3].cell = true;
  }

  // Printing.

  bool begins_line(std::size_t i) const {
    if (i == 0 || places_[i].line) return true;
    const Token& before = tokens_[i - 1];
    if (before.kind == Token::Kind::line_comment || before.kind == Token::Kind::doc_comment) return true;
    if (!tokens_[i].is_comment() || !tokens_[i].after_newline) return false;
    // In the middle of a clause, block comments stand between its words.
    const std::size_t next = next_token(i);
    return tokens_[i].kind != Token::Kind::block_comment || next == tokens_.size() || places_[next].line;
  }
  bool ends_line(std::size_t i) const {
    if (i + 1 == tokens_.size()) return true;
    return begins_line(i + 1);
  }

  Line new_line(std::size_t i, const std::vector<Line>& before) const {
    // Comments are indented as what follows them; before a closing brace, as what stands in it.
    std::size_t owner = i;
    while (owner + 1 < tokens_.size() && tokens_[owner].is_comment()) ++owner;
    Line line;
    const Place& place = places_[owner];
    if (place.line) {
      line.indent = place.indent;
      if (owner != i && text(owner) == "}") line.indent += kIndent;
    } else if (!tokens_[owner].is_comment()) {
      line.indent = continuation_indent(i);
    }
    line.hanging = place.hanging;
    if (owner == i) line.kind = place.kind;
    const bool author_blank = tokens_[i].after_blank_line && !is_first_in_braces(i);
    line.blank_before = !before.empty() && !places_[i].no_blank && (author_blank || places_[i].blank);
    return line;
  }
  /// Whether nothing but comments behind the brace stand between it and the line of `i`.
  bool is_first_in_braces(std::size_t i) const {
    while (i > 0 && tokens_[i - 1].is_comment() && !begins_line(i - 1)) --i;
    return i > 0 && tokens_[i - 1].kind == Token::Kind::punctuation && text(i - 1) == "{";
  }

  /// Of a line that begins only because a comment ended the one before.
  std::size_t continuation_indent(std::size_t i) const {
    while (i > 0 && !places_[i].line) --i;
    return places_[i].indent + places_[i].hanging;
  }

  std::size_t spaces_before(std::size_t i) const {
    if (places_[i].wide) return 2;
    if (i == 0) return 0;
    const std::size_t previous = i - 1;
    if (tokens_[i].is_comment() || tokens_[previous].is_comment()) return 1;
    if (tokens_[i].role == Role::postfix || tokens_[previous].role == Role::sign) return 0;
    const bool is_sign = tokens_[i].kind == Token::Kind::punctuation;
    const bool after_sign = tokens_[previous].kind == Token::Kind::punctuation;
    const std::string_view sign = is_sign ? text(i) : std::string_view();
    const std::string_view before = after_sign ? text(previous) : std::string_view();
    if (is_one_of(sign, {",", ")", "]", ":", "?", "..", "."})) return 0;
    if (is_one_of(before, {"(", "[", "..", "."})) return 0;
    if (sign == "}" && before == "{") return 0;
    return 1;
  }

  /// Which lines break first if they are too long; 0: never before this token.
  std::size_t break_rank(std::size_t i) const {
    switch (tokens_[i].role) {
      case Role::guard:
      case Role::body:
        return 1;
      case Role::item:
        return kItemRank;
      case Role::branch:
        return 3;
      case Role::disjunction:
        return 4;
      case Role::conjunction:
        return 5;
      case Role::sum:
        return 6;
      case Role::product:
        return 7;
      case Role::none:
      case Role::declaration:
      case Role::clause:
      case Role::row:
      case Role::bar:
      case Role::sign:
      case Role::postfix:
        return 0;
    }
    return 0;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Place> places_;
  std::vector<std::size_t> partner_;  ///< of `{`; else the number of tokens
  std::vector<std::size_t> comments_before_;
};

}  // namespace

std::vector<Line> layout(std::string_view text, std::span<const Token> tokens) {
  return Layout(text, tokens).lines();
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace sluice::lang
