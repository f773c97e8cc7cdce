#include "base/source_map.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

namespace sluice {
namespace {

struct LineCase {
  const char* name;
  const char* text;
  std::uint32_t begin;
  std::uint32_t line;
  friend std::ostream& operator<<(std::ostream& out, const LineCase& c) { return out << c.name; }
};
const LineCase line_cases[] = {
    {"an empty text", "", 0, 1},
    {"the first byte", "a\nb\n", 0, 1},
    {"the end of a line belongs to it", "a\nb\n", 1, 1},
    {"the first byte of the next line", "a\nb\n", 2, 2},
    {"behind the last line end", "a\nb\n", 4, 3},
    {"behind the text", "a\nb", 99, 2},
    {"empty lines", "\n\n\n", 2, 3},
    {"a carriage return is no line end", "a\rb\r\nc", 5, 2},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(source_map)

BOOST_DATA_TEST_CASE(lines, line_cases, c) {
  SourceMap sources;
  sources.add("other.sluice", "x\ny\nz\n");
  std::uint32_t source = sources.add("a.sluice", c.text);
  BOOST_TEST(sources.line({source, c.begin, c.begin}) == c.line);
}

BOOST_AUTO_TEST_CASE(a_span_in_no_source_has_no_line) {
  SourceMap sources;
  BOOST_TEST(sources.line({0, 0, 0}) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
