#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

/// Conditions under which a program must fail cleanly, for one scope.
namespace sluice::test {

/// No file may grow beyond `bytes`: what a full disk does, without needing one.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("cannot limit the size of files");
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_signal_);
  }

 private:
  void (*old_signal_)(int);
  rlimit old_{};
};

/// A user without rights of their own: root is held back by no permission.
class Unprivileged {
 public:
  Unprivileged() : user_(::geteuid()) {
    if (user_ == 0 && ::seteuid(kNobody) != 0) throw std::runtime_error("cannot become another user");
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (user_ == 0 && ::seteuid(0) != 0) std::abort();
  }

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t user_;
};

}  // namespace sluice::test
