#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "result_difference.hpp"
#include "support/golden.hpp"
#include "tools/scenario.hpp"

namespace sluice {
namespace {

const std::string kFolder = std::string(SLUICE_CONFORMANCE) + "/admission/rules";

std::vector<std::string> lines_of(const std::string& path) {
  std::istringstream in(test::read_file(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A scenario that shows one rule, and what the real Kueue 0.19.2 decided on it; see admission/README.md.
struct Shown {
  std::string name;
  std::string rule;
  std::string scenario;
  std::string decisions;
  bool open_decisions = false;  ///< in open.txt: not decided as Kueue does yet
  bool open_texts = false;      ///< in open.txt: decided, but with other texts
};
std::ostream& operator<<(std::ostream& out, const Shown& shown) {
  return out << shown.name << " (" << shown.rule << ")";
}

std::vector<Shown> all_shown() {
  std::set<std::string> open;
  for (const std::string& line : lines_of(kFolder + "/open.txt")) open.insert(line);
  std::vector<Shown> all;
  for (const std::string& path : test::files_in(kFolder, ".scenarios.jsonl")) {
    std::string topic = path.substr(0, path.size() - std::string_view(".scenarios.jsonl").size());
    std::vector<std::string> scenarios = lines_of(path);
    std::vector<std::string> decisions = lines_of(topic + ".decisions.jsonl");
    BOOST_REQUIRE_EQUAL(scenarios.size(), decisions.size());
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      std::string name = test::member_of_line(scenarios[i], {"name"});
      BOOST_REQUIRE_EQUAL(name, test::member_of_line(decisions[i], {"name"}));
      all.push_back({name, test::member_of_line(scenarios[i], {"rule"}), scenarios[i], decisions[i],
                     open.contains("decisions " + name), open.contains("texts " + name)});
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_DATA_TEST_CASE(decided_as_recorded, all_shown(), shown) {
  std::string got = tools::play_scenario(shown.scenario, shown.name, 1);
  std::string texts = test::result_difference(shown.decisions, got, {.messages = true});
  if (shown.open_decisions || shown.open_texts)
    BOOST_WARN_MESSAGE(!texts.empty(), shown.name << " is decided now; take it from open.txt");
  if (shown.open_decisions) return;
  std::string difference =
      shown.open_texts ? test::result_difference(shown.decisions, got, {.messages = false}) : texts;
  BOOST_TEST(difference.empty(), "rule: " << shown.rule << "\ncase: " << shown.name << "\n" << difference);
}

BOOST_AUTO_TEST_CASE(open_ones_exist) {
  std::set<std::string> names;
  for (const Shown& shown : all_shown()) {
    names.insert("decisions " + shown.name);
    names.insert("texts " + shown.name);
  }
  for (const std::string& line : lines_of(kFolder + "/open.txt")) BOOST_TEST(names.contains(line), line);
}

BOOST_AUTO_TEST_CASE(each_has_a_name_and_a_rule) {
  std::set<std::string> names;
  for (const Shown& shown : all_shown()) {
    BOOST_TEST(names.insert(shown.name).second, "two cases are called " << shown.name);
    BOOST_TEST(!shown.rule.empty(), shown.name << " names no rule");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
