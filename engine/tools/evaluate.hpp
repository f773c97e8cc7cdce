#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "tools/decider.hpp"

namespace sluice::decide {
class RuleTables;
}
namespace sluice::vm {
class Machine;
}

namespace sluice::tools {

/// Values of expressions, and invariants, over the state that a decider has reached. Sees that one state:
/// make a new one after anything happened.
class Evaluator {
 public:
  /// `program` is that of the policy, or a copy with more chunks; both must outlive the evaluator.
  Evaluator(const program::Program& program, const Decider& decider);
  ~Evaluator();

  struct Value {
    std::string text;  ///< as the language writes it
    std::optional<program::Fault> fault;
  };
  /// `workload`: whose row is in scope; empty: none.
  Value value(std::uint32_t chunk, lang::Type type, const std::optional<decide::WorkloadName>& workload);

  /// What is wrong with an invariant of the program: `rayjob/a breaks it`; empty if it holds.
  std::string broken(const program::Invariant& invariant);

 private:
  const program::Program& program_;
  const World& world_;
  Instant now_;
  std::vector<decide::WorkloadName> rows_;  ///< by row
  std::unique_ptr<decide::RuleTables> tables_;
  std::unique_ptr<vm::Machine> machine_;
};

}  // namespace sluice::tools
