#include "report/reach_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/attempts_text.hpp"
#include "report/units.hpp"

namespace sluice::report {
namespace {

using decide::FlavorAttempt;
using decide::Reach;
using decide::ResourceTrial;

Units units_of(const Reach& reach, const ResourceTrial& trial) {
  Units units;
  auto see = [&](Amount amount) { units.see(reach.resource, amount); };
  see(reach.total);
  see(reach.own);
  see(trial.asked + trial.assumed);
  see(trial.available);
  for (const Reach::Source& source : reach.sources) see(source.amount);
  for (const Reach::Holder& holder : reach.holders) {
    see(holder.amount);
    see(holder.borrowed);
    for (const auto& [job, amount] : holder.jobs) see(amount);
  }
  if (reach.limit) see(reach.limit->amount);
  return units;
}

std::string node_text(Reach::Kind kind, const std::string& node) {
  switch (kind) {
    case Reach::Kind::queue:
      return node;
    case Reach::Kind::cohort:
    case Reach::Kind::shared:
      return "cohort " + node;
  }
  return {};
}

/// `own 8, lent by b 4, of cohort company 2`.
std::string sources_text(const Reach& reach, const Units& units) {
  std::string text = fmt::format("own {}", units.text(reach.resource, reach.own));
  for (const Reach::Source& source : reach.sources) {
    text += fmt::format(", {} {} {}", source.kind == Reach::Kind::shared ? "of" : "lent by",
                        node_text(source.kind, source.node), units.text(reach.resource, source.amount));
  }
  if (reach.limit) {
    text += fmt::format(", at most {} of it by borrowingLimit of {}", units.text(reach.resource, reach.limit->amount),
                        reach.limit->node);
  }
  return text;
}

std::string jobs_text(const Reach::Holder& holder, const Reach& reach, const Units& units, const Scene& scene) {
  std::vector<std::string> jobs;
  for (const auto& [job, amount] : holder.jobs)
    jobs.push_back(fmt::format("{} {}", user_name(scene.world, job), units.text(reach.resource, amount)));
  if (holder.more_jobs > 0) jobs.push_back(fmt::format("{} more", holder.more_jobs));
  return fmt::format("{}", fmt::join(jobs, ", "));
}

/// A line for each of those who use it.
std::string holders_text(const Reach& reach, const std::string& queue, const Units& units, const Scene& scene) {
  std::string text;
  for (const Reach::Holder& holder : reach.holders) {
    text += fmt::format("    {} in use by {}", units.text(reach.resource, holder.amount), node_text(holder.kind, holder.node));
    if (holder.kind == Reach::Kind::queue && holder.node == queue) text += " itself";
    if (holder.borrowed > Amount(0)) text += fmt::format(", {} borrowed", units.text(reach.resource, holder.borrowed));
    if (!holder.jobs.empty()) text += fmt::format(": {}", jobs_text(holder, reach, units, scene));
    text += "\n";
  }
  return text;
}

bool exceeds(const ResourceTrial& trial) {
  return trial.verdict == ResourceTrial::Verdict::exceeds_capacity;
}

std::string line_of(const FlavorAttempt& attempt, const Reach& reach, const ResourceTrial& trial, const std::string& queue,
                    const Scene& scene) {
  Units units = units_of(reach, trial);
  auto amount = [&](Amount value) { return units.text(reach.resource, value); };
  if (reach.sources.empty()) {  // the table has everything but who uses it
    if (reach.holders.empty()) return {};
    return fmt::format("  {} {} is in use by {}\n", attempt.flavor, reach.resource,
                       jobs_text(reach.holders.front(), reach, units, scene));
  }
  std::string text = fmt::format("  {} {} reaches {}", attempt.flavor, reach.resource, amount(reach.total));
  if (exceeds(trial))
    return text + fmt::format(" of {}: {}\n", amount(trial.asked + trial.assumed), sources_text(reach, units));
  text += ": " + sources_text(reach, units);
  if (trial.verdict == ResourceTrial::Verdict::fits) {
    Amount borrowed = trial.used + trial.assumed + trial.asked - trial.nominal;
    if (borrowed > Amount(0)) text += fmt::format("; with it {} borrows {}", queue, amount(borrowed));
    return text + "\n";
  }
  text += fmt::format("; free {}", amount(trial.available));
  return text + "\n" + holders_text(reach, queue, units, scene);
}

}  // namespace

std::string reach_text(const decide::Decision& decision, const Scene& scene) {
  std::string text;
  for (const decide::PodSetDecision& pod_set : decision.pod_sets) {
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      bool too_small = std::any_of(attempt.resources.begin(), attempt.resources.end(), exceeds);
      for (const ResourceTrial& trial : in_queue_order(attempt.resources, decision.cluster_queue, scene.world)) {
        if (too_small && !exceeds(trial)) continue;  // what is in use does not matter then
        auto reach = std::find_if(attempt.reaches.begin(), attempt.reaches.end(),
                                  [&](const Reach& one) { return one.resource == trial.resource; });
        if (reach == attempt.reaches.end()) continue;
        // Pod sets of one group share their attempts.
        std::string line = line_of(attempt, *reach, trial, decision.cluster_queue, scene);
        if (text.find(line) == std::string::npos) text += line;
      }
    }
  }
  return text;
}

}  // namespace sluice::report
