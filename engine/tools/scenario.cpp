#include "tools/scenario.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "decide/unsupported.hpp"
#include "kube/decode.hpp"
#include "report/decision_json.hpp"
#include "report/kueue_text.hpp"
#include "tools/files.hpp"
#include "tools/scenario_input.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kJobUid = "kueue.x-k8s.io/job-uid";

/// Adds up the words of a text, so that their order does not matter: Kueue lists some things in any order,
/// and that must not look like a change. The names of pod sets do not count either.
std::uint64_t word_sum(std::string_view text) {
  auto is_separator = [](char c) { return c == ',' || c == ';' || c == ' '; };
  std::uint64_t sum = 0;
  std::string_view before;
  std::string_view before_that;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && is_separator(text[i])) ++i;
    std::size_t begin = i;
    while (i < text.size() && !is_separator(text[i])) ++i;
    if (begin == i) break;
    std::string_view word = text.substr(begin, i - begin);
    bool is_name = before_that == "pod" && (before == "set" || before == "sets");
    std::string_view counted = word;
    if (is_name) {
      auto end = counted.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-");
      counted = end == std::string_view::npos ? std::string_view() : counted.substr(end);
    }
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char c : counted) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    sum += hash ^ (hash >> 29);
    before_that = before;
    before = word;
  }
  return sum;
}

class Player {
 public:
  Player(Scenario& scenario, report::JsonWriter& json)
      : scenario_(scenario), json_(json), engine_(scenario.world, scenario.options) {
    for (const Workload& workload : scenario.world.workloads) {
      objects_[{workload.name_space, workload.name}] = &workload;
    }
    auto gate = scenario.options.feature_gates.find("UnadmittedWorkloadsObservability");
    granular_ = gate != scenario.options.feature_gates.end() && gate->second;
  }

  void play() {
    run();
    for (const kube::Value& step : scenario_.steps) {
      ++step_;
      do_step(step);
      run();
    }
  }

  void write_final() {
    json_.key("final");
    report::add_final(json_, engine_, [&](const decide::WorkloadName& name) { return condition(name); });
    if (loop_) json_.key("loop").boolean(true);
    if (truncated_) json_.key("truncated").boolean(true);
  }

 private:
  /// Cycles until nothing changes; stops where the oracle does.
  void run() {
    std::map<std::uint64_t, int> seen;
    std::optional<std::uint64_t> last;
    int same = 0;
    for (std::uint32_t n = 0; n < scenario_.options.max_cycles; ++n) {
      if (!engine_.cycle()) return;
      for (const decide::Cycle& cycle : engine_.take_cycles()) note(cycle);
      std::uint64_t key = state_key();
      engine_.tick(scenario_.options.cycle_period);
      if (last && key == *last) {
        if (++same >= 2) return;
        continue;
      }
      same = 0;
      last = key;
      if (++seen[key] >= 3) {
        loop_ = true;
        return;
      }
    }
    truncated_ = true;
  }

  void advance(Instant to) {
    while (engine_.now() < to) {
      std::optional<Instant> next = engine_.next_due();
      Instant at = next && *next < to ? *next : to;
      engine_.tick(at - engine_.now());
      run();
    }
  }

  void do_step(const kube::Value& step) {
    for (const kube::Member& member : step.members()) {
      if (member.key.text() != "at") continue;
      std::string_view when = member.value.text();
      std::optional<Instant> to;
      if (when.starts_with("+")) {
        if (auto duration = Duration::parse_go(when.substr(1))) to = engine_.now() + *duration;
      } else {
        to = Instant::parse(when);
      }
      if (!to)
        throw scenario_.manifest.error("bad-scenario", member.value, "`at` is a time or `+` and a duration");
      advance(*to);
    }
    for (const kube::Member& member : step.members()) {
      std::string_view action = member.key.text();
      const kube::Value& value = member.value;
      if (action == "at") continue;
      if (action == "finish") {
        engine_.finish(name_in(value));
      } else if (action == "activate" || action == "deactivate") {
        engine_.set_active(name_in(value), action == "activate");
      } else if (action == "setCheck") {
        set_check(value);
      } else if (action == "priority") {
        engine_.set_priority(name_in(*need(value, "workload")),
                             static_cast<std::int32_t>(number(*need(value, "value"))));
      } else if (action == "podsReady") {
        engine_.touch(name_in(*need(value, "workload")));  // without waitForPodsReady nothing depends on it
      } else if (action == "stopPolicy") {
        set_stop(value);
      } else if (action == "apply") {
        apply(value);
      } else if (action == "delete" && need(value, "kind")->text() == "Workload") {
        const kube::Value* name_space = value.find("namespace");
        engine_.remove({name_space == nullptr ? "default" : std::string(name_space->text()),
                        std::string(need(value, "name")->text())});
      } else {
        throw decide::Unsupported("the step `" + std::string(action) + "`");
      }
    }
  }

