#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/verb.hpp"

namespace sluice::tools {

/// Plays one scenario, a JSON object of the Kueue oracle's format, and returns the result as one line of
/// JSON. What goes wrong with a scenario, or is not decided yet, is its `error`; nothing is thrown for it.
/// `path` and `line` say where the text comes from.
std::string play_scenario(std::string_view text, const std::string& path, std::uint32_t line);

/// Plays the scenarios of a file of JSON Lines (`-`: stdin): one line on `out` for each. Returns the exit
/// code. Throws Error "file".
int play_scenarios(Context& context, const std::string& path);

}  // namespace sluice::tools
