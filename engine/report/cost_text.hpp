#pragma once

#include <string>

#include "lang/load.hpp"

namespace sluice::report {

/// The most steps each rule, fallback and function can take, in the order of the files; empty if there are
/// none.
std::string cost_table(const lang::Policy& policy);

}  // namespace sluice::report
