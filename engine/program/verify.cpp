#include "program/verify.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace sluice::program {

namespace {

/// What is known about a register at one point.
struct State {
  enum class Type : std::uint8_t { unset, boolean, integer, text, row, iterator };
  Type type = Type::unset;
  bool maybe = false;
  /// row: its table; iterator: its collection (second register of the pair: kSecond).
  std::uint8_t detail = 0;

  friend bool operator==(const State&, const State&) = default;
};
constexpr std::uint8_t kSecond = 0xff;
using States = std::array<State, 256>;

State::Type state_type(ValueType type) {
  switch (type) {
    case ValueType::boolean: return State::Type::boolean;
    case ValueType::integer: return State::Type::integer;
    case ValueType::text: return State::Type::text;
    case ValueType::row: return State::Type::row;
  }
  return State::Type::unset;
}

std::string_view name(State::Type type) {
  constexpr std::array<std::string_view, 6> names = {"nothing", "a boolean", "an integer", "a text", "a row", "an iterator"};
  return names[static_cast<std::size_t>(type)];
}

State column_state(const Column& column) {
  const FieldInfo& field = info(column.field);
  State state;
  state.maybe = field.presence == Presence::optional;
  switch (field.type) {
    case FieldType::boolean: state.type = State::Type::boolean; break;
    case FieldType::text: state.type = State::Type::text; break;
    case FieldType::number:
    case FieldType::amount:
    case FieldType::duration:
    case FieldType::instant:
    case FieldType::money: state.type = State::Type::integer; break;
  }
  return state;
}

bool is_end(Opcode opcode) { return opcode == Opcode::result || opcode == Opcode::yes || opcode == Opcode::no; }
bool tests_predicate(Opcode opcode) {
  return opcode == Opcode::jump_if_predicate || opcode == Opcode::jump_unless_predicate;
}

/// Verifies one chunk by running it on types until nothing changes.
class ChunkVerifier {
 public:
  ChunkVerifier(const Program& program, std::uint32_t number, std::vector<Defect>& defects)
      : program_(program), number_(number), chunk_(program.chunks[number]), defects_(defects) {}

  void run() {
    if (chunk_.begin >= chunk_.end || chunk_.end > program_.code.size()) return defect(kNone, "has no code");
    if (!check_operands() || !check_loops()) return;
    const std::size_t size = chunk_.end - chunk_.begin;
    before_.resize(size);
    before_[0] = States{};
    work_.push_back(chunk_.begin);
    while (!work_.empty() && !failed_) {
      const std::uint32_t at = work_.back();
      work_.pop_back();
      step(at);
    }
  }

 private:
  void defect(std::uint32_t at, std::string message) {
    failed_ = true;
    defects_.push_back({number_, at, std::move(message)});
  }

  bool operand_in_bounds(const Instruction& code) const {
    const auto within = [&](std::size_t size) { return code.operand < size; };
    switch (info(code.opcode).operand) {
      case Operand::none: return true;
      case Operand::constant: return within(program_.constants.size());
      case Operand::column: return within(program_.columns.size());
      case Operand::jump: return code.operand >= chunk_.begin && code.operand < chunk_.end;
      case Operand::list: return within(program_.lists.size());
      case Operand::pattern: return within(program_.patterns.size());
      case Operand::zone: return within(program_.zones.size());
      case Operand::collection: return within(collection_infos.size());
      case Operand::solver: return within(program_.solvers.size());
    }
    return false;
  }

  bool check_operands() {
    for (std::uint32_t at = chunk_.begin; at < chunk_.end; ++at) {
      const Instruction& code = program_.code[at];
      if (static_cast<std::size_t>(code.opcode) >= opcode_table.size()) {
        defect(at, "is no instruction");
        return false;
      }
      if (!operand_in_bounds(code)) defect(at, fmt::format("operand {} is out of bounds", code.operand));
      if (info(code.opcode).a == Slot::role && code.a >= kRoles) defect(at, "names no role");
      if (tests_predicate(code.opcode) && (code.a * 256U + code.b) >= program_.predicates.size()) {
        defect(at, "names no predicate");
      }
      if (info(code.opcode).dst == Slot::iterator && code.dst == 255) defect(at, "has no room for an iterator");
    }
    const Opcode last = program_.code[chunk_.end - 1].opcode;
    if (!is_end(last) && last != Opcode::jump) defect(chunk_.end - 1, "the code runs off its end");
    return !failed_;
  }

