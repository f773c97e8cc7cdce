#include "decide/cluster.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "decide/eligibility.hpp"
#include "model/selector.hpp"

namespace sluice::decide {
namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

std::uint64_t pair_key(FlavorId flavor, ResourceId resource) {
  return (static_cast<std::uint64_t>(flavor) << 32) | resource;
}

template <class Object>
const Object* find_by_name(const std::vector<Object>& sorted, const std::string& name) {
  auto it = std::lower_bound(sorted.begin(), sorted.end(), name,
                             [](const Object& object, const std::string& n) { return object.name < n; });
  return it != sorted.end() && it->name == name ? &*it : nullptr;
}

}  // namespace

ResourceId ResourceNames::intern(std::string_view name) {
  ResourceId id = names_.intern(name);
  if (id == hashes_.size()) hashes_.push_back(fnv1a(name));
  return id;
}

bool names_config(const AdmissionCheck& check) {
  return check.controller == kProvisioningController && check.parameters_group == "kueue.x-k8s.io" &&
         check.parameters_kind == "ProvisioningRequestConfig" && !check.parameters_name.empty();
}

const ProvisioningRequestConfig* config_of(const AdmissionCheck& check, const World& world) {
  if (!names_config(check)) return nullptr;
  return find_by_name(world.provisioning_configs, check.parameters_name);
}

bool is_active(const AdmissionCheck& check, const World& world) {
  if (check.controller == kProvisioningController) return config_of(check, world) != nullptr;
  return check.active;
}

Cluster::Cluster(const World& w, const Gates& gates, const Cluster* before) : world(&w), gates_(gates) {
  if (before != nullptr) {
    resources = before->resources;
    flavor_names = before->flavor_names;
    namespace_names = before->namespace_names;
    check_names = before->check_names;
    terminating = before->terminating;
    deleted_checks = before->deleted_checks;
    local_names = before->local_names;
    local_by_name = before->local_by_name;
    local_usage = before->local_usage;
    topologies = before->topologies;  // what it knows of pods stays
  }
  pods = resources.intern("pods");
  if (gates.scheduler_timestamp_preemption_buffer) newer_by = Duration::seconds(5 * 60);
  bind_flavors_and_checks();
  for (const ClusterQueue& queue : w.cluster_queues) {
    queue_by_name.emplace(queue.name, static_cast<QueueId>(queue_by_name.size()));
  }
  build_tree();
  for (const LocalQueue& local : w.local_queues) {
    auto it = queue_by_name.find(local.cluster_queue);
    local_queues[{local.name_space, local.name}] = {&local, local_queue(local.name_space, local.name),
                                                    it == queue_by_name.end() ? kNone : it->second,
                                                    local.stop_policy};
  }
  for (QueueId id = 0; id < queues.size(); ++id) set_stop(id, queues[id].object->stop_policy);
  for (NamespaceId id = 0; id < namespace_names.size(); ++id) add_namespace(id);
  for (const Namespace& name_space_object : w.namespaces) name_space(name_space_object.name);
}

void Cluster::bind_flavors_and_checks() {
  flavors.assign(flavor_names.size(), nullptr);
  checks.assign(check_names.size(), nullptr);
  for (const ResourceFlavor& flavor : world->flavors) {
    FlavorId id = flavor_names.intern(flavor.name);
    if (id >= flavors.size()) flavors.resize(id + 1, nullptr);
    flavors[id] = &flavor;
  }
  for (const AdmissionCheck& check : world->admission_checks) {
    CheckId id = check_names.intern(check.name);
    if (id >= checks.size()) checks.resize(id + 1, nullptr);
    checks[id] = &check;
  }
}

void Cluster::bind(const World& w) {
  world = &w;
  bind_flavors_and_checks();
  topologies.bind(w);
  for (QueueId id = 0; id < queues.size(); ++id) queues[id].object = &w.cluster_queues[id];
  for (const LocalQueue& local : w.local_queues) {
    local_queues.at({local.name_space, local.name}).object = &local;
  }
}

LocalQueueId Cluster::local_queue(const std::string& name_space_of, const std::string& name) {
  auto [it, is_new] =
      local_by_name.try_emplace({name_space_of, name}, static_cast<LocalQueueId>(local_names.size()));
  if (is_new) local_names.push_back(it->first);
  return it->second;
}

