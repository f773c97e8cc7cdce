#pragma once

#include <map>
#include <string>
#include <vector>

namespace sluice::test {

/// One command line, run in process with a fixed clock (2026-01-01T12:00:00Z) and no terminal.
struct Command {
  std::vector<std::string> words;  ///< without the program's name
  std::string input;               ///< what stdin holds
  std::map<std::string, std::string> environment;
};
struct Outcome {
  int exit = 0;
  std::string out;
  std::string err;
};
Outcome run(const Command& command);

/// A line of a `.cmd` file: `NAME=value … sluice word 'quoted word' < FILE`.
Command parse_command(const std::string& line);

}  // namespace sluice::test
