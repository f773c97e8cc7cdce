#include "decide/rule_tables.hpp"

#include <algorithm>
#include <charconv>

#include "model/requests.hpp"

namespace sluice::decide {

namespace {

constexpr std::string_view kMaxRunAnnotation = "provreq.kueue.x-k8s.io/maxRunDurationSeconds";
constexpr std::string_view kComputeClassLabel = "cloud.google.com/compute-class";
/// At which DWS takes machines back; the default of maxRunDurationSeconds.
constexpr Duration kLongestRun = Duration::seconds(604'800);

/// The smaller of the two limits a job may ask for.
std::optional<Duration> run_limit(const Workload& workload) {
  std::optional<std::int64_t> seconds = workload.max_run_seconds;
  const auto annotation = workload.annotations.find(std::string(kMaxRunAnnotation));
  if (annotation != workload.annotations.end()) {
    const std::string& text = annotation->second;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size()) seconds = seconds ? std::min(*seconds, value) : value;
  }
  if (!seconds) return std::nullopt;
  // Longer than 292 years is for ever, and does not fit.
  constexpr std::int64_t most = 9'223'372'036;
  return Duration::seconds(std::clamp<std::int64_t>(*seconds, 0, most));
}

std::string_view value_of(const Labels& labels, std::string_view key) {
  const auto found = labels.find(std::string(key));
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view user_of(const Workload& workload) {
  if (const auto label = value_of(workload.labels, "user"); !label.empty()) return label;
  if (const auto annotation = value_of(workload.annotations, "user"); !annotation.empty()) return annotation;
  for (const PodSet& pod_set : workload.pod_sets) {
    if (const auto label = value_of(pod_set.pod.labels, "user"); !label.empty()) return label;
    if (const auto annotation = value_of(pod_set.pod.annotations, "user"); !annotation.empty()) return annotation;
  }
  return {};
}

Amount request(const Resources& requests, const std::string& resource) {
  const auto found = requests.find(resource);
  return found == requests.end() ? Amount() : Amount::request(resource, found->second);
}

bool is_general(std::string_view resource) { return resource == "cpu" || resource == "memory"; }

template <class Object>
const Object* find_named(const std::vector<Object>& objects, std::string_view name) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const Object& object) { return object.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

}  // namespace

std::string_view flavor_of(std::span<const PodSetAssignment> assignments) {
  for (auto pod_set = assignments.rbegin(); pod_set != assignments.rend(); ++pod_set) {
    const auto& flavors = pod_set->flavors;
    const auto device = std::find_if(flavors.begin(), flavors.end(), [](const auto& f) { return !is_general(f.first); });
    if (device != flavors.end()) return device->second;
    if (!flavors.empty()) return flavors.begin()->second;
  }
  return {};
}

RuleTables::RuleTables(const program::Program& program, const World& world)
    : program_(program), world_(world), columns_(program.columns.size()), by_table_(table_infos.size()) {
  for (Symbol text = 0; text < program.texts.size(); ++text) texts_.intern(program.texts.text(text));
  for (std::uint32_t number = 0; number < program.columns.size(); ++number) {
    const FieldInfo& field = info(program.columns[number].field);
    by_table_[static_cast<std::size_t>(field.table)].push_back(number);
    reads_requests_ = reads_requests_ || field.key == FieldKey::resource;
  }
  set_capacity(world.capacity);
}

void RuleTables::put(std::uint32_t column, std::uint32_t row, std::optional<std::int64_t> value) {
  Values& values = columns_[column];
  if (row >= values.values.size()) {
    values.values.resize(row + 1U);
    values.present.resize(row / 64 + 1U);
    stale_ = true;
  }
  const std::uint64_t bit = std::uint64_t{1} << (row % 64);
  values.values[row] = value.value_or(0);
  values.present[row / 64] = value ? values.present[row / 64] | bit : values.present[row / 64] & ~bit;
}

std::int64_t RuleTables::symbol(std::string_view text) {
  const std::size_t before = texts_.size();
  const Symbol symbol = texts_.intern(text);
  stale_ = stale_ || texts_.size() != before;
  return symbol;
}

std::optional<std::int64_t> RuleTables::label(const Labels& labels, const std::string& key) {
  const auto found = labels.find(key);
  if (found == labels.end()) return std::nullopt;
  return symbol(found->second);
}

std::optional<std::int64_t> RuleTables::workload_value(const program::Column& column, const Workload& workload,
                                                       const Facts& facts) {
  switch (column.field) {
    case FieldId::workload_name: return symbol(facts.name);
    case FieldId::workload_namespace: return symbol(workload.name_space);
    case FieldId::workload_kind: return symbol(workload.owner->kind.empty() ? "Workload" : workload.owner->kind);
    case FieldId::workload_local_queue: return symbol(workload.queue);
    case FieldId::workload_priority: return workload.priority;
    case FieldId::workload_priority_class: return symbol(workload.priority_class);
    case FieldId::workload_user: return symbol(user_of(workload));
    case FieldId::workload_compute_class:
      return symbol(workload.pod_sets.empty() ? std::string_view()
                                              : value_of(workload.pod_sets[0].pod.node_selector, kComputeClassLabel));
    case FieldId::workload_created: return facts.created.ns;
    case FieldId::workload_max_run: return facts.run_limit.value_or(kLongestRun).ns;
    case FieldId::workload_run_limit: return facts.run_limit ? std::optional(facts.run_limit->ns) : std::nullopt;
    case FieldId::workload_labels: return label(workload.labels, column.key);
    case FieldId::workload_annotations: return label(workload.annotations, column.key);
    default: break;  // computed from others, or part of the state: put_state
  }
  return std::nullopt;
}

std::optional<std::int64_t> RuleTables::pod_set_value(const program::Column& column, const PodSet& pod_set,
                                                      const Resources& requests) {
  switch (column.field) {
    case FieldId::pod_set_name:
    case FieldId::pod_set_role: return symbol(pod_set.name);
    case FieldId::pod_set_count: return pod_set.count;
    case FieldId::pod_set_min_count:
      return pod_set.min_count ? std::optional<std::int64_t>(*pod_set.min_count) : std::nullopt;
    case FieldId::pod_set_request: return request(requests, column.key).value();
    case FieldId::pod_set_total: return request(requests, column.key).times(pod_set.count).value();
    case FieldId::pod_set_labels: return label(pod_set.pod.labels, column.key);
    case FieldId::pod_set_annotations: return label(pod_set.pod.annotations, column.key);
    case FieldId::pod_set_node_selector: return label(pod_set.pod.node_selector, column.key);
    default: break;  // of other tables
  }
  return std::nullopt;
}

std::uint32_t RuleTables::add_name_space(std::string_view name) {
  const auto [found, added] = name_spaces_.try_emplace(std::string(name), static_cast<std::uint32_t>(name_spaces_.size()));
  if (!added) return found->second;
  const Namespace* object = find_named(world_.namespaces, name);
  // A namespace that is used but not listed exists, with the label that the API server gives to each.
  Labels labels = object == nullptr ? Labels() : object->labels;
  labels.emplace("kubernetes.io/metadata.name", name);
  for (const std::uint32_t column : columns_of(Table::name_space)) {
    const program::Column& about = program_.columns[column];
    put(column, found->second, about.field == FieldId::name_space_name ? symbol(name) : label(labels, about.key));
  }
  return found->second;
}

std::uint32_t RuleTables::queue_row(std::string_view name) {
  const auto [found, added] = queues_.try_emplace(std::string(name), static_cast<std::uint32_t>(queues_.size()));
  if (!added) return found->second;
  const ClusterQueue* object = find_named(world_.cluster_queues, name);
  for (const std::uint32_t column : columns_of(Table::queue)) {
    switch (program_.columns[column].field) {
      case FieldId::queue_name: put(column, found->second, symbol(name)); break;
      case FieldId::queue_cohort:
        put(column, found->second, symbol(object != nullptr && object->cohort ? *object->cohort : std::string()));
        break;
      default: put(column, found->second, 0); break;  // refresh_queue
    }
  }
  return found->second;
}

std::uint32_t RuleTables::flavor_row(std::string_view name) {
  const auto [found, added] = flavors_.try_emplace(std::string(name), static_cast<std::uint32_t>(flavors_.size()));
  if (!added) return found->second;
  const ResourceFlavor* object = find_named(world_.flavors, name);
  for (const std::uint32_t column : columns_of(Table::flavor)) {
    const program::Column& about = program_.columns[column];
    std::optional<std::int64_t> value;
    switch (about.field) {
      case FieldId::flavor_name: value = symbol(name); break;
      case FieldId::flavor_labels:
        if (object != nullptr) value = label(object->node_labels, about.key);
        break;
      case FieldId::flavor_price: break;  // no object has a price yet
      default: value = 0; break;          // refresh_flavor
    }
    put(column, found->second, value);
  }
  return found->second;
}

std::uint32_t RuleTables::add(const Workload& workload, const WorkloadState& state) {
  const auto row = static_cast<std::uint32_t>(facts_.size());
  Facts facts;
  facts.name = workload.owner->name.empty() ? workload.name : workload.owner->name;
  facts.name_space_name = workload.name_space;
  facts.local_queue = workload.queue;
  facts.created = workload.created;
  facts.run_limit = run_limit(workload);
  facts.past_run = Duration::seconds(workload.past_run_seconds);
  facts.name_space = add_name_space(workload.name_space);

  std::vector<Resources> requests(workload.pod_sets.size());
  if (reads_requests_) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      requests[i] = pod_requests(adjust_resources(workload.pod_sets[i].pod, workload.name_space, world_));
    }
  }
  for (const std::uint32_t column : columns_of(Table::workload)) {
    const program::Column& about = program_.columns[column];
    if (about.field == FieldId::workload_total) {
      Amount total;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        total = total + request(requests[i], about.key).times(workload.pod_sets[i].count);
      }
      put(column, row, total.value());
    } else {
      put(column, row, workload_value(about, workload, facts));
    }
  }
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    for (const std::uint32_t column : columns_of(Table::pod_set)) {
      put(column, pod_set_offsets_.back() + static_cast<std::uint32_t>(i),
          pod_set_value(program_.columns[column], workload.pod_sets[i], requests[i]));
    }
  }
  facts_.push_back(std::move(facts));
  pod_set_offsets_.push_back(pod_set_offsets_.back() + static_cast<std::uint32_t>(workload.pod_sets.size()));
  stale_ = true;
  living_.push_back(row);
  put_state(row, state);
  return row;
}