  const kube::Value* need(const kube::Value& map, std::string_view key) const {
    const kube::Value* value = map.find(key);
    if (value == nullptr) {
      throw scenario_.manifest.error("bad-scenario", map, "the step needs `" + std::string(key) + "`");
    }
    return value;
  }

  std::int64_t number(const kube::Value& value) const {
    std::int64_t out = 0;
    std::string_view digits = value.text();
    auto result = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (result.ec != std::errc{} || result.ptr != digits.data() + digits.size()) {
      throw scenario_.manifest.error("bad-scenario", value, "expected a whole number");
    }
    return out;
  }

  /// `namespace/name`; without a namespace it is `default`.
  static decide::WorkloadName name_in(const kube::Value& value) {
    std::string_view text = value.text();
    auto slash = text.find('/');
    if (slash == std::string_view::npos) return {"default", std::string(text)};
    return {std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
  }

  void set_check(const kube::Value& value) {
    std::string_view text = need(value, "state")->text();
    CheckState state = CheckState::pending;
    if (text == "Ready") {
      state = CheckState::ready;
    } else if (text == "Retry") {
      state = CheckState::retry;
    } else if (text == "Rejected") {
      state = CheckState::rejected;
    } else if (text != "Pending") {
      throw scenario_.manifest.error("bad-scenario", value, "a check is Pending, Ready, Retry or Rejected");
    }
    std::optional<std::int32_t> after;
    if (const kube::Value* seconds = value.find("requeueAfterSeconds"))
      after = static_cast<std::int32_t>(number(*seconds));
    decide::WorkloadName name = name_in(*need(value, "workload"));
    // A check's controller does not answer about a workload that is deactivated.
    if (engine_.state(name) == decide::State::deactivated) return;
    engine_.set_check(name, std::string(need(value, "check")->text()), state, after);
  }

  void set_stop(const kube::Value& value) {
    std::string_view text = need(value, "policy")->text();
    StopPolicy policy = text == "Hold"           ? StopPolicy::hold
                        : text == "HoldAndDrain" ? StopPolicy::hold_and_drain
                                                 : StopPolicy::none;
    if (const kube::Value* queue = value.find("clusterQueue")) {
      engine_.set_queue_stop(std::string(queue->text()), policy);
    } else {
      decide::WorkloadName local = name_in(*need(value, "localQueue"));
      engine_.set_local_queue_stop(local.name_space, local.name, policy);
    }
  }

  /// New workloads and jobs; everything else would change what the engine was made of.
  void apply(const kube::Value& value) {
    World added;
    added.now = engine_.now();
    added.files = scenario_.world.files;
    added.limit_ranges = scenario_.world.limit_ranges;
    added.runtime_classes = scenario_.world.runtime_classes;
    added.workload_priority_classes = scenario_.world.workload_priority_classes;
    added.priority_classes = scenario_.world.priority_classes;
    added.local_queues = scenario_.world.local_queues;
    added.cluster_queues = scenario_.world.cluster_queues;
    added.namespaces = scenario_.world.namespaces;
    std::vector<kube::Object> objects = kube::objects_of(scenario_.manifest, value);
    kube::DecodeOptions decoding = scenario_.decoding;
    decoding.now = engine_.now();
    for (const kube::Object& object : objects) {
      for (std::string_view kind :
           {"ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "AdmissionCheck", "Node", "Namespace",
            "LimitRange", "Topology", "WorkloadPriorityClass"}) {
        if (object.kind == kind) throw decide::Unsupported("the step `apply` of a " + std::string(kind));
      }
    }
    kube::add_objects(added, objects, decoding);
    for (Workload& workload : added.workloads) {
      if (!workload.owner.kind.empty()) workload.created = engine_.now();
      decide::WorkloadName name{workload.name_space, workload.name};
      if (objects_.contains(name)) throw decide::Unsupported("the step `apply` of a workload that exists");
      applied_.push_back(workload);
      objects_[name] = &applied_.back();
      engine_.submit(applied_.back());
    }
  }

  void note(const decide::Cycle& cycle) {
    report::add_cycle(json_, cycle, scenario_.world.now, step_,
                      [&](const decide::Decision& decision) { return message(decision); });
    for (const decide::Decision& decision : cycle.decisions) {
      bool assumed = decision.outcome == decide::Outcome::admitted ||
                     decision.outcome == decide::Outcome::quota_reserved;
      if (assumed) {
        texts_.erase(decision.workload);
        continue;
      }
      texts_[decision.workload] = {{}, report::kueue_reason(decision, granular_), message(decision)};
    }
    for (const decide::Decision& decision : cycle.decisions) {
      for (const decide::Victim& victim : decision.victims) {
        if (!victim.reason_known) continue;  // nothing new was written
        const Workload* preemptor = objects_.at(decision.workload);
        auto job = preemptor->labels.find(std::string(kJobUid));
        texts_[victim.workload] = {
            {},
            granular_ ? "PendingEvaluation" : "Pending",
            report::kueue_preemption_message(preemptor->uid,
                                             job == preemptor->labels.end() ? "" : job->second, victim.reason,
                                             path(decision.cluster_queue), path(victim.cluster_queue))};
      }
    }
  }

  std::string message(const decide::Decision& decision) const {
    return report::kueue_message(decision, *objects_.at(decision.workload));
  }

  /// `/root/cohort/queue`.
  std::string path(const std::string& queue) const {
    std::string path = "/" + queue;
    std::optional<std::string> cohort;
    for (const ClusterQueue& object : scenario_.world.cluster_queues) {
      if (object.name == queue) cohort = object.cohort;
    }
    for (std::size_t depth = 0; cohort && depth <= scenario_.world.cohorts.size(); ++depth) {
      path = "/" + *cohort + path;
      std::optional<std::string> parent;
      for (const Cohort& object : scenario_.world.cohorts) {
        if (object.name == *cohort) parent = object.parent;
      }
      cohort = parent;
    }
    return path;
  }

  std::optional<report::ConditionText> condition(const decide::WorkloadName& name) const {
    report::ConditionText text;
    if (auto it = texts_.find(name); it != texts_.end()) text = it->second;
    text.evicted = report::kueue_eviction(engine_.eviction(name));
    if (engine_.state(name) == decide::State::evicted) text.reason.clear();  // it still holds its quota
    return text;
  }

  /// A number for what can be seen of all workloads.
  std::uint64_t state_key() const {
    report::JsonWriter json(report::JsonWriter::Layout::compact);
    json.begin_object();
    for (const decide::WorkloadName& name : engine_.workloads()) {
      json.key(name.to_string()).begin_object();
      json.member("state", report::state_name(engine_.state(name)));
      auto assignment = engine_.assignment(name);
      if (!assignment.empty()) {
        json.key("podSets");
        report::add_pod_sets(json, assignment);
      }
      auto text = condition(name);
      json.member_if("evicted", text->evicted);
      json.member_if("reason", text->reason);
      json.member_if("message", text->message);
      json.end_object();
    }
    json.end_object();
    return word_sum(json.text());
  }

  Scenario& scenario_;
  report::JsonWriter& json_;
  decide::Engine engine_;
  std::map<decide::WorkloadName, const Workload*> objects_;
  std::deque<Workload> applied_;
  std::map<decide::WorkloadName, report::ConditionText> texts_;
  bool granular_ = false;
  bool loop_ = false;
  bool truncated_ = false;
  std::size_t step_ = 0;
};

}  // namespace

std::string play_scenario(std::string_view text, const std::string& path, std::uint32_t line) {
  std::string name;
  std::string profile;
  try {
    Scenario scenario = read_scenario(text, path, line, name, profile);
    report::JsonWriter json(report::JsonWriter::Layout::compact);
    json.begin_object();
    json.member("name", name);
    json.member_if("profile", profile);
    json.key("cycles").begin_array();
    Player player(scenario, json);
    player.play();
    json.end_array();
    player.write_final();
    json.end_object();
    return json.text();
  } catch (const Error& error) {
    report::JsonWriter json(report::JsonWriter::Layout::compact);
    json.begin_object();
    json.member("name", name);
    json.member_if("profile", profile);
    json.key("cycles").begin_array();
    json.end_array();
    json.member("error", error.code() + ": " + error.message());
    json.end_object();
    return json.text();
  }
}

int play_scenarios(Context& context, const std::string& path) {
  std::string text = read_file(context, path, kMaxScenarioBytes);
  std::uint32_t line = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view one = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    context.out(play_scenario(one, path, line) + "\n");
  }
  return exit_fine;
}

}  // namespace sluice::tools
