#include "model/requests.hpp"

#include <algorithm>

namespace sluice {

namespace {

/// All limit ranges of a namespace as one: the tightest bounds, the first defaults.
struct LimitSummary {
  bool has_container = false;
  bool has_pod = false;
  LimitRangeItem container;
  LimitRangeItem pod;
};

void add_missing(Resources& into, const Resources& from) {
  into.insert(from.begin(), from.end());
}

void keep_smaller(Resources& into, const Resources& from) {
  for (const auto& [resource, quantity] : from) {
    auto [at, is_new] = into.emplace(resource, quantity);
    if (!is_new && quantity < at->second) at->second = quantity;
  }
}

void keep_larger(Resources& into, const Resources& from) {
  for (const auto& [resource, quantity] : from) {
    auto [at, is_new] = into.emplace(resource, quantity);
    if (!is_new && at->second < quantity) at->second = quantity;
  }
}

void add_all(Resources& into, const Resources& from) {
  for (const auto& [resource, quantity] : from) {
    auto [at, is_new] = into.emplace(resource, quantity);
    if (!is_new) at->second = at->second + quantity;
  }
}

LimitSummary summarize(const std::vector<LimitRange>& ranges, std::string_view name_space) {
  LimitSummary summary;
  for (const LimitRange& range : ranges) {
    if (range.name_space != name_space) continue;
    for (const LimitRangeItem& item : range.items) {
      bool is_container = item.type == "Container";
      if (!is_container && item.type != "Pod") continue;
      (is_container ? summary.has_container : summary.has_pod) = true;
      LimitRangeItem& into = is_container ? summary.container : summary.pod;
      keep_smaller(into.max, item.max);
      keep_larger(into.min, item.min);
      add_missing(into.default_limits, item.default_limits);
      add_missing(into.default_requests, item.default_requests);
    }
  }
  return summary;
}

/// The limit range that a bound of the summary comes from.
std::string source_of(const std::vector<LimitRange>& ranges, std::string_view name_space,
                      std::string_view type, Resources LimitRangeItem::*bounds, const std::string& resource,
                      Quantity bound) {
  for (const LimitRange& range : ranges) {
    if (range.name_space != name_space) continue;
    for (const LimitRangeItem& item : range.items) {
      if (item.type != type) continue;
      auto found = (item.*bounds).find(resource);
      if (found != (item.*bounds).end() && found->second == bound) return range.name;
    }
  }
  return {};
}

bool is_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

/// Compares whole units, as Kueue does: 100u and 1m of cpu are equal.
bool exceeds(std::string_view resource, Quantity a, Quantity b) {
  return Amount::request(resource, a) > Amount::request(resource, b);
}

class Refusals {
 public:
  Refusals(const Workload& workload, const World& world)
      : workload_(workload), world_(world), limits_(summarize(world.limit_ranges, workload.name_space)) {}

  std::vector<ResourceRefusal> find() {
    std::vector<PodTemplate> pods;
    for (const PodSet& set : workload_.pod_sets)
      pods.push_back(adjust_resources(set.pod, workload_.name_space, world_));
    for (std::size_t i = 0; i < pods.size(); ++i) check_own_limits(workload_.pod_sets[i].name, pods[i]);
    if (!found_.empty()) return std::move(found_);
    for (std::size_t i = 0; i < pods.size(); ++i) check_limit_ranges(workload_.pod_sets[i].name, pods[i]);
    return std::move(found_);
  }

 private:
  using Kind = ResourceRefusal::Kind;

  void check_own_limits(const std::string& pod_set, const PodTemplate& pod) {
    auto check = [&](const std::string& container, const Resources& requests, const Resources& limits) {
      for (const auto& [resource, asked] : requests) {
        auto limit = limits.find(resource);
        if (limit != limits.end() && exceeds(resource, asked, limit->second))
          found_.push_back(
              {Kind::request_above_limit, pod_set, container, resource, asked, limit->second, {}});
      }
    };
    for (const Container& container : pod.init_containers)
      check(container.name, container.requests, container.limits);
    for (const Container& container : pod.containers)
      check(container.name, container.requests, container.limits);
    if (pod.pod_requests) check({}, *pod.pod_requests, pod.pod_limits.value_or(Resources{}));
  }

