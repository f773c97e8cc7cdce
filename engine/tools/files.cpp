#include "tools/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// False if a delayed write failed.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "there is no such file";
    case EACCES:
      return "permission denied";
    case EISDIR:
      return "it is a folder";
    case ENOSPC:
      return "no space left on the disk";
    default:
      return std::generic_category().message(error);
  }
}

[[noreturn]] void fail(std::string_view verb, const std::string& path, int error) {
  throw Error("file", fmt::format("cannot {} `{}`: {}", verb, path, reason(error)));
}

void write_all(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Removes the half-written file when writing fails.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  void finished() { path_.clear(); }

 private:
  std::string path_;
};

}  // namespace

std::string read_file(const Context& context, const std::string& path, std::size_t max_bytes) {
  if (path != "-") return read_file(path, max_bytes);
  std::string text = context.read_stdin();
  if (text.size() > max_bytes) {
    throw Error("too-large", fmt::format("stdin has {} bytes; at most {} are read", text.size(), max_bytes));
  }
  return text;
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail("read", path, errno);
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) fail("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    ssize_t n = ::read(file.fd(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path, errno);
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > max_bytes) {
      throw Error("too-large",
                  fmt::format("`{}` has more than {} bytes, the most that is read", path, max_bytes));
    }
  }
}

void write_file(const std::string& path, std::string_view text) {
  // Through a symbolic link the file it points to is replaced, not the link.
  std::error_code no_link;
  fs::path real = fs::weakly_canonical(path, no_link);
  std::string target = no_link ? path : real.string();
  mode_t mode = 0644;
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) mode = status.st_mode & 07777;
  std::string beside = fmt::format("{}.{}.tmp", target, ::getpid());
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file.is_open()) fail("write", path, errno);
  Unfinished unfinished(beside);
  write_all(file.fd(), text, path);
  if (::fchmod(file.fd(), mode) != 0 || ::fsync(file.fd()) != 0) fail("write", path, errno);
  if (!file.close()) fail("write", path, errno);
  if (::rename(beside.c_str(), target.c_str()) != 0) fail("write", path, errno);
  unfinished.finished();
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::vector<std::string> expand_paths(const std::vector<std::string>& paths, std::string_view suffix) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (path == "-" || !is_folder(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    try {
      for (auto entry = fs::recursive_directory_iterator(path); entry != fs::recursive_directory_iterator();
           ++entry) {
        std::string name = entry->path().filename().string();
        if (name.starts_with(".")) {
          if (entry->is_directory()) entry.disable_recursion_pending();
        } else if (name.ends_with(suffix) && entry->is_regular_file()) {
          found.push_back(entry->path().lexically_normal().string());
        }
      }
    } catch (const fs::filesystem_error& error) {
      fail("read", error.path1().empty() ? path : error.path1().string(), error.code().value());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::string path_beside(std::string_view beside, std::string_view name) {
  fs::path path(name);
  if (path.is_absolute()) return path.string();
  return (fs::path(beside).parent_path() / path).lexically_normal().string();
}

}  // namespace sluice::tools
