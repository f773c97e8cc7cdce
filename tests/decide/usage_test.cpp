#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <bit>
#include <ostream>

#include "decide/decay.hpp"
#include "decide/usage_ledger.hpp"

namespace sluice::decide {
namespace {

/// What Go computes on amd64, recorded from math.Pow and the decimals that Kueue uses.
struct FadeCase {
  double seconds;
  double half_life;
  std::uint64_t share;  // bits of the double
  std::int64_t value;   // of a quantity, in 10^-9
  std::int64_t faded;   // value times the share
  std::int64_t left;    // value times one less the share
};
std::ostream& operator<<(std::ostream& out, const FadeCase& c) {
  return out << c.seconds << " s of a half-life of " << c.half_life << " s";
}

const FadeCase fade_cases[] = {
    {3241, 60, 0x3ff0000000000000, 1333144188209620151LL, 1333144188209620151LL, 0LL},
    {546, 60, 0x3feff1124bff742a, 2202916659517317514LL, 2198902218265489787LL, 4014441251827678LL},
    {2081, 600, 0x3fed1bda8bc26360, 1443635317331776148LL, 1313203024142479880LL, 130432293189296252LL},
    {2047, 600, 0x3fecfe3417767be8, 1905388747193831650LL, 1726340697743945013LL, 179048049449886598LL},
    {456, 3600, 0x3fb5849c055d32b8, 2892818045836281383LL, 243154981143755254LL, 2649663064692526070LL},
    {495, 3600, 0x3fb745ac33a92ce0, 3343393387756127733LL, 303937429639161108LL, 3039455958116966724LL},
    {3387, 86400, 0x3f9b7328c9ff98e0, 732830328053361739LL, 19644605555484852LL, 713185722497876915LL},
    {1737, 86400, 0x3f8c575c42d52d00, 2781055864473387780LL, 38485646390511547LL, 2742570218082876218LL},
    {162, 604800, 0x3f285549357b3000, 4324745483838182873LL, 802876841314946LL, 4323942606996867848LL},
    {2413, 604800, 0x3f669fa0547d6300, 2568779411109623071LL, 7094102081570046LL, 2561685309028053071LL},
    {2081, 7888, 0x3fc5642b63866d30, 4037200794235010051LL, 674694696161694523LL, 3362506098073315648LL},
    {3211, 1446, 0x3fe9226649405a96, 2015796113853353331LL, 1583305373340712620LL, 432490740512640710LL},
    {266, 9829, 0x3f930796f3095160, 1684681073775341575LL, 31307506087177048LL, 1653373567688164515LL},
    {66, 1271, 0x3fa219d7d972b4c0, 1601692462255737514LL, 56625302608040189LL, 1545067159647697348LL},
};

constexpr Quantity::Nano kUnit = 1'000'000'000;

/// One LocalQueue, cpu only.
struct OneQueue {
  ResourceNames names;
  ResourceId cpu = names.intern("cpu");
  UsageLedger ledger;
  Instant now{0};

  explicit OneQueue(std::int64_t half_life)
      : ledger({Duration::seconds(half_life), Duration::seconds(300), {}}) {}

  std::vector<UsageLedger::Used> cores(std::int64_t number) const { return {{cpu, number * kUnit}}; }
  double usage(double weight = 1) const { return ledger.usage(0, weight, names); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(usage)

BOOST_DATA_TEST_CASE(fades_as_go_computes_it, fade_cases, c) {
  double share = faded_share(c.seconds, c.half_life);
  BOOST_TEST(std::bit_cast<std::uint64_t>(share) == c.share);
  BOOST_TEST((scale(c.value, share) == c.faded));
  BOOST_TEST((scale(c.value, 1 - share) == c.left));
}

BOOST_AUTO_TEST_CASE(the_past_fades_by_half_and_the_present_takes_its_place) {
  OneQueue queue(600);
  queue.ledger.open(0, queue.cores(8), queue.now);
  queue.ledger.sample(0, queue.cores(4), queue.now + Duration::seconds(600));
  BOOST_TEST(queue.usage() == 6);
  BOOST_TEST(queue.usage(2) == 3);
}

BOOST_AUTO_TEST_CASE(a_charge_is_one_interval_and_settles_once) {
  OneQueue queue(600);
  queue.ledger.open(0, {}, queue.now);
  queue.ledger.charge(0, 7, queue.cores(10), queue.now);
  BOOST_TEST(queue.ledger.has_penalty(0));
  BOOST_TEST(queue.usage() == 2.928932188);
  queue.ledger.charge(0, 7, queue.cores(10), queue.now);
  BOOST_TEST(queue.usage() == 2.928932188);
  queue.ledger.settle(0, 7, queue.cores(10), queue.now);
  BOOST_TEST(!queue.ledger.has_penalty(0));
  BOOST_TEST(queue.usage() == 2.928932188);
  queue.ledger.settle(0, 7, queue.cores(10), queue.now);
  BOOST_TEST(queue.usage() == 2.928932188);
}

BOOST_AUTO_TEST_CASE(without_a_half_life_nothing_is_remembered) {
  OneQueue queue(0);
  queue.ledger.open(0, queue.cores(8), queue.now);
  BOOST_TEST(queue.usage() == 8);
  queue.ledger.sample(0, queue.cores(4), queue.now + Duration::seconds(300));
  BOOST_TEST(queue.usage() == 0);
}

BOOST_AUTO_TEST_CASE(no_weight_is_the_end_of_the_line) {
  OneQueue queue(600);
  BOOST_TEST(queue.usage(0) > 1e300);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
