#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/span.hpp"
#include "program/program.hpp"

/// Putting instructions together: what `compile` writes with.
namespace sluice::lang {

using Reg = std::uint8_t;

/// Thrown while a chunk is emitted that would not fit (functions and `let` are copied where they are used);
/// `compile` catches it and reports.
struct TooLarge {};

/// One chunk being written. Registers are taken and given back like a stack.
class Emitter {
 public:
  struct Label {
    std::uint32_t number = 0;
  };

  void emit(program::Opcode opcode, Reg dst, Reg a, Reg b, std::uint32_t operand, Span span);
  /// A jump to a label that may not be placed yet.
  void jump(program::Opcode opcode, Reg a, Reg b, Label target, Span span);
  /// The head of a loop.
  void iterate(Reg element, Reg iterator, std::uint8_t collection, Label exit, Span span);
  Label label();
  void place(Label label);

  Reg take();
  /// Two neighbours, for an iterator.
  Reg take_pair();
  /// Everything taken since `mark` is free again.
  Reg mark() const { return next_; }
  void release(Reg mark) { next_ = mark; }

  /// One an instruction.
  const std::vector<Span>& spans() const { return spans_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(code_.size()); }

  program::RoleSet reads = 0;
  bool moves = false;
  /// Loop variables: the id of the aggregate to the register of its row.
  std::unordered_map<std::uint32_t, Reg> variables;

 private:
  friend class Pool;
  std::vector<program::Instruction> code_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> labels_;                             // by number: position
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;    // instruction, label
  Reg next_ = 0;
};

/// The program that grows; equal constants, columns, lists and chunks are there once.
class Pool {
 public:
  explicit Pool(program::Program& program);

  std::uint32_t constant(program::ValueKind kind, std::int64_t value);
  std::uint32_t text(std::string_view text);
  std::uint32_t column(FieldId field, std::string_view key);
  std::uint32_t list(program::List list);
  std::uint32_t pattern(std::string_view pattern);
  std::uint32_t zone(std::string_view zone);

  /// Ends a chunk and adds it.
  std::uint32_t append(Emitter& emitter, program::ValueKind kind, bool maybe, Span span);
  /// As append, or the chunk that was added before with the same code.
  std::uint32_t append_shared(Emitter& emitter, program::ValueKind kind, bool maybe, Span span);

  program::Program& program() { return program_; }

 private:
  void resolve_jumps(Emitter& emitter) const;

  program::Program& program_;
  std::map<std::pair<program::ValueKind, std::int64_t>, std::uint32_t> constants_;
  std::map<std::pair<FieldId, std::string>, std::uint32_t, std::less<>> columns_;
  std::map<std::string, std::uint32_t> shared_;  // code as bytes → chunk
};

}  // namespace sluice::lang
