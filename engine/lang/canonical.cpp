#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lang/constant.hpp"
#include "lang/expression.hpp"

namespace sluice::lang {
namespace {

std::string_view symbol(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::logical_or:
      return "or";
    case ast::BinaryOp::logical_and:
      return "and";
    case ast::BinaryOp::equal:
      return "=";
    case ast::BinaryOp::not_equal:
      return "!=";
    case ast::BinaryOp::less:
      return "<";
    case ast::BinaryOp::less_equal:
      return "<=";
    case ast::BinaryOp::greater:
      return ">";
    case ast::BinaryOp::greater_equal:
      return ">=";
    case ast::BinaryOp::in:
      return "in";
    case ast::BinaryOp::matches:
      return "matches";
    case ast::BinaryOp::add:
      return "+";
    case ast::BinaryOp::subtract:
      return "-";
    case ast::BinaryOp::multiply:
      return "*";
    case ast::BinaryOp::divide:
      return "/";
  }
  return "?";
}

std::string_view word(ast::AggregateKind kind) {
  switch (kind) {
    case ast::AggregateKind::any:
      return "any";
    case ast::AggregateKind::all:
      return "all";
    case ast::AggregateKind::count:
      return "count";
    case ast::AggregateKind::sum:
      return "sum";
    case ast::AggregateKind::min:
      return "min";
    case ast::AggregateKind::max:
      return "max";
  }
  return "?";
}

/// Names need no more than the source: only what depends on the place is looked up.
struct Writer {
  const Checked& checked;

  std::string row(const RowRef& row, ast::ExprPtr object) const {
    switch (row.of) {
      case RowRef::Of::none:
        return {};
      case RowRef::Of::table:
        return std::string(info(row.table).word);
      case RowRef::Of::role:
        return std::string(role_infos[row.role].word);
      case RowRef::Of::variable:
        break;
    }
    const auto* name = ast::as<ast::NameRef>(object);  // an outer variable cannot have the same name
    return name == nullptr ? std::string{} : std::string(name->text);
  }

  std::string field(const Meaning& meaning, ast::ExprPtr object) const {
    const FieldInfo& about = info(meaning.field);
    std::string text;
    bool own_labels = about.bare && about.key == FieldKey::label && meaning.row.of == RowRef::Of::table;
    if (!own_labels) text = row(meaning.row, object) + ".";
    text += about.word;
    if (about.key == FieldKey::label) text += fmt::format("[\"{}\"]", meaning.key);
    if (about.key == FieldKey::resource) text += fmt::format("({})", meaning.key);
    return text;
  }

  std::string list(std::span<const ast::ExprPtr> items) const {
    std::string text;
    for (ast::ExprPtr item : items) text += (text.empty() ? "" : ", ") + (*this)(item);
    return text;
  }

  std::string operator()(ast::ExprPtr expr) const {
    if (const Constant* constant = checked.constant(expr)) return to_string(*constant);
    const Meaning& meaning = checked.meaning(expr);
    ast::ExprPtr object = nullptr;
    if (const auto* member = ast::as<ast::Member>(expr)) object = member->object;
    if (const auto* call = ast::as<ast::Call>(expr)) object = call->object;
    if (const auto* index = ast::as<ast::Index>(expr)) {
      const auto* labels = ast::as<ast::Member>(index->object);
      object = labels == nullptr ? nullptr : labels->object;
    }
    if (meaning.what == Meaning::What::field) return field(meaning, object);
    if (meaning.what == Meaning::What::let) return (*this)(meaning.value);
    return std::visit([&](const auto& node) { return write(node); }, expr->node);
  }