  bool writes(const Instruction& code, std::uint8_t reg) const {
    const Slot dst = info(code.opcode).dst;
    if (dst == Slot::none) return false;
    return code.dst == reg || (dst == Slot::iterator && code.dst + 1 == reg);
  }

  bool check_loops() {
    for (std::uint32_t at = chunk_.begin; at < chunk_.end; ++at) {
      const Instruction& code = program_.code[at];
      if (info(code.opcode).operand != Operand::jump || code.operand > at) continue;
      if (program_.code[code.operand].opcode != Opcode::iterate) {
        defect(at, "jumps back to what is no head of a loop");
        return false;
      }
    }
    const std::vector<Loop> found = loops(program_, chunk_);
    for (const Loop& loop : found) {
      const std::uint8_t iterator = program_.code[loop.head].a;
      for (std::uint32_t at = loop.head; at <= loop.last; ++at) {
        const Instruction& code = program_.code[at];
        if (writes(code, iterator) || writes(code, static_cast<std::uint8_t>(iterator + 1))) {
          defect(at, "writes to the iterator of the loop around it");
        }
      }
      for (const Loop& other : found) {
        if (other.head > loop.head && other.head <= loop.last && other.last > loop.last) {
          defect(other.head, "two loops overlap");
        }
      }
    }
    return !failed_;
  }

  /// A read of register `reg` as `slot`; `same` is the type of a.
  bool read(std::uint32_t at, const States& states, std::uint8_t reg, Slot slot, State::Type same) {
    const State& state = states[reg];
    const auto want = [&](State::Type type, bool maybe) {
      if (state.type != type) {
        defect(at, fmt::format("r{} holds {}, not {}", reg, name(state.type), name(type)));
      } else if (state.maybe && !maybe) {
        defect(at, fmt::format("r{} may be absent", reg));
      }
      return !failed_;
    };
    switch (slot) {
      case Slot::boolean: return want(State::Type::boolean, false);
      case Slot::integer: return want(State::Type::integer, false);
      case Slot::text: return want(State::Type::text, false);
      case Slot::row: return want(State::Type::row, false);
      case Slot::same: return want(same, true);
      case Slot::iterator:
        if (state.type != State::Type::iterator || state.detail == kSecond || reg == 255 ||
            states[reg + 1U].type != State::Type::iterator || states[reg + 1U].detail != kSecond) {
          defect(at, fmt::format("r{} is no iterator", reg));
        }
        return !failed_;
      case Slot::any:
        if (state.type == State::Type::unset || state.type == State::Type::iterator) {
          defect(at, fmt::format("r{} holds {}", reg, name(state.type)));
        }
        return !failed_;
      case Slot::none:
      case Slot::role:
      case Slot::high:
      case Slot::low:
      case Slot::collection:
      case Slot::present:
      case Slot::constant:
      case Slot::maybe_constant:
      case Slot::maybe_integer:
      case Slot::column:
      case Slot::element: return true;
    }
    return true;
  }

  void write(const Instruction& code, States& states) {
    State state;
    switch (info(code.opcode).dst) {
      case Slot::none: return;
      case Slot::boolean: state.type = State::Type::boolean; break;
      case Slot::integer: state.type = State::Type::integer; break;
      case Slot::maybe_integer: state = {State::Type::integer, true, 0}; break;
      case Slot::text: state.type = State::Type::text; break;
      case Slot::row:
        state.type = State::Type::row;
        state.detail = static_cast<std::uint8_t>(table_of(static_cast<Role>(code.a)));
        break;
      case Slot::same: state = states[code.a]; break;
      case Slot::present:
        state = states[code.a];
        state.maybe = false;
        break;
      case Slot::constant:
      case Slot::maybe_constant:
        state.type = state_type(type_of(program_.constants[code.operand].kind));
        state.maybe = info(code.opcode).dst == Slot::maybe_constant;
        if (state.type == State::Type::row) state.detail = static_cast<std::uint8_t>(program_.constants[code.operand].value);
        break;
      case Slot::column: state = column_state(program_.columns[code.operand]); break;
      case Slot::iterator:
        states[code.dst] = {State::Type::iterator, false, static_cast<std::uint8_t>(code.operand)};
        states[code.dst + 1U] = {State::Type::iterator, false, kSecond};
        return;
      case Slot::element:
        state.type = State::Type::row;
        state.detail = static_cast<std::uint8_t>(info(static_cast<CollectionId>(states[code.a].detail)).element);
        break;
      case Slot::any:
      case Slot::role:
      case Slot::high:
      case Slot::low:
      case Slot::collection: return;
    }
    states[code.dst] = state;  // over half of an iterator: `read` misses the other half
  }

