#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/time.hpp"

struct sqlite3;
struct sqlite3_stmt;

/// SQLite as the snapshot uses it. Every failure is an Error whose code says what the user can do about it:
/// `snapshot-locked`, `snapshot-corrupt`, `not-a-snapshot`, `snapshot-read-only`, `disk-full`, `snapshot-io`,
/// `bad-query` (prepare only).
namespace sluice::state {

/// A prepared statement. Parameters count from 0, as columns do.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);

  void bind(int parameter, std::int64_t value);
  /// The text must live until the next `step` or `reset`: it is not copied.
  void bind(int parameter, std::string_view text);
  void bind_null(int parameter);

  /// True if there is a row; false at the end.
  bool step();
  void reset();

  int columns() const;
  std::string_view column_name(int column) const;
  bool is_null(int column) const;
  bool is_integer(int column) const;
  bool is_real(int column) const;
  bool is_text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  /// The bytes of a text or blob; valid until the next `step` or `reset`.
  std::string_view text(int column) const;

  /// True if running it changes nothing in the file.
  bool is_read_only() const;
  /// What follows the statement in the SQL it was made of, without blanks and comments.
  bool has_more() const { return has_more_; }
  bool is_empty() const { return statement_ == nullptr; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  bool has_more_ = false;
};

/// One connection. Not for use by two threads at once.
class Database {
 public:
  enum class Access : std::uint8_t {
    read,           ///< cleans up after itself (-wal, -shm) where the folder may be written
    read_only,      ///< never writes anything, not even locks of a WAL; needs a file at rest ("immutable")
    write,          ///< the file must exist
    write_unshared  ///< a new file that nobody else sees: no journal, no syncing
  };
  /// `path` appears in messages; the file is opened at once. `busy`: how long to wait for another writer.
  Database(const std::string& path, Access access, Duration busy);

  /// Runs SQL without parameters and rows; may be several statements.
  void run(const char* sql);
  Statement prepare(std::string_view sql) { return Statement(handle_.get(), sql); }
  /// The only column of the only row.
  std::int64_t integer(std::string_view sql);

  bool has_transaction() const;
  std::int64_t last_id() const;
  /// From now on only statements that read this file are compiled: no ATTACH, no PRAGMA that sets.
  void allow_only_queries();
  /// Closes; throws where the destructor would stay silent.
  void close();

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// BEGIN … COMMIT; rolls back unless committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };
  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

/// The same file in messages of every layer: adds the path to errors of SQLite, which does not know it.
Error with_path(const Error& error, const std::string& path);

}  // namespace sluice::state
