#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/resolve.hpp"
#include "model/world.hpp"
#include "program/program.hpp"

namespace sluice::lang {

/// A policy text. The path is shown in messages and is where imports are looked up from.
struct Source {
  std::string path;
  std::string text;
  bool is_typed = false;  ///< declarations of the REPL: they need no `edition`
};

struct LoadOptions {
  /// Reads an imported file; empty optional if there is none. Null: only the standard library can be imported.
  std::function<std::optional<std::string>(const std::string& path)> read;
  /// Params given from outside: name → text as the user wrote it (`--set zone=UTC`). Strings need no quotes.
  std::map<std::string, std::string> params;
  /// The snapshot the policy will decide on: names that the policy does not declare must be there. Null: unknown,
  /// such names are left to `check_names`.
  const World* known = nullptr;
};

/// A compiled policy. Owns everything its parts point into; movable.
struct Policy {
  SourceMap sources;
  std::unique_ptr<ast::Arena> arena;
  std::vector<const ast::File*> files;  ///< those given first, then those they import
  Scopes scopes;                        ///< which names each file knows
  Checked checked;                      ///< valid unless there are errors
  World declarations;                   ///< what the policy declares, and nothing else
  program::Program program;             ///< its rules, fallbacks and invariants, compiled; valid unless there are errors
  Diagnostics diagnostics;

  bool has_errors() const { return diagnostics.has_errors(); }
};

/// The whole pipeline: parse → imports → resolve → check → declare → compile. Stops between passes once there
/// are errors. All sources share one scope.
Policy load(std::vector<Source> sources, const LoadOptions& options = {});

/// Reports the names of flavors, queues and checks that neither the policy nor `world` declares.
void check_names(const Policy& policy, const World& world, Diagnostics& diagnostics);

/// A text typed in the REPL, checked against the policy: its params, functions and, if `point` is given, the
/// rows in scope at that decision point. The node's type and meaning are in `policy.checked`.
/// Null after an error (added to `diagnostics`), or if more lines may complete it (`incomplete`).
ast::ExprPtr check_expression(Policy& policy, std::string text, std::optional<ast::DecisionPoint> point,
                              Diagnostics& diagnostics, bool* incomplete = nullptr);

}  // namespace sluice::lang
