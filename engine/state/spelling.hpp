#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

#include "model/objects.hpp"

/// How enumerators are written in the file: as in the API, in the order of the enum.
namespace sluice::state {

template <class Enum>
struct Spelling;
template <>
struct Spelling<QueueingStrategy> {
  static constexpr std::array<std::string_view, 2> names = {"BestEffortFIFO", "StrictFIFO"};
};
template <>
struct Spelling<StopPolicy> {
  static constexpr std::array<std::string_view, 3> names = {"None", "Hold", "HoldAndDrain"};
};
template <>
struct Spelling<FungibilityPolicy> {
  static constexpr std::array<std::string_view, 2> names = {"MayStopSearch", "TryNextFlavor"};
};
template <>
struct Spelling<FungibilityPreference> {
  static constexpr std::array<std::string_view, 2> names = {"BorrowingOverPreemption",
                                                            "PreemptionOverBorrowing"};
};
template <>
struct Spelling<PreemptionPolicy> {
  static constexpr std::array<std::string_view, 4> names = {"Never", "LowerPriority",
                                                            "LowerOrNewerEqualPriority", "Any"};
};
template <>
struct Spelling<TopologyRequest::Mode> {
  static constexpr std::array<std::string_view, 4> names = {"none", "required", "preferred", "unconstrained"};
};
template <>
struct Spelling<CheckState> {
  static constexpr std::array<std::string_view, 4> names = {"Pending", "Ready", "Retry", "Rejected"};
};
template <>
struct Spelling<CapacitySignal::State> {
  static constexpr std::array<std::string_view, 3> names = {"available", "stocked-out", "quota-exceeded"};
};

template <class Enum>
std::string_view spelling_of(Enum value) {
  return Spelling<Enum>::names.at(static_cast<std::size_t>(value));
}

template <class Enum>
std::optional<Enum> spelled(std::string_view text) {
  for (std::size_t i = 0; i < Spelling<Enum>::names.size(); ++i) {
    if (Spelling<Enum>::names[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace sluice::state
