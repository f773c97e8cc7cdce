#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

/// What every verb of the command line is made of. A verb reads the world through its Context only, so a test
/// can run it in process with its own clock, environment and sinks.
namespace sluice::tools {

/// design: data on `out`, remarks on `err`. File access goes through tools/files.hpp.
struct Context {
  std::function<void(std::string_view)> out;
  std::function<void(std::string_view)> err;
  std::function<void()> flush = [] {};      ///< what `out` still holds back is seen
  std::function<std::string()> read_stdin;  ///< everything up to the end; throws Error
  std::function<Instant()> clock;
  std::function<std::optional<std::string>(std::string_view name)> environment;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_is_terminal = false;
};

/// The exit codes of the program.
enum Exit : int {
  exit_fine = 0,
  exit_failed = 1,    ///< the tool could not do its job: usage, files
  exit_negative = 2,  ///< a negative answer: a test failed, would reformat, denied or held with --fail
  exit_policy = 3,    ///< the policy has errors
  exit_unknown = 4,   ///< no definite answer: not decided in this version
};

/// One option of a verb. Every flag may also come from the environment as SLUICE_<VERB>_<FLAG>.
struct Flag {
  std::string_view name;        ///< long form without dashes: "format"
  char letter = 0;              ///< short form, or 0
  std::string_view value = {};  ///< what the value is called in the usage: "FILE"; empty: a switch
  std::string_view help = {};
  bool repeated = false;  ///< may be given more than once; the environment then gives one value a line
};

/// The arguments of one call, already checked against the flags of the verb.
class Args {
 public:
  bool has(std::string_view flag) const;
  /// The last value given, or `otherwise`.
  std::string value(std::string_view flag, std::string_view otherwise = {}) const;
  std::vector<std::string> values(std::string_view flag) const;
  /// What is no flag: paths and names.
  const std::vector<std::string>& words() const { return words_; }
  /// The values of a flag that stand before word number `word`. For flags that apply to the words behind
  /// them.
  std::vector<std::string> values_before(std::string_view flag, std::size_t word) const;

  void add(std::string_view flag, std::string value) {
    given_.push_back({std::string(flag), std::move(value), words_.size()});
  }
  void add_word(std::string word) { words_.push_back(std::move(word)); }

 private:
  struct Given {
    std::string flag;
    std::string value;
    std::size_t before_word;
  };
  std::vector<Given> given_;
  std::vector<std::string> words_;
};

struct Verb {
  std::string_view name;
  std::string_view usage;    ///< what follows the name: "[-w] [PATH…]"
  std::string_view summary;  ///< one line, for `sluice help`
  std::string_view details;  ///< further lines for `sluice help VERB`; may be empty
  std::span<const Flag> flags;
  std::size_t min_words = 0;
  std::size_t max_words = SIZE_MAX;
  int (*run)(Context&, const Args&);
};

// One file each; listed in tools/verbs.cpp.
extern const Verb bench_verb;
extern const Verb check_verb;
extern const Verb code_verb;
extern const Verb decide_verb;
extern const Verb explain_verb;
extern const Verb fmt_verb;
extern const Verb help_verb;
extern const Verb load_verb;
extern const Verb repl_verb;
extern const Verb snapshot_verb;
extern const Verb test_verb;
extern const Verb version_verb;
extern const Verb why_verb;

/// In the order in which `sluice help` lists them.
std::span<const Verb* const> verbs();
/// Null if there is none of that name.
const Verb* find_verb(std::string_view name);

/// Throws Error "usage" for a verb that does not exist.
[[noreturn]] void unknown_verb(std::string_view name);

/// Reads the words behind the verb's name. Throws Error "usage".
Args parse_args(const Verb& verb, std::span<const std::string_view> words, const Context& context);
/// The text of `sluice help VERB`.
std::string usage_text(const Verb& verb);
/// The text of `sluice help`.
std::string overview_text();

/// The value of --format, one of `allowed`. Throws Error "usage".
std::string format_of(const Args& args, std::span<const std::string_view> allowed);
/// The instant that --at names: RFC 3339, or `+D` from `now`; `now` if the flag is absent. Throws Error
/// "usage".
Instant instant_of(const Args& args, Instant now);
/// NAME=VALUE pairs of a repeated flag. Throws Error "usage".
std::map<std::string, std::string> pairs_of(const Args& args, std::string_view flag);
/// The pairs that hold for word number `word`: for each name the last value before the word, or the first one
/// behind it. So `--set ID=1 a.yaml --set ID=2 a.yaml` means two jobs, and a single `--set` holds for all.
std::map<std::string, std::string> pairs_for_word(const Args& args, std::string_view flag, std::size_t word);
/// True if colour may be written to a stream that is (not) a terminal.
bool wants_colour(const Context& context, bool is_terminal);

/// Runs one command line (without the program's name) and returns its exit code. Every Error ends here, as
/// text on `err`.
int run_command(Context& context, std::span<const std::string_view> words);

}  // namespace sluice::tools
