#include "lang/load.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "lang/constant.hpp"
#include "lang/stdlib.hpp"

namespace sluice::lang {
namespace {

using Files = std::map<std::string, std::string>;

Policy load_from(const Files& files, const std::string& first, LoadOptions options = {}) {
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  return load({{first, files.at(first)}}, options);
}

std::string codes(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    text += (text.empty() ? "" : " ") + std::string(diagnostic.code);
  return text;
}

std::vector<std::string> active_names(const Policy& policy) {
  std::vector<std::string> names;
  for (const ast::Declaration* declaration : policy.checked.active)
    names.emplace_back(declaration->name.text);
  return names;
}

BOOST_AUTO_TEST_SUITE(load_policy)

BOOST_AUTO_TEST_CASE(imports_lie_beside_the_file_and_bring_what_they_need) {
  Files files = {
      {"team/main.sluice",
       "edition 2026\nimport shared.flavors { big as huge }\n"
       "queue q { accept all namespaces group cpu { flavor huge { cpu 1 } } }\n"},
      {"team/shared/flavors.sluice",
       "edition 2026\nparam pool: string = \"p\"\n"
       "topology t { level host = kubernetes.io/hostname }\n"
       "flavor big { nodes a = pool topology t }\n"
       "flavor small { nodes a = \"s\" }\n"
       "rule r on order { then score 1 }\n"
       "test \"of the other file\" { cluster \"c.yaml\" }\n"},
  };
  Policy policy = load_from(files, "team/main.sluice");
  BOOST_TEST(codes(policy.diagnostics) == "");
  // What was imported, what that needs, and params, which decide nothing by themselves.
  BOOST_TEST(active_names(policy) == (std::vector<std::string>{"q", "pool", "t", "big"}),
             boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(policy.declarations.flavors.size(), 1u);
  BOOST_TEST(policy.declarations.flavors[0].name == "big");
  BOOST_TEST(policy.declarations.flavors[0].node_labels.at("a") == "p");
  BOOST_TEST(policy.declarations.cluster_queues.at(0).resource_groups.at(0).flavors.at(0).flavor == "big");
  BOOST_TEST(policy.declarations.files ==
                 (std::vector<std::string>{"team/main.sluice", "team/shared/flavors.sluice"}),
             boost::test_tools::per_element());
  BOOST_TEST((policy.declarations.flavors[0].origin == Origin{1, 4}));
}

BOOST_AUTO_TEST_CASE(the_project_comes_before_the_standard_library) {
  Files files = {{"main.sluice", "edition 2026\nimport gke.tpu { mine }\n"},
                 {"gke/tpu.sluice", "edition 2026\nflavor mine { nodes a = \"b\" }\n"}};
  BOOST_TEST(codes(load_from(files, "main.sluice").diagnostics) == "");
}

BOOST_AUTO_TEST_CASE(a_file_is_imported_by_its_path) {
  Files files = {{"team/main.sluice", "edition 2026\nimport \"../shared/big.flavors.sluice\" { f }\n"},
                 {"shared/big.flavors.sluice", "edition 2026\nflavor f { nodes a = \"b\" }\n"}};
  Policy policy = load_from(files, "team/main.sluice");
  BOOST_TEST(codes(policy.diagnostics) == "");
  BOOST_TEST(policy.declarations.flavors.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_circle_of_imports) {
  Files files = {{"a.sluice", "edition 2026\nimport b\n"},
                 {"b.sluice", "edition 2026\nimport c\n"},
                 {"c.sluice", "edition 2026\nimport a\n"}};
  Policy policy = load_from(files, "a.sluice");
  BOOST_REQUIRE_EQUAL(codes(policy.diagnostics), "import-cycle");
  const Diagnostic& found = policy.diagnostics.all()[0];
  BOOST_TEST(policy.sources.path(found.span.source) == "c.sluice");
  BOOST_TEST(found.message.find("`a.sluice` → `b.sluice` → `c.sluice` → `a.sluice`") != std::string::npos,
             found.message);
}

BOOST_AUTO_TEST_CASE(a_diamond_of_imports_is_read_once) {
  Files files = {
      {"a.sluice", "edition 2026\nimport b\nimport c\n"},
      {"b.sluice",
       "edition 2026\nimport d { f }\nqueue x { accept all namespaces group cpu { flavor f { cpu 1 } } }\n"},
      {"c.sluice",
       "edition 2026\nimport d { f }\nqueue y { accept all namespaces group cpu { flavor f { cpu 1 } } }\n"},
      {"d.sluice", "edition 2026\nflavor f { nodes a = \"b\" }\n"}};
  Policy policy = load_from(files, "a.sluice");
  BOOST_TEST(codes(policy.diagnostics) == "");
  BOOST_TEST(policy.declarations.flavors.size() == 1u);
  BOOST_TEST(policy.declarations.cluster_queues.size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_error_in_an_imported_file_is_reported_there) {
  Files files = {
      {"a.sluice", "edition 2026\nimport b { f }\n"},
      {"b.sluice", "edition 2026\nflavor f { nodes a = \"-\" }\nflavor unused { nodes a = \"-\" }\n"}};
  Policy policy = load_from(files, "a.sluice");
  BOOST_REQUIRE_EQUAL(codes(policy.diagnostics), "bad-name");
  BOOST_TEST(policy.sources.path(policy.diagnostics.all()[0].span.source) == "b.sluice");
}

BOOST_AUTO_TEST_CASE(files_given_together_are_one_policy) {
  Policy policy = load(
      {{"a.sluice", "edition 2026\nflavor f { nodes a = \"b\" }\n"},
       {"b.sluice", "edition 2026\nqueue q { accept all namespaces group cpu { flavor f { cpu 1 } } }\n"}});
  BOOST_TEST(codes(policy.diagnostics) == "");
  Policy twice = load({{"a.sluice", "edition 2026\nflavor f { nodes a = \"b\" }\n"},
                       {"b.sluice", "edition 2026\nflavor f { nodes a = \"b\" }\n"}});
  BOOST_TEST(codes(twice.diagnostics) == "duplicate-declaration");
}

BOOST_AUTO_TEST_CASE(every_module_of_the_standard_library_is_fine) {
  for (const StdlibModule& module : stdlib_modules()) {
    Policy policy = load({{"main.sluice", "edition 2026\nimport " + std::string(module.name) + "\n"}});
    BOOST_TEST(codes(policy.diagnostics) == "", module.name);
    BOOST_TEST(!policy.checked.active.empty(), module.name);
  }
}

struct ParamCase {
  const char* why;
  const char* type;
  const char* given;
  const char* want;  ///< the value as text, or the code of the error
};
std::ostream& operator<<(std::ostream& out, const ParamCase& c) {
  return out << c.why;
}
const ParamCase param_cases[] = {
    {"a string needs no quotes", "string = \"x\"", "Europe/Paris", "\"Europe/Paris\""},
    {"a duration", "duration = 1h", "90min", "1h30min"},
    {"minutes are no milli", "duration = 1h", "10m", "bad-param"},
    {"a number", "number = 1", "-5", "-5"},
    {"cores", "cpu = 1", "1.5", "1500m"},
    {"bytes", "memory = 1Gi", "20Gi", "20Gi"},
    {"cores are no bytes", "cpu = 1", "20Gi", "bad-param"},
    {"a percentage", "percent = 1%", "80%", "80%"},
    {"a flag", "bool = false", "true", "true"},
    {"no flag", "bool = false", "yes", "bad-param"},
    {"an instant", "instant = \"2026-01-01T00:00:00Z\"", "2026-03-29T05:30:00Z", "2026-03-29T05:30:00Z"},
    {"a time of day", "clock = 08:00", "20:30", "20:30"},
    {"a weekday", "weekday = mon", "fri", "fri"},
    {"a list", "[string] = [\"a\"]", "b, c", "[\"b\", \"c\"]"},
    {"a list of numbers", "[number] = [1]", "[1, x]", "bad-param"},
    {"a value without default", "number", "3", "3"},
    {"none", "duration? = 1h", "none", "none"},
};

BOOST_DATA_TEST_CASE(params_from_outside, boost::unit_test::data::make(param_cases), c) {
  LoadOptions options;
  options.params["p"] = c.given;
  Policy policy = load({{"p.sluice", std::string("edition 2026\nparam p: ") + c.type + "\n"}}, options);
  std::string got = codes(policy.diagnostics);
  if (got.empty()) got = to_string(policy.checked.params.at(policy.checked.active.at(0)));
  BOOST_TEST(got == c.want);
}

BOOST_AUTO_TEST_CASE(params_that_do_not_exist_or_have_no_value) {
  LoadOptions options;
  options.params["zon"] = "UTC";
  Policy policy = load({{"p.sluice", "edition 2026\nparam zone: string = \"UTC\"\n"}}, options);
  BOOST_REQUIRE_EQUAL(codes(policy.diagnostics), "unknown-param");
  BOOST_TEST(policy.diagnostics.all()[0].help == "did you mean `zone`?");
  BOOST_TEST(codes(load({{"p.sluice", "edition 2026\nparam zone: string\n"}}).diagnostics) ==
             "param-missing");
}

World known_world() {
  World world;
  ResourceFlavor flavor;
  flavor.name = "on-demand";
  world.flavors.push_back(flavor);
  ClusterQueue queue;
  queue.name = "cluster-queue";
  queue.resource_groups.push_back({{"cpu"}, {{"on-demand", {}}}});
  world.cluster_queues.push_back(queue);
  return world;
}

struct KnownCase {
  const char* why;
  const char* text;
  const char* marked;  ///< of the one unknown name; empty: all is known
};
std::ostream& operator<<(std::ostream& out, const KnownCase& c) {
  return out << c.why;
}
const KnownCase known_cases[] = {
    {"the snapshot has both", "fallback for queue cluster-queue { try on-demand }", ""},
    {"no such queue", "fallback for queue other { try on-demand }", "other"},
    {"not a flavor of that queue", "fallback for queue cluster-queue { try spot }", "spot"},
    {"no such flavor for a queue of the policy",
     "queue q { accept all namespaces group cpu { flavor spot { cpu 1 } } }", "spot"},
    {"a flavor of the snapshot in a queue of the policy",
     "queue q { accept all namespaces group cpu { flavor on-demand { cpu 1 } } }", ""},
    {"no such queue for a local queue", "local-queue a/b -> c", "c"},
    {"no such check", "rule r on admit { then require check license }", "license"},
    {"a cohort exists where it is named",
     "queue q { cohort c accept all namespaces group cpu { flavor on-demand { cpu 1 } } }", ""},
};

BOOST_DATA_TEST_CASE(names_of_a_known_snapshot, boost::unit_test::data::make(known_cases), c) {
  World world = known_world();
  LoadOptions options;
  options.known = &world;
  Source source{"p.sluice", std::string("edition 2026\n") + c.text + "\n"};
  Policy policy = load({source}, options);
  std::string want = *c.marked == 0 ? "" : "unknown-name";
  BOOST_TEST(codes(policy.diagnostics) == want);
  for (const Diagnostic& found : policy.diagnostics.all())
    BOOST_TEST(policy.sources.text(found.span) == c.marked);

  // Without the snapshot nothing is wrong; asked later, the same names are.
  Policy alone = load({source});
  BOOST_TEST(codes(alone.diagnostics) == "");
  Diagnostics later;
  check_names(alone, world, later);
  bool of_queue = std::string_view(c.why) == "not a flavor of that queue";
  BOOST_TEST(codes(later) == want, of_queue);
}

struct ExpressionCase {
  const char* text;
  std::optional<ast::DecisionPoint> point;
  const char* want;  ///< the type, or the code of the error
};
std::ostream& operator<<(std::ostream& out, const ExpressionCase& c) {
  return out << c.text;
}
constexpr auto kAdmit = ast::DecisionPoint::admit;
const ExpressionCase expression_cases[] = {
    {"1 + 2", {}, "number"},
    {"20Gi", {}, "memory"},
    {"limit * 2", {}, "duration"},
    {"late(now)", kAdmit, "bool"},
    {"waited", kAdmit, "duration"},
    {"waited", {}, "not-in-scope"},
    {"labels[\"team\"]", kAdmit, "string or none"},
    {"workload.total(nvidia.com/gpu)", kAdmit, "count"},
    {"sum(w.total(memory) of w in workloads)", {}, "memory"},
    {"max(w.priority of w in workloads)", {}, "number or none"},
    {"workload.total(cpu) / 1000m", kAdmit, "number"},
    {"podset.count * podset.request(nvidia.com/gpu)", ast::DecisionPoint::place, "count"},
    {"if waited > 1h then 1 else none", kAdmit, "number or none"},
    {"next(clock(\"UTC\") in 08:00..20:00)", kAdmit, "instant or none"},
    {"workload.kind or 3", kAdmit, "always-present"},
    {"waited > ", kAdmit, "(incomplete)"},
};

BOOST_DATA_TEST_CASE(expressions_by_themselves, boost::unit_test::data::make(expression_cases), c) {
  Policy policy = load(
      {{"p.sluice", "edition 2026\nparam limit: duration = 1h\nfn late(t: instant) -> bool = t > now\n"}});
  BOOST_REQUIRE_EQUAL(codes(policy.diagnostics), "");
  Diagnostics diagnostics;
  bool incomplete = false;
  ast::ExprPtr expr = check_expression(policy, c.text, c.point, diagnostics, &incomplete);
  std::string got = incomplete ? "(incomplete)" : codes(diagnostics);
  if (expr != nullptr) got = to_string(policy.checked.type(expr));
  BOOST_TEST(got == c.want);
}

BOOST_AUTO_TEST_CASE(costs) {
  Policy policy = load({{"p.sluice",
                         "edition 2026\n"
                         "fn big() -> bool = workload.total(cpu) > 4\n"
                         "rule r on admit {\n"
                         "  when  any(p in workload.podsets where p.count > 1) and big() and big()\n"
                         "  then  hold\n"
                         "}\n"}});
  BOOST_REQUIRE_EQUAL(codes(policy.diagnostics), "");
  BOOST_TEST(policy.checked.costs.at(policy.checked.active.at(1)->id).to_string() == "13 + 4 per pod set");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
