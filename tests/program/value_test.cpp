#include "program/value.hpp"

#include <ostream>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice::program;

namespace {

struct TextCase {
  ValueKind kind;
  std::int64_t value;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const TextCase& c) { return out << c.want; }
const TextCase text_cases[] = {
    {ValueKind::boolean, 1, "true"},
    {ValueKind::number, -3, "-3"},
    {ValueKind::percent, 800'000, "80%"},
    {ValueKind::percent, 12'500, "1.25%"},
    {ValueKind::cpu, 500, "500m"},
    {ValueKind::cpu, 4000, "4"},
    {ValueKind::memory, std::int64_t{20} << 30, "20Gi"},
    {ValueKind::devices, 16, "16"},
    {ValueKind::money, 12'500'000, "12.5"},
    {ValueKind::money, -1, "-0.000001"},
    {ValueKind::duration, 9000'000'000'000, "2h30min"},
    {ValueKind::instant, 0, "1970-01-01T00:00:00Z"},
    {ValueKind::time_of_day, 8 * 3600, "08:00"},
    {ValueKind::time_of_day, 8 * 3600 + 1, "08:00:01"},
    {ValueKind::clock_range, pack_range(72'000, 21'600), "20:00..06:00"},
    {ValueKind::weekday, 6, "sun"},
};

struct RangeCase {
  const char* why;
  std::int64_t from, to, second;
  bool want;
};
std::ostream& operator<<(std::ostream& out, const RangeCase& c) { return out << c.why; }
const RangeCase range_cases[] = {
    {"the begin belongs to it", 100, 200, 100, true},
    {"the end does not", 100, 200, 200, false},
    {"before", 100, 200, 99, false},
    {"past midnight, in the evening", 200, 100, 86'399, true},
    {"past midnight, in the morning", 200, 100, 0, true},
    {"past midnight, the end", 200, 100, 100, false},
    {"to the end of the day", 100, 86'400, 86'399, true},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(value)

BOOST_DATA_TEST_CASE(text, text_cases, c) { BOOST_TEST(to_string(c.kind, c.value) == c.want); }

BOOST_DATA_TEST_CASE(range, range_cases, c) { BOOST_TEST(in_range(c.second, pack_range(c.from, c.to)) == c.want); }

BOOST_AUTO_TEST_SUITE_END()
