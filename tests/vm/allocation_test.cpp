#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "lang/load.hpp"
#include "random_rows.hpp"
#include "vm/machine.hpp"

/// Counts every allocation of this program.
namespace {
std::size_t allocations = 0;
}

// Not inlined: the compiler would see malloc and delete, or new and free, as a pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace sluice;
using namespace sluice::test;

BOOST_AUTO_TEST_SUITE(allocation)

BOOST_AUTO_TEST_CASE(deciding_allocates_nothing) {
  const lang::Policy policy = lang::load({lang::Source{"p.sluice", R"(edition 2026
param zone: string = "Europe/Paris"
fn working-hours(t: instant) -> bool = clock(zone, t) in 08:00..20:00 and weekday(zone, t) in [mon, tue, wed, thu, fri]
rule a on admit {
  when workload.kind matches "^Ray" and sum(p.count * p.request(google.com/tpu) of p in workload.podsets) > 4
  then hold
}
rule b on admit {
  let mine = sum(w.total(nvidia.com/gpu) of w in workloads where w.user = workload.user and w.running)
  when mine + workload.total(nvidia.com/gpu) > 16 or labels["team"] in ["ml", "vision"]
  then hold until next(not working-hours)
}
rule c on admit { when workload.priority / (hours(waited) - hours(waited)) > 1 then deny because "a fault" }
)"}}, {});
  for (const Diagnostic& problem : policy.diagnostics.all()) BOOST_TEST_MESSAGE(problem.message);
  BOOST_REQUIRE(!policy.has_errors());
  const Instant now = *Instant::parse("2026-03-02T10:00:00Z");
  RandomRows rows(policy.program, 1, now);
  vm::Machine machine(policy.program);
  machine.bind(rows.binding());
  const auto count = static_cast<std::uint32_t>(policy.program.rules.size());
  std::vector<std::uint64_t> holds(1);
  std::vector<std::uint64_t> faults(1);
  const auto decide = [&] {
    for (const auto& [role, row] : rows.tree().roles) machine.set_row(role, row);
    for (std::uint32_t row = 0; row < RandomRows::kRows; ++row) {
      machine.ask(now);
      machine.set_row(program::Role::workload, row);
      machine.match(0, count, holds, faults);
      for (const program::Rule& rule : policy.program.rules) {
        machine.test(rule.when);
        for (const program::Action& action : rule.actions) {
          if (action.value != program::kNone) machine.evaluate(action.value);
        }
        for (const program::TimeAtom& atom : rule.changes) machine.change(atom);
      }
    }
  };
  decide();  // patterns meet their texts for the first time
  const std::size_t before = allocations;
  decide();
  BOOST_TEST(allocations - before == 0U);
  BOOST_TEST(faults[0] != 0U);  // faults take the same way
  // The counter counts.
  BOOST_TEST(std::string(100, 'x').size() == 100U);
  BOOST_TEST(allocations > before);
}

BOOST_AUTO_TEST_SUITE_END()
