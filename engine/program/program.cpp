#include "program/program.hpp"

#include <algorithm>
#include <array>

namespace sluice::program {

Table table_of(Role role) {
  switch (role) {
    case Role::workload:
    case Role::candidate: return Table::workload;
    case Role::name_space: return Table::name_space;
    case Role::pod_set: return Table::pod_set;
    case Role::queue: return Table::queue;
    case Role::flavor: return Table::flavor;
    case Role::assignment: return Table::assignment;
    case Role::shape: return Table::shape;
    case Role::domain: return Table::domain;
  }
  return Table::workload;
}

std::string_view to_string(Role role) {
  if (role == Role::candidate) return "candidate";
  return info(table_of(role)).word;
}

std::string_view to_string(Point point) {
  constexpr std::array<std::string_view, kPoints> names = {"submit", "order",     "flavor", "admit",
                                                           "preempt", "provision", "place"};
  return names[static_cast<std::size_t>(point)];
}

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::overflow: return "overflow";
    case FaultKind::division_by_zero: return "division by zero";
    case FaultKind::absent_value: return "absent value";
    case FaultKind::bad_time_zone: return "unknown time zone";
  }
  return "";
}

Span span_of(const Program& program, const Fault& fault) {
  if (fault.instruction >= program.spans.size()) return {};
  if (fault.test != kNone) {
    const auto use = std::lower_bound(program.uses.begin(), program.uses.end(), fault.test,
                                      [](const Program::Use& a, std::uint32_t test) { return a.test < test; });
    if (use != program.uses.end() && use->test == fault.test) {
      const Instruction& test = program.code[fault.test];
      const Chunk& chunk = program.chunks[program.predicates[test.a * 256U + test.b].chunk];
      // A search for an instant faults in chunks of its own, which are not shared.
      if (fault.instruction < chunk.begin || fault.instruction >= chunk.end) return program.spans[fault.instruction];
      return program.use_spans[use->first_span + (fault.instruction - chunk.begin)];
    }
  }
  return program.spans[fault.instruction];
}

}  // namespace sluice::program
