#include "state/worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>

#include "model/overlay.hpp"

namespace sluice::test {
namespace {

class Maker {
 public:
  Maker(std::uint32_t seed, const WorldSize& size) : random_(seed), size_(size) {}

  World make() {
    World w;
    w.now = instant();
    // Paths are unique in a World.
    for (std::size_t i = 0; i < 4; ++i) w.files.push_back(fmt::format("dir {}/it's \"{}\".yaml", i, i));
    files_ = w.files.size();
    fill(w.flavors, size_.objects, [&](ResourceFlavor& o) {
      o.node_labels = labels();
      o.node_taints = some<Taint>([&] { return Taint{text(), text(), text()}; });
      o.tolerations = tolerations();
      o.topology = maybe([&] { return text(); });
    });
    fill(w.cluster_queues, size_.objects, [&](ClusterQueue& o) { fill_queue(o); });
    fill(w.cohorts, size_.objects, [&](Cohort& o) {
      o.parent = maybe([&] { return text(); });
      o.resource_groups = groups();
      o.fair_weight = maybe([&] { return quantity(); });
    });
    fill(w.local_queues, size_.objects, [&](LocalQueue& o) {
      o.name_space = text();
      o.cluster_queue = text();
      o.stop_policy = one<StopPolicy>(3);
      o.fair_weight = maybe([&] { return quantity(); });
      o.consumed = resources();
    });
    fill(w.workload_priority_classes, size_.objects, [&](WorkloadPriorityClass& o) {
      o.value = i32();
      o.description = text();
    });
    fill(w.priority_classes, size_.objects, [&](PriorityClass& o) {
      o.value = i32();
      o.global_default = flag();
    });
    fill(w.admission_checks, size_.objects, [&](AdmissionCheck& o) {
      o.controller = text();
      o.parameters_group = text();
      o.parameters_kind = text();
      o.parameters_name = text();
      o.active = flag();
    });
    fill(w.provisioning_configs, size_.objects, [&](ProvisioningRequestConfig& o) {
      o.class_name = text();
      o.parameters = labels();
      o.managed_resources = texts();
      o.retry = {i32(), i32(), i32()};
      o.node_selector_updates = some<std::pair<std::string, std::string>>([&] {
        return std::pair<std::string, std::string>{text(), text()};
      });
      o.pod_set_merge_policy = text();
    });
    fill(w.provisioning_requests, size_.objects, [&](ProvisioningRequest& o) {
      o.name_space = text();
      o.workload = text();
      o.class_name = text();
      o.parameters = labels();
      o.pod_sets = some<RequestedPods>([&] { return RequestedPods{text(), i32()}; });
      o.conditions =
          some<Condition>([&] { return Condition{text(), flag(), text(), text(), instant(), i64()}; });
      o.class_details = labels();
      o.created = instant();
    });
    fill(w.topologies, size_.objects, [&](Topology& o) {
      o.levels = some<TopologyLevel>([&] { return TopologyLevel{text(), text()}; });
    });
    fill(w.namespaces, size_.objects, [&](Namespace& o) { o.labels = labels(); });
    fill(w.limit_ranges, size_.objects, [&](LimitRange& o) {
      o.name_space = text();
      o.items = some<LimitRangeItem>([&] {
        return LimitRangeItem{text(), resources(), resources(), resources(), resources(), resources()};
      });
    });
    fill(w.runtime_classes, size_.objects, [&](RuntimeClass& o) { o.pod_overhead = resources(); });
    fill(w.nodes, size_.nodes, [&](Node& o) {
      o.labels = labels();
      o.taints = some<Taint>([&] { return Taint{text(), text(), text()}; });
      o.allocatable = resources();
      o.ready = flag();
      o.unschedulable = flag();
    });
    fill(w.pods, size_.nodes, [&](Pod& o) {
      o.name_space = text();
      o.node = text();
      o.workload = text();
      o.asks_for_topology = flag();
      o.ended = flag();
      o.deleting = flag();
      o.requests = resources();
    });
    fill(w.workloads, size_.workloads, [&](Workload& o) { fill_workload(o); });
    fill(w.capacity, size_.objects, [&](CapacitySignal& o) {
      o.state = one<CapacitySignal::State>(3);
      o.since = instant();
    });
    sort_objects(w);
    return w;
  }

