// Any bytes as a policy: the parser answers with a tree or exactly one error, and what it takes formats to a text
// that means the same and formats to itself. Run by libFuzzer; see meson.build.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lang/format.hpp"
#include "lang/parse.hpp"

namespace {

using sluice::Diagnostics;
using sluice::SourceMap;

void require(bool condition, const char* what, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

void check_spans(const Diagnostics& diagnostics, std::size_t size, const std::string& text) {
  for (const sluice::Diagnostic& diagnostic : diagnostics.all())
    require(diagnostic.span.begin <= diagnostic.span.end && diagnostic.span.end <= size, "a span outside of the text",
            text);
}

std::string formatted(const std::string& text) {
  SourceMap sources;
  Diagnostics diagnostics;
  const auto result = sluice::lang::format(sources, sources.add("input", text), diagnostics);
  require(result.has_value(), "parsed, but not formatted", text);
  return *result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  SourceMap sources;
  sluice::lang::ast::Arena arena;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add("input", text);
  const auto* file = sluice::lang::parse(sources, source, arena, diagnostics);
  require(diagnostics.all().size() == (file == nullptr ? 1U : 0U), "not exactly one error or a tree", text);
  check_spans(diagnostics, size, text);

  Diagnostics of_fragment;
  sluice::lang::parse_fragment(sources, source, arena, of_fragment);
  require(of_fragment.all().size() <= 1, "more than one error", text);
  check_spans(of_fragment, size, text);

  if (file == nullptr) return 0;
  const std::string once = formatted(text);
  require(formatted(once) == once, "formatted text does not format to itself", text);
  return 0;
}
