#include "model/requests.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <initializer_list>
#include <ostream>
#include <string>

using namespace sluice;

namespace {

using Pairs = std::initializer_list<std::pair<const char*, const char*>>;

Resources resources(Pairs pairs) {
  Resources all;
  for (const auto& [resource, text] : pairs) all.emplace(resource, *Quantity::parse(text));
  return all;
}

std::string text_of(const Resources& all) {
  std::string text;
  for (const auto& [resource, quantity] : all)
    text += (text.empty() ? "" : " ") + resource + "=" + quantity.to_string();
  return text;
}

Container container(Pairs requests, Pairs limits = {}) {
  Container made;
  made.name = "c";
  made.requests = resources(requests);
  made.limits = resources(limits);
  return made;
}

Container sidecar(Pairs requests) {
  Container made = container(requests);
  made.sidecar = true;
  return made;
}

PodTemplate pod(std::vector<Container> containers, std::vector<Container> init_containers = {}) {
  PodTemplate made;
  made.containers = std::move(containers);
  made.init_containers = std::move(init_containers);
  return made;
}

PodTemplate with_overhead(PodTemplate pod, Pairs overhead) {
  pod.overhead = resources(overhead);
  return pod;
}

PodTemplate with_pod_level(PodTemplate pod, Pairs requests, Pairs limits = {}) {
  pod.pod_requests = resources(requests);
  pod.pod_limits = resources(limits);
  return pod;
}

// The numbers are those that Kueue v0.19.2 counted.
struct SumCase {
  const char* why;
  PodTemplate pod;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const SumCase& c) {
  return out << c.why;
}
const SumCase sum_cases[] = {
    {"nothing", pod({container({})}), ""},
    {"containers add up", pod({container({{"cpu", "1"}, {"memory", "1Gi"}}), container({{"cpu", "500m"}})}),
     "cpu=1500m memory=1Gi"},
    {"a larger init container counts alone", pod({container({{"cpu", "2"}})}, {container({{"cpu", "5"}})}),
     "cpu=5"},
    {"a smaller one does not count", pod({container({{"cpu", "2"}})}, {container({{"cpu", "1"}})}), "cpu=2"},
    {"the largest of each resource",
     pod({container({{"cpu", "2"}, {"memory", "1Mi"}})}, {container({{"cpu", "1"}, {"memory", "1Gi"}})}),
     "cpu=2 memory=1Gi"},
    {"a sidecar before an init container runs with it",
     pod({container({{"cpu", "2"}})}, {sidecar({{"cpu", "1"}}), container({{"cpu", "5"}})}), "cpu=6"},
    {"a sidecar behind it does not",
     pod({container({{"cpu", "2"}})}, {container({{"cpu", "5"}}), sidecar({{"cpu", "1"}})}), "cpu=5"},
    {"sidecars run with the containers",
     with_overhead(pod({container({{"cpu", "4"}})}, {sidecar({{"cpu", "1"}}), sidecar({{"cpu", "2"}})}),
                   {{"cpu", "500m"}}),
     "cpu=7500m"},
    {"pod-level requests stand for the containers",
     with_pod_level(pod({container({{"cpu", "5"}, {"memory", "1Gi"}})}), {{"cpu", "3"}}), "cpu=3 memory=1Gi"},
    {"only those of cpu, memory and huge pages",
     with_pod_level(pod({container({{"x.com/gpu", "1"}})}), {{"x.com/gpu", "4"}, {"hugepages-2Mi", "4Mi"}}),
     "hugepages-2Mi=4Mi x.com/gpu=1"},
    {"overhead comes on top of pod-level requests",
     with_overhead(with_pod_level(pod({container({{"cpu", "1"}})}), {{"cpu", "2"}}),
                   {{"cpu", "250m"}, {"memory", "1Mi"}}),
     "cpu=2250m memory=1Mi"},
    {"a request of nothing stays", pod({container({{"cpu", "0"}})}), "cpu=0"},
    {"sums are not rounded", pod({container({{"cpu", "100u"}}), container({{"cpu", "100u"}})}), "cpu=200u"},
};

/// A namespace `ns` with two limit ranges, a RuntimeClass, and a limit range elsewhere.
World test_world() {
  World world;
  world.runtime_classes = {{"gvisor", resources({{"cpu", "250m"}}), {}}};
  LimitRange first{"ns", "a", {}, {}};
  first.items = {{"Container",
                  resources({{"cpu", "4"}}),
                  resources({{"memory", "1Mi"}}),
                  resources({{"cpu", "2"}}),
                  resources({{"cpu", "500m"}}),
                  {}},
                 {"PersistentVolumeClaim", resources({{"storage", "1"}}), {}, {}, {}, {}}};
  LimitRange second{"ns", "b", {}, {}};
  second.items = {{"Container",
                   resources({{"cpu", "3"}}),
                   resources({{"memory", "2Mi"}}),
                   resources({{"cpu", "1"}}),
                   resources({{"memory", "10Mi"}}),
                   {}},
                  {"Pod", resources({{"cpu", "5"}}), resources({{"cpu", "100m"}}), {}, {}, {}}};
  LimitRange elsewhere{"other", "c", {}, {}};
  elsewhere.items = {{"Container", {}, {}, {}, resources({{"cpu", "7"}}), {}}};
  world.limit_ranges = {first, second, elsewhere};
  return world;
}

PodTemplate with_runtime_class(PodTemplate pod, const char* name) {
  pod.runtime_class = name;
  return pod;
}

struct AdjustCase {
  const char* why;
  const char* name_space;
  PodTemplate pod;
  const char* requests;  ///< of the whole pod afterwards
};
std::ostream& operator<<(std::ostream& out, const AdjustCase& c) {
  return out << c.why;
}
const AdjustCase adjust_cases[] = {
    {"limits stand in for requests", "free",
     pod({container({{"memory", "1"}}, {{"cpu", "2"}, {"memory", "5"}})}), "cpu=2 memory=1"},
    {"those of init containers, too", "free", pod({container({})}, {container({}, {{"cpu", "2"}})}), "cpu=2"},
    {"the namespace's default comes before the limit", "ns", pod({container({}, {{"cpu", "4"}})}),
     "cpu=500m memory=10Mi"},
    {"but not before the request", "ns", pod({container({{"cpu", "3"}})}), "cpu=3 memory=10Mi"},
    {"the first default wins; of another namespace none counts", "other", pod({container({})}), "cpu=7"},
    {"the class's overhead", "free", with_runtime_class(pod({container({{"cpu", "1"}})}), "gvisor"),
     "cpu=1250m"},
    {"not beside the pod's own", "free",
     with_runtime_class(with_overhead(pod({container({{"cpu", "1"}})}), {{"cpu", "1m"}}), "gvisor"),
     "cpu=1001m"},
    {"a class that is missing changes nothing", "free",
     with_runtime_class(pod({container({{"cpu", "1"}})}), "kata"), "cpu=1"},
    {"pod-level limits", "free", with_pod_level(pod({container({{"cpu", "1"}})}), {}, {{"cpu", "2"}}),
     "cpu=2"},
};

struct RefusalCase {
  const char* why;
  const char* name_space;
  PodTemplate pod;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const RefusalCase& c) {
  return out << c.why;
}
const RefusalCase refusal_cases[] = {
    {"nothing is wrong", "free", pod({container({{"cpu", "1"}}, {{"cpu", "1"}})}), ""},
    {"a request above its limit", "free", pod({container({{"cpu", "3"}}, {{"cpu", "2"}})}),
     "c: cpu 3 above limit 2"},
    {"less than a milli-core above", "free", pod({container({{"cpu", "1m"}}, {{"cpu", "100u"}})}), ""},
    {"of a pod as a whole", "free", with_pod_level(pod({container({})}), {{"cpu", "3"}}, {{"cpu", "2"}}),
     "pod: cpu 3 above limit 2"},
    {"a default above a limit", "ns", pod({container({{"memory", "2Mi"}}, {{"cpu", "100m"}})}),
     "c: cpu 500m above limit 100m"},
    {"the tightest maximum", "ns",
     pod({container({{"cpu", "3500m"}, {"memory", "2Mi"}}, {{"cpu", "3500m"}})}),
     "c: cpu 3500m above maximum 3 of b"},
    {"a limit counts against the maximum", "ns",
     pod({container({{"cpu", "1"}, {"memory", "2Mi"}}, {{"cpu", "3500m"}})}),
     "c: cpu 3500m above maximum 3 of b"},
    {"the largest minimum", "ns", pod({container({{"cpu", "1"}, {"memory", "1Mi"}})}),
     "c: memory 1Mi below minimum 2Mi of b"},
    {"the pod's maximum", "ns",
     pod({container({{"cpu", "3"}, {"memory", "2Mi"}}, {{"cpu", "3"}}),
          container({{"cpu", "3"}, {"memory", "2Mi"}}, {{"cpu", "3"}})}),
     "pod: cpu 6 above maximum 5 of b"},
    {"own limits first, then nothing else", "ns",
     pod({container({{"cpu", "3500m"}, {"memory", "2Mi"}}, {{"cpu", "1"}})}), "c: cpu 3500m above limit 1"},
};

std::string text_of(const ResourceRefusal& refusal) {
  std::string who = refusal.container.empty() ? "pod" : refusal.container;
  std::string text = who + ": " + refusal.resource + " " + refusal.asked.to_string();
  switch (refusal.kind) {
    case ResourceRefusal::Kind::request_above_limit:
      return text + " above limit " + refusal.bound.to_string();
    case ResourceRefusal::Kind::above_limit_range_max:
      return text + " above maximum " + refusal.bound.to_string() + " of " + refusal.limit_range;
    case ResourceRefusal::Kind::below_limit_range_min:
      return text + " below minimum " + refusal.bound.to_string() + " of " + refusal.limit_range;
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(requests)

BOOST_DATA_TEST_CASE(of_one_pod, sum_cases, c) {
  BOOST_TEST(text_of(pod_requests(c.pod)) == c.want);
}

BOOST_DATA_TEST_CASE(adjusted, adjust_cases, c) {
  World world = test_world();
  PodTemplate adjusted = adjust_resources(c.pod, c.name_space, world);
  BOOST_TEST(text_of(pod_requests(adjusted)) == c.requests);
  BOOST_TEST((adjust_resources(adjusted, c.name_space, world) == adjusted),
             "adjusting twice changes nothing");
}

BOOST_DATA_TEST_CASE(refused, refusal_cases, c) {
  Workload workload;
  workload.name_space = c.name_space;
  workload.pod_sets.push_back({"main", 1, {}, c.pod, {}});
  std::string got;
  for (const ResourceRefusal& refusal : refused_resources(workload, test_world())) {
    BOOST_TEST(refusal.pod_set == "main");
    got += (got.empty() ? "" : ", ") + text_of(refusal);
  }
  BOOST_TEST(got == c.want);
}

BOOST_AUTO_TEST_SUITE_END()
