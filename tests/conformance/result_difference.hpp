#pragma once

#include <string>

/// Compares the results of two runs of one scenario as the oracle's `compare` does.
namespace sluice::test {

struct Compared {
  bool messages = false;  ///< Kueue's texts and reasons, too
};

/// The differences between two result lines, one a line; empty: none. After the first cycle that differs
/// nothing more is compared: the rest is a consequence.
std::string result_difference(const std::string& expected, const std::string& actual, Compared compared);

/// The `name` of a scenario or result line.
std::string name_of_line(const std::string& line);

}  // namespace sluice::test
