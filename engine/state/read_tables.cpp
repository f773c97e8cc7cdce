#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "model/pod_set_pool.hpp"
#include "state/spelling.hpp"
#include "state/tables.hpp"

namespace sluice::state {
namespace {

using Id = std::int64_t;

[[noreturn]] void damaged(std::string_view what) {
  throw Error("snapshot-corrupt", fmt::format("the snapshot is damaged: {}", what));
}

/// One row, read column by column from the left into the fields that are given.
class Row {
 public:
  explicit Row(Statement& statement) : statement_(statement) {}

  template <class... Fields>
  void read(Fields&... fields) {
    (get(fields), ...);
  }
  template <class T>
  T next() {
    T value{};
    get(value);
    return value;
  }

 private:
  std::string_view column() const { return statement_.column_name(at_ - 1); }

  void get(std::int64_t& value) { value = statement_.integer(at_++); }
  void get(std::uint64_t& value) { value = static_cast<std::uint64_t>(statement_.integer(at_++)); }
  void get(std::int32_t& value) { value = narrow<std::int32_t>(); }
  void get(std::uint32_t& value) { value = narrow<std::uint32_t>(); }
  void get(bool& value) { value = statement_.integer(at_++) != 0; }
  void get(std::string& value) { value = statement_.text(at_++); }
  void get(std::string_view& value) { value = statement_.text(at_++); }
  void get(Instant& value) { value.ns = statement_.integer(at_++); }
  void get(Amount& value) { value = Amount(statement_.integer(at_++)); }
  void get(Quantity& value) {
    std::string_view text = statement_.text(at_++);
    std::optional<Quantity> quantity = Quantity::parse(text);
    if (!quantity) damaged(fmt::format("`{}` in column {} is no quantity", text, column()));
    value = *quantity;
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void get(Enum& value) {
    std::string_view text = statement_.text(at_++);
    std::optional<Enum> known = spelled<Enum>(text);
    if (!known) damaged(fmt::format("column {} cannot be `{}`", column(), text));
    value = *known;
  }
  template <class T>
  void get(std::optional<T>& value) {
    if (statement_.is_null(at_)) {
      ++at_;
      value.reset();
    } else {
      get(value.emplace());
    }
  }

  template <class Int>
  Int narrow() {
    std::int64_t value = statement_.integer(at_++);
    if (value < std::numeric_limits<Int>::min() || value > std::numeric_limits<Int>::max()) {
      damaged(fmt::format("{} in column {} is out of range", value, column()));
    }
    return static_cast<Int>(value);
  }

  Statement& statement_;
  int at_ = 0;
};

/// The objects of one kind in the order of their ids. Rows of tables below come in the same order: a cursor
/// goes through both once.
template <class T>
class Objects {
 public:
  explicit Objects(std::vector<T>& objects) : objects_(objects) {}

  T& add(Id id) {
    ids_.push_back(id);
    return objects_.emplace_back();
  }

  auto cursor() {
    return [this, at = std::size_t{0}](Id id) mutable -> T& {
      while (at < ids_.size() && ids_[at] < id) ++at;
      if (at == ids_.size() || ids_[at] != id)
        damaged(fmt::format("part of an object {} that is not there", id));
      return objects_[at];
    };
  }

 private:
  std::vector<T>& objects_;
  std::vector<Id> ids_;
};

/// The part of an object that a position names.
template <class List>
auto& part(List& parts, Id position) {
  if (position < 0 || static_cast<std::size_t>(position) >= parts.size()) {
    damaged(fmt::format("part {} of an object is not there", position));
  }
  return parts[static_cast<std::size_t>(position)];
}

template <class T>
auto key_of(const T& object) {
  if constexpr (requires { object.name_space; }) {
    return std::tie(object.name_space, object.name);
  } else if constexpr (requires { object.flavor; }) {
    return std::tie(object.flavor);
  } else {
    return std::tie(object.name);
  }
}

/// By (namespace, name). Moves each object once: a workload is large.
template <class T>
void sort_by_name(std::vector<T>& objects) {
  auto before = [&](const T& a, const T& b) { return key_of(a) < key_of(b); };
  if (std::is_sorted(objects.begin(), objects.end(), before)) return;
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return before(objects[a], objects[b]); });
  std::vector<T> sorted;
  sorted.reserve(objects.size());
  for (std::size_t i : order) sorted.push_back(std::move(objects[i]));
  objects = std::move(sorted);
}

/// Rows of the tables below workloads, which come in the order of the workloads. They are read workload by
/// workload, so that a hundred thousand with equal pod sets never stand in memory with each its own.
class WorkloadParts {
 public:
  using Take = std::function<void(Row&, Workload&)>;

