#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

/// Compares the results of two runs of one scenario as the oracle's `compare` does.
namespace sluice::test {

struct Compared {
  bool messages = false;  ///< Kueue's texts and reasons, too
};

/// The differences between two result lines, one a line; empty: none. After the first cycle that differs
/// nothing more is compared: the rest is a consequence.
std::string result_difference(const std::string& expected, const std::string& actual, Compared compared);

/// The text of a member of a scenario or result line, or of one further in; empty if there is none.
std::string member_of_line(const std::string& line, std::initializer_list<std::string_view> path);

}  // namespace sluice::test
