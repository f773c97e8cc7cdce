#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lang/format.hpp"
#include "lang/parse.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

/// A ```sluice block of the manual. Without `edition` it is a part of a file.
struct Example {
  std::size_t line;  ///< of its first line, in the manual
  std::string text;
};
std::ostream& operator<<(std::ostream& out, const Example& e) {
  return out << "docs/language.md:" << e.line;
}

std::vector<Example> examples() {
  const std::string manual = test::read_file(std::string(SLUICE_SOURCE_DIR) + "/docs/language.md");
  std::vector<Example> result;
  std::size_t line = 1;
  bool inside = false;
  for (std::size_t begin = 0; begin < manual.size(); ++line) {
    const std::size_t end = std::min(manual.find('\n', begin), manual.size());
    const std::string text = manual.substr(begin, end - begin);
    if (inside && text == "```") {
      inside = false;
    } else if (inside) {
      result.back().text += text + "\n";
    } else if (text == "```sluice") {
      inside = true;
      result.push_back({line + 1, ""});
    }
    begin = end + 1;
  }
  for (Example& example : result)
    if (!example.text.starts_with("edition")) example.text = "edition 2026\n\n" + example.text;
  return result;
}

BOOST_AUTO_TEST_SUITE(manual)

BOOST_AUTO_TEST_CASE(has_examples) {
  BOOST_TEST(examples().size() > 20U);
}

BOOST_DATA_TEST_CASE(examples_are_formatted, examples(), example) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add("language.md", example.text);
  const auto formatted = format(sources, source, diagnostics);
  for (const Diagnostic& d : diagnostics.all())
    BOOST_ERROR(example << ": " << d.message << ": " << sources.text(d.span));
  if (formatted) BOOST_TEST(*formatted == example.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
