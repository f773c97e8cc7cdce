#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "SluiceParser.h"
#include "base/diagnostic.hpp"
#include "base/limits.hpp"
#include "base/suggest.hpp"
#include "lang/ast.hpp"
#include "lang/parse_tokens.hpp"
#include "lang/words.hpp"

namespace sluice::lang {

/// Thrown when the first error was reported; caught in parse.cpp.
struct Stop {};

/// Makes the tree of what ANTLR read. Its functions are named as the rules of the grammar; they are defined
/// in the files parse_tree.cpp (names, params, functions), parse_objects.cpp, parse_rules.cpp,
/// parse_tests.cpp and parse_expressions.cpp.
class Tree {
 public:
  Tree(std::string_view text, std::uint32_t source, ast::Arena& arena, Diagnostics& diagnostics)
      : text_(text), source_(source), arena_(arena), diagnostics_(diagnostics), first_id_(arena.size()) {}
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

 protected:
  using P = grammar::SluiceParser;
  using Role = ast::Token::Role;

  ~Tree() = default;
  /// Reads the expression of a `{…}` in a text.
  virtual ast::ExprPtr hole(Span at) = 0;

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
  std::span<const T> map_clauses(const std::vector<Context*>& contexts, T (Tree::*read)(Context*)) {
    for (Context* context : contexts) mark(context, Role::clause);
    return map(contexts, read);
  }
  template <class Context, class T>
  std::span<const T> map(const std::vector<Context*>& contexts, T (Tree::*read)(Context*)) {
    std::vector<T> values;
    values.reserve(contexts.size());
    for (Context* context : contexts) values.push_back((this->*read)(context));
    return arena_.list(values);
  }

  template <class T, std::size_t N>
  T fixed_word(P::NameContext* context, const std::array<FixedWord<T>, N>& words, std::string_view what) {
    const ast::Name written = name(context);
    for (const FixedWord<T>& word : words)
      if (word.text == written.text) return word.value;
    std::vector<std::string_view> texts;
    for (const FixedWord<T>& word : words) texts.push_back(word.text);
    const std::string_view near = nearest(written.text, texts);
    fail("unknown-word", written.span, fmt::format("`{}` is no {}", written.text, what),
         near.empty() ? fmt::format("there are `{}`", fmt::join(texts, "`, `"))
                      : fmt::format("did you mean `{}`?", near));
  }

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

  std::string_view string_value(antlr4::tree::TerminalNode* node);
  Span between_quotes(Span at);
  /// A text whose `{…}` are expressions.
  ast::Text text(antlr4::tree::TerminalNode* node);
  std::optional<ast::Text> text_if(antlr4::tree::TerminalNode* node);
  ast::Name name(P::NameContext* context);
  ast::Name word_name(Span at);
  /// A name that expressions use, where a dot would mean a member.
  ast::Name variable_name(P::NameContext* context, std::string_view what);

  // Declarations.

  std::span<const ast::Declaration> declarations(const std::vector<P::DeclarationContext*>& contexts) {
    return map(contexts, &Tree::declaration);
  }
  ast::Declaration declaration(P::DeclarationContext* context);
  /// The `///` lines that stand directly above; a blank line makes them a remark about the file.
  std::string_view doc_before(antlr4::Token* first);
  ast::Import import(P::ImportDeclContext* context);
  ast::Import::Item import_item(P::ImportItemContext* context);
  ast::TypeRef type_ref(P::TypeRefContext* context);
  ast::Function::Parameter parameter(P::ParameterContext* context);
  ast::KeyValue key_value(P::KeyValueContext* context);
  ast::Flavor flavor(P::FlavorDeclContext* context);
  ast::TolerateClause toleration(P::FlavorClauseContext* context);
  ast::Provision provision(P::ProvisionDeclContext* context);
  ast::Check check(P::CheckDeclContext* context);
  ast::Topology::Level topology_level(P::TopologyLevelContext* context);
  ast::Cohort cohort(P::CohortDeclContext* context);
  ast::Queue queue(P::QueueDeclContext* context);
  ast::AcceptClause accept(P::AcceptClauseContext* context);
  ast::PreemptClause preempt(P::QueueClauseContext* context);
  ast::FungibleClause fungible(P::QueueClauseContext* context);
  ast::ResourceGroup group(P::GroupClauseContext* context);
  ast::FlavorQuotas flavor_quotas(P::FlavorQuotasContext* context);
  ast::ResourceQuota resource_quota(P::ResourceQuotaContext* context);
  ast::LocalQueue local_queue(P::LocalQueueDeclContext* context, const ast::Name& whole);

  // Compute classes.

  ast::ComputeClass compute_class(P::ClassDeclContext* context);
  ast::MachineRule machine_rule(P::ClassClauseContext* context);
  ast::MachineClause machine_clause(antlr4::ParserRuleContext* context,
                                    const std::vector<P::NameContext*>& names);
  ast::MachineClause machine_head(P::MachineHeadContext* context);
  ast::MachineClause machine_modifier(P::MachineModifierContext* context);
  ast::Option option(P::SettingContext* context);

