#include <fmt/format.h>

#include <array>
#include <cassert>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "state/spelling.hpp"
#include "state/tables.hpp"

namespace sluice::state {
namespace {

using Id = std::int64_t;
/// The id of an object that replaces another one, or none: SQLite then takes the next.
using OldId = std::optional<Id>;

/// `INSERT INTO table VALUES (?, …)`, one call a row, values in the order of the columns.
class Insert {
 public:
  Insert(Database& database, std::string_view table) : database_(&database), table_(table) {}

  template <class... Values>
  void operator()(const Values&... values) {
    if (!statement_) prepare(sizeof...(values));
    int parameter = 0;
    (put(parameter++, values), ...);
    statement_->step();
    statement_->reset();
  }

 private:
  void prepare(std::size_t columns) {
    std::string sql = fmt::format("INSERT INTO {} VALUES (?", table_);
    for (std::size_t i = 1; i < columns; ++i) sql += ", ?";
    statement_.emplace(database_->prepare(sql + ")"));
    texts_.resize(columns);
  }

  void put(int at, std::int64_t value) { statement_->bind(at, value); }
  void put(int at, std::int32_t value) { statement_->bind(at, std::int64_t{value}); }
  void put(int at, std::uint32_t value) { statement_->bind(at, std::int64_t{value}); }
  void put(int at, std::uint64_t value) { statement_->bind(at, static_cast<std::int64_t>(value)); }
  void put(int at, bool value) { statement_->bind(at, std::int64_t{value}); }
  void put(int at, const std::string& text) { statement_->bind(at, std::string_view(text)); }
  void put(int at, std::string_view text) { statement_->bind(at, text); }
  void put(int at, const char* text) { statement_->bind(at, std::string_view(text)); }
  void put(int at, Instant instant) { statement_->bind(at, instant.ns); }
  void put(int at, Amount amount) { statement_->bind(at, amount.value()); }
  void put(int at, const Quantity& quantity) {
    std::string& text = texts_[static_cast<std::size_t>(at)];
    text = quantity.to_string();
    statement_->bind(at, std::string_view(text));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void put(int at, Enum value) { statement_->bind(at, spelling_of(value)); }
  template <class T>
  void put(int at, const std::optional<T>& value) {
    if (value) {
      put(at, *value);
    } else {
      statement_->bind_null(at);
    }
  }

  template <class T>
  void put(int at, const RareOptional<T>& value) {
    if (value) {
      put(at, *value);
    } else {
      statement_->bind_null(at);
    }
  }

  Database* database_;
  std::string_view table_;
  std::optional<Statement> statement_;
  std::vector<std::string> texts_;  // what must live until the step
};

std::pair<std::string_view, std::string_view> key_of(const LocalQueue& o) {
  return {o.name_space, o.name};
}
std::pair<std::string_view, std::string_view> key_of(const LimitRange& o) {
  return {o.name_space, o.name};
}
std::pair<std::string_view, std::string_view> key_of(const Pod& o) {
  return {o.name_space, o.name};
}
std::pair<std::string_view, std::string_view> key_of(const ProvisioningRequest& o) {
  return {o.name_space, o.name};
}
std::pair<std::string_view, std::string_view> key_of(const Workload& o) {
  return {o.name_space, o.name};
}
std::pair<std::string_view, std::string_view> key_of(const CapacitySignal& o) {
  return {"", o.flavor};
}
template <class T>
std::pair<std::string_view, std::string_view> key_of(const T& object) {
  return {"", object.name};
}

template <class List>
bool is_sorted_without_doubles(const List& objects) {
  for (std::size_t i = 1; i < objects.size(); ++i) {
    if (!(key_of(objects[i - 1]) < key_of(objects[i]))) return false;
  }
  return true;
}

class Writer {
 public:
  explicit Writer(Database& database) : database_(database) {}

