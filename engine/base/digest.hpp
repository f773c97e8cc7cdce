#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// Digests as lower-case hexadecimal digits.
std::string sha1_hex(std::string_view text);
std::string sha256_hex(std::string_view text);

}  // namespace sluice
