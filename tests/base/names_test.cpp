#include "base/names.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

namespace sluice {
namespace {

struct NameCase {
  const char* why;
  std::string name;
  bool subdomain, label, qualified, value;
};
std::ostream& operator<<(std::ostream& out, const NameCase& c) {
  return out << c.why;
}
const NameCase name_cases[] = {
    {"a word", "on-demand", true, true, true, true},
    {"with dots", "queued-provisioning.gke.io", true, false, true, true},
    {"empty", "", false, false, false, true},
    {"capitals", "My-Queue", false, false, true, true},
    {"an underscore", "a_b", false, false, true, true},
    {"a dash in front", "-a", false, false, false, false},
    {"a dash behind", "a-", false, false, false, false},
    {"two dots", "a..b", false, false, true, true},
    {"a domain", "google.com/tpu", false, false, true, false},
    {"two slashes", "a/b/c", false, false, false, false},
    {"nothing behind the domain", "google.com/", false, false, false, false},
    {"nothing before the slash", "/tpu", false, false, false, false},
    {"a domain in capitals", "Google.com/tpu", false, false, false, false},
    {"a space", "my team", false, false, false, false},
    {"63 letters", std::string(63, 'a'), true, true, true, true},
    {"64 letters", std::string(64, 'a'), true, false, false, false},
    {"253 letters", std::string(253, 'a'), true, false, false, false},
    {"254 letters", std::string(254, 'a'), false, false, false, false},
};

BOOST_AUTO_TEST_SUITE(names)

BOOST_DATA_TEST_CASE(syntax, boost::unit_test::data::make(name_cases), c) {
  BOOST_TEST(is_dns_subdomain(c.name) == c.subdomain);
  BOOST_TEST(is_dns_label(c.name) == c.label);
  BOOST_TEST(is_qualified_name(c.name) == c.qualified);
  BOOST_TEST(is_label_value(c.name) == c.value);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice
