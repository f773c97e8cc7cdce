#include "decide/provisioning_check.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "base/digest.hpp"
#include "decide/core.hpp"
#include "decide/provision.hpp"

// The controller of provisioning checks: it asks for machines once a workload has quota, and turns what the
// autoscaler says about the request into the state of the check.
// Source    Kueue pkg/controller/admissionchecks/provisioning.

namespace sluice::decide {
namespace {

constexpr std::string_view kParameterPrefix = "provreq.kueue.x-k8s.io/";

std::string name_prefix(std::string_view workload, std::string_view check) {
  return request_object_name(std::string(workload) + "-" + std::string(check) + "-");
}

/// Pod sets that need the same kind of node, whatever they run there.
bool need_the_same(const PodTemplate& a, const PodTemplate& b) {
  auto same_requests = [](const std::vector<Container>& x, const std::vector<Container>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Container& c, const Container& d) { return c.requests == d.requests; });
  };
  return same_requests(a.containers, b.containers) && same_requests(a.init_containers, b.init_containers) &&
         a.pod_requests == b.pod_requests && a.pod_limits == b.pod_limits &&
         a.node_selector == b.node_selector && a.tolerations == b.tolerations &&
         a.required_affinity == b.required_affinity && a.other_shape == b.other_shape;
}

bool may_merge(const PodTemplate& a, const PodTemplate& b, std::string_view policy) {
  if (policy == "IdenticalPodTemplates") return a == b;
  if (policy == "IdenticalWorkloadSchedulingRequirements") return need_the_same(a, b);
  return false;
}

/// What the pods get once the machines are there: that they use this request, and selectors from its details.
std::vector<PodSetUpdate> updates_of(const RequestState& request, const Workload& workload,
                                     const ProvisioningRequestConfig& config) {
  std::vector<PodSetUpdate> updates;
  for (const std::string& pod_template : request.templates) {
    PodSetUpdate& update = updates.emplace_back();
    for (const PodSet& pod_set : workload.pod_sets) {
      if (request_template_name(request.name, pod_set.name) == pod_template) update.name = pod_set.name;
    }
    update.annotations = {{"autoscaling.x-k8s.io/consume-provisioning-request", request.name},
                          {"autoscaling.x-k8s.io/provisioning-class-name", request.class_name}};
    for (const auto& [key, detail] : config.node_selector_updates) {
      auto value = request.class_details.find(detail);
      if (value != request.class_details.end()) update.node_selector[key] = value->second;
    }
  }
  return updates;
}

}  // namespace

std::string request_object_name(const std::string& full) {
  constexpr std::size_t kLongest = 247;
  constexpr std::size_t kDigest = 5;
  if (full.size() <= kLongest) return full;
  return full.substr(0, kLongest) + "-" + sha1_hex(full).substr(0, kDigest);
}

std::string request_name(std::string_view workload, std::string_view check, std::int32_t attempt) {
  return request_object_name(std::string(workload) + "-" + std::string(check) + "-" +
                             std::to_string(attempt));
}

std::string request_template_name(std::string_view request, std::string_view pod_set) {
  return request_object_name("ppt-" + std::string(request) + "-" + std::string(pod_set));
}

std::optional<std::int32_t> attempt_in_name(std::string_view name, std::string_view workload,
                                            std::string_view check) {
  std::string prefix = name_prefix(workload, check);
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  std::string_view digits = name.substr(prefix.size());
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  std::int32_t attempt = 1;
  std::from_chars(digits.data(), digits.data() + digits.size(), attempt);
  return attempt;
}

Labels request_parameters(const Workload& workload, const ProvisioningRequestConfig& config) {
  Labels parameters = config.parameters;
  for (const auto& [key, value] : workload.annotations) {
    if (key.starts_with(kParameterPrefix)) parameters[key.substr(kParameterPrefix.size())] = value;
  }
  return parameters;
}

bool is_in_step(const RequestState& request, const ProvisioningRequestConfig& config) {
  if (request.class_name != config.class_name) return false;
  return std::all_of(config.parameters.begin(), config.parameters.end(), [&](const auto& wanted) {
    auto given = request.parameters.find(wanted.first);
    return given != request.parameters.end() && given->second == wanted.second;
  });
}

std::vector<RequestedPodSet> requested_pod_sets(const Workload& workload,
                                                const std::vector<std::int64_t>& counts,
                                                const ProvisioningRequestConfig& config) {
  std::vector<RequestedPodSet> out;
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const PodSet& pod_set = workload.pod_sets[i];
    std::int64_t count = i < counts.size() ? counts[i] : pod_set.count;
    if (pod_set.count <= 0 || count <= 0 || !uses_managed(pod_set.pod, config.managed_resources)) continue;
    auto like = std::find_if(out.begin(), out.end(), [&](const RequestedPodSet& other) {
      return may_merge(workload.pod_sets[other.pod_set].pod, pod_set.pod, config.pod_set_merge_policy);
    });
    if (like == out.end()) {
      out.push_back({i, count});
    } else {
      like->count += count;
    }
  }
  return out;
}

