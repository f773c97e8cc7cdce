#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decide/gates.hpp"
#include "decide/names.hpp"
#include "decide/quota_tree.hpp"
#include "decide/topology.hpp"
#include "model/world.hpp"

namespace sluice::decide {

/// Numbers of things by kind; each counts from 0.
using QueueId = std::uint32_t;
using FlavorId = std::uint32_t;
using ResourceId = std::uint32_t;
using NamespaceId = std::uint32_t;
using CheckId = std::uint32_t;
using LocalQueueId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

/// Resource names. Kueue goes through requests in the order of their names' FNV-1a hashes.
class ResourceNames {
 public:
  ResourceId intern(std::string_view name);
  const std::string& text(ResourceId id) const { return names_.text(id); }
  ResourceId find(std::string_view name) const { return names_.find(name); }
  bool before(ResourceId a, ResourceId b) const {
    return hashes_[a] != hashes_[b] ? hashes_[a] < hashes_[b] : names_.text(a) < names_.text(b);
  }
  std::size_t size() const { return hashes_.size(); }

 private:
  Names names_;
  std::vector<std::uint64_t> hashes_;
};

/// A resource group of a queue with the place of each quota in its tree.
struct Group {
  std::vector<ResourceId> resources;
  std::vector<FlavorId> flavors;
  std::vector<FlavorResource> cells;  ///< flavor position * resources.size() + column

  FlavorResource cell(std::size_t position, std::size_t column) const {
    return cells[position * resources.size() + column];
  }
};

/// Where a queue covers a resource.
struct Covered {
  std::int16_t group = -1;
  std::int16_t column = -1;
};

struct CheckRule {
  CheckId check = 0;
  bool every_flavor = false;      ///< covers each flavor of the queue
  bool only_own = false;          ///< names no flavor that the queue does not have
  std::vector<FlavorId> flavors;  ///< sorted
};

/// A ClusterQueue, compiled.
struct Queue {
  const ClusterQueue* object = nullptr;
  NodeId node = 0;
  std::vector<Group> groups;
  std::vector<Covered> covered;   ///< by ResourceId; may be shorter than there are resources
  std::vector<CheckRule> checks;  ///< by name
  std::vector<char> accepts;      ///< by NamespaceId
  StopPolicy stop = StopPolicy::none;
  std::string inactive_reason;  ///< Kueue's word; empty: it is active
  bool active = true;
  bool usable = true;  ///< its cohorts form no cycle
  /// Some cohort between it and the root is an object: Kueue then tries the parked workloads of the whole
  /// tree again whenever the queue's counts change (its status update has those cohorts reconciled).
  bool counts_wake_tree = false;
  bool strict = false;
  bool covers_pods = false;
  bool by_usage = false;      ///< its LocalQueues take turns by what they have used
  bool topology_only = true;         ///< no flavor is without a topology: pods that ask for none are placed, too
  bool has_placeable_flavor = false; ///< the topology of some flavor exists
  bool has_multikueue = false;       ///< some check is of MultiKueue: the workers place
  std::vector<FlavorId> machine_flavors;  ///< that a check asks for machines; sorted

  /// Whether the placement has to wait for machines of this flavor.
  bool waits_for_machines(FlavorId flavor) const {
    return std::binary_search(machine_flavors.begin(), machine_flavors.end(), flavor);
  }

  Covered find(ResourceId resource) const {
    return resource < covered.size() ? covered[resource] : Covered{};
  }
};

struct LocalQueueInfo {
  const LocalQueue* object = nullptr;
  LocalQueueId id = 0;
  QueueId queue = kNone;  ///< kNone: its ClusterQueue does not exist
  StopPolicy stop = StopPolicy::none;
};

/// The cluster's configuration, compiled: everything but the workloads. `world` must outlive it.
struct Cluster {
  Cluster(const World& objects, const Gates& gates) : Cluster(objects, gates, nullptr) {}
  /// The same after objects changed. Names keep the numbers they had in `before`, as does what is being
  /// deleted; queues and nodes are numbered anew.
  Cluster(const World& objects, const Gates& gates, const Cluster& before)
      : Cluster(objects, gates, &before) {}

