#include "lang/check.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "lang/load.hpp"
#include "report/diagnostics.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

const std::string golden = SLUICE_SOURCE_DIR "/tests/golden/check";

/// Paths in output are relative to the folder of the case.
std::string check_file(const std::string& path) {
  Policy policy = load({{std::filesystem::path(path).filename().string(), test::read_file(path)}});
  return report::to_pretty(policy.sources, policy.diagnostics.all(), false);
}

struct BadCase {
  const char* file;
  const char* code;    ///< null: only lint finds something
  const char* marked;  ///< what the caret underlines
  const char* help;    ///< a part of the help
};
std::ostream& operator<<(std::ostream& out, const BadCase& bad) {
  return out << bad.file;
}
const BadCase bad_cases[] = {
    {"dead-machine", nullptr, "", ""},
    {"minutes", "minutes-not-milli", "10m", "minutes are `10min`"},
    {"none", "optional-unguarded", "labels[\"team\"]",
     "`has labels[\"team\"] and …` or `labels[\"team\"] or \"unknown\"`"},
    {"shadowed", nullptr, "", ""},
    {"two-scores", "two-scores", "s2", "exclude each other"},
    {"uncovered", nullptr, "", ""},
    {"unit", "unit-mismatch", "75Gi", "write `cpu 75`"},
    {"unknown-field", "unknown-field", "prioritty-class", "did you mean `priority-class`?"},
    {"unreachable-rung", "unreachable-rung", "try b", "remove it"},
};

BOOST_AUTO_TEST_SUITE(check)

// What the first comment of each file says.
BOOST_DATA_TEST_CASE(bad_samples, boost::unit_test::data::make(bad_cases), bad) {
  Policy policy = load({{"bad.sluice", test::read_file(std::string(SLUICE_SOURCE_DIR "/tests/golden/bad/") +
                                                       bad.file + ".sluice")}});
  const std::vector<Diagnostic>& found = policy.diagnostics.all();
  BOOST_REQUIRE_EQUAL(found.size(), bad.code == nullptr ? 0u : 1u);
  if (bad.code == nullptr) return;
  BOOST_TEST(found[0].code == bad.code);
  BOOST_TEST(policy.sources.text(found[0].span) == bad.marked);
  BOOST_TEST(found[0].help.find(bad.help) != std::string::npos, found[0].help);
}

// One file, one mistake: exactly one diagnostic, or none at all.
BOOST_DATA_TEST_CASE(golden_files, boost::unit_test::data::make(test::files_in(golden, ".sluice")), path) {
  std::string got = check_file(path);
  test::check_golden(path.substr(0, path.size() - 7) + ".check", got);
  std::size_t count = 0;
  for (const char* severity : {"error[", "warning["}) {
    for (std::size_t at = got.find(severity); at != std::string::npos; at = got.find(severity, at + 1))
      ++count;
  }
  BOOST_TEST(count <= 1u, "a cascade:\n" << got);
}

BOOST_DATA_TEST_CASE(shipped_policies_are_fine,
                     boost::unit_test::data::make(test::files_in(SLUICE_SOURCE_DIR "/policies", ".sluice")),
                     path) {
  BOOST_TEST(check_file(path) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
