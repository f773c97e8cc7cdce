#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "kube/decode.hpp"

// Any text is a manifest or one Error; what it says lies within the text.

using namespace sluice;
using namespace sluice::kube;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::uint32_t lines_of(const std::string& text) {
  std::uint32_t lines = 1;
  for (char c : text) lines += c == '\n';
  return lines;
}

void check_places(const Value& value, std::uint32_t lines) {
  require(value.line() >= 1 && value.line() <= lines && value.column() >= 1);
  for (const Value& item : value.items()) check_places(item, lines);
  for (const Member& member : value.members()) {
    require(member.key.is_string());
    require(member.value.is_null() || value.find(member.key.text()) == &member.value);
    check_places(member.value, lines);
  }
}

Substitutions test_values() {
  Substitutions substitutions;
  substitutions.values = {{"A", "1"}, {"B", "x: 1\ny"}, {"C", ""}};
  return substitutions;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::uint32_t lines = lines_of(text);
  try {
    Manifest manifest = parse_manifest(text, "fuzz.yaml", test_values());
    for (const Value& document : manifest.documents()) check_places(document, lines);
    World world;
    std::vector<Object> objects = objects_of(manifest);
    add_objects(world, objects, {.now = {}, .scenario = size % 2 == 1});
  } catch (const Error& error) {
    require(error.line() <= lines);
    require(!error.message().empty());
  }
  return 0;
}