  void check_limit_ranges(const std::string& pod_set, const PodTemplate& pod) {
    if (limits_.has_container) {
      for (const Container& container : pod.init_containers) check_container(pod_set, container);
      for (const Container& container : pod.containers) check_container(pod_set, container);
    }
    if (limits_.has_pod) {
      Resources total = pod_requests(pod);
      check_bounds(pod_set, {}, "Pod", limits_.pod, total, total);
    }
  }

  void check_container(const std::string& pod_set, const Container& container) {
    Resources smallest = container.requests;
    keep_smaller(smallest, container.limits);
    Resources largest = container.requests;
    keep_larger(largest, container.limits);
    check_bounds(pod_set, container.name, "Container", limits_.container, smallest, largest);
  }

  void check_bounds(const std::string& pod_set, const std::string& container, std::string_view type,
                    const LimitRangeItem& bounds, const Resources& smallest, const Resources& largest) {
    auto source = [&](Resources LimitRangeItem::*list, const std::string& resource, Quantity bound) {
      return source_of(world_.limit_ranges, workload_.name_space, type, list, resource, bound);
    };
    for (const auto& [resource, asked] : largest) {
      auto max = bounds.max.find(resource);
      if (max != bounds.max.end() && exceeds(resource, asked, max->second))
        found_.push_back({Kind::above_limit_range_max, pod_set, container, resource, asked, max->second,
                          source(&LimitRangeItem::max, resource, max->second)});
    }
    for (const auto& [resource, min] : bounds.min) {
      auto asked = smallest.find(resource);
      if (asked != smallest.end() && exceeds(resource, min, asked->second))
        found_.push_back({Kind::below_limit_range_min, pod_set, container, resource, asked->second, min,
                          source(&LimitRangeItem::min, resource, min)});
    }
  }

  const Workload& workload_;
  const World& world_;
  LimitSummary limits_;
  std::vector<ResourceRefusal> found_;
};

}  // namespace

PodTemplate adjust_resources(const PodTemplate& pod, std::string_view name_space, const World& world) {
  PodTemplate adjusted = pod;
  if (!adjusted.runtime_class.empty() && adjusted.overhead.empty()) {
    auto found =
        std::find_if(world.runtime_classes.begin(), world.runtime_classes.end(),
                     [&](const RuntimeClass& known) { return known.name == adjusted.runtime_class; });
    if (found != world.runtime_classes.end()) adjusted.overhead = found->pod_overhead;
  }

  LimitSummary limits = summarize(world.limit_ranges, name_space);
  auto fill_in = [](Resources& requests, Resources& own_limits, const LimitRangeItem& defaults) {
    add_missing(own_limits, defaults.default_limits);
    add_missing(requests, defaults.default_requests);
  };
  for (std::vector<Container>* list : {&adjusted.init_containers, &adjusted.containers})
    for (Container& container : *list) {
      fill_in(container.requests, container.limits, limits.container);
      add_missing(container.requests, container.limits);
    }
  if (adjusted.pod_requests || adjusted.pod_limits) {
    if (!adjusted.pod_requests) adjusted.pod_requests.emplace();
    if (!adjusted.pod_limits) adjusted.pod_limits.emplace();
    fill_in(*adjusted.pod_requests, *adjusted.pod_limits, limits.pod);
    add_missing(*adjusted.pod_requests, *adjusted.pod_limits);
  }
  return adjusted;
}

Resources pod_requests(const PodTemplate& adjusted) {
  Resources total;
  for (const Container& container : adjusted.containers) add_all(total, container.requests);

  Resources sidecars;  // those that run while the init container at hand does
  Resources while_initializing;
  for (const Container& container : adjusted.init_containers) {
    if (container.sidecar) {
      add_all(total, container.requests);
      add_all(sidecars, container.requests);
      keep_larger(while_initializing, sidecars);
    } else {
      Resources needed = container.requests;
      add_all(needed, sidecars);
      keep_larger(while_initializing, needed);
    }
  }
  keep_larger(total, while_initializing);

  if (adjusted.pod_requests)
    for (const auto& [resource, quantity] : *adjusted.pod_requests)
      if (is_pod_level(resource)) total[resource] = quantity;
  add_all(total, adjusted.overhead);
  return total;
}

std::vector<ResourceRefusal> refused_resources(const Workload& workload, const World& world) {
  return Refusals(workload, world).find();
}

}  // namespace sluice
