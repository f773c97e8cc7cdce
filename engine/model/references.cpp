#include "model/references.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sluice {
namespace {

/// Made by every API server by itself.
constexpr std::string_view built_in_priority_classes[] = {"system-cluster-critical", "system-node-critical"};

template <class T>
std::set<std::string_view> names_of(const std::vector<T>& objects) {
  std::set<std::string_view> names;
  for (const T& object : objects) names.insert(object.name);
  return names;
}

class Finder {
 public:
  explicit Finder(const World& world)
      : world_(world),
        flavors_(names_of(world.flavors)),
        queues_(names_of(world.cluster_queues)),
        checks_(names_of(world.admission_checks)),
        configs_(names_of(world.provisioning_configs)),
        topologies_(names_of(world.topologies)),
        workload_classes_(names_of(world.workload_priority_classes)),
        priority_classes_(names_of(world.priority_classes)),
        runtime_classes_(names_of(world.runtime_classes)) {
    priority_classes_.insert(std::begin(built_in_priority_classes), std::end(built_in_priority_classes));
    for (const LocalQueue& queue : world.local_queues) local_queues_.emplace(queue.name_space, queue.name);
  }

  std::vector<DanglingReference> find() {
    for (const ResourceFlavor& o : world_.flavors) {
      from("ResourceFlavor", o.name, o.origin);
      if (o.topology) check("Topology", *o.topology, topologies_);
    }
    for (const ClusterQueue& o : world_.cluster_queues) {
      from("ClusterQueue", o.name, o.origin);
      check_flavors(o.resource_groups);
      for (const AdmissionCheckRule& rule : o.admission_checks) check("AdmissionCheck", rule.name, checks_);
    }
    for (const Cohort& o : world_.cohorts) {
      from("Cohort", o.name, o.origin);
      check_flavors(o.resource_groups);
    }
    for (const LocalQueue& o : world_.local_queues) {
      from("LocalQueue", o.name_space + "/" + o.name, o.origin);
      check("ClusterQueue", o.cluster_queue, queues_);
    }
    for (const AdmissionCheck& o : world_.admission_checks) {
      from("AdmissionCheck", o.name, o.origin);
      if (o.parameters_kind == "ProvisioningRequestConfig") {
        check("ProvisioningRequestConfig", o.parameters_name, configs_);
      }
    }
    from_workload_ = true;
    for (const Workload& o : world_.workloads) check_workload(o);
    return std::move(found_);
  }

 private:
  void from(std::string_view kind, std::string name, Origin origin) {
    kind_ = kind;
    name_ = std::move(name);
    origin_ = origin;
    named_.clear();
  }

  void report(std::string_view target_kind, std::string_view target) {
    if (!named_.emplace(target_kind, target).second) return;
    found_.push_back({origin_, kind_, name_, target_kind, std::string(target), from_workload_});
  }

  void check(std::string_view target_kind, std::string_view target, const std::set<std::string_view>& known) {
    if (!known.contains(target)) report(target_kind, target);
  }

  void check_flavors(const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& flavor : group.flavors) check("ResourceFlavor", flavor.flavor, flavors_);
    }
  }

  void check_workload(const Workload& o) {
    if (o.owner->kind.empty()) {
      from("Workload", o.name_space + "/" + o.name, o.origin);
    } else {
      from(o.owner->kind, o.name_space + "/" + o.owner->name, o.origin);
    }
    if (!o.queue.empty() && !local_queues_.contains({o.name_space, o.queue})) {
      report("LocalQueue", o.name_space + "/" + o.queue);
    }
    if (!o.priority_class.empty()) {
      if (o.priority_class_kind == "WorkloadPriorityClass") {
        check("WorkloadPriorityClass", o.priority_class, workload_classes_);
      } else {
        check("PriorityClass", o.priority_class, priority_classes_);
      }
    }
    for (const PodSet& pod_set : o.pod_sets) {
      const PodTemplate& pod = pod_set.pod;
      if (!pod.priority_class.empty()) check("PriorityClass", pod.priority_class, priority_classes_);
      if (!pod.runtime_class.empty()) check("RuntimeClass", pod.runtime_class, runtime_classes_);
    }
  }

  const World& world_;
  std::set<std::string_view> flavors_, queues_, checks_, configs_, topologies_, workload_classes_,
      priority_classes_, runtime_classes_;
  std::set<std::pair<std::string_view, std::string_view>> local_queues_;

  // The object at hand, and what was reported for it.
  std::string_view kind_;
  std::string name_;
  Origin origin_;
  bool from_workload_ = false;
  std::set<std::pair<std::string, std::string>> named_;
  std::vector<DanglingReference> found_;
};

}  // namespace

std::vector<DanglingReference> dangling_references(const World& world) {
  return Finder(world).find();
}

std::vector<const Cohort*> cohort_cycle(const World& world) {
  auto find = [&](const std::string& name) -> const Cohort* {
    auto found = std::lower_bound(world.cohorts.begin(), world.cohorts.end(), name,
                                  [](const Cohort& cohort, const std::string& n) { return cohort.name < n; });
    return found != world.cohorts.end() && found->name == name ? &*found : nullptr;
  };
  std::set<const Cohort*> done;  // no circle above them, or one that does not come back
  for (const Cohort& start : world.cohorts) {
    std::vector<const Cohort*> way;
    std::set<const Cohort*> on_way;
    const Cohort* at = &start;
    while (at != nullptr && !done.contains(at)) {
      if (!on_way.insert(at).second) return {std::find(way.begin(), way.end(), at), way.end()};
      way.push_back(at);
      at = at->parent ? find(*at->parent) : nullptr;
    }
    done.merge(on_way);
  }
  return {};
}

}  // namespace sluice
