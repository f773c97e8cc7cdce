#pragma once

#include <string>

#include "base/error.hpp"

namespace sluice::decide {

/// The input needs something that the engine does not decide yet. It is refused by name, never guessed.
class Unsupported : public Error {
 public:
  explicit Unsupported(const std::string& what) : Error("not-yet-decided", what + " is not decided yet") {}
};

}  // namespace sluice::decide
