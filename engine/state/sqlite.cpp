#include "state/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace sluice::state {
namespace {

/// The disk has no room, the user's quota or a limit of the process is reached.
bool is_out_of_room(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/// The Error of a result code. `handle` may be null: then there is only the code.
Error error_of(sqlite3* handle, int code) {
  // SQLite forgets the system's error on some ways out of a statement; errno still has it.
  int last = errno;
  int system = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  if (system == 0) system = last;
  std::string said = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return Error("snapshot-locked", "the snapshot is locked by another process that writes to it");
    case SQLITE_CORRUPT:
      return Error("snapshot-corrupt", "the snapshot is damaged: " + said);
    case SQLITE_NOTADB:
      return Error("not-a-snapshot", "the file is no SQLite database");
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return Error("snapshot-read-only", "the snapshot cannot be written: " + said);
    case SQLITE_FULL:
      return Error("disk-full", "there is no room left on the disk for the snapshot");
    case SQLITE_CANTOPEN:
      if (system != 0) said += ": " + std::generic_category().message(system);
      return Error("snapshot-io", "the snapshot cannot be opened: " + said);
    case SQLITE_IOERR:
      if (is_out_of_room(system)) {
        return Error("disk-full",
                     "there is no room left for the snapshot: " + std::generic_category().message(system));
      }
      if (system != 0) said += ": " + std::generic_category().message(system);
      return Error("snapshot-io", "the snapshot cannot be read or written: " + said);
    case SQLITE_NOMEM:
      return Error("out-of-memory", "the memory does not suffice for the snapshot");
    case SQLITE_AUTH:
      return Error("bad-query", "a query only reads: " + said);
    case SQLITE_INTERRUPT:
      return Error("snapshot-io", "interrupted");
    default:
      return Error("bad-query", said);
  }
}

[[noreturn]] void fail(sqlite3* handle, int code) {
  throw error_of(handle, code);
}

/// SQLite needs a path that it can read as a URI, for `immutable`.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  if (path.starts_with("//")) uri += "//";  // else the first part would be an authority
  for (char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

/// What follows the first statement, if it is more than blanks, semicolons and comments.
bool has_statement(std::string_view sql) {
  while (!sql.empty()) {
    if (std::string_view(" \t\r\n\f;").find(sql.front()) != std::string_view::npos) {
      sql.remove_prefix(1);
    } else if (sql.starts_with("--")) {
      sql.remove_prefix(std::min(sql.find('\n'), sql.size()));
    } else if (sql.starts_with("/*")) {
      std::size_t end = sql.find("*/", 2);
      sql.remove_prefix(end == std::string_view::npos ? sql.size() : end + 2);
    } else {
      return true;
    }
  }
  return false;
}

/// Lets a query read and compute. A PRAGMA may only ask.
int authorize_query(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return SQLITE_OK;  // load_extension is refused by SQLite itself
    case SQLITE_PRAGMA: {
      std::string_view name = first == nullptr ? "" : first;
      bool describes = name.starts_with("table_") || name.starts_with("index_") || name == "foreign_key_list";
      return second == nullptr || describes ? SQLITE_OK : SQLITE_DENY;
    }
    case SQLITE_UPDATE:
      // How SQLite declares table functions (`pragma_table_info('node')`); the schema itself is read-only
      // here.
      return first != nullptr && std::string_view(first) == "sqlite_master" ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  int code = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, &tail);
  statement_.reset(statement);
  if (code != SQLITE_OK) fail(database, code);
  if (tail != nullptr) has_more_ = has_statement(sql.substr(static_cast<std::size_t>(tail - sql.data())));
}

void Statement::bind(int parameter, std::int64_t value) {
  int code = sqlite3_bind_int64(statement_.get(), parameter + 1, value);
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement_.get()), code);
}

void Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  int code =
      sqlite3_bind_text64(statement_.get(), parameter + 1, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement_.get()), code);
}

void Statement::bind_null(int parameter) {
  int code = sqlite3_bind_null(statement_.get(), parameter + 1);
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement_.get()), code);
}

bool Statement::step() {
  int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(sqlite3_db_handle(statement_.get()), code);
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

int Statement::columns() const {
  return sqlite3_column_count(statement_.get());
}

std::string_view Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(statement_.get(), column);
  return name == nullptr ? std::string_view() : name;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
}
bool Statement::is_real(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT;
}
bool Statement::is_text(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::is_read_only() const {
  return sqlite3_stmt_readonly(statement_.get()) != 0;
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const std::string& path, Access access, Duration busy) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::read_only ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE;
  // `:memory:` and `file:…` would mean something else.
  std::string file = path.starts_with("/") ? path : "./" + path;
  std::string name = access == Access::read_only ? uri_of(file) : file;
  sqlite3* handle = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(handle, code);
  sqlite3_busy_timeout(handle, static_cast<int>(busy.ns / 1'000'000));
  // The file may come from anyone: its schema runs nothing, damaged pages are noticed early.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON");
  switch (access) {
    case Access::read:
    case Access::read_only:
      run("PRAGMA query_only = ON");
      break;
    case Access::write:
      break;
    case Access::write_unshared:
      run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
      break;
  }
}

void Database::run(const char* sql) {
  int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  if (!statement.step() || !statement.is_integer(0)) {
    throw Error("snapshot-corrupt", fmt::format("the snapshot is damaged: no answer to `{}`", sql));
  }
  return statement.integer(0);
}

bool Database::has_transaction() const {
  return sqlite3_get_autocommit(handle_.get()) == 0;
}

std::int64_t Database::last_id() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

void Database::allow_only_queries() {
  sqlite3_set_authorizer(handle_.get(), authorize_query, nullptr);
}

void Database::close() {
  if (handle_ == nullptr) return;
  int code = sqlite3_close(handle_.get());
  if (code != SQLITE_OK) fail(handle_.get(), code);
  static_cast<void>(handle_.release());  // closed
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.run(kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // After some errors SQLite has rolled back by itself.
  if (!open_ || !database_.has_transaction()) return;
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {
    // The connection is closed next, and what was not committed is not seen by the next one.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

Error with_path(const Error& error, const std::string& path) {
  Error placed(error.code(), fmt::format("`{}`: {}", path, error.message()));
  placed.at(error.file(), error.line(), error.column(), error.source_line()).help(error.help());
  return placed;
}

}  // namespace sluice::state
