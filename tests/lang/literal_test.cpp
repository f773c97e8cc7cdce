#include "lang/literal.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "lang/constant.hpp"

namespace sluice::lang {
namespace {

struct LiteralCase {
  const char* why;
  const char* text;
  Kind kind;
  std::int64_t value;
  std::optional<LiteralProblem> problem;
};
std::ostream& operator<<(std::ostream& out, const LiteralCase& c) {
  return out << c.why;
}

constexpr auto kFine = std::optional<LiteralProblem>{};
constexpr std::int64_t kMost = 9223372036854775807;

const LiteralCase literal_cases[] = {
    {"cores are counted in thousandths", "2", Kind::cpu, 2000, kFine},
    {"a part of a core", "1.5", Kind::cpu, 1500, kFine},
    {"thousandths as written", "500m", Kind::cpu, 500, kFine},
    {"a part of a thousandth", "0.0005", Kind::cpu, 0, LiteralProblem::fraction},
    {"thousands of cores", "2k", Kind::cpu, 2'000'000, kFine},
    {"cores are no bytes", "75Gi", Kind::cpu, 0, LiteralProblem::wrong_unit},
    {"cores are no time", "10min", Kind::cpu, 0, LiteralProblem::wrong_unit},
    {"too many cores", "9223372036854775807", Kind::cpu, 0, LiteralProblem::overflow},
    {"binary bytes", "20Gi", Kind::memory, 20LL << 30, kFine},
    {"a part of a binary unit", "1.5Ki", Kind::memory, 1536, kFine},
    {"decimal bytes", "75M", Kind::memory, 75'000'000, kFine},
    {"plain bytes", "0", Kind::memory, 0, kFine},
    {"an exponent", "1e3", Kind::memory, 1000, kFine},
    {"no thousandth of a byte", "500m", Kind::memory, 0, LiteralProblem::wrong_unit},
    {"no part of a byte", "0.5", Kind::memory, 0, LiteralProblem::fraction},
    {"too many bytes", "8Ei", Kind::memory, 0, LiteralProblem::overflow},
    {"devices", "16", Kind::devices, 16, kFine},
    {"a million devices", "1M", Kind::devices, 1'000'000, kFine},
    {"half a device", "1.5", Kind::devices, 0, LiteralProblem::fraction},
    {"devices are no bytes", "8Gi", Kind::devices, 0, LiteralProblem::wrong_unit},
    {"the largest number", "9223372036854775807", Kind::number, kMost, kFine},
    {"one more", "9223372036854775808", Kind::number, 0, LiteralProblem::overflow},
    {"far more", "99999999999999999999", Kind::number, 0, LiteralProblem::overflow},
    {"a percentage", "80%", Kind::percent, 800'000, kFine},
    {"a part of a percent", "0.5%", Kind::percent, 5'000, kFine},
    {"a number is no percentage", "80", Kind::percent, 0, LiteralProblem::wrong_unit},
    {"a duration", "2h30min", Kind::duration, 9'000'000'000'000, kFine},
    {"milli are no minutes", "10m", Kind::duration, 0, LiteralProblem::wrong_unit},
    {"a price", "12.50", Kind::money, 12'500'000, kFine},
    {"letters", "3parsecs", Kind::number, 0, LiteralProblem::malformed},
};

struct FoldCase {
  const char* why;
  ast::BinaryOp op;
  Constant left;
  Constant right;
  std::optional<Constant> want;
  FoldProblem problem = FoldProblem::none;
};
std::ostream& operator<<(std::ostream& out, const FoldCase& c) {
  return out << c.why;
}
using Op = ast::BinaryOp;
const FoldCase fold_cases[] = {
    {"numbers", Op::add, constant_of(Kind::number, 2), constant_of(Kind::number, 3),
     constant_of(Kind::number, 5)},
    {"rounds towards zero", Op::divide, constant_of(Kind::number, -7), constant_of(Kind::number, 2),
     constant_of(Kind::number, -3)},
    {"a unit times a number", Op::multiply, constant_of(Kind::cpu, 1500), constant_of(Kind::number, 3),
     constant_of(Kind::cpu, 4500)},
    {"a number times a unit", Op::multiply, constant_of(Kind::number, 3), constant_of(Kind::memory, 5),
     constant_of(Kind::memory, 15)},
    {"a percentage of a unit", Op::multiply, constant_of(Kind::percent, 800'000),
     constant_of(Kind::cpu, 1001), constant_of(Kind::cpu, 800)},
    {"a percentage of a number", Op::multiply, constant_of(Kind::number, 10),
     constant_of(Kind::percent, 250'000), constant_of(Kind::number, 2)},
    {"a percentage of a percentage", Op::multiply, constant_of(Kind::percent, 500'000),
     constant_of(Kind::percent, 500'000), constant_of(Kind::percent, 250'000)},
    {"how often it fits", Op::divide, constant_of(Kind::memory, 4096), constant_of(Kind::memory, 1000),
     constant_of(Kind::number, 4)},
    {"time between", Op::subtract, constant_of(Kind::instant, 90), constant_of(Kind::instant, 30),
     constant_of(Kind::duration, 60)},
    {"later", Op::add, constant_of(Kind::instant, 90), constant_of(Kind::duration, 30),
     constant_of(Kind::instant, 120)},
    {"a product beyond 64 bits",
     Op::multiply,
     constant_of(Kind::number, 1LL << 40),
     constant_of(Kind::number, 1LL << 40),
     {},
     FoldProblem::overflow},
    {"a percentage needs the whole product", Op::multiply, constant_of(Kind::memory, 1LL << 60),
     constant_of(Kind::percent, 500'000), constant_of(Kind::memory, 1LL << 59)},
    {"a sum beyond 64 bits",
     Op::add,
     constant_of(Kind::number, kMost),
     constant_of(Kind::number, 1),
     {},
     FoldProblem::overflow},
    {"the smallest by minus one",
     Op::divide,
     constant_of(Kind::number, -kMost - 1),
     constant_of(Kind::number, -1),
     {},
     FoldProblem::overflow},
    {"by zero",
     Op::divide,
     constant_of(Kind::number, 1),
     constant_of(Kind::number, 0),
     {},
     FoldProblem::division_by_zero},
};

struct KindCase {
  Op op;
  Kind left;
  Kind right;
  std::optional<Kind> want;
};
std::ostream& operator<<(std::ostream& out, const KindCase& c) {
  return out << to_string(c.left) << " op " << static_cast<int>(c.op) << " " << to_string(c.right);
}
const KindCase kind_cases[] = {
    {Op::add, Kind::cpu, Kind::memory, {}},
    {Op::add, Kind::number, Kind::devices, {}},
    {Op::add, Kind::instant, Kind::instant, {}},
    {Op::add, Kind::duration, Kind::instant, Kind::instant},
    {Op::subtract, Kind::duration, Kind::instant, {}},
    {Op::multiply, Kind::cpu, Kind::cpu, {}},
    {Op::multiply, Kind::instant, Kind::number, {}},
    {Op::multiply, Kind::number, Kind::devices, Kind::devices},
    {Op::divide, Kind::number, Kind::cpu, {}},
    {Op::divide, Kind::duration, Kind::duration, Kind::number},
    {Op::divide, Kind::devices, Kind::number, Kind::devices},
    {Op::divide, Kind::cpu, Kind::percent, {}},
    {Op::add, Kind::text, Kind::text, {}},
    {Op::add, Kind::time_of_day, Kind::duration, {}},
};

BOOST_AUTO_TEST_SUITE(literal)

BOOST_DATA_TEST_CASE(read, boost::unit_test::data::make(literal_cases), c) {
  LiteralValue got = read_literal(c.text, c.kind);
  BOOST_TEST((got.problem == c.problem));
  if (!c.problem) BOOST_TEST(got.value == c.value);
}

BOOST_DATA_TEST_CASE(fold, boost::unit_test::data::make(fold_cases), c) {
  std::optional<Kind> kind = arithmetic_kind(c.op, c.left.type.kind, c.right.type.kind);
  BOOST_REQUIRE(kind.has_value());
  Folded got = fold_arithmetic(c.op, c.left, c.right, *kind);
  BOOST_TEST((got.problem == c.problem));
  BOOST_TEST((got.value == c.want));
}

BOOST_DATA_TEST_CASE(kinds_of_operands, boost::unit_test::data::make(kind_cases), c) {
  BOOST_TEST((arithmetic_kind(c.op, c.left, c.right) == c.want));
}

BOOST_AUTO_TEST_CASE(absent_values_compare) {
  Constant none = absent();
  Constant text = constant_of_text(Kind::text, "a");
  BOOST_TEST(fold_comparison(Op::equal, none, absent()));
  BOOST_TEST(!fold_comparison(Op::equal, none, text));
  BOOST_TEST(fold_comparison(Op::not_equal, none, text));
  BOOST_TEST(!fold_comparison(Op::less, none, text));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