NamespaceId Cluster::name_space(std::string_view name) {
  NamespaceId id = namespace_names.intern(name);
  if (id == namespace_labels.size()) add_namespace(id);
  return id;
}

void Cluster::add_namespace(NamespaceId id) {
  const std::string& name = namespace_names.text(id);
  const Namespace* object = find_by_name(world->namespaces, name);
  Labels labels = object == nullptr ? Labels{} : object->labels;
  labels["kubernetes.io/metadata.name"] = name;
  for (Queue& queue : queues)
    queue.accepts.push_back(matches(queue.object->namespace_selector, labels) ? 1 : 0);
  namespace_labels.push_back(std::move(labels));
}

void Cluster::set_stop(QueueId id, StopPolicy policy) {
  Queue& queue = queues[id];
  queue.stop = policy;
  queue.inactive_reason = why_inactive(queue);
  queue.active = queue.inactive_reason.empty();
  tree.set_present(queue.node, queue.active && queue.usable);
}

FlavorResource Cluster::cell_of(const Queue& queue, FlavorId flavor, ResourceId resource) const {
  auto tree_cells = cells.find(tree.root(queue.node));
  if (tree_cells == cells.end()) return kNone;
  auto it = tree_cells->second.find(pair_key(flavor, resource));
  return it == tree_cells->second.end() ? kNone : it->second;
}