  /// Rules that the slots of an instruction cannot say.
  bool check_special(std::uint32_t at, const Instruction& code, const States& states) {
    switch (code.opcode) {
      case Opcode::constant:
        if (program_.constants[code.operand].kind == ValueKind::row) defect(at, "a row is no constant");
        break;
      case Opcode::field: {
        const auto table = static_cast<std::uint8_t>(info(program_.columns[code.operand].field).table);
        if (states[code.a].detail != table) defect(at, "the column is not of the row's table");
        break;
      }
      case Opcode::role_field:
        if (info(program_.columns[code.operand].field).table != table_of(static_cast<Role>(code.a))) {
          defect(at, "the column is not of the role's table");
        }
        if (!(chunk_.reads & bit(static_cast<Role>(code.a)))) defect(at, "the chunk does not say that it reads the role");
        break;
      case Opcode::role:
        if (!(chunk_.reads & bit(static_cast<Role>(code.a)))) defect(at, "the chunk does not say that it reads the role");
        break;
      case Opcode::first: {
        const CollectionInfo& collection = info(static_cast<CollectionId>(code.operand));
        if (states[code.a].detail != collection.owner) defect(at, "the row has no such collection");
        break;
      }
      case Opcode::first_of_world:
        if (info(static_cast<CollectionId>(code.operand)).owner != kNoTable) defect(at, "the world has no such collection");
        break;
      case Opcode::iterate:
        if (code.b != states[code.a].detail) defect(at, "the iterator is of another collection");
        break;
      case Opcode::equal:
      case Opcode::not_equal:
      case Opcode::jump_if_equal:
      case Opcode::jump_unless_equal:
        if (states[code.a].type == State::Type::row && states[code.a].detail != states[code.b].detail) {
          defect(at, "compares rows of two tables");
        }
        break;
      case Opcode::in_list: {
        const List& list = program_.lists[code.operand];
        if (states[code.a].type != state_type(type_of(list.kind))) defect(at, "the list is of another type");
        break;
      }
      case Opcode::matches:
        if (states[code.a].type != State::Type::text) defect(at, "matches what is no text");
        break;
      case Opcode::earlier:
        if (states[code.a].type != State::Type::integer || states[code.b].type != State::Type::integer) {
          defect(at, "compares what is no instant");
        }
        break;
      case Opcode::result: {
        const State& state = states[code.a];
        if (state.type != state_type(type_of(chunk_.kind))) defect(at, "the result is of another type");
        if (state.maybe && !chunk_.maybe) defect(at, "the result may be absent");
        break;
      }
      case Opcode::yes:
      case Opcode::no:
        if (chunk_.kind != ValueKind::boolean) defect(at, "the result is of another type");
        break;
      default: break;  // everything else is said by its slots
    }
    return !failed_;
  }

  void flow(std::uint32_t at, const States& states) {
    auto& target = before_[at - chunk_.begin];
    if (!target) {
      target = states;
      work_.push_back(at);
      return;
    }
    bool changed = false;
    for (std::size_t reg = 0; reg < states.size(); ++reg) {
      State& known = (*target)[reg];
      const State& coming = states[reg];
      if (known == coming) continue;
      State met = known;
      if (known.type != coming.type || known.detail != coming.detail) {
        met = State{};
      } else {
        met.maybe = known.maybe || coming.maybe;
      }
      if (met == known) continue;
      known = met;
      changed = true;
    }
    if (changed) work_.push_back(at);
  }

