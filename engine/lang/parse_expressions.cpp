#include "lang/parse_tree.hpp"

#include <algorithm>

#include "base/time.hpp"

namespace sluice::lang {

using namespace ast;
using P = grammar::SluiceParser;

namespace {

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

Token::Role chain_role(std::size_t token) {
  switch (token) {
    case P::OR:
      return Token::Role::disjunction;
    case P::AND:
      return Token::Role::conjunction;
    case P::PLUS:
    case P::MINUS:
      return Token::Role::sum;
    default:
      return Token::Role::product;
  }
}

BinaryOp binary_op(std::size_t token) {
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

/// `p in workload.podsets`: read as a comparison, meant as a variable and its collection.
bool is_element(ExprPtr expression) {
  const Binary* binary = as<Binary>(expression);
  return binary != nullptr && binary->op == BinaryOp::in && !expression->parenthesised &&
         as<NameRef>(binary->left) != nullptr && !binary->left->parenthesised;
}

}  // namespace

std::size_t Tree::height(ExprPtr expression) const {
  return heights_[expression->id - first_id_];
}

std::size_t Tree::height(ExprPtr a, ExprPtr b) const {
  return std::max(height(a), height(b));
}

std::size_t Tree::height(std::span<const ExprPtr> expressions) const {
  std::size_t result = 0;
  for (ExprPtr expression : expressions) result = std::max(result, height(expression));
  return result;
}

Span Tree::from_to(Span begin, Span end) const {
  return {source_, begin.begin, end.end};
}

Span Tree::outer(antlr4::ParserRuleContext* context) const {
  return span(context);
}

ExprPtr Tree::expr_if(P::ExprContext* context) {
  return context == nullptr ? nullptr : expr(context);
}

ExprPtr Tree::arith_if(P::ArithContext* context) {
  return context == nullptr ? nullptr : arith(context);
}

ExprPtr Tree::expr(P::ExprContext* context) {
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

template <class Context, class Read>
ExprPtr Tree::chain(antlr4::ParserRuleContext* whole, const std::vector<Context*>& operands, Read read) {
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

ExprPtr Tree::disjunction(P::DisjunctionContext* context) {
  return chain(context, context->conjunction(),
               [&](P::ConjunctionContext* part) { return conjunction(part); });
}

ExprPtr Tree::conjunction(P::ConjunctionContext* context) {
  return chain(context, context->negation(), [&](P::NegationContext* part) { return negation(part); });
}

ExprPtr Tree::negation(P::NegationContext* context) {
  if (context->NOT() == nullptr) return comparison(context->comparison());
  ExprPtr operand = negation(context->negation());
  return make_expr(span(context), Unary{UnaryOp::logical_not, operand}, height(operand));
}

ExprPtr Tree::comparison(P::ComparisonContext* context) {
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

ExprPtr Tree::arith(P::ArithContext* context) {
  return chain(context, context->term(), [&](P::TermContext* part) { return term(part); });
}

ExprPtr Tree::term(P::TermContext* context) {
  return chain(context, context->prefix(), [&](P::PrefixContext* part) { return prefix(part); });
}

ExprPtr Tree::prefix(P::PrefixContext* context) {
  if (context->range() != nullptr) return range(context->range());
  mark(context->MINUS(), Role::sign);
  ExprPtr operand = prefix(context->prefix());
  const UnaryOp op = context->HAS() != nullptr ? UnaryOp::has : UnaryOp::negate;
  return make_expr(span(context), Unary{op, operand}, height(operand));
}

ExprPtr Tree::range(P::RangeContext* context) {
  ExprPtr from = postfix(context->postfix(0));
  if (context->DOTDOT() == nullptr) return from;
  ExprPtr to = postfix(context->postfix(1));
  return make_expr(span(context), Range{from, to}, height(from, to));
}

ExprPtr Tree::postfix(P::PostfixContext* context) {
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

ExprPtr Tree::members(ExprPtr object, Span first, Span word, std::uint32_t skip) {
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

ExprPtr Tree::call(ExprPtr callee, Span first, P::ArgumentsContext* context) {
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

ExprPtr Tree::each(AggregateKind kind, Span at, ExprPtr element, ExprPtr filter) {
  const Binary& binary = *as<Binary>(element);
  const Name variable{as<NameRef>(binary.left)->text, binary.left->span};
  std::size_t tallest = height(element);
  if (filter != nullptr) tallest = std::max(tallest, height(filter));
  return make_expr(at, Aggregate{kind, nullptr, variable, binary.right, filter}, tallest);
}

ExprPtr Tree::aggregate(const Call& callee, Span at, P::ArgumentsContext* context) {
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

ExprPtr Tree::primary(P::PrimaryContext* context) {
  const Span at = span(context);
  if (auto* word = context->word()) return word_expr(span(word));
  if (context->NUMBER() != nullptr)
    return make_expr(at, Literal{number_kind(text_of(at)), arena_.text(text_of(at))});
  if (context->CLOCK() != nullptr)
    return make_expr(at, Literal{LiteralKind::clock, arena_.text(text_of(at))});
  if (context->STRING() != nullptr) return string_expr(context->STRING());
  if (context->TRUE() != nullptr || context->FALSE() != nullptr)
    return make_expr(at, Literal{LiteralKind::boolean, arena_.text(text_of(at))});
  if (context->NONE() != nullptr) return make_expr(at, Literal{LiteralKind::none, arena_.text(text_of(at))});
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

ExprPtr Tree::word_expr(Span at) {
  const std::string_view written = text_of(at);
  if (written.find('/') != std::string_view::npos) return make_expr(at, QualifiedName{arena_.text(written)});
  const auto dot = static_cast<std::uint32_t>(std::min(written.find('.'), written.size()));
  const Span first{source_, at.begin, at.begin + dot};
  ExprPtr result = make_expr(first, NameRef{arena_.text(text_of(first))});
  return dot == written.size() ? result : members(result, first, at, dot + 1);
}

ExprPtr Tree::name_as_expr(P::NameContext* context) {
  return context->STRING() == nullptr ? word_expr(span(context)) : string_expr(context->STRING());
}

ExprPtr Tree::string_expr(antlr4::tree::TerminalNode* node) {
  return make_expr(span(node), Literal{LiteralKind::string, string_value(node)});
}

}  // namespace sluice::lang
