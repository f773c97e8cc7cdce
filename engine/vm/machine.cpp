#include "vm/machine.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "base/limits.hpp"
#include "base/pattern.hpp"
#include "base/time_zone.hpp"

namespace sluice::vm {

using program::Chunk;
using program::FaultKind;
using program::Instruction;
using program::kNone;
using program::Opcode;
using program::Role;

namespace {

struct Register {
  std::int64_t value;
  std::int64_t present;  ///< 0 or 1; as wide as the value, so that both are written at once
};

/// A chunk runs in a frame of its own: conditions call predicates, which may search for an instant.
constexpr std::size_t kFrames = 3;
using Frame = std::array<Register, 257>;  // one more: an iterator takes two

enum class Truth : std::uint8_t { no, yes, fault };

/// What is known about a predicate.
struct Memory {
  std::uint32_t epoch = 0;  ///< of the question it was evaluated for
  Truth truth = Truth::no;
  FaultKind kind = FaultKind::overflow;
  std::uint32_t instruction = 0;
};

/// Roles whose rows change within one question; predicates without them outlive such a change.
constexpr program::RoleSet kInner =
    program::bit(Role::pod_set) | program::bit(Role::flavor) | program::bit(Role::candidate) | program::bit(Role::domain);

bool is_present(const Column& column, std::uint32_t row) {
  return column.present == nullptr || ((column.present[row / 64] >> (row % 64)) & 1U) != 0;
}

Register read(const Column& column, std::int64_t row) {
  const auto index = static_cast<std::uint32_t>(row);
  return {column.values[index], is_present(column, index) ? 1 : 0};
}

bool equal(const Register& a, const Register& b) {
  return a.present == b.present && (a.present == 0 || a.value == b.value);
}

std::int64_t divide_down(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t elapsed(std::int64_t to, std::int64_t from) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(to, from, &difference)) return difference;
  return to < from ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// a * b / 1,000,000; false if it does not fit.
bool scale(std::int64_t a, std::int64_t b, std::int64_t* result) {
  __extension__ typedef __int128 Wide;
  const Wide product = static_cast<Wide>(a) * b / 1'000'000;
  *result = static_cast<std::int64_t>(product);
  return *result == product;
}

/// After how many nanoseconds distance + slope * t first changes between negative and not; empty if never.
std::optional<std::int64_t> crossing(std::int64_t distance, std::int64_t slope) {
  if (slope > 0 && distance < 0) return -divide_down(distance, slope);
  if (slope < 0 && distance >= 0) {
    if (slope == std::numeric_limits<std::int64_t>::min()) return 1;
    const std::int64_t whole = distance / -slope;
    if (whole == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return whole + 1;
  }
  return std::nullopt;
}

/// The masks of the rules [first, first + count), laid out for `match`.
struct Range {
  /// What of a rule its first mask does not say.
  struct More {
    std::vector<program::Mask> masks;  ///< the others
    bool exact = false;                ///< nothing but masks
  };
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> predicates;  ///< that the masks look at
  std::vector<program::Mask> masks;       ///< one a rule; one that cares for nothing where a rule has none
  std::vector<std::uint64_t> unsaid;      ///< a bit a rule: it has More than its mask
  std::vector<More> more;                 ///< one a rule
};

}  // namespace

class Machine::Impl {
 public:
  explicit Impl(const program::Program& program)
      : program_(program), memory_(program.predicates.size()), truth_(std::max(program.words(), 1U)) {
    for (const std::string& text : program.patterns) {
      auto compiled = Pattern::compile(text);
      auto* pattern = std::get_if<Pattern>(&compiled);
      searches_.push_back({pattern != nullptr ? std::optional(std::move(*pattern)) : std::nullopt, {}});
    }
    for (const std::string& zone : program.zones) zones_.push_back(TimeZone::load(zone));
    for (const program::Predicate& predicate : program.predicates) {
      inner_.push_back((program.chunks[predicate.chunk].reads & kInner) != 0 ? 1 : 0);
    }
  }

  void bind(const Binding& binding) {
    binding_ = binding;
    for (Search& search : searches_) search.seen.resize(binding.texts->size());
    ask(now_);
  }

