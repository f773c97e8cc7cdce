#pragma once

#include <string>

#include "base/error.hpp"

namespace sluice::report {

/// An Error with its place, source line, caret and help, ending in a newline.
std::string to_text(const Error& error, bool colour);

}  // namespace sluice::report
