#include "lang/parse.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "SluiceLexer.h"
#include "SluiceParser.h"
#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "base/time.hpp"
#include "lang/syntax_error.hpp"
#include "lang/text.hpp"
#include "lang/words.hpp"

namespace sluice::lang {
namespace {

using namespace ast;
using P = grammar::SluiceParser;

/// Thrown when the first error was reported; caught in this file.
struct Stop {};

/// What ANTLR's parser throws through its generated code when it cannot go on; caught in `Reader`.
struct NoParse {
  antlr4::Token* found;
  antlr4::misc::IntervalSet expected;
  std::size_t rule;  ///< innermost rule being read
  bool certain;      ///< `expected` tells all that could stand in place of `found`
};

/// Stops at the first error instead of guessing what comes after it.
class FirstError : public antlr4::DefaultErrorStrategy {
 public:
  [[noreturn]] void recover(antlr4::Parser* parser, std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (antlr4::NoViableAltException& e) {
      stop(parser, e.getOffendingToken(), e.getOffendingToken() == e.getStartToken());
    } catch (antlr4::RecognitionException& e) {
      stop(parser, e.getOffendingToken(), true);
    }
  }
  [[noreturn]] antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    stop(parser, parser->getCurrentToken(), true);
  }
  /// Called where a block or loop begins: the last moment at which all of its alternatives are known.
  void sync(antlr4::Parser* parser) override {
    const auto& atn = parser->getATN();
    const auto& next = atn.nextTokens(atn.states[parser->getState()]);
    if (next.contains(antlr4::Token::EPSILON) || next.contains(parser->getTokenStream()->LA(1))) return;
    stop(parser, parser->getCurrentToken(), true);
  }
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}

 private:
  [[noreturn]] static void stop(antlr4::Parser* parser, antlr4::Token* found, bool certain) {
    const auto expected = parser->getATN().getExpectedTokens(parser->getState(), parser->getContext());
    throw NoParse{found, expected, parser->getContext()->getRuleIndex(), certain};
  }
};

bool is_reserved(std::size_t token) {
  return token >= P::AND && token <= P::WHERE;
}
bool is_soft(std::size_t token) {
  return token >= P::ACCEPT && token <= P::ZONES;
}
bool is_word(std::size_t token) {
  return token == P::WORD || is_reserved(token) || is_soft(token);
}

/// Where the author was, in the words of the manual; empty between declarations.
std::string_view place_name(std::size_t rule) {
  switch (rule) {
    case P::RuleImportDecl:
    case P::RuleImportItem:
      return "an import";
    case P::RuleParamDecl:
      return "a param";
    case P::RuleFunctionDecl:
    case P::RuleParameter:
      return "a function";
    case P::RuleFlavorDecl:
    case P::RuleFlavorClause:
      return "a flavor";
    case P::RuleProvisionDecl:
    case P::RuleProvisionClause:
      return "a provision";
    case P::RuleCheckDecl:
    case P::RuleCheckDeclClause:
      return "a check";
    case P::RuleTopologyDecl:
    case P::RuleTopologyLevel:
      return "a topology";
    case P::RuleCohortDecl:
    case P::RuleCohortClause:
      return "a cohort";
    case P::RuleQueueDecl:
    case P::RuleQueueClause:
      return "a queue";
    case P::RulePreemptItem:
      return "`preempt`";
    case P::RuleFungibleItem:
      return "`fungible`";
    case P::RuleGroupClause:
      return "a group";
    case P::RuleLocalQueueDecl:
    case P::RuleLocalQueueClause:
      return "a local-queue";
    case P::RulePriorityClassDecl:
      return "a priority-class";
    case P::RuleClassDecl:
    case P::RuleClassClause:
    case P::RuleMachineClause:
    case P::RuleMachineHead:
    case P::RuleMachineModifier:
      return "a class";
    case P::RuleRuleDecl:
    case P::RuleWhenClause:
    case P::RuleThenClause:
    case P::RuleBecauseClause:
      return "a rule";
    case P::RuleVerdict:
    case P::RuleVerdictBody:
      return "`then`";
    case P::RuleFallbackDecl:
    case P::RuleRung:
    case P::RuleRungGuard:
      return "a fallback";
    case P::RuleCapacityBlock:
    case P::RuleCapacityEntry:
      return "`capacity`";
    case P::RuleTestDecl:
    case P::RuleStep:
    case P::RuleAction:
    case P::RuleTable:
    case P::RuleTableRow:
      return "a test";
    case P::RuleWorkloadField:
    case P::RulePodSetItem:
      return "a workload";
    case P::RuleInvariantDecl:
    case P::RuleInvariantClause:
      return "an invariant";
    case P::RuleExpr:
    case P::RuleConditional:
    case P::RuleDisjunction:
    case P::RuleConjunction:
    case P::RuleNegation:
    case P::RuleComparison:
    case P::RuleArith:
    case P::RuleTerm:
    case P::RulePrefix:
    case P::RuleRange:
    case P::RulePostfix:
    case P::RulePrimary:
    case P::RuleArguments:
      return "an expression";
    default:
      return {};
  }
}

/// One text as tokens: a whole file, or the expression in a hole of a text.
class Tokens {
 public:
  /// `text` are the bytes from `base` on of the source.
  Tokens(std::string_view text, std::uint32_t source, std::uint32_t base)
      : source_(source), base_(base), input_(std::string(text)), lexer_(&input_), stream_(&lexer_) {
    lexer_.removeErrorListeners();
    index_code_points(text);
    stream_.fill();
  }
  Tokens(const Tokens&) = delete;
  Tokens& operator=(const Tokens&) = delete;

  antlr4::CommonTokenStream& stream() { return stream_; }
  std::vector<antlr4::Token*> all() { return stream_.getTokens(); }

  std::uint32_t begin(const antlr4::Token* token) const { return byte(token->getStartIndex()); }
  std::uint32_t end(const antlr4::Token* token) const {
    if (token->getType() == antlr4::Token::EOF) return begin(token);
    return byte(token->getStopIndex() + 1);
  }
  Span span(const antlr4::Token* token) const { return {source_, begin(token), end(token)}; }
  Span span(antlr4::ParserRuleContext* context) const {
    return {source_, begin(context->getStart()), end(context->getStop())};
  }

 private:
  /// ANTLR counts code points, spans count bytes. A text of ASCII needs no table.
  void index_code_points(std::string_view text) {
    auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return;
    for (std::size_t i = 0; i < text.size(); ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
        byte_of_.push_back(static_cast<std::uint32_t>(i));
    byte_of_.push_back(static_cast<std::uint32_t>(text.size()));
  }
  std::uint32_t byte(std::size_t code_point) const {
    if (byte_of_.empty()) return base_ + static_cast<std::uint32_t>(code_point);
    return base_ + byte_of_[std::min(code_point, byte_of_.size() - 1)];
  }

  std::uint32_t source_;
  std::uint32_t base_;
  std::vector<std::uint32_t> byte_of_;
  antlr4::ANTLRInputStream input_;
  grammar::SluiceLexer lexer_;
  antlr4::CommonTokenStream stream_;
};

LiteralKind number_kind(std::string_view text) {
  static constexpr std::array<std::string_view, 16> suffixes = {"n", "u",  "m",  "k",  "M",  "G",  "T",  "P",
                                                                "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "K"};
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) return LiteralKind::number;
  const std::string_view suffix = text.substr(end);
  if (suffix == "%") return LiteralKind::percent;
  if (std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end()) return LiteralKind::quantity;
  if ((suffix[0] == 'e' || suffix[0] == 'E') &&
      suffix.find_first_not_of("0123456789", 1) == std::string_view::npos)
    return LiteralKind::number;
  if (Duration::parse(text)) return LiteralKind::duration;
  if (suffix.size() == 3 && suffix.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos)
    return LiteralKind::money;
  return LiteralKind::unknown_unit;
}

/// Makes the tree of one text. Its functions are named as the rules of the grammar, in the same order.
class Reader {
 public:
  Reader(const SourceMap& sources, std::uint32_t source, Arena& arena, Diagnostics& diagnostics)
      : text_(sources.text(source)),
        source_(source),
        arena_(arena),
        diagnostics_(diagnostics),
        first_id_(arena.size()) {}

  const File* file() {
    if (!check_readable(text_, source_, diagnostics_)) return nullptr;
    const auto base = static_cast<std::uint32_t>(byte_order_mark(text_));
    Tokens tokens(text_.substr(base), source_, base);
    try {
      check_tokens(tokens);
      check_edition(tokens);
      return with_parser<P::FileContext>(
          tokens, [](P& parser) { return parser.file(); },
          [&](P::FileContext* context) {
            const Span edition = span(context->editionClause()->NUMBER());
            return arena_.make(File{source_, kEdition, edition,
                                    map(context->declaration(), &Reader::declaration), layout_tokens()});
          });
    } catch (Stop&) {
      return nullptr;
    }
  }

  Fragment fragment() {
    Fragment result;
    if (!check_readable(text_, source_, diagnostics_)) return result;
    Tokens tokens(text_, source_, 0);
    in_fragment_ = true;
    try {
      check_tokens(tokens);
      if (begins_declaration(tokens)) {
        result.file = with_parser<P::FragmentDeclarationsContext>(
            tokens, [](P& parser) { return parser.fragmentDeclarations(); },
            [&](P::FragmentDeclarationsContext* context) {
              return arena_.make(
                  File{source_, 0, {}, map(context->declaration(), &Reader::declaration), layout_tokens()});
            });
      } else {
        result.expression = whole_expression(tokens);
      }
    } catch (Stop&) {
      result.incomplete = incomplete_;
    }
    return result;
  }

