#include <unordered_map>

#include "decide/core.hpp"
#include "decide/mix.hpp"

/// Cycles until nothing moves, or the same comes back.
namespace sluice::decide {
namespace {

/// How long a run waits for a second pass.
constexpr Duration kSecondPassWait = Duration::seconds(64);

}  // namespace

RunEnd Core::run() {
  struct Seen {
    int times = 0;
    std::uint64_t cycle = 0;  // the last one after which the states were these
  };
  RunEnd end;
  std::unordered_map<std::uint64_t, Seen> seen;
  std::uint64_t last = 0;
  int same = 0;
  Duration idle;
  for (std::uint32_t n = 0; n < options.max_cycles;) {
    if (!cycle()) {
      if (is_in_cycle()) return end;
      if (idle >= kSecondPassWait || !awaits_second_pass()) return end;
      idle.ns += Duration::seconds(1).ns;
      now = now + Duration::seconds(1);
      settle();
      continue;
    }
    ++n;
    idle = {};
    std::uint64_t key = fingerprint();
    now = now + options.cycle_period;
    settle();
    if (key == last) {
      // Heads are offered again and again and nothing moves.
      if (++same >= 2) return end;
      continue;
    }
    same = 0;
    last = key;
    Seen& before = seen[key];
    if (++before.times >= 3) {
      end.loop = true;
      end.loop_begin = before.cycle + 1;
      end.loop_length = cycle_number - before.cycle;
      return end;
    }
    before.cycle = cycle_number;
  }
  end.truncated = true;
  return end;
}

/// A number for the states of all workloads. Looks only at those that may have changed since it was last asked: many
/// may wait.
std::uint64_t Core::fingerprint() {
  prints_.resize(works.size());
  works.visit_touched([&](WorkId id, const Work& work) {
    std::uint64_t print = print_of(id, work);
    states_print_ += print - prints_[id];
    prints_[id] = print;
  });
  return states_print_;
}

std::uint64_t Core::print_of(WorkId id, const Work& work) const {
  std::uint64_t key = mix(mix(id, static_cast<std::uint64_t>(state(work))), work.text_key);
  key = mix(key, static_cast<std::uint64_t>(work.eviction) * 2 + (work.evicted ? 1 : 0));
  for (const Holding& holding : work.holdings) {
    key = mix(mix(key, holding.flavor), static_cast<std::uint64_t>(holding.amount.value()));
  }
  for (const LeafUse& use : work.leaf_uses) key = mix(mix(key, use.leaf), static_cast<std::uint64_t>(use.count));
  return key;
}

}  // namespace sluice::decide
