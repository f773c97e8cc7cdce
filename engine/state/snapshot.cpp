#include "state/snapshot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>

#include "state/schema.hpp"
#include "state/sqlite.hpp"
#include "state/tables.hpp"

namespace sluice {

using state::Database;
using state::Statement;
using state::Transaction;

namespace {

struct KindTable {
  const char* kind;
  const char* table;
};
constexpr std::array<KindTable, 17> kind_tables = {{
    {"ResourceFlavor", "flavor"},
    {"ClusterQueue", "queue"},
    {"Cohort", "cohort"},
    {"LocalQueue", "local_queue"},
    {"WorkloadPriorityClass", "workload_priority_class"},
    {"PriorityClass", "priority_class"},
    {"AdmissionCheck", "admission_check"},
    {"ProvisioningRequestConfig", "provisioning_config"},
    {"ProvisioningRequest", "provisioning_request"},
    {"Topology", "topology"},
    {"Namespace", "namespace"},
    {"LimitRange", "limit_range"},
    {"RuntimeClass", "runtime_class"},
    {"Node", "node"},
    {"Pod", "pod"},
    {"Workload", "workload"},
    {"CapacitySignal", "capacity_signal"},
}};

std::string_view help_of(std::string_view code) {
  if (code == "snapshot-corrupt") {
    return "`sluice snapshot check` says what is broken; load the manifests into a new file";
  }
  if (code == "snapshot-locked") return "try again when the other process is done";
  if (code == "not-a-snapshot" || code == "snapshot-missing")
    return "`sluice load FILES… --db FILE` makes a snapshot";
  if (code == "disk-full") return "nothing was changed; make room and try again";
  return {};
}

bool is_about_the_file(const Error& error) {
  return error.code().starts_with("snapshot-") || error.code() == "not-a-snapshot" ||
         error.code() == "disk-full";
}

/// Errors of the database get the path and a help; others pass.
template <class Work>
auto in_file(const std::string& path, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    // SQL of ours that the file does not know: a table or column is missing.
    bool is_our_sql = error.code() == "bad-query";
    if (!is_our_sql && !is_about_the_file(error)) throw;
    Error placed =
        is_our_sql ? Error("snapshot-corrupt", "the snapshot is damaged: " + error.message()) : error;
    placed = state::with_path(placed, path);
    if (placed.help().empty()) placed.help(std::string(help_of(placed.code())));
    throw placed;
  }
}

Error system_error_of(const std::string& doing, int error) {
  std::string reason = std::generic_category().message(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) return Error("disk-full", doing + ": " + reason);
  bool is_denied = error == EACCES || error == EPERM || error == EROFS;
  return Error(is_denied ? "snapshot-read-only" : "snapshot-io", doing + ": " + reason);
}

/// What stat says about the path; none if nothing is there. Throws for folders, devices and the like.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    throw Error("snapshot-io", "the snapshot cannot be opened: " + std::generic_category().message(errno));
  }
  if (S_ISDIR(status.st_mode)) throw Error("not-a-snapshot", "it is a folder, not a snapshot");
  if (!S_ISREG(status.st_mode))
    throw Error("not-a-snapshot", "it is no regular file, so it cannot be a snapshot");
  return status;
}

/// Before SQLite sees it: its own messages for such files are unclear.
void check_header(const std::string& path) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    throw Error("snapshot-io", "the snapshot cannot be opened: " + std::generic_category().message(errno));
  }
  std::array<char, 16> header{};
  ssize_t got = ::pread(file, header.data(), header.size(), 0);
  ::close(file);
  if (got < 0)
    throw Error("snapshot-io", "the snapshot cannot be read: " + std::generic_category().message(errno));
  if (got == 0) throw Error("not-a-snapshot", "the file is empty");
  if (std::string_view(header.data(), static_cast<std::size_t>(got)) != magic) {
    throw Error("not-a-snapshot", "the file is no SQLite database");
  }
}

