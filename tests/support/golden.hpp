#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Golden files: one input, one expectation beside it.
namespace sluice::test {

std::string read_file(const std::string& path);

/// The inputs of `folder` (an absolute path) that end in `suffix`, sorted; absolute paths.
std::vector<std::string> files_in(const std::string& folder, std::string_view suffix);

/// Compares `got` with the file `path`; reports the first line that differs through Boost.Test. With
/// SLUICE_ACCEPT=1 in the environment the file is written instead.
void check_golden(const std::string& path, std::string_view got);

}  // namespace sluice::test
