#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/symbol.hpp"
#include "base/time.hpp"
#include "program/program.hpp"
#include "vm/binding.hpp"

namespace sluice::vm {

/// What a chunk came to.
struct Value {
  bool present = false;
  std::int64_t value = 0;                  ///< in the unit of the chunk's kind
  std::optional<program::Fault> fault;     ///< then there is no value

  explicit operator bool() const { return present && value != 0; }
};

/// The scalar back end: answers questions about single rows.
///
/// A question is the set of rows that play the roles, and an instant. Predicates are evaluated when a condition first
/// tests them and remembered until a row that they read, or the instant, changes.
/// Cost       no allocation in `ask`, `set_row`, `test`, `evaluate` and `match`, but for the first time that a
///            pattern meets a text.
/// Threads    one machine a thread; programs and bindings may be shared.
class Machine {
 public:
  /// The program must be sound (`program::verify`) and outlive the machine.
  explicit Machine(const program::Program& program);
  ~Machine();
  Machine(Machine&&) noexcept;

  /// Must be called before the first question, and again when arrays moved or texts were added.
  void bind(const Binding& binding);

  /// Begins a question: everything that was remembered is forgotten, no row plays a role.
  void ask(Instant now);
  void set_row(program::Role role, std::uint32_t row);

  /// Whether a condition holds; `present` unless it faulted.
  Value test(const program::Condition& condition);
  Value evaluate(std::uint32_t chunk);
  /// When a time atom says that something may change, after the instant of the question; empty if never. Where the
  /// atom faults, what it found before counts: until then the condition faults too.
  std::optional<Instant> change(const program::TimeAtom& atom);

  /// Bit i of `holds`: the condition of program.rules[first + i] holds; of `faults`: it faulted. Both need
  /// (count + 63) / 64 words. The rows of every role that these rules read must be set.
  void match(std::uint32_t first, std::uint32_t count, std::span<std::uint64_t> holds, std::span<std::uint64_t> faults);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A dictionary that begins with the texts of a program.
void seed(Symbols& texts, const program::Program& program);

}  // namespace sluice::vm