  void write(const World& before, const World& next) {
    // Origins are numbers of files: they can be compared only if the numbers mean the same.
    comparable_ = before.files.size() <= next.files.size() &&
                  std::equal(before.files.begin(), before.files.end(), next.files.begin());
    write_files(before, next);
    Statement instant = database_.prepare("INSERT OR REPLACE INTO snapshot VALUES (1, ?)");
    instant.bind(0, next.now.ns);
    instant.step();
    write_kind("flavor", before.flavors, next.flavors);
    write_kind("queue", before.cluster_queues, next.cluster_queues);
    write_kind("cohort", before.cohorts, next.cohorts);
    write_kind("local_queue", before.local_queues, next.local_queues);
    write_kind("workload_priority_class", before.workload_priority_classes, next.workload_priority_classes);
    write_kind("priority_class", before.priority_classes, next.priority_classes);
    write_kind("admission_check", before.admission_checks, next.admission_checks);
    write_kind("provisioning_config", before.provisioning_configs, next.provisioning_configs);
    write_kind("provisioning_request", before.provisioning_requests, next.provisioning_requests);
    write_kind("topology", before.topologies, next.topologies);
    write_kind("namespace", before.namespaces, next.namespaces);
    write_kind("limit_range", before.limit_ranges, next.limit_ranges);
    write_kind("runtime_class", before.runtime_classes, next.runtime_classes);
    write_kind("node", before.nodes, next.nodes);
    write_kind("pod", before.pods, next.pods);
    write_kind("workload", before.workloads, next.workloads);
    write_kind("capacity_signal", before.capacity, next.capacity);
    if (!comparable_) remove_other_files(next);
  }

 private:
  /// Files keep their order: a file's number in World::files follows its id.
  void write_files(const World& before, const World& next) {
    if (!comparable_) {
      // Objects still refer to the old rows; they are replaced one by one, then the old rows go.
      database_.run("UPDATE source_file SET path = 'replaced ' || id || ' ' || path");
    }
    Statement find = database_.prepare("SELECT id FROM source_file WHERE path = ?");
    for (std::size_t i = 0; i < next.files.size(); ++i) {
      if (comparable_ && i < before.files.size()) {
        find.bind(0, std::string_view(next.files[i]));
        if (find.step()) file_ids_.push_back(find.integer(0));
        find.reset();
      } else {
        insert_file_(std::optional<Id>(), next.files[i]);
        file_ids_.push_back(database_.last_id());
      }
    }
  }

  void remove_other_files(const World& next) {
    Statement remove = database_.prepare("DELETE FROM source_file WHERE id < ?");
    remove.bind(0, next.files.empty() ? INT64_MAX : file_ids_.front());
    remove.step();
  }

  std::optional<Id> file_of(const Origin& origin) const {
    if (origin.file >= file_ids_.size()) return std::nullopt;
    return file_ids_[origin.file];
  }

  template <class List>
  void write_kind(std::string_view table, const List& before, const List& next) {
    using T = typename List::value_type;
    assert(is_sorted_without_doubles(before) && is_sorted_without_doubles(next) && "World promises it");
    constexpr bool has_namespace = requires(const T& object) {
      object.name_space;
    };
    std::string_view name = std::is_same_v<T, CapacitySignal> ? "flavor" : "name";
    Statement remove = database_.prepare(fmt::format("DELETE FROM {} WHERE {} = ?{} RETURNING id", table,
                                                     name, has_namespace ? " AND namespace = ?" : ""));
    auto take_out = [&](const T& object) {
      OldId id;
      remove.bind(0, key_of(object).second);
      if (has_namespace) remove.bind(1, key_of(object).first);
      while (remove.step()) id = remove.integer(0);
      remove.reset();
      return id;
    };
    auto old = before.begin();
    for (const T& object : next) {
      while (old != before.end() && key_of(*old) < key_of(object)) take_out(*old++);
      if (old == before.end() || key_of(object) < key_of(*old)) {
        insert(object, std::nullopt);
      } else if (comparable_ && (&*old == &object || *old == object)) {
        ++old;
      } else {
        insert(object, take_out(*old++));
      }
    }
    while (old != before.end()) take_out(*old++);
  }

  Id new_id(OldId old) { return old ? *old : database_.last_id(); }

  void insert(const ResourceFlavor& o, OldId old) {
    flavor_(old, o.name, o.topology, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.node_labels) flavor_label_(id, key, value);
    write_list(flavor_taint_, o.node_taints, id);
    write_list(flavor_toleration_, o.tolerations, id);
  }

