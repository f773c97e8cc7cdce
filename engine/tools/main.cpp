#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "tools/verb.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// The only place that touches the process: its streams, clock and environment.
namespace {

using sluice::Error;

/// Collects what is written and hands it to the system in large pieces. What cannot be written throws once:
/// the error itself goes to stderr.
class Stream {
 public:
  explicit Stream(int fd) : fd_(fd) {}

  void write(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= 65536) flush();
  }

  void flush() {
    std::string text = std::move(waiting_);
    waiting_.clear();
    std::string_view rest = text;
    while (!rest.empty()) {
      ssize_t n = ::write(fd_, rest.data(), rest.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw Error("file", "cannot write the output: " + std::generic_category().message(errno));
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
  }

 private:
  int fd_;
  std::string waiting_;
};

std::string read_stdin() {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error("file", "cannot read stdin: " + std::generic_category().message(errno));
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

sluice::Instant now() {
  auto since = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()};
}

std::optional<std::string> environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // What one cycle gives back the next one takes again: do not hand it to the system in between.
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
#endif
  // A file at its limit is an error that a write reports, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  Stream out(STDOUT_FILENO);
  Stream err(STDERR_FILENO);
  sluice::tools::Context context;
  bool out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  context.out = [&](std::string_view text) {
    out.write(text);
    if (out_is_terminal) out.flush();  // somebody may be typing
  };
  context.err = [&](std::string_view text) {
    out.flush();  // the order of both on a terminal
    err.write(text);
    err.flush();
  };
  context.flush = [&] { out.flush(); };
  context.read_stdin = read_stdin;
  context.clock = now;
  context.environment = environment;
  context.out_is_terminal = out_is_terminal;
  context.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  context.in_is_terminal = ::isatty(STDIN_FILENO) == 1;

  std::vector<std::string_view> words(argv + 1, argv + argc);
  try {
    int code = sluice::tools::run_command(context, words);
    out.flush();
    return code;
  } catch (const Error& error) {  // the output itself failed
    try {
      err.write("error[" + error.code() + "]: " + error.message() + "\n");
      err.flush();
    } catch (const Error&) {  // nothing is left to say it on
    }
    return sluice::tools::exit_failed;
  }
}
