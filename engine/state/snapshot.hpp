#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"
#include "model/world.hpp"

/// A snapshot: one SQLite file that holds a World. docs/snapshot.md describes it for people who query it.
///
/// Throws Error, with the path in its message:
///   snapshot-missing     there is no such file
///   not-a-snapshot       a folder, an empty file, no database, or a database of another program
///   snapshot-too-new     written by a newer version
///   snapshot-too-old     only where it is not writable and would have to be migrated
///   snapshot-corrupt     damaged
///   snapshot-locked      another process writes, longer than one waits
///   snapshot-read-only   writing is not permitted
///   disk-full, snapshot-io
namespace sluice {

namespace state {
class Database;
}

/// How long a writer waits for another one, if not said otherwise.
inline constexpr Duration kDefaultBusy = Duration::seconds(5);

struct SnapshotInfo {
  struct Kind {
    std::string name;  ///< as in the API: `ClusterQueue`
    std::int64_t count = 0;
  };
  struct Source {
    std::string path;
    std::int64_t objects = 0;
  };
  std::int64_t schema_version = 0;
  Instant instant;
  std::uint64_t bytes = 0;  ///< of the file and of what waits in its -wal
  std::vector<Kind> kinds;  ///< every kind, also those without objects
  std::vector<Source> sources;
  std::vector<std::pair<std::string, std::string>> resource_versions;  ///< by kind
};

/// NULL, integer, real, text (or the bytes of a blob).
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;

struct SqlTable {
  std::vector<std::string> columns;
  std::vector<std::vector<SqlValue>> rows;
};

/// A snapshot opened for reading. Sees one instant from the moment it is opened, whatever writers do
/// meanwhile; does not keep them from writing.
class Snapshot {
 public:
  static Snapshot open(const std::string& path, Duration busy = kDefaultBusy);
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  World read_world() const;
  SnapshotInfo info() const;
  /// Runs one statement that reads. Throws also Error `bad-query`.
  SqlTable query(std::string_view sql) const;
  /// What is wrong with the file, in SQLite's words; empty if it is sound. Reads all of it.
  std::vector<std::string> damages() const;

 private:
  struct File;
  explicit Snapshot(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// Changes a snapshot: `edit` gets what it holds and leaves what it shall hold. All or nothing: if `edit`
/// throws, or writing fails, the file is as it was. A file that does not exist (or is empty) is made, and
/// appears under its name only when it is complete; `edit` then gets an empty World.
/// `edit` is called again, with what is there then, if another process makes the file at the same time.
/// It keeps every kind sorted by (namespace, name) and without doubles.
void update_snapshot(const std::string& path, const std::function<void(World&)>& edit,
                     Duration busy = kDefaultBusy);

}  // namespace sluice