 private:
  static constexpr std::uint32_t kEdition = 2026;

  // Before parsing.

  /// Reports what is no token, texts and comments without end, and nesting that the parser's stack cannot
  /// hold.
  void check_tokens(Tokens& tokens) {
    std::vector<Span> open;
    std::size_t prefixes = 0;  // `not not - -`: the parser recurses for each
    std::size_t conditionals = 0;
    for (antlr4::Token* token : tokens.all()) {
      const std::size_t type = token->getType();
      const Span at = tokens.span(token);
      switch (type) {
        case P::UNKNOWN:
          report_unknown_sign(text_of(at), at, diagnostics_);
          throw Stop();
        case P::UNTERMINATED_STRING:
          unterminated_string(at);
          break;
        case P::UNTERMINATED_COMMENT:
          unterminated_comment(at);
          break;
        case P::LBRACE:
        case P::LBRACK:
        case P::LPAREN:
          open.push_back(at);
          break;
        case P::RBRACE:
        case P::RBRACK:
        case P::RPAREN:
          if (!open.empty()) open.pop_back();
          break;
        case P::IF:
          ++conditionals;
          break;
        case P::WHEN:
        case P::LET:
        case P::EQUAL:
          conditionals = 0;
          break;
        default:
          break;
      }
      const bool is_prefix = type == P::NOT || type == P::MINUS || type == P::HAS;
      prefixes = is_prefix ? prefixes + 1 : 0;
      if (open.size() + prefixes + conditionals > kMaxPolicyNesting) {
        diagnostics_
            .error("nested-too-deep", at, fmt::format("nested deeper than {} levels", kMaxPolicyNesting))
            .help = "give parts of it a name with `let` or `fn`";
        throw Stop();
      }
    }
  }

  void unterminated_string(Span at) {
    const std::string_view written = text_of(at);
    diagnostics_
        .error("unterminated-text", Span{source_, at.begin, at.begin + 1}, "this text has no closing quote")
        .help =
        written.find("{") != std::string_view::npos
            ? "a text ends in its line; quotes inside of it, also those inside of `{…}`, are written `\\\"`"
            : "a text ends in its line; a quote inside of it is written `\\\"`";
    throw Stop();
  }

  void unterminated_comment(Span at) {
    if (in_fragment_) incomplete_ = true;
    if (!in_fragment_)
      diagnostics_
          .error("unterminated-comment", Span{source_, at.begin, at.begin + 2},
                 "this comment is never closed")
          .help = "close it with `*/`";
    throw Stop();
  }

  void check_edition(Tokens& tokens) {
    std::vector<antlr4::Token*> visible;
    for (antlr4::Token* token : tokens.all()) {
      if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) visible.push_back(token);
      if (visible.size() == 2) break;
    }
    if (visible.size() < 2 || visible[0]->getType() != P::EDITION || visible[1]->getType() != P::NUMBER) {
      const bool wrong_word = visible[0]->getType() == P::EDITION;
      diagnostics_
          .error("edition-missing", wrong_word ? tokens.span(visible[0]) : Span{source_, 0, 0},
                 "the file does not say its edition")
          .help = fmt::format("begin with `edition {}`", kEdition);
      throw Stop();
    }
    const Span at = tokens.span(visible[1]);
    if (text_of(at) == std::to_string(kEdition)) return;
    diagnostics_.error("edition-unknown", at, fmt::format("edition `{}` is not known", text_of(at))).help =
        fmt::format("this version knows `edition {}`", kEdition);
    throw Stop();
  }

