#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "lang/ast.hpp"
#include "model/objects.hpp"

/// The closed sets of words that the grammar reads as names, so that a wrong one can be told what there is.
namespace sluice::lang {

template <class T>
struct FixedWord {
  std::string_view text;
  T value;
};

/// How the language writes `value`; empty if it has no word.
template <class T, std::size_t count>
constexpr std::string_view word_of(const std::array<FixedWord<T>, count>& words, T value) {
  for (const FixedWord<T>& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

inline constexpr std::array<FixedWord<QueueingStrategy>, 2> strategy_words = {{
    {"best-effort-fifo", QueueingStrategy::best_effort_fifo},
    {"strict-fifo", QueueingStrategy::strict_fifo},
}};
inline constexpr std::array<FixedWord<StopPolicy>, 3> stop_words = {{
    {"none", StopPolicy::none},
    {"hold", StopPolicy::hold},
    {"hold-and-drain", StopPolicy::hold_and_drain},
}};
inline constexpr std::array<FixedWord<PreemptionPolicy>, 3> within_queue_words = {{
    {"never", PreemptionPolicy::never},
    {"lower-priority", PreemptionPolicy::lower_priority},
    {"lower-or-newer-equal", PreemptionPolicy::lower_or_newer_equal_priority},
}};
inline constexpr std::array<FixedWord<PreemptionPolicy>, 3> within_cohort_words = {{
    {"never", PreemptionPolicy::never},
    {"lower-priority", PreemptionPolicy::lower_priority},
    {"any", PreemptionPolicy::any},
}};
inline constexpr std::array<FixedWord<PreemptionPolicy>, 2> while_borrowing_words = {{
    {"never", PreemptionPolicy::never},
    {"lower-priority", PreemptionPolicy::lower_priority},
}};
inline constexpr std::array<FixedWord<FungibilityPolicy>, 2> fungibility_words = {{
    {"stay", FungibilityPolicy::may_stop_search},
    {"try-next", FungibilityPolicy::try_next_flavor},
}};
inline constexpr std::array<FixedWord<FungibilityPreference>, 2> preference_words = {{
    {"borrowing", FungibilityPreference::borrowing_over_preemption},
    {"preemption", FungibilityPreference::preemption_over_borrowing},
}};
inline constexpr std::array<FixedWord<ast::TaintEffect>, 3> effect_words = {{
    {"no-schedule", ast::TaintEffect::no_schedule},
    {"prefer-no-schedule", ast::TaintEffect::prefer_no_schedule},
    {"no-execute", ast::TaintEffect::no_execute},
}};
inline constexpr std::array<FixedWord<ast::DecisionPoint>, 7> point_words = {{
    {"submit", ast::DecisionPoint::submit},
    {"order", ast::DecisionPoint::order},
    {"flavor", ast::DecisionPoint::flavor},
    {"admit", ast::DecisionPoint::admit},
    {"preempt", ast::DecisionPoint::preempt},
    {"provision", ast::DecisionPoint::provision},
    {"place", ast::DecisionPoint::place},
}};
inline constexpr std::array<FixedWord<ast::Provisioning>, 5> provisioning_words = {{
    {"on-demand", ast::Provisioning::on_demand},
    {"spot", ast::Provisioning::spot},
    {"flex-start", ast::Provisioning::flex_start},
    {"calendar", ast::Provisioning::calendar},
    {"reservation", ast::Provisioning::reservation},
}};
inline constexpr std::array<FixedWord<bool>, 2> unsatisfiable_words = {{
    {"scale-up-anyway", true},
    {"do-not-scale-up", false},
}};
inline constexpr std::array<FixedWord<bool>, 2> migrate_words = {{
    {"to-higher-priority", true},
    {"never", false},
}};
/// True: usage-based fair sharing; false: concurrent admission.
inline constexpr std::array<FixedWord<bool>, 2> admission_words = {{
    {"usage-based", true},
    {"concurrent", false},
}};
inline constexpr std::array<FixedWord<bool>, 2> merge_words = {{
    {"identical-pod-templates", true},
    {"identical-workload-scheduling-requirements", true},
}};

}  // namespace sluice::lang