void RuleTables::update(std::uint32_t workload, const WorkloadState& state) { put_state(workload, state); }

void RuleTables::put_state(std::uint32_t workload, const WorkloadState& state) {
  Facts& facts = facts_[workload];
  facts.queue = state.cluster_queue;
  if (facts.queue.empty()) {
    const auto queue = std::find_if(world_.local_queues.begin(), world_.local_queues.end(), [&](const LocalQueue& q) {
      return q.name_space == facts.name_space_name && q.name == facts.local_queue;
    });
    if (queue != world_.local_queues.end()) facts.queue = queue->cluster_queue;
  }
  if (state.gone != facts.gone) {
    facts.gone = state.gone;
    const auto place = std::lower_bound(living_.begin(), living_.end(), workload);
    if (state.gone) {
      living_.erase(place);
    } else {
      living_.insert(place, workload);
    }
    stale_ = true;
  }
  for (const std::uint32_t column : columns_of(Table::workload)) {
    switch (program_.columns[column].field) {
      case FieldId::workload_queue: put(column, workload, symbol(facts.queue)); break;
      case FieldId::workload_flavor: {
        const std::string_view flavor = flavor_of(state.assignments);
        put(column, workload, flavor.empty() ? std::nullopt : std::optional(symbol(flavor)));
        break;
      }
      case FieldId::workload_ends: {
        std::optional<std::int64_t> ends;
        if (state.admitted && state.admitted_at && facts.run_limit) {
          ends = (*state.admitted_at + *facts.run_limit - facts.past_run).ns;
        }
        put(column, workload, ends);
        break;
      }
      case FieldId::workload_running:
      case FieldId::workload_admitted: put(column, workload, state.admitted && !state.gone ? 1 : 0); break;
      case FieldId::workload_reserved: put(column, workload, state.reserved && !state.gone ? 1 : 0); break;
      case FieldId::workload_inadmissible: put(column, workload, state.inadmissible ? 1 : 0); break;
      default: break;  // what never changes: add
    }
  }
}

