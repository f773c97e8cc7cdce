#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "base/error.hpp"
#include "report/diagnostics.hpp"
#include "report/error_text.hpp"
#include "report/source_text.hpp"

namespace {

using namespace sluice;

/// The span of the first `text` in source 0.
Span span_of(const SourceMap& sources, std::string_view text) {
  std::size_t at = sources.text(0).find(text);
  BOOST_REQUIRE(at != std::string_view::npos);
  return {0, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text.size())};
}

struct CaretCase {
  const char* why;
  const char* source;
  const char* marked;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const CaretCase& c) {
  return out << c.why;
}
const CaretCase caret_cases[] = {
    {"as wide as the text", "cpu 75Gi }", "75Gi",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:1:5\n"
     "  |\n"
     "1 | cpu 75Gi }\n"
     "  |     ^^^^\n"
     "  = help: write `cpu 75`\n"},
    {"tabs are four columns", "x\n\t\tcpu\t75Gi", "75Gi",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:2:7\n"
     "  |\n"
     "2 |         cpu 75Gi\n"
     "  |             ^^^^\n"
     "  = help: write `cpu 75`\n"},
    {"wide characters are two columns", "\"日本\" 75Gi", "75Gi",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:1:6\n"
     "  |\n"
     "1 | \"日本\" 75Gi\n"
     "  |        ^^^^\n"
     "  = help: write `cpu 75`\n"},
    {"narrow characters of two bytes are one column", "\"grün\" 75Gi", "\"grün\"",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:1:1\n"
     "  |\n"
     "1 | \"grün\" 75Gi\n"
     "  | ^^^^^^\n"
     "  = help: write `cpu 75`\n"},
    {"a span over lines ends with its first", "a {\n  b\n}", "{\n  b\n}",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:1:3\n"
     "  |\n"
     "1 | a {\n"
     "  |   ^\n"
     "  = help: write `cpu 75`\n"},
    {"a carriage return is not shown", "a 75Gi\r\nb", "75Gi",
     "error[unit-mismatch]: wrong\n"
     " --> a.sluice:1:3\n"
     "  |\n"
     "1 | a 75Gi\n"
     "  |   ^^^^\n"
     "  = help: write `cpu 75`\n"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnostics)

BOOST_DATA_TEST_CASE(carets, caret_cases, c) {
  SourceMap sources;
  sources.add("a.sluice", c.source);
  Diagnostics found;
  found.error("unit-mismatch", span_of(sources, c.marked), "wrong").help = "write `cpu 75`";
  BOOST_TEST(report::to_pretty(sources, found.all(), false) == c.want);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_text_has_a_caret) {
  SourceMap sources;
  sources.add("a.sluice", "queue q {\n");
  Diagnostics found;
  found.error("syntax", {0, 10, 10}, "the text ends here");
  BOOST_TEST(report::to_pretty(sources, found.all(), false) ==
             "error[syntax]: the text ends here\n"
             " --> a.sluice:2:1\n"
             "  |\n"
             "2 |\n"
             "  | ^\n");
}

BOOST_AUTO_TEST_CASE(a_label_on_the_same_line_stands_below_the_caret) {
  SourceMap sources;
  sources.add("a.sluice", "try b  try b\n\n\n\n\n\n\n\n\nrule r");
  Diagnostics found;
  Diagnostic& d = found.error("unreachable", {0, 7, 12}, "can never be reached");
  d.labels.push_back({{0, 0, 5}, "this comes first"});
  d.labels.push_back({span_of(sources, "rule r"), "because of this rule"});
  BOOST_TEST(report::to_pretty(sources, found.all(), false) ==
             "error[unreachable]: can never be reached\n"
             "  --> a.sluice:1:8\n"
             "   |\n"
             " 1 | try b  try b\n"
             "   |        ^^^^^\n"
             "   | ----- this comes first\n"
             "  ::: a.sluice:10:1\n"
             "   |\n"
             "10 | rule r\n"
             "   | ------ because of this rule\n");
}

BOOST_AUTO_TEST_CASE(a_very_long_line_is_cut_around_the_caret) {
  SourceMap sources;
  std::string line(10'000, 'a');
  line += " 75Gi ";
  line.append(10'000, 'b');
  sources.add("a.sluice", line);
  Diagnostics found;
  found.error("x", span_of(sources, "75Gi"), "wrong");
  std::string text = report::to_pretty(sources, found.all(), false);
  BOOST_TEST(text.size() < 1'000u);
  BOOST_TEST(text.find(" --> a.sluice:1:10002\n") != std::string::npos);
  // The caret stands under the text although the front is missing.
  std::size_t shown = text.find("1 | ") + 4;
  std::size_t shown_end = text.find('\n', shown);
  std::size_t mark_line = text.find("  | ", shown_end) + 4;
  std::size_t at =
      report::display_width(std::string_view(text).substr(shown, text.find("75Gi", shown) - shown));
  BOOST_TEST(text.substr(mark_line, at + 4) == std::string(at, ' ') + "^^^^");
}

BOOST_AUTO_TEST_CASE(compact_has_one_line_each) {
  SourceMap sources;
  sources.add("a.sluice", "ab\ncd");
  Diagnostics found;
  found.error("one", {0, 3, 5}, "first");
  found.warning("two", {0, 0, 1}, "second");
  BOOST_TEST(report::to_compact(sources, found.all()) ==
             "a.sluice:2:1: error[one]: first\n"
             "a.sluice:1:1: warning[two]: second\n");
}

BOOST_AUTO_TEST_CASE(json_has_places_and_labels) {
  SourceMap sources;
  sources.add("a.sluice", "ab\ncd");
  Diagnostics found;
  BOOST_TEST(report::to_json(sources, found.all()) == "{\"diagnostics\":[]}\n");
  Diagnostic& d = found.error("one", {0, 3, 5}, "say \"x\"");
  d.labels.push_back({{0, 0, 2}, "here"});
  d.help = "try y";
  BOOST_TEST(report::to_json(sources, found.all()) ==
             "{\"diagnostics\":[{\"severity\":\"error\",\"code\":\"one\",\"message\":\"say "
             "\\\"x\\\"\",\"file\":\"a.sluice\","
             "\"line\":2,\"column\":1,\"endLine\":2,\"endColumn\":3,\"labels\":[{\"message\":\"here\","
             "\"file\":\"a.sluice\","
             "\"line\":1,\"column\":1,\"endLine\":1,\"endColumn\":3}],\"help\":\"try y\"}]}\n");
}

BOOST_AUTO_TEST_CASE(colour_adds_sequences_and_nothing_else) {
  SourceMap sources;
  sources.add("a.sluice", "cpu 75Gi");
  Diagnostics found;
  found.error("unit-mismatch", {0, 4, 8}, "wrong").help = "write `cpu 75`";
  std::string coloured = report::to_pretty(sources, found.all(), true);
  BOOST_TEST(coloured.find("\x1b[1;31m") != std::string::npos);
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  BOOST_TEST(plain == report::to_pretty(sources, found.all(), false));
}

BOOST_AUTO_TEST_CASE(errors_have_place_caret_and_help) {
  Error error("bad-manifest", "a key stands twice");
  BOOST_TEST(report::to_text(error, false) == "error[bad-manifest]: a key stands twice\n");
  error.at("q.yaml", 12, 3, "  näme: x").help("remove one of them");
  BOOST_TEST(report::to_text(error, false) ==
             "error[bad-manifest]: a key stands twice\n"
             "  --> q.yaml:12:3\n"
             "   |\n"
             "12 |   näme: x\n"
             "   |   ^^^^\n"
             "   = help: remove one of them\n");
}

BOOST_AUTO_TEST_SUITE_END()
