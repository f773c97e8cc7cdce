#pragma once

#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/facts.hpp"

namespace sluice::lang {

/// When a checked condition holds (or, if `holds` is false, when it does not). A null condition always holds.
Alternatives cases_of(ast::ExprPtr condition, bool holds, const Checked& checked);

}  // namespace sluice::lang