  void step(std::uint32_t at) {
    const Instruction& code = program_.code[at];
    const OpcodeInfo& opcode = info(code.opcode);
    States states = *before_[at - chunk_.begin];
    if (!read(at, states, code.a, opcode.a, State::Type::unset)) return;
    if (!read(at, states, code.b, opcode.b, states[code.a].type)) return;
    if (!check_special(at, code, states)) return;
    const bool ends = is_end(code.opcode);
    if (opcode.operand == Operand::jump) {
      States taken = states;
      if (code.opcode == Opcode::jump_if_present) taken[code.a].maybe = false;
      flow(code.operand, taken);
      if (code.opcode == Opcode::jump_if_absent) states[code.a].maybe = false;
    }
    write(code, states);
    if (!ends && code.opcode != Opcode::jump) {
      if (at + 1 >= chunk_.end) return defect(at, "the code runs off its end");
      flow(at + 1, states);
    }
  }

  const Program& program_;
  std::uint32_t number_;
  const Chunk& chunk_;
  std::vector<Defect>& defects_;
  std::vector<std::optional<States>> before_;
  std::vector<std::uint32_t> work_;
  bool failed_ = false;
};

/// What a chunk may call: conditions test predicates, which may solve; nothing goes deeper.
class Calls {
 public:
  Calls(const Program& program, std::vector<Defect>& defects) : program_(program), defects_(defects) {}

  void forbid(std::uint32_t number, bool predicates, bool solvers, std::string_view what) {
    const Chunk& chunk = program_.chunks[number];
    for (std::uint32_t at = chunk.begin; at < chunk.end; ++at) {
      const Opcode opcode = program_.code[at].opcode;
      if ((predicates && tests_predicate(opcode)) || (solvers && opcode == Opcode::solve)) {
        defects_.push_back({number, at, fmt::format("{} calls too deep", what)});
      }
    }
  }

  bool is_chunk(std::uint32_t number, std::optional<ValueKind> kind, std::string_view what) {
    if (number >= program_.chunks.size()) {
      defects_.push_back({kNone, kNone, fmt::format("{} names no chunk", what)});
      return false;
    }
    if (kind && program_.chunks[number].kind != *kind) {
      defects_.push_back({number, kNone, fmt::format("{} is of the wrong kind", what)});
      return false;
    }
    return true;
  }

 private:
  const Program& program_;
  std::vector<Defect>& defects_;
};

void verify_condition(const Program& program, const Condition& condition, Calls& calls, std::vector<Defect>& defects) {
  if (condition.chunk == kNone) return;
  calls.is_chunk(condition.chunk, ValueKind::boolean, "a condition");
  for (const Mask& mask : condition.masks) {
    if (mask.word >= program.words()) defects.push_back({condition.chunk, kNone, "a mask is out of bounds"});
  }
}

void verify_changes(const Program& program, const std::vector<TimeAtom>& changes, Calls& calls, std::vector<Defect>& defects) {
  for (const TimeAtom& atom : changes) {
    if (!calls.is_chunk(atom.chunk, ValueKind::instant, "a time atom")) continue;
    const Chunk& chunk = program.chunks[atom.chunk];
    for (std::uint32_t at = chunk.begin; at < std::min<std::size_t>(chunk.end, program.code.size()); ++at) {
      const Instruction& code = program.code[at];
      const Opcode only = at == chunk.begin ? Opcode::absent : Opcode::earlier;
      const bool writes = info(code.opcode).dst != Slot::none && code.dst == 0;
      if (writes ? code.opcode != only : at == chunk.begin) defects.push_back({atom.chunk, at, "a time atom loses what it found"});
    }
  }
}

void verify_template(const Program& program, std::uint32_t text, std::vector<Defect>& defects) {
  if (text != kNone && text >= program.templates.size()) defects.push_back({kNone, kNone, "a text is out of bounds"});
}

}  // namespace

std::vector<Loop> loops(const Program& program, const Chunk& chunk) {
  std::vector<Loop> found;
  for (std::uint32_t at = chunk.begin; at < chunk.end; ++at) {
    const Instruction& code = program.code[at];
    if (info(code.opcode).operand != Operand::jump || code.operand > at) continue;
    const auto known = std::find_if(found.begin(), found.end(), [&](const Loop& loop) { return loop.head == code.operand; });
    if (known != found.end()) {
      known->last = std::max(known->last, at);
      continue;
    }
    Loop loop{code.operand, at, CollectionId::workloads};
    for (std::uint32_t before = code.operand; before-- > chunk.begin;) {
      const Instruction& first = program.code[before];
      if (info(first.opcode).dst == Slot::iterator && first.dst == program.code[loop.head].a) {
        loop.collection = static_cast<CollectionId>(first.operand);
        break;
      }
    }
    found.push_back(loop);
  }
  std::sort(found.begin(), found.end(), [](const Loop& a, const Loop& b) { return a.head < b.head; });
  return found;
}