void RuleTables::set_capacity(std::span<const CapacitySignal> signals) {
  stock_outs_.clear();
  for (const CapacitySignal& signal : signals) {
    if (signal.state == CapacitySignal::State::available) continue;
    stock_outs_.push_back({static_cast<Symbol>(symbol(signal.flavor)), signal.since.ns});
  }
  stale_ = true;
}

void RuleTables::refresh_queue(std::string_view queue, const QuotaView& quota) {
  const std::uint32_t row = queue_row(queue);
  const ClusterQueue* object = find_named(world_.cluster_queues, queue);
  for (const std::uint32_t column : columns_of(Table::queue)) {
    const program::Column& about = program_.columns[column];
    if (about.field == FieldId::queue_pending) put(column, row, quota.pending(queue));
    if (about.field != FieldId::queue_usage && about.field != FieldId::queue_quota) continue;
    Amount sum;
    for (const ResourceGroup& group : object == nullptr ? std::vector<ResourceGroup>() : object->resource_groups) {
      const auto& covered = group.covered_resources;
      if (std::find(covered.begin(), covered.end(), about.key) == covered.end()) continue;
      for (const FlavorQuotas& flavor : group.flavors) {
        sum = sum + (about.field == FieldId::queue_usage ? quota.used(queue, flavor.flavor, about.key)
                                                         : quota.nominal(queue, flavor.flavor, about.key));
      }
    }
    put(column, row, sum.value());
  }
}

