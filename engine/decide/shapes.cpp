#include <algorithm>

#include "decide/variants.hpp"
#include "decide/work.hpp"
#include "model/requests.hpp"
#include "model/transformations.hpp"

namespace sluice::decide {
namespace {

// Keys hold everything that tells two shapes apart, each text with its length before it.
void put(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

void put(std::string& key, std::int64_t number) {
  key += std::to_string(number);
  key += ';';
}

void put(std::string& key, const Resources& resources) {
  put(key, static_cast<std::int64_t>(resources.size()));
  for (const auto& [name, quantity] : resources) {
    put(key, name);
    put(key, quantity.to_string());
  }
}

void put(std::string& key, const Labels& labels) {
  put(key, static_cast<std::int64_t>(labels.size()));
  for (const auto& [name, value] : labels) {
    put(key, name);
    put(key, value);
  }
}

void put(std::string& key, const std::vector<Requirement>& requirements) {
  put(key, static_cast<std::int64_t>(requirements.size()));
  for (const Requirement& e : requirements) {
    put(key, e.key);
    put(key, e.op);
    put(key, static_cast<std::int64_t>(e.values.size()));
    for (const std::string& value : e.values) put(key, value);
  }
}

template <class Pod>
std::string constraints_key(const Pod& pod) {
  std::string key;
  put(key, pod.node_selector);
  put(key, pod.required_affinity ? static_cast<std::int64_t>(pod.required_affinity->size()) : -1);
  if (pod.required_affinity) {
    for (const NodeSelectorTerm& term : *pod.required_affinity) {
      put(key, term.expressions);
      put(key, term.fields);
    }
  }
  put(key, static_cast<std::int64_t>(pod.tolerations.size()));
  for (const Toleration& t : pod.tolerations) {
    put(key, t.key);
    put(key, t.op);
    put(key, t.value);
    put(key, t.effect);
    put(key, t.seconds.value_or(-1));
  }
  return key;
}

void put(std::string& key, const std::vector<Container>& containers) {
  put(key, static_cast<std::int64_t>(containers.size()));
  for (const Container& container : containers) {
    put(key, container.requests);
    put(key, container.ports);
  }
}

}  // namespace

Shapes::Look Shapes::intern(const Workload& workload, NamespaceId name_space, const Cluster& cluster,
                            ResourceNames& resources, const Configuration& kueue) {
  const bool by_pod_sets =
      workload.pod_sets.is_shared() && workload.reclaimable.empty() && !kueue.gates.concurrent_admission;
  if (!by_pod_sets) return {make(workload, cluster, resources, kueue)};
  auto [begin, end] = by_pod_sets_.equal_range(workload.pod_sets.identity());
  auto known = std::find_if(begin, end, [&](const auto& entry) { return entry.second.name_space == name_space; });
  if (known != end) return known->second.look;
  Look look{make(workload, cluster, resources, kueue)};
  look.resources_valid = refused_resources(workload, *cluster.world).empty() ? 1 : 0;
  by_pod_sets_.emplace(workload.pod_sets.identity(), Known{workload.pod_sets, name_space, look});
  return look;
}

ShapeId Shapes::make(const Workload& workload, const Cluster& cluster, ResourceNames& resources,
                     const Configuration& kueue) {
  Shape shape;
  std::string key;
  std::string spec_counts;
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetShape out;
    out.spec_count = pod_set.count;
    out.count = pod_set.count;
    if (auto it = workload.reclaimable.find(pod_set.name);
        kueue.gates.reclaimable_pods && it != workload.reclaimable.end()) {
      out.count -= std::min<std::int64_t>(it->second, pod_set.count);
    }
    out.least = pod_set.min_count.value_or(pod_set.count);
    PodTemplate pod = adjust_resources(pod_set.pod, workload.name_space, *cluster.world);
    std::string constraints = constraints_key(pod);
    shape.has_claims = shape.has_claims || has_resource_claims(pod);

    put(key, pod_set.name);
    put(spec_counts, out.spec_count);
    put(key, out.count);
    put(key, pod_set.min_count.value_or(-1));
    put(key, constraints);
    put(key, pod.containers);
    put(key, pod.init_containers);
    put(key, pod.runtime_class);
    put(key, pod.priority ? *pod.priority : std::int64_t{1} << 40);
    put(key, pod.overhead);
    put(key, pod.pod_requests ? 1 : 0);
    if (pod.pod_requests) put(key, *pod.pod_requests);
    put(key, pod.other_shape);
    if (pod_set.topology) {
      const TopologyRequest& t = *pod_set.topology;
      put(key, static_cast<std::int64_t>(t.mode));
      put(key, t.level);
      put(key, t.slice_level.value_or(""));
      put(key, t.slice_size.value_or(-1));
      put(key, t.group.value_or(""));
      put(key, t.pod_index_label.value_or(""));
      put(key, t.sub_group_index_label.value_or(""));
      put(key, t.sub_group_count.value_or(-1));
      put(key, t.constrained ? 1 : 0);
      put(key, static_cast<std::int64_t>(t.slice_layers.size()));
      for (const SliceLayer& layer : t.slice_layers) {
        put(key, layer.level);
        put(key, layer.size);
      }
    }

    for (const auto& [name, quantity] :
         counted_requests(pod_requests(pod), kueue.exclude_resource_prefixes, kueue.transformations)) {
      Amount total = Amount::request(name, quantity).times(out.count);
      out.requests.push_back({resources.intern(name), total});
      put(key, name);
      put(key, total.value());
    }
    std::sort(out.requests.begin(), out.requests.end(),
              [&](const Request& a, const Request& b) { return resources.before(a.resource, b.resource); });

    out.pod_class = class_of({pod.node_selector, pod.required_affinity, pod.tolerations});
    shape.pod_sets.push_back(std::move(out));
  }
  // What a variant may use is looked at for each workload, but tells classes apart.
  std::string alike = key;
  if (kueue.gates.concurrent_admission) {
    auto it = workload.annotations.find(kAllowedFlavors);
    if (it != workload.annotations.end()) put(alike, it->second);
  }
  auto next_alike = static_cast<std::uint32_t>(alike_by_key_.size());
  shape.alike = alike_by_key_.try_emplace(alike, next_alike).first->second;
  key = alike + spec_counts;
  auto [it, is_new] = by_key_.try_emplace(std::move(key), static_cast<ShapeId>(shapes_.size()));
  if (is_new) shapes_.push_back(std::move(shape));
  return it->second;
}

std::uint32_t Shapes::class_of(const PodConstraints& pod) {
  auto next = static_cast<std::uint32_t>(classes_.size());
  auto [it, is_new] = class_by_key_.try_emplace(constraints_key(pod), next);
  if (is_new) {
    classes_.push_back(pod);
    may_use_.emplace_back();
  }
  return it->second;
}

std::uint32_t Shapes::equivalence(ShapeId shape, std::int64_t priority) {
  // Priorities are sums of two int32, shapes few: the pair fits.
  std::uint64_t key = (std::uint64_t{shapes_[shape].alike} << 33) | (static_cast<std::uint64_t>(priority) & 0x1ffffffffu);
  auto next = static_cast<std::uint32_t>(equivalences_.size());
  return equivalences_.try_emplace(key, next).first->second;
}

bool Shapes::may_use(std::uint32_t pod_class, FlavorId flavor, const Cluster& cluster) {
  std::vector<std::int8_t>& known = may_use_[pod_class];
  if (flavor >= known.size()) known.resize(cluster.flavors.size(), -1);
  if (known[flavor] < 0) {
    known[flavor] = why_not(pod_class, flavor, cluster).kind == FlavorAttempt::Refusal::none ? 1 : 0;
  }
  return known[flavor] == 1;
}

void Shapes::forget_flavor(FlavorId flavor) {
  for (std::vector<std::int8_t>& known : may_use_) {
    if (flavor < known.size()) known[flavor] = -1;
  }
}

FlavorRefusal Shapes::why_not(std::uint32_t pod_class, FlavorId flavor, const Cluster& cluster) const {
  if (cluster.flavors[flavor] == nullptr) {
    FlavorRefusal refusal;
    refusal.kind = FlavorAttempt::Refusal::flavor_missing;
    return refusal;
  }
  return refuse(classes_[pod_class], *cluster.flavors[flavor]);
}

}  // namespace sluice::decide