  NamespaceId name_space(std::string_view name);
  /// The number of a LocalQueue, also of one that does not exist.
  LocalQueueId local_queue(const std::string& name_space, const std::string& name);

  /// Points to the same objects in a copy of the world.
  void bind(const World& world);

  const World* world;
  ResourceNames resources;
  Names flavor_names;
  Names namespace_names;
  Names check_names;
  std::vector<const ResourceFlavor*> flavors;  ///< by FlavorId; null: does not exist
  std::vector<const AdmissionCheck*> checks;   ///< by CheckId; null: does not exist
  std::vector<Labels> namespace_labels;        ///< by NamespaceId
  std::vector<Queue> queues;                   ///< in the order of world.cluster_queues: by name
  std::map<std::string, QueueId, std::less<>> queue_by_name;
  std::map<std::pair<std::string, std::string>, LocalQueueInfo> local_queues;  ///< by namespace and name
  std::vector<std::pair<std::string, std::string>> local_names;  ///< by LocalQueueId
  std::map<std::pair<std::string, std::string>, LocalQueueId> local_by_name;
  /// By LocalQueueId, may be shorter: what admission fair sharing compares; 0 for those that are not in it.
  std::vector<double> local_usage;
  QuotaTree tree;
  Topologies topologies;
  std::map<std::string, NodeId, std::less<>> cohort_nodes;  ///< those on or below a cycle have none
  std::set<std::string, std::less<>> terminating;           ///< queues that are deleted but still hold workloads
  /// Checks that are deleted but in use, and whether they were active then: Kueue looks at no later change.
  std::map<std::string, bool, std::less<>> deleted_checks;
  /// By node: flavor << 32 | resource to its number in that tree. Kept at the roots.
  std::unordered_map<NodeId, std::unordered_map<std::uint64_t, FlavorResource>> cells;
  std::vector<std::vector<ResourceId>> cell_resources;  ///< by node, at the roots: the resource of each cell
  std::vector<double> weights;                          ///< by node: for fair sharing
  std::vector<std::string> node_names;                  ///< by node: of the cohort or the queue
  ResourceId pods;
  Duration newer_by;  ///< gate SchedulerTimestampPreemptionBuffer: see `allows`

  /// Null: does not exist.
  const AdmissionCheck* check(CheckId id) const { return id < checks.size() ? checks[id] : nullptr; }

  /// Stops or starts a queue.
  void set_stop(QueueId queue, StopPolicy policy);

  double usage_of(LocalQueueId local) const {
    return local < local_usage.size() ? local_usage[local] : 0;
  }

  /// The number of a flavor-resource in the tree of a queue; kNone: no quota of that tree names it.
  FlavorResource cell_of(const Queue& queue, FlavorId flavor, ResourceId resource) const;

 private:
  Cluster(const World& world, const Gates& gates, const Cluster* before);
  void bind_flavors_and_checks();
  void add_namespace(NamespaceId id);
  void build_tree();
  void build_queue(const ClusterQueue& object);
  std::string why_inactive(const Queue& queue) const;

  Gates gates_;
};

/// Whether the check's controller would report it Active: the provisioning controller wants its config.
bool is_active(const AdmissionCheck& check, const World& world);
/// Whether the parameters of a provisioning check are a reference to a config, which may be missing.
bool names_config(const AdmissionCheck& check);
const ProvisioningRequestConfig* config_of(const AdmissionCheck& check, const World& world);
inline constexpr std::string_view kProvisioningController = "kueue.x-k8s.io/provisioning-request";
inline constexpr std::string_view kMultiKueueController = "kueue.x-k8s.io/multikueue";

}  // namespace sluice::decide