  std::string write(const ast::Literal& literal) const { return std::string(literal.text); }
  std::string write(const ast::NameRef& name) const { return std::string(name.text); }
  std::string write(const ast::QualifiedName& name) const { return std::string(name.text); }
  std::string write(const ast::Member& member) const {
    return fmt::format("{}.{}", (*this)(member.object), member.member.text);
  }
  std::string write(const ast::Index& index) const {
    return fmt::format("{}[{}]", (*this)(index.object), (*this)(index.key));
  }
  std::string write(const ast::Call& call) const {
    return fmt::format("{}({})", call.function.text, list(call.arguments));
  }
  std::string write(const ast::Unary& unary) const {
    const char* op = unary.op == ast::UnaryOp::logical_not ? "not "
                     : unary.op == ast::UnaryOp::has       ? "has "
                                                           : "-";
    return fmt::format("{}({})", op, (*this)(unary.operand));
  }
  std::string write(const ast::Binary& binary) const {
    return fmt::format("({} {} {})", (*this)(binary.left), symbol(binary.op), (*this)(binary.right));
  }
  std::string write(const ast::Conditional& conditional) const {
    return fmt::format("if {} then {} else {}", (*this)(conditional.condition), (*this)(conditional.yes),
                       (*this)(conditional.no));
  }
  std::string write(const ast::Aggregate& aggregate) const {
    std::string text = fmt::format("{}(", word(aggregate.kind));
    if (aggregate.value != nullptr) text += (*this)(aggregate.value) + " of ";
    text += fmt::format("{} in {}", aggregate.variable.text, (*this)(aggregate.collection));
    if (aggregate.filter != nullptr) text += " where " + (*this)(aggregate.filter);
    return text + ")";
  }
  std::string write(const ast::List& items) const { return "[" + list(items.items) + "]"; }
  std::string write(const ast::Range& range) const {
    return fmt::format("{}..{}", (*this)(range.from), (*this)(range.to));
  }
};

bool is_none(ast::ExprPtr expr, const Checked& checked) {
  const Constant* constant = checked.constant(expr);
  return constant != nullptr && !constant->present;
}

std::set<std::string> together(std::set<std::string> a, const std::set<std::string>& b) {
  a.insert(b.begin(), b.end());
  return a;
}

std::set<std::string> common(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

std::set<std::string> present_if_compared(const ast::Binary& binary, bool outcome, const Checked& checked) {
  bool equality = binary.op == ast::BinaryOp::equal || binary.op == ast::BinaryOp::not_equal;
  bool holds_equal = (binary.op == ast::BinaryOp::equal) == outcome;
  if (equality && is_none(binary.right, checked)) {
    return holds_equal ? std::set<std::string>{} : std::set{canonical(binary.left, checked)};
  }
  if (equality && is_none(binary.left, checked)) {
    return holds_equal ? std::set<std::string>{} : std::set{canonical(binary.right, checked)};
  }
  if (equality && holds_equal) {  // equal to a value: has one
    std::set<std::string> result;
    if (!checked.type(binary.right).optional) result.insert(canonical(binary.left, checked));
    if (!checked.type(binary.left).optional) result.insert(canonical(binary.right, checked));
    return result;
  }
  if (binary.op == ast::BinaryOp::in && outcome) return {canonical(binary.left, checked)};
  return {};
}

}  // namespace

std::string canonical(ast::ExprPtr expr, const Checked& checked) {
  return Writer{checked}(expr);
}

std::set<std::string> present_if(ast::ExprPtr condition, bool outcome, const Checked& checked) {
  if (const auto* unary = ast::as<ast::Unary>(condition)) {
    if (unary->op == ast::UnaryOp::logical_not) return present_if(unary->operand, !outcome, checked);
    if (unary->op == ast::UnaryOp::has && outcome) return {canonical(unary->operand, checked)};
    return {};
  }
  const auto* binary = ast::as<ast::Binary>(condition);
  if (binary == nullptr) return {};
  if (binary->op == ast::BinaryOp::logical_and || binary->op == ast::BinaryOp::logical_or) {
    std::set<std::string> left = present_if(binary->left, outcome, checked);
    std::set<std::string> right = present_if(binary->right, outcome, checked);
    bool all_hold = (binary->op == ast::BinaryOp::logical_and) == outcome;
    return all_hold ? together(std::move(left), right) : common(left, right);
  }
  return present_if_compared(*binary, outcome, checked);
}

}  // namespace sluice::lang
