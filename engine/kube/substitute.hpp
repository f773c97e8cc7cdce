#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kube/manifest.hpp"

namespace sluice::kube {

/// A manifest's text after `${NAME}` was replaced, and the way back to the places of the original.
class Substituted {
 public:
  std::string text;

  /// The offset in the original text of an offset in `text`; inside of a replaced value: of its `${`.
  std::size_t original(std::size_t offset) const;

 private:
  friend Substituted substitute(std::string_view, const Substitutions&, struct UnsetVariable&);
  struct Edit {
    std::size_t begin, end;    // in `text`
    std::size_t from, behind;  // in the original
  };
  std::vector<Edit> edits_;
};

/// Can `${NAME}` hold this name?
bool is_variable_name(std::string_view name);

/// A `${NAME}` outside of comments that nothing gives a value for.
struct UnsetVariable {
  std::string name;  ///< empty: there is none
  std::size_t offset = 0;
};

/// Replaces `${NAME}` as `envsubst` does, textually and before YAML is read, but not in comments. What was
/// filled in is not looked at again. Stops at the first variable without a value and says so in `unset`.
Substituted substitute(std::string_view text, const Substitutions& substitutions, UnsetVariable& unset);

}  // namespace sluice::kube
