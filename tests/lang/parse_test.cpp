#include "lang/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

const std::string root = SLUICE_SOURCE_DIR;

/// `2:11: error[syntax]: message`, then help and labels.
std::string as_text(const SourceMap& sources, const Diagnostics& diagnostics) {
  std::string result;
  auto place = [&](Span span) {
    const std::string_view before = sources.text(span.source).substr(0, span.begin);
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return fmt::format("{}:{}", std::count(before.begin(), before.end(), '\n') + 1,
                       span.begin - line_start + 1);
  };
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    result += fmt::format("{}: error[{}]: {}\n", place(diagnostic.span), diagnostic.code, diagnostic.message);
    for (const auto& [span, text] : diagnostic.labels) result += fmt::format("  {}: {}\n", place(span), text);
    if (!diagnostic.help.empty()) result += fmt::format("  help: {}\n", diagnostic.help);
  }
  return result;
}

struct Parsed {
  SourceMap sources;
  ast::Arena arena;
  Diagnostics diagnostics;
  const ast::File* file = nullptr;
  Fragment fragment;
};
void read(Parsed& parsed, std::string text) {
  parsed.file = parse(parsed.sources, parsed.sources.add("x.sluice", std::move(text)), parsed.arena,
                      parsed.diagnostics);
}
void read_fragment(Parsed& parsed, std::string text) {
  const std::uint32_t source = parsed.sources.add("<repl>", std::move(text));
  parsed.fragment = parse_fragment(parsed.sources, source, parsed.arena, parsed.diagnostics);
}
std::string code_of(const Diagnostics& diagnostics) {
  return diagnostics.all().empty() ? "" : std::string(diagnostics.all().front().code);
}

/// An expression as nested lists, operators first.
std::string shape(ast::ExprPtr expr);
std::string shape_of(std::string_view head, std::initializer_list<ast::ExprPtr> parts) {
  std::string result = fmt::format("({}", head);
  for (ast::ExprPtr part : parts)
    if (part != nullptr) result += " " + shape(part);
  return result + ")";
}
struct Shape {
  std::string operator()(const ast::Literal& e) const {
    static constexpr const char* kinds[] = {"number",  "quantity", "percent", "duration", "money",
                                            "unknown", "clock",    "string",  "boolean",  "none"};
    return fmt::format("{}:{}", kinds[static_cast<std::size_t>(e.kind)], e.text);
  }
  std::string operator()(const ast::NameRef& e) const { return std::string(e.text); }
  std::string operator()(const ast::QualifiedName& e) const { return fmt::format("<{}>", e.text); }
  std::string operator()(const ast::Member& e) const {
    return fmt::format("{}.{}", shape(e.object), e.member.text);
  }
  std::string operator()(const ast::Index& e) const { return shape_of("index", {e.object, e.key}); }
  std::string operator()(const ast::Call& e) const {
    std::string result = fmt::format("(call {}", e.function.text);
    if (e.object != nullptr) result += " on " + shape(e.object);
    for (ast::ExprPtr argument : e.arguments) result += " " + shape(argument);
    return result + ")";
  }
  std::string operator()(const ast::Unary& e) const {
    static constexpr const char* names[] = {"not", "negate", "has"};
    return shape_of(names[static_cast<std::size_t>(e.op)], {e.operand});
  }
  std::string operator()(const ast::Binary& e) const {
    static constexpr const char* names[] = {"or", "and", "=",       "!=", "<", "<=", ">",
                                            ">=", "in",  "matches", "+",  "-", "*",  "/"};
    return shape_of(names[static_cast<std::size_t>(e.op)], {e.left, e.right});
  }
  std::string operator()(const ast::Conditional& e) const {
    return shape_of("if", {e.condition, e.yes, e.no});
  }
  std::string operator()(const ast::Aggregate& e) const {
    static constexpr const char* names[] = {"any", "all", "count", "sum", "min", "max"};
    const std::string head = fmt::format("{} {}", names[static_cast<std::size_t>(e.kind)], e.variable.text);
    return shape_of(head, {e.collection, e.value, e.filter});
  }
  std::string operator()(const ast::List& e) const {
    std::string result = "(list";
    for (ast::ExprPtr item : e.items) result += " " + shape(item);
    return result + ")";
  }
  std::string operator()(const ast::Range& e) const { return shape_of("range", {e.from, e.to}); }
};
std::string shape(ast::ExprPtr expr) {
  return std::visit(Shape{}, expr->node);
}