  explicit WorkloadParts(Database& database) : database_(database) {}

  void add(std::string_view sql, Take take) {
    cursors_.emplace_back(database_.prepare(sql), std::move(take));
    next(cursors_.back());
  }
  void read(Id id, Workload& workload) {
    for (Cursor& cursor : cursors_) {
      while (cursor.owner && *cursor.owner <= id) {
        if (*cursor.owner < id) no_owner(cursor);
        Row row(cursor.statement);
        row.next<Id>();
        cursor.take(row, workload);
        next(cursor);
      }
    }
  }
  void end() const {
    for (const Cursor& cursor : cursors_) {
      if (cursor.owner) no_owner(cursor);
    }
  }

 private:
  struct Cursor {
    Cursor(Statement s, Take t) : statement(std::move(s)), take(std::move(t)) {}
    Statement statement;
    Take take;
    std::optional<Id> owner;  ///< of the present row; empty at the end
  };
  static void next(Cursor& cursor) {
    cursor.owner.reset();
    if (cursor.statement.step()) cursor.owner = cursor.statement.integer(0);
  }
  [[noreturn]] static void no_owner(const Cursor& cursor) {
    damaged(fmt::format("part of an object {} that is not there", *cursor.owner));
  }

  Database& database_;
  std::deque<Cursor> cursors_;
};

class Reader {
 public:
  explicit Reader(Database& database) : database_(database) {}

  World read() {
    read_files();
    bool has_instant = false;
    rows("SELECT instant FROM snapshot", [&](Row row) {
      row.read(world_.now);
      has_instant = true;
    });
    if (!has_instant) damaged("it has no instant");
    read_flavors();
    read_queues();
    read_local_queues();
    read_classes();
    read_provisioning();
    read_requests();
    read_topologies();
    read_namespaces();
    read_limit_ranges();
    read_nodes();
    read_pods();
    read_workloads();
    sort_by_name(world_.flavors);
    sort_by_name(world_.cluster_queues);
    sort_by_name(world_.cohorts);
    sort_by_name(world_.local_queues);
    sort_by_name(world_.workload_priority_classes);
    sort_by_name(world_.priority_classes);
    sort_by_name(world_.admission_checks);
    sort_by_name(world_.provisioning_configs);
    sort_by_name(world_.provisioning_requests);
    sort_by_name(world_.topologies);
    sort_by_name(world_.namespaces);
    sort_by_name(world_.limit_ranges);
    sort_by_name(world_.runtime_classes);
    sort_by_name(world_.nodes);
    sort_by_name(world_.pods);
    auto before = [](const Workload& a, const Workload& b) { return key_of(a) < key_of(b); };
    // They often are: whoever wrote them had them sorted.
    if (!std::is_sorted(world_.workloads.begin(), world_.workloads.end(), before)) world_.workloads.sort(before);
    sort_by_name(world_.capacity);
    return std::move(world_);
  }

 private:
  template <class Take>
  void rows(std::string_view sql, Take take) {
    Statement statement = database_.prepare(sql);
    while (statement.step()) take(Row(statement));
  }

  /// `columns` without id and origin, which every object table has at its ends.
  template <class T, class Take>
  Objects<T> objects(std::string_view table, std::string_view columns, std::vector<T>& into, Take take) {
    Objects<T> all(into);
    rows(fmt::format("SELECT id, source_file, source_line, {} FROM {} ORDER BY id", columns, table),
         [&](Row row) {
           T& object = all.add(row.next<Id>());
           read_origin(row, object.origin);
           take(row, object);
         });
    return all;
  }

  /// Rows of a table below `owners`, whose first column is the owner's id.
  template <class T, class Take>
  void parts(Objects<T>& owners, std::string_view sql, Take take) {
    rows(sql, [owner = owners.cursor(), &take](Row row) mutable { take(row, owner(row.next<Id>())); });
  }

  void read_files() {
    rows("SELECT id, path FROM source_file ORDER BY id", [&](Row row) {
      file_numbers_.emplace(row.next<Id>(), static_cast<std::uint32_t>(world_.files.size()));
      world_.files.push_back(row.next<std::string>());
    });
  }

  void read_origin(Row& row, Origin& origin) {
    auto file = row.next<std::optional<Id>>();
    row.read(origin.line);
    if (!file) return;
    auto number = file_numbers_.find(*file);
    if (number == file_numbers_.end()) damaged(fmt::format("source file {} is not there", *file));
    origin.file = number->second;
  }

