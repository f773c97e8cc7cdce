#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"
#include "tree_evaluator.hpp"
#include "vm/binding.hpp"

namespace sluice::test {

/// Rows by chance for whatever columns a program reads, both as the VM and as the tree evaluator want them.
class RandomRows {
 public:
  static constexpr std::uint32_t kRows = 7;

  RandomRows(const program::Program& program, std::uint64_t seed, Instant now);

  vm::Binding binding();
  const TreeRows& tree() const { return tree_; }
  TreeRows& tree() { return tree_; }
  const Symbols& texts() const { return texts_; }

 private:
  TreeValue cell(FieldId field, std::string_view key, std::uint32_t row) const;

  struct Values {
    std::vector<std::int64_t> values;
    std::vector<std::uint64_t> present;
  };
  const program::Program& program_;
  std::uint64_t seed_;
  Instant now_;
  Symbols texts_;
  std::vector<Values> values_;
  std::vector<vm::Column> columns_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> living_;
  std::vector<vm::Collection> collections_;
  std::vector<vm::StockOut> stock_outs_;
  TreeRows tree_;
};

}  // namespace sluice::test
