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

/// Plays the scenarios of a file: one line on `out` for each. The file is YAML (`.yaml`, `.yml`: documents or
/// lists), JSON (`.json`: an object or a list), else JSON Lines (`-`: of stdin). Returns the exit code. Throws
/// Error: "file", and what is wrong with the text of a YAML or JSON file as a whole.
int play_scenarios(Context& context, const std::string& path);

}  // namespace sluice::tools
