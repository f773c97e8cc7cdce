#include "base/amount.hpp"

#include <ostream>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice;

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

// The numbers of these tables are those of Kueue v0.19.2, pkg/resources.
struct QuotaCase {
  const char* why;
  const char* resource;
  const char* text;
  std::int64_t value;
  const char* printed;
};
std::ostream& operator<<(std::ostream& out, const QuotaCase& c) {
  return out << c.why;
}
const QuotaCase quota_cases[] = {
    {"cpu counts milli-cores", "cpu", "2", 2000, "2"},
    {"a part of a milli-core rounds up", "cpu", "100u", 1, "1m"},
    {"1.0001 cores", "cpu", "1.0001", 1001, "1001m"},
    {"the smallest unlimited cpu quota", "cpu", "9223372036854775", kMax, "<unlimited>"},
    {"one core below it", "cpu", "9223372036854774", 9223372036854774000, "9223372036854774"},
    {"one milli-core below it", "cpu", "9223372036854774999m", 9223372036854774999, "9223372036854774999m"},
    {"rounded up to the bound it stays bounded", "cpu", "9223372036854774.9995", 9223372036854775000,
     "9223372036854775"},
    {"an exa-core is unlimited", "cpu", "1E", kMax, "<unlimited>"},
    {"memory counts bytes", "memory", "1Ki", 1024, "1Ki"},
    {"a part of a byte rounds up", "memory", "1500m", 2, "2"},
    {"the largest bounded memory", "memory", "9223372036854775806", 9223372036854775806,
     "9223372036854775806"},
    {"one byte more is unlimited", "memory", "9223372036854775807", kMax, "<unlimited>"},
    {"8Ei is unlimited", "memory", "8Ei", kMax, "<unlimited>"},
    {"10E is unlimited", "memory", "10E", kMax, "<unlimited>"},
    {"7Ei is not", "memory", "7Ei", 8070450532247928832, "7Ei"},
    {"other resources count pieces", "example.com/x", "1.5", 2, "2"},
};

struct TextCase {
  const char* resource;
  std::int64_t value;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const TextCase& c) {
  return out << c.value << " of " << c.resource;
}
const TextCase text_cases[] = {
    {"cpu", 0, "0"},
    {"cpu", 1, "1m"},
    {"cpu", 1000, "1"},
    {"cpu", 1024, "1024m"},
    {"cpu", 1000000, "1k"},
    {"cpu", 1500000000, "1500k"},
    {"cpu", -5, "-5m"},
    {"cpu", 9223372036854775806, "9223372036854775806m"},
    {"cpu", kMax, "<unlimited>"},
    {"memory", 0, "0"},
    {"memory", 999, "999"},
    {"memory", 1000, "1k"},
    {"memory", 1024, "1Ki"},
    {"memory", 1500, "1500"},
    {"memory", 1048576, "1Mi"},
    {"memory", 1000000, "1M"},
    {"memory", 1073741825, "1073741825"},
    {"memory", 107374182400, "100Gi"},
    {"memory", -1024, "-1Ki"},
    {"ephemeral-storage", 2048, "2Ki"},
    {"hugepages-2Mi", 4096, "4Ki"},
    {"nvidia.com/gpu", 1024, "1024"},
    {"nvidia.com/gpu", 1000, "1k"},
    {"nvidia.com/gpu", 107374182400, "107374182400"},
    {"pods", 1073741824, "1073741824"},
    {"pods", kMax, "<unlimited>"},
};

struct SumCase {
  std::int64_t a;
  std::int64_t b;
  std::int64_t sum;
  std::int64_t difference;
};
std::ostream& operator<<(std::ostream& out, const SumCase& c) {
  return out << c.a << " and " << c.b;
}
const SumCase sum_cases[] = {
    {1, 2, 3, -1},
    {5, -7, -2, 12},
    {kMax, 1, kMax, kMax},
    {1, kMax, kMax, kMin},
    {kMax, kMax, kMax, 0},
    {kMax - 1, 1, kMax, kMax - 2},
    {kMax - 1, 5, kMax, kMax - 6},
    {kMin, -1, kMin, kMin + 1},
    {kMin, kMax, kMax, kMin},
    {-5, kMax, kMax, kMin},
    {kMin, 1, kMin + 1, kMin},
};

struct TimesCase {
  const char* why;
  std::int64_t value;
  std::int64_t count;
  std::int64_t want;
};
std::ostream& operator<<(std::ostream& out, const TimesCase& c) {
  return out << c.why;
}
const TimesCase times_cases[] = {
    {"an ordinary product", 250, 4, 1000},
    {"no pods", 250, 0, 0},
    {"too much saturates", kMax / 2, 3, kMax},
    {"the sentinel stays", kMax, 2, kMax},
    {"the sentinel for no pods is nothing", kMax, 0, 0},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(amount)

BOOST_DATA_TEST_CASE(quota, quota_cases, c) {
  Amount got = Amount::quota(c.resource, *Quantity::parse(c.text));
  BOOST_TEST(got.value() == c.value);
  BOOST_TEST(got.is_unlimited() == (c.value == kMax));
  BOOST_TEST(got.to_string(c.resource) == c.printed);
}

BOOST_DATA_TEST_CASE(text, text_cases, c) {
  BOOST_TEST(Amount(c.value).to_string(c.resource) == c.want);
}

BOOST_DATA_TEST_CASE(sum_and_difference, sum_cases, c) {
  BOOST_TEST((Amount(c.a) + Amount(c.b)).value() == c.sum);
  BOOST_TEST((Amount(c.a) - Amount(c.b)).value() == c.difference);
}

BOOST_DATA_TEST_CASE(times, times_cases, c) {
  BOOST_TEST(Amount(c.value).times(c.count).value() == c.want);
}

BOOST_AUTO_TEST_CASE(request_is_never_negative) {
  BOOST_TEST(Amount::request("cpu", *Quantity::parse("-1")).value() == 0);
  BOOST_TEST(Amount::request("memory", *Quantity::parse("-1Gi")).value() == 0);
}

BOOST_AUTO_TEST_CASE(request_is_clamped) {
  BOOST_TEST(Amount::request("cpu", *Quantity::parse("1E")).value() == kMax);
  BOOST_TEST(Amount::request("memory", *Quantity::parse("100E")).value() == kMax);
}

BOOST_AUTO_TEST_CASE(request_rounds_up_before_it_is_multiplied) {
  BOOST_TEST(Amount::request("cpu", *Quantity::parse("100u")).times(3).value() == 3);
  BOOST_TEST(Amount::request("memory", *Quantity::parse("500m")).times(3).value() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