std::string folder_of(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_writable(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}
bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

/// A name beside `path` under which a new snapshot grows; it is gone at the end, whatever happens.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) {
    std::random_device random;
    for (int attempt = 0;; ++attempt) {
      name_ = fmt::format("{}.{:08x}.new", path, random());
      int file = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
      if (file >= 0) {
        ::close(file);
        return;
      }
      if (errno != EEXIST || attempt == 100) throw system_error_of("the snapshot cannot be made", errno);
    }
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((name_ + suffix).c_str());
  }

  const std::string& name() const { return name_; }

  void sync() const { sync_path(name_, O_RDWR); }

  /// Gives the file its name. `over_empty`: an empty file has that name now. False if another process has
  /// made a file of that name meanwhile.
  bool publish(const std::string& path, bool over_empty) {
    if (over_empty) {
      struct stat status {};
      if (::stat(path.c_str(), &status) == 0) ::chmod(name_.c_str(), status.st_mode & 07777);
      if (::rename(name_.c_str(), path.c_str()) != 0)
        throw system_error_of("the snapshot cannot be made", errno);
    } else if (::link(name_.c_str(), path.c_str()) != 0) {
      if (errno == EEXIST) return false;
      // Not every file system has links.
      if (::rename(name_.c_str(), path.c_str()) != 0)
        throw system_error_of("the snapshot cannot be made", errno);
    }
    sync_path(folder_of(path), O_RDONLY | O_DIRECTORY);
    return true;
  }

 private:
  static void sync_path(const std::string& path, int flags) {
    int file = ::open(path.c_str(), flags | O_CLOEXEC);
    if (file < 0) throw system_error_of("the snapshot cannot be made", errno);
    int result = ::fsync(file);
    int error = errno;
    ::close(file);
    // Some file systems cannot sync a folder.
    if (result != 0 && error != EINVAL) throw system_error_of("the snapshot cannot be made", error);
  }

  std::string name_;
};

/// False if another process was faster.
bool create(const std::string& path, const std::function<void(World&)>& edit, bool over_empty) {
  World world;
  edit(world);
  // Through a symbolic link the file it points to is made.
  std::error_code no_link;
  std::filesystem::path real = std::filesystem::weakly_canonical(path, no_link);
  std::string target = no_link ? path : real.string();
  Unfinished unfinished(target);
  Database database(unfinished.name(), Database::Access::write_unshared, Duration{});
  {
    Transaction transaction(database, Transaction::Kind::write);
    state::create_schema(database);
    state::write_tables(database, World{}, world);
    transaction.commit();
  }
  database.run("PRAGMA optimize; PRAGMA journal_mode = WAL");
  database.close();
  unfinished.sync();
  return unfinished.publish(target, over_empty);
}

void change(const std::string& path, const std::function<void(World&)>& edit, Duration busy) {
  check_header(path);
  if (!is_writable(path)) throw Error("snapshot-read-only", "the file may not be written");
  if (!is_writable(folder_of(path))) {
    throw Error("snapshot-read-only", "the folder of the snapshot may not be written")
        .help("SQLite keeps its log beside the file");
  }
  Database database(path, Database::Access::write, busy);
  state::check_schema(database);
  database.run("PRAGMA journal_mode = WAL");
  {
    Transaction transaction(database, Transaction::Kind::write);
    std::int64_t version = state::check_schema(database);
    if (version < state::schema_version) state::migrate(database, version, state::migrations);
    World before = state::read_tables(database);
    World next = before;
    edit(next);
    state::write_tables(database, before, next);
    transaction.commit();
  }
  database.close();
}

}  // namespace

/// An open file and the transaction that keeps its instant.
struct Snapshot::File {
  std::string path;
  Database database;
  std::optional<Transaction> transaction;
  /// Set if the file is read as one that nobody changes: what it looked like.
  std::optional<struct stat> at_rest;

  File(const std::string& name, Database::Access access, Duration busy)
      : path(name), database(name, access, busy) {}

  /// Throws if a file taken to be at rest was changed while it was read.
  void check_at_rest() const {
    if (!at_rest) return;
    std::optional<struct stat> now = status_of(path);
    bool is_same = now && now->st_ino == at_rest->st_ino && now->st_size == at_rest->st_size &&
                   now->st_mtim.tv_sec == at_rest->st_mtim.tv_sec &&
                   now->st_mtim.tv_nsec == at_rest->st_mtim.tv_nsec && !exists(path + "-wal");
    if (!is_same)
      throw Error("snapshot-locked", "the snapshot was changed while it was read").help("try again");
  }
};