void Cluster::build_tree() {
  // Cohorts exist as objects or by being named.
  std::map<std::string, const Cohort*> cohorts;
  for (const Cohort& cohort : world->cohorts) cohorts[cohort.name] = &cohort;
  auto parent_of = [&](const std::string& name) -> const std::optional<std::string>* {
    auto it = cohorts.find(name);
    return it == cohorts.end() || it->second == nullptr || !it->second->parent ? nullptr
                                                                               : &it->second->parent;
  };
  for (const Cohort& cohort : world->cohorts) {
    if (cohort.parent) cohorts.try_emplace(*cohort.parent, nullptr);
  }
  for (const ClusterQueue& queue : world->cluster_queues) {
    if (queue.cohort) cohorts.try_emplace(*queue.cohort, nullptr);
  }
  std::map<std::string, std::vector<std::string>> children;
  std::map<std::string, std::string> root_of;  // a cohort on or below a cycle has none
  for (const auto& [name, object] : cohorts) {
    std::string top = name;
    std::size_t steps = 0;
    while (const auto* parent = parent_of(top)) {
      top = **parent;
      if (++steps > cohorts.size()) break;
    }
    if (steps <= cohorts.size()) root_of[name] = top;
    if (const auto* parent = parent_of(name)) children[**parent].push_back(name);
  }
  std::map<std::string, std::vector<QueueId>> members;
  for (QueueId id = 0; id < world->cluster_queues.size(); ++id) {
    const ClusterQueue& queue = world->cluster_queues[id];
    if (queue.cohort && root_of.contains(*queue.cohort)) members[*queue.cohort].push_back(id);
  }

  auto intern_cells = [&](const std::vector<ResourceGroup>& groups,
                          std::unordered_map<std::uint64_t, FlavorResource>& index) {
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& quotas : group.flavors) {
        FlavorId flavor = flavor_names.intern(quotas.flavor);
        if (flavor >= flavors.size()) flavors.resize(flavor + 1, nullptr);
        for (const ResourceQuota& quota : quotas.resources) {
          index.try_emplace(pair_key(flavor, resources.intern(quota.resource)),
                            static_cast<FlavorResource>(index.size()));
        }
      }
    }
  };
  auto set_limits = [&](NodeId node, const std::vector<ResourceGroup>& groups,
                        const std::unordered_map<std::uint64_t, FlavorResource>& index) {
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& quotas : group.flavors) {
        for (const ResourceQuota& quota : quotas.resources) {
          QuotaTree::Limits limits;
          limits.nominal = quota.nominal;
          if (quota.borrowing_limit) limits.borrowing_limit = *quota.borrowing_limit;
          if (quota.lending_limit) limits.lending_limit = *quota.lending_limit;
          auto key = pair_key(flavor_names.find(quotas.flavor), resources.find(quota.resource));
          tree.set_limits(node, index.at(key), limits);
        }
      }
    }
  };

  auto describe = [&](NodeId node, const std::string& name, const std::optional<Quantity>& weight) {
    weights.resize(node + 1, 1);
    node_names.resize(node + 1);
    if (weight) weights[node] = weight->to_double();
    node_names[node] = name;
  };

  std::vector<NodeId> node_of(world->cluster_queues.size(), QuotaTree::none);
  for (const auto& [root, top] : root_of) {
    if (root != top) continue;
    std::unordered_map<std::uint64_t, FlavorResource> index;
    std::function<void(const std::string&)> gather = [&](const std::string& name) {
      if (const Cohort* object = cohorts[name]) intern_cells(object->resource_groups, index);
      for (QueueId id : members[name]) intern_cells(world->cluster_queues[id].resource_groups, index);
      for (const std::string& child : children[name]) gather(child);
    };
    gather(root);
    auto width = static_cast<std::uint32_t>(index.size());
    std::function<void(const std::string&, NodeId)> plant = [&](const std::string& name, NodeId parent) {
      NodeId node = tree.add_node(parent, width);
      cohort_nodes[name] = node;
      if (parent != QuotaTree::none) tree.adopt(node, true);
      const Cohort* object = cohorts[name];
      if (object != nullptr) set_limits(node, object->resource_groups, index);
      describe(node, name, object == nullptr ? std::nullopt : object->fair_weight);
      for (const std::string& child : children[name]) plant(child, node);
      for (QueueId id : members[name]) {
        node_of[id] = tree.add_node(node, width);
        tree.adopt(node_of[id], false);
        set_limits(node_of[id], world->cluster_queues[id].resource_groups, index);
        describe(node_of[id], world->cluster_queues[id].name, world->cluster_queues[id].fair_weight);
      }
    };
    auto first = static_cast<NodeId>(tree.size());
    plant(root, QuotaTree::none);
    cells[first] = std::move(index);
  }
  for (QueueId id = 0; id < world->cluster_queues.size(); ++id) {
    if (node_of[id] != QuotaTree::none) continue;
    const ClusterQueue& queue = world->cluster_queues[id];
    std::unordered_map<std::uint64_t, FlavorResource> index;
    intern_cells(queue.resource_groups, index);
    node_of[id] = tree.add_node(QuotaTree::none, static_cast<std::uint32_t>(index.size()));
    set_limits(node_of[id], queue.resource_groups, index);
    describe(node_of[id], queue.name, queue.fair_weight);
    cells[node_of[id]] = std::move(index);
  }
  tree.build();
  cell_resources.resize(tree.size());
  for (const auto& [root, index] : cells) {
    cell_resources[root].resize(index.size());
    for (const auto& [key, cell] : index) cell_resources[root][cell] = static_cast<ResourceId>(key);
  }
  if (gates_.topology_aware) {
    topologies.build(
        *world, resources, [&](const std::string& name) { return flavor_names.find(name); }, tree,
        gates_.tas_handle_overlapping_flavors);
  }
  for (QueueId id = 0; id < world->cluster_queues.size(); ++id) {
    const ClusterQueue& object = world->cluster_queues[id];
    queues.emplace_back();
    queues.back().node = node_of[id];
    queues.back().usable = !object.cohort || root_of.contains(*object.cohort);
    if (object.cohort && queues.back().usable) {
      const std::string& root = root_of[*object.cohort];
      for (std::string cohort = *object.cohort; cohort != root; cohort = **parent_of(cohort)) {
        queues.back().counts_wake_tree = queues.back().counts_wake_tree || cohorts[cohort] != nullptr;
      }
    }
    build_queue(object);
  }
}