  void insert(const ClusterQueue& o, OldId old) {
    queue_(old, o.name, o.cohort, o.strategy, o.stop_policy, !o.namespace_selector.nothing,
           o.fungibility.when_can_borrow, o.fungibility.when_can_preempt, o.fungibility.preference,
           o.preemption.reclaim_within_cohort, o.preemption.within_cluster_queue,
           o.preemption.borrow_within_cohort, o.preemption.borrow_max_priority_threshold, o.fair_weight,
           o.usage_based_fair_sharing, o.concurrent_admission, o.generation, file_of(o.origin),
           o.origin.line, o.retains_first_admission, o.last_acceptable_flavor);
    Id id = new_id(old);
    Id position = 0;
    for (const Requirement& requirement : o.namespace_selector.requirements) {
      queue_namespace_requirement_(id, position, requirement.key, requirement.op);
      write_texts(queue_namespace_value_, requirement.values, id, position);
      ++position;
    }
    position = 0;
    for (const AdmissionCheckRule& rule : o.admission_checks) {
      queue_check_(id, position, rule.name);
      write_texts(queue_check_flavor_, rule.on_flavors, id, position);
      ++position;
    }
    write_groups(o.resource_groups, id, std::nullopt);
  }

  void insert(const Cohort& o, OldId old) {
    cohort_(old, o.name, o.parent, o.fair_weight, file_of(o.origin), o.origin.line);
    write_groups(o.resource_groups, std::nullopt, new_id(old));
  }

  void write_groups(const std::vector<ResourceGroup>& groups, std::optional<Id> queue,
                    std::optional<Id> cohort) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      resource_group_(std::optional<Id>(), queue, cohort, i);
      Id id = database_.last_id();
      write_texts(resource_group_resource_, groups[i].covered_resources, id);
      for (std::size_t f = 0; f < groups[i].flavors.size(); ++f) {
        const FlavorQuotas& flavor = groups[i].flavors[f];
        resource_group_flavor_(id, f, flavor.flavor);
        Id position = 0;
        for (const ResourceQuota& quota : flavor.resources) {
          quota_(id, f, position++, quota.resource, quota.nominal, quota.borrowing_limit,
                 quota.lending_limit);
        }
      }
    }
  }

  void insert(const LocalQueue& o, OldId old) {
    local_queue_(old, o.name_space, o.name, o.cluster_queue, o.stop_policy, o.fair_weight, file_of(o.origin),
                 o.origin.line);
    write_resources(local_queue_consumed_, o.consumed, new_id(old));
  }
  void insert(const WorkloadPriorityClass& o, OldId old) {
    workload_priority_class_(old, o.name, o.value, o.description, file_of(o.origin), o.origin.line);
  }
  void insert(const PriorityClass& o, OldId old) {
    priority_class_(old, o.name, o.value, o.global_default, file_of(o.origin), o.origin.line);
  }
  void insert(const AdmissionCheck& o, OldId old) {
    admission_check_(old, o.name, o.controller, o.parameters_group, o.parameters_kind, o.parameters_name,
                     o.active, file_of(o.origin), o.origin.line);
  }

  void insert(const ProvisioningRequestConfig& o, OldId old) {
    provisioning_config_(old, o.name, o.class_name, o.retry.limit, o.retry.base_seconds, o.retry.max_seconds,
                         o.pod_set_merge_policy, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.parameters) provisioning_config_parameter_(id, key, value);
    write_texts(provisioning_config_resource_, o.managed_resources, id);
    Id position = 0;
    for (const auto& [key, detail] : o.node_selector_updates) {
      provisioning_config_node_selector_(id, position++, key, detail);
    }
  }

  void insert(const ProvisioningRequest& o, OldId old) {
    provisioning_request_(old, o.name_space, o.name, o.workload, o.class_name, o.created, file_of(o.origin),
                          o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.parameters) provisioning_request_parameter_(id, key, value);
    Id position = 0;
    for (const RequestedPods& pods : o.pod_sets)
      provisioning_request_pod_set_(id, position++, pods.pod_template, pods.count);
    position = 0;
    for (const Condition& c : o.conditions) {
      provisioning_request_condition_(id, position++, c.type, c.status, c.reason, c.message, c.since,
                                      c.observed_generation);
    }
    for (const auto& [key, value] : o.class_details) provisioning_request_detail_(id, key, value);
  }

