#include "lang/format.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "lang/parse.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

const std::string root = SLUICE_SOURCE_DIR;

/// The formatted text, or `error: …`.
std::string formatted(const std::string& text) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add("x.sluice", text);
  auto result = format(sources, source, diagnostics);
  return result ? *result : "error: " + diagnostics.all().front().message;
}

std::vector<std::string> every_policy() {
  std::vector<std::string> paths;
  for (const char* folder : {"/policies", "/tests/golden/bad", "/tests/golden/layout", "/stdlib/gke"})
    for (const std::string& path : test::files_in(root + folder, ".sluice")) paths.push_back(path);
  return paths;
}

/// The tokens and comments of a policy, as texts.
std::vector<std::string> tokens_of(const std::string& text) {
  SourceMap sources;
  ast::Arena arena;
  Diagnostics diagnostics;
  const ast::File* file = parse(sources, sources.add("x.sluice", text), arena, diagnostics);
  BOOST_REQUIRE(file != nullptr);
  std::vector<std::string> result;
  for (const ast::Token& token : file->tokens)
    result.push_back(text.substr(token.begin, token.end - token.begin));
  return result;
}
bool is_comment(const std::string& token) {
  return token.starts_with("//") || token.starts_with("/*");
}

std::string without_blank_lines(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c != '\n' || !result.ends_with('\n')) result += c;
  return result;
}

BOOST_AUTO_TEST_SUITE(formatter)

BOOST_DATA_TEST_CASE(layout, test::files_in(root + "/tests/golden/layout", ".sluice"), path) {
  test::check_golden(path.substr(0, path.rfind('.')) + ".fmt", formatted(test::read_file(path)));
}

BOOST_DATA_TEST_CASE(policies_are_formatted, test::files_in(root + "/policies", ".sluice"), path) {
  const std::string text = test::read_file(path);
  BOOST_TEST(formatted(text) == text);
}

BOOST_DATA_TEST_CASE(formats_to_itself, every_policy(), path) {
  const std::string once = formatted(test::read_file(path));
  BOOST_TEST(formatted(once) == once);
}

BOOST_DATA_TEST_CASE(keeps_every_token_and_comment, every_policy(), path) {
  std::string before;
  std::string after;
  const std::string text = test::read_file(path);
  auto gather = [](const std::string& policy, std::string& out) {
    for (const std::string& token : tokens_of(policy)) {
      std::string visible;
      for (char c : token)
        if (c != ' ' && c != '\r' && c != '\n') visible += c;
      if (visible != ",") out += visible + "\n";
    }
  };
  gather(text, before);
  gather(formatted(text), after);
  BOOST_TEST(before == after);
}

/// The same tokens with other white space between them give the same text, blank lines apart.
BOOST_DATA_TEST_CASE(layout_follows_from_content, every_policy(), path) {
  std::vector<std::string> tokens;
  for (const std::string& token : tokens_of(test::read_file(path)))
    if (!is_comment(token)) tokens.push_back(token);
  std::string spaced;
  for (const std::string& token : tokens) spaced += token + " ";
  const std::string want = without_blank_lines(formatted(spaced));
  BOOST_TEST(!want.starts_with("error"));
  std::mt19937 random(7);  // NOLINT: the same variations in every run
  for (int variation = 0; variation < 20; ++variation) {
    std::string text;
    for (const std::string& token : tokens)
      text += token + (random() % 3 == 0 ? "\n" : random() % 2 == 0 ? " " : "\t  ");
    BOOST_TEST(without_blank_lines(formatted(text)) == want);
  }
}

/// Comments of every kind in every place: nothing is lost, and the layout is stable.
BOOST_DATA_TEST_CASE(comments_anywhere, every_policy(), path) {
  static constexpr const char* comments[] = {
      "// line\n",        "/* block */", "\n// own line\n", "\n\n/// doc\n\n", "\n/* two\n   lines */\n",
      "/// doc behind\n", " /**/ ",      "\n\n/* x */\n\n"};
  const std::vector<std::string> tokens = tokens_of(test::read_file(path));
  std::mt19937 random(11);  // NOLINT: the same variations in every run
  for (int variation = 0; variation < 40; ++variation) {
    std::string text;
    for (const std::string& token : tokens) {
      text += token + (is_comment(token) || random() % 4 == 0 ? "\n" : " ");
      if (random() % 12 == 0) text += comments[random() % std::size(comments)];
    }
    const std::string once = formatted(text);
    BOOST_TEST(!once.starts_with("error"), text);
    BOOST_TEST(formatted(once) == once);
  }
}

BOOST_AUTO_TEST_CASE(errors_are_those_of_the_parser) {
  BOOST_TEST(formatted("edition 2026\nquue q {}\n") == "error: `quue` begins no declaration");
  BOOST_TEST(formatted("") == "error: the file does not say its edition");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
