#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/expression.hpp"
#include "model/fields.hpp"

namespace sluice::lang {

/// The kind of a row of `table`.
Kind kind_of(Table table);
/// Whether what has this scope can be named at `place`.
bool is_in_scope(TableScope scope, const Place& place);
/// Literals and arithmetic of literals: they take their unit from what stands on the other side.
bool takes_unit(ast::ExprPtr expr);
/// Only plain numbers and operators: `4 * 4`.
bool is_plain_number(ast::ExprPtr expr);

/// One expression with everything below it. Each part of typing has a file of its own: expression_<part>.cpp.
class ExpressionCheck {
 public:
  ExpressionCheck(Expressions& all, Place& place)
      : all_(all), checked_(all.checked_), diagnostics_(all.diagnostics_), place_(place) {}

  Type check(ast::ExprPtr expr, std::optional<Kind> want);
  /// Reports an operand that may be absent.
  Type check_present(ast::ExprPtr expr, std::optional<Kind> want);
  bool check_as(ast::ExprPtr expr, Kind want, std::string_view what);
  void learn(ast::ExprPtr condition, bool outcome);

 private:
  std::string_view source(ast::ExprPtr expr) const { return all_.source_text(expr->span); }
  static Type wrong() { return type_of(Kind::error); }
  Meaning& meaning(ast::ExprPtr expr) { return checked_.meanings[expr->id]; }
  static RowRef table_row(Table table) { return {RowRef::Of::table, table, 0, ast::no_node}; }
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return diagnostics_.error(code, span, std::move(message));
  }
  Type known(ast::ExprPtr expr, Constant constant);
  void mismatch(ast::ExprPtr expr, Type type, Kind want, std::string_view what);
  static std::string fields_help(Kind kind);

  // Literals and their units.

  Type on(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want);
  Type number(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want);
  Type quantity(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want);
  Type with_unit(ast::ExprPtr expr, const ast::Literal& literal, Kind kind, std::optional<Kind> want);
  Type money(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want);
  Type unknown_unit(ast::ExprPtr expr, const ast::Literal& literal);
  Type clock_time(ast::ExprPtr expr, const ast::Literal& literal);
  Type string(ast::ExprPtr expr, const ast::Literal& literal, std::optional<Kind> want);
  Type read(ast::ExprPtr expr, std::string_view text, Kind kind);
  /// A plain number where cores, bytes or devices are asked for.
  Type take_unit(ast::ExprPtr expr, Kind want);
  Type overflow(ast::ExprPtr expr);

  // Names.

  const Local* local(std::string_view name) const;
  Type on(ast::ExprPtr expr, const ast::NameRef& name, std::optional<Kind> want);
  Type on(ast::ExprPtr expr, const ast::QualifiedName& name, std::optional<Kind> want);
  /// A name that only its place tells: a weekday, a flavor.
  std::optional<Type> named_object(ast::ExprPtr expr, std::string_view name, Kind want);
  Type declared_value(ast::ExprPtr expr, const ast::Declaration& declaration, std::optional<Kind> want);
  Type result_of(const ast::Declaration& declaration);
  /// False, reported, if the declaration is being checked: it needs itself.
  bool begin_use(Span span, const ast::Declaration& declaration);
  const FieldInfo* bare_field(std::string_view word) const;
  std::optional<RowRef> row_word(std::string_view word) const;
  /// Says why a word that the language knows means nothing here; empty if it knows none.
  std::string not_here(std::string_view word) const;
  std::vector<std::string_view> words_here() const;
  Type unknown_name(ast::ExprPtr expr, std::string_view name, std::optional<Kind> want);

  // Fields of rows.

  Type narrowed(ast::ExprPtr expr, Type type);
  Type field_type(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row, std::string_view key);
  /// A field that stands without key.
  Type plain_field(ast::ExprPtr expr, const FieldInfo& field, const RowRef& row);
  /// The row an object stands for; empty, reported, if it is none.
  std::optional<RowRef> row_of(ast::ExprPtr object);
  /// The field `word` of `row`'s table; null, reported, if there is none.
  const FieldInfo* field_of(const RowRef& row, const ast::Name& word);
  Type on(ast::ExprPtr expr, const ast::Member& member, std::optional<Kind> want);
  Type on(ast::ExprPtr expr, const ast::Index& index, std::optional<Kind> want);
  /// `workload.total(cpu)`.
  Type amount(ast::ExprPtr expr, const ast::Call& call, const FieldInfo& field, const RowRef& row);
  std::optional<std::string_view> resource_name(ast::ExprPtr argument);
  /// Whether a group of the policy covers it.
  bool declares_resource(std::string_view name) const;

