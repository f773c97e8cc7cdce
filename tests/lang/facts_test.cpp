#include "lang/facts.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "lang/cases.hpp"
#include "lang/load.hpp"

namespace sluice::lang {
namespace {

struct Pair {
  const char* why;
  const char* first;
  const char* second;
  const char* witness;  ///< null: they exclude each other
  bool implies;         ///< the first implies the second
};
std::ostream& operator<<(std::ostream& out, const Pair& pair) {
  return out << pair.why;
}

const Pair pairs[] = {
    {"neighbours do not meet", "priority > 5", "priority <= 5", nullptr, false},
    {"a narrower interval lies in a wider one", "priority > 8", "priority > 5", "`workload.priority` = 9",
     true},
    {"a point between holes", "priority >= 0 and priority != 0 and priority <= 1", "priority != 1", nullptr,
     false},
    {"the next point outside of a hole", "priority >= 0 and priority != 0", "priority < 9",
     "`workload.priority` = 1", false},
    {"equal texts", "workload.kind = \"Job\"", "workload.kind in [\"Pod\", \"Job\"]",
     "`workload.kind` = \"Job\"", true},
    {"different texts", "workload.kind = \"Job\"", "workload.kind != \"Job\"", nullptr, false},
    {"every text but some", "workload.kind != \"other\"", "not (workload.kind in [\"Job\"])",
     "`workload.kind` = \"other-1\"", false},
    {"an absent label differs from every text", "labels[\"a\"] != \"x\"", "not (has labels[\"a\"])",
     "`labels[\"a\"]` absent", false},
    {"absent implies different", "not (has labels[\"a\"])", "labels[\"a\"] != \"x\"",
     "`labels[\"a\"]` absent", true},
    {"a value implies presence", "labels[\"a\"] = \"x\"", "has labels[\"a\"]", "`labels[\"a\"]` = \"x\"",
     true},
    {"a value excludes absence", "labels[\"a\"] = \"x\"", "labels[\"a\"] = none", nullptr, false},
    {"an unknown flag and its opposite", "workload.running", "not workload.running", nullptr, false},
    {"an alternative implies the whole", "workload.running", "workload.running or priority > 3",
     "`workload.running` true", true},
    {"de Morgan", "not (workload.running or priority > 3)", "workload.running", nullptr, false},
    {"what is not understood may hold", "priority + 1 > podset.count", "priority > 3",
     "`((workload.priority + 1) > podset.count)` true and `workload.priority` = 4", false},
    {"what is not understood and its opposite", "priority + 1 > podset.count",
     "not (priority + 1 > podset.count)", nullptr, false},
    {"hours that pass midnight", "clock(\"UTC\") in 22:00..06:00", "clock(\"UTC\") in 08:00..20:00", nullptr,
     false},
    {"hours inside of others", "clock(\"UTC\") in 09:00..10:00", "clock(\"UTC\") in 08:00..20:00",
     "`clock(\"UTC\")` = 09:00", true},
    {"the same hours of two zones", "clock(\"UTC\") in 09:00..10:00",
     "clock(\"Europe/Paris\") in 11:00..12:00",
     "`clock(\"Europe/Paris\")` = 11:00 and `clock(\"UTC\")` = 09:00", false},
    {"always", "true", "priority > 3", "`workload.priority` = 4", false},
    {"never", "false", "priority > 3", nullptr, true},
    {"units are those of the field", "workload.total(memory) >= 1Gi", "workload.total(memory) <= 1Gi",
     "`workload.total(memory)` = 1Gi", false},
};

BOOST_AUTO_TEST_SUITE(facts)

BOOST_DATA_TEST_CASE(two_conditions, boost::unit_test::data::make(pairs), pair) {
  Policy policy = load({});
  Diagnostics diagnostics;
  auto read = [&](const char* text) {
    ast::ExprPtr expr = check_expression(policy, text, ast::DecisionPoint::flavor, diagnostics);
    BOOST_REQUIRE_MESSAGE(expr != nullptr,
                          text << ": " << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message));
    return cases_of(expr, true, policy.checked);
  };
  Alternatives first = read(pair.first);
  Alternatives second = read(pair.second);
  std::optional<std::string> got = witness(first, second);
  BOOST_TEST(got.value_or("(none)") == std::string(pair.witness == nullptr ? "(none)" : pair.witness));
  BOOST_TEST(witness(second, first).has_value() == got.has_value());
  BOOST_TEST(implies(first, second) == pair.implies);
}

BOOST_AUTO_TEST_CASE(too_many_alternatives_count_as_unknown) {
  Atom atom;
  atom.subject = "a";
  Alternatives many(100, Conjunction{atom});
  Alternatives product = both(many, many);
  BOOST_REQUIRE_EQUAL(product.size(), 1u);
  BOOST_TEST(witness(product, always()).has_value());
  BOOST_TEST(!implies(product, product));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
