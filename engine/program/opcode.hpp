#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Instructions, made from opcodes.def.
namespace sluice::program {

enum class Opcode : std::uint8_t {
#define OPCODE(name, dst, a, b, operand, synopsis) name,
#include "program/opcodes.def"
#undef OPCODE
};

/// What an instruction expects of a register or leaves in it; the words are explained in opcodes.def.
enum class Slot : std::uint8_t {
  none, boolean, integer, text, row, iterator, any, same, present, role, high, low, collection,
  constant, maybe_constant, maybe_integer, column, element,
};

enum class Operand : std::uint8_t { none, constant, column, jump, list, pattern, zone, collection, solver };

struct OpcodeInfo {
  std::string_view name;
  Slot dst;
  Slot a;
  Slot b;
  Operand operand;
  std::string_view synopsis;
};

inline constexpr std::array opcode_table = {
#define OPCODE(name, dst, a, b, operand, synopsis) \
  OpcodeInfo{#name, Slot::dst, Slot::a, Slot::b, Operand::operand, synopsis},
#include "program/opcodes.def"
#undef OPCODE
};
static_assert(opcode_table.size() <= 256, "an opcode is one byte");

constexpr const OpcodeInfo& info(Opcode opcode) { return opcode_table[static_cast<std::size_t>(opcode)]; }

/// Whether the instruction can leave its chunk by a fault.
constexpr bool can_fault(Opcode opcode) {
  constexpr std::array faulting = {
      Opcode::need,   Opcode::add,      Opcode::subtract, Opcode::multiply, Opcode::divide,
      Opcode::scale,  Opcode::negate,   Opcode::absolute, Opcode::clock,    Opcode::weekday,
      Opcode::solve,  Opcode::divide_down, Opcode::jump_if_predicate, Opcode::jump_unless_predicate,
  };
  for (const Opcode one : faulting) {
    if (one == opcode) return true;
  }
  return false;
}

/// Eight bytes, so that a chunk is one stretch of memory that the cache reads ahead.
struct Instruction {
  Opcode opcode = Opcode::no;
  std::uint8_t dst = 0;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint32_t operand = 0;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 8);

}  // namespace sluice::program
