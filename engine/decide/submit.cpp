#include "decide/submit.hpp"

#include <algorithm>
#include <charconv>

#include "decide/unsupported.hpp"

namespace sluice::decide {
namespace {

template <class Classes>
bool take_class(Workload& workload, const Classes& classes, const std::string& name, const char* kind) {
  auto found =
      std::find_if(classes.begin(), classes.end(), [&](const auto& known) { return known.name == name; });
  if (found == classes.end()) return false;
  workload.priority = found->value;
  workload.priority_class = name;
  workload.priority_class_kind = kind;
  return true;
}

/// A class by name, or a number. False if the submitter chose one.
bool default_priority(Workload& workload, const std::string& value, const World& world) {
  if (!workload.priority_class.empty() || workload.priority != 0) return false;
  if (take_class(workload, world.workload_priority_classes, value, "WorkloadPriorityClass")) return true;
  if (take_class(workload, world.priority_classes, value, "PriorityClass")) return true;
  std::int32_t number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  workload.priority = number;
  return true;
}

bool apply(Workload& workload, const Default& rule, const World& world) {
  switch (rule.kind) {
    case Default::Kind::queue:
      if (!workload.queue.empty()) return false;
      workload.queue = rule.value;
      return true;
    case Default::Kind::priority:
      return default_priority(workload, rule.value, world);
    case Default::Kind::label:
      return workload.labels.emplace(rule.key, rule.value).second;
    case Default::Kind::annotation:
      return workload.annotations.emplace(rule.key, rule.value).second;
    case Default::Kind::max_run: {
      std::optional<Duration> limit = Duration::parse(rule.value);
      if (workload.max_run_seconds || !limit || *limit < Duration::seconds(1)) return false;
      workload.max_run_seconds = limit->ns / Duration::seconds(1).ns;
      return true;
    }
    case Default::Kind::topology:
      throw Unsupported("a default topology (rule `" + rule.note.rule + "`)");
    case Default::Kind::compute_class:
      throw Unsupported("a default compute class (rule `" + rule.note.rule + "`)");
  }
  return false;
}

}  // namespace

std::vector<RuleNote> apply_defaults(Workload& workload, const Rules& rules, const World& world,
                                     Instant now) {
  // A copy is asked: the rules shall know the workload only as it is stored.
  std::unique_ptr<Rules> asked = rules.clone();
  SubmitAnswer answer = asked->submit(asked->add(workload, WorkloadState{}), now);
  std::vector<RuleNote> notes;
  for (const Default& rule : answer.defaults) {
    if (apply(workload, rule, world)) notes.push_back(rule.note);
  }
  return notes;
}

}  // namespace sluice::decide