  void ask(Instant now) {
    now_ = now;
    forget();
  }

  void set_row(Role role, std::uint32_t row) {
    rows_[static_cast<std::size_t>(role)] = row;
    if ((program::bit(role) & kInner) != 0) {
      ++epoch_[1];
    } else {
      forget();
    }
  }

  Value evaluate(std::uint32_t chunk) { return run(chunk, 0); }

  std::optional<Instant> change(std::uint32_t chunk, std::size_t depth) {
    Value value = run(chunk, depth);
    if (value.fault) {
      const Register& found = frames_[depth][0];  // see program::TimeAtom
      value = {found.present != 0, found.value, {}};
    }
    if (!value.present || value.value <= now_.ns) return std::nullopt;
    return Instant{value.value};
  }

  Value test(const program::Condition& condition) {
    if (condition.chunk == kNone) return {true, 1, {}};
    return run(condition.chunk, 0);
  }

  void match(std::uint32_t first, std::uint32_t count, std::span<std::uint64_t> holds, std::span<std::uint64_t> faults) {
    const Range& range = prepare(first, count);
    std::fill(faults.begin(), faults.end(), 0);
    for (const std::uint32_t number : range.predicates) {
      const std::uint64_t bit = std::uint64_t{1} << (number % 64);
      std::uint64_t& word = truth_[number / 64];
      word = predicate(number).truth == Truth::yes ? word | bit : word & ~bit;
    }
    for (std::uint32_t word = 0; word * 64 < count; ++word) {
      const std::uint32_t begin = word * 64;
      const std::uint32_t end = std::min(count, begin + 64);
      std::uint64_t hits = 0;
      for (std::uint32_t i = begin; i < end; ++i) {
        const program::Mask& mask = range.masks[i];
        hits |= std::uint64_t{(truth_[mask.word] & mask.care) == mask.want} << (i - begin);
      }
      for (std::uint64_t open = hits & range.unsaid[word]; open != 0; open &= open - 1) {
        const auto i = begin + static_cast<std::uint32_t>(std::countr_zero(open));
        const Value value = test_rest(range, i);
        if (value.fault) faults[word] |= open & -open;
        if (!value) hits &= ~(open & -open);
      }
      holds[word] = hits;
    }
  }

 private:
  struct Search {
    std::optional<Pattern> pattern;  ///< empty: the compiler let a bad one pass; it is found nowhere
    std::vector<std::uint8_t> seen;  ///< by symbol: 0 not tried, 1 not found, 2 found
  };

  void forget() {
    ++epoch_[0];
    ++epoch_[1];
    if (epoch_[0] != 0 && epoch_[1] != 0) return;
    // Four thousand million questions later: numbers come round.
    epoch_ = {1, 1};
    std::fill(memory_.begin(), memory_.end(), Memory{});
  }

  const Range& prepare(std::uint32_t first, std::uint32_t count) {
    for (const auto& range : ranges_) {
      if (range->first == first && range->count == count) return *range;
    }
    auto range = std::make_unique<Range>();
    range->first = first;
    range->count = count;
    std::vector<bool> needed(program_.predicates.size());
    range->unsaid.resize((count + 63) / 64);
    for (std::uint32_t i = 0; i < count; ++i) {
      const program::Condition& when = program_.rules[first + i].when;
      for (const program::Mask& mask : when.masks) {
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
          if ((mask.care >> bit) & 1U) needed[mask.word * 64 + bit] = true;
        }
      }
      Range::More more;
      more.exact = when.exact || when.chunk == kNone;
      if (when.masks.size() > 1) more.masks.assign(when.masks.begin() + 1, when.masks.end());
      range->masks.push_back(when.masks.empty() ? program::Mask{} : when.masks.front());
      if (!more.exact || !more.masks.empty()) range->unsaid[i / 64] |= std::uint64_t{1} << (i % 64);
      range->more.push_back(std::move(more));
    }
    for (std::uint32_t number = 0; number < needed.size(); ++number) {
      if (needed[number]) range->predicates.push_back(number);
    }
    ranges_.push_back(std::move(range));
    return *ranges_.back();
  }

