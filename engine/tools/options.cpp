#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "kube/substitute.hpp"
#include "tools/question.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

Error usage_error(const Verb& verb, std::string message) {
  return Error("usage", std::move(message))
      .help(fmt::format("`sluice help {}` shows how it is called", verb.name));
}

std::string shown(const Flag& flag) {
  return fmt::format("--{}", flag.name);
}

/// Reads the words of one call.
class Reader {
 public:
  Reader(const Verb& verb, std::span<const std::string_view> words) : verb_(verb), words_(words) {}

  Args read() {
    bool only_words = false;
    while (at_ < words_.size()) {
      std::string_view word = words_[at_++];
      if (only_words || word == "-" || !word.starts_with("-")) {
        args_.add_word(std::string(word));
      } else if (word == "--") {
        only_words = true;
      } else if (word.starts_with("--")) {
        long_flag(word.substr(2));
      } else {
        letters(word.substr(1));
      }
    }
    return std::move(args_);
  }

 private:
  void long_flag(std::string_view text) {
    std::size_t equals = text.find('=');
    std::string_view name = text.substr(0, equals);
    const Flag& flag = named(name);
    if (equals != std::string_view::npos) {
      if (flag.value.empty()) throw usage_error(verb_, fmt::format("`{}` takes no value", shown(flag)));
      add(flag, text.substr(equals + 1));
    } else {
      add(flag, flag.value.empty() ? std::string_view() : next_value(flag, shown(flag)));
    }
  }

  /// `-p FILE`, `-pFILE`, `-wl`.
  void letters(std::string_view text) {
    while (!text.empty()) {
      char letter = text.front();
      text.remove_prefix(1);
      const Flag& flag = lettered(letter);
      if (flag.value.empty()) {
        add(flag, {});
        continue;
      }
      add(flag, text.empty() ? next_value(flag, fmt::format("-{}", letter)) : text);
      return;
    }
  }

  std::string_view next_value(const Flag& flag, const std::string& as_written) {
    if (at_ == words_.size())
      throw usage_error(verb_, fmt::format("`{}` needs a value: {}", as_written, flag.value));
    return words_[at_++];
  }

  void add(const Flag& flag, std::string_view value) {
    if (!flag.repeated && !flag.value.empty() && args_.has(flag.name)) {
      throw usage_error(verb_, fmt::format("`{}` is given twice", shown(flag)));
    }
    args_.add(flag.name, std::string(value));
  }

  const Flag& named(std::string_view name) const {
    for (const Flag& flag : verb_.flags) {
      if (flag.name == name) return flag;
    }
    std::vector<std::string_view> names;
    for (const Flag& flag : verb_.flags) names.push_back(flag.name);
    Error error = usage_error(verb_, fmt::format("`sluice {}` has no flag `--{}`", verb_.name, name));
    std::string_view meant = nearest(name, names);
    if (!meant.empty()) error.help(fmt::format("did you mean `--{}`?", meant));
    throw error;
  }

  const Flag& lettered(char letter) const {
    for (const Flag& flag : verb_.flags) {
      if (flag.letter == letter) return flag;
    }
    throw usage_error(verb_, fmt::format("`sluice {}` has no flag `-{}`", verb_.name, letter));
  }

  const Verb& verb_;
  std::span<const std::string_view> words_;
  std::size_t at_ = 0;
  Args args_;
};

std::string environment_name(const Verb& verb, const Flag& flag) {
  std::string name = fmt::format("SLUICE_{}_{}", verb.name, flag.name);
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

void add_lines(Args& args, std::string_view flag, std::string_view text) {
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty()) args.add(flag, std::string(line));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// A flag of the command line wins over the environment.
void add_environment(Args& args, const Verb& verb, const Context& context) {
  for (const Flag& flag : verb.flags) {
    if (args.has(flag.name)) continue;
    std::string name = environment_name(verb, flag);
    std::optional<std::string> value = context.environment(name);
    if (!value || value->empty()) continue;
    if (!flag.value.empty() && flag.repeated) {
      add_lines(args, flag.name, *value);
    } else if (!flag.value.empty()) {
      args.add(flag.name, *value);
    } else if (*value == "1" || *value == "true") {
      args.add(flag.name, {});
    } else if (*value != "0" && *value != "false") {
      throw usage_error(verb,
                        fmt::format("`{}` in the environment is `{}`; a switch is 1 or 0", name, *value));
    }
  }
}

}  // namespace

bool Args::has(std::string_view flag) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.flag == flag; });
}

std::string Args::value(std::string_view flag, std::string_view otherwise) const {
  std::vector<std::string> all = values(flag);
  return all.empty() ? std::string(otherwise) : all.back();
}

std::vector<std::string> Args::values(std::string_view flag) const {
  return values_before(flag, std::numeric_limits<std::size_t>::max());
}

