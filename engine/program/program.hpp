#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/span.hpp"
#include "base/symbol.hpp"
#include "base/time.hpp"
#include "model/fields.hpp"
#include "program/opcode.hpp"
#include "program/value.hpp"

/// What the compiler writes and the VM reads. Plain data; `verify` before use.
///
/// Rows and columns   A decision is about rows of the tables of model/fields.def: one plays each `Role`. A program names
///                    the (field, key) pairs that it reads: `columns`. Whoever runs it binds each to an array of int64
///                    and a bitmap of presence, one entry a row of the field's table (vm/binding.hpp).
/// Chunks             Code is cut into chunks, each a function of the current rows without side effect: the value of an
///                    expression, a condition, an instant at which something may change.
/// Predicates         Each distinct atomic condition of all rules is one chunk, a predicate. A condition is a chunk that
///                    only tests predicates and jumps; a predicate is evaluated once for the current rows, however many
///                    rules test it.
/// Vector back end    Reads the same Program: a predicate is evaluated for 2,048 rows of the workload table at a time,
///                    its columns being contiguous, into a bitmap; a condition combines bitmaps (`masks` tells the
///                    common case apart); what reads other roles or loops is left to the scalar back end row by row.
namespace sluice::program {

inline constexpr std::uint32_t kNone = 0xffffffff;

/// Who is looked at in a decision.
enum class Role : std::uint8_t { workload, name_space, pod_set, queue, flavor, assignment, candidate, shape, domain };
inline constexpr std::size_t kRoles = 9;
Table table_of(Role role);
std::string_view to_string(Role role);
using RoleSet = std::uint16_t;
constexpr RoleSet bit(Role role) { return static_cast<RoleSet>(1U << static_cast<unsigned>(role)); }

struct Constant {
  ValueKind kind = ValueKind::number;
  std::int64_t value = 0;  ///< a text: its symbol in Program::texts; a row (only for `absent`): its table

  friend bool operator==(const Constant&, const Constant&) = default;
};

struct Column {
  FieldId field = FieldId::workload_name;
  std::string key;  ///< label or resource; empty if the field has none

  friend auto operator<=>(const Column&, const Column&) = default;
};

/// The values of `in […]`, sorted, unique.
struct List {
  ValueKind kind = ValueKind::text;
  std::vector<std::int64_t> values;