/// Source    Kueue pkg/util/wait/backoff.go: the first wait is never cut. Its jitter of up to 0.01 % is left out.
std::int32_t retry_wait_seconds(const ProvisioningRetry& retry, std::int32_t failures) {
  std::int64_t wait = retry.base_seconds;
  for (std::int32_t n = 1; n < failures; ++n) {
    wait = std::min<std::int64_t>(wait * 2, retry.max_seconds);
    if (wait == retry.max_seconds) break;
  }
  return static_cast<std::int32_t>(wait);
}

std::optional<RequestEvent> request_event(std::string_view condition) {
  if (condition == "Accepted") return RequestEvent::accepted;
  if (condition == "Provisioned") return RequestEvent::provisioned;
  if (condition == "Failed") return RequestEvent::failed;
  if (condition == "BookingExpired") return RequestEvent::booking_expired;
  if (condition == "CapacityRevoked") return RequestEvent::capacity_revoked;
  return {};
}

std::optional<RequestEvent> event_that_counts(const RequestState& request) {
  for (RequestEvent event : {RequestEvent::failed, RequestEvent::capacity_revoked, RequestEvent::booking_expired,
                             RequestEvent::provisioned, RequestEvent::accepted}) {
    if (request[event].is_true) return event;
  }
  return {};
}

RequestState state_of(const ProvisioningRequest& object) {
  RequestState state;
  state.name = object.name;
  state.class_name = object.class_name;
  state.parameters = object.parameters;
  for (const RequestedPods& pods : object.pod_sets) state.templates.push_back(pods.pod_template);
  for (const Condition& condition : object.conditions) {
    auto event = request_event(condition.type);
    if (event) state[*event] = {true, condition.status, condition.message, condition.since};
  }
  state.class_details = object.class_details;
  state.created = object.created;
  return state;
}

/// Takes the requests of a snapshot over.
void Core::read_requests(const World& world) {
  for (const ProvisioningRequest& object : world.provisioning_requests) {
    WorkId id = object.workload.empty() ? kNone : find({object.name_space, object.workload});
    if (id != kNone) requests_[id].push_back(state_of(object));
  }
}

void Core::apply(const ProvisioningRequest& object) {
  WorkId id = object.workload.empty() ? kNone : find({object.name_space, object.workload});
  if (id == kNone) return;
  std::vector<RequestState>& all = requests_[id];
  auto known = std::find_if(all.begin(), all.end(), [&](const RequestState& r) { return r.name == object.name; });
  if (known == all.end()) {
    all.push_back(state_of(object));
  } else {
    *known = state_of(object);
  }
  to_reconcile_.push_back(id);
}

void Core::remove_request(const std::string& name_space, const std::string& name) {
  for (auto& [id, all] : requests_) {
    if (works[id].object->name_space != name_space) continue;
    if (std::erase_if(all, [&](const RequestState& r) { return r.name == name; }) > 0) to_reconcile_.push_back(id);
  }
}

/// The request that a check of a workload goes by: of those that say what the config says the last attempt.
const RequestState* Core::current_request(const Work& work, const std::string& check,
                                          const ProvisioningRequestConfig& config) const {
  auto owned = requests_.find(static_cast<WorkId>(&work - works.data()));
  const RequestState* current = nullptr;
  std::int32_t last = 0;
  if (owned == requests_.end()) return nullptr;
  for (const RequestState& request : owned->second) {
    auto attempt = attempt_in_name(request.name, work.object->name, check);
    if (!attempt || !is_in_step(request, config) || (current != nullptr && last >= *attempt)) continue;
    current = &request;
    last = *attempt;
  }
  return current;
}

void Core::provision(WorkId id, std::optional<RequestEvent> event, const std::string& message) {
  auto found = requests_.find(id);
  if (found == requests_.end()) return;
  bool changed = false;
  for (RequestState& request : found->second) {
    if (request[RequestEvent::failed].is_true) continue;  // an earlier attempt
    if (!event) continue;
    RequestCondition& condition = request[*event];
    if (condition.is_true && condition.message == message) continue;
    changed = true;
    if (!condition.is_true) condition.since = now;
    condition.known = condition.is_true = true;
    condition.message = message;
  }
  // The controller of the check looks at it; that of workloads only if that one wrote something.
  if (changed && reconcile_provisioning(id)) to_reconcile_.push_back(id);
}