  // Calls.

  Type on(ast::ExprPtr expr, const ast::Call& call, std::optional<Kind> want);
  Type unknown_function(const ast::Call& call);
  bool has_arguments(const ast::Call& call, Span span, std::size_t least, std::size_t most,
                     std::string_view signature);
  Type user_call(ast::ExprPtr expr, const ast::Call& call, const ast::Declaration& declaration);
  bool check_argument(ast::ExprPtr argument, const ast::Function::Parameter& parameter);
  Type builtin_call(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
                    std::optional<Kind> want);
  /// `min(a, b, …)`.
  Type extreme(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function,
               std::optional<Kind> want);
  void fold_extreme(ast::ExprPtr expr, const ast::Call& call, FunctionId function);
  /// `clock(zone, t)`.
  Type local_time(ast::ExprPtr expr, const ast::Call& call, const FunctionInfo& function, Kind result);

  // What may be absent, and conditions that say so.

  Type has(ast::ExprPtr expr, const ast::Unary& unary);
  Type logical_and(ast::ExprPtr expr, const ast::Binary& binary);
  Type logical_or(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want);
  /// `false and x`, `true or x`: the answer is `decisive`; else that of the other side.
  void fold_logical(ast::ExprPtr expr, const ast::Binary& binary, bool decisive);
  /// Names of what may be absent, without operators.
  static bool is_path(ast::ExprPtr expr);
  Type default_value(const ast::Binary& binary, Type left);
  Type on(ast::ExprPtr expr, const ast::Conditional& conditional, std::optional<Kind> want);

  // Operators.

  Type on(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want);
  Type negate(ast::ExprPtr expr, const ast::Unary& unary, std::optional<Kind> want);
  Type on(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want);
  Type arithmetic(ast::ExprPtr expr, const ast::Binary& binary, std::optional<Kind> want);
  /// `x + 5`: the literal counts what x counts, except beside an instant.
  std::pair<Type, Type> sum_sides(const ast::Binary& binary, std::optional<Kind> want);
  Type no_arithmetic(ast::ExprPtr expr, const ast::Binary& binary, Type left, Type right);
  Type matches(const ast::Binary& binary);

  // Comparisons.

  /// Checks both sides so that literals and names take their unit and meaning from the other side.
  std::pair<Type, Type> both_sides(const ast::Binary& binary, bool present);
  /// A word that only the other side can give a meaning to: `on-demand = w.flavor`.
  bool is_bare_object(ast::ExprPtr expr) const;
  Type equality(ast::ExprPtr expr, const ast::Binary& binary);
  static bool is_none(ast::ExprPtr expr);
  Type order(ast::ExprPtr expr, const ast::Binary& binary);
  bool can_be_compared(ast::ExprPtr expr, Type type);
  /// Reports two sides that cannot be compared: at the literal if there is one, else at the right side.
  bool check_comparable(const ast::Binary& binary, Type left, Type right);
  void fold_compared(ast::ExprPtr expr, const ast::Binary& binary);
  Type in(ast::ExprPtr expr, const ast::Binary& binary);
  Type on(ast::ExprPtr expr, const ast::Range& range, std::optional<Kind> want);

  // Collections.

  Type on(ast::ExprPtr expr, const ast::Aggregate& aggregate, std::optional<Kind> want);
  Type aggregate_value(const ast::Aggregate& aggregate, std::optional<Kind> want);
  /// False, reported, if the name is taken where it would stand.
  bool declare_local(const ast::Name& name);
  Type on(ast::ExprPtr expr, const ast::List& list, std::optional<Kind> want);

  Expressions& all_;
  Checked& checked_;
  Diagnostics& diagnostics_;
  Place& place_;
  bool in_next_ = false;
  ast::ExprPtr range_ = nullptr;  ///< what stands after `in`, where a range may stand
  bool quiet_names_ = false;      ///< the other side, which would give words their meaning, is wrong itself
};

}  // namespace sluice::lang
