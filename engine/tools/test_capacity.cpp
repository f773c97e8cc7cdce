#include "tools/test_capacity.hpp"

#include <fmt/format.h>

namespace sluice::tools {

namespace ast = lang::ast;

std::vector<CapacitySignal> capacity_of_test(const ast::Capacity& capacity, const lang::Policy& policy,
                                             const TestRow& row, Instant now) {
  std::vector<CapacitySignal> signals;
  for (const ast::CapacityEntry& entry : capacity.entries) {
    CapacitySignal& signal = signals.emplace_back();
    signal.flavor = policy.checked.name_of(entry.subject);
    signal.since = now;
    if (!entry.zone.empty() || entry.provisioning) {
      throw error_at(policy, entry.span, "not-yet-decided",
                     "capacity of a machine type in a zone is not decided yet");
    }
    if (entry.state.text == "stocked-out") {
      signal.state = CapacitySignal::State::stocked_out;
    } else if (entry.state.text == "quota-exceeded") {
      signal.state = CapacitySignal::State::quota_exceeded;
    } else if (entry.state.text == "available") {
      signal.state = CapacitySignal::State::available;
    } else {
      throw error_at(policy, entry.state.span, "not-yet-decided",
                     fmt::format("capacity `{}` is not decided yet", entry.state.text));
    }
    if (entry.since == nullptr) continue;
    TestValue since = test_value(entry.since, policy, row);
    if (since.kind == lang::Kind::instant) {
      signal.since = Instant{since.number};
    } else if (std::optional<Instant> instant = Instant::parse(since.text)) {
      signal.since = *instant;
    }
  }
  return signals;
}

}  // namespace sluice::tools
