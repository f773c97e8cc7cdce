#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "lang/load.hpp"
#include "program/disassemble.hpp"
#include "program/verify.hpp"
#include "random_policy.hpp"
#include "random_rows.hpp"
#include "tree_evaluator.hpp"
#include "vm/machine.hpp"

/// The VM and the tree evaluator on policies and rows by chance: the same values, the same faults at the same places,
/// and nothing changes before a time atom says so.
using namespace sluice;
using namespace sluice::test;
namespace ast = sluice::lang::ast;
namespace data = boost::unit_test::data;

namespace {

/// What either of the two came to.
struct Outcome {
  TreeValue value;
  std::optional<program::FaultKind> fault;
  Span span;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  if (outcome.fault) {
    return out << program::to_string(*outcome.fault) << " at " << outcome.span.begin << ".." << outcome.span.end;
  }
  if (!outcome.value.present) return out << "none";
  return out << outcome.value.number << " `" << outcome.value.text << "`";
}

/// A rule of the tree beside what it was compiled to.
struct Pair {
  const ast::Rule* tree = nullptr;
  const program::Rule* code = nullptr;
};

std::vector<Pair> pairs(const lang::Policy& policy) {
  std::vector<Pair> found;
  for (const ast::Declaration* declaration : policy.checked.active) {
    const auto* rule = ast::as<ast::Rule>(*declaration);
    if (rule == nullptr) continue;
    for (const program::Rule& code : policy.program.rules) {
      if (code.name == declaration->name.text) found.push_back({rule, &code});
    }
  }
  return found;
}

class Bench {
 public:
  Bench(const lang::Policy& policy, std::uint64_t seed, Instant now)
      : policy_(policy), rows_(policy.program, seed, now), machine_(policy.program) {
    machine_.bind(rows_.binding());
    ask(now);
  }

  void ask(Instant now) {
    now_ = now;
    machine_.ask(now);
    for (const auto& [role, row] : rows_.tree().roles) machine_.set_row(role, row);
  }

  Outcome code(const vm::Value& value, program::ValueKind kind) const {
    if (value.fault) return {{}, value.fault->kind, program::span_of(policy_.program, *value.fault)};
    if (!value.present) return {{false, 0, {}}, {}, {}};
    if (kind == program::ValueKind::text) return {{true, 0, std::string(rows_.texts().text(static_cast<Symbol>(value.value)))}, {}, {}};
    return {{true, value.value, {}}, {}, {}};
  }
  Outcome code(const program::Condition& condition) { return code(machine_.test(condition), program::ValueKind::boolean); }
  Outcome code(std::uint32_t chunk) { return code(machine_.evaluate(chunk), policy_.program.chunks[chunk].kind); }

  Outcome tree(const ast::Rule& rule, ast::ExprPtr expr) const {
    TreeEvaluator evaluator(policy_.checked, rows_.tree(), now_);
    evaluator.set_rule(rule.lets);
    try {
      TreeValue value = evaluator.value(expr);
      if (!value.present) value = {false, 0, {}};
      return {std::move(value), {}, {}};
    } catch (const TreeFault& fault) {
      return {{}, fault.kind, fault.span};
    }
  }

  std::optional<Instant> next(const std::vector<program::TimeAtom>& atoms) {
    std::optional<Instant> next;
    for (const program::TimeAtom& atom : atoms) {
      const std::optional<Instant> change = machine_.change(atom);
      if (!change) continue;
      BOOST_TEST(change->ns > now_.ns);
      if (!next || *change < *next) next = change;
    }
    return next;
  }

  vm::Machine& machine() { return machine_; }
  Instant now() const { return now_; }

 private:
  const lang::Policy& policy_;
  RandomRows rows_;
  vm::Machine machine_;
  Instant now_;
};

lang::Policy load(std::uint64_t seed) {
  return lang::load({lang::Source{"random.sluice", random_policy(seed, 12)}}, {});
}

const Instant start = *Instant::parse("2026-03-28T21:17:30Z");  // the night before Paris goes to summer time

constexpr int kPolicies = 150;

}  // namespace

BOOST_AUTO_TEST_SUITE(agreement)

