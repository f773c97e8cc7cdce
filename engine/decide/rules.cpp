#include "decide/rules.hpp"

#include <numeric>

namespace sluice::decide {

std::uint32_t Rules::add(const Workload&, const WorkloadState&) { return workloads_++; }

void Rules::update(std::uint32_t, const WorkloadState&) {}

void Rules::set_capacity(std::span<const CapacitySignal>) {}

SubmitAnswer Rules::submit(std::uint32_t, Instant) { return {}; }

ScoreAnswer Rules::score(std::uint32_t, Instant, const QuotaView&) { return {}; }

FlavorsAnswer Rules::flavors(std::uint32_t, std::uint32_t, std::string_view, const ResourceGroup& group, Instant,
                             const QuotaView&) {
  FlavorsAnswer answer;
  answer.order.resize(group.flavors.size());
  std::iota(answer.order.begin(), answer.order.end(), 0U);
  answer.flavors.resize(group.flavors.size());
  return answer;
}

AdmitAnswer Rules::admit(std::uint32_t, std::span<const PodSetAssignment>, bool, Instant, const QuotaView&) {
  return {};
}

std::optional<Instant> Rules::next_change(std::uint32_t, Instant) { return std::nullopt; }

bool Rules::has_order_rules() const { return false; }
std::string Rules::rule_on(program::Point) const { return {}; }

std::unique_ptr<Rules> Rules::clone() const { return std::make_unique<Rules>(*this); }

}  // namespace sluice::decide