  static void add_label(Row& row, Labels& labels) {
    auto key = row.next<std::string>();
    row.read(labels.emplace_hint(labels.end(), std::move(key), std::string())->second);
  }
  static void add_quantity(Row& row, Resources& resources) {
    auto resource = row.next<std::string>();
    row.read(resources.emplace_hint(resources.end(), std::move(resource), Quantity())->second);
  }
  static void add_taint(Row& row, std::vector<Taint>& taints) {
    Taint& t = taints.emplace_back();
    row.read(t.key, t.value, t.effect);
  }
  static void add_toleration(Row& row, std::vector<Toleration>& tolerations) {
    Toleration& t = tolerations.emplace_back();
    row.read(t.key, t.op, t.value, t.effect, t.seconds);
  }

  void read_flavors() {
    auto flavors = objects("flavor", "name, topology", world_.flavors,
                           [](Row& row, ResourceFlavor& o) { row.read(o.name, o.topology); });
    parts(flavors, "SELECT flavor, key, value FROM flavor_label ORDER BY flavor, key",
          [](Row& row, ResourceFlavor& o) { add_label(row, o.node_labels); });
    parts(flavors, "SELECT flavor, key, value, effect FROM flavor_taint ORDER BY flavor, position",
          [](Row& row, ResourceFlavor& o) { add_taint(row, o.node_taints); });
    parts(flavors,
          "SELECT flavor, key, operator, value, effect, seconds FROM flavor_toleration ORDER BY flavor, "
          "position",
          [](Row& row, ResourceFlavor& o) { add_toleration(row, o.tolerations); });
    objects("capacity_signal", "flavor, state, since", world_.capacity,
            [](Row& row, CapacitySignal& o) { row.read(o.flavor, o.state, o.since); });
  }

  void read_queues() {
    auto queues = objects(
        "queue",
        "name, cohort, strategy, stop_policy, selects_namespaces, when_can_borrow, when_can_preempt, "
        "preference, "
        "reclaim_within_cohort, within_cluster_queue, borrow_within_cohort, borrow_max_priority_threshold, "
        "fair_weight, usage_based_fair_sharing, concurrent_admission, generation, retains_first_admission, last_acceptable_flavor",
        world_.cluster_queues, [](Row& row, ClusterQueue& o) {
          bool selects_namespaces = false;
          row.read(o.name, o.cohort, o.strategy, o.stop_policy, selects_namespaces,
                   o.fungibility.when_can_borrow, o.fungibility.when_can_preempt, o.fungibility.preference,
                   o.preemption.reclaim_within_cohort, o.preemption.within_cluster_queue,
                   o.preemption.borrow_within_cohort, o.preemption.borrow_max_priority_threshold,
                   o.fair_weight, o.usage_based_fair_sharing, o.concurrent_admission, o.generation,
                   o.retains_first_admission, o.last_acceptable_flavor);
          o.namespace_selector.nothing = !selects_namespaces;
        });
    parts(queues, "SELECT queue, key, operator FROM queue_namespace_requirement ORDER BY queue, position",
          [](Row& row, ClusterQueue& o) {
            Requirement& r = o.namespace_selector.requirements.emplace_back();
            row.read(r.key, r.op);
          });
    parts(queues,
          "SELECT queue, requirement, value FROM queue_namespace_value ORDER BY queue, requirement, position",
          [](Row& row, ClusterQueue& o) {
            Requirement& r = part(o.namespace_selector.requirements, row.next<Id>());
            r.values.push_back(row.next<std::string>());
          });
    parts(queues, "SELECT queue, admission_check FROM queue_check ORDER BY queue, position",
          [](Row& row, ClusterQueue& o) { row.read(o.admission_checks.emplace_back().name); });
    parts(queues,
          "SELECT queue, queue_check, flavor FROM queue_check_flavor ORDER BY queue, queue_check, position",
          [](Row& row, ClusterQueue& o) {
            AdmissionCheckRule& rule = part(o.admission_checks, row.next<Id>());
            rule.on_flavors.push_back(row.next<std::string>());
          });
    auto cohorts = objects("cohort", "name, parent, fair_weight", world_.cohorts,
                           [](Row& row, Cohort& o) { row.read(o.name, o.parent, o.fair_weight); });
    read_groups(queues, cohorts);
  }

