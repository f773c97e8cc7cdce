#pragma once

#include <string>
#include <vector>

#include "lang/load.hpp"
#include "model/configuration.hpp"
#include "tools/test_value.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {

/// One test, or one row of its table, and how it ended.
struct TestResult {
  enum class End : std::uint8_t { passed, failed, not_decided };
  End end = End::passed;
  std::vector<Diagnostic> failures;  ///< what did not hold, with the place of the expectation
  std::vector<std::string> reasons;  ///< one for each failure: what happened instead, and why
  std::string not_decided;           ///< what this version does not decide
  struct BrokenInvariant {
    std::size_t number = 0;  ///< index into Program::invariants
    std::string message;
    std::string reason;
  };
  std::vector<BrokenInvariant> invariants;  ///< that did not hold after some step; each once
};

/// Plays the steps of a test in their order. Files are looked up beside the policy; nothing comes from clock
/// or environment: a cluster of manifests starts at 2026-01-01T00:00:00Z, one of a snapshot at its instant.
/// Invariants are looked at after every step. `kueue` is how the cluster's Kueue is set up.
/// Throws Error for a file that cannot be read or that the cluster refuses.
TestResult run_test(const lang::Policy& policy, const lang::ast::Test& test, const TestRow& row,
                    const Configuration& kueue);

}  // namespace sluice::tools
