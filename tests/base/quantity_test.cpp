#include "base/quantity.hpp"

#include <limits>
#include <ostream>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice;

namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

// What Kubernetes (apimachinery v0.36.2) and Kueue's saturating conversions make of these texts.
struct QuantityCase {
  const char* text;
  std::int64_t value;     // whole units, rounded up
  std::int64_t milli;     // thousandths, rounded up
  const char* canonical;  // empty: beyond int64, where only the numbers count
};
std::ostream& operator<<(std::ostream& out, const QuantityCase& c) {
  return out << '`' << c.text << '`';
}
const QuantityCase quantity_cases[] = {
    {"0", 0, 0, "0"},
    {"1", 1, 1000, "1"},
    {"-1", -1, -1000, "-1"},
    {"+1", 1, 1000, "1"},
    {"500m", 1, 500, "500m"},
    {"1500m", 2, 1500, "1500m"},
    {"1.5", 2, 1500, "1500m"},
    {".5", 1, 500, "500m"},
    {"5.", 5, 5000, "5"},
    {"0.1", 1, 100, "100m"},
    {"100u", 1, 1, "100u"},
    {"100n", 1, 1, "100n"},
    {"1n", 1, 1, "1n"},
    {"0.1n", 1, 1, "1n"},
    {"0.5n", 1, 1, "1n"},
    {"1.0000000001", 2, 1001, "1000000001n"},
    {"1k", 1000, 1000000, "1k"},
    {"1Ki", 1024, 1024000, "1Ki"},
    {"1M", 1000000, 1000000000, "1M"},
    {"1Mi", 1048576, 1048576000, "1Mi"},
    {"1G", 1000000000, 1000000000000, "1G"},
    {"1Gi", 1073741824, 1073741824000, "1Gi"},
    {"1T", 1000000000000, 1000000000000000, "1T"},
    {"1Ti", 1099511627776, 1099511627776000, "1Ti"},
    {"1P", 1000000000000000, 1000000000000000000, "1P"},
    {"1Pi", 1125899906842624, 1125899906842624000, "1Pi"},
    {"1E", 1000000000000000000, int64_max, "1E"},
    {"1Ei", 1152921504606846976, int64_max, "1Ei"},
    {"8Ei", int64_max, int64_max, ""},
    {"7Ei", 8070450532247928832, int64_max, "7Ei"},
    {"9E", 9000000000000000000, int64_max, "9E"},
    {"10E", int64_max, int64_max, ""},
    {"9223372036854775807", int64_max, int64_max, ""},
    {"9223372036854775808", int64_max, int64_max, ""},
    {"99999999999999999999", int64_max, int64_max, ""},
    {"1e3", 1000, 1000000, "1e3"},
    {"1E3", 1000, 1000000, "1e3"},
    {"1e-3", 1, 1, "1e-3"},
    {"1e18", 1000000000000000000, int64_max, "1e18"},
    {"1e19", int64_max, int64_max, ""},
    {"1e30", int64_max, int64_max, ""},
    {"1e-9", 1, 1, "1e-9"},
    {"1e-12", 1, 1, "1e-9"},
    {"1.5e3", 1500, 1500000, "1500"},
    {"2e+2", 200, 200000, "200"},
    {"12e6", 12000000, 12000000000, "12e6"},
    {"0.5Ki", 512, 512000, "512"},
    {"1.5Gi", 1610612736, 1610612736000, "1536Mi"},
    {"1.1Ki", 1127, 1126400, "1126400m"},
    {"0.001Ki", 2, 1024, "1024m"},
    {"1m", 1, 1, "1m"},
    {"1001m", 2, 1001, "1001m"},
    {"9223372036854775807m", 9223372036854776, int64_max, "9223372036854775807m"},
    {"9223372036854775807k", int64_max, int64_max, ""},
    {"-500m", -1, -500, "-500m"},
    {"-9223372036854775808", -int64_max, -int64_max, "-9223372036854775808"},
    {"-9223372036854775809", -int64_max, -int64_max, "-9223372036854775808"},
    {"-1.5", -2, -1500, "-1500m"},
    {"-0", 0, 0, "0"},
    {"00012", 12, 12000, "12"},
    {"010", 10, 10000, "10"},
    {"100000000000000000000n", 100000000000, 100000000000000, "100G"},
    {"1000000", 1000000, 1000000000, "1M"},
    {"123456789", 123456789, 123456789000, "123456789"},
    {"1024", 1024, 1024000, "1024"},
    {"1048576", 1048576, 1048576000, "1048576"},
    {"1023Ki", 1047552, 1047552000, "1023Ki"},
    {"1024Ki", 1048576, 1048576000, "1Mi"},
    {"3000m", 3, 3000, "3"},
    {"12345m", 13, 12345, "12345m"},
    {"1000000000Gi", 1073741824000000000, int64_max, "1000000000Gi"},
    {"1000000000", 1000000000, 1000000000000, "1G"},
    {"75Gi", 80530636800, 80530636800000, "75Gi"},
    {"0.0000000001", 1, 1, "1n"},
    {"0.000000000000001E", 1000, 1000000, "1k"},
    {"1E-1", 1, 100, "100e-3"},
    {"20Gi", 21474836480, 21474836480000, "20Gi"},
    {"5e-1", 1, 500, "500e-3"},
    {"-1n", -1, -1, "-1n"},
    {"-1500m", -2, -1500, "-1500m"},
    {"9007199254740993", 9007199254740993, 9007199254740993000, "9007199254740993"},
    {"4294967296Gi", 4611686018427387904, int64_max, "4Ei"},
    {"9223372036854775807n", 9223372037, 9223372036855, "9223372036854775807n"},
    {"9223372036854775808n", 9223372037, 9223372036855, "9223372036854775808n"},
    {"92233720368547758079", int64_max, int64_max, ""},
    {"0Gi", 0, 0, "0"},
    {"0m", 0, 0, "0"},
    {"1.000000000000000000001", 2, 1001, "1000000001n"},
    {"1e-1000000", 1, 1, "1e-9"},
    {"0e5", 0, 0, "0"},
    {"1500", 1500, 1500000, "1500"},
    {"1500000", 1500000, 1500000000, "1500k"},
    {"1e6", 1000000, 1000000000, "1e6"},
    {"1E6", 1000000, 1000000000, "1e6"},
    {"2000", 2000, 2000000, "2k"},
    {"10e2", 1000, 1000000, "1e3"},
    {"1e5", 100000, 100000000, "100e3"},
    {"123.456", 124, 123456, "123456m"},
    {"0.12345678912345", 1, 124, "123456790n"},
    {"1u", 1, 1, "1u"},
    {"1000u", 1, 1, "1m"},
    {"1500u", 1, 2, "1500u"},
    {"1000n", 1, 1, "1u"},
    {"1000000n", 1, 1, "1m"},
    {"0.1Mi", 104858, 104857600, "104857600m"},
    {"0.3Gi", 322122548, 322122547200, "322122547200m"},
    {"2.5Ei", 2882303761517117440, int64_max, "2560Pi"},
};

