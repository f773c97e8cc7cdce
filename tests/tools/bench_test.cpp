#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "kube/manifest.hpp"
#include "tools/run_command.hpp"

using namespace sluice;

namespace {

struct Case {
  std::string kind;
  std::vector<std::string> flags;
  std::size_t lines;
  std::vector<std::string> members;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.kind;
}

const Case cases[] = {
    {"cycle",
     {},
     8,
     {"regime", "clusterQueues", "cohorts", "pendingWorkloads", "flavors", "cycles", "cycleMedianNs", "cycleMeanNs",
      "cycleMinNs", "snapshotMedianNs", "perHeadMedianNs", "admissions", "admissionsPerSecond", "setupSeconds"}},
    {"cycle", {"--fair-sharing"}, 8, {"fairSharing", "cycleMedianNs"}},
    {"preemption", {}, 9, {"regime", "candidates", "victims", "runs", "cycleMedianNs", "cycleMinNs"}},
    {"rest", {}, 2, {"pendingWorkloads", "cycles", "admissions", "setupNs", "toRestNs", "bytesPerWorkload"}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bench)

// What is measured, and in which words. How long it takes is no test's business.
BOOST_DATA_TEST_CASE(prints_json_lines, boost::unit_test::data::make(cases), c) {
  std::vector<std::string> words = {"bench", c.kind, "--workloads", "40", "--cycles", "2"};
  words.insert(words.end(), c.flags.begin(), c.flags.end());
  test::Outcome outcome = test::run({words, {}, {}});
  BOOST_TEST(outcome.exit == 0);
  BOOST_TEST(outcome.err.empty());
  std::size_t lines = 0;
  std::istringstream text(outcome.out);
  for (std::string line; std::getline(text, line);) {
    kube::Manifest manifest = kube::parse_json(line, "bench");
    BOOST_REQUIRE(manifest.documents().size() == 1u);
    kube::Value object = manifest.documents()[0];
    BOOST_REQUIRE(object.is_map());
    BOOST_REQUIRE(object.find("kind") != nullptr);
    if (object.find("kind")->text() != c.kind) continue;  // the machine
    ++lines;
    for (const std::string& member : c.members) BOOST_TEST(object.find(member) != nullptr, member << " is missing");
  }
  BOOST_TEST(lines == c.lines);
}

BOOST_AUTO_TEST_CASE(numbers_begin_with_one) {
  for (const char* flag : {"--workloads", "--cycles"}) {
    for (const char* value : {"0", "-1", "x", ""}) {
      test::Outcome outcome = test::run({{"bench", "cycle", flag, value}, {}, {}});
      BOOST_TEST(outcome.exit != 0, flag << " " << value);
      BOOST_TEST(outcome.out.empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
