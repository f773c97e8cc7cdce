#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace sluice::program {

/// One thing that is wrong with a program; never the policy author's fault.
struct Defect {
  std::uint32_t chunk = kNone;
  std::uint32_t instruction = kNone;
  std::string message;
};

/// Everything that a VM relies on and does not test: registers are written before they are read, with the right type
/// and presence on every path; operands and jumps are in bounds; code does not run off its chunk; and every chunk
/// ends, because the only way back is to the head of a loop over a collection, whose iterator nobody else touches.
/// Empty: the program is sound.
std::vector<Defect> verify(const Program& program);

/// A loop of a chunk: `head` is its `iterate`, `last` its last jump back. Loops are nested or disjoint.
struct Loop {
  std::uint32_t head = 0;
  std::uint32_t last = 0;
  CollectionId collection = CollectionId::workloads;
};
/// The loops of a verified chunk, outermost first.
std::vector<Loop> loops(const Program& program, const Chunk& chunk);

}  // namespace sluice::program