  void read_groups(Objects<ClusterQueue>& queues, Objects<Cohort>& cohorts) {
    /// Where a group has been put; its owner's vector no longer moves, the group in it may.
    struct Place {
      std::vector<ResourceGroup>* groups;
      Id position;
      ResourceGroup& group() const { return part(*groups, position); }
    };
    std::unordered_map<Id, Place> places;
    auto add_group = [&places](Row& row, auto& owner) {
      places.emplace(row.next<Id>(),
                     Place{&owner.resource_groups, static_cast<Id>(owner.resource_groups.size())});
      owner.resource_groups.emplace_back();
    };
    parts(queues, "SELECT queue, id FROM resource_group WHERE queue IS NOT NULL ORDER BY queue, position",
          add_group);
    parts(cohorts, "SELECT cohort, id FROM resource_group WHERE cohort IS NOT NULL ORDER BY cohort, position",
          add_group);
    auto group_of = [&places](Id id) -> ResourceGroup& {
      auto place = places.find(id);
      if (place == places.end()) damaged(fmt::format("resource group {} is not there", id));
      return place->second.group();
    };
    rows("SELECT resource_group, resource FROM resource_group_resource ORDER BY resource_group, position",
         [&](Row row) {
           ResourceGroup& group = group_of(row.next<Id>());
           group.covered_resources.push_back(row.next<std::string>());
         });
    rows("SELECT resource_group, flavor FROM resource_group_flavor ORDER BY resource_group, position",
         [&](Row row) {
           ResourceGroup& group = group_of(row.next<Id>());
           row.read(group.flavors.emplace_back().flavor);
         });
    rows(
        "SELECT resource_group, flavor_position, resource, nominal, borrowing_limit, lending_limit FROM "
        "quota "
        "ORDER BY resource_group, flavor_position, position",
        [&](Row row) {
          ResourceGroup& group = group_of(row.next<Id>());
          ResourceQuota& quota = part(group.flavors, row.next<Id>()).resources.emplace_back();
          row.read(quota.resource, quota.nominal, quota.borrowing_limit, quota.lending_limit);
        });
    for (const auto& [id, place] : places) check_quotas(id, place.group());
  }

  /// Every flavor has a quota for each resource that its group covers, as the API server's rules want it.
  static void check_quotas(Id id, const ResourceGroup& group) {
    for (const FlavorQuotas& flavor : group.flavors) {
      bool matches = std::equal(flavor.resources.begin(), flavor.resources.end(), group.covered_resources.begin(),
                                group.covered_resources.end(),
                                [](const ResourceQuota& quota, const std::string& name) { return quota.resource == name; });
      if (!matches)
        damaged(fmt::format("flavor {} of resource group {} has no quotas for what the group covers", flavor.flavor, id));
    }
  }

  void read_local_queues() {
    auto queues = objects("local_queue", "namespace, name, queue, stop_policy, fair_weight", world_.local_queues,
                          [](Row& row, LocalQueue& o) {
                            row.read(o.name_space, o.name, o.cluster_queue, o.stop_policy, o.fair_weight);
                          });
    parts(queues,
          "SELECT local_queue, resource, quantity FROM local_queue_consumed ORDER BY local_queue, resource",
          [](Row& row, LocalQueue& o) { add_quantity(row, o.consumed); });
  }

  void read_classes() {
    objects("workload_priority_class", "name, value, description", world_.workload_priority_classes,
            [](Row& row, WorkloadPriorityClass& o) { row.read(o.name, o.value, o.description); });
    objects("priority_class", "name, value, global_default", world_.priority_classes,
            [](Row& row, PriorityClass& o) { row.read(o.name, o.value, o.global_default); });
    auto classes = objects("runtime_class", "name", world_.runtime_classes,
                           [](Row& row, RuntimeClass& o) { row.read(o.name); });
    parts(classes,
          "SELECT runtime_class, resource, quantity FROM runtime_class_overhead ORDER BY runtime_class, "
          "resource",
          [](Row& row, RuntimeClass& o) { add_quantity(row, o.pod_overhead); });
  }

  void read_provisioning() {
    objects("admission_check", "name, controller, parameters_group, parameters_kind, parameters_name, active",
            world_.admission_checks, [](Row& row, AdmissionCheck& o) {
              row.read(o.name, o.controller, o.parameters_group, o.parameters_kind, o.parameters_name,
                       o.active);
            });
    auto configs =
        objects("provisioning_config",
                "name, class_name, retry_limit, retry_base_seconds, retry_max_seconds, pod_set_merge_policy",
                world_.provisioning_configs, [](Row& row, ProvisioningRequestConfig& o) {
                  row.read(o.name, o.class_name, o.retry.limit, o.retry.base_seconds, o.retry.max_seconds,
                           o.pod_set_merge_policy);
                });
    parts(configs,
          "SELECT provisioning_config, key, value FROM provisioning_config_parameter "
          "ORDER BY provisioning_config, key",
          [](Row& row, ProvisioningRequestConfig& o) { add_label(row, o.parameters); });
    parts(configs,
          "SELECT provisioning_config, resource FROM provisioning_config_resource "
          "ORDER BY provisioning_config, position",
          [](Row& row, ProvisioningRequestConfig& o) { row.read(o.managed_resources.emplace_back()); });
    parts(configs,
          "SELECT provisioning_config, key, detail FROM provisioning_config_node_selector "
          "ORDER BY provisioning_config, position",
          [](Row& row, ProvisioningRequestConfig& o) {
            auto& [key, detail] = o.node_selector_updates.emplace_back();
            row.read(key, detail);
          });
  }

