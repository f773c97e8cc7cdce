#pragma once

#include <optional>
#include <string>

#include "tools/decider.hpp"
#include "tools/test_value.hpp"

namespace sluice::tools {

/// What a workload should have come to, in a step or in a cell of a table.
struct Expectation {
  Span span;
  std::string workload;  ///< as the test calls it
  std::string state;     ///< `admitted`, `held`, … or, in a table, a flavor
  Span state_span;
  std::span<const lang::ast::Expected> details;
  std::string check;
  std::optional<lang::ast::ExprPtr> because;
  lang::ast::ExprPtr until = nullptr;
};

/// Why the expectation does not hold, for the message; empty if it does.
/// Throws Error "not-yet-decided" for outcomes of later versions.
std::string broken(const Expectation& expected, const decide::WorkloadName& name, const Decider& decider,
                   const lang::Policy& policy, const TestRow& row);

}  // namespace sluice::tools
