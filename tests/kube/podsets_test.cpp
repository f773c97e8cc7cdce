#include <fmt/format.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kube/decode.hpp"
#include "kube/jobs.hpp"
#include "kube/pod_template.hpp"
#include "model/requests.hpp"
#include "support/golden.hpp"

/// Recorded answers of Kueue 0.19.2 to job objects: tests/conformance/podsets/*.json, each {name, what,
/// options, input, output}; the README there says how they were made. Texts of notes and errors are ours,
/// everything else must be equal.
namespace {

using namespace sluice;
using namespace sluice::kube;

const std::map<RefusedBy, std::string> refused_by_words = {
    {RefusedBy::decoding, "decoding"},
    {RefusedBy::schema, "schema"},
    {RefusedBy::mutating_webhook, "mutating webhook"},
    {RefusedBy::validating_webhook, "validating webhook"},
    {RefusedBy::reconciler, "reconciler"},
    {RefusedBy::workload_schema, "workload schema"},
    {RefusedBy::workload_webhook, "workload webhook"},
    {RefusedBy::not_decided, "not decided"},
};

bool is_job_kind(const Object& object) {
  return is_job(object) || object.kind == "Pod";
}

/// Kubernetes amounts as Kueue counts them: `cpu=2500 memory=1024 `.
std::string counted(const Resources& resources, std::int64_t times = 1) {
  std::string out;
  for (const auto& [name, quantity] : resources)
    out += fmt::format("{}={} ", name, Amount::request(name, quantity).times(times).value());
  return out;
}

std::string counted(const Value* resources) {
  std::string out;
  if (!resources) return out;
  std::map<std::string, std::int64_t> sorted;
  for (const Member& m : resources->members()) {
    std::string name(m.key.text());
    auto quantity = Quantity::parse(m.value.text());
    BOOST_REQUIRE(quantity);
    sorted[name] = Amount::request(name, *quantity).value();
  }
  for (const auto& [name, value] : sorted) out += fmt::format("{}={} ", name, value);
  return out;
}

std::string shown(const Labels& labels) {
  std::string out;
  for (const auto& [key, value] : labels) out += fmt::format("{}={} ", key, value);
  return out;
}

std::string shown(const std::vector<Toleration>& tolerations) {
  std::string out;
  for (const Toleration& t : tolerations)
    out += fmt::format("{} {} {} {} {};", t.key, t.op, t.value, t.effect, t.seconds.value_or(-1));
  return out;
}

std::string shown(const std::vector<Requirement>& requirements) {
  std::string out;
  for (const Requirement& r : requirements) {
    out += fmt::format("{} {}", r.key, r.op);
    for (const std::string& v : r.values) out += " " + v;
    out += ";";
  }
  return out;
}

std::string shown(const std::optional<std::vector<NodeSelectorTerm>>& affinity) {
  if (!affinity) return "none";
  std::string out;
  for (const NodeSelectorTerm& t : *affinity)
    out += fmt::format("[{}|{}]", shown(t.expressions), shown(t.fields));
  return out;
}

std::string shown_affinity(const Value* recorded) {
  if (!recorded) return "none";
  std::string out;
  const Value* terms = recorded->find("nodeSelectorTerms");
  for (const Value& t : terms ? terms->items() : std::span<const Value>()) {
    out += fmt::format("[{}|{}]", shown(requirements_of(t.find("matchExpressions"))),
                       shown(requirements_of(t.find("matchFields"))));
  }
  return out;
}

/// By the names that the API has for the fields.
std::string shown(const std::optional<TopologyRequest>& t) {
  if (!t) return "none";
  std::map<std::string, std::string> fields;
  if (t->mode == TopologyRequest::Mode::required) fields["required"] = t->level;
  if (t->mode == TopologyRequest::Mode::preferred) fields["preferred"] = t->level;
  if (t->mode == TopologyRequest::Mode::unconstrained) fields["unconstrained"] = "true";
  if (t->slice_level) fields["podSetSliceRequiredTopology"] = *t->slice_level;
  if (t->slice_size) fields["podSetSliceSize"] = fmt::to_string(*t->slice_size);
  if (t->group) fields["podSetGroupName"] = *t->group;
  if (t->pod_index_label) fields["podIndexLabel"] = *t->pod_index_label;
  if (t->sub_group_index_label) fields["subGroupIndexLabel"] = *t->sub_group_index_label;
  if (t->sub_group_count) fields["subGroupCount"] = fmt::to_string(*t->sub_group_count);
  std::string out;
  for (const auto& [key, value] : fields) out += fmt::format("{}={} ", key, value);
  return out;
}

std::string shown_topology(const Value* recorded) {
  if (!recorded) return "none";
  std::map<std::string, std::string> fields;
  for (const Member& m : recorded->members()) {
    // `unconstrained: false` says nothing.
    if (m.value.text() != "false") fields[std::string(m.key.text())] = m.value.text();
  }
  std::string out;
  for (const auto& [key, value] : fields) out += fmt::format("{}={} ", key, value);
  return out;
}

/// The totals of a Workload that is refused mean nothing.
void compare_pod_set(const PodSet& got, const Value& want, const Workload& workload, const World& world,
                     bool refused) {
  BOOST_TEST_CONTEXT("pod set " << got.name) {
    BOOST_TEST(got.name == text_of(want.find("name")));
    BOOST_TEST(got.count == integer_or(want.find("count"), -1));
    BOOST_TEST(got.min_count.value_or(-1) == integer_or(want.find("minCount"), -1));
    Resources requests = pod_requests(adjust_resources(got.pod, workload.name_space, world));
    BOOST_TEST(counted(requests) == counted(want.find("requests")));
    if (const Value* total = want.find("total"); total && !refused)
      BOOST_TEST(counted(requests, got.count) == counted(total));
    BOOST_TEST(shown(got.pod.node_selector) == shown(labels_of(want.find("nodeSelector"))));
    BOOST_TEST(shown(got.pod.tolerations) == shown(tolerations_of(want.find("tolerations"))));
    BOOST_TEST(shown(got.pod.required_affinity) == shown_affinity(want.find("requiredNodeAffinity")));
    bool other_affinity = got.pod.other_shape.find("Affinity=") != std::string::npos;
    BOOST_TEST(other_affinity == (want.find("otherAffinity") != nullptr));
    BOOST_TEST(shown(got.topology) == shown_topology(want.find("topologyRequest")));
  }
}

/// Kueue copies some annotations to the Workload and adds others; ours has the job's as well.
void compare_annotations(const Workload& got, const Value* want) {
  Labels recorded = labels_of(want);
  for (const auto& [key, value] : recorded) {
    auto at = got.annotations.find(key);
    BOOST_TEST_CONTEXT("annotation " << key) {
      BOOST_REQUIRE(at != got.annotations.end());
      BOOST_TEST(at->second == value);
    }
  }
  for (const auto& [key, value] : got.annotations) {
    if (key.starts_with("provreq.kueue.x-k8s.io/")) BOOST_TEST(recorded.contains(key));
  }
}

void compare_workload(const Workload& got, const Value& want, const World& world, bool refused) {
  BOOST_TEST(got.name == text_of(want.find("workload")));
  BOOST_TEST(got.queue == text_of(want.find("queue")));
  BOOST_TEST(got.priority == integer_or(want.find("priority"), 0));
  BOOST_TEST(got.priority_class == text_of(want.find("priorityClass")));
  BOOST_TEST(got.priority_class_kind == text_of(want.find("prioritySource")));
  BOOST_TEST(got.max_run_seconds.value_or(-1) == integer_or(want.find("maximumExecutionTimeSeconds"), -1));
  BOOST_TEST(got.active == boolean_or(want.find("active"), true));
  const Value* sets = want.find("podSets");
  std::size_t count = sets ? sets->items().size() : 0;
  BOOST_REQUIRE(got.pod_sets.size() == count);
  for (std::size_t i = 0; i < count; ++i)
    compare_pod_set(got.pod_sets[i], sets->items()[i], got, world, refused);
  compare_annotations(got, want.find("annotations"));
  BOOST_TEST(refused_resources(got, world).empty() == (want.find("inadmissible") == nullptr));
}

/// The answers in the order of the recording: one line a Workload, or one for a job without.
void compare(const std::vector<JobResult>& results, std::span<const Value> lines, const World& world) {
  std::size_t next = 0;
  for (const JobResult& r : results) {
    if (r.note.starts_with("belongs to pod group")) continue;  // the recording has one line a group
    std::size_t count = std::max<std::size_t>(1, r.workloads.size());
    for (std::size_t i = 0; i < count; ++i) {
      BOOST_REQUIRE(next < lines.size());
      const Value& want = lines[next++];
      BOOST_TEST_CONTEXT("job " << r.job << " of the case, " << text_of(want.find("job"))) {
        BOOST_TEST(
            (r.refusal ? refused_by_words.at(r.refusal->by) : "") == text_of(want.find("refusedBy")),
            (r.refusal ? refused_by_words.at(r.refusal->by) + ": " + r.refusal->error.message() : "accepted")
                << ", recorded: " << text_of(want.find("refusedBy")) << " " << text_of(want.find("error")));
        if (r.refusal) BOOST_TEST(!r.refusal->error.message().empty());
        BOOST_TEST(!r.note.empty() == (want.find("note") != nullptr));
        BOOST_TEST((r.note == "no queue name") == (text_of(want.find("note")) == "no queue name"));
        if (i < r.workloads.size())
          compare_workload(r.workloads[i], want, world, r.refusal.has_value());
        else if (!r.refusal)
          BOOST_TEST(text_of(want.find("workload")) == "");
      }
    }
  }
  BOOST_TEST(next == lines.size());
}

JobOptions options_of(const Value* recorded) {
  JobOptions options;
  options.scenario = true;
  options.now = *Instant::parse("2026-01-01T00:00:00Z");
  const Value* gates = recorded ? recorded->find("featureGates") : nullptr;
  GateSettings settings;
  for (const Member& m : gates ? gates->members() : std::span<const Member>())
    settings[std::string(m.key.text())] = m.value.boolean();
  options.kueue.gates = gates_of(kNewestKueue, settings);
  return options;
}

struct Case {
  std::string path;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << std::filesystem::path(c.path).stem().string();
}

std::vector<Case> recorded_cases() {
  std::vector<Case> cases;
  for (const std::string& path : test::files_in(SLUICE_SOURCE_DIR "/tests/conformance/podsets", ".json"))
    cases.push_back({path});
  return cases;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(podsets)

BOOST_AUTO_TEST_CASE(there_are_cases) {
  BOOST_TEST(recorded_cases().size() > 150u);
}

BOOST_DATA_TEST_CASE(as_recorded, recorded_cases(), c) {
  Manifest manifest = parse_json(test::read_file(c.path), std::filesystem::path(c.path).filename().string());
  const Value& root = manifest.documents().front();
  JobOptions options = options_of(root.find("options"));

  std::vector<Object> jobs;
  std::vector<Object> others;
  BOOST_REQUIRE(root.find("input"));
  for (const Value& value : root.find("input")->items()) {
    for (const Object& object : objects_of(manifest, value))
      (is_job_kind(object) ? jobs : others).push_back(object);
  }
  World world;
  DecodeOptions decode;
  decode.now = options.now;
  decode.scenario = true;
  add_objects(world, others, decode);
  BOOST_REQUIRE(root.find("output"));
  compare(workloads_of(jobs, world, options), root.find("output")->items(), world);
}

BOOST_AUTO_TEST_SUITE_END()
