#include "program/verify.hpp"

#include <ostream>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace sluice;
using namespace sluice::program;

namespace {

/// A program with one chunk of a boolean; constants: 0 a number, 1 a text, 2 a row of the workloads; columns: 0 a
/// name (text), 1 a label (text, may be absent), 2 a pod set's count; list 0 of texts; predicate 0 is the chunk itself.
Program program_of(std::vector<Instruction> code, ValueKind kind = ValueKind::boolean, bool maybe = false) {
  Program program;
  program.texts.intern("a");
  program.constants = {{ValueKind::number, 7}, {ValueKind::text, 0}, {ValueKind::row, 0}};
  program.columns = {{FieldId::workload_name, {}}, {FieldId::workload_labels, "team"}, {FieldId::pod_set_count, {}}};
  program.lists = {{ValueKind::text, {0}}};
  program.zones = {"UTC"};
  program.code = std::move(code);
  program.spans.resize(program.code.size());
  Chunk chunk;
  chunk.end = static_cast<std::uint32_t>(program.code.size());
  chunk.kind = kind;
  chunk.maybe = maybe;
  chunk.reads = bit(Role::workload);
  program.chunks = {chunk};
  return program;
}

struct Case {
  const char* why;
  std::vector<Instruction> code;
  const char* want;  ///< part of the first defect; empty: none
  ValueKind kind = ValueKind::boolean;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.why; }

using O = Opcode;
constexpr auto workload = static_cast<std::uint8_t>(Role::workload);
constexpr auto pod_sets = static_cast<std::uint32_t>(CollectionId::workload_pod_sets);
constexpr auto pod_set_bits = static_cast<std::uint8_t>(CollectionId::workload_pod_sets);

const Case cases[] = {
    {"the shortest program", {{O::yes, 0, 0, 0, 0}}, ""},
    {"a comparison of texts that may be absent",
     {{O::role_field, 0, workload, 0, 1}, {O::constant, 1, 0, 0, 1}, {O::equal, 2, 0, 1, 0}, {O::result, 0, 2, 0, 0}}, ""},
    {"a register that nobody wrote", {{O::result, 0, 3, 0, 0}}, "r3 holds nothing"},
    {"a text is no boolean", {{O::constant, 0, 0, 0, 1}, {O::result, 0, 0, 0, 0}}, "of another type"},
    {"a text is no number", {{O::constant, 0, 0, 0, 1}, {O::constant, 1, 0, 0, 0}, {O::less, 0, 0, 1, 0}, {O::result, 0, 0, 0, 0}},
     "r0 holds a text, not an integer"},
    {"texts and numbers are never equal",
     {{O::constant, 0, 0, 0, 1}, {O::constant, 1, 0, 0, 0}, {O::equal, 0, 0, 1, 0}, {O::result, 0, 0, 0, 0}},
     "r1 holds an integer, not a text"},
    {"what may be absent is tested first",
     {{O::role_field, 0, workload, 0, 1}, {O::constant, 1, 0, 0, 1}, {O::text_less, 0, 0, 1, 0}, {O::result, 0, 0, 0, 0}},
     "r0 may be absent"},
    {"a jump on absence is such a test",
     {{O::role_field, 0, workload, 0, 1}, {O::constant, 1, 0, 0, 1}, {O::jump_if_absent, 0, 0, 0, 5}, {O::text_less, 0, 0, 1, 0},
      {O::result, 0, 0, 0, 0}, {O::no, 0, 0, 0, 0}}, ""},
    {"the other way it is none",
     {{O::role_field, 0, workload, 0, 1}, {O::constant, 1, 0, 0, 1}, {O::jump_if_present, 0, 0, 0, 4}, {O::no, 0, 0, 0, 0},
      {O::text_less, 0, 0, 1, 0}, {O::result, 0, 0, 0, 0}}, ""},
    {"written on one path only",
     {{O::role_field, 0, workload, 0, 1}, {O::jump_if_absent, 0, 0, 0, 3}, {O::has, 1, 0, 0, 0}, {O::result, 0, 1, 0, 0}},
     "r1 holds nothing"},
    {"code that runs off", {{O::constant, 0, 0, 0, 0}}, "runs off"},
    {"a jump out of the chunk", {{O::jump, 0, 0, 0, 9}}, "out of bounds"},
    {"a constant that is not there", {{O::constant, 0, 0, 0, 99}, {O::yes, 0, 0, 0, 0}}, "out of bounds"},
    {"a column that is not there", {{O::role_field, 0, workload, 0, 3}, {O::yes, 0, 0, 0, 0}}, "out of bounds"},
    {"a column of another table", {{O::role_field, 0, workload, 0, 2}, {O::yes, 0, 0, 0, 0}}, "not of the role's table"},
    {"a role that is not there", {{O::role, 0, 200, 0, 0}, {O::yes, 0, 0, 0, 0}}, "no role"},
    {"a role that the chunk hides",
     {{O::role, 0, static_cast<std::uint8_t>(Role::flavor), 0, 0}, {O::yes, 0, 0, 0, 0}}, "does not say"},
    {"a row is no constant", {{O::constant, 0, 0, 0, 2}, {O::yes, 0, 0, 0, 0}}, "no constant"},
    {"an endless loop", {{O::jump, 0, 0, 0, 0}}, "jumps back"},
    {"an endless loop through a test", {{O::constant, 0, 0, 0, 0}, {O::jump_if_present, 0, 0, 0, 0}, {O::yes, 0, 0, 0, 0}},
     "jumps back"},
    {"a loop over pod sets",
     {{O::role, 0, workload, 0, 0}, {O::first, 1, 0, 0, pod_sets}, {O::iterate, 3, 1, pod_set_bits, 5}, {O::field, 4, 3, 0, 2},
      {O::jump, 0, 0, 0, 2}, {O::yes, 0, 0, 0, 0}}, ""},
    {"a loop that begins again for ever",
     {{O::role, 0, workload, 0, 0}, {O::first, 1, 0, 0, pod_sets}, {O::iterate, 3, 1, pod_set_bits, 5}, {O::first, 1, 0, 0, pod_sets},
      {O::jump, 0, 0, 0, 2}, {O::yes, 0, 0, 0, 0}}, "writes to the iterator"},
    {"a loop whose end moves",
     {{O::role, 0, workload, 0, 0}, {O::first, 1, 0, 0, pod_sets}, {O::iterate, 3, 1, pod_set_bits, 5}, {O::constant, 2, 0, 0, 0},
      {O::jump, 0, 0, 0, 2}, {O::yes, 0, 0, 0, 0}}, "writes to the iterator"},
    {"two loops that overlap",
     {{O::role, 0, workload, 0, 0}, {O::first, 1, 0, 0, pod_sets}, {O::first, 3, 0, 0, pod_sets}, {O::iterate, 5, 1, pod_set_bits, 8},
      {O::iterate, 6, 3, pod_set_bits, 8}, {O::has, 7, 6, 0, 0}, {O::jump_if, 0, 7, 0, 3}, {O::jump, 0, 0, 0, 4}, {O::yes, 0, 0, 0, 0}},
     "overlap"},
    {"elements of a collection that the row has not",
     {{O::first_of_world, 1, 0, 0, pod_sets}, {O::yes, 0, 0, 0, 0}}, "no such collection"},
    {"the iterator of another collection",
     {{O::role, 0, workload, 0, 0}, {O::first, 1, 0, 0, pod_sets},
      {O::iterate, 3, 1, static_cast<std::uint8_t>(CollectionId::workloads), 3}, {O::yes, 0, 0, 0, 0}},
     "another collection"},
    {"no iterator at all", {{O::constant, 1, 0, 0, 0}, {O::iterate, 3, 1, pod_set_bits, 2}, {O::yes, 0, 0, 0, 0}}, "no iterator"},
    {"an iterator without room", {{O::first_of_world, 255, 0, 0, 1}, {O::yes, 0, 0, 0, 0}}, "no room"},
    {"the end of a boolean in a chunk of a number", {{O::yes, 0, 0, 0, 0}}, "another type", ValueKind::number},
    {"a result that may be absent", {{O::role_field, 0, workload, 0, 1}, {O::result, 0, 0, 0, 0}}, "may be absent", ValueKind::text},
    {"a list of another type", {{O::constant, 0, 0, 0, 0}, {O::in_list, 1, 0, 0, 0}, {O::result, 0, 1, 0, 0}}, "the list is of another type"},
    {"a predicate that is not there", {{O::jump_if_predicate, 0, 0, 3, 1}, {O::yes, 0, 0, 0, 0}}, "no predicate"},
    {"a byte that is no instruction", {{static_cast<O>(250), 0, 0, 0, 0}, {O::yes, 0, 0, 0, 0}}, "no instruction"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(verifier)

BOOST_DATA_TEST_CASE(finds, cases, c) {
  const auto defects = verify(program_of(c.code, c.kind));
  if (c.want[0] == '\0') {
    BOOST_TEST(defects.empty(), (defects.empty() ? std::string() : defects[0].message));
    return;
  }
  BOOST_REQUIRE(!defects.empty());
  BOOST_TEST(defects[0].message.find(c.want) != std::string::npos, defects[0].message);
}

BOOST_AUTO_TEST_CASE(a_predicate_calls_no_predicate) {
  Program program = program_of({{O::jump_if_predicate, 0, 0, 0, 1}, {O::yes, 0, 0, 0, 0}});
  program.predicates = {{0, false, false}};
  const auto defects = verify(program);
  BOOST_REQUIRE(!defects.empty());
  BOOST_TEST(defects[0].message == "a predicate calls too deep");
}

BOOST_AUTO_TEST_CASE(a_search_holds_no_search) {
  Program program = program_of({{O::solve, 0, 0, 0, 0}, {O::yes, 0, 0, 0, 0}});
  program.solvers = {{0, {}}};
  const auto defects = verify(program);
  BOOST_REQUIRE(!defects.empty());
  BOOST_TEST(defects[0].message == "a solver calls too deep");
}

BOOST_AUTO_TEST_CASE(every_part_names_what_is_there) {
  Program program = program_of({{O::yes, 0, 0, 0, 0}});
  program.rules.emplace_back();
  program.rules[0].when.chunk = 4;
  program.rules[0].because = 2;
  program.templates.push_back({{{"x", 9}}});
  program.spans.clear();
  BOOST_TEST(verify(program).size() == 4U);
}

BOOST_AUTO_TEST_SUITE_END()
