#include "base/time_zone.hpp"

#include <ostream>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice;

namespace {

struct ClockCase {
  const char* why;
  const char* zone;
  const char* at;
  std::int64_t second;
  std::int64_t weekday;
};
std::ostream& operator<<(std::ostream& out, const ClockCase& c) { return out << c.why; }
const ClockCase clock_cases[] = {
    {"UTC is what the instant says", "UTC", "2026-03-28T05:30:15Z", 5 * 3600 + 30 * 60 + 15, 5},
    {"Paris in winter", "Europe/Paris", "2026-03-28T06:59:59Z", 8 * 3600 - 1, 5},
    {"Paris in summer", "Europe/Paris", "2026-03-30T06:00:00Z", 8 * 3600, 0},
    {"the day may differ", "Asia/Tokyo", "2026-03-29T15:00:00Z", 0, 0},
    {"half hours", "Asia/Kolkata", "2026-03-29T18:30:00Z", 0, 0},
};

struct NextCase {
  const char* why;
  const char* zone;
  const char* after;
  std::int64_t second;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const NextCase& c) { return out << c.why; }
const NextCase next_cases[] = {
    {"later the same day", "Europe/Paris", "2026-01-05T06:00:00Z", 8 * 3600, "2026-01-05T07:00:00Z"},
    {"strictly after", "Europe/Paris", "2026-01-05T07:00:00Z", 8 * 3600, "2026-01-06T07:00:00Z"},
    {"the end of the day is midnight", "Europe/Paris", "2026-01-05T07:00:00Z", 86400, "2026-01-05T23:00:00Z"},
    {"the change to summer time counts", "Europe/Paris", "2026-03-28T23:30:00Z", 8 * 3600, "2026-03-29T01:00:00Z"},
    {"after the change", "Europe/Paris", "2026-03-29T01:00:00Z", 8 * 3600, "2026-03-29T06:00:00Z"},
    {"a skipped time comes with the change", "Europe/Paris", "2026-03-29T00:59:00Z", 2 * 3600 + 1800,
     "2026-03-29T01:00:00Z"},
    {"a repeated time comes a first time", "Europe/Paris", "2026-10-25T00:00:00Z", 2 * 3600 + 1800,
     "2026-10-25T00:30:00Z"},
    {"then the clock is put back", "Europe/Paris", "2026-10-25T00:30:00Z", 2 * 3600 + 1800, "2026-10-25T01:00:00Z"},
    {"and it comes a second time", "Europe/Paris", "2026-10-25T01:00:00Z", 2 * 3600 + 1800, "2026-10-25T01:30:00Z"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(time_zone)

BOOST_DATA_TEST_CASE(shows, clock_cases, c) {
  const auto zone = TimeZone::load(c.zone);
  BOOST_REQUIRE(zone.has_value());
  BOOST_TEST(zone->second_of_day(*Instant::parse(c.at)) == c.second);
  BOOST_TEST(zone->weekday(*Instant::parse(c.at)) == c.weekday);
}

BOOST_DATA_TEST_CASE(next, next_cases, c) {
  const auto zone = TimeZone::load(c.zone);
  BOOST_REQUIRE(zone.has_value());
  BOOST_TEST(zone->next(*Instant::parse(c.after), c.second).to_string() == c.want);
}

BOOST_AUTO_TEST_CASE(unknown_zones) {
  for (const char* name : {"", "localtime", "Europe/Atlantis", "../../etc/passwd"}) {
    BOOST_TEST(!TimeZone::load(name).has_value(), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
