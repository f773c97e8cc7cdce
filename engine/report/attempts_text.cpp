#include "report/attempts_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/source_text.hpp"
#include "report/table.hpp"
#include "report/units.hpp"

namespace sluice::report {
namespace {

using decide::FlavorAttempt;
using decide::Mode;
using decide::ResourceTrial;
using decide::RuleFault;
using decide::RuleNote;

std::string_view fault_text(RuleFault::Kind kind) {
  switch (kind) {
    case RuleFault::Kind::overflow:
      return "a number is too large";
    case RuleFault::Kind::division_by_zero:
      return "division by zero";
    case RuleFault::Kind::absent_value:
      return "a value is absent";
    case RuleFault::Kind::bad_time_zone:
      return "there is no such time zone";
  }
  return {};
}

/// `pods want KEY in A, B; the flavor has C`.
std::string mismatch_text(const FlavorAttempt& attempt) {
  const Requirement& want = attempt.mismatch;
  std::string wanted;
  if (want.op == "Exists") {
    wanted = want.key;
  } else if (want.op == "DoesNotExist") {
    wanted = fmt::format("no {}", want.key);
  } else if (want.op == "NotIn") {
    wanted = fmt::format("{} not {}", want.key, fmt::join(want.values, " or "));
  } else if (want.op == "Gt" || want.op == "Lt") {
    wanted = fmt::format("{} {} {}", want.key, want.op == "Gt" ? ">" : "<", fmt::join(want.values, ", "));
  } else {
    wanted = fmt::format("{} = {}", want.key, fmt::join(want.values, " or "));
  }
  if (want.key.empty()) return "selector: the pods want other nodes";
  return fmt::format("selector: the pods want {}; the flavor has {}", wanted,
                     attempt.flavor_value.empty() ? "none" : attempt.flavor_value);
}

/// Kueue looks at no flavor behind the one with which an invalid affinity meets a label.
std::string invalid_text(const FlavorAttempt& attempt) {
  std::vector<std::string> parts;
  for (const decide::InvalidRequirement& invalid : attempt.invalid) {
    const Requirement& e = invalid.requirement;
    parts.push_back(fmt::format("{} {} [{}]", e.key, e.op, fmt::join(e.values, ", ")));
  }
  return fmt::format("affinity: Kubernetes does not take {}; no further flavor is tried", fmt::join(parts, " and "));
}

std::string taint_text(const Taint& taint) {
  return fmt::format("taint: the pods do not tolerate {}{}{}:{}", taint.key, taint.value.empty() ? "" : "=",
                     taint.value, taint.effect);
}

/// A rung that opens after a wait.
std::string after_text(const RuleNote& note, Duration after, const Scene& scene) {
  std::string place = place_of(scene, note.span);
  return fmt::format("only after {} of waiting{}", after.to_string(),
                     place.empty() ? "" : fmt::format(" ({})", place));
}

std::string rules_text(const FlavorAttempt& attempt, const Scene& scene) {
  std::string text;
  for (const RuleNote& note : attempt.refusals) {
    if (!text.empty()) text += "; ";
    bool waits = note.verb == RuleNote::Verb::rung_closed && attempt.after;
    text += waits ? after_text(note, *attempt.after, scene) : note_text(note, scene);
  }
  if (attempt.opens) text += fmt::format("; opens {}", instant_text(*attempt.opens, scene.now));
  return text;
}

/// The answer of the resources, the worst first.
std::string fit_text(const FlavorAttempt& attempt) {
  bool too_small = false;
  for (const ResourceTrial& trial : attempt.resources) {
    if (trial.slice_flavor) return "the slice that it replaces has another flavor";
    too_small = too_small || trial.verdict == ResourceTrial::Verdict::exceeds_capacity;
  }
  if (attempt.no_place) return "no place";
  switch (attempt.mode) {
    case Mode::no_fit:
      return too_small ? "too small" : "in use";
    case Mode::no_candidates:
      return "in use";
    case Mode::preempt:
      return "by preemption";
    case Mode::reclaim:
      return "by reclaim";
    case Mode::fit:
      return attempt.borrow_level > 0 ? "fits, borrowing" : "fits";
  }
  return {};
}

bool has_numbers(const FlavorAttempt& attempt) {
  return attempt.refusal == FlavorAttempt::Refusal::none && !attempt.resources.empty();
}

/// The queue's own quota, and what it may borrow on top.
std::string quota_text(const ResourceTrial& trial, const Units& units) {
  if (trial.capacity.is_unlimited() && !trial.nominal.is_unlimited()) {
    return fmt::format("{} + any", units.text(trial.resource, trial.nominal));
  }
  std::string text = units.text(trial.resource, trial.nominal);
  if (trial.capacity > trial.nominal) {
    text += fmt::format(" + {}", units.text(trial.resource, trial.capacity - trial.nominal));
  }
  return text;
}

/// Writes the rows of one workload.
class Rows {
 public:
  Rows(const decide::Decision& decision, const Scene& scene)
      : decision_(decision), scene_(scene), units_(units_of(decision)) {}

