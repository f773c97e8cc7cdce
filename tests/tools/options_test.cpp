#include <array>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "base/error.hpp"
#include "tools/verb.hpp"

namespace {

using namespace sluice;
using namespace sluice::tools;

constexpr std::array flags = {
    Flag{.name = "format", .letter = 0, .value = "FORMAT", .help = "the format"},
    Flag{.name = "write", .letter = 'w', .help = "in place"},
    Flag{.name = "list", .letter = 'l', .help = "names only"},
    Flag{.name = "set", .letter = 's', .value = "NAME=VALUE", .help = "a value", .repeated = true},
};
const Verb verb{
    .name = "probe",
    .usage = "[PATH…]",
    .summary = "a verb for this test",
    .details = {},
    .flags = flags,
    .min_words = 0,
    .max_words = 2,
    .run = nullptr,
};

Args parse(std::vector<std::string_view> words, std::map<std::string, std::string> environment = {}) {
  Context context;
  context.environment = [=](std::string_view name) -> std::optional<std::string> {
    auto found = environment.find(std::string(name));
    if (found == environment.end()) return std::nullopt;
    return found->second;
  };
  return parse_args(verb, words, context);
}

struct Refused {
  const char* why;
  std::vector<std::string_view> words;
  const char* message;
  const char* help;
};
std::ostream& operator<<(std::ostream& out, const Refused& c) {
  return out << c.why;
}
const Refused refused[] = {
    {"a flag that is nearly right",
     {"--formt", "json"},
     "`sluice probe` has no flag `--formt`",
     "did you mean `--format`?"},
    {"a flag that is nothing like one",
     {"--zzzzzzzz"},
     "`sluice probe` has no flag `--zzzzzzzz`",
     "`sluice help probe` shows how it is called"},
    {"a letter that is none",
     {"-x"},
     "`sluice probe` has no flag `-x`",
     "`sluice help probe` shows how it is called"},
    {"a value that is missing",
     {"--format"},
     "`--format` needs a value: FORMAT",
     "`sluice help probe` shows how it is called"},
    {"a value of a switch",
     {"--write=yes"},
     "`--write` takes no value",
     "`sluice help probe` shows how it is called"},
    {"a flag given twice",
     {"--format=a", "--format=b"},
     "`--format` is given twice",
     "`sluice help probe` shows how it is called"},
    {"a word too many",
     {"a", "b", "c"},
     "`sluice probe` does not take `c`",
     "`sluice help probe` shows how it is called"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(options)

BOOST_DATA_TEST_CASE(refuses, refused, c) {
  try {
    parse(c.words);
    BOOST_ERROR("was accepted");
  } catch (const Error& error) {
    BOOST_TEST(error.code() == "usage");
    BOOST_TEST(error.message() == c.message);
    BOOST_TEST(error.help() == c.help);
  }
}

BOOST_AUTO_TEST_CASE(reads_every_form) {
  Args args = parse({"-wl", "--set=a=1", "-s", "b=2", "-sc=3", "-", "--format", "json", "--", "--list"});
  BOOST_TEST(args.has("write"));
  BOOST_TEST(args.has("list"));
  BOOST_TEST(args.value("format") == "json");
  BOOST_TEST(args.words() == (std::vector<std::string>{"-", "--list"}), boost::test_tools::per_element());
  std::map<std::string, std::string> pairs = pairs_of(args, "set");
  BOOST_TEST(pairs.size() == 3u);
  BOOST_TEST(pairs["a"] == "1");
  BOOST_TEST(pairs["b"] == "2");
  BOOST_TEST(pairs["c"] == "3");
}

BOOST_AUTO_TEST_CASE(pairs_hold_for_the_words_behind_them) {
  Args args = parse({"--set=id=1", "a.yaml", "--set=id=2", "--set=zone=x", "a.yaml"});
  BOOST_TEST(pairs_for_word(args, "set", 0)["id"] == "1");
  BOOST_TEST(pairs_for_word(args, "set", 0)["zone"] == "x");
  BOOST_TEST(pairs_for_word(args, "set", 1)["id"] == "2");
  Args behind = parse({"a.yaml", "--set=id=1"});
  BOOST_TEST(pairs_for_word(behind, "set", 0)["id"] == "1");
}

BOOST_AUTO_TEST_CASE(environment_stands_in_for_flags) {
  Args args = parse({"--format=text"}, {{"SLUICE_PROBE_FORMAT", "json"},
                                        {"SLUICE_PROBE_WRITE", "1"},
                                        {"SLUICE_PROBE_LIST", "0"},
                                        {"SLUICE_PROBE_SET", "a=1\nb=2"}});
  BOOST_TEST(args.value("format") == "text");
  BOOST_TEST(args.has("write"));
  BOOST_TEST(!args.has("list"));
  BOOST_TEST(args.values("set").size() == 2u);
  BOOST_CHECK_THROW(parse({}, {{"SLUICE_PROBE_WRITE", "maybe"}}), Error);
}

BOOST_AUTO_TEST_CASE(instants_are_absolute_or_waits) {
  Context context;
  const Instant noon = *Instant::parse("2026-01-01T12:00:00Z");
  auto at = [&](std::string_view text) {
    Args args;
    args.add("at", std::string(text));
    return instant_of(args, noon);
  };
  BOOST_TEST((at("+15min") == noon + Duration::seconds(900)));
  BOOST_TEST((at("2026-01-02T00:00:00Z") == noon + Duration::seconds(12 * 3600)));
  BOOST_CHECK_THROW(at("+15m"), Error);
  BOOST_CHECK_THROW(at("tomorrow"), Error);
  BOOST_TEST((instant_of(Args(), noon) == noon));
}

BOOST_AUTO_TEST_SUITE_END()