struct ShapeCase {
  const char* text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const ShapeCase& c) {
  return out << c.text;
}
const ShapeCase shape_cases[] = {
    {"a or b and c", "(or a (and b c))"},
    {"a or b or c", "(or (or a b) c)"},
    {"not a = b and c", "(and (not (= a b)) c)"},
    {"not not a", "(not (not a))"},
    {"a + b * c - d / e", "(- (+ a (* b c)) (/ d e))"},
    {"-a * b", "(* (negate a) b)"},
    {"(a + b) * c", "(* (+ a b) c)"},
    {"a-b", "a-b"},
    {"a - b", "(- a b)"},
    {"a -b", "(- a b)"},
    {"5-3", "(- number:5 number:3)"},
    {"has labels[\"x\"] and y", "(and (has (index labels string:x)) y)"},
    {"has candidate.remaining", "(has candidate.remaining)"},
    {"labels[\"team\"] or \"none\"", "(or (index labels string:team) string:none)"},
    {"labels[\"a\"].b", "(index labels string:a).b"},
    {"workload.total(nvidia.com/gpu)", "(call total on workload <nvidia.com/gpu>)"},
    {"workload.total(cpu)", "(call total on workload cpu)"},
    {"a.b.c(d, e,)", "(call c on a.b d e)"},
    {"f()", "(call f)"},
    {"f(x)(y)", nullptr},
    {"f(x).g", "(call f x).g"},
    {"f(x).g(y)", "(call g on (call f x) y)"},
    {"clock(\"Europe/Paris\") in 08:00..20:00",
     "(in (call clock string:Europe/Paris) (range clock:08:00 clock:20:00))"},
    {"d in [mon, tue,]", "(in d (list mon tue))"},
    {"x in []", "(in x (list))"},
    {"x in 1..5", "(in x (range number:1 number:5))"},
    {"n matches \"a.*\"", "(matches n string:a.*)"},
    {"if a then b else if c then d else e", "(if a b (if c d e))"},
    {"any(p in w.podsets where p.count > 8)", "(any p w.podsets (> p.count number:8))"},
    {"count(p in w.podsets)", "(count p w.podsets)"},
    {"sum(x.n of x in c where x.ok and y)", "(sum x c x.n (and x.ok y))"},
    {"max(x.n of x in c)", "(max x c x.n)"},
    {"min(a, 3)", "(call min a number:3)"},
    {"next(not working-hours)", "(call next (not working-hours))"},
    {"500m + 20Gi + 75M + 1.5 + 80% + 1e3",
     "(+ (+ (+ (+ (+ quantity:500m quantity:20Gi) quantity:75M) number:1.5) "
     "percent:80%) number:1e3)"},
    {"90s + 2h30min + 7d + 10m + 3parsecs",
     "(+ (+ (+ (+ duration:90s duration:2h30min) duration:7d) quantity:10m) "
     "unknown:3parsecs)"},
    {"12.50USD", "money:12.50USD"},
    {"true or false or none", "(or (or boolean:true boolean:false) none:none)"},
    {"08:00:30", "clock:08:00:30"},
    {"test = class", "(= test class)"},
    {"kind.rule", "kind.rule"},
    {"google.com/tpu", "<google.com/tpu>"},
    {"\"a\\\"b\\\\c\\n\"", "string:a\"b\\c\n"},
    {"a // comment\n + b", "(+ a b)"},
    {"of + where", nullptr},
};