  void read_requests() {
    auto requests = objects("provisioning_request", "namespace, name, workload, class_name, created",
                            world_.provisioning_requests, [](Row& row, ProvisioningRequest& o) {
                              row.read(o.name_space, o.name, o.workload, o.class_name, o.created);
                            });
    parts(requests,
          "SELECT provisioning_request, key, value FROM provisioning_request_parameter "
          "ORDER BY provisioning_request, key",
          [](Row& row, ProvisioningRequest& o) { add_label(row, o.parameters); });
    parts(requests,
          "SELECT provisioning_request, pod_template, count FROM provisioning_request_pod_set "
          "ORDER BY provisioning_request, position",
          [](Row& row, ProvisioningRequest& o) {
            RequestedPods& pods = o.pod_sets.emplace_back();
            row.read(pods.pod_template, pods.count);
          });
    parts(requests,
          "SELECT provisioning_request, type, status, reason, message, since, observed_generation "
          "FROM provisioning_request_condition ORDER BY provisioning_request, position",
          [](Row& row, ProvisioningRequest& o) {
            Condition& c = o.conditions.emplace_back();
            row.read(c.type, c.status, c.reason, c.message, c.since, c.observed_generation);
          });
    parts(requests,
          "SELECT provisioning_request, key, value FROM provisioning_request_detail "
          "ORDER BY provisioning_request, key",
          [](Row& row, ProvisioningRequest& o) { add_label(row, o.class_details); });
  }

  void read_topologies() {
    auto topologies =
        objects("topology", "name", world_.topologies, [](Row& row, Topology& o) { row.read(o.name); });
    parts(topologies, "SELECT topology, name, node_label FROM topology_level ORDER BY topology, position",
          [](Row& row, Topology& o) {
            TopologyLevel& level = o.levels.emplace_back();
            row.read(level.name, level.node_label);
          });
  }

  void read_namespaces() {
    auto namespaces =
        objects("namespace", "name", world_.namespaces, [](Row& row, Namespace& o) { row.read(o.name); });
    parts(namespaces, "SELECT namespace, key, value FROM namespace_label ORDER BY namespace, key",
          [](Row& row, Namespace& o) { add_label(row, o.labels); });
  }

  void read_limit_ranges() {
    auto ranges = objects("limit_range", "namespace, name", world_.limit_ranges,
                          [](Row& row, LimitRange& o) { row.read(o.name_space, o.name); });
    parts(ranges, "SELECT limit_range, type FROM limit_range_item ORDER BY limit_range, position",
          [](Row& row, LimitRange& o) { row.read(o.items.emplace_back().type); });
    parts(ranges,
          "SELECT limit_range, item, bound, resource, quantity FROM limit_range_bound "
          "ORDER BY limit_range, item, bound, resource",
          [](Row& row, LimitRange& o) {
            LimitRangeItem& item = part(o.items, row.next<Id>());
            add_quantity(row, bound_of(item, row.next<std::string_view>()));
          });
  }

  static Resources& bound_of(LimitRangeItem& item, std::string_view bound) {
    if (bound == "max") return item.max;
    if (bound == "min") return item.min;
    if (bound == "default") return item.default_limits;
    if (bound == "defaultRequest") return item.default_requests;
    if (bound == "maxLimitRequestRatio") return item.max_ratio;
    damaged(fmt::format("a bound cannot be `{}`", bound));
  }

  void read_nodes() {
    auto nodes = objects("node", "name, ready, unschedulable", world_.nodes,
                         [](Row& row, Node& o) { row.read(o.name, o.ready, o.unschedulable); });
    parts(nodes, "SELECT node, key, value FROM node_label ORDER BY node, key",
          [](Row& row, Node& o) { add_label(row, o.labels); });
    parts(nodes, "SELECT node, key, value, effect FROM node_taint ORDER BY node, position",
          [](Row& row, Node& o) { add_taint(row, o.taints); });
    parts(nodes, "SELECT node, resource, quantity FROM node_resource ORDER BY node, resource",
          [](Row& row, Node& o) { add_quantity(row, o.allocatable); });
  }

