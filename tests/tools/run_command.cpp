#include "tools/run_command.hpp"

#include <boost/test/unit_test.hpp>

#include "support/golden.hpp"
#include "tools/verb.hpp"

namespace sluice::test {
namespace {

/// Splits as a shell does, without expansions.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ') {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace

Outcome run(const Command& command) {
  Outcome outcome;
  tools::Context context;
  context.out = [&](std::string_view text) { outcome.out += text; };
  context.err = [&](std::string_view text) { outcome.err += text; };
  context.read_stdin = [&] { return command.input; };
  context.clock = [] { return *Instant::parse("2026-01-01T12:00:00Z"); };
  context.environment = [&](std::string_view name) -> std::optional<std::string> {
    auto found = command.environment.find(std::string(name));
    if (found == command.environment.end()) return std::nullopt;
    return found->second;
  };
  std::vector<std::string_view> words(command.words.begin(), command.words.end());
  outcome.exit = tools::run_command(context, words);
  return outcome;
}

Command parse_command(const std::string& line) {
  Command command;
  std::vector<std::string> words = split(line);
  std::size_t at = 0;
  for (; at < words.size() && words[at] != "sluice"; ++at) {
    std::size_t equals = words[at].find('=');
    BOOST_REQUIRE_MESSAGE(equals != std::string::npos, "no `sluice` in the command line: " << line);
    command.environment[words[at].substr(0, equals)] = words[at].substr(equals + 1);
  }
  for (++at; at < words.size(); ++at) {
    if (words[at] == "<" && at + 1 < words.size()) {
      command.input = read_file(words[++at]);
    } else {
      command.words.push_back(words[at]);
    }
  }
  return command;
}

}  // namespace sluice::test