  void insert(const Topology& o, OldId old) {
    topology_(old, o.name, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    Id position = 0;
    for (const TopologyLevel& level : o.levels) topology_level_(id, position++, level.name, level.node_label);
  }

  void insert(const Namespace& o, OldId old) {
    namespace_(old, o.name, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.labels) namespace_label_(id, key, value);
  }

  void insert(const LimitRange& o, OldId old) {
    limit_range_(old, o.name_space, o.name, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    Id position = 0;
    for (const LimitRangeItem& item : o.items) {
      limit_range_item_(id, position, item.type);
      auto write_bound = [&](const char* bound, const Resources& resources) {
        for (const auto& [resource, quantity] : resources)
          limit_range_bound_(id, position, bound, resource, quantity);
      };
      write_bound("max", item.max);
      write_bound("min", item.min);
      write_bound("default", item.default_limits);
      write_bound("defaultRequest", item.default_requests);
      write_bound("maxLimitRequestRatio", item.max_ratio);
      ++position;
    }
  }

  void insert(const RuntimeClass& o, OldId old) {
    runtime_class_(old, o.name, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [resource, quantity] : o.pod_overhead) runtime_class_overhead_(id, resource, quantity);
  }

  void insert(const Node& o, OldId old) {
    node_(old, o.name, o.ready, o.unschedulable, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.labels) node_label_(id, key, value);
    write_list(node_taint_, o.taints, id);
    write_resources(node_resource_, o.allocatable, id);
  }

  void insert(const Pod& o, OldId old) {
    pod_(old, o.name_space, o.name, o.node, o.workload, o.asks_for_topology, o.ended, o.deleting,
         file_of(o.origin), o.origin.line);
    write_resources(pod_request_, o.requests, new_id(old));
  }

  void insert(const CapacitySignal& o, OldId old) {
    capacity_signal_(old, o.flavor, o.state, o.since, file_of(o.origin), o.origin.line);
  }

  void insert(const Workload& o, OldId old) {
    workload_(old, o.name_space, o.name, o.uid, o.synthetic_uid, o.arrival, o.created, o.generation,
              o.owner->kind, o.owner->group, o.owner->name, o.owner->uid, o.queue, o.priority, o.priority_class,
              o.priority_class_kind, o.active, o.max_run_seconds, o.admitted_queue, o.requeue_at,
              o.requeue_count, o.past_run_seconds, file_of(o.origin), o.origin.line);
    Id id = new_id(old);
    for (const auto& [key, value] : o.labels) workload_label_(id, key, value);
    for (const auto& [key, value] : o.annotations) workload_annotation_(id, key, value);
    write_texts(workload_preemption_gate_, o.preemption_gates, id);
    Id position = 0;
    for (const PreemptionGateState& gate : o.gate_states)
      workload_preemption_gate_state_(id, position++, gate.name, gate.open, gate.since);
    position = 0;
    for (const Condition& c : o.conditions) {
      workload_condition_(id, position++, c.type, c.status, c.reason, c.message, c.since,
                          c.observed_generation);
    }
    position = 0;
    for (const CheckStatus& c : o.checks) {
      workload_check_(id, position, c.name, c.state, c.message, c.since, c.requeue_after_seconds,
                      c.retry_count);
      write_updates(c.updates, id, position++);
    }
    for (const auto& [pod_set, count] : o.reclaimable) workload_reclaimable_(id, pod_set, count);
    write_texts(workload_unhealthy_node_, o.unhealthy_nodes, id);
    position = 0;
    for (const PodSetAssignment& assignment : o.assignments) write_assignment(assignment, id, position++);
    position = 0;
    for (const PodSet& pod_set : o.pod_sets) write_pod_set(pod_set, id, position++);
  }

  void write_updates(const std::vector<PodSetUpdate>& updates, Id workload, Id check) {
    Id position = 0;
    for (const PodSetUpdate& u : updates) {
      workload_check_update_(workload, check, position, u.name);
      auto entries = [&](const Labels& labels, const char* part) {
        for (const auto& [key, value] : labels)
          workload_check_update_entry_(workload, check, position, part, key, value);
      };
      entries(u.labels, "label");
      entries(u.annotations, "annotation");
      entries(u.node_selector, "nodeSelector");
      write_list(workload_check_update_toleration_, u.tolerations, workload, check, position);
      ++position;
    }
  }

  void write_assignment(const PodSetAssignment& a, Id workload, Id position) {
    assignment_(workload, position, a.name, a.count, a.topology.has_value(), a.delayed_topology);
    for (const auto& [resource, flavor] : a.flavors) assignment_flavor_(workload, position, resource, flavor);
    write_resources(assignment_usage_, a.usage, workload, position);
    if (!a.topology) return;
    write_texts(assignment_level_, a.topology->levels, workload, position);
    Id domain = 0;
    for (const TopologyDomain& d : a.topology->domains) {
      assignment_domain_(workload, position, domain, d.count);
      write_texts(assignment_domain_value_, d.values, workload, position, domain++);
    }
  }

  void write_pod_set(const PodSet& p, Id workload, Id position) {
    const PodTemplate& pod = p.pod;
    const TopologyRequest topology = p.topology.value_or(TopologyRequest());
    std::optional<TopologyRequest::Mode> mode;
    std::optional<std::string> level;
    std::optional<bool> constrained;
    if (p.topology) {
      mode = topology.mode;
      level = topology.level;
      constrained = topology.constrained;
    }
    pod_set_(workload, position, p.name, p.count, p.min_count, pod.runtime_class, pod.priority_class,
             pod.priority, pod.pod_requests.has_value(), pod.pod_limits.has_value(),
             pod.required_affinity.has_value(), pod.other_shape, mode, level, topology.slice_level,
             topology.slice_size, topology.group, topology.pod_index_label, topology.sub_group_index_label,
             topology.sub_group_count, constrained);
    Id layer = 0;
    for (const SliceLayer& l : topology.slice_layers)
      pod_set_slice_layer_(workload, position, layer++, l.level, l.size);
    for (const auto& [key, value] : pod.labels) pod_label_(workload, position, key, value);
    for (const auto& [key, value] : pod.annotations) pod_annotation_(workload, position, key, value);
    for (const auto& [key, value] : pod.node_selector) pod_node_selector_(workload, position, key, value);
    write_list(pod_toleration_, pod.tolerations, workload, position);
    if (pod.pod_requests) write_resources(pod_resource_, *pod.pod_requests, workload, position, "request");
    if (pod.pod_limits) write_resources(pod_resource_, *pod.pod_limits, workload, position, "limit");
    write_resources(pod_resource_, pod.overhead, workload, position, "overhead");
    if (pod.required_affinity) {
      Id term = 0;
      for (const NodeSelectorTerm& t : *pod.required_affinity) {
        pod_affinity_term_(workload, position, term);
        write_expressions(t.expressions, false, workload, position, term);
        write_expressions(t.fields, true, workload, position, term);
        ++term;
      }
    }
    write_containers(pod.containers, false, workload, position);
    write_containers(pod.init_containers, true, workload, position);
  }

  void write_expressions(const std::vector<Requirement>& all, bool on_field, Id workload, Id pod_set,
                         Id term) {
    Id position = 0;
    for (const Requirement& r : all) {
      pod_affinity_expression_(workload, pod_set, term, on_field, position, r.key, r.op);
      write_texts(pod_affinity_value_, r.values, workload, pod_set, term, on_field, position);
      ++position;
    }
  }

  void write_containers(const std::vector<Container>& containers, bool init, Id workload, Id pod_set) {
    Id position = 0;
    for (const Container& c : containers) {
      container_(workload, pod_set, init, position, c.name, c.sidecar, c.ports);
      write_resources(container_resource_, c.requests, workload, pod_set, init, position, "request");
      write_resources(container_resource_, c.limits, workload, pod_set, init, position, "limit");
      ++position;
    }
  }

  /// Texts in their order, below the row that `owner` names.
  template <class... Owner>
  void write_texts(Insert& insert, std::span<const std::string> texts, const Owner&... owner) {
    Id position = 0;
    for (const std::string& text : texts) insert(owner..., position++, text);
  }
  template <class... Owner>
  void write_list(Insert& insert, const std::vector<Taint>& taints, const Owner&... owner) {
    Id position = 0;
    for (const Taint& t : taints) insert(owner..., position++, t.key, t.value, t.effect);
  }
  template <class... Owner>
  void write_list(Insert& insert, const std::vector<Toleration>& tolerations, const Owner&... owner) {
    Id position = 0;
    for (const Toleration& t : tolerations) {
      insert(owner..., position++, t.key, t.op, t.value, t.effect, t.seconds);
    }
  }
  /// The exact text, and the amount to calculate with in SQL.
  template <class... Owner>
  void write_resources(Insert& insert, const Resources& resources, const Owner&... owner) {
    for (const auto& [resource, quantity] : resources) {
      insert(owner..., resource, quantity, Amount::request(resource, quantity));
    }
  }

  Database& database_;
  bool comparable_ = false;
  std::vector<Id> file_ids_;  // by number in World::files

  Insert insert_file_{database_, "source_file"};
  Insert flavor_{database_, "flavor"};
  Insert flavor_label_{database_, "flavor_label"};
  Insert flavor_taint_{database_, "flavor_taint"};
  Insert flavor_toleration_{database_, "flavor_toleration"};
  Insert queue_{database_, "queue"};
  Insert queue_namespace_requirement_{database_, "queue_namespace_requirement"};
  Insert queue_namespace_value_{database_, "queue_namespace_value"};
  Insert queue_check_{database_, "queue_check"};
  Insert queue_check_flavor_{database_, "queue_check_flavor"};
  Insert cohort_{database_, "cohort"};
  Insert resource_group_{database_, "resource_group"};
  Insert resource_group_resource_{database_, "resource_group_resource"};
  Insert resource_group_flavor_{database_, "resource_group_flavor"};
  Insert quota_{database_, "quota"};
  Insert local_queue_{database_, "local_queue"};
  Insert local_queue_consumed_{database_, "local_queue_consumed"};
  Insert workload_priority_class_{database_, "workload_priority_class"};
  Insert priority_class_{database_, "priority_class"};
  Insert admission_check_{database_, "admission_check"};
  Insert provisioning_config_{database_, "provisioning_config"};
  Insert provisioning_config_parameter_{database_, "provisioning_config_parameter"};
  Insert provisioning_config_resource_{database_, "provisioning_config_resource"};
  Insert provisioning_config_node_selector_{database_, "provisioning_config_node_selector"};
  Insert provisioning_request_{database_, "provisioning_request"};
  Insert provisioning_request_parameter_{database_, "provisioning_request_parameter"};
  Insert provisioning_request_pod_set_{database_, "provisioning_request_pod_set"};
  Insert provisioning_request_condition_{database_, "provisioning_request_condition"};
  Insert provisioning_request_detail_{database_, "provisioning_request_detail"};
  Insert topology_{database_, "topology"};
  Insert topology_level_{database_, "topology_level"};
  Insert capacity_signal_{database_, "capacity_signal"};
  Insert namespace_{database_, "namespace"};
  Insert namespace_label_{database_, "namespace_label"};
  Insert limit_range_{database_, "limit_range"};
  Insert limit_range_item_{database_, "limit_range_item"};
  Insert limit_range_bound_{database_, "limit_range_bound"};
  Insert runtime_class_{database_, "runtime_class"};
  Insert runtime_class_overhead_{database_, "runtime_class_overhead"};
  Insert node_{database_, "node"};
  Insert node_label_{database_, "node_label"};
  Insert node_taint_{database_, "node_taint"};
  Insert node_resource_{database_, "node_resource"};
  Insert pod_{database_, "pod"};
  Insert pod_request_{database_, "pod_request"};
  Insert workload_{database_, "workload"};
  Insert workload_label_{database_, "workload_label"};
  Insert workload_annotation_{database_, "workload_annotation"};
  Insert workload_preemption_gate_{database_, "workload_preemption_gate"};
  Insert workload_preemption_gate_state_{database_, "workload_preemption_gate_state"};
  Insert workload_condition_{database_, "workload_condition"};
  Insert workload_check_{database_, "workload_check"};
  Insert workload_check_update_{database_, "workload_check_update"};
  Insert workload_check_update_entry_{database_, "workload_check_update_entry"};
  Insert workload_check_update_toleration_{database_, "workload_check_update_toleration"};
  Insert workload_unhealthy_node_{database_, "workload_unhealthy_node"};
  Insert workload_reclaimable_{database_, "workload_reclaimable"};
  Insert assignment_{database_, "assignment"};
  Insert assignment_flavor_{database_, "assignment_flavor"};
  Insert assignment_usage_{database_, "assignment_usage"};
  Insert assignment_level_{database_, "assignment_level"};
  Insert assignment_domain_{database_, "assignment_domain"};
  Insert assignment_domain_value_{database_, "assignment_domain_value"};
  Insert pod_set_{database_, "pod_set"};
  Insert pod_set_slice_layer_{database_, "pod_set_slice_layer"};
  Insert pod_label_{database_, "pod_label"};
  Insert pod_annotation_{database_, "pod_annotation"};
  Insert pod_node_selector_{database_, "pod_node_selector"};
  Insert pod_toleration_{database_, "pod_toleration"};
  Insert pod_resource_{database_, "pod_resource"};
  Insert pod_affinity_term_{database_, "pod_affinity_term"};
  Insert pod_affinity_expression_{database_, "pod_affinity_expression"};
  Insert pod_affinity_value_{database_, "pod_affinity_value"};
  Insert container_{database_, "container"};
  Insert container_resource_{database_, "container_resource"};
};

}  // namespace

void write_tables(Database& database, const World& before, const World& next) {
  Writer(database).write(before, next);
}

}  // namespace sluice::state