const char* const no_quantities[] = {
    "",      " ",       "abc",  "1x",        "1K",   "1ki", "1KI",
    "10mi",  "1_000",   "0x10", "1.2.3",     "1e",   "1e+", "e3",
    "+",     "-",       ".",    "1,5",       " 1",   "1 ",  "1Mi1",
    "1e1.5", "15e-1Ki", "1Kim", "1\xc2\xb5", "--1",  "+-1", "1e99999999999999999999",
    "Ki",    "1.5.",    "Inf",  "NaN",       "1e5m",
};

}  // namespace

BOOST_AUTO_TEST_SUITE(quantity)

BOOST_DATA_TEST_CASE(parse, quantity_cases, c) {
  auto got = Quantity::parse(c.text);
  BOOST_REQUIRE(got.has_value());
  BOOST_TEST(got->value() == c.value);
  BOOST_TEST(got->milli_value() == c.milli);
  if (*c.canonical) BOOST_TEST(got->to_string() == c.canonical);
}

BOOST_DATA_TEST_CASE(canonical_text_reads_back, quantity_cases, c) {
  auto first = Quantity::parse(c.text);
  BOOST_REQUIRE(first.has_value());
  auto again = Quantity::parse(first->to_string());
  BOOST_REQUIRE(again.has_value());
  BOOST_TEST((*again == *first));
  BOOST_TEST(again->to_string() == first->to_string());
}

BOOST_DATA_TEST_CASE(refuse, no_quantities, text) {
  BOOST_TEST(!Quantity::parse(text).has_value());
}

BOOST_AUTO_TEST_CASE(sums_are_exact) {
  Quantity sum = *Quantity::parse("100u") + *Quantity::parse("100u") + *Quantity::parse("100u");
  BOOST_TEST(sum.to_string() == "300u");
  BOOST_TEST(sum.milli_value() == 1);
  BOOST_TEST((*Quantity::parse("1Gi") + *Quantity::parse("512Mi")).to_string() == "1536Mi");
  BOOST_TEST((*Quantity::parse("1Gi") + *Quantity::parse("1G")).to_string() == "2073741824");
  BOOST_TEST((Quantity() + *Quantity::parse("1Gi")).to_string() == "1Gi");
  BOOST_TEST((*Quantity::parse("1") - *Quantity::parse("1500m")).to_string() == "-500m");
}

BOOST_AUTO_TEST_CASE(order_ignores_the_format) {
  BOOST_TEST((*Quantity::parse("1Ki") == *Quantity::parse("1024")));
  BOOST_TEST((*Quantity::parse("1k") < *Quantity::parse("1Ki")));
  BOOST_TEST((*Quantity::parse("1n") > Quantity()));
  BOOST_TEST((*Quantity::parse("-1") < *Quantity::parse("-999m")));
}

BOOST_AUTO_TEST_SUITE_END()
