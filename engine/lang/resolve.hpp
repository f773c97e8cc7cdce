#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"

namespace sluice::lang {

/// Kinds of names that do not clash with each other: a flavor and a queue may both be called `spot`.
enum class NameSpace : std::uint8_t {
  value,  ///< params and functions
  flavor,
  check,  ///< `provision` and `check`
  topology,
  cohort,
  queue,
  local_queue,
  priority_class,
  compute_class,
  rule,
  fallback,
  test,
  invariant,
};
/// `flavor`, `admission check`: what messages call such a name.
std::string_view to_string(NameSpace space);

/// One file that was read, and which file each of its imports is.
struct Module {
  const ast::File* file = nullptr;
  bool given = false;  ///< by the user; the others are imported
  /// By import declaration; imports that could not be read are missing here and already reported.
  std::map<const ast::Declaration*, const Module*> imports;
};

/// The names that are known in one file.
class Scope {
 public:
  /// Null if there is none.
  const ast::Declaration* find(NameSpace space, std::string_view name) const;
  /// Every name of a kind, sorted.
  std::vector<std::string_view> names(NameSpace space) const;
  bool has_any(NameSpace space) const;
  /// Null, or what stands there already.
  const ast::Declaration* add(NameSpace space, std::string_view name, const ast::Declaration& declaration);

 private:
  std::map<std::pair<NameSpace, std::string_view>, const ast::Declaration*> names_;
};

/// The scope of each source; the files given share one.
struct Scopes {
  std::vector<Scope> scopes;
  std::map<std::uint32_t, std::size_t> by_source;

  const Scope& of(std::uint32_t source) const { return scopes[by_source.at(source)]; }
};

/// Gathers the names of every file, reports names that are declared twice or cannot be imported, and lists
/// what takes part (`checked.active`) with the names that imports changed (`checked.renamed`).
Scopes resolve(const std::vector<const Module*>& modules, Checked& checked, Diagnostics& diagnostics);

/// Every object that a declaration names: its topology, flavors, checks, queue …
void for_each_reference(const ast::Declaration& declaration,
                        const std::function<void(NameSpace, const ast::Name&)>& visit);

/// The kind of name that a declaration introduces; empty for imports, capacity and hit policies.
std::optional<NameSpace> name_space_of(const ast::Declaration& declaration);

}  // namespace sluice::lang
