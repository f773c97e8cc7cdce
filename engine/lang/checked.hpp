#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/ast.hpp"
#include "lang/types.hpp"
#include "model/fields.hpp"

/// What `check` found out about a tree: side tables by NodeId, for `compile`, `declare` and `report`.
/// Valid once there are no errors.
namespace sluice::lang {

/// A value known before anything is decided: a literal in the unit of its place, a param, a name.
struct Constant {
  Type type;
  bool present = true;         ///< false: `none`
  std::int64_t value = 0;      ///< in the unit of types.def; of texts unused
  std::string_view text;       ///< of texts and names; lives as long as the policy
  std::vector<Constant> items;  ///< of a list

  friend bool operator==(const Constant&, const Constant&) = default;
};

/// The row that a field or a collection is read from.
struct RowRef {
  enum class Of : std::uint8_t {
    none,
    table,     ///< the row of `table` that is in scope at the decision point
    role,      ///< the row with a word of its own: `candidate`; `role` indexes role_infos
    variable,  ///< of an aggregate or an invariant: `variable` is the id of the Aggregate or InvariantClause
  };
  Of of = Of::none;
  Table table = Table::workload;
  std::uint8_t role = 0;
  ast::NodeId variable = ast::no_node;
};

/// What a name, member, index or call stands for. Nodes with a constant need no meaning.
struct Meaning {
  enum class What : std::uint8_t {
    none,        ///< operators, literals, lists: the node itself says what it is
    row,         ///< `workload`, `p`: `row`
    field,       ///< `field` of `row`; `key` if the field has one
    collection,  ///< `collection` of `row` (none: of the world)
    function,    ///< `declaration`: a call of a `fn`; without arguments (a NameRef): with `now` as its argument
    builtin,     ///< a call of `builtin`
    let,         ///< `node` is the id of the Let, `value` what it names
    argument,    ///< `node` is the id of the fn's parameter
    column,      ///< a column of the test's table; only in tests
    now,
    until,  ///< in `because` of a rule that holds: when it opens
  };
  What what = What::none;
  RowRef row;
  FieldId field = FieldId::workload_name;
  CollectionId collection = CollectionId::workloads;
  FunctionId builtin = FunctionId::min;
  std::string_view key;  ///< label key or resource
  const ast::Declaration* declaration = nullptr;
  ast::NodeId node = ast::no_node;
  ast::ExprPtr value = nullptr;
};

/// The most steps a rule can take: sums of products of the sizes of what it runs over.
struct Cost {
  /// (pod sets, workloads) as exponents → how many steps of that order.
  std::map<std::pair<int, int>, std::int64_t> terms;

  void add(const Cost& other);
  /// Everything once for each element.
  Cost times(int pod_sets, int workloads) const;
  /// `14 + 3 per pod set + 5 per workload`.
  std::string to_string() const;
};

struct Checked {
  /// What takes part: everything of the files given, and of the imported ones what is imported or used by
  /// that. In the order of the files.
  std::vector<const ast::Declaration*> active;

  std::vector<Type> types;        ///< by NodeId
  std::vector<Meaning> meanings;  ///< by NodeId
  /// Folded values; an expression that has one is that constant, whatever it looks like.
  std::unordered_map<ast::NodeId, Constant> constants;
  /// Params by declaration: the default, or what was given from outside.
  std::unordered_map<const ast::Declaration*, Constant> params;
  /// Names that were imported under another one: the name of the object itself. See `name_of`.
  std::unordered_map<const char*, std::string_view> renamed;
  /// By the id of the Declaration: rules, fallbacks, functions.
  std::unordered_map<ast::NodeId, Cost> costs;

  Type type(ast::ExprPtr expr) const { return types[expr->id]; }
  const Meaning& meaning(ast::ExprPtr expr) const { return meanings[expr->id]; }
  /// Null if the value is not known before deciding.
  const Constant* constant(ast::ExprPtr expr) const {
    auto found = constants.find(expr->id);
    return found == constants.end() ? nullptr : &found->second;
  }
  /// The object's own name: for every ast::Name that refers to a flavor, queue, check, topology …
  std::string_view name_of(const ast::Name& name) const {
    auto found = renamed.find(name.text.data());
    return found == renamed.end() ? name.text : found->second;
  }
};

}  // namespace sluice::lang
