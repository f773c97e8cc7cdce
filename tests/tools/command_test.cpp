#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>

#include "tools/run_command.hpp"
#include "tools/verb.hpp"

using namespace sluice;

BOOST_AUTO_TEST_SUITE(command)

BOOST_AUTO_TEST_CASE(every_verb_is_listed_once_and_explains_itself) {
  std::set<std::string_view> names;
  for (const tools::Verb* verb : tools::verbs()) {
    BOOST_TEST(names.insert(verb->name).second, verb->name << " is listed twice");
    BOOST_TEST(!verb->summary.empty());
    test::Outcome help = test::run({{"help", std::string(verb->name)}, {}, {}});
    BOOST_TEST(help.exit == 0);
    BOOST_TEST(help.err.empty());
    BOOST_TEST(test::run({{std::string(verb->name), "--help"}, {}, {}}).out == help.out);
    std::set<char> letters;
    for (const tools::Flag& flag : verb->flags) {
      BOOST_TEST(!flag.help.empty(), verb->name << " --" << flag.name << " has no help");
      if (flag.letter != 0) BOOST_TEST(letters.insert(flag.letter).second);
    }
  }
}

BOOST_AUTO_TEST_CASE(no_verb_is_bad_usage) {
  test::Outcome outcome = test::run({});
  BOOST_TEST(outcome.exit == 1);
  BOOST_TEST(outcome.out.empty());
  BOOST_TEST(outcome.err.starts_with("sluice decides"));
}

BOOST_AUTO_TEST_SUITE_END()
