#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.hpp"

namespace sluice {

enum class Severity : std::uint8_t { error, warning, note };

/// One thing that is wrong with a policy. Data only; report/ makes text and JSON of it.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string_view code;  ///< "unit-mismatch"; never renamed; `sluice explain CODE` has an entry. Static storage
  Span span;              ///< what the caret underlines
  std::string message;    ///< lower case, no full stop, the user's words in backticks
  std::vector<std::pair<Span, std::string>> labels;  ///< other places that explain it
  std::string help;                                  ///< what to write instead, or empty
};

/// Collects diagnostics; a pass reports and goes on, the pipeline stops between passes.
class Diagnostics {
 public:
  /// The reference stays valid until the next report: set `help` and `labels` at once.
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    ++errors_;
    return all_.emplace_back(Diagnostic{Severity::error, code, span, std::move(message), {}, {}});
  }
  Diagnostic& warning(std::string_view code, Span span, std::string message) {
    return all_.emplace_back(Diagnostic{Severity::warning, code, span, std::move(message), {}, {}});
  }
  bool has_errors() const { return errors_ > 0; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace sluice
