#pragma once

#include <cstdint>

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"
#include "lang/ast.hpp"

namespace sluice::lang {

/// Reads one policy file. The tree lives in `arena` and views no text outside of it.
///
/// At most one error is reported: the first thing that is no policy (too large, no UTF-8, nested too deep, a
/// syntax error, a clause given twice, no `edition`). Null if there was one.
const ast::File* parse(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                       Diagnostics& diagnostics);

/// What was typed in the REPL: one expression, or declarations (no `edition` needed).
struct Fragment {
  ast::ExprPtr expression = nullptr;  ///< set for an expression
  const ast::File* file = nullptr;    ///< set for declarations; neither is set after an error
  /// The text ended too early (an open brace, a missing operand): more lines may complete it. No error is
  /// reported then.
  bool incomplete = false;
};
Fragment parse_fragment(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                        Diagnostics& diagnostics);
/// The declarations of the REPL when no more lines come: an end that is too early is an error.
const ast::File* parse_typed(const SourceMap& sources, std::uint32_t source, ast::Arena& arena,
                             Diagnostics& diagnostics);

}  // namespace sluice::lang
