#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "report/error_text.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/line_editor.hpp"
#include "tools/repl_session.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array flags = {policy_flag, snapshot_flag, at_flag,           set_flag,          param_flag,
                              capacity_flag, kueue_flag,   kueue_config_flag, feature_gates_flag};

constexpr std::string_view help_text =
    "a line is an expression or a definition; a definition goes on until its brackets close\n"
    "\n"
    "  :submit FILE [NAME=VALUE]…  submit the jobs of a manifest\n"
    "  :at INSTANT                 let time pass: `+15min`, `2026-01-31T12:00:00Z`\n"
    "  :set NAME VALUE             give a param of the policy another value\n"
    "  :undo                       take the last definition, :submit, :at or :set back\n"
    "  :why NAME                   why a job got what it got\n"
    "  :type EXPRESSION            only the type\n"
    "  :help                       this text\n"
    "  :quit                       leave; so does the end of the input\n";

constexpr std::array<std::string_view, 8> commands = {":submit", ":at",   ":set",  ":undo",
                                                      ":why",    ":type", ":help", ":quit"};

/// Where the lines come from: a terminal with an editor, or all of stdin.
class Lines {
 public:
  Lines(const Context& context, const ReplSession& session) {
    if (context.in_is_terminal && context.out_is_terminal) {
      editor_ = std::make_unique<LineEditor>(history_path(context), [&session] {
        std::vector<std::string> names = session.names();
        names.insert(names.end(), commands.begin(), commands.end());
        return names;
      });
    } else {
      text_ = context.read_stdin();
    }
  }

  std::optional<std::string> next(bool continues) {
    if (editor_) return editor_->read(continues ? "....> " : "sluice> ");
    if (at_ >= text_.size()) return std::nullopt;
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string line = text_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.pop_back();
    at_ = end + 1;
    return line;
  }

  bool is_interactive() const { return editor_ != nullptr; }

 private:
  /// $XDG_STATE_HOME/sluice/history, by default below ~/.local/state; empty without a home.
  static std::string history_path(const Context& context) {
    std::filesystem::path folder;
    if (auto state = context.environment("XDG_STATE_HOME"); state && state->starts_with('/')) {
      folder = *state;
    } else if (auto home = context.environment("HOME"); home && !home->empty()) {
      folder = std::filesystem::path(*home) / ".local" / "state";
    } else {
      return {};
    }
    return folder / "sluice" / "history";
  }

  std::unique_ptr<LineEditor> editor_;
  std::string text_;
  std::size_t at_ = 0;
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

class Repl {
 public:
  Repl(Context& context, ReplSession& session) : context_(context), session_(session) {}

  /// False if an answer was an error.
  bool run() {
    Lines lines(context_, session_);
    std::string text;
    while (std::optional<std::string> line = lines.next(!text.empty())) {
      text += text.empty() ? *line : "\n" + *line;
      if (words_of(text).empty()) {
        text.clear();
        continue;
      }
      // An empty line ends what was begun by mistake.
      bool gives_up = lines.is_interactive() && line->empty();
      if (!text.starts_with(":") && !gives_up && session_.is_incomplete(text)) continue;
      if (!answer(std::exchange(text, {}))) return is_fine_;
    }
    if (!text.empty()) answer(text);
    if (lines.is_interactive()) context_.out("\n");
    return is_fine_;
  }

 private:
  /// False to leave.
  bool answer(const std::string& text) {
    try {
      if (text.starts_with(":")) return command(text);
      // What is still open at the end of the input is defined all the same: the parser says what is missing.
      bool defines = session_.is_definition(text) || session_.is_incomplete(text);
      context_.out(defines ? session_.define(text) : session_.evaluate(text));
    } catch (const Error& error) {
      is_fine_ = false;
      // Diagnostics of what was typed are text already.
      context_.out(error.code() == "rejected"
                       ? error.message()
                       : report::to_text(error, wants_colour(context_, context_.out_is_terminal)));
    }
    return true;
  }

  bool command(const std::string& text) {
    std::vector<std::string> words = words_of(text);
    const std::string& name = words.front();
    std::size_t rest_at = text.find_first_not_of(" \t", name.size());
    std::string rest = rest_at == std::string::npos ? std::string() : text.substr(rest_at);
    if (name == ":quit" || name == ":q") return false;
    if (name == ":help" || name == ":h") {
      context_.out(help_text);
    } else if (name == ":submit") {
      context_.out(session_.submit(needed(words, 1, ":submit FILE [NAME=VALUE]…"), values_of(words)));
    } else if (name == ":at") {
      context_.out(session_.go_to(needed(words, 1, ":at INSTANT")));
    } else if (name == ":set") {
      set(words, rest);
    } else if (name == ":undo") {
      context_.out(session_.undo());
    } else if (name == ":why") {
      context_.out(session_.why(needed(words, 1, ":why NAME")));
    } else if (name == ":type") {
      needed(words, 1, ":type EXPRESSION");
      context_.out(session_.type_of(rest));
    } else {
      throw Error("usage", fmt::format("there is no `{}`", name)).help("`:help` lists the commands");
    }
    return true;
  }

  static const std::string& needed(const std::vector<std::string>& words, std::size_t number,
                                   std::string_view usage) {
    if (words.size() > number) return words[number];
    throw Error("usage", fmt::format("it is `{}`", usage));
  }

  static std::map<std::string, std::string> values_of(const std::vector<std::string>& words) {
    Args args;
    for (std::size_t i = 2; i < words.size(); ++i) args.add("set", words[i]);
    return pairs_of(args, "set");
  }

  void set(const std::vector<std::string>& words, const std::string& rest) {
    const std::string& first = needed(words, 1, ":set NAME VALUE");
    std::size_t equals = first.find('=');
    if (equals != std::string::npos && words.size() == 2) {
      context_.out(session_.set(first.substr(0, equals), first.substr(equals + 1)));
      return;
    }
    needed(words, 2, ":set NAME VALUE");
    std::size_t value = rest.find_first_not_of(" \t=", first.size());
    if (value == std::string::npos) throw Error("usage", "it is `:set NAME VALUE`");
    context_.out(session_.set(first, rest.substr(value)));
  }

  Context& context_;
  ReplSession& session_;
  bool is_fine_ = true;
};

int run(Context& context, const Args& args) {
  std::optional<Question> question = read_question(context, args, 0, Manifests::optional);
  if (!question) return exit_policy;
  std::vector<lang::Source> policies = read_policies(context, policy_paths(args));
  ReplSession session(context, std::move(policies), std::move(*question));
  bool is_interactive = context.in_is_terminal && context.out_is_terminal;
  if (is_interactive) context.out("sluice " SLUICE_VERSION ", `:help` for the commands\n");
  bool is_fine = Repl(context, session).run();
  return is_fine || is_interactive ? exit_fine : exit_failed;
}

}  // namespace

constinit const Verb repl_verb{
    .name = "repl",
    .usage = "[-p POLICY]… [-s SNAPSHOT] [--at INSTANT] [--set NAME=VALUE]… [MANIFEST…]",
    .summary = "expressions, definitions and what-ifs on a policy and a cluster, line by line",
    .details =
        "The cluster is given as to `sluice decide`; without one it is empty. `:help` lists the commands. The exit\n"
        "code of a session that is not at a terminal is 1 if a line of it was an error.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