  /// In the REPL `queue q {` is a declaration and `queue` an expression.
  bool begins_declaration(Tokens& tokens) {
    static constexpr std::array starts = {
        P::EDITION,  P::IMPORT, P::PARAM,    P::FN,          P::FLAVOR,         P::PROVISION, P::CHECK,
        P::TOPOLOGY, P::COHORT, P::QUEUE,    P::LOCAL_QUEUE, P::PRIORITY_CLASS, P::CLASS,     P::FALLBACK,
        P::RULE,     P::ON,     P::CAPACITY, P::TEST,        P::INVARIANT};
    std::vector<std::size_t> types;
    for (antlr4::Token* token : tokens.all())
      if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) types.push_back(token->getType());
    if (types.size() < 2) return false;
    const bool named = types[1] == P::WORD || types[1] == P::STRING || types[1] == P::NUMBER ||
                       types[1] == P::LBRACE || is_soft(types[1]);
    return named && std::any_of(starts.begin(), starts.end(), [&](auto start) { return types[0] == start; });
  }

  // Parsing.

  /// Runs one rule of the grammar over all of `tokens` and `make` on its tree. SLL mode is fast and right
  /// wherever it succeeds; only a failure is tried again in full.
  template <class Context, class Start, class Make>
  std::invoke_result_t<Make, Context*> with_parser(Tokens& tokens, Start start, Make make) {
    Tokens* outer = std::exchange(tokens_, &tokens);
    if (in_hole_.end == 0) roles_.assign(tokens.stream().size(), Token::Role::none);
    P parser(&tokens.stream());
    parser.removeErrorListeners();
    parser.setErrorHandler(std::make_shared<FirstError>());
    auto* simulator = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
    Context* context = nullptr;
    simulator->setPredictionMode(antlr4::atn::PredictionMode::SLL);
    try {
      context = start(parser);
    } catch (NoParse&) {
      simulator->setPredictionMode(antlr4::atn::PredictionMode::LL);
      parser.reset();
      try {
        context = start(parser);
      } catch (NoParse& error) {
        report_no_parse(error, parser.getVocabulary());
        throw Stop();
      }
    }
    auto result = make(context);
    tokens_ = outer;
    return result;
  }

  ExprPtr whole_expression(Tokens& tokens) {
    return with_parser<P::FragmentExpressionContext>(
        tokens, [](P& parser) { return parser.fragmentExpression(); },
        [&](P::FragmentExpressionContext* context) { return expr(context->expr()); });
  }

  void report_no_parse(const NoParse& no_parse, const antlr4::dfa::Vocabulary& vocabulary) {
    const std::size_t found = no_parse.found->getType();
    const bool in_hole = in_hole_.end > 0;
    if (found == antlr4::Token::EOF && in_fragment_ && !in_hole) {
      incomplete_ = true;
      return;
    }
    SyntaxError error;
    error.span = span(no_parse.found);
    error.text = text_of(error.span);
    error.place = place_name(no_parse.rule);
    error.certain = no_parse.certain;
    if (found == antlr4::Token::EOF) {
      error.found = SyntaxError::Found::end;
      error.in_hole = in_hole;
    } else if (is_reserved(found)) {
      error.found = SyntaxError::Found::reserved_word;
    } else if (is_word(found)) {
      error.found = SyntaxError::Found::word;
    } else if (found == P::NUMBER) {
      error.found = SyntaxError::Found::number;
    } else if (found == P::STRING) {
      error.found = SyntaxError::Found::text;
    } else if (found == P::CLOCK) {
      error.found = SyntaxError::Found::clock;
    }
    if (!in_hole) error.open = open_before(no_parse.found);
    error.open_text = text_of(error.open);
    if (antlr4::Token* previous = token_before(no_parse.found)) error.previous = text_of(span(previous));
    error.touches_previous = error.span.begin > 0 && !error.previous.empty() &&
                             span(token_before(no_parse.found)).end == error.span.begin;
    const auto& expected = no_parse.expected;
    error.name = expected.contains(static_cast<std::size_t>(P::WORD));
    error.expression = error.name && expected.contains(static_cast<std::size_t>(P::LPAREN)) &&
                       expected.contains(static_cast<std::size_t>(P::NUMBER));
    error.quoted = expected.contains(static_cast<std::size_t>(P::STRING));
    error.number = !error.expression && expected.contains(static_cast<std::size_t>(P::NUMBER));
    error.at_end = expected.contains(antlr4::Token::EOF) && !in_hole;
    for (std::size_t type = 1; type <= vocabulary.getMaxTokenType(); ++type) {
      if (!expected.contains(type)) continue;
      const std::string& quoted = literal_names_.emplace_back(vocabulary.getLiteralName(type));
      if (quoted.size() < 3) continue;
      const std::string_view literal = std::string_view(quoted).substr(1, quoted.size() - 2);
      if (is_word(type)) {
        // Where a name may stand, every soft word may: only what is no name tells something.
        if (!error.name || (is_reserved(type) && !error.expression)) error.words.push_back(literal);
      } else if (!error.expression || (type != P::LPAREN && type != P::LBRACK && type != P::MINUS)) {
        error.signs.push_back(literal);
      }
    }
    report(error, diagnostics_);
  }

  /// The innermost bracket that is open where `found` stands; an empty span if there is none.
  Span open_before(const antlr4::Token* found) const {
    std::vector<Span> open;
    for (antlr4::Token* token : tokens_->all()) {
      if (token == found) break;
      const std::size_t type = token->getType();
      if (type == P::LBRACE || type == P::LBRACK || type == P::LPAREN) open.push_back(span(token));
      if ((type == P::RBRACE || type == P::RBRACK || type == P::RPAREN) && !open.empty()) open.pop_back();
    }
    return open.empty() ? Span{} : open.back();
  }
  antlr4::Token* token_before(const antlr4::Token* found) const {
    antlr4::Token* previous = nullptr;
    for (antlr4::Token* token : tokens_->all()) {
      if (token == found) break;
      if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) previous = token;
    }
    return previous;
  }

  // Small things.

  std::string_view text_of(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  Span span(const antlr4::Token* token) const { return tokens_->span(token); }
  Span span(antlr4::tree::TerminalNode* node) const { return tokens_->span(node->getSymbol()); }
  Span span(antlr4::ParserRuleContext* context) const { return tokens_->span(context); }

  [[noreturn]] void fail(std::string_view code, Span at, std::string message, std::string help = {}) {
    diagnostics_.error(code, at, std::move(message)).help = std::move(help);
    throw Stop();
  }
  /// For clauses that may be given once.
  void once(bool given, Span at, std::string_view clause) {
    if (given) fail("clause-twice", at, fmt::format("`{}` is given twice", clause), "keep one of them");
  }

  /// `map`, for what stands in braces.
  template <class Context, class T>
  std::span<const T> map_clauses(const std::vector<Context*>& contexts, T (Reader::*read)(Context*)) {
    for (Context* context : contexts) mark(context, Role::clause);
    return map(contexts, read);
  }
  template <class Context, class T>
  std::span<const T> map(const std::vector<Context*>& contexts, T (Reader::*read)(Context*)) {
    std::vector<T> values;
    values.reserve(contexts.size());
    for (Context* context : contexts) values.push_back((this->*read)(context));
    return arena_.list(values);
  }

  template <class T, std::size_t N>
  T fixed_word(P::NameContext* context, const std::array<FixedWord<T>, N>& words, std::string_view what) {
    const Name written = name(context);
    for (const FixedWord<T>& word : words)
      if (word.text == written.text) return word.value;
    std::vector<std::string_view> texts;
    for (const FixedWord<T>& word : words) texts.push_back(word.text);
    const std::string_view near = nearest(written.text, texts);
    fail("unknown-word", written.span, fmt::format("`{}` is no {}", written.text, what),
         near.empty() ? fmt::format("there are `{}`", fmt::join(texts, "`, `"))
                      : fmt::format("did you mean `{}`?", near));
  }

  using Role = Token::Role;
  void mark(const antlr4::Token* token, Role role) {
    if (in_hole_.end == 0) roles_[token->getTokenIndex()] = role;
  }
  void mark(antlr4::tree::TerminalNode* node, Role role) {
    if (node != nullptr) mark(node->getSymbol(), role);
  }
  void mark(antlr4::ParserRuleContext* context, Role role) {
    if (context != nullptr) mark(context->getStart(), role);
  }
  template <class Context>
  void mark_items(const std::vector<Context*>& contexts) {
    for (std::size_t i = 1; i < contexts.size(); ++i) mark(contexts[i], Role::item);
  }

  // Names and texts.

  std::string_view string_value(antlr4::tree::TerminalNode* node) {
    const Span at = span(node);
    const Span inner = between_quotes(at);
    const std::string_view quoted = text_of(inner);
    if (quoted.find('\\') == std::string_view::npos) return arena_.text(quoted);
    const auto value = unescape(quoted, inner, diagnostics_);
    if (!value) throw Stop();
    return arena_.text(*value);
  }

  Span between_quotes(Span at) {
    if (text_[at.begin] != '\\') return {source_, at.begin + 1, at.end - 1};
    if (in_hole_.end == 0)
      fail("syntax", Span{source_, at.begin, at.begin + 1}, "`\\` has no meaning in a policy",
           "write texts as `\"…\"`; only inside of `{…}` in a text their quotes are escaped");
    return {source_, at.begin + 2, at.end - 2};
  }

  /// A text whose `{…}` are expressions.
  Text text(antlr4::tree::TerminalNode* node) {
    const Span at = span(node);
    const Span inner = between_quotes(at);
    const auto split = split_holes(text_of(inner), inner, diagnostics_);
    if (!split) throw Stop();
    std::vector<TextPiece> pieces;
    for (const QuotedPiece& piece : *split) {
      if (piece.is_hole)
        pieces.push_back({{}, hole(Span{source_, piece.begin, piece.end})});
      else
        pieces.push_back({arena_.text(piece.literal), nullptr});
    }
    return {at, arena_.list(pieces)};
  }
  std::optional<Text> text_if(antlr4::tree::TerminalNode* node) {
    if (node == nullptr) return std::nullopt;
    return text(node);
  }

  ExprPtr hole(Span at) {
    Tokens tokens(text_of(at), source_, at.begin);
    const Span outer = std::exchange(in_hole_, at);
    check_tokens(tokens);
    ExprPtr expression = whole_expression(tokens);
    in_hole_ = outer;
    return expression;
  }

  Name name(P::NameContext* context) {
    if (context == nullptr) return {};
    if (context->STRING() == nullptr) return word_name(span(context));
    const Name quoted{string_value(context->STRING()), span(context)};
    if (quoted.empty()) fail("syntax", quoted.span, "a name cannot be empty");
    return quoted;
  }
  Name word_name(Span at) { return {arena_.text(text_of(at)), at}; }

  /// A name that expressions use, where a dot would mean a member.
  Name variable_name(P::NameContext* context, std::string_view what) {
    const Name result = name(context);
    if (context->STRING() != nullptr || result.text.find_first_of("./") != std::string_view::npos)
      fail("syntax", result.span, fmt::format("`{}` cannot name {}", result.text, what),
           "letters, digits, dashes and underscores, beginning with a letter");
    return result;
  }

  // Declarations.

  Declaration declaration(P::DeclarationContext* context) {
    Declaration result;
    result.id = arena_.next_id();
    result.span = span(context);
    result.keyword = span(context->getStart());
    mark(context, Role::declaration);
    result.doc = doc_before(context->getStart());
    if (auto* import_decl = context->importDecl()) {
      result.node = import(import_decl);
    } else if (auto* param_decl = context->paramDecl()) {
      result.name = variable_name(param_decl->name(), "a param");
      result.node = Param{type_ref(param_decl->typeRef()), expr_if(param_decl->expr())};
    } else if (auto* function_decl = context->functionDecl()) {
      result.name = variable_name(function_decl->name(), "a function");
      mark(function_decl->LPAREN(), Role::postfix);
      mark_items(function_decl->parameter());
      mark(function_decl->expr(), Role::body);
      result.node = Function{map(function_decl->parameter(), &Reader::parameter),
                             type_ref(function_decl->typeRef()), expr(function_decl->expr())};
    } else if (auto* flavor_decl = context->flavorDecl()) {
      result.name = name(flavor_decl->name());
      result.node = flavor(flavor_decl);
    } else if (auto* provision_decl = context->provisionDecl()) {
      result.name = name(provision_decl->name());
      result.node = provision(provision_decl);
    } else if (auto* check_decl = context->checkDecl()) {
      result.name = name(check_decl->name());
      result.node = check(check_decl);
    } else if (auto* topology_decl = context->topologyDecl()) {
      result.name = name(topology_decl->name());
      result.node = Topology{map_clauses(topology_decl->topologyLevel(), &Reader::topology_level)};
    } else if (auto* cohort_decl = context->cohortDecl()) {
      result.name = name(cohort_decl->name());
      result.node = cohort(cohort_decl);
    } else if (auto* queue_decl = context->queueDecl()) {
      result.name = name(queue_decl->name());
      result.node = queue(queue_decl);
    } else if (auto* local_queue_decl = context->localQueueDecl()) {
      result.name = name(local_queue_decl->name(0));
      result.node = local_queue(local_queue_decl, result.name);
    } else if (auto* priority_class_decl = context->priorityClassDecl()) {
      result.name = name(priority_class_decl->name());
      auto* description = priority_class_decl->STRING();
      result.node = PriorityClass{arith(priority_class_decl->arith()),
                                  description == nullptr ? std::string_view() : string_value(description)};
    } else if (auto* class_decl = context->classDecl()) {
      result.name = name(class_decl->name());
      result.node = compute_class(class_decl);
    } else if (auto* fallback_decl = context->fallbackDecl()) {
      result.name = name(fallback_decl->name());
      mark(fallback_decl->OTHERWISE(), Role::clause);
      result.node =
          Fallback{map_clauses(fallback_decl->rung(), &Reader::rung), text_if(fallback_decl->STRING())};
    } else if (auto* rule_decl = context->ruleDecl()) {
      result.name = name(rule_decl->name(0));
      result.node = rule(rule_decl);
    } else if (auto* hit_policy_decl = context->hitPolicyDecl()) {
      result.node = HitPolicy{decision_point(hit_policy_decl->name()), true};
    } else if (auto* capacity_decl = context->capacityDecl()) {
      result.node = capacity(capacity_decl->capacityBlock());
    } else if (auto* test_decl = context->testDecl()) {
      result.name = Name{string_value(test_decl->STRING()), span(test_decl->STRING())};
      result.node = test(test_decl);
    } else if (auto* invariant_decl = context->invariantDecl()) {
      result.name = Name{string_value(invariant_decl->STRING()), span(invariant_decl->STRING())};
      result.node = Invariant{map_clauses(invariant_decl->invariantClause(), &Reader::invariant_clause)};
    }
    return result;
  }

  /// The `///` lines that stand directly above; a blank line makes them a remark about the file.
  std::string_view doc_before(antlr4::Token* first) {
    std::string doc;
    std::uint32_t next = tokens_->begin(first);
    std::vector<antlr4::Token*> hidden = tokens_->stream().getHiddenTokensToLeft(first->getTokenIndex());
    for (auto token = hidden.rbegin(); token != hidden.rend(); ++token) {
      const Span at = span(*token);
      const std::string_view gap = text_.substr(at.end, next - at.end);
      const std::string_view above = text_.substr(0, at.begin);
      const std::size_t line_end = above.find_last_not_of(" \t");
      const bool begins_line = line_end == std::string_view::npos || above[line_end] == '\n';
      if ((*token)->getType() != P::DOC_COMMENT || !begins_line ||
          std::count(gap.begin(), gap.end(), '\n') > 1)
        break;
      std::string_view line = text_of(at).substr(3);
      if (line.starts_with(' ')) line.remove_prefix(1);
      while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
      doc = doc.empty() ? std::string(line) : fmt::format("{}\n{}", line, doc);
      next = at.begin;
    }
    return arena_.text(doc);
  }

  Import import(P::ImportDeclContext* context) {
    return {name(context->name()), context->LBRACE() == nullptr,
            map_clauses(context->importItem(), &Reader::import_item)};
  }
  Import::Item import_item(P::ImportItemContext* context) {
    return {name(context->name(0)), name(context->name(1))};
  }

  TypeRef type_ref(P::TypeRefContext* context) {
    return {name(context->name()), span(context), context->QUESTION() != nullptr,
            context->LBRACK() != nullptr};
  }
  Function::Parameter parameter(P::ParameterContext* context) {
    return {arena_.next_id(), variable_name(context->name(), "a parameter"), type_ref(context->typeRef())};
  }

  KeyValue key_value(P::KeyValueContext* context) { return {name(context->name()), arith(context->arith())}; }

  Flavor flavor(P::FlavorDeclContext* context) {
    Flavor result;
    std::vector<KeyValue> nodes;
    std::vector<TaintClause> taints;
    std::vector<TolerateClause> tolerations;
    std::vector<Name> checks;
    for (auto* clause : context->flavorClause()) {
      mark(clause, Role::clause);
      if (clause->NODES() != nullptr) {
        mark_items(clause->keyValue());
        for (auto* pair : clause->keyValue()) nodes.push_back(key_value(pair));
      } else if (clause->TAINT() != nullptr) {
        taints.push_back({span(clause), name(clause->name(0)), arith_if(clause->arith(0)),
                          fixed_word(clause->name(1), effect_words, "effect of a taint")});
      } else if (clause->TOLERATE() != nullptr) {
        tolerations.push_back(toleration(clause));
      } else if (clause->TOPOLOGY() != nullptr) {
        once(!result.topology.empty(), span(clause), "topology");
        result.topology = name(clause->name(0));
      } else {
        mark_items(clause->name());
        for (auto* check : clause->name()) checks.push_back(name(check));
      }
    }
    result.nodes = arena_.list(nodes);
    result.taints = arena_.list(taints);
    result.tolerations = arena_.list(tolerations);
    result.checks = arena_.list(checks);
    return result;
  }

  TolerateClause toleration(P::FlavorClauseContext* context) {
    TolerateClause result;
    result.span = span(context);
    result.all = context->ALL() != nullptr;
    std::size_t names = 0;
    std::size_t values = 0;
    if (!result.all) result.key = name(context->name(names++));
    if (auto* compare = context->compare()) {
      result.value = arith(context->arith(values++));
      switch (compare->getStart()->getType()) {
        case P::EQUAL:
          result.op = TolerateClause::Op::equal;
          break;
        case P::GREATER:
          result.op = TolerateClause::Op::greater;
          break;
        case P::LESS:
          result.op = TolerateClause::Op::less;
          break;
        default:
          fail("syntax", span(compare), fmt::format("a toleration knows no `{}`", text_of(span(compare))),
               "write `=`, `>` or `<`");
      }
    }
    if (context->COLON() != nullptr)
      result.effect = fixed_word(context->name(names), effect_words, "effect of a taint");
    if (context->FOR() != nullptr) result.seconds = arith(context->arith(values));
    return result;
  }

  Provision provision(P::ProvisionDeclContext* context) {
    Provision result;
    std::vector<Name> manage;
    std::vector<KeyValue> parameters;
    std::vector<Provision::NodeUpdate> updates;
    for (auto* clause : context->provisionClause()) {
      mark(clause, Role::clause);
      const Span at = span(clause);
      if (clause->CLASS() != nullptr) {
        once(!result.class_name.empty(), at, "class");
        result.class_name = name(clause->name(0));
      } else if (clause->CONFIG() != nullptr) {
        once(!result.config.empty(), at, "config");
        result.config = name(clause->name(0));
      } else if (clause->MANAGE() != nullptr) {
        mark_items(clause->name());
        for (auto* resource : clause->name()) manage.push_back(name(resource));
      } else if (clause->PARAMETER() != nullptr) {
        parameters.push_back(key_value(clause->keyValue()));
      } else if (clause->RETRY() != nullptr) {
        once(result.retry.has_value(), at, "retry");
        std::size_t values = 0;
        RetryClause retry{at, arith(clause->arith(values++)), nullptr, nullptr};
        if (clause->BACKOFF() != nullptr) retry.backoff = arith(clause->arith(values++));
        if (clause->UP_TO() != nullptr) retry.up_to = arith(clause->arith(values));
        result.retry = retry;
      } else if (clause->SELECT() != nullptr) {
        updates.push_back({name(clause->name(0)), name(clause->name(1))});
      } else {
        once(!result.merge.empty(), at, "merge");
        fixed_word(clause->name(0), merge_words, "way to merge pod sets");
        result.merge = name(clause->name(0));
      }
    }
    result.manage = arena_.list(manage);
    result.parameters = arena_.list(parameters);
    result.node_updates = arena_.list(updates);
    return result;
  }

  Check check(P::CheckDeclContext* context) {
    Check result;
    for (auto* clause : context->checkDeclClause()) {
      mark(clause, Role::clause);
      if (clause->CONTROLLER() != nullptr) {
        once(!result.controller.empty(), span(clause), "controller");
        result.controller = name(clause->name(0));
      } else {
        once(!result.parameters_kind.empty(), span(clause), "parameters");
        result.parameters_kind = name(clause->name(0));
        result.parameters_name = name(clause->name(1));
      }
    }
    return result;
  }

  Topology::Level topology_level(P::TopologyLevelContext* context) {
    return {name(context->name(0)), name(context->name(1))};
  }

  Cohort cohort(P::CohortDeclContext* context) {
    Cohort result;
    std::vector<FlavorQuotas> quotas;
    std::vector<ResourceGroup> groups;
    for (auto* clause : context->cohortClause()) {
      mark(clause, Role::clause);
      if (clause->PARENT() != nullptr) {
        once(!result.parent.empty(), span(clause), "parent");
        result.parent = name(clause->name());
      } else if (clause->WEIGHT() != nullptr) {
        once(result.weight != nullptr, span(clause), "weight");
        result.weight = arith(clause->arith());
      } else if (clause->QUOTA() != nullptr) {
        quotas.push_back(flavor_quotas(clause->flavorQuotas()));
      } else {
        groups.push_back(group(clause->groupClause()));
      }
    }
    result.quotas = arena_.list(quotas);
    result.groups = arena_.list(groups);
    return result;
  }

  Queue queue(P::QueueDeclContext* context) {
    Queue result;
    std::vector<ResourceGroup> groups;
    std::vector<CheckClause> checks;
    for (auto* clause : context->queueClause()) {
      mark(clause, Role::clause);
      const Span at = span(clause);
      if (clause->COHORT() != nullptr) {
        once(!result.cohort.empty(), at, "cohort");
        result.cohort = name(clause->name(0));
      } else if (clause->STRATEGY() != nullptr) {
        once(result.strategy.has_value(), at, "strategy");
        result.strategy = fixed_word(clause->name(0), strategy_words, "queueing strategy");
      } else if (auto* accepts = clause->acceptClause()) {
        once(result.accept.has_value(), at, "accept");
        result.accept = accept(accepts);
      } else if (auto* group_clause = clause->groupClause()) {
        groups.push_back(group(group_clause));
      } else if (clause->PREEMPT() != nullptr) {
        once(result.preempt.has_value(), at, "preempt");
        result.preempt = preempt(clause);
      } else if (clause->FUNGIBLE() != nullptr) {
        once(result.fungible.has_value(), at, "fungible");
        result.fungible = fungible(clause);
      } else if (clause->WEIGHT() != nullptr) {
        once(result.weight != nullptr, at, "weight");
        result.weight = arith(clause->arith());
      } else if (clause->STOP() != nullptr) {
        once(result.stop.has_value(), at, "stop");
        result.stop = fixed_word(clause->name(0), stop_words, "stop policy");
      } else if (clause->CHECK() != nullptr) {
        std::vector<Name> names;
        for (auto* written : clause->name()) names.push_back(name(written));
        checks.push_back({at, names.front(), arena_.list(std::vector<Name>(names.begin() + 1, names.end()))});
      } else {
        for (auto* mode : clause->name()) {
          const bool usage_based = fixed_word(mode, admission_words, "way of admission");
          (usage_based ? result.usage_based_fair_sharing : result.concurrent_admission) = true;
        }
      }
    }
    result.groups = arena_.list(groups);
    result.checks = arena_.list(checks);
    return result;
  }

  AcceptClause accept(P::AcceptClauseContext* context) {
    AcceptClause result;
    result.span = span(context);
    result.condition = expr_if(context->expr());
    if (context->ALL() == nullptr)
      result.kind = context->NO() != nullptr ? AcceptClause::Kind::no : AcceptClause::Kind::where;
    return result;
  }

  PreemptClause preempt(P::QueueClauseContext* context) {
    PreemptClause result;
    result.span = span(context);
    mark_items(context->preemptItem());
    for (auto* item : context->preemptItem()) {
      const Span at = span(item);
      if (item->WITHIN_QUEUE() != nullptr) {
        once(result.within_queue.has_value(), at, "within-queue");
        result.within_queue = fixed_word(item->name(), within_queue_words, "policy of `within-queue`");
      } else if (item->WITHIN_COHORT() != nullptr) {
        once(result.within_cohort.has_value(), at, "within-cohort");
        result.within_cohort = fixed_word(item->name(), within_cohort_words, "policy of `within-cohort`");
      } else {
        once(result.while_borrowing.has_value(), at, "while-borrowing");
        result.while_borrowing = PreemptionPolicy::lower_priority;
        if (item->name() != nullptr)
          result.while_borrowing =
              fixed_word(item->name(), while_borrowing_words, "policy of `while-borrowing`");
        if (auto* threshold = item->threshold()) {
          result.threshold = arith(threshold->arith());
          result.threshold_inclusive = threshold->UP_TO() != nullptr;
        }
      }
    }
    return result;
  }

  FungibleClause fungible(P::QueueClauseContext* context) {
    FungibleClause result;
    result.span = span(context);
    mark_items(context->fungibleItem());
    for (auto* item : context->fungibleItem()) {
      const Span at = span(item);
      if (item->CAN_BORROW() != nullptr) {
        once(result.can_borrow.has_value(), at, "can-borrow");
        result.can_borrow = fixed_word(item->name(), fungibility_words, "policy of `can-borrow`");
      } else if (item->CAN_PREEMPT() != nullptr) {
        once(result.can_preempt.has_value(), at, "can-preempt");
        result.can_preempt = fixed_word(item->name(), fungibility_words, "policy of `can-preempt`");
      } else {
        once(result.preference.has_value(), at, "prefer");
        result.preference = fixed_word(item->name(), preference_words, "preference of a queue");
      }
    }
    return result;
  }

  ResourceGroup group(P::GroupClauseContext* context) {
    for (auto* flavor : context->FLAVOR()) mark(flavor, Role::clause);
    mark_items(context->name());
    return {span(context), map(context->name(), &Reader::name),
            map(context->flavorQuotas(), &Reader::flavor_quotas)};
  }
  FlavorQuotas flavor_quotas(P::FlavorQuotasContext* context) {
    return {span(context), name(context->name()), context->UNLIMITED() != nullptr,
            map_clauses(context->resourceQuota(), &Reader::resource_quota)};
  }
  ResourceQuota resource_quota(P::ResourceQuotaContext* context) {
    ResourceQuota result;
    result.span = span(context);
    result.resource = name(context->name());
    std::size_t values = 0;
    if (context->UNLIMITED() == nullptr) result.nominal = arith(context->arith(values++));
    if (context->BORROW() != nullptr) result.borrow = arith(context->arith(values++));
    if (context->LEND() != nullptr) result.lend = arith(context->arith(values));
    return result;
  }

  LocalQueue local_queue(P::LocalQueueDeclContext* context, const Name& whole) {
    LocalQueue result;
    const std::size_t slash = whole.text.find('/');
    if (slash == std::string_view::npos || slash == 0 || slash + 1 == whole.text.size())
      fail("syntax", whole.span, fmt::format("`{}` names no namespace", whole.text),
           fmt::format("a local queue is written `namespace/name`: `default/{}`", whole.text));
    const auto in_quotes = static_cast<std::uint32_t>(context->name(0)->STRING() != nullptr ? 1 : 0);
    const auto middle = whole.span.begin + in_quotes + static_cast<std::uint32_t>(slash);
    result.name_space = {whole.text.substr(0, slash), {source_, whole.span.begin + in_quotes, middle}};
    result.name = {whole.text.substr(slash + 1), {source_, middle + 1, whole.span.end - in_quotes}};
    result.queue = name(context->name(1));
    for (auto* clause : context->localQueueClause()) {
      mark(clause, Role::clause);
      if (clause->STOP() != nullptr) {
        once(result.stop.has_value(), span(clause), "stop");
        result.stop = fixed_word(clause->name(), stop_words, "stop policy");
      } else {
        once(result.weight != nullptr, span(clause), "weight");
        result.weight = arith(clause->arith());
      }
    }
    return result;
  }

  // Compute classes.

  ComputeClass compute_class(P::ClassDeclContext* context) {
    ComputeClass result;
    std::vector<MachineRule> rules;
    for (auto* clause : context->classClause()) {
      mark(clause, Role::clause);
      const Span at = span(clause);
      if (clause->UNSATISFIABLE() != nullptr) {
        once(result.scale_up_anyway.has_value(), at, "unsatisfiable");
        result.scale_up_anyway = fixed_word(clause->name(), unsatisfiable_words, "answer to `unsatisfiable`");
      } else if (clause->MIGRATE() != nullptr) {
        result.migrate_to_higher_priority = fixed_word(clause->name(), migrate_words, "way to migrate");
      } else if (clause->CONSOLIDATE() != nullptr) {
        once(result.consolidate.has_value(), at, "consolidate");
        ConsolidateClause consolidate{at, nullptr, nullptr};
        std::size_t values = 0;
        if (clause->AFTER() != nullptr) consolidate.after = arith(clause->arith(values++));
        if (clause->BELOW() != nullptr) consolidate.below = arith(clause->arith(values));
        result.consolidate = consolidate;
      } else {
        rules.push_back(machine_rule(clause));
      }
    }
    result.rules = arena_.list(rules);
    return result;
  }

  MachineRule machine_rule(P::ClassClauseContext* context) {
    for (auto* modifier : context->machineModifier()) mark(modifier, Role::guard);
    for (auto* clause : context->machineClause()) mark(clause, Role::clause);
    std::vector<MachineClause> clauses;
    if (auto* head = context->machineHead()) clauses.push_back(machine_head(head));
    for (auto* modifier : context->machineModifier()) clauses.push_back(machine_modifier(modifier));
    for (auto* clause : context->machineClause())
      clauses.push_back(clause->machineHead() != nullptr ? machine_head(clause->machineHead())
                                                         : machine_modifier(clause->machineModifier()));
    for (std::size_t i = 0; i < clauses.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        once(clauses[i].kind == clauses[k].kind, clauses[i].span, clauses[i].word.text);
    return {span(context), context->SCORE() != nullptr ? arith(context->arith(0)) : nullptr,
            arena_.list(clauses)};
  }

  MachineClause machine_clause(antlr4::ParserRuleContext* context,
                               const std::vector<P::NameContext*>& names) {
    MachineClause result;
    result.span = span(context);
    result.word = word_name(span(context->getStart()));
    result.names = map(names, &Reader::name);
    return result;
  }
  MachineClause machine_head(P::MachineHeadContext* context) {
    MachineClause result = machine_clause(context, context->name());
    using Kind = MachineClause::Kind;
    if (context->MACHINE_TYPE() != nullptr) result.kind = Kind::machine_type;
    if (context->FAMILY() != nullptr) result.kind = Kind::family;
    if (context->NODE_POOLS() != nullptr) result.kind = Kind::node_pools;
    if (context->POD_FAMILY() != nullptr) result.kind = Kind::pod_family;
    return result;
  }
  MachineClause machine_modifier(P::MachineModifierContext* context) {
    MachineClause result = machine_clause(context, context->name());
    result.value = arith_if(context->arith());
    if (context->settings() != nullptr)
      result.options = map_clauses(context->settings()->setting(), &Reader::option);
    if (context->NONE() != nullptr) result.affinity = ReservationAffinity::none;
    if (context->SPECIFIC() != nullptr) result.affinity = ReservationAffinity::specific;
    using Kind = MachineClause::Kind;
    switch (context->getStart()->getType()) {
      case P::MIN_CORES:
        result.kind = Kind::min_cores;
        break;
      case P::MIN_MEMORY:
        result.kind = Kind::min_memory;
        break;
      case P::ZONES:
        result.kind = Kind::zones;
        break;
      case P::ON_DEMAND:
        result.kind = Kind::on_demand;
        break;
      case P::SPOT:
        result.kind = Kind::spot;
        break;
      case P::RESERVATION:
        result.kind = Kind::reservation;
        break;
      case P::FLEX_START:
        result.kind = Kind::flex_start;
        break;
      case P::MAX_RUN:
        result.kind = Kind::max_run;
        break;
      case P::WAIT:
        result.kind = Kind::wait;
        break;
      case P::PLACEMENT:
        result.kind = Kind::placement;
        break;
      default:
        result.kind = Kind::accelerator;
        break;
    }
    return result;
  }
  Option option(P::SettingContext* context) { return {name(context->name()), arith(context->arith())}; }

  // Rules.

  DecisionPoint decision_point(P::NameContext* context) {
    return fixed_word(context, point_words, "decision point");
  }

  Rule rule(P::RuleDeclContext* context) {
    for (auto* let : context->let()) mark(let, Role::clause);
    mark(context->whenClause(), Role::clause);
    mark(context->thenClause(), Role::clause);
    mark(context->becauseClause(), Role::clause);
    mark(context->onError(), Role::clause);
    mark_items(context->thenClause()->verdict());
    Rule result;
    result.point = decision_point(context->name(1));
    result.point_span = span(context->name(1));
    result.lets = map(context->let(), &Reader::let);
    if (context->whenClause() != nullptr) result.when = expr(context->whenClause()->expr());
    result.then = map(context->thenClause()->verdict(), &Reader::verdict);
    if (context->becauseClause() != nullptr) result.because = text(context->becauseClause()->STRING());
    if (auto* on_error = context->onError()) {
      result.on_error = OnError::hold;
      if (on_error->SKIP_() != nullptr) result.on_error = OnError::skip;
      if (on_error->DENY() != nullptr) result.on_error = OnError::deny;
    }
    return result;
  }

  Let let(P::LetContext* context) {
    return {arena_.next_id(), span(context), variable_name(context->name(), "a value"),
            expr(context->expr())};
  }

  Verdict verdict(P::VerdictContext* context) {
    Verdict result;
    result.span = span(context);
    result.after = arith_if(context->arith());
    P::VerdictBodyContext* body = context->verdictBody();
    if (dynamic_cast<P::DenyVerdictContext*>(body) != nullptr) {
      result.node = DenyVerdict{};
    } else if (dynamic_cast<P::WarnVerdictContext*>(body) != nullptr) {
      result.node = WarnVerdict{};
    } else if (auto* default_key = dynamic_cast<P::DefaultKeyVerdictContext*>(body)) {
      auto* field = default_key->LABEL() != nullptr ? default_key->LABEL() : default_key->ANNOTATION();
      result.node =
          DefaultVerdict{word_name(span(field)), name(default_key->name()), {}, arith(default_key->arith())};
    } else if (auto* topology = dynamic_cast<P::DefaultTopologyVerdictContext*>(body)) {
      auto* mode = topology->REQUIRE() != nullptr ? topology->REQUIRE() : topology->PREFER();
      result.node = DefaultVerdict{
          word_name(span(topology->TOPOLOGY())), {}, word_name(span(mode)), name_as_expr(topology->name())};
    } else if (auto* default_field = dynamic_cast<P::DefaultVerdictContext*>(body)) {
      result.node = DefaultVerdict{name(default_field->name()), {}, {}, arith(default_field->arith())};
    } else if (auto* score = dynamic_cast<P::ScoreVerdictContext*>(body)) {
      result.node = ScoreVerdict{expr(score->expr())};
    } else if (dynamic_cast<P::SkipVerdictContext*>(body) != nullptr) {
      result.node = SkipVerdict{};
    } else if (auto* prefer_flavor = dynamic_cast<P::PreferFlavorVerdictContext*>(body)) {
      result.node = PreferVerdict{name(prefer_flavor->name(0)), name(prefer_flavor->name(1))};
    } else if (auto* hold = dynamic_cast<P::HoldVerdictContext*>(body)) {
      result.node = HoldVerdict{expr_if(hold->expr())};
    } else if (auto* require_check = dynamic_cast<P::RequireCheckVerdictContext*>(body)) {
      result.node = RequireCheckVerdict{name(require_check->name())};
    } else if (dynamic_cast<P::ProtectVerdictContext*>(body) != nullptr) {
      result.node = ProtectVerdict{};
    } else if (auto* cost = dynamic_cast<P::CostVerdictContext*>(body)) {
      result.node = CostVerdict{expr(cost->expr())};
    } else if (auto* use = dynamic_cast<P::UseVerdictContext*>(body)) {
      UseVerdict use_verdict;
      use_verdict.provisioning = fixed_word(use->name(), provisioning_words, "way to get machines");
      use_verdict.word = span(use->name());
      if (use->settings() != nullptr)
        use_verdict.options = map_clauses(use->settings()->setting(), &Reader::option);
      result.node = use_verdict;
    } else if (auto* require = dynamic_cast<P::RequireVerdictContext*>(body)) {
      result.node = PlaceVerdict{Placement::require, name(require->name()), nullptr};
    } else if (auto* prefer = dynamic_cast<P::PreferVerdictContext*>(body)) {
      result.node = PlaceVerdict{Placement::prefer, name(prefer->name()), nullptr};
    } else if (auto* spread = dynamic_cast<P::SpreadVerdictContext*>(body)) {
      result.node = PlaceVerdict{Placement::spread, name(spread->name()), nullptr};
    } else if (auto* slice = dynamic_cast<P::SliceVerdictContext*>(body)) {
      result.node = PlaceVerdict{Placement::slice, name(slice->name()), arith(slice->arith())};
    }
    return result;
  }

  Rung rung(P::RungContext* context) {
    Rung result;
    result.span = span(context);
    result.after = arith_if(context->arith());
    result.flavor = name(context->name());
    for (auto* guard : context->rungGuard()) mark(guard, Role::guard);
    mark(context->becauseClause(), Role::guard);
    for (auto* guard : context->rungGuard()) {
      const bool is_when = guard->WHEN() != nullptr;
      ExprPtr& place = is_when ? result.when : result.unless;
      once(place != nullptr, span(guard), is_when ? "when" : "unless");
      place = expr(guard->expr());
    }
    if (context->becauseClause() != nullptr) result.because = text(context->becauseClause()->STRING());
    return result;
  }

  // Capacity, tests, invariants.

  Capacity capacity(P::CapacityBlockContext* context) {
    return {span(context), map_clauses(context->capacityEntry(), &Reader::capacity_entry)};
  }
  CapacityEntry capacity_entry(P::CapacityEntryContext* context) {
    CapacityEntry result;
    result.span = span(context);
    std::size_t names = 0;
    result.subject = name(context->name(names++));
    if (context->IN() != nullptr) result.zone = name(context->name(names++));
    if (names + 1 < context->name().size())
      result.provisioning = fixed_word(context->name(names++), provisioning_words, "way to get machines");
    result.state = name(context->name(names));
    if (context->SINCE() != nullptr) result.since = arith(context->arith());
    return result;
  }

  Test test(P::TestDeclContext* context) {
    Test result;
    if (context->table().size() > 1)
      fail("clause-twice", span(context->table(1)), "a test has one table", "make two tests of it");
    result.steps = map_clauses(context->step(), &Reader::step);
    if (!context->table().empty()) result.table = table(context->table(0));
    return result;
  }

  Step step(P::StepContext* context) {
    Step result;
    result.span = span(context);
    if (context->AT() != nullptr) {
      mark(context->PLUS(), Role::sign);
      const Span time = span(context->arith());
      result.at = AtClause{{source_, span(context->AT()).begin, time.end},
                           context->PLUS() != nullptr,
                           arith(context->arith())};
    }
    P::ActionContext* action = context->action();
    if (auto* cluster = dynamic_cast<P::ClusterActionContext*>(action)) {
      result.node = ClusterStep{string_value(cluster->STRING()), span(cluster->STRING())};
    } else if (auto* capacity_action = dynamic_cast<P::CapacityActionContext*>(action)) {
      result.node = capacity(capacity_action->capacityBlock());
    } else if (auto* set = dynamic_cast<P::SetActionContext*>(action)) {
      result.node = SetStep{variable_name(set->name(), "a param"), expr(set->expr())};
    } else if (auto* submit_file = dynamic_cast<P::SubmitFileActionContext*>(action)) {
      result.node =
          SubmitFileStep{string_value(submit_file->STRING()), span(submit_file->STRING()),
                         map(submit_file->keyValue(), &Reader::key_value), name(submit_file->name())};
    } else if (auto* submit_workload = dynamic_cast<P::SubmitWorkloadActionContext*>(action)) {
      result.node = submitted_workload(submit_workload);
    } else if (auto* finish = dynamic_cast<P::FinishActionContext*>(action)) {
      result.node = EndStep{true, name(finish->name())};
    } else if (auto* remove = dynamic_cast<P::DeleteActionContext*>(action)) {
      result.node = EndStep{false, name(remove->name())};
    } else if (auto* answer = dynamic_cast<P::AnswerActionContext*>(action)) {
      result.node = AnswerStep{name(answer->name(0)), name(answer->name(1)), name(answer->name(2))};
    } else if (auto* expect = dynamic_cast<P::ExpectActionContext*>(action)) {
      result.node = ExpectStep{name(expect->name()), outcome(expect->outcome())};
    }
    return result;
  }

  SubmitWorkloadStep submitted_workload(P::SubmitWorkloadActionContext* context) {
    std::vector<WorkloadField> fields;
    std::vector<PodSetField> pod_sets;
    for (auto* field : context->workloadField()) {
      mark(field, Role::clause);
      if (field->PODSET() != nullptr) {
        pod_sets.push_back(pod_set(field));
      } else if (auto* pair = field->keyValue()) {
        fields.push_back(
            {span(field), word_name(span(field->getStart())), name(pair->name()), arith(pair->arith())});
      } else {
        fields.push_back({span(field), name(field->name()), {}, arith(field->arith())});
      }
    }
    return {arena_.list(fields), arena_.list(pod_sets), name(context->name())};
  }

  PodSetField pod_set(P::WorkloadFieldContext* context) {
    PodSetField result;
    result.span = span(context);
    result.name = name(context->name());
    std::vector<KeyValue> requests;
    for (auto* item : context->podSetItem()) {
      mark(item, Role::clause);
      const Name key = name(item->name());
      if (key.text != "count") {
        requests.push_back({key, arith(item->arith())});
        continue;
      }
      once(result.count != nullptr, span(item), "count");
      result.count = arith(item->arith());
    }
    result.requests = arena_.list(requests);
    return result;
  }

  Outcome outcome(P::OutcomeContext* context) {
    Outcome result;
    result.span = span(context);
    result.state = name(context->name());
    if (context->details() != nullptr)
      result.details = map_clauses(context->details()->detail(), &Reader::detail);
    for (auto* part : context->outcomePart()) {
      if (part->FOR() != nullptr) {
        once(!result.check.empty(), span(part), "for");
        result.check = name(part->name());
      } else if (part->BECAUSE() != nullptr) {
        once(result.because.has_value(), span(part), "because");
        result.because = part->STRING() != nullptr ? string_expr(part->STRING()) : name_as_expr(part->name());
      } else {
        once(result.until != nullptr, span(part), "until");
        result.until = arith(part->arith());
      }
    }
    return result;
  }
  Expected detail(P::DetailContext* context) {
    return {span(context), name(context->name()), context->COLON() != nullptr, arith(context->arith())};
  }

  Table table(P::TableContext* context) {
    mark(context, Role::clause);
    for (auto* bar : context->BAR()) mark(bar, Role::bar);
    Table result;
    result.span = span(context);
    std::vector<Name> columns;
    for (auto* column : context->name()) columns.push_back(variable_name(column, "a column"));
    result.case_column = columns.front();
    columns.erase(columns.begin());
    std::vector<Table::Row> rows;
    for (auto* row : context->tableRow()) {
      mark(row, Role::row);
      for (auto* bar : row->BAR()) mark(bar, Role::bar);
      const std::vector<P::CellContext*> cells = row->cell();
      if (cells.size() != columns.size())
        fail("table-row", span(row),
             fmt::format("this row has {} cells, the table has {} columns", cells.size() + 1,
                         columns.size() + 1));
      rows.push_back(
          {span(row), string_value(row->STRING()), span(row->STRING()), map(cells, &Reader::cell)});
    }
    result.columns = arena_.list(columns);
    result.rows = arena_.list(rows);
    return result;
  }
  Table::Cell cell(P::CellContext* context) {
    Table::Cell result;
    result.id = arena_.next_id();
    result.value = arith(context->arith());
    if (context->details() != nullptr)
      result.details = map_clauses(context->details()->detail(), &Reader::detail);
    return result;
  }

  InvariantClause invariant_clause(P::InvariantClauseContext* context) {
    InvariantClause result;
    result.id = arena_.next_id();
    result.span = span(context);
    result.always = context->ALWAYS() != nullptr;
    result.variable = variable_name(context->name(), "a variable");
    result.collection = arith(context->arith());
    if (context->WHERE() != nullptr) result.filter = expr(context->expr(0));
    result.condition = expr(context->expr().back());
    mark(context->expr().back(), Role::body);
    return result;
  }

  // Expressions.

  template <class Node>
  ExprPtr make_expr(Span at, Node node, std::size_t height = 0) {
    const NodeId id = arena_.next_id();
    if (height + 1 > kMaxExpressionHeight)
      fail("nested-too-deep", at, fmt::format("this expression has more than {} steps", kMaxExpressionHeight),
           "give parts of it a name with `let` or `fn`");
    heights_.resize(id - first_id_ + 1);
    heights_[id - first_id_] = static_cast<std::uint16_t>(height + 1);
    return arena_.make(Expr{id, at, false, node});
  }
  std::size_t height(ExprPtr expression) const { return heights_[expression->id - first_id_]; }
  std::size_t height(ExprPtr a, ExprPtr b) const { return std::max(height(a), height(b)); }
  std::size_t height(std::span<const ExprPtr> expressions) const {
    std::size_t result = 0;
    for (ExprPtr expression : expressions) result = std::max(result, height(expression));
    return result;
  }
  Span from_to(Span begin, Span end) const { return {source_, begin.begin, end.end}; }
  /// With the parentheses, if there were any: what an enclosing node spans.
  Span outer(antlr4::ParserRuleContext* context) const { return span(context); }

  ExprPtr expr_if(P::ExprContext* context) { return context == nullptr ? nullptr : expr(context); }
  ExprPtr arith_if(P::ArithContext* context) { return context == nullptr ? nullptr : arith(context); }

  ExprPtr expr(P::ExprContext* context) {
    if (auto* conditional = context->conditional()) {
      mark(conditional->THEN(), Role::branch);
      mark(conditional->ELSE(), Role::branch);
      ExprPtr condition = expr(conditional->expr(0));
      ExprPtr yes = expr(conditional->expr(1));
      ExprPtr no = expr(conditional->expr(2));
      return make_expr(span(context), Conditional{condition, yes, no},
                       std::max(height(condition), height(yes, no)));
    }
    return disjunction(context->disjunction());
  }

  /// `operand (op operand)*` as a tree that leans to the left.
  template <class Context, class Read>
  ExprPtr chain(antlr4::ParserRuleContext* whole, const std::vector<Context*>& operands, Read read) {
    ExprPtr left = read(operands.front());
    const Span first = outer(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i) {
      auto* sign = static_cast<antlr4::tree::TerminalNode*>(whole->children[2 * i - 1]);
      mark(sign, chain_role(sign->getSymbol()->getType()));
      ExprPtr right = read(operands[i]);
      left = make_expr(from_to(first, outer(operands[i])),
                       Binary{binary_op(sign->getSymbol()->getType()), span(sign), left, right},
                       height(left, right));
    }
    return left;
  }

  static Role chain_role(std::size_t token) {
    switch (token) {
      case P::OR:
        return Role::disjunction;
      case P::AND:
        return Role::conjunction;
      case P::PLUS:
      case P::MINUS:
        return Role::sum;
      default:
        return Role::product;
    }
  }
  static BinaryOp binary_op(std::size_t token) {
    switch (token) {
      case P::OR:
        return BinaryOp::logical_or;
      case P::AND:
        return BinaryOp::logical_and;
      case P::EQUAL:
        return BinaryOp::equal;
      case P::NOT_EQUAL:
        return BinaryOp::not_equal;
      case P::LESS:
        return BinaryOp::less;
      case P::LESS_EQUAL:
        return BinaryOp::less_equal;
      case P::GREATER:
        return BinaryOp::greater;
      case P::GREATER_EQUAL:
        return BinaryOp::greater_equal;
      case P::IN:
        return BinaryOp::in;
      case P::MATCHES:
        return BinaryOp::matches;
      case P::PLUS:
        return BinaryOp::add;
      case P::MINUS:
        return BinaryOp::subtract;
      case P::STAR:
        return BinaryOp::multiply;
      default:
        return BinaryOp::divide;
    }
  }

  ExprPtr disjunction(P::DisjunctionContext* context) {
    return chain(context, context->conjunction(),
                 [&](P::ConjunctionContext* part) { return conjunction(part); });
  }
  ExprPtr conjunction(P::ConjunctionContext* context) {
    return chain(context, context->negation(), [&](P::NegationContext* part) { return negation(part); });
  }
  ExprPtr negation(P::NegationContext* context) {
    if (context->NOT() == nullptr) return comparison(context->comparison());
    ExprPtr operand = negation(context->negation());
    return make_expr(span(context), Unary{UnaryOp::logical_not, operand}, height(operand));
  }
  ExprPtr comparison(P::ComparisonContext* context) {
    ExprPtr left = arith(context->arith(0));
    if (context->arith().size() == 1) return left;
    ExprPtr right = arith(context->arith(1));
    antlr4::Token* sign = nullptr;
    if (context->IN() != nullptr) sign = context->IN()->getSymbol();
    if (context->MATCHES() != nullptr) sign = context->MATCHES()->getSymbol();
    if (context->compare() != nullptr) sign = context->compare()->getStart();
    return make_expr(span(context), Binary{binary_op(sign->getType()), span(sign), left, right},
                     height(left, right));
  }
  ExprPtr arith(P::ArithContext* context) {
    return chain(context, context->term(), [&](P::TermContext* part) { return term(part); });
  }
  ExprPtr term(P::TermContext* context) {
    return chain(context, context->prefix(), [&](P::PrefixContext* part) { return prefix(part); });
  }
  ExprPtr prefix(P::PrefixContext* context) {
    if (context->range() != nullptr) return range(context->range());
    mark(context->MINUS(), Role::sign);
    ExprPtr operand = prefix(context->prefix());
    const UnaryOp op = context->HAS() != nullptr ? UnaryOp::has : UnaryOp::negate;
    return make_expr(span(context), Unary{op, operand}, height(operand));
  }
  ExprPtr range(P::RangeContext* context) {
    ExprPtr from = postfix(context->postfix(0));
    if (context->DOTDOT() == nullptr) return from;
    ExprPtr to = postfix(context->postfix(1));
    return make_expr(span(context), Range{from, to}, height(from, to));
  }

  ExprPtr postfix(P::PostfixContext* context) {
    ExprPtr result = primary(context->primary());
    const Span first = outer(context->primary());
    const auto& parts = context->children;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (auto* arguments = dynamic_cast<P::ArgumentsContext*>(parts[i])) {
        mark(arguments, Role::postfix);
        if (arguments->WHERE() == nullptr) mark_items(arguments->expr());
        result = call(result, first, arguments);
      } else if (auto* member = dynamic_cast<P::WordContext*>(parts[i])) {
        result = members(result, first, span(member), 0);
      } else if (auto* key = dynamic_cast<P::ExprContext*>(parts[i])) {
        mark(static_cast<antlr4::tree::TerminalNode*>(parts[i - 1]), Role::postfix);
        ExprPtr index = expr(key);
        auto* bracket = static_cast<antlr4::tree::TerminalNode*>(parts[i + 1]);
        result = make_expr(from_to(first, span(bracket)), Index{result, index}, height(result, index));
      }
    }
    return result;
  }

  /// `object.a.b` of a dotted word that begins at byte `skip` of `word`.
  ExprPtr members(ExprPtr object, Span first, Span word, std::uint32_t skip) {
    const std::string_view written = text_of(word);
    if (written.find('/') != std::string_view::npos)
      fail("syntax", word, fmt::format("`{}` cannot be a member", written),
           "`/` as division needs spaces around it");
    for (std::uint32_t begin = skip; begin <= written.size();) {
      const auto end = static_cast<std::uint32_t>(std::min(written.find('.', begin), written.size()));
      const Span at{source_, word.begin + begin, word.begin + end};
      object = make_expr(from_to(first, at), Member{object, word_name(at)}, height(object));
      begin = end + 1;
    }
    return object;
  }

  ExprPtr call(ExprPtr callee, Span first, P::ArgumentsContext* context) {
    Call result{nullptr, {}, {}};
    if (const NameRef* function = as<NameRef>(callee); function != nullptr && !callee->parenthesised) {
      result.function = {function->text, callee->span};
    } else if (const Member* method = as<Member>(callee); method != nullptr && !callee->parenthesised) {
      result.object = method->object;
      result.function = method->member;
    } else {
      fail("syntax", callee->span, fmt::format("`{}` is no function", text_of(callee->span)),
           as<QualifiedName>(callee) != nullptr ? "`/` as division needs spaces around it" : "");
    }
    const Span at = from_to(first, span(context));
    if (context->OF() != nullptr || context->WHERE() != nullptr) return aggregate(result, at, context);
    std::vector<ExprPtr> arguments;
    for (auto* argument : context->expr()) arguments.push_back(expr(argument));
    if (arguments.size() == 1 && result.object == nullptr && is_element(arguments[0])) {
      if (result.function.text == "count") return each(AggregateKind::count, at, arguments[0], nullptr);
      if (result.function.text == "any" || result.function.text == "all")
        fail("syntax", at, fmt::format("`{}` has no condition", result.function.text),
             fmt::format("write `{}({} where …)`", result.function.text, text_of(arguments[0]->span)));
    }
    result.arguments = arena_.list(arguments);
    std::size_t tallest = height(result.arguments);
    if (result.object != nullptr) tallest = std::max(tallest, height(result.object));
    return make_expr(at, result, tallest);
  }

  /// `p in workload.podsets`: read as a comparison, meant as a variable and its collection.
  static bool is_element(ExprPtr expression) {
    const Binary* binary = as<Binary>(expression);
    return binary != nullptr && binary->op == BinaryOp::in && !expression->parenthesised &&
           as<NameRef>(binary->left) != nullptr && !binary->left->parenthesised;
  }
  ExprPtr each(AggregateKind kind, Span at, ExprPtr element, ExprPtr filter) {
    const Binary& binary = *as<Binary>(element);
    const Name variable{as<NameRef>(binary.left)->text, binary.left->span};
    std::size_t tallest = height(element);
    if (filter != nullptr) tallest = std::max(tallest, height(filter));
    return make_expr(at, Aggregate{kind, nullptr, variable, binary.right, filter}, tallest);
  }

  ExprPtr aggregate(const Call& callee, Span at, P::ArgumentsContext* context) {
    static constexpr std::array<FixedWord<AggregateKind>, 6> kinds = {{{"any", AggregateKind::any},
                                                                       {"all", AggregateKind::all},
                                                                       {"count", AggregateKind::count},
                                                                       {"sum", AggregateKind::sum},
                                                                       {"min", AggregateKind::min},
                                                                       {"max", AggregateKind::max}}};
    const FixedWord<AggregateKind>* kind = nullptr;
    for (const auto& word : kinds)
      if (word.text == callee.function.text && callee.object == nullptr) kind = &word;
    mark(context->WHERE(), Role::branch);
    const bool has_value = context->OF() != nullptr;
    const bool takes_value = kind != nullptr && kind->value >= AggregateKind::sum;
    if (kind == nullptr || takes_value != has_value)
      fail("syntax", callee.function.span,
           fmt::format("`{}` takes no `{}`", callee.function.text, has_value ? "of" : "where"),
           takes_value ? fmt::format("write `{}(value of x in … where …)`", callee.function.text)
                       : "write `any(x in … where …)`, `all(…)`, `count(…)`, or `sum(value of x in …)`, "
                         "`min(…)`, `max(…)`");
    ExprPtr first = expr(context->expr(0));
    ExprPtr filter = context->WHERE() != nullptr ? expr(context->expr(1)) : nullptr;
    if (!has_value) {
      if (!is_element(first))
        fail("syntax", first->span, fmt::format("`{}` names no elements", text_of(first->span)),
             fmt::format("write `{}(x in … where …)`", callee.function.text));
      return each(kind->value, at, first, filter);
    }
    ExprPtr collection = arith(context->arith());
    std::size_t tallest = height(first, collection);
    if (filter != nullptr) tallest = std::max(tallest, height(filter));
    return make_expr(
        at, Aggregate{kind->value, first, variable_name(context->name(), "a variable"), collection, filter},
        tallest);
  }

  ExprPtr primary(P::PrimaryContext* context) {
    const Span at = span(context);
    if (auto* word = context->word()) return word_expr(span(word));
    if (context->NUMBER() != nullptr)
      return make_expr(at, Literal{number_kind(text_of(at)), arena_.text(text_of(at))});
    if (context->CLOCK() != nullptr)
      return make_expr(at, Literal{LiteralKind::clock, arena_.text(text_of(at))});
    if (context->STRING() != nullptr) return string_expr(context->STRING());
    if (context->TRUE() != nullptr || context->FALSE() != nullptr)
      return make_expr(at, Literal{LiteralKind::boolean, arena_.text(text_of(at))});
    if (context->NONE() != nullptr)
      return make_expr(at, Literal{LiteralKind::none, arena_.text(text_of(at))});
    if (context->LBRACK() != nullptr) {
      std::vector<ExprPtr> items;
      mark_items(context->expr());
      for (auto* item : context->expr()) items.push_back(expr(item));
      const std::span<const ExprPtr> list = arena_.list(items);
      return make_expr(at, List{list}, height(list));
    }
    ExprPtr inner = expr(context->expr(0));
    Expr parenthesised = *inner;
    parenthesised.parenthesised = true;
    return arena_.make(parenthesised);
  }

  ExprPtr word_expr(Span at) {
    const std::string_view written = text_of(at);
    if (written.find('/') != std::string_view::npos)
      return make_expr(at, QualifiedName{arena_.text(written)});
    const auto dot = static_cast<std::uint32_t>(std::min(written.find('.'), written.size()));
    const Span first{source_, at.begin, at.begin + dot};
    ExprPtr result = make_expr(first, NameRef{arena_.text(text_of(first))});
    return dot == written.size() ? result : members(result, first, at, dot + 1);
  }

  ExprPtr name_as_expr(P::NameContext* context) {
    return context->STRING() == nullptr ? word_expr(span(context)) : string_expr(context->STRING());
  }
  ExprPtr string_expr(antlr4::tree::TerminalNode* node) {
    return make_expr(span(node), Literal{LiteralKind::string, string_value(node)});
  }

  // Layout.

  std::span<const Token> layout_tokens() {
    std::vector<Token> result;
    std::uint32_t previous = 0;
    for (antlr4::Token* token : tokens_->all()) {
      if (token->getType() == antlr4::Token::EOF) break;
      const Span at = span(token);
      const std::string_view gap = text_.substr(previous, at.begin - previous);
      const auto newlines = std::count(gap.begin(), gap.end(), '\n');
      result.push_back({token_kind(token->getType()), roles_[token->getTokenIndex()], at.begin, at.end,
                        newlines > 0 || result.empty(), newlines > 1});
      previous = at.end;
    }
    return arena_.list(result);
  }
  static Token::Kind token_kind(std::size_t type) {
    switch (type) {
      case P::NUMBER:
        return Token::Kind::number;
      case P::STRING:
        return Token::Kind::string;
      case P::CLOCK:
        return Token::Kind::clock;
      case P::LINE_COMMENT:
        return Token::Kind::line_comment;
      case P::DOC_COMMENT:
        return Token::Kind::doc_comment;
      case P::BLOCK_COMMENT:
        return Token::Kind::block_comment;
      default:
        return is_word(type) ? Token::Kind::word : Token::Kind::punctuation;
    }
  }

  std::string_view text_;
  std::uint32_t source_;
  Arena& arena_;
  Diagnostics& diagnostics_;
  NodeId first_id_;
  std::vector<Token::Role> roles_;      ///< by index of the file's token
  std::vector<std::uint16_t> heights_;  ///< of expressions, by id from first_id_ on
  Tokens* tokens_ = nullptr;            ///< those being read: the file's, or a hole's
  Span in_hole_;
  bool in_fragment_ = false;
  bool incomplete_ = false;
  std::deque<std::string> literal_names_;  ///< views of SyntaxError point here
};

}  // namespace

const ast::File* parse(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                       Diagnostics& diagnostics) {
  return Reader(sources, source, arena, diagnostics).file();
}

Fragment parse_fragment(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                        Diagnostics& diagnostics) {
  return Reader(sources, source, arena, diagnostics).fragment();
}

}  // namespace sluice::lang