  void read_pods() {
    auto pods = objects("pod", "namespace, name, node, workload, asks_for_topology, ended, deleting",
                        world_.pods, [](Row& row, Pod& o) {
                          row.read(o.name_space, o.name, o.node, o.workload, o.asks_for_topology, o.ended,
                                   o.deleting);
                        });
    parts(pods, "SELECT pod, resource, quantity FROM pod_request ORDER BY pod, resource",
          [](Row& row, Pod& o) { add_quantity(row, o.requests); });
  }

  void read_workloads() {
    auto count = database_.integer("SELECT count(*) FROM workload");
    world_.workloads.reserve(static_cast<std::size_t>(count));
    WorkloadParts workloads(database_);
    workloads.add("SELECT workload, key, value FROM workload_label ORDER BY workload, key",
          [](Row& row, Workload& o) { add_label(row, o.labels.own()); });
    workloads.add("SELECT workload, key, value FROM workload_annotation ORDER BY workload, key",
          [](Row& row, Workload& o) { add_label(row, o.annotations.own()); });
    workloads.add("SELECT workload, gate FROM workload_preemption_gate ORDER BY workload, position",
          [](Row& row, Workload& o) { row.read(o.preemption_gates.emplace_back()); });
    workloads.add("SELECT workload, gate, open, since FROM workload_preemption_gate_state ORDER BY workload, position",
          [](Row& row, Workload& o) {
            PreemptionGateState& gate = o.gate_states.emplace_back();
            row.read(gate.name, gate.open, gate.since);
          });
    workloads.add("SELECT workload, type, status, reason, message, since, observed_generation FROM workload_condition "
        "ORDER BY workload, position",
        [](Row& row, Workload& o) {
          Condition& c = o.conditions.emplace_back();
          row.read(c.type, c.status, c.reason, c.message, c.since, c.observed_generation);
        });
    workloads.add("SELECT workload, admission_check, state, message, since, requeue_after_seconds, retry_count "
          "FROM workload_check ORDER BY workload, position",
          [](Row& row, Workload& o) {
            CheckStatus& c = o.checks.emplace_back();
            row.read(c.name, c.state, c.message, c.since, c.requeue_after_seconds, c.retry_count);
          });
    read_check_updates(workloads);
    workloads.add("SELECT workload, node FROM workload_unhealthy_node ORDER BY workload, position",
          [](Row& row, Workload& o) { row.read(o.unhealthy_nodes.emplace_back()); });
    workloads.add("SELECT workload, pod_set, count FROM workload_reclaimable ORDER BY workload, pod_set",
          [](Row& row, Workload& o) {
            auto pod_set = row.next<std::string>();
            row.read(o.reclaimable[std::move(pod_set)]);
          });
    read_assignments(workloads);
    read_pod_sets(workloads);
    read_containers(workloads);
    PodSetPool pool;
    rows(
        "SELECT id, source_file, source_line, namespace, name, uid, synthetic_uid, arrival, created, generation, "
        "owner_kind, owner_group, owner_name, owner_uid, local_queue, priority, priority_class, "
        "priority_class_kind, active, max_run_seconds, admitted_queue, requeue_at, requeue_count, "
        "past_run_seconds FROM workload ORDER BY id",
        [&](Row row) {
          Workload& o = world_.workloads.emplace_back();
          auto id = row.next<Id>();
          read_origin(row, o.origin);
          Owner owner;
          std::optional<std::string> admitted_queue;
          row.read(o.name_space, o.name, o.uid, o.synthetic_uid, o.arrival, o.created, o.generation,
                   owner.kind, owner.group, owner.name, owner.uid, o.queue, o.priority,
                   o.priority_class, o.priority_class_kind, o.active, o.max_run_seconds, admitted_queue,
                   o.requeue_at, o.requeue_count, o.past_run_seconds);
          if (owner != Owner{}) o.owner = std::move(owner);
          o.admitted_queue = std::move(admitted_queue);
          workloads.read(id, o);
          pool.share(o.pod_sets);
        });
    workloads.end();
  }

  static PodSetUpdate& update_of(Row& row, Workload& o) {
    CheckStatus& check = part(o.checks, row.next<Id>());
    return part(check.updates, row.next<Id>());
  }

