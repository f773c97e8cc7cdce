#pragma once

#include <string>
#include <string_view>

namespace sluice::report {

/// The change from one text to another as `diff -u` writes it, with three lines of context; empty if they are
/// equal. Cost: lines times differing lines.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after, bool colour);

}  // namespace sluice::report
