#pragma once

#include <span>
#include <string_view>

namespace sluice::lang {

/// What `sluice explain` knows about a code of a diagnostic or error.
struct CodeInfo {
  std::string_view code;
  std::string_view title;
  std::string_view text;
};

/// In the order of codes.def.
std::span<const CodeInfo> all_codes();
/// Null if there is no such code.
const CodeInfo* find_code(std::string_view code);

}  // namespace sluice::lang
