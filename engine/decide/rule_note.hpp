#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/span.hpp"
#include "base/time.hpp"

namespace sluice::decide {

/// One thing that a rule said while a decision was made.
struct RuleNote {
  enum class Verb : std::uint8_t { allow, deny, warn, hold, skip, prefer, rung_closed, rung_open, score, require_check, set_default };
  Verb verb = Verb::allow;
  std::string rule;                ///< its name; of a fallback: `fallback for queue Q`
  Span span;                       ///< the statement that spoke, in the policy's sources
  std::string because;             ///< the author's text with the values filled in; may be empty
  std::optional<Instant> opens;    ///< waiting alone lifts it at this instant
  std::optional<std::string> fault;  ///< the rule faulted (overflow, division by zero): this text, and `on error` decided
};

}  // namespace sluice::decide
