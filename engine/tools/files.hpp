#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/verb.hpp"

namespace sluice::tools {

/// The bytes of a file; `-` is stdin. Throws Error "file" with the path as given and the reason in words.
std::string read_file(const Context& context, const std::string& path, std::size_t max_bytes);
/// The same for files of the disk only.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// Replaces a file as a whole or not at all: writes beside it, syncs, renames. Keeps its mode. Throws Error
/// "file".
void write_file(const std::string& path, std::string_view text);

bool is_folder(const std::string& path);
bool is_file(const std::string& path);

/// Files as they are, folders as the files below them whose name ends in `suffix`, sorted; hidden folders and
/// files are left out. A path that does not exist stays in the list: reading it says why. Throws Error "file"
/// if a folder cannot be read.
std::vector<std::string> expand_paths(const std::vector<std::string>& paths, std::string_view suffix);

/// The path of `name` as a file beside `beside`: `policies/a.sluice`, `two-pools.yaml` →
/// `policies/two-pools.yaml`.
std::string path_beside(std::string_view beside, std::string_view name);

}  // namespace sluice::tools
