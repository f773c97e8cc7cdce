#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>

#include "decide/fair_share.hpp"

namespace sluice::decide {
namespace {

Share share_of(double weight, double ratio) {
  Share share;
  share.weight = weight;
  share.ratio = ratio;
  share.borrowing = ratio != 0;
  return share;
}

struct ValueCase {
  const char* why;
  double weight;
  double ratio;
  double want;
};
std::ostream& operator<<(std::ostream& out, const ValueCase& c) { return out << c.why; }
const ValueCase value_cases[] = {
    {"a weight divides", 2, 300, 150},
    {"a part of 1 multiplies", 0.5, 300, 600},
    {"who borrows nothing has no share", 3, 0, 0},
    {"not even with weight 0", 0, 0, 0},
    {"a borrower with weight 0 has an infinite share", 0, 300, std::numeric_limits<double>::infinity()},
};

struct OrderCase {
  const char* why;
  Share lower;
  Share higher;
};
std::ostream& operator<<(std::ostream& out, const OrderCase& c) { return out << c.why; }
const OrderCase order_cases[] = {
    {"by share", share_of(1, 300), share_of(1, 400)},
    {"the weighted one", share_of(2, 500), share_of(1, 400)},
    {"weight 0 is above all", share_of(1, 900), share_of(0, 1)},
    {"two of weight 0 by their ratio", share_of(0, 100), share_of(0, 200)},
    {"nothing borrowed is below a borrower of weight 0", share_of(0, 0), share_of(0, 1)},
    {"below all is below nothing borrowed", Share::below_all(), share_of(1, 0)},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fair_share)

BOOST_DATA_TEST_CASE(value, value_cases, c) {
  BOOST_TEST(share_of(c.weight, c.ratio).value() == c.want);
}

BOOST_DATA_TEST_CASE(order, order_cases, c) {
  BOOST_CHECK(compare(c.lower, c.higher) < 0);
  BOOST_CHECK(compare(c.higher, c.lower) > 0);
  BOOST_CHECK(compare(c.lower, c.lower) == 0);
}

// What a node borrows and what can be lent is shown against Kueue by tests/conformance/admission, fair.
BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