/// What the provisioning controller does about one workload; true if it changed the workload or asked for
/// machines, so that everybody has to look again.
bool Core::reconcile_provisioning(WorkId id) {
  Work& work = works[id];
  if (work.checks.empty() && requests_.empty()) return false;
  if (work.removed) {
    requests_.erase(id);
    return false;
  }
  if (work.finished || (work.evicted && gates.cleanup_provisioning_requests_on_eviction)) {
    requests_.erase(id);
    return false;
  }
  if (work.evicted || !work.reserved) return false;

  struct Item {
    std::size_t position = 0;  // in work.checks
    const ProvisioningRequestConfig* config = nullptr;
    std::vector<RequestedPodSet> pod_sets;
    std::optional<RequestState> request;
    std::int32_t attempt = 0;
  };
  std::vector<Item> items;
  auto owned = requests_.find(id);
  for (std::size_t i = 0; i < work.checks.size(); ++i) {
    const AdmissionCheck* object = cluster.check(work.checks[i].check);
    if (object == nullptr || object->controller != kProvisioningController) continue;
    if (!names_config(*object)) return false;  // Kueue's controller stops at the error, for all checks
    Item& item = items.emplace_back();
    item.position = i;
    item.config = config_of(*object, *cluster.world);
    if (item.config == nullptr) continue;
    item.pod_sets = requested_pod_sets(*work.object, work.held_counts, *item.config);
    if (item.pod_sets.empty()) continue;
    if (const RequestState* request = current_request(work, object->name, *item.config)) {
      item.request = *request;
      item.attempt = attempt_in_name(request->name, work.object->name, object->name).value_or(1);
    }
  }
  if (items.empty() && owned == requests_.end()) return false;

  bool waits = std::any_of(items.begin(), items.end(), [](const Item& item) {
    return item.config != nullptr && !item.pod_sets.empty() && !item.request;
  });
  bool changed = false;
  // While a request is missing no check's state is touched.
  if (!waits) {
    for (const Item& item : items) {
      Check& check = work.checks[item.position];
      auto say = [&](const std::string& message) {
        changed = changed || check.message != message;
        check.message = message;
      };
      auto become = [&](CheckState state) {
        if (check.state == state) return false;
        check.state = state;  // and not `since`: the wait for a retry runs from when the check became pending
        return changed = true;
      };
      if (item.config == nullptr) {
        become(CheckState::pending);
        say("the check is not active");
        continue;
      }
      if (item.pod_sets.empty()) {
        if (!become(CheckState::ready)) continue;
        check.message = "the provisioning request is not needed";
        check.updates.clear();
        continue;
      }
      const RequestState& request = *item.request;
      std::optional<RequestEvent> said = event_that_counts(request);
      auto fail = [&](RequestEvent event, std::string_view retrying) {
        const std::string& message = request[event].message;
        if (item.attempt > item.config->retry.limit) {
          become(CheckState::rejected);
          say(message);
          return;
        }
        say(std::string(retrying) + message);
        if (item.attempt <= check.retry_count) return;  // of an earlier attempt
        become(CheckState::retry);
        check.requeue_after_seconds = retry_wait_seconds(item.config->retry, check.retry_count + 1);
      };
      if (!said) {
        say({});
        become(CheckState::pending);
        continue;
      }
      switch (*said) {
        case RequestEvent::failed:
          fail(*said, "Retrying after failure: ");
          break;
        case RequestEvent::capacity_revoked:
          if (!work.live) break;
          become(CheckState::rejected);
          say(request[*said].message);
          break;
        case RequestEvent::booking_expired:
          if (!work.admitted) fail(*said, "Retrying after booking expired: ");
          break;
        case RequestEvent::provisioned:
          if (!become(CheckState::ready)) break;
          check.updates = updates_of(request, *work.object, *item.config);
          check.message = request[*said].message;
          break;
        case RequestEvent::accepted:
          // Its message tells when the machines are expected.
          if (!request[RequestEvent::provisioned].known) break;
          say(request[RequestEvent::provisioned].message);
          become(CheckState::pending);
          break;
      }
    }
  }

  // Only what a check still goes by is kept; then what is missing is made.
  std::vector<RequestState> kept;
  bool made = false;
  for (Item& item : items) {
    if (item.request) kept.push_back(*item.request);
  }
  for (const Item& item : items) {
    const Check& check = work.checks[item.position];
    if (item.config == nullptr || item.pod_sets.empty() || check.state == CheckState::ready) continue;
    std::int32_t attempt = check.retry_count + 1;
    if (item.request) {
      const RequestState& request = *item.request;
      bool over = request[RequestEvent::failed].is_true ||
                  (request[RequestEvent::booking_expired].is_true && !work.admitted);
      if (!over || check.state != CheckState::pending) continue;
      attempt = item.attempt + 1;
    }
    const std::string& check_name = cluster.check_names.text(check.check);
    RequestState& request = kept.emplace_back();
    request.name = request_name(work.object->name, check_name, attempt);
    request.class_name = item.config->class_name;
    request.parameters = request_parameters(*work.object, *item.config);
    request.created = now;
    for (const RequestedPodSet& part : item.pod_sets) {
      request.templates.push_back(
          request_template_name(request.name, work.object->pod_sets[part.pod_set].name));
    }
    // One that Kueue will not find again, or not take for its own, is made anew for ever.
    made = made || (attempt_in_name(request.name, work.object->name, check_name) &&
                    is_in_step(request, *item.config));
  }
  if (kept.empty()) {
    if (owned != requests_.end()) requests_.erase(owned);
  } else {
    requests_[id] = std::move(kept);
  }
  if (changed) {
    ++generations[work.holds_in];
    workload_changed(work);
  }
  return changed || made;
}

}  // namespace sluice::decide
