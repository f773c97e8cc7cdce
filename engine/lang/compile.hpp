#pragma once

#include <cstdint>

#include "base/diagnostic.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "program/program.hpp"

namespace sluice::lang {

/// Rules, fallbacks and invariants of a checked policy as a program; `program::verify` finds nothing in it.
/// Reports what only shows here: patterns, time zones, code that grows without measure.
program::Program compile(const Checked& checked, Diagnostics& diagnostics);

/// Adds the value of one checked expression to a program: what the REPL evaluates. Returns the number of the chunk.
std::uint32_t compile_expression(ast::ExprPtr expr, const Checked& checked, program::Program& program,
                                 Diagnostics& diagnostics);

}  // namespace sluice::lang