void Cluster::build_queue(const ClusterQueue& object) {
  Queue& queue = queues.back();
  queue.object = &object;
  queue.strict = object.strategy == QueueingStrategy::strict_fifo;
  const auto& index = cells.at(tree.root(queue.node));
  for (const ResourceGroup& group : object.resource_groups) {
    Group compiled;
    for (const std::string& name : group.covered_resources) {
      ResourceId resource = resources.intern(name);
      if (resource >= queue.covered.size()) queue.covered.resize(resource + 1);
      queue.covered[resource].group = static_cast<std::int16_t>(queue.groups.size());
      queue.covered[resource].column = static_cast<std::int16_t>(compiled.resources.size());
      compiled.resources.push_back(resource);
      queue.covers_pods = queue.covers_pods || resource == pods;
    }
    for (const FlavorQuotas& quotas : group.flavors) {
      FlavorId flavor = flavor_names.find(quotas.flavor);
      compiled.flavors.push_back(flavor);
      const ResourceFlavor* flavor_object = flavors[flavor];
      bool has_topology = flavor_object != nullptr && flavor_object->topology;
      queue.topology_only = queue.topology_only && has_topology;
      queue.has_placeable_flavor = queue.has_placeable_flavor || topologies.of_flavor(flavor) != kNoTree;
      for (ResourceId resource : compiled.resources)
        compiled.cells.push_back(index.at(pair_key(flavor, resource)));
    }
    queue.groups.push_back(std::move(compiled));
  }
  for (const AdmissionCheckRule& rule : object.admission_checks) {
    CheckRule compiled;
    compiled.check = check_names.intern(rule.name);
    if (compiled.check >= checks.size()) checks.resize(compiled.check + 1, nullptr);
    std::set<FlavorId> own;
    for (const Group& group : queue.groups) own.insert(group.flavors.begin(), group.flavors.end());
    for (const std::string& name : rule.on_flavors) {
      FlavorId flavor = flavor_names.intern(name);
      if (flavor >= flavors.size()) flavors.resize(flavor + 1, nullptr);
      compiled.flavors.push_back(flavor);
    }
    if (rule.on_flavors.empty()) compiled.flavors.assign(own.begin(), own.end());
    std::sort(compiled.flavors.begin(), compiled.flavors.end());
    compiled.every_flavor =
        std::includes(compiled.flavors.begin(), compiled.flavors.end(), own.begin(), own.end());
    compiled.only_own =
        std::includes(own.begin(), own.end(), compiled.flavors.begin(), compiled.flavors.end());
    const AdmissionCheck* check = checks[compiled.check];
    if (check != nullptr && check->controller == kProvisioningController) {
      queue.machine_flavors.insert(queue.machine_flavors.end(), compiled.flavors.begin(), compiled.flavors.end());
      std::sort(queue.machine_flavors.begin(), queue.machine_flavors.end());
    }
    queue.has_multikueue =
        queue.has_multikueue || (check != nullptr && check->controller == kMultiKueueController);
    queue.checks.push_back(std::move(compiled));
  }
  std::sort(queue.checks.begin(), queue.checks.end(), [&](const CheckRule& a, const CheckRule& b) {
    return check_names.text(a.check) < check_names.text(b.check);
  });
}

/// The first that applies, in Kueue's order.
std::string Cluster::why_inactive(const Queue& queue) const {
  if (terminating.contains(queue.object->name)) return "Terminating";
  if (queue.stop != StopPolicy::none) return "Stopped";
  for (const Group& group : queue.groups) {
    for (FlavorId flavor : group.flavors) {
      if (flavors[flavor] == nullptr) return "FlavorNotFound";
    }
  }
  bool inactive = false;
  int multi = 0;
  bool multi_per_flavor = false;
  bool provisioning = false;
  for (const CheckRule& rule : queue.checks) {
    const AdmissionCheck* check = checks[rule.check];
    if (check == nullptr) return "AdmissionCheckNotFound";
    auto deleted = deleted_checks.find(check->name);
    inactive = inactive || !(deleted == deleted_checks.end() ? is_active(*check, *world) : deleted->second);
    if (check->controller == kMultiKueueController) {
      ++multi;
      multi_per_flavor = multi_per_flavor || !rule.only_own || !rule.every_flavor;
    }
    provisioning = provisioning || check->controller == kProvisioningController;
  }
  if (inactive) return "AdmissionCheckInactive";
  if (multi > 1) return "MultipleMultiKueueAdmissionChecks";
  if (multi_per_flavor) return "MultiKueueAdmissionCheckAppliedPerFlavor";
  if (multi > 0 && provisioning) return "MultiKueueWithProvisioningRequest";
  if (gates_.topology_aware && multi == 0) {
    for (const Group& group : queue.groups) {
      for (FlavorId flavor : group.flavors) {
        const auto& topology = flavors[flavor]->topology;
        if (topology && find_by_name(world->topologies, *topology) == nullptr) return "TopologyNotFound";
      }
    }
  }
  return {};
}

}  // namespace sluice::decide