  /// A rule whose first mask holds.
  Value test_rest(const Range& range, std::uint32_t i) {
    const Range::More& more = range.more[i];
    for (const program::Mask& mask : more.masks) {
      if ((truth_[mask.word] & mask.care) != mask.want) return {true, 0, {}};
    }
    return more.exact ? Value{true, 1, {}} : test(program_.rules[range.first + i].when);
  }

  const Memory& predicate(std::uint32_t number) {
    Memory& memory = memory_[number];
    const std::uint32_t epoch = epoch_[inner_[number]];
    if (memory.epoch == epoch) return memory;
    const Value value = run(program_.predicates[number].chunk, 1);
    memory.epoch = epoch;
    if (value.fault) {
      memory.truth = Truth::fault;
      memory.kind = value.fault->kind;
      memory.instruction = value.fault->instruction;
    } else {
      memory.truth = value.value != 0 ? Truth::yes : Truth::no;
    }
    return memory;
  }

  bool found(std::uint32_t number, std::int64_t text) {
    Search& search = searches_[number];
    std::uint8_t& seen = search.seen[static_cast<std::size_t>(text)];
    if (seen == 0) {
      seen = search.pattern && search.pattern->is_found_in(binding_.texts->text(static_cast<Symbol>(text))) ? 2 : 1;
    }
    return seen == 2;
  }

  bool listed(std::uint32_t number, std::int64_t value) const {
    const auto& values = program_.lists[number].values;
    return std::binary_search(values.begin(), values.end(), value);
  }

  bool text_less(std::int64_t a, std::int64_t b) const {
    return binding_.texts->text(static_cast<Symbol>(a)) < binding_.texts->text(static_cast<Symbol>(b));
  }

  const StockOut* stock_out(std::int64_t flavor) const {
    for (const StockOut& stock_out : binding_.stock_outs) {
      if (stock_out.flavor == static_cast<Symbol>(flavor)) return &stock_out;
    }
    return nullptr;
  }

  Register element(std::uint8_t collection, std::int64_t position) const {
    const Collection& elements = binding_.collections[collection];
    return {elements.offsets != nullptr ? position : elements.rows[static_cast<std::size_t>(position)], 1};
  }