  void read_check_updates(WorkloadParts& workloads) {
    workloads.add("SELECT workload, admission_check, pod_set FROM workload_check_update "
          "ORDER BY workload, admission_check, position",
          [](Row& row, Workload& o) { row.read(part(o.checks, row.next<Id>()).updates.emplace_back().name); });
    workloads.add("SELECT workload, admission_check, pod_set_update, part, key, value FROM workload_check_update_entry "
          "ORDER BY workload, admission_check, pod_set_update, part, key",
          [](Row& row, Workload& o) {
            PodSetUpdate& update = update_of(row, o);
            auto kind = row.next<std::string>();
            add_label(row, kind == "label"        ? update.labels
                           : kind == "annotation" ? update.annotations
                                                  : update.node_selector);
          });
    workloads.add("SELECT workload, admission_check, pod_set_update, key, operator, value, effect, seconds "
          "FROM workload_check_update_toleration ORDER BY workload, admission_check, pod_set_update, position",
          [](Row& row, Workload& o) { add_toleration(row, update_of(row, o).tolerations); });
  }

  void read_assignments(WorkloadParts& workloads) {
    workloads.add("SELECT workload, pod_set, count, has_topology, delayed_topology FROM assignment "
          "ORDER BY workload, position",
          [](Row& row, Workload& o) {
            PodSetAssignment& a = o.assignments.emplace_back();
            row.read(a.name, a.count);
            if (row.next<bool>()) a.topology.emplace();
            row.read(a.delayed_topology);
          });
    workloads.add("SELECT workload, assignment, node_label FROM assignment_level "
          "ORDER BY workload, assignment, position",
          [](Row& row, Workload& o) { row.read(topology_of(row, o).levels.emplace_back()); });
    workloads.add("SELECT workload, assignment, count FROM assignment_domain ORDER BY workload, assignment, position",
          [](Row& row, Workload& o) { row.read(topology_of(row, o).domains.emplace_back().count); });
    workloads.add("SELECT workload, assignment, domain, value FROM assignment_domain_value "
          "ORDER BY workload, assignment, domain, level",
          [](Row& row, Workload& o) {
            TopologyAssignment& topology = topology_of(row, o);
            row.read(part(topology.domains, row.next<Id>()).values.emplace_back());
          });
    workloads.add("SELECT workload, assignment, resource, flavor FROM assignment_flavor "
          "ORDER BY workload, assignment, resource",
          [](Row& row, Workload& o) { add_label(row, part(o.assignments, row.next<Id>()).flavors); });
    workloads.add("SELECT workload, assignment, resource, quantity FROM assignment_usage "
          "ORDER BY workload, assignment, resource",
          [](Row& row, Workload& o) { add_quantity(row, part(o.assignments, row.next<Id>()).usage); });
  }

  static TopologyAssignment& topology_of(Row& row, Workload& o) {
    auto& topology = part(o.assignments, row.next<Id>()).topology;
    if (!topology) damaged("a domain of an assignment that has none");
    return *topology;
  }

  static PodTemplate& pod_of(Row& row, Workload& o) { return part(o.pod_sets.own(), row.next<Id>()).pod; }

  void read_pod_sets(WorkloadParts& workloads) {
    workloads.add("SELECT workload, name, count, min_count, runtime_class, priority_class, priority, has_pod_requests, "
        "has_pod_limits, has_required_affinity, other_shape, topology_mode, topology_level, "
        "topology_slice_level, "
        "topology_slice_size, topology_group, topology_pod_index_label, topology_sub_group_index_label, "
        "topology_sub_group_count, topology_constrained FROM pod_set ORDER BY workload, position",
        [](Row& row, Workload& o) {
          PodSet& p = o.pod_sets.emplace_back();
          row.read(p.name, p.count, p.min_count, p.pod.runtime_class, p.pod.priority_class, p.pod.priority);
          if (row.next<bool>()) p.pod.pod_requests.emplace();
          if (row.next<bool>()) p.pod.pod_limits.emplace();
          if (row.next<bool>()) p.pod.required_affinity.emplace();
          row.read(p.pod.other_shape);
          auto mode = row.next<std::optional<TopologyRequest::Mode>>();
          if (!mode) return;
          TopologyRequest& t = p.topology.emplace();
          t.mode = *mode;
          row.read(t.level, t.slice_level, t.slice_size, t.group, t.pod_index_label, t.sub_group_index_label,
                   t.sub_group_count);
          t.constrained = row.next<std::optional<bool>>().value_or(false);
        });
    workloads.add("SELECT workload, pod_set, level, size FROM pod_set_slice_layer ORDER BY workload, pod_set, position",
          [](Row& row, Workload& o) {
            auto& topology = part(o.pod_sets.own(), row.next<Id>()).topology;
            if (!topology) damaged("a slice of a pod set that asks for no topology");
            SliceLayer& layer = topology->slice_layers.emplace_back();
            row.read(layer.level, layer.size);
          });
    workloads.add("SELECT workload, pod_set, key, value FROM pod_label ORDER BY workload, pod_set, key",
          [](Row& row, Workload& o) { add_label(row, pod_of(row, o).labels); });
    workloads.add("SELECT workload, pod_set, key, value FROM pod_annotation ORDER BY workload, pod_set, key",
          [](Row& row, Workload& o) { add_label(row, pod_of(row, o).annotations); });
    workloads.add("SELECT workload, pod_set, key, value FROM pod_node_selector ORDER BY workload, pod_set, key",
          [](Row& row, Workload& o) { add_label(row, pod_of(row, o).node_selector); });
    workloads.add("SELECT workload, pod_set, key, operator, value, effect, seconds FROM pod_toleration "
          "ORDER BY workload, pod_set, position",
          [](Row& row, Workload& o) { add_toleration(row, pod_of(row, o).tolerations); });
    workloads.add("SELECT workload, pod_set, bound, resource, quantity FROM pod_resource "
          "ORDER BY workload, pod_set, bound, resource",
          [](Row& row, Workload& o) {
            PodTemplate& pod = pod_of(row, o);
            add_quantity(row, bound_of(pod, row.next<std::string_view>()));
          });
    read_affinity(workloads);
  }

