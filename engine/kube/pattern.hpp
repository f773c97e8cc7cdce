#pragma once

#include <string_view>

namespace sluice::kube {

/// Does `text` match a pattern of a CRD, as the API server sees it (RE2 syntax, anywhere in the text)?
/// Throws nothing; a pattern that RE2 does not know matches everything.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace sluice::kube