  // Rules.

  ast::DecisionPoint decision_point(P::NameContext* context);
  ast::Rule rule(P::RuleDeclContext* context);
  ast::Let let(P::LetContext* context);
  ast::Verdict verdict(P::VerdictContext* context);
  ast::Rung rung(P::RungContext* context);

  // Capacity, tests, invariants.

  ast::Capacity capacity(P::CapacityBlockContext* context);
  ast::CapacityEntry capacity_entry(P::CapacityEntryContext* context);
  ast::Test test(P::TestDeclContext* context);
  ast::Step step(P::StepContext* context);
  ast::SubmitWorkloadStep submitted_workload(P::SubmitWorkloadActionContext* context);
  ast::PodSetField pod_set(P::WorkloadFieldContext* context);
  ast::Outcome outcome(P::OutcomeContext* context);
  ast::Expected detail(P::DetailContext* context);
  ast::Table table(P::TableContext* context);
  ast::Table::Cell cell(P::CellContext* context);
  ast::InvariantClause invariant_clause(P::InvariantClauseContext* context);

  // Expressions.

  template <class Node>
  ast::ExprPtr make_expr(Span at, Node node, std::size_t height = 0) {
    const ast::NodeId id = arena_.next_id();
    if (height + 1 > kMaxExpressionHeight)
      fail("nested-too-deep", at, fmt::format("this expression has more than {} steps", kMaxExpressionHeight),
           "give parts of it a name with `let` or `fn`");
    heights_.resize(id - first_id_ + 1);
    heights_[id - first_id_] = static_cast<std::uint16_t>(height + 1);
    return arena_.make(ast::Expr{id, at, false, node});
  }
  std::size_t height(ast::ExprPtr expression) const;
  std::size_t height(ast::ExprPtr a, ast::ExprPtr b) const;
  std::size_t height(std::span<const ast::ExprPtr> expressions) const;
  Span from_to(Span begin, Span end) const;
  /// With the parentheses, if there were any: what an enclosing node spans.
  Span outer(antlr4::ParserRuleContext* context) const;
  ast::ExprPtr expr_if(P::ExprContext* context);
  ast::ExprPtr arith_if(P::ArithContext* context);
  ast::ExprPtr expr(P::ExprContext* context);
  /// `operand (op operand)*` as a tree that leans to the left.
  template <class Context, class Read>
  ast::ExprPtr chain(antlr4::ParserRuleContext* whole, const std::vector<Context*>& operands, Read read);
  ast::ExprPtr disjunction(P::DisjunctionContext* context);
  ast::ExprPtr conjunction(P::ConjunctionContext* context);
  ast::ExprPtr negation(P::NegationContext* context);
  ast::ExprPtr comparison(P::ComparisonContext* context);
  ast::ExprPtr arith(P::ArithContext* context);
  ast::ExprPtr term(P::TermContext* context);
  ast::ExprPtr prefix(P::PrefixContext* context);
  ast::ExprPtr range(P::RangeContext* context);
  ast::ExprPtr postfix(P::PostfixContext* context);
  /// `object.a.b` of a dotted word that begins at byte `skip` of `word`.
  ast::ExprPtr members(ast::ExprPtr object, Span first, Span word, std::uint32_t skip);
  ast::ExprPtr call(ast::ExprPtr callee, Span first, P::ArgumentsContext* context);
  ast::ExprPtr each(ast::AggregateKind kind, Span at, ast::ExprPtr element, ast::ExprPtr filter);
  ast::ExprPtr aggregate(const ast::Call& callee, Span at, P::ArgumentsContext* context);
  ast::ExprPtr primary(P::PrimaryContext* context);
  ast::ExprPtr word_expr(Span at);
  ast::ExprPtr name_as_expr(P::NameContext* context);
  ast::ExprPtr string_expr(antlr4::tree::TerminalNode* node);

  /// Every token and comment of the file, with the roles that were marked.
  std::span<const ast::Token> layout_tokens();

  void forget_roles(std::size_t tokens) { roles_.assign(tokens, Role::none); }

  std::string_view text_;
  std::uint32_t source_;
  ast::Arena& arena_;
  Diagnostics& diagnostics_;
  Tokens* tokens_ = nullptr;  ///< those being read: the file's, or a hole's
  Span in_hole_;              ///< empty outside of texts

 private:
  ast::NodeId first_id_;
  std::vector<Role> roles_;             ///< by index of the file's token
  std::vector<std::uint16_t> heights_;  ///< of expressions, by id from first_id_ on
};

bool is_reserved(std::size_t token);
/// Words of the language that are names, too.
bool is_soft_word(std::size_t token);
bool is_word(std::size_t token);

}  // namespace sluice::lang