  static Resources& bound_of(PodTemplate& pod, std::string_view bound) {
    if (bound == "request" && pod.pod_requests) return *pod.pod_requests;
    if (bound == "limit" && pod.pod_limits) return *pod.pod_limits;
    if (bound == "overhead") return pod.overhead;
    damaged(fmt::format("a pod has no bound `{}`", bound));
  }

  static std::vector<NodeSelectorTerm>& affinity_of(Row& row, Workload& o) {
    PodTemplate& pod = pod_of(row, o);
    if (!pod.required_affinity) damaged("terms of an affinity that is not there");
    return *pod.required_affinity;
  }
  static std::vector<Requirement>& expressions_of(Row& row, Workload& o) {
    std::vector<NodeSelectorTerm>& terms = affinity_of(row, o);
    NodeSelectorTerm& term = part(terms, row.next<Id>());
    return row.next<bool>() ? term.fields : term.expressions;
  }

  void read_affinity(WorkloadParts& workloads) {
    workloads.add("SELECT workload, pod_set FROM pod_affinity_term ORDER BY workload, pod_set, position",
          [](Row& row, Workload& o) { affinity_of(row, o).emplace_back(); });
    workloads.add("SELECT workload, pod_set, term, on_field, key, operator FROM pod_affinity_expression "
          "ORDER BY workload, pod_set, term, on_field, position",
          [](Row& row, Workload& o) {
            Requirement& r = expressions_of(row, o).emplace_back();
            row.read(r.key, r.op);
          });
    workloads.add("SELECT workload, pod_set, term, on_field, expression, value FROM pod_affinity_value "
          "ORDER BY workload, pod_set, term, on_field, expression, position",
          [](Row& row, Workload& o) {
            std::vector<Requirement>& expressions = expressions_of(row, o);
            Requirement& r = part(expressions, row.next<Id>());
            r.values.push_back(row.next<std::string>());
          });
  }

  static std::vector<Container>& containers_of(Row& row, Workload& o) {
    PodTemplate& pod = pod_of(row, o);
    return row.next<bool>() ? pod.init_containers : pod.containers;
  }

  void read_containers(WorkloadParts& workloads) {
    workloads.add("SELECT workload, pod_set, init, name, sidecar, ports FROM container "
          "ORDER BY workload, pod_set, init, position",
          [](Row& row, Workload& o) {
            Container& c = containers_of(row, o).emplace_back();
            row.read(c.name, c.sidecar, c.ports);
          });
    workloads.add("SELECT workload, pod_set, init, container, bound = 'limit', resource, quantity FROM "
          "container_resource "
          "ORDER BY workload, pod_set, init, container, bound, resource",
          [](Row& row, Workload& o) {
            std::vector<Container>& containers = containers_of(row, o);
            Container& c = part(containers, row.next<Id>());
            add_quantity(row, row.next<bool>() ? c.limits : c.requests);
          });
  }

  Database& database_;
  World world_;
  std::unordered_map<Id, std::uint32_t> file_numbers_;
};

}  // namespace

World read_tables(Database& database) {
  return Reader(database).read();
}

}  // namespace sluice::state