struct SpanCase {
  const char* text;
  const char* want;  ///< spans of the outermost node and of its parts, separated by |
};
std::ostream& operator<<(std::ostream& out, const SpanCase& c) {
  return out << c.text;
}
const SpanCase span_cases[] = {
    {"  aé.b", nullptr},
    {" \"é\" + bc ", "\"é\" + bc|\"é\"|bc"},
    {"(a + b) * (c)", "(a + b) * (c)|a + b|c"},
    {"workload.a.b = 1", "workload.a.b = 1|workload.a.b|1"},
};

struct IncompleteCase {
  const char* text;
  bool incomplete;
};
std::ostream& operator<<(std::ostream& out, const IncompleteCase& c) {
  return out << c.text;
}
const IncompleteCase incomplete_cases[] = {
    {"queue q {", true},
    {"queue q { accept all namespaces", true},
    {"1 +", true},
    {"f(a,", true},
    {"fn double(x: int) -> int =", true},
    {"/* open", true},
    {"queue q { cohrt", false},
    {"1 + )", false},
    {"\"open", false},
    {"1 2", false},
};

struct LimitCase {
  const char* why;
  std::string text;
  const char* code;  ///< empty: fine
};
std::ostream& operator<<(std::ostream& out, const LimitCase& c) {
  return out << c.why;
}
std::string repeat(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}
std::string with_when(const std::string& expression) {
  return "edition 2026\nrule r on admit { when " + expression + " then deny because \"x\" }\n";
}
const std::vector<LimitCase> limit_cases = {
    {"200 parentheses", with_when(repeat("(", 200) + "a" + repeat(")", 200)), ""},
    {"10,000 parentheses", with_when(repeat("(", 10'000) + "a" + repeat(")", 10'000)), "nested-too-deep"},
    {"20,000 parentheses", with_when(repeat("(", 20'000) + "a" + repeat(")", 20'000)), "nested-too-deep"},
    {"20,000 brackets", with_when(repeat("[", 20'000)), "nested-too-deep"},
    {"20,000 braces", "edition 2026\n" + repeat("queue q {", 20'000), "nested-too-deep"},
    {"10,000 times not", with_when(repeat("not ", 10'000) + "a"), "nested-too-deep"},
    {"10,000 minus signs", with_when(repeat("- ", 10'000) + "1 = 1"), "nested-too-deep"},
    {"10,000 conditionals", with_when(repeat("if a then b else ", 10'000) + "c"), "nested-too-deep"},
    {"900 conjunctions", with_when("a" + repeat(" and a", 900)), ""},
    {"10,000 conjunctions", with_when("a" + repeat(" and a", 10'000)), "nested-too-deep"},
    {"10,000 members", with_when("a" + repeat(".b", 10'000)), "nested-too-deep"},
    {"10,000 indices", with_when("a" + repeat("[b]", 10'000)), "nested-too-deep"},
    {"20,000 declarations", "edition 2026\n" + repeat("flavor f {}\n", 20'000), ""},
    {"nesting in a hole",
     "edition 2026\nrule r on admit { then deny because \"{" + repeat("(", 10'000) + "}\" }",
     "nested-too-deep"},
    {"a line of 100 MB", "edition 2026 //" + std::string(100'000'000, 'x'), "too-large"},
    {"exactly as large as allowed", "edition 2026\n//" + std::string(kMaxPolicyBytes - 15, 'x'), ""},
};

BOOST_AUTO_TEST_SUITE(parser)

BOOST_DATA_TEST_CASE(policies_parse, test::files_in(root + "/policies", ".sluice"), path) {
  Parsed parsed;
  read(parsed, test::read_file(path));
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_TEST(parsed.file != nullptr);
}

/// These are wrong in meaning only.
BOOST_DATA_TEST_CASE(bad_policies_parse, test::files_in(root + "/tests/golden/bad", ".sluice"), path) {
  Parsed parsed;
  read(parsed, test::read_file(path));
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
}

BOOST_DATA_TEST_CASE(errors, test::files_in(root + "/tests/golden/parse", ".sluice"), path) {
  Parsed parsed;
  read(parsed, test::read_file(path));
  BOOST_TEST(parsed.file == nullptr);
  BOOST_TEST(parsed.diagnostics.all().size() == 1U);
  test::check_golden(path.substr(0, path.rfind('.')) + ".parse", as_text(parsed.sources, parsed.diagnostics));
}

BOOST_DATA_TEST_CASE(limits, limit_cases, c) {
  Parsed parsed;
  read(parsed, c.text);
  BOOST_TEST(code_of(parsed.diagnostics) == c.code);
  BOOST_TEST((parsed.file == nullptr) == (std::string(c.code) != ""));
}

BOOST_DATA_TEST_CASE(expressions, shape_cases, c) {
  Parsed parsed;
  read_fragment(parsed, c.text);
  if (c.want == nullptr) {
    BOOST_TEST(parsed.fragment.expression == nullptr);
    BOOST_TEST(code_of(parsed.diagnostics) == "syntax");
    return;
  }
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_REQUIRE(parsed.fragment.expression != nullptr);
  BOOST_TEST(shape(parsed.fragment.expression) == c.want);
}

BOOST_DATA_TEST_CASE(spans, span_cases, c) {
  Parsed parsed;
  read_fragment(parsed, c.text);
  if (c.want == nullptr) {
    BOOST_TEST(parsed.fragment.expression == nullptr);
    return;
  }
  BOOST_REQUIRE(parsed.fragment.expression != nullptr);
  const auto* binary = ast::as<ast::Binary>(parsed.fragment.expression);
  BOOST_REQUIRE(binary != nullptr);
  auto text = [&](ast::ExprPtr expr) { return std::string(parsed.sources.text(expr->span)); };
  BOOST_TEST(text(parsed.fragment.expression) + "|" + text(binary->left) + "|" + text(binary->right) ==
             c.want);
}

BOOST_DATA_TEST_CASE(incomplete, incomplete_cases, c) {
  Parsed parsed;
  read_fragment(parsed, c.text);
  BOOST_TEST(parsed.fragment.incomplete == c.incomplete);
  BOOST_TEST(parsed.diagnostics.has_errors() != c.incomplete);
  BOOST_TEST(parsed.fragment.expression == nullptr);
  BOOST_TEST(parsed.fragment.file == nullptr);
}

BOOST_AUTO_TEST_CASE(repl_tells_declarations_from_expressions) {
  Parsed parsed;
  read_fragment(parsed, "queue");
  BOOST_TEST(parsed.fragment.expression != nullptr);
  read_fragment(parsed, "queue = \"q\"");
  BOOST_TEST(parsed.fragment.expression != nullptr);
  read_fragment(parsed, "queue q {}  flavor f {}");
  BOOST_REQUIRE(parsed.fragment.file != nullptr);
  BOOST_TEST(parsed.fragment.file->declarations.size() == 2U);
  read_fragment(parsed, "on order collect sum");
  BOOST_TEST(parsed.fragment.file != nullptr);
}

BOOST_AUTO_TEST_CASE(words_of_the_language_can_name_things) {
  Parsed parsed;
  read(parsed,
       "edition 2026\nqueue test { cohort class  group queue { flavor flavor { queue 1 } } }\n"
       "flavor flavor { nodes kind = \"x\", \"when\" = \"y\" }\nlocal-queue rule/on -> test\n"
       "fallback for queue queue { try try after 1min try after }\n"
       "rule then-what on submit { when test = class then default queue queue because \"x\" }\n"
       "flavor \"4xh100\" {}\n");
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_REQUIRE(parsed.file != nullptr);
  BOOST_REQUIRE(parsed.file->declarations.size() == 6U);
  const auto* fallback = ast::as<ast::Fallback>(parsed.file->declarations[3]);
  BOOST_REQUIRE(fallback != nullptr);
  BOOST_REQUIRE(fallback->rungs.size() == 2U);
  BOOST_TEST(fallback->rungs[0].flavor.text == "try");
  BOOST_TEST(fallback->rungs[1].flavor.text == "after");
  BOOST_TEST(parsed.file->declarations[5].name.text == "4xh100");
}

BOOST_AUTO_TEST_CASE(doc_comments_belong_to_what_stands_directly_below) {
  Parsed parsed;
  read(parsed,
       "/// about the file\nedition 2026\n\n/// not attached\n\nflavor a {}\n// remark\n/// one\n///two  "
       "\nflavor b {}\n"
       "/// three\n// between\nflavor c {}  /// behind\nflavor d {}\n");
  BOOST_REQUIRE(parsed.file != nullptr);
  const auto& declarations = parsed.file->declarations;
  BOOST_REQUIRE(declarations.size() == 4U);
  BOOST_TEST(declarations[0].doc == "");
  BOOST_TEST(declarations[1].doc == "one\ntwo");
  BOOST_TEST(declarations[2].doc == "");
  BOOST_TEST(declarations[3].doc == "");
}

BOOST_AUTO_TEST_CASE(holes_have_the_places_of_the_file) {
  Parsed parsed;
  read(parsed,
       "edition 2026\nrule r on admit { then deny because \"ä {workload.name} {{x}} {labels[\\\"t\\\"] or "
       "\\\"-\\\"}\\n\" }\n");
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_REQUIRE(parsed.file != nullptr);
  const auto* rule = ast::as<ast::Rule>(parsed.file->declarations[0]);
  BOOST_REQUIRE(rule != nullptr);
  BOOST_REQUIRE(rule->because.has_value());
  const auto pieces = rule->because->pieces;
  BOOST_REQUIRE(pieces.size() == 5U);
  BOOST_TEST(pieces[0].literal == "ä ");
  BOOST_TEST(parsed.sources.text(pieces[1].hole->span) == "workload.name");
  BOOST_TEST(pieces[2].literal == " {x} ");
  BOOST_TEST(shape(pieces[3].hole) == "(or (index labels string:t) string:-)");
  BOOST_TEST(parsed.sources.text(pieces[3].hole->span) == "labels[\\\"t\\\"] or \\\"-\\\"");
  BOOST_TEST(pieces[4].literal == "\n");
}

BOOST_AUTO_TEST_CASE(a_whole_queue) {
  Parsed parsed;
  read(parsed,
       "edition 2026\nqueue q {\n  cohort c  strategy strict-fifo  weight 1.5  stop hold-and-drain\n"
       "  admission usage-based, concurrent\n  accept namespaces where labels[\"a\"] = \"b\"\n"
       "  check one on f, g\n  check two\n"
       "  group cpu, memory {\n    flavor f { cpu 40 borrow 20 lend 10, memory unlimited }\n    flavor g "
       "unlimited\n  }\n"
       "  preempt within-queue lower-or-newer-equal, within-cohort any, while-borrowing lower-priority up-to "
       "100\n"
       "  fungible can-borrow try-next, can-preempt stay, prefer preemption\n}\n");
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_REQUIRE(parsed.file != nullptr);
  const auto* queue = ast::as<ast::Queue>(parsed.file->declarations[0]);
  BOOST_REQUIRE(queue != nullptr);
  BOOST_TEST(queue->cohort.text == "c");
  BOOST_TEST((queue->strategy == QueueingStrategy::strict_fifo));
  BOOST_TEST(shape(queue->weight) == "number:1.5");
  BOOST_TEST((queue->stop == StopPolicy::hold_and_drain));
  BOOST_TEST(queue->usage_based_fair_sharing);
  BOOST_TEST(queue->concurrent_admission);
  BOOST_REQUIRE(queue->accept.has_value());
  BOOST_TEST((queue->accept->kind == ast::AcceptClause::Kind::where));
  BOOST_REQUIRE(queue->checks.size() == 2U);
  BOOST_TEST(queue->checks[0].check.text == "one");
  BOOST_TEST(queue->checks[0].flavors.size() == 2U);
  BOOST_TEST(queue->checks[1].flavors.empty());
  BOOST_REQUIRE(queue->groups.size() == 1U);
  const auto& group = queue->groups[0];
  BOOST_TEST(group.resources.size() == 2U);
  BOOST_REQUIRE(group.flavors.size() == 2U);
  BOOST_REQUIRE(group.flavors[0].resources.size() == 2U);
  BOOST_TEST(shape(group.flavors[0].resources[0].nominal) == "number:40");
  BOOST_TEST(shape(group.flavors[0].resources[0].borrow) == "number:20");
  BOOST_TEST(shape(group.flavors[0].resources[0].lend) == "number:10");
  BOOST_TEST(group.flavors[0].resources[1].nominal == nullptr);
  BOOST_TEST(group.flavors[1].unlimited);
  BOOST_REQUIRE(queue->preempt.has_value());
  BOOST_TEST((queue->preempt->within_queue == PreemptionPolicy::lower_or_newer_equal_priority));
  BOOST_TEST((queue->preempt->within_cohort == PreemptionPolicy::any));
  BOOST_TEST((queue->preempt->while_borrowing == PreemptionPolicy::lower_priority));
  BOOST_TEST(queue->preempt->threshold_inclusive);
  BOOST_REQUIRE(queue->fungible.has_value());
  BOOST_TEST((queue->fungible->can_preempt == FungibilityPolicy::may_stop_search));
  BOOST_TEST((queue->fungible->preference == FungibilityPreference::preemption_over_borrowing));
}

BOOST_AUTO_TEST_CASE(a_test_with_a_table) {
  Parsed parsed;
  read(parsed,
       "edition 2026\ntest \"t\" {\n  cluster \"a.yaml\"\n  set zone = \"UTC\"\n  capacity { spot: "
       "stocked-out since -10min }\n"
       "  for case | chips | expect\n    \"a\" | 16 | waiting { w: dws }\n    \"b\" | 32 | held\n"
       "  submit workload { queue q, label team = \"ml\", podset w { count chips / 4, google.com/tpu 4 } } "
       "as j\n"
       "  submit \"x.yaml\" with A = 1, B = \"c\" as k\n  answer dws-prov for j ready\n  finish k\n"
       "  at +8d expect j evicted for dws-prov because dws-prov until \"2026-01-01T00:00:00Z\"\n}\n");
  BOOST_TEST(as_text(parsed.sources, parsed.diagnostics) == "");
  BOOST_REQUIRE(parsed.file != nullptr);
  const auto* test = ast::as<ast::Test>(parsed.file->declarations[0]);
  BOOST_REQUIRE(test != nullptr);
  BOOST_TEST(parsed.file->declarations[0].name.text == "t");
  BOOST_REQUIRE(test->table.has_value());
  BOOST_TEST(test->table->columns.size() == 2U);
  BOOST_REQUIRE(test->table->rows.size() == 2U);
  BOOST_TEST(test->table->rows[1].name == "b");
  BOOST_TEST(shape(test->table->rows[0].cells[1].value) == "waiting");
  BOOST_TEST(test->table->rows[0].cells[1].details.size() == 1U);
  BOOST_REQUIRE(test->steps.size() == 8U);
  const auto* submit = std::get_if<ast::SubmitWorkloadStep>(&test->steps[3].node);
  BOOST_REQUIRE(submit != nullptr);
  BOOST_TEST(submit->alias.text == "j");
  BOOST_TEST(submit->fields.size() == 2U);
  BOOST_REQUIRE(submit->pod_sets.size() == 1U);
  BOOST_TEST(shape(submit->pod_sets[0].count) == "(/ chips number:4)");
  BOOST_TEST(submit->pod_sets[0].requests[0].key.text == "google.com/tpu");
  const auto& last = test->steps[7];
  BOOST_REQUIRE(last.at.has_value());
  BOOST_TEST(last.at->relative);
  const auto* expect = std::get_if<ast::ExpectStep>(&last.node);
  BOOST_REQUIRE(expect != nullptr);
  BOOST_TEST(expect->outcome.state.text == "evicted");
  BOOST_TEST(expect->outcome.check.text == "dws-prov");
  BOOST_REQUIRE(expect->outcome.because.has_value());
  BOOST_TEST(shape(*expect->outcome.because) == "dws-prov");
  BOOST_TEST(expect->outcome.until != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
