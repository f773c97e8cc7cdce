#pragma once

#include <cstdint>
#include <span>

#include "state/sqlite.hpp"

namespace sluice::state {

/// In the header of the file, so that `file` and SQLite tell our databases from others: "Slui".
inline constexpr std::int64_t kApplicationId = 0x536c7569;

/// SQL that takes a file from version `from` to `from + 1`.
struct Migration {
  std::int64_t from;
  const char* sql;
};

/// schema.sql and migrations/*.sql, as texts in the binary.
extern const char* const schema_sql;
extern const std::int64_t schema_version;
extern const std::span<const Migration> migrations;

/// Makes the tables in an empty file, inside of the caller's transaction.
void create_schema(Database& database);

/// Throws Error if the file is no snapshot, or of a schema that this program does not know
/// (`snapshot-too-new`). Returns its version.
std::int64_t check_schema(Database& database);

/// Takes the file to the version that the last migration leads to, inside of the caller's transaction.
void migrate(Database& database, std::int64_t from, std::span<const Migration> steps);

}  // namespace sluice::state
