#pragma once

#include <string>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "lang/load.hpp"

namespace sluice::tools {

/// The names and values that one row of a test's table gives; null pointers: no table.
struct TestRow {
  const lang::ast::Table* table = nullptr;
  const lang::ast::Table::Row* row = nullptr;

  /// The cell of a column; null if there is no such column.
  const lang::ast::Table::Cell* cell(std::string_view column) const;
};

/// A value in a test: a number in the unit of its kind (types.def), or a text.
struct TestValue {
  lang::Kind kind = lang::Kind::error;
  std::int64_t number = 0;
  std::string text;  ///< of strings and names
};

/// The value of an expression in a test: constants, columns, names, and arithmetic of these.
/// Throws Error "not-yet-decided" for anything else, with its place.
TestValue test_value(lang::ast::ExprPtr expr, const lang::Policy& policy, const TestRow& row);

/// The same as an amount of a resource.
Quantity test_quantity(lang::ast::ExprPtr expr, std::string_view resource, const lang::Policy& policy,
                       const TestRow& row);
/// A name, a text, or a number as text.
std::string test_text(lang::ast::ExprPtr expr, const lang::Policy& policy, const TestRow& row);

/// An error at a place of the policy.
Error error_at(const lang::Policy& policy, Span span, std::string code, std::string message);

}  // namespace sluice::tools