std::vector<std::string> Args::values_before(std::string_view flag, std::size_t word) const {
  std::vector<std::string> values;
  for (const Given& given : given_) {
    if (given.flag == flag && given.before_word <= word) values.push_back(given.value);
  }
  return values;
}

Args parse_args(const Verb& verb, std::span<const std::string_view> words, const Context& context) {
  Args args = Reader(verb, words).read();
  add_environment(args, verb, context);
  if (args.words().size() < verb.min_words) {
    throw usage_error(verb,
                      fmt::format("`sluice {}` needs more: sluice {} {}", verb.name, verb.name, verb.usage));
  }
  if (args.words().size() > verb.max_words) {
    throw usage_error(verb,
                      fmt::format("`sluice {}` does not take `{}`", verb.name, args.words()[verb.max_words]));
  }
  return args;
}

std::string format_of(const Args& args, std::span<const std::string_view> allowed) {
  std::string format = args.value("format", allowed.front());
  if (std::find(allowed.begin(), allowed.end(), format) != allowed.end()) return format;
  throw Error("usage", fmt::format("`--format` cannot be `{}`", format))
      .help(fmt::format("it is one of {}", fmt::join(allowed, ", ")));
}

Instant instant_of(const Args& args, Instant now) {
  if (!args.has("at")) return now;
  std::string text = args.value("at");
  bool out_of_range = Instant::is_out_of_range(text);
  if (text.starts_with("+")) {
    if (std::optional<Duration> wait = Duration::parse(std::string_view(text).substr(1))) {
      if (std::optional<Instant> sum = checked_sum(now, *wait)) return *sum;
      out_of_range = true;
    }
  } else if (std::optional<Instant> instant = Instant::parse(text)) {
    return *instant;
  }
  if (out_of_range) {
    throw Error("usage", fmt::format("`--at` cannot be `{}`", text)).help("instants lie in the years 1678 to 2261");
  }
  throw Error("usage", fmt::format("`--at` cannot be `{}`", text))
      .help("it is an instant, `2026-01-31T12:00:00Z`, or a wait, `+15min`");
}

namespace {

std::pair<std::string, std::string> pair_of(std::string_view flag, const std::string& text) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error("usage", fmt::format("`--{}` cannot be `{}`", flag, text)).help("it is NAME=VALUE");
  }
  if (flag == set_flag.name && !kube::is_variable_name(text.substr(0, equals))) {
    throw Error("usage", fmt::format("`--{}` cannot be `{}`: no manifest can name `{}`", flag, text,
                                     text.substr(0, equals)))
        .help("a name has letters, digits and `_`, and begins with no digit");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::map<std::string, std::string> pairs_of(const Args& args, std::string_view flag) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : args.values(flag)) {
    auto [name, value] = pair_of(flag, text);
    pairs[name] = value;
  }
  return pairs;
}

std::map<std::string, std::string> pairs_for_word(const Args& args, std::string_view flag, std::size_t word) {
  std::map<std::string, std::string> pairs;
  std::vector<std::string> before = args.values_before(flag, word);
  for (const std::string& text : before)
    pairs.insert_or_assign(pair_of(flag, text).first, pair_of(flag, text).second);
  for (const std::string& text : args.values(flag)) pairs.insert(pair_of(flag, text));
  return pairs;
}

bool wants_colour(const Context& context, bool is_terminal) {
  if (!is_terminal) return false;
  std::optional<std::string> no_color = context.environment("NO_COLOR");
  if (no_color && !no_color->empty()) return false;
  std::optional<std::string> term = context.environment("TERM");
  return !term || *term != "dumb";
}

std::string usage_text(const Verb& verb) {
  std::string text = fmt::format("sluice {}: {}\n\nusage: sluice {}{}{}\n", verb.name, verb.summary,
                                 verb.name, verb.usage.empty() ? "" : " ", verb.usage);
  if (!verb.flags.empty()) {
    std::vector<std::string> names;
    std::size_t width = 0;
    for (const Flag& flag : verb.flags) {
      std::string name = flag.letter == 0 ? "    " : fmt::format("-{}, ", flag.letter);
      name += shown(flag);
      if (!flag.value.empty()) name += fmt::format(" {}", flag.value);
      width = std::max(width, name.size());
      names.push_back(std::move(name));
    }
    text += "\nflags:\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += fmt::format("  {:<{}}  {}\n", names[i], width, verb.flags[i].help);
    }
    const Flag& first = verb.flags.front();
    text += fmt::format("\nEvery flag can also come from the environment: --{} as {}.\n", first.name,
                        environment_name(verb, first));
  }
  if (!verb.details.empty()) text += fmt::format("\n{}", verb.details);
  return text;
}

}  // namespace sluice::tools
