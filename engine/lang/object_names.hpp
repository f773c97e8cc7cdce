#pragma once

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "lang/resolve.hpp"
#include "model/world.hpp"

namespace sluice::lang {

/// References to objects: declared by the policy, else by the snapshot if that is known, else left open, as a
/// policy may sit on top of objects that are applied from elsewhere.
class ObjectNames {
 public:
  ObjectNames(const Scopes& scopes, const World* known, Diagnostics& diagnostics)
      : scopes_(scopes), known_(known), diagnostics_(diagnostics) {}

  /// The declaration; null if there is none. Reports a name that nothing can stand for. `closed`: a policy that
  /// declares any such object most likely declares all it uses here; one that is missing gets a warning.
  const ast::Declaration* check(NameSpace space, const ast::Name& name, bool closed = false);
  const ast::Declaration* find(NameSpace space, const ast::Name& name) const;
  const World* known() const { return known_; }

 private:
  const Scopes& scopes_;
  const World* known_;
  Diagnostics& diagnostics_;
  std::set<std::pair<NameSpace, std::string_view>> reported_;  // a missing declaration is one mistake
};

/// The names of a kind that a world holds, in its order.
std::vector<std::string_view> names_of(const World& world, NameSpace space);

}  // namespace sluice::lang