  friend bool operator==(const List&, const List&) = default;
};

/// Code that computes one value.
struct Chunk {
  std::uint32_t begin = 0;  ///< index into Program::code
  std::uint32_t end = 0;
  ValueKind kind = ValueKind::boolean;  ///< of the result
  bool maybe = false;                   ///< the result may be absent
  RoleSet reads = 0;                    ///< roles whose rows it looks at
  bool moves = false;                   ///< reads the clock
  Span span;
};

struct Predicate {
  std::uint32_t chunk = kNone;
  bool faults = false;  ///< an instruction of it can fault
  bool loops = false;
};

/// Some predicates must hold and others must not: bit i of a word stands for predicate 64 * word + i.
struct Mask {
  std::uint32_t word = 0;
  std::uint64_t care = 0;
  std::uint64_t want = 0;
};

/// The guard of a rule or rung.
struct Condition {
  std::uint32_t chunk = kNone;  ///< kNone: always
  /// The predicates that are tested first and that neither fault nor loop, as far as all must hold or must not:
  /// where they fail the condition is false. `exact`: where they hold it is true.
  std::vector<Mask> masks;
  bool exact = false;
};

/// Next instant at which a chunk's truth or value may change by waiting alone: a chunk of kind instant, absent if never.
/// It begins with `absent r0` and changes r0 by `earlier` alone: what it found before it faults can be used.
struct TimeAtom {
  std::uint32_t chunk = kNone;
  Span span;  ///< what changes
};

/// The search for the next instant at which a condition on the time holds.
struct Solver {
  std::uint32_t condition = kNone;  ///< a chunk of kind boolean
  std::vector<TimeAtom> atoms;      ///< when the condition may change
};

/// A text with values: `because`.
struct Template {
  struct Piece {
    std::string literal;
    std::uint32_t chunk = kNone;  ///< kNone: only the literal
  };
  std::vector<Piece> pieces;
};

enum class Point : std::uint8_t { submit, order, flavor, admit, preempt, provision, place };
inline constexpr std::size_t kPoints = 7;
std::string_view to_string(Point point);
enum class OnError : std::uint8_t { hold, skip, deny };

struct Action {
  enum class Kind : std::uint8_t {
    deny,
    warn,
    default_queue,           ///< name
    default_priority_class,  ///< name
    default_priority,        ///< value: a number
    default_label,           ///< key; value: a text
    default_compute_class,   ///< name
    default_annotation,      ///< key; value: a text
    default_max_run,         ///< name: a duration
    default_topology,        ///< key: require or prefer; name: the level; of all defaults other: the field's word
    score,                   ///< value
    skip,
    prefer,                  ///< name over other
    hold,                    ///< value: an instant; kNone: as long as the rule matches
    require_check,           ///< name
    protect,
    cost,                    ///< value
    use,                     ///< name: the word of the provisioning model
    place,                   ///< name: require, prefer, spread, slice; other: the level
  };
  Kind kind = Kind::deny;
  Span span;
  std::int64_t after = 0;  ///< says nothing while the workload has waited less; nanoseconds
  std::string name;
  std::string other;
  std::string key;
  std::uint32_t value = kNone;  ///< chunk
};

struct Rule {
  std::string name;
  std::string doc;
  Span span;  ///< its name
  Point point = Point::admit;
  Condition when;
  std::vector<Action> actions;
  std::uint32_t because = kNone;  ///< template
  OnError on_error = OnError::hold;
  std::vector<TimeAtom> changes;
};

struct Rung {
  std::string flavor;
  Span span;
  std::optional<Duration> after;
  Condition when;
  Condition unless;  ///< chunk kNone: none
  std::uint32_t because = kNone;
  std::vector<TimeAtom> changes;  ///< without `after`
};

struct Fallback {
  std::string queue;
  std::string doc;
  Span span;
  std::vector<Rung> rungs;
  std::uint32_t otherwise = kNone;  ///< template; kNone: no text
  Span otherwise_span;
};

/// `never for w in workloads where …: …`
struct Invariant {
  std::string name;
  Span span;
  std::uint32_t chunk = kNone;  ///< kind row: the first element that breaks it; absent if none
};

struct Program {
  Symbols texts;
  std::vector<Instruction> code;
  std::vector<Span> spans;  ///< source map: one a instruction
  std::vector<Constant> constants;
  std::vector<Column> columns;
  std::vector<List> lists;
  std::vector<std::string> patterns;  ///< RE2
  std::vector<std::string> zones;     ///< IANA names
  std::vector<Chunk> chunks;
  std::vector<Predicate> predicates;
  std::vector<Solver> solvers;
  std::vector<Template> templates;

  /// A predicate's code is shared, but each rule wrote it at another place: the spans of the predicate's instructions
  /// as written where the instruction `test` (a jump_…_predicate) tests it. Sorted by `test`; no entry: the
  /// predicate's own spans.
  struct Use {
    std::uint32_t test = 0;
    std::uint32_t first_span = 0;  ///< index into use_spans
  };
  std::vector<Use> uses;
  std::vector<Span> use_spans;

  std::vector<Rule> rules;          ///< sorted by point, then as written
  std::vector<Fallback> fallbacks;  ///< one a queue, sorted by queue
  std::vector<Invariant> invariants;
  bool order_collects_sum = false;

  std::uint32_t words() const { return static_cast<std::uint32_t>((predicates.size() + 63) / 64); }
};

enum class FaultKind : std::uint8_t { overflow, division_by_zero, absent_value, bad_time_zone };
std::string_view to_string(FaultKind kind);

/// A chunk went wrong.
struct Fault {
  FaultKind kind = FaultKind::overflow;
  std::uint32_t instruction = 0;
  std::uint32_t test = kNone;  ///< the instruction that tested the predicate in which it happened; kNone: none

  friend bool operator==(const Fault&, const Fault&) = default;
};
/// What the author wrote that went wrong.
Span span_of(const Program& program, const Fault& fault);

}  // namespace sluice::program
