#include "tools/test_workload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::tools {
namespace {

namespace ast = lang::ast;

void set_priority_class(Workload& workload, const std::string& name, const World& world) {
  workload.priority_class = name;
  workload.priority_class_kind = "WorkloadPriorityClass";
  for (const WorkloadPriorityClass& known : world.workload_priority_classes) {
    if (known.name == name) {
      workload.priority = known.value;
      return;
    }
  }
  for (const PriorityClass& known : world.priority_classes) {
    if (known.name != name) continue;
    workload.priority_class_kind = "PriorityClass";
    workload.priority = known.value;
    return;
  }
}

}  // namespace

Workload workload_of_test(const ast::SubmitWorkloadStep& step, const lang::Policy& policy, const TestRow& row,
                          const World& world, Instant now, std::size_t number) {
  Workload workload;
  workload.name = step.alias.empty() ? fmt::format("workload-{}", number) : std::string(step.alias.text);
  workload.created = now;
  workload.arrival = number;
  for (const ast::WorkloadField& field : step.fields) {
    auto text = [&] { return test_text(field.value, policy, row); };
    std::string_view key = field.key.text;
    if (key == "queue") {
      workload.queue = text();
    } else if (key == "namespace") {
      workload.name_space = text();
    } else if (key == "name") {
      workload.name = text();
    } else if (key == "kind") {
      workload.owner.own().kind = text();
    } else if (key == "user") {
      workload.labels["user"] = text();
    } else if (key == "priority") {
      workload.priority = static_cast<std::int32_t>(test_value(field.value, policy, row).number);
    } else if (key == "priority-class") {
      set_priority_class(workload, text(), world);
    } else if (key == "max-run") {
      workload.max_run_seconds = test_value(field.value, policy, row).number / 1'000'000'000;
    } else if (key == "label") {
      workload.labels[std::string(field.subkey.text)] = text();
    } else if (key == "annotation") {
      workload.annotations[std::string(field.subkey.text)] = text();
    } else {
      throw error_at(policy, field.span, "not-yet-decided",
                     fmt::format("`{}` of a workload is not decided in tests yet", key));
    }
  }
  if (!workload.owner->kind.empty()) workload.owner.own().name = workload.name;
  workload.uid = workload.name;
  workload.synthetic_uid = true;
  for (const ast::PodSetField& field : step.pod_sets) {
    PodSet& pod_set = workload.pod_sets.emplace_back();
    pod_set.name = field.name.text;
    if (field.count != nullptr) {
      pod_set.count = static_cast<std::int32_t>(test_value(field.count, policy, row).number);
    }
    Container& container = pod_set.pod.containers.emplace_back();
    container.name = "main";
    for (const ast::KeyValue& request : field.requests) {
      container.requests[std::string(request.key.text)] =
          test_quantity(request.value, request.key.text, policy, row);
    }
  }
  if (workload.pod_sets.empty()) {
    PodSet& pod_set = workload.pod_sets.emplace_back();
    pod_set.name = "main";
    pod_set.pod.containers.emplace_back().name = "main";
  }
  return workload;
}

}  // namespace sluice::tools