 private:
  template <class List, class Fill>
  void fill(List& objects, std::size_t count, Fill fill_one) {
    for (std::size_t i = 0; i < count; ++i) {
      auto& o = objects.emplace_back();
      std::string name = fmt::format("{}-{}", text(), i);  // unique
      if constexpr (requires { o.name; }) {
        o.name = name;
      } else {
        o.flavor = name;
      }
      if (flag()) o.origin = {below(static_cast<std::uint32_t>(files_)), below(100'000)};
      fill_one(o);
    }
  }

  void fill_queue(ClusterQueue& o) {
    o.cohort = maybe([&] { return text(); });
    o.resource_groups = groups();
    o.strategy = one<QueueingStrategy>(2);
    o.namespace_selector.nothing = flag();
    o.namespace_selector.requirements = requirements();
    o.fungibility = {one<FungibilityPolicy>(2), one<FungibilityPolicy>(2), one<FungibilityPreference>(2)};
    o.preemption = {one<PreemptionPolicy>(4), one<PreemptionPolicy>(4), one<PreemptionPolicy>(4),
                    maybe([&] { return i32(); })};
    o.stop_policy = one<StopPolicy>(3);
    o.admission_checks = some<AdmissionCheckRule>([&] { return AdmissionCheckRule{text(), texts()}; });
    o.fair_weight = maybe([&] { return quantity(); });
    o.usage_based_fair_sharing = flag();
    o.concurrent_admission = flag();
    o.retains_first_admission = flag();
    o.last_acceptable_flavor = text();
    o.generation = i64();
  }

  std::vector<ResourceGroup> groups() {
    return some<ResourceGroup>([&] {
      std::vector<std::string> covered = texts();
      return ResourceGroup{covered, some<FlavorQuotas>([&] {
                             FlavorQuotas flavor{text(), {}};
                             for (const std::string& resource : covered)
                               flavor.resources.push_back({resource, amount(), maybe([&] { return amount(); }),
                                                           maybe([&] { return amount(); })});
                             return flavor;
                           })};
    });
  }

  void fill_workload(Workload& o) {
    o.name_space = text();
    o.uid = text();
    o.synthetic_uid = flag();
    o.arrival = below(1'000'000);
    o.created = instant();
    o.generation = i64();
    o.owner = {text(), text(), text(), text()};
    o.labels = labels();
    o.annotations = labels();
    o.queue = text();
    o.pod_sets = some<PodSet>([&] { return pod_set(); });
    o.priority = i32();
    o.priority_class = text();
    o.priority_class_kind = text();
    o.active = flag();
    o.max_run_seconds = maybe([&] { return i64(); });
    o.preemption_gates = texts();
    o.gate_states =
        some<PreemptionGateState>([&] { return PreemptionGateState{text(), flag(), instant()}; });
    o.admitted_queue = maybe([&] { return text(); });
    o.assignments = some<PodSetAssignment>([&] {
      return PodSetAssignment{text(), labels(), resources(), maybe([&] { return i32(); }),
                              maybe([&] { return placement(); }), text()};
    });
    o.conditions =
        some<Condition>([&] { return Condition{text(), flag(), text(), text(), instant(), i64()}; });
    o.checks = some<CheckStatus>([&] {
      return CheckStatus{text(), one<CheckState>(4), text(), instant(), maybe([&] { return i32(); }), i32(),
                         some<PodSetUpdate>([&] {
                           return PodSetUpdate{text(), labels(), labels(), labels(), tolerations()};
                         })};
    });
    o.unhealthy_nodes = texts();
    for (const auto& [key, value] : labels()) o.reclaimable[key] = i32();
    o.requeue_at = maybe([&] { return instant(); });
    o.requeue_count = i32();
    o.past_run_seconds = i64();
  }

  TopologyAssignment placement() {
    return {texts(), some<TopologyDomain>([&] { return TopologyDomain{texts(), i32()}; })};
  }

  PodSet pod_set() {
    PodSet p;
    p.name = text();
    p.count = i32();
    p.min_count = maybe([&] { return i32(); });
    p.pod.labels = labels();
    p.pod.annotations = labels();
    p.pod.containers = some<Container>([&] { return container(); });
    p.pod.init_containers = some<Container>([&] { return container(); });
    p.pod.pod_requests = maybe([&] { return resources(); });
    p.pod.pod_limits = maybe([&] { return resources(); });
    p.pod.overhead = resources();
    p.pod.runtime_class = text();
    p.pod.priority_class = text();
    p.pod.priority = maybe([&] { return i32(); });
    p.pod.node_selector = labels();
    p.pod.required_affinity = maybe([&] {
      return some<NodeSelectorTerm>([&] { return NodeSelectorTerm{requirements(), requirements()}; });
    });
    p.pod.tolerations = tolerations();
    p.pod.other_shape = text();
    p.topology = maybe([&] {
      TopologyRequest t;
      t.mode = one<TopologyRequest::Mode>(4);
      t.level = text();
      t.slice_level = maybe([&] { return text(); });
      t.constrained = flag();
      t.slice_layers = some<SliceLayer>([&] { return SliceLayer{text(), i32()}; });
      t.slice_size = maybe([&] { return i32(); });
      t.group = maybe([&] { return text(); });
      t.pod_index_label = maybe([&] { return text(); });
      t.sub_group_index_label = maybe([&] { return text(); });
      t.sub_group_count = maybe([&] { return i32(); });
      return t;
    });
    return p;
  }

  Container container() { return {text(), resources(), resources(), flag(), text()}; }

  std::vector<Toleration> tolerations() {
    return some<Toleration>([&] {
      return Toleration{text(), text(), text(), text(), maybe([&] { return i64(); })};
    });
  }
  std::vector<Requirement> requirements() {
    return some<Requirement>([&] { return Requirement{text(), text(), texts()}; });
  }

  Labels labels() {
    Labels all;
    for (std::uint32_t i = below(4); i > 0; --i) all[text()] = text();
    return all;
  }
  Resources resources() {
    Resources all;
    for (std::uint32_t i = below(4); i > 0; --i) all[flag() ? "cpu" : text()] = quantity();
    return all;
  }
  std::vector<std::string> texts() {
    return some<std::string>([&] { return text(); });
  }

  std::string text() {
    static const std::array<std::string, 12> hard = {
        "",          "it's",       "a\"b",        "; DROP TABLE workload; --",   "größe", "日本", "%", "?",
        "a/b.c-d_e", "with space", "line\nbreak", std::string("nul\0inside", 10)};
    if (below(3) == 0) return hard[below(hard.size())];
    return fmt::format("t{}", below(50));
  }
  Quantity quantity() {
    static const std::array<const char*, 10> some_texts = {
        "0", "1", "500m", "20Gi", "1.5", "1e3", "1n", "9223372036854775807", "-3", "100u"};
    if (flag()) return Quantity::parse(some_texts[below(some_texts.size())]).value();
    return Quantity::from_milli(static_cast<std::int64_t>(below(1'000'000)));
  }
  Amount amount() { return below(5) == 0 ? Amount::unlimited() : Amount(i64()); }
  Instant instant() { return {i64()}; }
  bool flag() { return below(2) == 1; }
  std::int32_t i32() {
    static const std::array<std::int32_t, 5> ends = {0, 1, -1, INT32_MAX, INT32_MIN};
    return flag() ? ends[below(ends.size())] : static_cast<std::int32_t>(random_());
  }
  std::int64_t i64() {
    static const std::array<std::int64_t, 5> ends = {0, 1, -1, INT64_MAX, INT64_MIN};
    if (flag()) return ends[below(ends.size())];
    return static_cast<std::int64_t>((std::uint64_t{random_()} << 32) | random_());
  }
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }

  template <class Enum>
  Enum one(std::uint32_t count) {
    return static_cast<Enum>(below(count));
  }
  template <class Make>
  auto maybe(Make make) -> std::optional<decltype(make())> {
    if (flag()) return std::nullopt;
    return make();
  }
  template <class T, class Make>
  std::vector<T> some(Make make) {
    std::vector<T> all;
    for (std::uint32_t i = below(4); i > 0; --i) all.push_back(make());
    return all;
  }

  std::mt19937 random_;
  WorldSize size_;
  std::size_t files_ = 1;
};

}  // namespace

World make_world(std::uint32_t seed, const WorldSize& size) {
  return Maker(seed, size).make();
}

World make_plain_world(std::size_t workloads, std::size_t nodes) {
  World w;
  w.now = Instant{1'767'225'600'000'000'000};
  w.files = {"cluster.yaml"};
  for (std::size_t i = 0; i < nodes; ++i) {
    Node& node = w.nodes.emplace_back();
    node.name = fmt::format("gke-pool-{:06}", i);
    node.labels = {{"cloud.google.com/gke-nodepool", fmt::format("pool-{}", i % 50)},
                   {"kubernetes.io/hostname", node.name},
                   {"topology.kubernetes.io/zone", fmt::format("us-central1-{}", "abc"[i % 3])}};
    node.allocatable = {{"cpu", Quantity::from_milli(7910)},
                        {"memory", Quantity::from_units(28'000'000'000)},
                        {"google.com/tpu", Quantity::from_units(4)}};
    node.origin = {0, static_cast<std::uint32_t>(i + 1)};
  }
  for (std::size_t i = 0; i < workloads; ++i) {
    Workload& o = w.workloads.emplace_back();
    o.name_space = fmt::format("team-{:02}", i % 40);
    o.name = fmt::format("job-training-{:06}-3f2a1", i);
    o.uid = fmt::format("8a1b2c3d-0000-4000-8000-{:012}", i);
    o.arrival = i;
    o.created = w.now - Duration::seconds(static_cast<std::int64_t>(i));
    o.owner = {"Job", "batch", fmt::format("training-{:06}", i),
               fmt::format("9a1b2c3d-0000-4000-8000-{:012}", i)};
    o.labels = {{"kueue.x-k8s.io/job-uid", o.owner->uid},
                {"kueue.x-k8s.io/queue-name", "user-queue"},
                {"team", o.name_space}};
    o.queue = "user-queue";
    o.priority = static_cast<std::int32_t>(i % 5) * 100;
    PodSet& main = o.pod_sets.emplace_back();
    main.name = "main";
    main.count = static_cast<std::int32_t>(1 + i % 16);
    main.pod.node_selector = {{"cloud.google.com/gke-tpu-accelerator", "tpu-v6e-slice"}};
    Container& container = main.pod.containers.emplace_back();
    container.name = "trainer";
    container.requests = {{"cpu", Quantity::from_milli(500 + static_cast<std::int64_t>(i % 8) * 500)},
                          {"google.com/tpu", Quantity::from_units(4)},
                          {"memory", Quantity::from_units(static_cast<std::int64_t>(1 + i % 64) << 30,
                                                          Quantity::Format::binary_si)}};
    container.limits = {{"google.com/tpu", Quantity::from_units(4)}};
    if (i % 4 == 0) {
      o.admitted_queue = fmt::format("cluster-queue-{}", i % 100);
      o.conditions = {{"QuotaReserved", true, "QuotaReserved", "Quota reserved", o.created, 1},
                      {"Admitted", true, "Admitted", "The workload is admitted", o.created, 1}};
      PodSetAssignment& assignment = o.assignments.emplace_back();
      assignment.name = "main";
      assignment.count = main.count;
      for (const auto& [resource, quantity] : container.requests) {
        assignment.flavors[resource] = "spot";
        assignment.usage[resource] = quantity;
      }
    }
    o.origin = {0, static_cast<std::uint32_t>(i * 40 + 1)};
  }
  sort_objects(w);
  return w;
}

}  // namespace sluice::test
