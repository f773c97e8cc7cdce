#pragma once

#include "lang/expression.hpp"
#include "lang/object_names.hpp"

namespace sluice::lang {

/// Checks a test: names of workloads and of the table's columns, values and states.
void check_test(const ast::Declaration& declaration, const ast::Test& test, Expressions& expressions);

/// Checks an invariant over the workloads of a snapshot.
void check_invariant(const ast::Declaration& declaration, const ast::Invariant& invariant, Expressions& expressions);

/// Checks capacity signals, in a test or as a declaration.
void check_capacity(const ast::Capacity& capacity, Expressions& expressions, Place& place);

}  // namespace sluice::lang