BOOST_AUTO_TEST_CASE(most_random_policies_are_sound) {
  int sound = 0;
  std::string problems;
  for (std::uint64_t seed = 0; seed < kPolicies; ++seed) {
    const lang::Policy policy = load(seed);
    if (!policy.has_errors()) {
      ++sound;
      const auto defects = program::verify(policy.program);
      BOOST_REQUIRE_MESSAGE(defects.empty(), "seed " << seed << ": " << (defects.empty() ? "" : defects[0].message) << " at "
                                                     << (defects.empty() ? 0 : defects[0].instruction) << "\n"
                                                     << program::disassemble(policy.program, policy.sources));
    } else {
      const Diagnostic& problem = policy.diagnostics.all()[0];
      problems += "\n" + problem.message + ": " + std::string(policy.sources.text(problem.span));
    }
  }
  BOOST_TEST(sound > kPolicies * 6 / 10, "only " << sound << " of " << kPolicies << ":" << problems);
}

BOOST_DATA_TEST_CASE(values_and_faults, data::xrange(kPolicies), number) {
  const auto seed = static_cast<std::uint64_t>(number);
  const lang::Policy policy = load(seed);
  if (policy.has_errors()) return;
  for (std::uint64_t rows = 0; rows < 8; ++rows) {
    Bench bench(policy, seed * 100 + rows, start + Duration::seconds(static_cast<std::int64_t>(rows) * 7 * 3600));
    for (const Pair& pair : pairs(policy)) {
      BOOST_TEST_CONTEXT("seed " << seed << " rows " << rows << " rule " << pair.code->name) {
        BOOST_TEST(bench.code(pair.code->when) == bench.tree(*pair.tree, pair.tree->when));
        for (std::size_t i = 0; i < pair.tree->then.size(); ++i) {
          const auto* score = std::get_if<ast::ScoreVerdict>(&pair.tree->then[i].node);
          if (score != nullptr) BOOST_TEST(bench.code(pair.code->actions[i].value) == bench.tree(*pair.tree, score->value));
        }
        const auto& pieces = policy.program.templates[pair.code->because].pieces;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
          if (pieces[i].chunk == program::kNone) continue;
          BOOST_TEST(bench.code(pieces[i].chunk) == bench.tree(*pair.tree, pair.tree->because->pieces[i].hole));
        }
      }
    }
  }
}

BOOST_DATA_TEST_CASE(matching_all_rules_is_testing_each, data::xrange(kPolicies), number) {
  const auto seed = static_cast<std::uint64_t>(number);
  const lang::Policy policy = load(seed);
  if (policy.has_errors()) return;
  const auto count = static_cast<std::uint32_t>(policy.program.rules.size());
  std::vector<std::uint64_t> holds((count + 63) / 64);
  std::vector<std::uint64_t> faults(holds.size());
  for (std::uint64_t rows = 0; rows < 8; ++rows) {
    Bench bench(policy, seed * 31 + rows, start);
    bench.machine().match(0, count, holds, faults);
    for (std::uint32_t i = 0; i < count; ++i) {
      bench.ask(start);
      const vm::Value alone = bench.machine().test(policy.program.rules[i].when);
      BOOST_TEST(((holds[i / 64] >> (i % 64)) & 1U) == (alone ? 1U : 0U));
      BOOST_TEST(((faults[i / 64] >> (i % 64)) & 1U) == (alone.fault ? 1U : 0U));
    }
  }
}

BOOST_DATA_TEST_CASE(nothing_changes_before_a_time_atom_says_so, data::xrange(kPolicies), number) {
  const auto seed = static_cast<std::uint64_t>(number);
  const lang::Policy policy = load(seed);
  if (policy.has_errors()) return;
  Random random(seed);
  for (const Pair& pair : pairs(policy)) {
    Bench bench(policy, seed * 17, start);
    for (int step = 0; step < 6; ++step) {
      const Outcome before = bench.code(pair.code->when);
      const std::optional<Instant> next = bench.next(pair.code->changes);
      const Instant now = bench.now();
      const Instant until = next ? *next : now + Duration::seconds(4 * 86'400);
      for (int probe = 0; probe < 12; ++probe) {
        const auto span = static_cast<std::uint64_t>(until.ns - now.ns);
        const Instant at = probe == 0 ? Instant{until.ns - 1} : now + Duration{static_cast<std::int64_t>(random.below(span))};
        bench.ask(at);
        const Outcome there = bench.code(pair.code->when);
        BOOST_TEST(there == before, "seed " << seed << " rule " << pair.code->name << ": " << before << " at " << now.to_string()
                                            << " but " << there << " at " << at.to_string() << ", next change "
                                            << until.to_string() << (next ? "" : " (none)"));
      }
      if (!next) break;
      bench.ask(*next);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