  std::string text() {
    for (const decide::PodSetDecision& pod_set : decision_.pod_sets) add(pod_set);
    return table_.empty() ? std::string() : table_.to_string("  ");
  }

 private:
  void add(const decide::PodSetDecision& pod_set) {
    std::string name = fmt::format("{} x {}", pod_set.name, pod_set.count);
    if (pod_set.count < pod_set.spec_count) name += fmt::format(" of {}", pod_set.spec_count);
    if (failed_ && pod_set.evaluated && pod_set.mode == Mode::fit) {
      // Its numbers assume that the pod set before got what it did not get.
      table_.add_with_text({std::move(name)},
                           fmt::format("would fit in {}", fmt::join(flavors_of(pod_set), ", ")));
      return;
    }
    failed_ = failed_ || !pod_set.evaluated || pod_set.mode != Mode::fit;
    for (const std::string& resource : pod_set.uncovered) {
      table_.add_with_text({std::exchange(name, {})},
                           fmt::format("no flavor of the queue has quota for {}", resource));
    }
    if (!pod_set.evaluated) {
      table_.add_with_text({std::move(name)}, "not tried");
      return;
    }
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      add(name, attempt);
      name.clear();
    }
    if (!name.empty() && pod_set.uncovered.empty()) {
      table_.add_with_text({std::move(name)}, "asks for nothing that the queue counts");
    }
  }

  void add(const std::string& pod_set, const FlavorAttempt& attempt) {
    if (!has_numbers(attempt)) {
      table_.add_with_text({pod_set, attempt.flavor}, answer_text(attempt, scene_));
      return;
    }
    std::vector<std::string> lead = {pod_set, attempt.flavor, answer_text(attempt, scene_)};
    for (const ResourceTrial& trial :
         in_queue_order(attempt.resources, decision_.cluster_queue, scene_.world)) {
      const std::string& resource = trial.resource;
      std::vector<std::string> cells = lead;
      bool fits = trial.verdict == ResourceTrial::Verdict::fits;
      cells.insert(cells.end(), {resource, units_.text(resource, trial.asked),
                                 units_.text(resource, trial.used + trial.assumed), quota_text(trial, units_),
                                 units_.text(resource, trial.available - trial.assumed),
                                 fits ? "" : units_.text(resource, trial.short_by)});
      table_.add(std::move(cells));
      lead = {"", "", ""};
    }
    for (const RuleNote& note : attempt.notes) {
      if (note.verb == RuleNote::Verb::rung_open) continue;  // that it is tried says as much
      table_.add_with_text({"", ""}, note_text(note, scene_));
    }
  }

  static std::set<std::string> flavors_of(const decide::PodSetDecision& pod_set) {
    std::set<std::string> flavors;
    for (const auto& [resource, flavor] : pod_set.flavors) flavors.insert(flavor);
    return flavors;
  }

  const decide::Decision& decision_;
  const Scene& scene_;
  Units units_;
  bool failed_ = false;  ///< a pod set before did not fit
  Table table_{{{"pod set"},
                {"flavor"},
                {"answer"},
                {"resource"},
                {"asked", Table::Align::right},
                {"used", Table::Align::right},
                {"quota", Table::Align::right},
                {"free", Table::Align::right},
                {"short by", Table::Align::right}}};
};

std::string_view verb_text(RuleNote::Verb verb) {
  switch (verb) {
    case RuleNote::Verb::allow:
      return "allowed by";
    case RuleNote::Verb::deny:
      return "denied by";
    case RuleNote::Verb::warn:
      return "warned of by";
    case RuleNote::Verb::hold:
      return "held by";
    case RuleNote::Verb::skip:
      return "skipped by";
    case RuleNote::Verb::prefer:
      return "preferred by";
    case RuleNote::Verb::rung_closed:
      return "closed by";
    case RuleNote::Verb::rung_open:
      return "opened by";
    case RuleNote::Verb::score:
      return "scored by";
    case RuleNote::Verb::require_check:
      return "required by";
    case RuleNote::Verb::set_default:
      return "set by";
  }
  return {};
}

}  // namespace

