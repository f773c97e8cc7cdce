#include "decide/provision.hpp"

#include <algorithm>

#include "decide/core.hpp"
#include "decide/unsupported.hpp"
#include "model/requests.hpp"
#include "program/program.hpp"

namespace sluice::decide {

bool uses_managed(const PodTemplate& pod, const std::vector<std::string>& managed) {
  if (managed.empty()) return true;
  auto named = [&](const Resources& resources) {
    return std::any_of(managed.begin(), managed.end(),
                       [&](const std::string& m) { return resources.contains(m); });
  };
  auto any = [&](const std::vector<Container>& containers) {
    return std::any_of(containers.begin(), containers.end(),
                       [&](const Container& c) { return named(c.requests) || named(c.limits); });
  };
  return any(pod.containers) || any(pod.init_containers);
}

/// Source: Kueue pkg/controller/admissionchecks/provisioning.
std::vector<CheckWait> Core::describe_checks(const Work& work) const {
  std::vector<CheckWait> out;
  if (!work.reserved || work.holds_in == kNone) return out;
  const Queue& queue = cluster.queues[work.holds_in];
  for (const Check& check : work.checks) {
    CheckWait& wait = out.emplace_back();
    wait.name = cluster.check_names.text(check.check);
    wait.state = check.state;
    for (const CheckRule& rule : queue.checks) {
      if (rule.check != check.check) continue;
      for (const Holding& holding : work.holdings) {
        if (!std::binary_search(rule.flavors.begin(), rule.flavors.end(), holding.flavor)) continue;
        const std::string& flavor = cluster.flavor_names.text(holding.flavor);
        auto& flavors = wait.because_flavors;
        if (std::find(flavors.begin(), flavors.end(), flavor) == flavors.end()) flavors.push_back(flavor);
      }
    }
    const AdmissionCheck* object =
        check.check < cluster.checks.size() ? cluster.checks[check.check] : nullptr;
    if (object == nullptr) continue;
    wait.controller = object->controller;
    if (object->controller != kProvisioningController) continue;
    const ProvisioningRequestConfig* config = config_of(*object, *cluster.world);
    if (config == nullptr) {
      wait.missing_config = object->parameters_name;
      continue;
    }
    refuse_rules_on(program::Point::provision, work);
    RequestPlan request;
    request.attempt = check.retry_count + 1;
    request.attempts = config->retry.limit + 1;
    if (const RequestState* made = current_request(work, wait.name, *config)) {
      request.attempt = attempt_in_name(made->name, work.object->name, wait.name).value_or(request.attempt);
      request.says = event_that_counts(*made);
      if (request.says) {
        request.said_at = (*made)[*request.says].since;
        request.message = (*made)[*request.says].message;
      }
    }
    request.name = request_name(work.object->name, wait.name, request.attempt);
    request.class_name = config->class_name;
    request.parameters = request_parameters(*work.object, *config);
    for (const auto& [i, count] : requested_pod_sets(*work.object, work.held_counts, *config)) {
      const PodSet& pod_set = work.object->pod_sets[i];
      ProvisioningPodSet& entry = request.pod_sets.emplace_back();
      entry.pod_set = pod_set.name;
      entry.template_name = request_template_name(request.name, pod_set.name);
      entry.count = count;
      entry.node_selector = pod_set.pod.node_selector;
      entry.tolerations = pod_set.pod.tolerations;
      entry.requests = pod_requests(adjust_resources(pod_set.pod, work.object->name_space, *cluster.world));
      std::vector<FlavorId> used;
      for (const Holding& holding : work.holdings) {
        if (holding.pod_set != i || std::find(used.begin(), used.end(), holding.flavor) != used.end())
          continue;
        used.push_back(holding.flavor);
        if (entry.flavor.empty()) entry.flavor = cluster.flavor_names.text(holding.flavor);
        const ResourceFlavor* flavor = cluster.flavors[holding.flavor];
        if (flavor == nullptr) continue;
        for (const auto& [key, value] : flavor->node_labels) entry.node_selector.emplace(key, value);
        for (const Toleration& toleration : flavor->tolerations) {
          auto& all = entry.tolerations;
          if (std::find(all.begin(), all.end(), toleration) == all.end()) all.push_back(toleration);
        }
      }
    }
    wait.not_needed = request.pod_sets.empty();
    if (!wait.not_needed) wait.request = std::move(request);
  }
  return out;
}

}  // namespace sluice::decide