  Value solve(const program::Solver& solver) {
    const Instant start = now_;
    const Instant end = start + Duration::seconds(std::int64_t{kMaxSolveDays} * 86'400);
    Value answer;
    for (int step = 0; step < kMaxSolveSteps; ++step) {
      const Value holds = run(solver.condition, 2);
      if (holds.fault || holds) {
        answer = holds.fault ? holds : Value{true, now_.ns, {}};
        break;
      }
      Instant next{std::numeric_limits<std::int64_t>::max()};
      for (const program::TimeAtom& atom : solver.atoms) next = std::min(next, change(atom.chunk, 2).value_or(next));
      if (next > end) break;
      now_ = next;
    }
    now_ = start;
    return answer;
  }

  Value run(std::uint32_t number, std::size_t depth);

  const program::Program& program_;
  Binding binding_;
  Instant now_;
  std::array<std::uint32_t, program::kRoles> rows_{};
  /// Of questions, and of the inner roles within them; a predicate of another epoch is not known.
  std::array<std::uint32_t, 2> epoch_ = {1, 1};
  std::vector<Memory> memory_;
  std::vector<std::uint8_t> inner_;  ///< by predicate: which epoch counts
  std::vector<std::uint64_t> truth_;
  std::vector<std::unique_ptr<Range>> ranges_;
  std::vector<Search> searches_;
  std::vector<std::optional<TimeZone>> zones_;
  std::array<Frame, kFrames> frames_{};
};

Value Machine::Impl::run(std::uint32_t number, std::size_t depth) {
  const Instruction* const code = program_.code.data();
  const Instruction* at = code + program_.chunks[number].begin;
  Register* const r = frames_[depth].data();
  const auto fault = [&](FaultKind kind) {
    return Value{false, 0, program::Fault{kind, static_cast<std::uint32_t>(at - code), kNone}};
  };
  const auto jump_if = [&](bool condition) { at = condition ? code + at->operand : at + 1; };
  for (;;) {
    // Values apart from presence: a copy of both at once would wait for the two stores that wrote them.
    const Register& a = r[at->a];
    const Register& b = r[at->b];
    const std::int64_t x = a.value;
    const std::int64_t y = b.value;
    std::int64_t z = 0;
    Register& d = r[at->dst];
    switch (at->opcode) {
      case Opcode::constant: d = {program_.constants[at->operand].value, 1}; break;
      case Opcode::absent: d = {0, 0}; break;
      case Opcode::move: d = a; break;
      case Opcode::need:
        if (a.present == 0) return fault(FaultKind::absent_value);
        d = a;
        break;
      case Opcode::now: d = {now_.ns, 1}; break;
      case Opcode::role: d = {rows_[at->a], 1}; break;
      case Opcode::field: d = read(binding_.columns[at->operand], x); break;
      case Opcode::role_field: d = read(binding_.columns[at->operand], rows_[at->a]); break;

      case Opcode::add:
        if (__builtin_add_overflow(x, y, &z)) return fault(FaultKind::overflow);
        d = {z, 1};
        break;
      case Opcode::subtract:
        if (__builtin_sub_overflow(x, y, &z)) return fault(FaultKind::overflow);
        d = {z, 1};
        break;
      case Opcode::elapsed: d = {elapsed(x, y), 1}; break;
      case Opcode::multiply:
        if (__builtin_mul_overflow(x, y, &z)) return fault(FaultKind::overflow);
        d = {z, 1};
        break;
      case Opcode::divide:
      case Opcode::divide_down:
        if (y == 0) return fault(FaultKind::division_by_zero);
        if (y == -1 && x == std::numeric_limits<std::int64_t>::min()) return fault(FaultKind::overflow);
        d = {at->opcode == Opcode::divide ? x / y : divide_down(x, y), 1};
        break;
      case Opcode::scale:
        if (!scale(x, y, &z)) return fault(FaultKind::overflow);
        d = {z, 1};
        break;
      case Opcode::negate:
        if (__builtin_sub_overflow(std::int64_t{0}, x, &z)) return fault(FaultKind::overflow);
        d = {z, 1};
        break;
      case Opcode::absolute:
        if (x == std::numeric_limits<std::int64_t>::min()) return fault(FaultKind::overflow);
        d = {x < 0 ? -x : x, 1};
        break;
      case Opcode::minimum: d = {std::min(x, y), 1}; break;
      case Opcode::maximum: d = {std::max(x, y), 1}; break;

      case Opcode::equal: d = {equal(a, b) ? 1 : 0, 1}; break;
      case Opcode::not_equal: d = {equal(a, b) ? 0 : 1, 1}; break;
      case Opcode::less: d = {x < y ? 1 : 0, 1}; break;
      case Opcode::less_equal: d = {x <= y ? 1 : 0, 1}; break;
      case Opcode::text_less: d = {text_less(x, y) ? 1 : 0, 1}; break;
      case Opcode::text_less_equal: d = {text_less(y, x) ? 0 : 1, 1}; break;
      case Opcode::has: d = {a.present, 1}; break;
      case Opcode::negation: d = {x ^ 1, 1}; break;
      case Opcode::in_list: d = {a.present != 0 && listed(at->operand, x) ? 1 : 0, 1}; break;
      case Opcode::in_range: d = {program::in_range(x, y) ? 1 : 0, 1}; break;
      case Opcode::matches: d = {a.present != 0 && found(at->operand, x) ? 1 : 0, 1}; break;

      case Opcode::jump: at = code + at->operand; continue;
      case Opcode::jump_if: jump_if(x != 0); continue;
      case Opcode::jump_unless: jump_if(x == 0); continue;
      case Opcode::jump_if_equal: jump_if(equal(a, b)); continue;
      case Opcode::jump_unless_equal: jump_if(!equal(a, b)); continue;
      case Opcode::jump_if_less: jump_if(x < y); continue;
      case Opcode::jump_unless_less: jump_if(x >= y); continue;
      case Opcode::jump_if_less_equal: jump_if(x <= y); continue;
      case Opcode::jump_unless_less_equal: jump_if(x > y); continue;
      case Opcode::jump_if_present: jump_if(a.present != 0); continue;
      case Opcode::jump_if_absent: jump_if(a.present == 0); continue;
      case Opcode::jump_if_predicate:
      case Opcode::jump_unless_predicate: {
        const Memory& memory = predicate(at->a * 256U + at->b);
        if (memory.truth == Truth::fault) {
          return {false, 0, program::Fault{memory.kind, memory.instruction, static_cast<std::uint32_t>(at - code)}};
        }
        jump_if((memory.truth == Truth::yes) == (at->opcode == Opcode::jump_if_predicate));
        continue;
      }

      case Opcode::first: {
        const std::uint32_t* offsets = binding_.collections[at->operand].offsets;
        const auto row = static_cast<std::size_t>(x);
        r[at->dst + 1U] = {offsets[row + 1], 1};
        d = {offsets[row], 1};
        break;
      }
      case Opcode::first_of_world:
        r[at->dst + 1U] = {static_cast<std::int64_t>(binding_.collections[at->operand].rows.size()), 1};
        d = {0, 1};
        break;
      case Opcode::iterate: {
        Register& position = r[at->a];
        if (position.value == r[at->a + 1U].value) {
          at = code + at->operand;
          continue;
        }
        const Register row = element(at->b, position.value);
        ++position.value;
        d = row;
        break;
      }

      case Opcode::clock:
      case Opcode::weekday:
      case Opcode::next_clock: {
        const auto& zone = zones_[at->operand];
        if (at->opcode == Opcode::next_clock) {
          d = zone ? Register{zone->next(Instant{x}, y).ns, 1} : Register{0, 0};
          break;
        }
        if (!zone) return fault(FaultKind::bad_time_zone);
        d = {at->opcode == Opcode::clock ? zone->second_of_day(Instant{x}) : zone->weekday(Instant{x}), 1};
        break;
      }
      case Opcode::crossing: {
        const auto after = crossing(x, y);
        d = {0, 0};
        if (after && !__builtin_add_overflow(now_.ns, *after, &d.value)) d.present = 1;
        break;
      }
      case Opcode::earlier: d = b.present == 0 || (a.present != 0 && x <= y) ? a : b; break;
      case Opcode::solve: {
        const Value instant = solve(program_.solvers[at->operand]);
        if (instant.fault) return instant;
        d = {instant.value, instant.present ? 1 : 0};
        break;
      }

      case Opcode::stocked_out: d = {stock_out(x) != nullptr ? 1 : 0, 1}; break;
      case Opcode::stocked_out_since: {
        const StockOut* stock = stock_out(x);
        d = stock != nullptr ? Register{stock->since, 1} : Register{0, 0};
        break;
      }

      case Opcode::result: return {a.present != 0, x, {}};
      case Opcode::yes: return {true, 1, {}};
      case Opcode::no: return {true, 0, {}};
    }
    ++at;
  }
}

Machine::Machine(const program::Program& program) : impl_(std::make_unique<Impl>(program)) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;

void Machine::bind(const Binding& binding) { impl_->bind(binding); }
void Machine::ask(Instant now) { impl_->ask(now); }
void Machine::set_row(program::Role role, std::uint32_t row) { impl_->set_row(role, row); }
Value Machine::test(const program::Condition& condition) { return impl_->test(condition); }
Value Machine::evaluate(std::uint32_t chunk) { return impl_->evaluate(chunk); }
std::optional<Instant> Machine::change(const program::TimeAtom& atom) { return impl_->change(atom.chunk, 0); }
void Machine::match(std::uint32_t first, std::uint32_t count, std::span<std::uint64_t> holds,
                    std::span<std::uint64_t> faults) {
  impl_->match(first, count, holds, faults);
}

void seed(Symbols& texts, const program::Program& program) {
  for (Symbol symbol = 0; symbol < program.texts.size(); ++symbol) texts.intern(program.texts.text(symbol));
}

}  // namespace sluice::vm
