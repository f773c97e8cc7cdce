#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lang/format.hpp"
#include "lang/load.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

/// A ```sluice block of the manual.
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
  return result;
}

BOOST_AUTO_TEST_SUITE(manual)

BOOST_AUTO_TEST_CASE(has_examples) {
  BOOST_TEST(examples().size() >= 9U);
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

/// Names that an example does not declare are the snapshot's, so they are no errors here.
BOOST_DATA_TEST_CASE(examples_check, examples(), example) {
  const Policy policy = load({{"language.md", example.text}});
  for (const Diagnostic& d : policy.diagnostics.all())
    BOOST_ERROR(example << ": " << d.message << ": " << policy.sources.text(d.span));
  BOOST_TEST(!policy.has_errors());
}

/// Every word of the lexer stands in the manual's list.
BOOST_AUTO_TEST_CASE(lists_every_word) {
  const std::string root = SLUICE_SOURCE_DIR;
  const std::string manual = test::read_file(root + "/docs/language.md");
  const std::string words = manual.substr(manual.find("\n## Words"));
  const std::string lexer = test::read_file(root + "/grammar/SluiceLexer.g4");
  std::size_t count = 0;
  for (std::size_t begin = lexer.find(": '"); begin != std::string::npos;
       begin = lexer.find(": '", begin + 1)) {
    const std::size_t end = lexer.find('\'', begin + 3);
    const std::string word = lexer.substr(begin + 3, end - begin - 3);
    if (word[0] < 'a' || word[0] > 'z') continue;
    ++count;
    BOOST_TEST(words.find("`" + word + "`") != std::string::npos, word);
  }
  BOOST_TEST(count > 100U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
