#include "lang/codes.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/golden.hpp"

namespace sluice::lang {
namespace {

std::vector<std::string> sources() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SLUICE_SOURCE_DIR "/engine")) {
    std::string path = entry.path().string();
    bool is_source = path.ends_with(".cpp") || path.ends_with(".hpp");
    if (is_source) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

BOOST_AUTO_TEST_SUITE(codes)

BOOST_AUTO_TEST_CASE(each_code_of_the_sources_is_explained) {
  // The calls that report: `error("code", …)`, `Error("code", …)`, `fail("code", …)`, `error_at(policy, span,
  // "code", …)`.
  const std::regex call(
      R"re((?:\b(?:error|warning|fail|Error|Error error|Error failed)\(|Severity::error, |error_at\([a-z_]+, [a-z_.>*-]+, )"([a-z0-9]+(?:-[a-z0-9]+)+)")re");
  std::set<std::string> used;
  for (const std::string& path : sources()) {
    std::string text = test::read_file(path);
    for (std::sregex_iterator match(text.begin(), text.end(), call), end; match != end; ++match) {
      std::string code = (*match)[1];
      used.insert(code);
      BOOST_TEST(find_code(code) != nullptr,
                 path << " reports `" << code << "`, which codes.def does not explain");
    }
  }
  BOOST_TEST(used.size() > 50u);
}

BOOST_AUTO_TEST_CASE(each_explained_code_is_used) {
  std::string all;
  for (const std::string& path : sources()) all += test::read_file(path);
  for (const CodeInfo& info : all_codes()) {
    bool found = all.find("\"" + std::string(info.code) + "\"") != std::string::npos;
    BOOST_TEST(found, "no source reports `" << info.code << "`");
  }
}

BOOST_AUTO_TEST_CASE(codes_are_unique_and_texts_are_laid_out) {
  std::set<std::string_view> seen;
  for (const CodeInfo& info : all_codes()) {
    BOOST_TEST_CONTEXT(info.code) {
      BOOST_TEST(seen.insert(info.code).second);
      BOOST_TEST(!info.title.empty());
      BOOST_TEST(info.text.ends_with("\n"));
      BOOST_TEST(!info.text.starts_with("\n"));
      for (std::size_t begin = 0; begin < info.text.size();) {
        std::size_t end = info.text.find('\n', begin);
        BOOST_TEST(end - begin <= 114);
        begin = end + 1;
      }
    }
  }
  BOOST_TEST(find_code("no-such-code") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
