#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/span.hpp"
#include "base/time.hpp"

namespace sluice::decide {

/// A rule that went wrong while running; `on error` decided what follows.
struct RuleFault {
  enum class Kind : std::uint8_t { overflow, division_by_zero, absent_value, bad_time_zone };
  Kind kind = Kind::overflow;
  Span span;  ///< the operation
};

/// One thing that a rule said while a decision was made.
struct RuleNote {
  enum class Verb : std::uint8_t { allow, deny, warn, hold, skip, prefer, rung_closed, rung_open, score, require_check, set_default };
  Verb verb = Verb::allow;
  std::string rule;                ///< its name; of a fallback: `fallback for queue Q`
  Span span;                       ///< the statement that spoke, in the policy's sources
  std::string what;                ///< of a default: the field and its value; of a required check: its name
  std::string because;             ///< the author's text with the values filled in; may be empty
  std::optional<Instant> opens;    ///< waiting alone lifts it at this instant
  std::optional<Duration> after;   ///< a rung that is closed because the workload has not waited this long
  std::optional<RuleFault> fault;  ///< the rule faulted
};

}  // namespace sluice::decide
