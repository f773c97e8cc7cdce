#pragma once

#include <map>
#include <string>

#include "base/diagnostic.hpp"
#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/resolve.hpp"

namespace sluice::lang {

/// Reads the params given from outside into `checked.params`. Reports names that are no param, and texts that are
/// no value of the param's type. Values live in `arena`.
void read_params(const std::map<std::string, std::string>& given, const Scope& scope, ast::Arena& arena,
                 Checked& checked, Diagnostics& diagnostics);

}  // namespace sluice::lang
