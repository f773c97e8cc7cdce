#include "lang/parse_tree.hpp"

#include <algorithm>

#include "lang/text.hpp"

namespace sluice::lang {

using namespace ast;
using P = grammar::SluiceParser;

namespace {

Token::Kind token_kind(std::size_t type) {
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

}  // namespace

bool is_reserved(std::size_t token) {
  return token >= P::AND && token <= P::WHERE;
}
bool is_soft_word(std::size_t token) {
  return token >= P::ACCEPT && token <= P::ZONES;
}
bool is_word(std::size_t token) {
  return token == P::WORD || is_reserved(token) || is_soft_word(token);
}

std::string_view Tree::string_value(antlr4::tree::TerminalNode* node) {
  const Span at = span(node);
  const Span inner = between_quotes(at);
  const std::string_view quoted = text_of(inner);
  if (quoted.find('\\') == std::string_view::npos) return arena_.text(quoted);
  const auto value = unescape(quoted, inner, diagnostics_);
  if (!value) throw Stop();
  return arena_.text(*value);
}

Span Tree::between_quotes(Span at) {
  if (text_[at.begin] != '\\') return {source_, at.begin + 1, at.end - 1};
  if (in_hole_.end == 0)
    fail("syntax", Span{source_, at.begin, at.begin + 1}, "`\\` has no meaning in a policy",
         "write texts as `\"…\"`; only inside of `{…}` in a text their quotes are escaped");
  return {source_, at.begin + 2, at.end - 2};
}

Text Tree::text(antlr4::tree::TerminalNode* node) {
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

std::optional<Text> Tree::text_if(antlr4::tree::TerminalNode* node) {
  if (node == nullptr) return std::nullopt;
  return text(node);
}

Name Tree::name(P::NameContext* context) {
  if (context == nullptr) return {};
  if (context->STRING() == nullptr) return word_name(span(context));
  const Name quoted{string_value(context->STRING()), span(context)};
  if (quoted.empty()) fail("syntax", quoted.span, "a name cannot be empty");
  return quoted;
}

Name Tree::word_name(Span at) {
  return {arena_.text(text_of(at)), at};
}

Name Tree::variable_name(P::NameContext* context, std::string_view what) {
  const Name result = name(context);
  if (context->STRING() != nullptr || result.text.find_first_of("./") != std::string_view::npos)
    fail("syntax", result.span, fmt::format("`{}` cannot name {}", result.text, what),
         "letters, digits, dashes and underscores, beginning with a letter");
  return result;
}

Declaration Tree::declaration(P::DeclarationContext* context) {
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
    result.node = Function{map(function_decl->parameter(), &Tree::parameter),
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
    result.node = Topology{map_clauses(topology_decl->topologyLevel(), &Tree::topology_level)};
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
    result.node = Fallback{map_clauses(fallback_decl->rung(), &Tree::rung), text_if(fallback_decl->STRING())};
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
    result.node = Invariant{map_clauses(invariant_decl->invariantClause(), &Tree::invariant_clause)};
  }
  return result;
}

std::string_view Tree::doc_before(antlr4::Token* first) {
  std::string doc;
  std::uint32_t next = tokens_->begin(first);
  std::vector<antlr4::Token*> hidden = tokens_->stream().getHiddenTokensToLeft(first->getTokenIndex());
  for (auto token = hidden.rbegin(); token != hidden.rend(); ++token) {
    const Span at = span(*token);
    const std::string_view gap = text_.substr(at.end, next - at.end);
    const std::string_view above = text_.substr(0, at.begin);
    const std::size_t line_end = above.find_last_not_of(" \t");
    const bool begins_line = line_end == std::string_view::npos || above[line_end] == '\n';
    if ((*token)->getType() != P::DOC_COMMENT || !begins_line || std::count(gap.begin(), gap.end(), '\n') > 1)
      break;
    std::string_view line = text_of(at).substr(3);
    if (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    doc = doc.empty() ? std::string(line) : fmt::format("{}\n{}", line, doc);
    next = at.begin;
  }
  return arena_.text(doc);
}

Import Tree::import(P::ImportDeclContext* context) {
  return {name(context->name()), context->LBRACE() == nullptr,
          map_clauses(context->importItem(), &Tree::import_item)};
}

Import::Item Tree::import_item(P::ImportItemContext* context) {
  return {name(context->name(0)), name(context->name(1))};
}

TypeRef Tree::type_ref(P::TypeRefContext* context) {
  return {name(context->name()), span(context), context->QUESTION() != nullptr, context->LBRACK() != nullptr};
}

Function::Parameter Tree::parameter(P::ParameterContext* context) {
  return {arena_.next_id(), variable_name(context->name(), "a parameter"), type_ref(context->typeRef())};
}

KeyValue Tree::key_value(P::KeyValueContext* context) {
  return {name(context->name()), arith(context->arith())};
}

std::span<const Token> Tree::layout_tokens() {
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

}  // namespace sluice::lang
