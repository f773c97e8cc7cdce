#include "decide/eligibility.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

#include "base/error.hpp"

namespace sluice::decide {
namespace {

struct Case {
  const char* why;
  Labels selector;
  std::optional<std::vector<NodeSelectorTerm>> affinity;
  Labels flavor;
  bool may;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.why;
}

NodeSelectorTerm term(std::vector<Requirement> expressions) {
  return {std::move(expressions), {}};
}

const Case cases[] = {
    {"a selector on a key the flavor lacks is ignored", {{"zone", "y"}}, {}, {{"type", "a"}}, true},
    {"a selector on a key of the flavor counts", {{"zone", "y"}}, {}, {{"zone", "x"}}, false},
    {"a term that fails", {}, {{term({{"type", "In", {"b"}}})}}, {{"type", "a"}}, false},
    {"a foreign term accepts", {}, {{term({{"type", "In", {"b"}}})}}, {{"zone", "x"}}, true},
    {"one foreign alternative opens the flavor",
     {},
     {{term({{"type", "In", {"b"}}}), term({{"gpu", "Exists", {}}})}},
     {{"type", "a"}},
     true},
    {"NotIn on an own key", {}, {{term({{"type", "NotIn", {"a"}}})}}, {{"type", "a"}}, false},
    {"NotIn on a foreign key is ignored", {}, {{term({{"type", "NotIn", {"a"}}})}}, {{"zone", "x"}}, true},
    {"Gt compares numbers", {}, {{term({{"cores", "Gt", {"8"}}})}}, {{"cores", "16"}}, true},
    {"Lt compares numbers", {}, {{term({{"cores", "Lt", {"8"}}})}}, {{"cores", "16"}}, false},
    {"no terms at all accept", {}, {{}}, {{"type", "a"}}, true},
};

struct TaintCase {
  const char* why;
  Taint taint;
  std::vector<Toleration> tolerations;
  bool may;
};
std::ostream& operator<<(std::ostream& out, const TaintCase& c) {
  return out << c.why;
}

const TaintCase taint_cases[] = {
    {"nobody tolerates it", {"spot", "true", "NoSchedule"}, {}, false},
    {"PreferNoSchedule does not count", {"spot", "true", "PreferNoSchedule"}, {}, true},
    {"an equal value tolerates", {"spot", "true", "NoSchedule"}, {{"spot", "Equal", "true", "", {}}}, true},
    {"another value does not", {"spot", "true", "NoSchedule"}, {{"spot", "Equal", "no", "", {}}}, false},
    {"another effect does not",
     {"spot", "true", "NoExecute"},
     {{"spot", "Exists", "", "NoSchedule", {}}},
     false},
    {"an empty key with Exists tolerates everything",
     {"spot", "true", "NoExecute"},
     {{"", "Exists", "", "", {}}},
     true},
    {"Gt tolerates larger values", {"age", "9", "NoSchedule"}, {{"age", "Gt", "5", "", {}}}, true},
    {"Lt does not", {"age", "9", "NoSchedule"}, {{"age", "Lt", "5", "", {}}}, false},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(eligibility)

BOOST_DATA_TEST_CASE(selectors, cases, c) {
  ResourceFlavor flavor;
  flavor.node_labels = c.flavor;
  PodConstraints pod{c.selector, c.affinity, {}};
  BOOST_TEST((refuse(pod, flavor).kind == FlavorAttempt::Refusal::none) == c.may);
}

BOOST_DATA_TEST_CASE(taints, taint_cases, c) {
  ResourceFlavor flavor;
  flavor.node_taints = {c.taint};
  BOOST_TEST((refuse({{}, {}, c.tolerations}, flavor).kind == FlavorAttempt::Refusal::none) == c.may);
  // The flavor's own tolerations count like the pod's.
  flavor.tolerations = c.tolerations;
  BOOST_TEST((refuse({{}, {}, {}}, flavor).kind == FlavorAttempt::Refusal::none) == c.may);
}

BOOST_AUTO_TEST_CASE(tells_what_does_not_match) {
  ResourceFlavor flavor;
  flavor.node_labels = {{"pool", "b"}};
  FlavorRefusal why = refuse({{{"pool", "a"}}, {}, {}}, flavor);
  BOOST_TEST(why.mismatch.key == "pool");
  BOOST_TEST(why.mismatch.values.at(0) == "a");
  BOOST_TEST(why.flavor_value == "b");
}

BOOST_AUTO_TEST_CASE(an_expression_that_kubernetes_does_not_take_is_told_with_its_place) {
  ResourceFlavor flavor;
  flavor.node_labels = {{"type", "a"}};
  NodeSelectorTerm no_values = term({{"rack", "Exists", {}}, {"type", "In", {}}});
  FlavorRefusal why = refuse({{}, {{term({{"type", "In", {"b"}}}), no_values}}, {}}, flavor);
  BOOST_TEST((why.kind == FlavorAttempt::Refusal::affinity_invalid));
  BOOST_TEST(why.invalid.size() == 1u);
  BOOST_TEST(why.invalid.at(0).term == 1u);
  BOOST_TEST(why.invalid.at(0).expression == 0u);  // those on labels that the flavor lacks are not counted
  BOOST_TEST(why.invalid.at(0).requirement.key == "type");
  // Another term that holds is enough.
  BOOST_TEST((refuse({{}, {{no_values, term({{"type", "In", {"a"}}})}}, {}}, flavor).kind == FlavorAttempt::Refusal::none));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
