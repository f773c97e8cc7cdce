#include "lang/cases.hpp"

#include <limits>

#include "lang/constant.hpp"
#include "lang/expression.hpp"

namespace sluice::lang {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

ast::BinaryOp turned(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::less:
      return ast::BinaryOp::greater;
    case ast::BinaryOp::less_equal:
      return ast::BinaryOp::greater_equal;
    case ast::BinaryOp::greater:
      return ast::BinaryOp::less;
    case ast::BinaryOp::greater_equal:
      return ast::BinaryOp::less_equal;
    case ast::BinaryOp::logical_or:
    case ast::BinaryOp::logical_and:
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::in:
    case ast::BinaryOp::matches:
    case ast::BinaryOp::add:
    case ast::BinaryOp::subtract:
    case ast::BinaryOp::multiply:
    case ast::BinaryOp::divide:
      return op;
  }
  return op;
}

struct Reader {
  const Checked& checked;

  Atom atom(ast::ExprPtr subject, Atom::Test test, bool holds) const {
    Atom atom;
    atom.subject = canonical(subject, checked);
    atom.test = test;
    atom.negated = !holds;
    atom.kind = checked.type(subject).kind;
    const Meaning& meaning = checked.meaning(subject);
    // The type in the table is narrowed by what stands around; the field says whether it may be absent at
    // all.
    atom.optional = meaning.what == Meaning::What::field ? info(meaning.field).presence == Presence::optional
                                                         : checked.type(subject).optional;
    return atom;
  }

  Alternatives truth(ast::ExprPtr expr, bool holds) const { return {{atom(expr, Atom::Test::truth, holds)}}; }

  Alternatives range(ast::ExprPtr subject, std::int64_t low, std::int64_t high, bool holds) const {
    Atom one = atom(subject, Atom::Test::range, holds);
    one.low = low;
    one.high = high;
    return {{one}};
  }

  Alternatives texts(ast::ExprPtr subject, std::set<std::string> texts, bool holds) const {
    Atom one = atom(subject, Atom::Test::one_of, holds);
    one.texts = std::move(texts);
    return {{one}};
  }

  Alternatives read(ast::ExprPtr expr, bool holds) const {
    if (const Constant* constant = checked.constant(expr))
      return (constant->value != 0) == holds ? always() : never();
    const Meaning& meaning = checked.meaning(expr);
    if (meaning.what == Meaning::What::let) return read(meaning.value, holds);
    if (const auto* unary = ast::as<ast::Unary>(expr)) {
      if (unary->op == ast::UnaryOp::logical_not) return read(unary->operand, !holds);
      if (unary->op == ast::UnaryOp::has) return {{atom(unary->operand, Atom::Test::present, holds)}};
    }
    if (const auto* binary = ast::as<ast::Binary>(expr)) return read_binary(expr, *binary, holds);
    return truth(expr, holds);
  }

  Alternatives read_binary(ast::ExprPtr expr, const ast::Binary& binary, bool holds) const {
    switch (binary.op) {
      case ast::BinaryOp::logical_and:
        return holds ? both(read(binary.left, true), read(binary.right, true))
                     : either(read(binary.left, false), read(binary.right, false));
      case ast::BinaryOp::logical_or:
        if (checked.type(binary.left).optional) return truth(expr, holds);  // `flag or false`
        return holds ? either(read(binary.left, true), read(binary.right, true))
                     : both(read(binary.left, false), read(binary.right, false));
      case ast::BinaryOp::equal:
      case ast::BinaryOp::not_equal:
      case ast::BinaryOp::less:
      case ast::BinaryOp::less_equal:
      case ast::BinaryOp::greater:
      case ast::BinaryOp::greater_equal:
        return read_comparison(expr, binary, holds);
      case ast::BinaryOp::in:
        return read_in(expr, binary, holds);
      case ast::BinaryOp::matches:
      case ast::BinaryOp::add:
      case ast::BinaryOp::subtract:
      case ast::BinaryOp::multiply:
      case ast::BinaryOp::divide:
        break;
    }
    return truth(expr, holds);
  }

  Alternatives read_comparison(ast::ExprPtr expr, const ast::Binary& binary, bool holds) const {
    const Constant* right = checked.constant(binary.right);
    const Constant* left = checked.constant(binary.left);
    if ((left == nullptr) == (right == nullptr)) return truth(expr, holds);
    ast::ExprPtr subject = right != nullptr ? binary.left : binary.right;
    const Constant& value = right != nullptr ? *right : *left;
    ast::BinaryOp op = right != nullptr ? binary.op : turned(binary.op);
    if (op == ast::BinaryOp::not_equal) {
      op = ast::BinaryOp::equal;
      holds = !holds;
    }
    if (!value.present) return {{atom(subject, Atom::Test::present, !holds)}};
    if (is_text(value.type.kind)) {
      return op == ast::BinaryOp::equal ? texts(subject, {std::string(value.text)}, holds)
                                        : truth(expr, holds);
    }
    std::int64_t at = value.value;
    if (op == ast::BinaryOp::equal) return range(subject, at, at, holds);
    // An order between optionals is guarded: both are present, and the negation is the other half.
    bool below = (op == ast::BinaryOp::less || op == ast::BinaryOp::less_equal) == holds;
    bool includes = (op == ast::BinaryOp::less_equal || op == ast::BinaryOp::greater_equal) == holds;
    if (below) {
      if (!includes && at == kLeast) return never();
      return range(subject, kLeast, includes ? at : at - 1, true);
    }
    if (!includes && at == kMost) return never();
    return range(subject, includes ? at : at + 1, kMost, true);
  }

  Alternatives read_in(ast::ExprPtr expr, const ast::Binary& binary, bool holds) const {
    if (const auto* bounds = ast::as<ast::Range>(binary.right)) {
      const Constant* from = checked.constant(bounds->from);
      const Constant* to = checked.constant(bounds->to);
      if (from == nullptr || to == nullptr) return truth(expr, holds);
      if (from->value < to->value) return range(binary.left, from->value, to->value - 1, holds);
      // Past midnight: outside of the rest of the day.
      return range(binary.left, to->value, from->value - 1, !holds);
    }
    const Constant* list = checked.constant(binary.right);
    if (list == nullptr || !list->type.list) return truth(expr, holds);
    if (is_text(list->type.kind)) {
      std::set<std::string> values;
      for (const Constant& item : list->items) values.emplace(item.text);
      return texts(binary.left, std::move(values), holds);
    }
    Alternatives result = holds ? never() : always();
    for (const Constant& item : list->items) {
      Alternatives one = range(binary.left, item.value, item.value, holds);
      result = holds ? either(std::move(result), one) : both(result, one);
    }
    return result;
  }
};

}  // namespace

Alternatives cases_of(ast::ExprPtr condition, bool holds, const Checked& checked) {
  if (condition == nullptr) return holds ? always() : never();
  return Reader{checked}.read(condition, holds);
}

}  // namespace sluice::lang
