#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "report/table.hpp"
#include "report/units.hpp"

namespace {

using namespace sluice;

constexpr std::int64_t mi = 1 << 20;
constexpr std::int64_t gi = 1 << 30;

struct AmountCase {
  const char* resource;
  std::int64_t value;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const AmountCase& c) {
  return out << c.want;
}
const AmountCase amount_cases[] = {
    {"cpu", 2500, "2.5"},
    {"cpu", 500, "0.5"},
    {"cpu", 1, "0.001"},
    {"cpu", 40000, "40"},
    {"cpu", -1500, "-1.5"},
    {"cpu", -500, "-0.5"},
    {"cpu", 0, "0"},
    {"memory", 4608 * mi, "4608Mi"},
    {"memory", 64 * gi, "64Gi"},
    {"memory", 1000, "1k"},
    {"memory", 1500000000, "1500M"},
    {"memory", 1025, "1025"},
    {"memory", 0, "0"},
    {"memory", -53 * gi, "-53Gi"},
    {"hugepages-2Mi", 8 * mi, "8Mi"},
    {"google.com/tpu", 16, "16"},
    {"google.com/tpu", 1024, "1024"},
    {"cpu", INT64_MAX, "unlimited"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(units)

BOOST_DATA_TEST_CASE(alone, amount_cases, c) {
  BOOST_TEST(report::amount_text(c.resource, Amount(c.value)) == c.want);
}

BOOST_AUTO_TEST_CASE(memory_of_one_text_has_one_unit) {
  report::Units units;
  units.see("memory", Amount(4608 * mi));
  units.see("memory", Amount(64 * gi));
  units.see("memory", Amount(1'000'000'000 * gi));
  BOOST_TEST(units.text("memory", Amount(4608 * mi)) == "4608Mi");
  BOOST_TEST(units.text("memory", Amount(64 * gi)) == "65536Mi");
  BOOST_TEST(units.text("memory", Amount(1'000'000'000 * gi)) ==
             "1000000000Gi");  // no number to compare by eye
  BOOST_TEST(units.text("memory", Amount(0)) == "0");
  BOOST_TEST(units.text("memory", Amount::unlimited()) == "unlimited");
  BOOST_TEST(units.text("cpu", Amount(2500)) == "2.5");
}

BOOST_AUTO_TEST_CASE(instants_say_how_far_away_they_are) {
  Instant now = *Instant::parse("2026-01-01T12:00:00Z");
  BOOST_TEST(report::instant_text(now + Duration::seconds(720), now) == "2026-01-01T12:12:00Z (in 12min)");
  BOOST_TEST(report::instant_text(now, now) == "2026-01-01T12:00:00Z");
}

BOOST_AUTO_TEST_CASE(tables_align_by_columns_of_the_terminal) {
  using Align = report::Table::Align;
  report::Table table({{"name"}, {"n", Align::right}, {"never filled"}, {"rest"}});
  table.add({"日本", "1", "", "x"});
  table.add({"grün", "1000", "", ""});
  table.add_with_text({"a"}, "a text that is wider than everything else and widens nothing");
  BOOST_TEST(table.to_string("  ") ==
             "  name     n  rest\n"
             "  日本     1  x\n"
             "  grün  1000\n"
             "  a     a text that is wider than everything else and widens nothing\n");
}

BOOST_AUTO_TEST_SUITE_END()
