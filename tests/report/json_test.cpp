#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "report/decision_json.hpp"
#include "report/json.hpp"

namespace {

using namespace sluice::report;

struct StringCase {
  const char* why;
  std::string text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const StringCase& c) {
  return out << c.why;
}
const StringCase string_cases[] = {
    {"quotes and backslashes", "a\"b\\c", R"("a\"b\\c")"},
    {"control characters", std::string("\x01\n\t\r\x1f", 5), R"("\u0001\n\t\r\u001f")"},
    {"UTF-8 stays", "grün 日本 🙂", "\"grün 日本 🙂\""},
    {"a byte that starts nothing", "a\x80z", "\"a\xef\xbf\xbdz\""},
    {"an overlong form", "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"a surrogate", "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"a sequence cut off at the end", "\xe6\x97", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"a zero", std::string("a\0b", 3), R"("a\u0000b")"},
};

struct DurationCase {
  std::int64_t ns;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const DurationCase& c) {
  return out << c.want;
}
// Source: Go's time.Duration.String.
const DurationCase duration_cases[] = {
    {0, "0s"},
    {1, "1ns"},
    {1'500, "1.5µs"},
    {2'000'000, "2ms"},
    {1'000'000'000, "1s"},
    {1'500'000'000, "1.5s"},
    {60'000'000'000, "1m0s"},
    {3'723'004'000'000, "1h2m3.004s"},
    {-90'000'000'000, "-1m30s"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(json)

BOOST_DATA_TEST_CASE(strings, string_cases, c) {
  BOOST_TEST(json_string(c.text) == c.want);
}

BOOST_DATA_TEST_CASE(durations, duration_cases, c) {
  BOOST_TEST(go_duration({c.ns}) == c.want);
}

BOOST_AUTO_TEST_CASE(writes_commas_and_indents) {
  auto fill = [](JsonWriter& json) {
    json.begin_object();
    json.member("a", 1);
    json.key("b").begin_array();
    json.string("x");
    json.boolean(true);
    json.null();
    json.end_array();
    json.key("c").begin_object();
    json.end_object();
    json.member_if("d", "");
    json.end_object();
  };
  JsonWriter compact(JsonWriter::Layout::compact);
  fill(compact);
  BOOST_TEST(compact.text() == R"({"a":1,"b":["x",true,null],"c":{}})");
  JsonWriter indented(JsonWriter::Layout::indented);
  fill(indented);
  BOOST_TEST(indented.text() == R"({
  "a": 1,
  "b": [
    "x",
    true,
    null
  ],
  "c": {}
})");
}

BOOST_AUTO_TEST_SUITE_END()
