#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {

/// The policy files of a call: files as given, the `*.sluice` of folders, `-` for stdin. Throws Error "file".
std::vector<lang::Source> read_policies(const Context& context, const std::vector<std::string>& paths);

/// Options for a policy that may import what lies beside it.
lang::LoadOptions load_options(std::map<std::string, std::string> params);

/// Loads the policies of a verb that goes on to decide something. Diagnostics go to `err`; empty if there are
/// errors. `known`: see lang::LoadOptions.
std::optional<lang::Policy> load_policies(Context& context, const std::vector<std::string>& paths,
                                          std::map<std::string, std::string> params, const World* known);

}  // namespace sluice::tools
