#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/symbol.hpp"
#include "base/time.hpp"

namespace sluice::vm {

/// The values of one program column, one entry a row of the column's table.
/// Texts are symbols of the binding's dictionary, booleans 0 and 1, everything else in the unit of its field.
struct Column {
  const std::int64_t* values = nullptr;
  const std::uint64_t* present = nullptr;  ///< a bit a row, row 0 lowest; null: every row has a value
};

/// The elements of one collection.
struct Collection {
  /// Of a table's rows: elements of row r are offsets[r] to offsets[r + 1] - 1. Null: a collection of the world.
  const std::uint32_t* offsets = nullptr;
  /// Of the world: the rows, in order.
  std::span<const std::uint32_t> rows;
};

/// A flavor of which no machines can be had.
struct StockOut {
  Symbol flavor = Symbols::none;
  std::int64_t since = 0;
};

/// What a program runs on. Owned by the caller, who may change values between questions; the arrays must stay
/// where they are, or be bound again.
struct Binding {
  /// The dictionary: the texts of the program first, with the same symbols (see `seed`), then those of the rows.
  const Symbols* texts = nullptr;
  std::span<const Column> columns;          ///< by number of the program's column
  std::span<const Collection> collections;  ///< by CollectionId
  std::span<const StockOut> stock_outs;
};

}  // namespace sluice::vm
