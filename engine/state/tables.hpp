#pragma once

#include "model/world.hpp"
#include "state/sqlite.hpp"

/// Between the tables of schema.sql and a World. The two functions name the columns of every table in the
/// same order; tests/state reads back what was written, field by field.
namespace sluice::state {

/// Everything the file holds, in the caller's transaction. Throws Error `snapshot-corrupt` if a value cannot
/// be what Sluice wrote.
World read_tables(Database& database);

/// Makes the file hold `next`, given that it holds `before`, in the caller's transaction: writes only objects
/// that differ. Both must be sorted by (namespace, name) and without doubles.
void write_tables(Database& database, const World& before, const World& next);

}  // namespace sluice::state
