#include "base/time.hpp"

#include <ostream>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice;

namespace {

struct TimeCase {
  const char* text;
  std::optional<std::int64_t> ns;
};
std::ostream& operator<<(std::ostream& out, const TimeCase& c) {
  return out << '`' << c.text << '`';
}

// As Go's time.ParseDuration.
const TimeCase go_durations[] = {
    {"1h30m", 5'400'000'000'000},
    {"1.5s", 1'500'000'000},
    {"300ms", 300'000'000},
    {"-1.5h", -5'400'000'000'000},
    {"2h45m30.5s", 9'930'500'000'000},
    {"1us", 1'000},
    {"1ns", 1},
    {"1m", 60'000'000'000},
    {"0", 0},
    {"+5s", 5'000'000'000},
    {".5s", 500'000'000},
    {"1.s", 1'000'000'000},
    {"1.0000000005s", 1'000'000'000},
    {"2562047h47m16.854775807s", 9'223'372'036'854'775'807},
    {"2562048h", {}},
    {"", {}},
    {"5", {}},
    {"1d", {}},
    {"1h 2m", {}},
    {"1e3s", {}},
    {"s", {}},
    {".s", {}},
    {"-", {}},
};

// The language's own form.
const TimeCase own_durations[] = {
    {"90s", 90'000'000'000},
    {"10min", 600'000'000'000},
    {"2h30min", 9'000'000'000'000},
    {"7d", 604'800'000'000'000},
    {"500ms", 500'000'000},
    {"0s", 0},
    {"1d2h3min4s5ms6us7ns", 93'784'005'006'007},
    {"106751d", 9'223'286'400'000'000'000},
    {"106752d", {}},
    {"10m", {}},
    {"30min2h", {}},
    {"1h1h", {}},
    {"1.5h", {}},
    {"-1h", {}},
    {"1 h", {}},
    {"h", {}},
    {"10", {}},
    {"", {}},
};

struct PrintCase {
  std::int64_t ns;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const PrintCase& c) {
  return out << c.want;
}
const PrintCase printed_durations[] = {
    {0, "0s"},  {9'000'000'000'000, "2h30min"}, {604'800'000'000'000, "7d"}, {90'000'000'000, "1min30s"},
    {1, "1ns"},
};

// As Go's time.Parse with RFC3339.
const TimeCase instants[] = {
    {"2026-01-01T00:00:00Z", 1'767'225'600'000'000'000},
    {"2026-01-01T00:00:00+02:00", 1'767'218'400'000'000'000},
    {"2026-01-01T23:59:59.123456789Z", 1'767'311'999'123'456'789},
    {"2026-01-01T00:00:00.5-05:30", 1'767'245'400'500'000'000},
    {"2024-02-29T12:00:00Z", 1'709'208'000'000'000'000},
    {"1969-12-31T23:59:59Z", -1'000'000'000},
    {"1678-01-01T00:00:00Z", -9'214'560'000'000'000'000},
    {"2261-12-31T23:59:59Z", 9'214'646'399'000'000'000},
    {"2026-02-29T00:00:00Z", {}},
    {"2026-01-01", {}},
    {"2026-01-01 00:00:00Z", {}},
    {"2026-01-01T24:00:00Z", {}},
    {"2026-13-01T00:00:00Z", {}},
    {"2026-00-01T00:00:00Z", {}},
    {"2026-01-00T00:00:00Z", {}},
    {"2026-01-01T00:00:60Z", {}},
    {"2026-01-01T00:00:00", {}},
    {"2026-1-1T00:00:00Z", {}},
    {"2026-01-01T00:00:00Zx", {}},
    {"2026-01-01T00:00:00.Z", {}},
    {"1600-01-01T00:00:00Z", {}},
    {"2300-01-01T00:00:00Z", {}},
    {"", {}},
};

template <class T>
std::optional<std::int64_t> ns_of(const std::optional<T>& time) {
  if (!time) return {};
  return time->ns;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(time_values)

BOOST_DATA_TEST_CASE(go_duration, go_durations, c) {
  BOOST_TEST((ns_of(Duration::parse_go(c.text)) == c.ns));
}

BOOST_DATA_TEST_CASE(own_duration, own_durations, c) {
  auto got = Duration::parse(c.text);
  BOOST_TEST((ns_of(got) == c.ns));
  if (got) BOOST_TEST((Duration::parse(got->to_string()) == got));
}

BOOST_DATA_TEST_CASE(print_duration, printed_durations, c) {
  BOOST_TEST(Duration{c.ns}.to_string() == c.want);
}

BOOST_DATA_TEST_CASE(instant, instants, c) {
  auto got = Instant::parse(c.text);
  BOOST_TEST((ns_of(got) == c.ns));
  if (got) BOOST_TEST((Instant::parse(got->to_string()) == got));
}

BOOST_AUTO_TEST_CASE(print_instant) {
  BOOST_TEST(Instant{1'767'225'600'000'000'000}.to_string() == "2026-01-01T00:00:00Z");
  BOOST_TEST(Instant{-1'000'000'000}.to_string() == "1969-12-31T23:59:59Z");
  BOOST_TEST(Instant{1'767'311'999'500'000'000}.to_string() == "2026-01-01T23:59:59.5Z");
}

BOOST_AUTO_TEST_SUITE_END()