Snapshot::Snapshot(std::unique_ptr<File> file) : file_(std::move(file)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

Snapshot Snapshot::open(const std::string& path, Duration busy) {
  return in_file(path, [&] {
    std::optional<struct stat> status = status_of(path);
    if (!status) throw Error("snapshot-missing", "there is no such snapshot");
    check_header(path);
    // SQLite needs its -shm file even to read, and a connection that may not write leaves it behind. Where
    // nothing can be written and no log is there, the file is at rest and needs neither.
    bool can_lock = (is_writable(path) && is_writable(folder_of(path))) || exists(path + "-wal");
    auto file =
        std::make_unique<File>(path, can_lock ? Database::Access::read : Database::Access::read_only, busy);
    if (!can_lock) file->at_rest = status;
    file->transaction.emplace(file->database, Transaction::Kind::read);
    // The first SELECT fixes the instant that this connection sees.
    std::int64_t version = state::check_schema(file->database);
    if (version < state::schema_version) {
      throw Error("snapshot-too-old", fmt::format("the snapshot has schema version {}, this program reads {}",
                                                  version, state::schema_version))
          .help("`sluice load` into it brings it up to date");
    }
    file->database.integer("SELECT count(*) FROM snapshot");
    return Snapshot(std::move(file));
  });
}

World Snapshot::read_world() const {
  return in_file(file_->path, [&] {
    World world = state::read_tables(file_->database);
    file_->check_at_rest();
    return world;
  });
}

SnapshotInfo Snapshot::info() const {
  return in_file(file_->path, [&] {
    Database& database = file_->database;
    SnapshotInfo info;
    info.schema_version = database.integer("PRAGMA user_version");
    info.instant.ns = database.integer("SELECT instant FROM snapshot");
    for (const std::string& name : {file_->path, file_->path + "-wal"}) {
      struct stat status {};
      if (::stat(name.c_str(), &status) == 0) info.bytes += static_cast<std::uint64_t>(status.st_size);
    }
    std::string origins;
    for (const KindTable& kind : kind_tables) {
      info.kinds.push_back({kind.kind, database.integer(fmt::format("SELECT count(*) FROM {}", kind.table))});
      origins +=
          fmt::format("{}SELECT source_file FROM {}", origins.empty() ? "" : " UNION ALL ", kind.table);
    }
    Statement sources = database.prepare(
        fmt::format("SELECT path, count(used.source_file) FROM source_file LEFT JOIN ({}) AS used "
                    "ON used.source_file = source_file.id GROUP BY source_file.id ORDER BY source_file.id",
                    origins));
    while (sources.step()) info.sources.push_back({std::string(sources.text(0)), sources.integer(1)});
    Statement versions = database.prepare("SELECT kind, version FROM resource_version ORDER BY kind");
    while (versions.step()) info.resource_versions.emplace_back(versions.text(0), versions.text(1));
    file_->check_at_rest();
    return info;
  });
}

SqlTable Snapshot::query(std::string_view sql) const {
  try {
    file_->database.allow_only_queries();
    Statement statement = file_->database.prepare(sql);
    if (statement.is_empty()) throw Error("bad-query", "there is no statement in the query");
    if (statement.has_more())
      throw Error("bad-query", "a query is one statement; there is another one behind it");
    if (!statement.is_read_only()) throw Error("bad-query", "a query only reads");
    SqlTable table;
    for (int i = 0; i < statement.columns(); ++i) table.columns.emplace_back(statement.column_name(i));
    while (statement.step()) {
      std::vector<SqlValue>& row = table.rows.emplace_back();
      for (int i = 0; i < statement.columns(); ++i) {
        if (statement.is_null(i)) {
          row.emplace_back();
        } else if (statement.is_integer(i)) {
          row.emplace_back(statement.integer(i));
        } else if (statement.is_real(i)) {
          row.emplace_back(statement.real(i));
        } else {
          row.emplace_back(std::string(statement.text(i)));
        }
      }
    }
    file_->check_at_rest();
    return table;
  } catch (const Error& error) {
    if (!is_about_the_file(error)) throw;
    return in_file(file_->path, [&]() -> SqlTable { throw error; });
  }
}

std::vector<std::string> Snapshot::damages() const {
  return in_file(file_->path, [&] {
    std::vector<std::string> found;
    Statement integrity = file_->database.prepare("PRAGMA integrity_check");
    while (integrity.step()) {
      if (integrity.text(0) != "ok") found.emplace_back(integrity.text(0));
    }
    Statement references = file_->database.prepare("PRAGMA foreign_key_check");
    while (references.step()) {
      found.push_back(fmt::format("a row of {} refers to a row of {} that is not there", references.text(0),
                                  references.text(2)));
    }
    if (!found.empty()) return found;
    try {
      state::read_tables(file_->database);
    } catch (const Error& error) {
      if (error.code() != "snapshot-corrupt" && error.code() != "bad-query") throw;
      found.push_back(error.message());
    }
    return found;
  });
}

void update_snapshot(const std::string& path, const std::function<void(World&)>& edit, Duration busy) {
  in_file(path, [&] {
    std::optional<struct stat> status = status_of(path);
    bool is_there = status && status->st_size > 0;
    if (!is_there && create(path, edit, status.has_value())) return;
    change(path, edit, busy);
  });
}

}  // namespace sluice
