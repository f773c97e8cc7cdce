#pragma once

#include <span>
#include <string>

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"

/// Diagnostics as text and JSON. Lines and columns count from 1, columns in characters.
namespace sluice::report {

/// With source lines and carets, a blank line between two diagnostics; empty if there are none.
std::string to_pretty(const SourceMap& sources, std::span<const Diagnostic> diagnostics, bool colour);

/// `file:line:column: error[code]: message`, one line each, as compilers write them.
std::string to_compact(const SourceMap& sources, std::span<const Diagnostic> diagnostics);

/// `{"diagnostics":[{"severity","code","message","file","line","column","endLine","endColumn","labels","help"}]}`
std::string to_json(const SourceMap& sources, std::span<const Diagnostic> diagnostics);

/// What was found in one policy.
struct Findings {
  const SourceMap* sources;
  std::span<const Diagnostic> diagnostics;
};
/// The same for several policies: one list, in their order.
std::string to_json(std::span<const Findings> policies);

}  // namespace sluice::report
