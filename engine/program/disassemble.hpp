#pragma once

#include <cstdint>
#include <string>

#include "base/source_map.hpp"
#include "program/program.hpp"

namespace sluice::program {

/// The whole program as text (`sluice code`): each rule and fallback with its cost, then the code of its guard,
/// verdicts and text under the source it was made from; the predicates that rules share; the columns that are read.
std::string disassemble(const Program& program, const SourceMap& sources);

/// One instruction: `role_field  r0 <- workload.kind`.
std::string disassemble(const Program& program, std::uint32_t instruction);

/// A column as a policy writes it: `workload.labels["team"]`, `podset.request(cpu)`.
std::string to_string(const Column& column);
/// A constant as a policy writes it; texts in quotes.
std::string to_string(const Program& program, const Constant& constant);

}  // namespace sluice::program
