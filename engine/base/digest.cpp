#include "base/digest.hpp"

#include <sys/types.h>

#include <sha1.h>
#include <sha2.h>

namespace sluice {

std::string sha1_hex(std::string_view text) {
  char digits[SHA1_DIGEST_STRING_LENGTH];
  SHA1Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits);
  return digits;
}

std::string sha256_hex(std::string_view text) {
  char digits[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits);
  return digits;
}

}  // namespace sluice
