#include "lang/object_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::lang {

void ObjectCheck::on(const ast::ComputeClass& compute) {
  check_name(declaration_.name, "compute class");
  bool some_scored = std::any_of(compute.rules.begin(), compute.rules.end(),
                                 [](const ast::MachineRule& rule) { return rule.score != nullptr; });
  for (const ast::MachineRule& rule : compute.rules) {
    if (rule.score != nullptr) {
      check_number(rule.score, "a score", 1, 1000);
    } else if (some_scored) {
      error("score-missing", rule.span, "some rules of this class have a score, this one has none").help =
          "GKE takes scores for all rules or for none";
    }
    for (const ast::MachineClause& clause : rule.clauses) check_machine(clause);
  }
  if (!compute.consolidate) return;
  if (compute.consolidate->after != nullptr)
    check_duration(compute.consolidate->after, "how long a node idles");
  if (compute.consolidate->below == nullptr) return;
  const Constant* below =
      expressions_.check_constant(compute.consolidate->below, place_, Kind::percent, "a load");
  if (below != nullptr && (below->value < 0 || below->value > 1'000'000)) {
    error("out-of-range", compute.consolidate->below->span, "a load goes from 0% to 100%");
  }
}

void ObjectCheck::check_machine(const ast::MachineClause& clause) {
  using Clause = ast::MachineClause::Kind;
  switch (clause.kind) {
    case Clause::min_cores:
      check_number(clause.value, "a number of cores", 1, 10'000);
      break;
    case Clause::min_memory:
      expressions_.check_constant(clause.value, place_, Kind::memory, "a size of memory");
      break;
    case Clause::accelerator:
      if (clause.value != nullptr) check_number(clause.value, "a number of accelerators", 1, 100'000);
      break;
    case Clause::max_run:
      check_duration(clause.value, "a run");
      break;
    case Clause::wait:
      check_duration(clause.value, "a wait");
      break;
    case Clause::flex_start:
      check_options(clause.options);
      break;
    case Clause::machine_type:
    case Clause::family:
    case Clause::node_pools:
    case Clause::pod_family:
    case Clause::zones:
    case Clause::on_demand:
    case Clause::spot:
    case Clause::reservation:
    case Clause::placement:
      break;
  }
}

void ObjectCheck::check_options(std::span<const ast::Option> options) {
  for (const ast::Option& option : options) {
    if (option.key.text == "max-run" || option.key.text == "wait" || option.key.text == "recycle-lead") {
      check_duration(option.value, fmt::format("`{}`", option.key.text));
      continue;
    }
    auto& report =
        error("unknown-option", option.key.span, fmt::format("no option is called `{}`", option.key.text));
    report.help = "options are `max-run`, `wait` and `recycle-lead`";
  }
}

}  // namespace sluice::lang
