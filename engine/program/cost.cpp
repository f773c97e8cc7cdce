#include "program/cost.hpp"

#include <fmt/format.h>

#include "program/verify.hpp"

namespace sluice::program {

namespace {

void add(Cost& sum, const Cost& more) {
  for (const auto& [loops, steps] : more) sum[loops] += steps;
}

void add_chunk(Cost& sum, const Program& program, std::uint32_t chunk) {
  if (chunk != kNone) add(sum, cost(program, chunk));
}

void add_template(Cost& sum, const Program& program, std::uint32_t text) {
  if (text == kNone) return;
  for (const Template::Piece& piece : program.templates[text].pieces) add_chunk(sum, program, piece.chunk);
}

}  // namespace

Cost cost(const Program& program, std::uint32_t number) {
  const Chunk& chunk = program.chunks[number];
  const std::vector<Loop> nest = loops(program, chunk);
  Cost sum;
  for (std::uint32_t at = chunk.begin; at < chunk.end; ++at) {
    std::vector<CollectionId> around;
    for (const Loop& loop : nest) {
      if (loop.head <= at && at <= loop.last) around.push_back(loop.collection);
    }
    ++sum[around];
    const Instruction& code = program.code[at];
    if (code.opcode == Opcode::jump_if_predicate || code.opcode == Opcode::jump_unless_predicate) {
      add(sum, cost(program, program.predicates[code.a * 256U + code.b].chunk));
    }
  }
  return sum;
}

Cost cost(const Program& program, const Rule& rule) {
  Cost sum;
  add_chunk(sum, program, rule.when.chunk);
  for (const Action& action : rule.actions) add_chunk(sum, program, action.value);
  add_template(sum, program, rule.because);
  return sum;
}

Cost cost(const Program& program, const Fallback& fallback) {
  Cost sum;
  for (const Rung& rung : fallback.rungs) {
    add_chunk(sum, program, rung.when.chunk);
    add_chunk(sum, program, rung.unless.chunk);
    add_template(sum, program, rung.because);
  }
  add_template(sum, program, fallback.otherwise);
  return sum;
}

std::string to_string(const Cost& cost) {
  const auto here = cost.find({});
  std::string text = fmt::format("at most {} steps", here == cost.end() ? 0 : here->second);
  for (const auto& [loops, steps] : cost) {
    if (loops.empty()) continue;
    text += fmt::format(" + {}", steps);
    for (const CollectionId collection : loops) text += fmt::format(" × {}", info(collection).word);
  }
  return text;
}

}  // namespace sluice::program