std::vector<Defect> verify(const Program& program) {
  std::vector<Defect> defects;
  if (program.spans.size() != program.code.size()) defects.push_back({kNone, kNone, "the source map does not fit the code"});
  for (const Constant& constant : program.constants) {
    if (constant.kind == ValueKind::text && (constant.value < 0 || static_cast<std::size_t>(constant.value) >= program.texts.size())) {
      defects.push_back({kNone, kNone, "a constant is no text of the program"});
    }
    if (constant.kind == ValueKind::row && (constant.value < 0 || static_cast<std::size_t>(constant.value) >= table_infos.size())) {
      defects.push_back({kNone, kNone, "a constant is of no table"});
    }
  }
  for (const List& list : program.lists) {
    if (!std::is_sorted(list.values.begin(), list.values.end())) defects.push_back({kNone, kNone, "a list is not sorted"});
  }
  if (program.predicates.size() > 0xffff) defects.push_back({kNone, kNone, "there are too many predicates"});
  for (std::uint32_t chunk = 0; chunk < program.chunks.size(); ++chunk) ChunkVerifier(program, chunk, defects).run();

  Calls calls(program, defects);
  for (const Predicate& predicate : program.predicates) {
    if (!calls.is_chunk(predicate.chunk, ValueKind::boolean, "a predicate")) continue;
    calls.forbid(predicate.chunk, true, false, "a predicate");
    if (program.chunks[predicate.chunk].maybe) defects.push_back({predicate.chunk, kNone, "a predicate may be absent"});
  }
  for (const Solver& solver : program.solvers) {
    if (calls.is_chunk(solver.condition, ValueKind::boolean, "a solver")) calls.forbid(solver.condition, true, true, "a solver");
    verify_changes(program, solver.atoms, calls, defects);
    for (const TimeAtom& atom : solver.atoms) {
      if (atom.chunk < program.chunks.size()) calls.forbid(atom.chunk, true, true, "a solver");
    }
  }
  for (const Program::Use& use : program.uses) {
    if (use.test >= program.code.size() || !tests_predicate(program.code[use.test].opcode)) {
      defects.push_back({kNone, use.test, "a use is of no predicate"});
      continue;
    }
    const Instruction& test = program.code[use.test];
    const std::uint32_t predicate = test.a * 256U + test.b;
    if (predicate >= program.predicates.size() || program.predicates[predicate].chunk >= program.chunks.size()) continue;
    const Chunk& chunk = program.chunks[program.predicates[predicate].chunk];
    if (use.first_span + (chunk.end - chunk.begin) > program.use_spans.size()) {
      defects.push_back({kNone, use.test, "the spans of a use are out of bounds"});
    }
  }
  for (const Template& text : program.templates) {
    for (const Template::Piece& piece : text.pieces) {
      if (piece.chunk != kNone) calls.is_chunk(piece.chunk, std::nullopt, "a text");
    }
  }
  for (const Rule& rule : program.rules) {
    verify_condition(program, rule.when, calls, defects);
    verify_changes(program, rule.changes, calls, defects);
    verify_template(program, rule.because, defects);
    for (const Action& action : rule.actions) {
      if (action.value != kNone) calls.is_chunk(action.value, std::nullopt, "an action");
    }
  }
  for (const Fallback& fallback : program.fallbacks) {
    verify_template(program, fallback.otherwise, defects);
    for (const Rung& rung : fallback.rungs) {
      verify_condition(program, rung.when, calls, defects);
      verify_condition(program, rung.unless, calls, defects);
      verify_changes(program, rung.changes, calls, defects);
      verify_template(program, rung.because, defects);
    }
  }
  for (const Invariant& invariant : program.invariants) {
    if (invariant.chunk != kNone) calls.is_chunk(invariant.chunk, ValueKind::row, "an invariant");
  }
  return defects;
}

}  // namespace sluice::program
