#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "model/fields.hpp"
#include "program/program.hpp"

/// What expressions mean, said in the plainest way: a walk over the checked tree. The VM must agree with it.
namespace sluice::test {

struct TreeValue {
  bool present = true;
  std::int64_t number = 0;  ///< everything but texts, in the unit of its kind
  std::string text;

  friend bool operator==(const TreeValue&, const TreeValue&) = default;
};

/// Thrown where the VM leaves by a side exit.
struct TreeFault {
  program::FaultKind kind;
  Span span;
};

/// Where rows come from.
struct TreeRows {
  std::function<TreeValue(FieldId field, std::string_view key, std::uint32_t row)> cell;
  /// Rows of the pod sets of a workload, and of all workloads.
  std::function<std::vector<std::uint32_t>(CollectionId collection, std::uint32_t owner)> elements;
  std::map<program::Role, std::uint32_t> roles;
  std::map<std::string, std::int64_t, std::less<>> stock_outs;  ///< flavor to since when
};

class TreeEvaluator {
 public:
  TreeEvaluator(const lang::Checked& checked, const TreeRows& rows, Instant now)
      : checked_(checked), rows_(rows), now_(now) {}

  void set_rule(std::span<const lang::ast::Let> lets) { lets_ = lets; }
  TreeValue value(lang::ast::ExprPtr expr);
  bool holds(lang::ast::ExprPtr expr) { return value(expr).number != 0; }

 private:
  /// What the parameters of the function around stand for, with where that was written.
  struct Call {
    const Call* outer = nullptr;
    std::map<lang::ast::NodeId, lang::ast::ExprPtr> arguments;  // null: now
  };
  TreeValue eval(lang::ast::ExprPtr expr, const Call* call);
  TreeValue present(lang::ast::ExprPtr expr, const Call* call);
  TreeValue named(lang::ast::ExprPtr expr, const Call* call);
  TreeValue field(const lang::Meaning& meaning);
  TreeValue builtin(lang::ast::ExprPtr expr, const lang::Meaning& meaning, const Call* call);
  TreeValue binary(lang::ast::ExprPtr expr, const lang::ast::Binary& binary, const Call* call);
  TreeValue in(const lang::ast::Binary& binary, const Call* call);
  TreeValue aggregate(lang::ast::ExprPtr expr, const lang::ast::Aggregate& aggregate, const Call* call);
  std::uint32_t row(const lang::RowRef& row) const;

  const lang::Checked& checked_;
  const TreeRows& rows_;
  Instant now_;
  std::span<const lang::ast::Let> lets_;
  std::map<lang::ast::NodeId, std::uint32_t> variables_;
};

}  // namespace sluice::test
