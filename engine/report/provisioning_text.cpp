#include "report/provisioning_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/table.hpp"
#include "report/units.hpp"

namespace sluice::report {
namespace {

std::string_view state_word(CheckState state) {
  switch (state) {
    case CheckState::pending:
      return "pending";
    case CheckState::ready:
      return "ready";
    case CheckState::retry:
      return "retry";
    case CheckState::rejected:
      return "rejected";
  }
  return {};
}

std::string toleration_text(const Toleration& toleration) {
  std::string text = toleration.key.empty() ? "everything" : toleration.key;
  if (toleration.op == "Equal" && !toleration.value.empty()) text += fmt::format("={}", toleration.value);
  if (toleration.op == "Gt") text += fmt::format(" > {}", toleration.value);
  if (toleration.op == "Lt") text += fmt::format(" < {}", toleration.value);
  if (!toleration.effect.empty()) text += fmt::format(":{}", toleration.effect);
  if (toleration.seconds) text += fmt::format(" for {}s", *toleration.seconds);
  return text;
}

std::string requests_text(const Resources& requests) {
  std::vector<std::string> parts;
  for (const auto& [resource, quantity] : requests) {
    parts.push_back(fmt::format("{} {}", resource, quantity_text(resource, quantity)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// `word  a` and further values below the first.
void add_list(std::string& text, std::string_view word, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    text += fmt::format("      {:<10} {}\n", word, value);
    word = {};
  }
}

std::string request_text(const decide::RequestPlan& request) {
  std::string text = fmt::format("    ProvisioningRequest {}, class {}, attempt {} of {}\n", request.name,
                                 request.class_name, request.attempt, request.attempts);
  std::vector<std::string> parameters;
  for (const auto& [key, value] : request.parameters)
    parameters.push_back(fmt::format("{} = {}", key, value));
  if (parameters.empty()) parameters.push_back("none");
  add_list(text, "parameters", parameters);
  for (const decide::ProvisioningPodSet& pod_set : request.pod_sets) {
    add_list(
        text, "pod set",
        {fmt::format("{} x {}, each {}", pod_set.pod_set, pod_set.count, requests_text(pod_set.requests))});
    add_list(text, "template", {pod_set.template_name});
    std::vector<std::string> nodes;
    for (const auto& [key, value] : pod_set.node_selector)
      nodes.push_back(fmt::format("{} = {}", key, value));
    add_list(text, "nodes", nodes);
    std::vector<std::string> tolerations;
    for (const Toleration& toleration : pod_set.tolerations)
      tolerations.push_back(toleration_text(toleration));
    add_list(text, "tolerates", tolerations);
  }
  if (request.says) {
    std::string said =
        fmt::format("{} since {}", request_event_name(*request.says), request.said_at.to_string());
    if (!request.message.empty()) said += fmt::format(": {}", request.message);
    add_list(text, "is", {said});
  }
  return text;
}

template <class Objects>
auto find_object(const Objects& objects, std::string_view name) -> decltype(&objects.front()) {
  auto found =
      std::find_if(objects.begin(), objects.end(), [&](const auto& object) { return object.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

/// Collects the lines of sources_text.
class Sources {
 public:
  explicit Sources(const Scene& scene) : scene_(scene) {}

  void add(std::string_view kind, std::string name, Origin origin) {
    table_.add({std::string(kind), std::move(name), place_of(scene_.world, origin)});
  }

  template <class Objects>
  void add_named(std::string_view kind, const Objects& objects, const std::string& name) {
    const auto* object = find_object(objects, name);
    if (object != nullptr) add(kind, name, object->origin);
  }

  void add_rule(const decide::RuleNote& note) {
    std::string place = place_of(scene_, note.span);
    if (place.empty() || !rules_.insert(note.rule + place).second) return;
    bool fallback = note.rule.starts_with("fallback ");
    table_.add(
        {fallback ? "fallback" : "rule", fallback ? note.rule.substr(9) : note.rule, std::move(place)});
  }

  std::string text() const {
    std::string text = table_.empty() ? std::string() : table_.to_string("  ");
    return text.substr(text.find('\n') + 1);  // without titles
  }

 private:
  const Scene& scene_;
  std::set<std::string> rules_;
  Table table_{{{""}, {""}, {""}}};
};

}  // namespace

std::string_view request_event_name(decide::RequestEvent event) {
  switch (event) {
    case decide::RequestEvent::accepted:
      return "Accepted";
    case decide::RequestEvent::provisioned:
      return "Provisioned";
    case decide::RequestEvent::failed:
      return "Failed";
    case decide::RequestEvent::booking_expired:
      return "BookingExpired";
    case decide::RequestEvent::capacity_revoked:
      return "CapacityRevoked";
  }
  return {};
}

std::string checks_text(const decide::WorkloadReport& report, const Scene& scene) {
  std::string text;
  for (const decide::CheckWait& check : report.checks) {
    std::string why = check.because_flavors.empty()
                          ? std::string()
                          : fmt::format(", needed by flavor {}", fmt::join(check.because_flavors, ", "));
    text += fmt::format("  check {} is {}{}\n", check.name, state_word(check.state), why);
    if (!check.missing_config.empty()) {
      text += fmt::format("    there is no ProvisioningRequestConfig {}\n", check.missing_config);
    }
    if (check.not_needed) text += "    no pod set asks for a resource that it manages: it says yes at once\n";
    if (check.request) text += request_text(*check.request);
  }
  (void)scene;
  return text;
}

std::string sources_text(const decide::WorkloadReport& report, const Scene& scene) {
  const World& world = scene.world;
  Sources sources(scene);
  const Workload* workload = find_workload(world, report.workload);
  if (workload != nullptr) sources.add("workload", report.workload.to_string(), workload->origin);
  for (const LocalQueue& queue : world.local_queues) {
    if (queue.name_space == report.workload.name_space && queue.name == report.local_queue) {
      sources.add("local queue", queue.name_space + "/" + queue.name, queue.origin);
    }
  }
  sources.add_named("queue", world.cluster_queues, report.cluster_queue);
  std::set<std::string> flavors;
  std::vector<std::string> flavor_order;
  if (report.decision) {
    for (const decide::PodSetDecision& pod_set : report.decision->pod_sets) {
      for (const decide::FlavorAttempt& attempt : pod_set.attempts) {
        if (flavors.insert(attempt.flavor).second) flavor_order.push_back(attempt.flavor);
      }
    }
  }
  for (const std::string& flavor : flavor_order) sources.add_named("flavor", world.flavors, flavor);
  for (const decide::CheckWait& check : report.checks) {
    sources.add_named("check", world.admission_checks, check.name);
    const AdmissionCheck* object = find_object(world.admission_checks, check.name);
    if (object != nullptr && check.request) {
      sources.add_named("provisioning", world.provisioning_configs, object->parameters_name);
    }
  }
  if (report.decision) {
    for (const decide::RuleNote& note : report.decision->reasons) sources.add_rule(note);
    for (const decide::RuleNote& note : report.decision->notes) sources.add_rule(note);
    for (const decide::PodSetDecision& pod_set : report.decision->pod_sets) {
      for (const decide::FlavorAttempt& attempt : pod_set.attempts) {
        for (const decide::RuleNote& note : attempt.refusals) sources.add_rule(note);
        for (const decide::RuleNote& note : attempt.notes) sources.add_rule(note);
      }
    }
  }
  return sources.text();
}

}  // namespace sluice::report