Units units_of(const decide::Decision& decision) {
  Units units;
  for (const decide::PodSetDecision& pod_set : decision.pod_sets) {
    for (const FlavorAttempt& attempt : pod_set.attempts) {
      if (!has_numbers(attempt)) continue;
      for (const ResourceTrial& trial : attempt.resources) {
        units.see(trial.resource, trial.asked);
        units.see(trial.resource, trial.used + trial.assumed);
        units.see(trial.resource, trial.nominal);
        units.see(trial.resource, trial.capacity - trial.nominal);
        units.see(trial.resource, trial.available - trial.assumed);
        units.see(trial.resource, trial.short_by);
      }
    }
  }
  return units;
}

std::vector<ResourceTrial> in_queue_order(std::vector<ResourceTrial> trials, const std::string& queue,
                                          const World& world) {
  std::vector<std::string> order;
  for (const ClusterQueue& known : world.cluster_queues) {
    if (known.name != queue) continue;
    for (const ResourceGroup& group : known.resource_groups) {
      order.insert(order.end(), group.covered_resources.begin(), group.covered_resources.end());
    }
  }
  auto place = [&](const ResourceTrial& trial) {
    return std::find(order.begin(), order.end(), trial.resource) - order.begin();
  };
  std::stable_sort(trials.begin(), trials.end(), [&](const ResourceTrial& a, const ResourceTrial& b) {
    return std::pair(place(a), a.resource) < std::pair(place(b), b.resource);
  });
  return trials;
}

std::string note_text(const RuleNote& note, const Scene& scene) {
  std::string rule = note.rule.starts_with("fallback ") ? note.rule : fmt::format("rule {}", note.rule);
  std::string place = place_of(scene, note.span);
  if (!place.empty()) rule += fmt::format(" ({})", place);
  std::string text;
  if (note.fault) {
    std::string fault_place = place_of(scene, note.fault->span);
    text = fmt::format("{} failed{}{}: {}", rule, fault_place.empty() ? "" : " at ", fault_place,
                       fault_text(note.fault->kind));
    bool is_left_out = note.verb != RuleNote::Verb::deny && note.verb != RuleNote::Verb::hold;
    text += fmt::format(" (on error {})", is_left_out                         ? "skip"
                                          : note.verb == RuleNote::Verb::deny ? "deny"
                                                                              : "hold");
  } else {
    std::string what = note.what.empty() ? "" : note.what + " ";
    text = fmt::format("{}{} {}", note.verb == RuleNote::Verb::require_check ? "check " + what : what,
                       verb_text(note.verb), rule);
  }
  if (!note.because.empty()) text += fmt::format(": \"{}\"", note.because);
  return text;
}

std::string answer_text(const FlavorAttempt& attempt, const Scene& scene) {
  switch (attempt.refusal) {
    case FlavorAttempt::Refusal::flavor_missing:
      return "there is no such flavor";
    case FlavorAttempt::Refusal::untolerated_taint:
      return taint_text(attempt.taint);
    case FlavorAttempt::Refusal::affinity_mismatch:
      return mismatch_text(attempt);
    case FlavorAttempt::Refusal::affinity_invalid:
      return invalid_text(attempt);
    case FlavorAttempt::Refusal::other_flavor_kept:
      return "not tried: another flavor was chosen before";
    case FlavorAttempt::Refusal::not_allowed:
      return "not tried: the workload is a variant for other flavors";
    case FlavorAttempt::Refusal::rule:
      return rules_text(attempt, scene);
    case FlavorAttempt::Refusal::no_topology:
      return "topology: the pods ask for one, the flavor has none";
    case FlavorAttempt::Refusal::topology_unknown:
      return "topology: that of the flavor does not exist";
    case FlavorAttempt::Refusal::level_missing:
      return "topology: that of the flavor does not have the level";
    case FlavorAttempt::Refusal::topology_only:
      return "topology: the flavor is for pods that ask for one";
    case FlavorAttempt::Refusal::none:
      return fit_text(attempt);
  }
  return {};
}

std::string attempts_table(const decide::Decision& decision, const Scene& scene) {
  return Rows(decision, scene).text();
}

}  // namespace sluice::report
