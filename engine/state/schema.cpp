#include "state/schema.hpp"

#include <fmt/format.h>

namespace sluice::state {

// The schema of a version is schema.sql as of that version. A change of it raises the number by one and adds
// the step that brings older files there; a test then compares a migrated file with a new one.
const std::int64_t schema_version = 3;

void create_schema(Database& database) {
  database.run(schema_sql);
  database.run(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, schema_version)
          .c_str());
}

std::int64_t check_schema(Database& database) {
  std::int64_t application = database.integer("PRAGMA application_id");
  std::int64_t version = database.integer("PRAGMA user_version");
  if (application != kApplicationId) {
    bool is_empty = database.integer("SELECT count(*) FROM sqlite_master") == 0;
    throw Error("not-a-snapshot",
                is_empty ? "the database is empty; it is no snapshot of Sluice"
                         : "the database belongs to another program; it is no snapshot of Sluice")
        .help("`sluice load FILES… --db NEW` makes a snapshot");
  }
  if (version > schema_version) {
    throw Error("snapshot-too-new",
                fmt::format("the snapshot has schema version {}; this program knows versions up to {}",
                            version, schema_version))
        .help(
            "use the version of Sluice that wrote it, or a newer one, or load the manifests into a new file");
  }
  if (version < 1)
    throw Error("snapshot-corrupt", fmt::format("the snapshot is damaged: schema version {}", version));
  return version;
}

void migrate(Database& database, std::int64_t from, std::span<const Migration> steps) {
  for (const Migration& step : steps) {
    if (step.from < from) continue;
    database.run(step.sql);
    database.run(fmt::format("PRAGMA user_version = {}", step.from + 1).c_str());
  }
}

}  // namespace sluice::state
