#include "lang/parse.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.hpp"
#include "lang/parse_tree.hpp"
#include "lang/syntax_error.hpp"
#include "lang/text.hpp"

namespace sluice::lang {
namespace {

using namespace ast;
using P = grammar::SluiceParser;

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

/// Reads one text: tokens, limits, grammar, errors. `Tree` does the rest.
class Reader final : public Tree {
 public:
  Reader(const SourceMap& sources, std::uint32_t source, Arena& arena, Diagnostics& diagnostics)
      : Tree(sources.text(source), source, arena, diagnostics) {}

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
            return arena_.make(
                File{source_, kEdition, edition, declarations(context->declaration()), layout_tokens()});
          });
    } catch (Stop&) {
      return nullptr;
    }
  }

  Fragment fragment(bool more_may_come) {
    Fragment result;
    if (!check_readable(text_, source_, diagnostics_)) return result;
    Tokens tokens(text_, source_, 0);
    in_fragment_ = more_may_come;
    try {
      check_tokens(tokens);
      if (begins_declaration(tokens)) {
        result.file = with_parser<P::FragmentDeclarationsContext>(
            tokens, [](P& parser) { return parser.fragmentDeclarations(); },
            [&](P::FragmentDeclarationsContext* context) {
              return arena_.make(File{source_, 0, {}, declarations(context->declaration()), layout_tokens()});
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
                       types[1] == P::LBRACE || is_soft_word(types[1]);
    return named && std::any_of(starts.begin(), starts.end(), [&](auto start) { return types[0] == start; });
  }

  // Parsing.

  /// Runs one rule of the grammar over all of `tokens` and `make` on its tree. SLL mode is fast and right
  /// wherever it succeeds; only a failure is tried again in full.
  template <class Context, class Start, class Make>
  std::invoke_result_t<Make, Context*> with_parser(Tokens& tokens, Start start, Make make) {
    Tokens* outer = std::exchange(tokens_, &tokens);
    if (in_hole_.end == 0) forget_roles(tokens.stream().size());
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

  ExprPtr hole(Span at) override {
    Tokens tokens(text_of(at), source_, at.begin);
    const Span outer = std::exchange(in_hole_, at);
    check_tokens(tokens);
    ExprPtr expression = whole_expression(tokens);
    in_hole_ = outer;
    return expression;
  }

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
  return Reader(sources, source, arena, diagnostics).fragment(true);
}

const ast::File* parse_typed(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                             Diagnostics& diagnostics) {
  return Reader(sources, source, arena, diagnostics).fragment(false).file;
}

}  // namespace sluice::lang