void RuleTables::refresh_flavor(std::string_view queue, std::string_view flavor, const QuotaView& quota) {
  const std::uint32_t row = flavor_row(flavor);
  for (const std::uint32_t column : columns_of(Table::flavor)) {
    const program::Column& about = program_.columns[column];
    if (about.field == FieldId::flavor_free) put(column, row, quota.available(queue, flavor, about.key).value());
    if (about.field == FieldId::flavor_quota) put(column, row, quota.nominal(queue, flavor, about.key).value());
    if (about.field == FieldId::flavor_used) put(column, row, quota.used(queue, flavor, about.key).value());
  }
}

void RuleTables::set_assignment(std::span<const PodSetAssignment> assignments, bool borrows) {
  for (const std::uint32_t column : columns_of(Table::assignment)) {
    const bool is_flavor = program_.columns[column].field == FieldId::assignment_flavor;
    put(column, 0, is_flavor ? symbol(flavor_of(assignments)) : borrows ? 1 : 0);
  }
}

vm::Binding RuleTables::binding() {
  bound_columns_.clear();
  for (const Values& column : columns_) bound_columns_.push_back({column.values.data(), column.present.data()});
  bound_collections_.assign(collection_infos.size(), vm::Collection{});
  bound_collections_[static_cast<std::size_t>(CollectionId::workload_pod_sets)].offsets = pod_set_offsets_.data();
  bound_collections_[static_cast<std::size_t>(CollectionId::workloads)].rows = living_;
  stale_ = false;
  return {&texts_, bound_columns_, bound_collections_, stock_outs_};
}

}  // namespace sluice::decide
