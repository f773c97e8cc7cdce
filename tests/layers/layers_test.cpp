#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

/// Arrows between the folders of engine/ point one way; this test reads the #include lines.

namespace {

using Names = std::set<std::string>;

const std::map<std::string, Names> may_include = {
    {"base", {}},
    {"model", {"base"}},
    {"program", {"base", "model"}},
    {"lang", {"base", "model", "program"}},
    {"vm", {"base", "model", "program"}},
    {"state", {"base", "model"}},
    {"kube", {"base", "model", "state", "lang"}},
    {"decide", {"base", "model", "program", "vm", "state"}},
    {"report", {"base", "model", "program", "lang", "vm", "state", "kube", "decide"}},
    {"tools", {"base", "model", "program", "lang", "vm", "state", "kube", "decide", "report"}},
};

/// A foreign header and the only files that may see it.
struct Foreign {
  const char* header;  // a regular expression on the text between < and >
  Names files;
};
const Foreign foreign[] = {
    {"antlr4.*|.*(Parser|Lexer|Visitor)\\.h|ANTLR.*|CommonTokenStream\\.h|atn/.*|tree/.*", {"lang/parse_tokens.hpp", "lang/parse_tree.hpp"}},
    {"sqlite3\\.h", {"state/sqlite.cpp"}},
    {"yaml-cpp/.*|rapidjson/.*", {"kube/manifest.cpp"}},
    {"editline/.*|histedit\\.h|readline/.*", {"tools/line_editor.cpp"}},
    {"absl/.*", {"base/time_zone.cpp"}},
    {"re2/.*", {"base/pattern.cpp"}},
    {"md5\\.h|sha1\\.h|sha2\\.h|sha512\\.h", {"base/digest.cpp"}},
    {"iostream", {}},
};

struct Include {
  std::string from;    // lang/parse.cpp
  std::string header;  // as written
};

std::vector<Include> includes() {
  namespace fs = std::filesystem;
  const fs::path engine = fs::path(SLUICE_SOURCE_DIR) / "engine";
  const std::regex line_of("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  std::vector<Include> all;
  for (const auto& entry : fs::recursive_directory_iterator(engine)) {
    std::string extension = entry.path().extension().string();
    if (extension != ".cpp" && extension != ".hpp" && extension != ".inc" && extension != ".def") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_search(line, match, line_of)) {
        all.push_back({fs::relative(entry.path(), engine).generic_string(), match[1]});
      }
    }
  }
  return all;
}

std::string folder_of(const std::string& path) {
  auto slash = path.find('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layers)

BOOST_AUTO_TEST_CASE(arrows_point_one_way) {
  std::size_t seen = 0;
  for (const Include& include : includes()) {
    std::string from = folder_of(include.from);
    std::string to = folder_of(include.header);
    if (may_include.count(to) == 0) continue;
    ++seen;
    BOOST_REQUIRE_MESSAGE(may_include.count(from) == 1, "engine/" << include.from << " is in no known folder");
    BOOST_TEST((from == to || may_include.at(from).count(to) == 1),
               "engine/" << include.from << " includes " << include.header << ", which its layer may not see");
  }
  BOOST_TEST(seen > 100u, "the test no longer finds the #include lines");
}

BOOST_AUTO_TEST_CASE(a_foreign_library_has_one_file) {
  for (const Include& include : includes()) {
    for (const Foreign& library : foreign) {
      if (!std::regex_match(include.header, std::regex(library.header))) continue;
      if (may_include.count(folder_of(include.header)) == 1) continue;
      BOOST_TEST((library.files.count(include.from) == 1),
                 "engine/" << include.from << " includes <" << include.header << ">, which only one file may see");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
