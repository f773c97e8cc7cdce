#include "lang/codes.hpp"

#include <algorithm>
#include <array>

namespace sluice::lang {
namespace {

constexpr std::array codes = {
#define CODE(code, title, text) CodeInfo{code, title, text},
#include "lang/codes.def"
#undef CODE
};

}  // namespace

std::span<const CodeInfo> all_codes() {
  return codes;
}

const CodeInfo* find_code(std::string_view code) {
  auto found = std::find_if(codes.begin(), codes.end(), [&](const CodeInfo& info) { return info.code == code; });
  return found == codes.end() ? nullptr : &*found;
}

}  // namespace sluice::lang
