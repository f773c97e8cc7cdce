#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "lang/format.hpp"
#include "report/diagnostics.hpp"
#include "report/unified_diff.hpp"
#include "tools/files.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array flags = {
    Flag{.name = "write", .letter = 'w', .help = "change the files in place"},
    Flag{.name = "list", .letter = 'l', .help = "print the names of the files that would change"},
    Flag{.name = "diff", .letter = 'd', .help = "print what would change"},
    Flag{.name = "check", .help = "like --list, and exit with 2 if there is one"},
};

class Formatter {
 public:
  Formatter(Context& context, const Args& args)
      : context_(context),
        write_(args.has("write")),
        list_(args.has("list") || args.has("check")),
        diff_(args.has("diff")) {
    if (write_ && args.has("check")) {
      throw Error("usage", "`--write` and `--check` exclude each other").help("`--check` changes nothing");
    }
  }

  void file(const std::string& path) {
    std::string shown = path == "-" ? "<stdin>" : path;
    if (path == "-" && write_)
      throw Error("usage", "`--write` needs files: stdin cannot be changed in place");
    std::string text = read_file(context_, path, kMaxPolicyBytes);
    SourceMap sources;
    Diagnostics diagnostics;
    std::uint32_t source = sources.add(shown, text);
    std::optional<std::string> formatted = lang::format(sources, source, diagnostics);
    if (!formatted) {
      context_.err(
          report::to_pretty(sources, diagnostics.all(), wants_colour(context_, context_.err_is_terminal)));
      has_errors = true;
      return;
    }
    bool changes = *formatted != text;
    would_change = would_change || changes;
    if (changes && list_) context_.out(shown + "\n");
    if (changes && diff_) {
      context_.out(
          report::unified_diff(shown, text, *formatted, wants_colour(context_, context_.out_is_terminal)));
    }
    if (changes && write_) write_file(path, *formatted);
    if (!write_ && !list_ && !diff_) context_.out(*formatted);
  }

  bool has_errors = false;
  bool would_change = false;

 private:
  Context& context_;
  bool write_;
  bool list_;
  bool diff_;
};

int run(Context& context, const Args& args) {
  std::vector<std::string> paths = args.words();
  if (paths.empty()) paths.push_back("-");
  Formatter formatter(context, args);
  for (const std::string& path : expand_paths(paths, ".sluice")) formatter.file(path);
  if (formatter.has_errors) return exit_policy;
  return args.has("check") && formatter.would_change ? exit_negative : exit_fine;
}

}  // namespace

constinit const Verb fmt_verb{
    .name = "fmt",
    .usage = "[-w] [-l] [-d] [--check] [PATH…]",
    .summary = "writes policies in the one canonical format",
    .details =
        "A PATH is a policy, a folder of them (*.sluice) or `-`; without one, stdin is formatted to stdout. "
        "A file\n"
        "with syntax errors is left alone.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
