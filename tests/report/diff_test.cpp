#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

#include "report/unified_diff.hpp"

namespace {

struct DiffCase {
  const char* why;
  const char* before;
  const char* after;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const DiffCase& c) {
  return out << c.why;
}
// Expected: `diff -u`, without times.
const DiffCase diff_cases[] = {
    {"equal texts", "a\n", "a\n", ""},
    {"one line of three", "a\nb\nc\n", "a\nB\nc\n",
     "--- f\n+++ f (formatted)\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
    {"from nothing", "", "a\nb\n", "--- f\n+++ f (formatted)\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
    {"to nothing", "a\n", "", "--- f\n+++ f (formatted)\n@@ -1 +0,0 @@\n-a\n"},
    {"no newline at the end", "a", "a\n",
     "--- f\n+++ f (formatted)\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
    {"a line inserted in front", "b\nc\n", "a\nb\nc\n",
     "--- f\n+++ f (formatted)\n@@ -1,2 +1,3 @@\n+a\n b\n c\n"},
    {"two places far from each other", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\nx\n3\n4\n5\n6\n7\n8\n9\n",
     "--- f\n+++ f (formatted)\n"
     "@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n"
     "@@ -7,4 +7,3 @@\n 7\n 8\n 9\n-10\n"},
    {"nothing in common", "a\nb\n", "c\nd\n", "--- f\n+++ f (formatted)\n@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unified_diff)

BOOST_DATA_TEST_CASE(as_diff_writes_it, diff_cases, c) {
  BOOST_TEST(sluice::report::unified_diff("f", c.before, c.after, false) == c.want);
}

BOOST_AUTO_TEST_SUITE_END()
