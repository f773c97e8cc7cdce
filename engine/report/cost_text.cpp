#include "report/cost_text.hpp"

#include <fmt/format.h>

#include "report/table.hpp"

namespace sluice::report {
namespace {

std::string_view kind_of(const lang::ast::Declaration& declaration) {
  if (lang::ast::as<lang::ast::Rule>(declaration) != nullptr) return "rule";
  if (lang::ast::as<lang::ast::Fallback>(declaration) != nullptr) return "fallback for queue";
  return "fn";
}

}  // namespace

std::string cost_table(const lang::Policy& policy) {
  Table table({{"place"}, {"what"}, {"steps at most"}});
  for (const lang::ast::Declaration* declaration : policy.checked.active) {
    auto cost = policy.checked.costs.find(declaration->id);
    if (cost == policy.checked.costs.end()) continue;
    Span span = declaration->span;
    table.add({fmt::format("{}:{}", policy.sources.path(span.source), policy.sources.line(span)),
               fmt::format("{} {}", kind_of(*declaration), declaration->name.text),
               cost->second.to_string()});
  }
  return table.empty() ? std::string() : table.to_string("");
}

}  // namespace sluice::report
