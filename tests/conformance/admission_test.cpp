#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "result_difference.hpp"
#include "support/golden.hpp"
#include "tools/scenario.hpp"

namespace sluice {
namespace {

/// Recorded answers of the real Kueue 0.19.2; see admission/README.md.
struct Recorded {
  std::string name;
  std::string scenario;
  std::string decisions;
};
std::ostream& operator<<(std::ostream& out, const Recorded& recorded) {
  return out << recorded.name;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream in(test::read_file(std::string(SLUICE_CONFORMANCE) + "/admission/" + file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Recorded> recorded(const std::string& profile) {
  std::vector<std::string> scenarios = lines_of(profile + ".scenarios.jsonl");
  std::vector<std::string> decisions = lines_of(profile + ".decisions.jsonl");
  BOOST_REQUIRE_EQUAL(scenarios.size(), decisions.size());
  std::vector<Recorded> out;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    out.push_back({test::member_of_line(scenarios[i], {"name"}), scenarios[i], decisions[i]});
  }
  return out;
}

void check(const Recorded& one) {
  std::string got = tools::play_scenario(one.scenario, one.name, 1);
  std::string difference = test::result_difference(one.decisions, got, {.messages = true});
  BOOST_TEST(difference.empty(), one.name << ":\n" << difference);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(admission)

BOOST_DATA_TEST_CASE(flat, recorded("flat"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(cohort, recorded("cohort"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(tree, recorded("tree"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(overlap, recorded("overlap"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(fair, recorded("fair"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(partial, recorded("partial"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(slices, recorded("slices"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(gates, recorded("gates"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(checks, recorded("checks"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(lifecycle, recorded("lifecycle"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(afs, recorded("afs"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(variants, recorded("variants"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(changes, recorded("changes"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(topology, recorded("topology"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(vectors, recorded("vectors"), one) {
  check(one);
}
BOOST_DATA_TEST_CASE(guide, recorded("guide"), one) {
  check(one);
}

// What is not decided yet is refused by name.
BOOST_DATA_TEST_CASE(refused, lines_of("refused.scenarios.jsonl"), scenario) {
  std::string got = tools::play_scenario(scenario, "refused", 1);
  BOOST_TEST(got.find(": not-yet-decided: ") != std::string::npos, got);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
