#include "program/disassemble.hpp"

#include <string_view>

#include <fmt/format.h>

#include "program/cost.hpp"

namespace sluice::program {

namespace {

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string operand_text(const Program& program, const Instruction& code) {
  switch (info(code.opcode).operand) {
    case Operand::none: return {};
    case Operand::constant: return to_string(program, program.constants[code.operand]);
    case Operand::column: return to_string(program.columns[code.operand]);
    case Operand::jump: return fmt::format("-> {:04}", code.operand);
    case Operand::list: {
      const List& list = program.lists[code.operand];
      std::string text = "[";
      for (const std::int64_t value : list.values) {
        if (text.size() > 1) text += ", ";
        text += to_string(program, Constant{list.kind, value});
      }
      return text + "]";
    }
    case Operand::pattern: return quoted(program.patterns[code.operand]);
    case Operand::zone: return quoted(program.zones[code.operand]);
    case Operand::collection: return std::string(info(static_cast<CollectionId>(code.operand)).word);
    case Operand::solver: return fmt::format("solver {}", code.operand);
  }
  return {};
}

bool is_register(Slot slot) {
  return slot != Slot::none && slot != Slot::role && slot != Slot::high && slot != Slot::low &&
         slot != Slot::collection;
}

/// `policy.sluice:12`.
std::string place(const SourceMap& sources, Span span) {
  if (span.source >= sources.size()) return "?";
  return fmt::format("{}:{}", sources.path(span.source), sources.line(span));
}

/// The source of a span on one line.
std::string source_text(const SourceMap& sources, Span span) {
  std::string text;
  bool gap = false;
  for (const char c : sources.text(span)) {
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
      gap = true;
      continue;
    }
    if (gap && !text.empty()) text += ' ';
    gap = false;
    text += c;
  }
  return text;
}

class Listing {
 public:
  Listing(const Program& program, const SourceMap& sources) : program_(program), sources_(sources) {}

  std::string run() {
    for (const Rule& rule : program_.rules) add_rule(rule);
    for (const Fallback& fallback : program_.fallbacks) add_fallback(fallback);
    for (const Invariant& invariant : program_.invariants) {
      line(fmt::format("invariant {}    {}", quoted(invariant.name), place(sources_, invariant.span)));
      add_chunk("first element that breaks it", invariant.chunk);
    }
    for (std::size_t i = 0; i < program_.predicates.size(); ++i) {
      const Chunk& chunk = program_.chunks[program_.predicates[i].chunk];
      line(fmt::format("predicate p{}    {}", i, place(sources_, chunk.span)));
      add_code(chunk);
    }
    for (std::size_t i = 0; i < program_.solvers.size(); ++i) {
      line(fmt::format("solver {}", i));
      add_chunk("condition", program_.solvers[i].condition);
      for (const TimeAtom& atom : program_.solvers[i].atoms) add_chunk("may change", atom.chunk);
    }
    if (!program_.columns.empty()) line("columns");
    for (std::size_t i = 0; i < program_.columns.size(); ++i) line(fmt::format("  {:3}  {}", i, to_string(program_.columns[i])));
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }

  void add_code(const Chunk& chunk) {
    Span last{kNone, 0, 0};
    for (std::uint32_t at = chunk.begin; at < chunk.end; ++at) {
      if (!(program_.spans[at] == last)) {
        last = program_.spans[at];
        const std::string source = source_text(sources_, last);
        if (!source.empty()) line(fmt::format("    ; {}", source));
      }
      line(fmt::format("    {:04}  {}", at, disassemble(program_, at)));
    }
  }

  void add_chunk(std::string_view what, std::uint32_t chunk) {
    if (chunk == kNone) return;
    line(fmt::format("  {}", what));
    add_code(program_.chunks[chunk]);
  }

  void add_condition(std::string_view what, const Condition& condition) {
    if (condition.chunk == kNone) return;
    add_chunk(what, condition.chunk);
    for (const Mask& mask : condition.masks) {
      line(fmt::format("    mask {}: {:016x} = {:016x}{}", mask.word, mask.care, mask.want, condition.exact ? "" : " at least"));
    }
  }

  void add_template(std::string_view what, std::uint32_t text) {
    if (text == kNone) return;
    line(fmt::format("  {}", what));
    for (const Template::Piece& piece : program_.templates[text].pieces) {
      if (!piece.literal.empty()) line(fmt::format("    {}", quoted(piece.literal)));
      if (piece.chunk != kNone) add_code(program_.chunks[piece.chunk]);
    }
  }

  void add_changes(const std::vector<TimeAtom>& changes) {
    for (const TimeAtom& atom : changes) add_chunk("may change by waiting", atom.chunk);
  }

  void add_rule(const Rule& rule) {
    line(fmt::format("rule {} on {}    {}", rule.name, to_string(rule.point), place(sources_, rule.span)));
    line(fmt::format("  {}", to_string(cost(program_, rule))));
    add_condition("when", rule.when);
    for (const Action& action : rule.actions) {
      line(fmt::format("  then {}", source_text(sources_, action.span)));
      if (action.value != kNone) add_code(program_.chunks[action.value]);
    }
    add_template("because", rule.because);
    add_changes(rule.changes);
    line("");
  }

  void add_fallback(const Fallback& fallback) {
    line(fmt::format("fallback for queue {}    {}", fallback.queue, place(sources_, fallback.span)));
    line(fmt::format("  {}", to_string(cost(program_, fallback))));
    for (const Rung& rung : fallback.rungs) {
      line(fmt::format("  {}try {}", rung.after ? fmt::format("after {} ", rung.after->to_string()) : "", rung.flavor));
      add_condition("when", rung.when);
      add_condition("unless", rung.unless);
      add_template("because", rung.because);
      add_changes(rung.changes);
    }
    add_template("otherwise hold", fallback.otherwise);
    line("");
  }

  const Program& program_;
  const SourceMap& sources_;
  std::string text_;
};

}  // namespace

std::string to_string(const Column& column) {
  const FieldInfo& field = info(column.field);
  const std::string word = fmt::format("{}.{}", info(field.table).word, field.word);
  switch (field.key) {
    case FieldKey::none: return word;
    case FieldKey::label: return fmt::format("{}[\"{}\"]", word, column.key);
    case FieldKey::resource: return fmt::format("{}({})", word, column.key);
  }
  return word;
}

std::string to_string(const Program& program, const Constant& constant) {
  if (constant.kind == ValueKind::text) return quoted(program.texts.text(static_cast<Symbol>(constant.value)));
  return to_string(constant.kind, constant.value);
}

std::string disassemble(const Program& program, std::uint32_t instruction) {
  const Instruction& code = program.code[instruction];
  const OpcodeInfo& opcode = info(code.opcode);
  std::string text = fmt::format("{:<22}", opcode.name);
  if (opcode.dst != Slot::none) text += fmt::format(" r{} <-", code.dst);
  if (opcode.a == Slot::high) text += fmt::format(" p{}", code.a * 256 + code.b);
  if (opcode.a == Slot::role) text += fmt::format(" {}", to_string(static_cast<Role>(code.a)));
  if (is_register(opcode.a)) text += fmt::format(" r{}", code.a);
  if (is_register(opcode.b)) text += fmt::format(" r{}", code.b);
  if (const std::string operand = operand_text(program, code); !operand.empty()) text += " " + operand;
  while (text.back() == ' ') text.pop_back();
  return text;
}

std::string disassemble(const Program& program, const SourceMap& sources) { return Listing(program, sources).run(); }

}  // namespace sluice::program
