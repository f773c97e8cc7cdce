#include "lang/emit.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/limits.hpp"

namespace sluice::lang {

using program::Instruction;
using program::kNone;
using program::Opcode;
using program::Operand;

void Emitter::emit(Opcode opcode, Reg dst, Reg a, Reg b, std::uint32_t operand, Span span) {
  if (code_.size() >= kMaxChunkInstructions) throw TooLarge{};
  if (opcode == Opcode::now || opcode == Opcode::solve) moves = true;
  if (opcode == Opcode::role || opcode == Opcode::role_field) reads |= program::bit(static_cast<program::Role>(a));
  code_.push_back({opcode, dst, a, b, operand});
  spans_.push_back(span);
}

void Emitter::jump(Opcode opcode, Reg a, Reg b, Label target, Span span) {
  jumps_.emplace_back(size(), target.number);
  emit(opcode, 0, a, b, 0, span);
}

void Emitter::iterate(Reg element, Reg iterator, std::uint8_t collection, Label exit, Span span) {
  jumps_.emplace_back(size(), exit.number);
  emit(Opcode::iterate, element, iterator, collection, 0, span);
}

Emitter::Label Emitter::label() {
  labels_.push_back(kNone);
  return {static_cast<std::uint32_t>(labels_.size() - 1)};
}

void Emitter::place(Label label) { labels_[label.number] = size(); }

Reg Emitter::take() {
  if (next_ >= 250) throw TooLarge{};
  return next_++;
}

Reg Emitter::take_pair() {
  const Reg first = take();
  take();
  return first;
}

Pool::Pool(program::Program& program) : program_(program) {
  for (std::uint32_t i = 0; i < program.constants.size(); ++i) {
    constants_.emplace(std::pair(program.constants[i].kind, program.constants[i].value), i);
  }
  for (std::uint32_t i = 0; i < program.columns.size(); ++i) {
    columns_.emplace(std::pair(program.columns[i].field, program.columns[i].key), i);
  }
}

std::uint32_t Pool::constant(program::ValueKind kind, std::int64_t value) {
  const auto [found, added] =
      constants_.try_emplace({kind, value}, static_cast<std::uint32_t>(program_.constants.size()));
  if (added) program_.constants.push_back({kind, value});
  return found->second;
}

std::uint32_t Pool::text(std::string_view text) {
  return constant(program::ValueKind::text, program_.texts.intern(text));
}

std::uint32_t Pool::column(FieldId field, std::string_view key) {
  const auto [found, added] = columns_.try_emplace({field, std::string(key)}, static_cast<std::uint32_t>(program_.columns.size()));
  if (added) program_.columns.push_back({field, std::string(key)});
  return found->second;
}

std::uint32_t Pool::list(program::List list) {
  std::sort(list.values.begin(), list.values.end());
  list.values.erase(std::unique(list.values.begin(), list.values.end()), list.values.end());
  auto& lists = program_.lists;
  const auto found = std::find(lists.begin(), lists.end(), list);
  if (found != lists.end()) return static_cast<std::uint32_t>(found - lists.begin());
  lists.push_back(std::move(list));
  return static_cast<std::uint32_t>(lists.size() - 1);
}

namespace {

std::uint32_t find_or_add(std::vector<std::string>& texts, std::string_view text) {
  const auto found = std::find(texts.begin(), texts.end(), text);
  if (found != texts.end()) return static_cast<std::uint32_t>(found - texts.begin());
  texts.emplace_back(text);
  return static_cast<std::uint32_t>(texts.size() - 1);
}

}  // namespace

std::uint32_t Pool::pattern(std::string_view pattern) { return find_or_add(program_.patterns, pattern); }
std::uint32_t Pool::zone(std::string_view zone) { return find_or_add(program_.zones, zone); }

void Pool::resolve_jumps(Emitter& emitter) const {
  for (const auto& [instruction, label] : emitter.jumps_) emitter.code_[instruction].operand = emitter.labels_[label];
  emitter.jumps_.clear();
}

std::uint32_t Pool::append(Emitter& emitter, program::ValueKind kind, bool maybe, Span span) {
  if (program_.code.size() + emitter.code_.size() > kMaxProgramInstructions) throw TooLarge{};
  resolve_jumps(emitter);
  program::Chunk chunk;
  chunk.begin = static_cast<std::uint32_t>(program_.code.size());
  chunk.end = chunk.begin + emitter.size();
  chunk.kind = kind;
  chunk.maybe = maybe;
  chunk.reads = emitter.reads;
  chunk.moves = emitter.moves;
  chunk.span = span;
  for (const Instruction& instruction : emitter.code_) {
    program_.code.push_back(instruction);
    if (info(instruction.opcode).operand == Operand::jump) program_.code.back().operand += chunk.begin;
  }
  program_.spans.insert(program_.spans.end(), emitter.spans_.begin(), emitter.spans_.end());
  program_.chunks.push_back(chunk);
  return static_cast<std::uint32_t>(program_.chunks.size() - 1);
}

std::uint32_t Pool::append_shared(Emitter& emitter, program::ValueKind kind, bool maybe, Span span) {
  resolve_jumps(emitter);
  std::string bytes(emitter.code_.size() * sizeof(Instruction), '\0');
  std::memcpy(bytes.data(), emitter.code_.data(), bytes.size());
  bytes += static_cast<char>(kind);
  const auto known = shared_.find(bytes);
  if (known != shared_.end()) return known->second;
  const std::uint32_t chunk = append(emitter, kind, maybe, span);
  shared_.emplace(std::move(bytes), chunk);
  return chunk;
}

}  // namespace sluice::lang
