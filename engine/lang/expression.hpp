#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/resolve.hpp"

namespace sluice::lang {

/// A name that only part of a declaration knows: `let`, a function's parameter, the variable of an aggregate.
struct Local {
  std::string_view name;
  Span span;
  Type type;
  Meaning meaning;
  std::optional<Constant> constant;
};

/// Where an expression stands: what it can see and what is known there.
struct Place {
  const Scope* scope = nullptr;
  std::optional<ast::DecisionPoint> point;
  bool has_workload = true;  ///< `workload` and `namespace` are in scope; not in tests and params
  bool has_until = false;    ///< `{until}` may stand in the text
  std::vector<Local> locals;
  std::set<std::string> present;  ///< optionals known to have a value here, as `canonical` writes them
  /// Names already reported here: a `let` that is missing is one mistake, however often it is used.
  std::set<std::string, std::less<>> reported;
};

/// Types, meanings and constants of expressions. One error for each mistake: what is wrong gets Kind::error,
/// which fits everything.
class Expressions {
 public:
  Expressions(Checked& checked, const Scopes& scopes, const SourceMap& sources, Diagnostics& diagnostics)
      : checked_(checked), scopes_(scopes), sources_(sources), diagnostics_(diagnostics) {}

  /// The type; `want` gives plain numbers their unit, strings and names their meaning.
  Type check(ast::ExprPtr expr, Place& place, std::optional<Kind> want = std::nullopt);
  /// As check, and reports what may be absent.
  Type check_present(ast::ExprPtr expr, Place& place, std::optional<Kind> want = std::nullopt);
  /// As check_present, and reports any other kind. `what` names the place: "a score".
  bool check_as(ast::ExprPtr expr, Place& place, Kind want, std::string_view what);
  /// A condition; then what it says about absent values holds in `place`.
  bool check_condition(ast::ExprPtr expr, Place& place);
  void check_text(const ast::Text& text, Place& place);
  /// The value, which must be known before anything is decided; reports and returns null otherwise.
  const Constant* check_constant(ast::ExprPtr expr, Place& place, Kind want, std::string_view what);

  void check_param(const ast::Declaration& declaration);
  void check_function(const ast::Declaration& declaration);
  /// The type that a type name stands for; reports unknown ones.
  std::optional<Type> type_named(const ast::TypeRef& type);

  void learn(ast::ExprPtr condition, bool outcome, Place& place);

  Checked& checked() { return checked_; }
  const Scopes& scopes() const { return scopes_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  std::string_view source_text(Span span) const { return sources_.text(span); }

 private:
  friend class ExpressionCheck;
  enum class State : std::uint8_t { checking, done };

  Checked& checked_;
  const Scopes& scopes_;
  const SourceMap& sources_;
  Diagnostics& diagnostics_;
  std::unordered_map<const ast::Declaration*, State> values_;  // params and functions on the way
  std::unordered_map<const ast::Declaration*, Type> results_;
};

/// The kind that a type name stands for: `duration`, `count`, `string`.
std::optional<Kind> kind_named(std::string_view word);

/// The same text for the same value: `labels["team"]`, `workload.total(cpu)`. Lets stand for their values.
std::string canonical(ast::ExprPtr expr, const Checked& checked);
/// What is known once `condition` is true or false: canonical texts of optionals that have a value then.
std::set<std::string> present_if(ast::ExprPtr condition, bool outcome, const Checked& checked);

}  // namespace sluice::lang
