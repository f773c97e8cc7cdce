#include "tools/scenario.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "decide/unsupported.hpp"
#include "kube/decode.hpp"
#include "model/overlay.hpp"
#include "kube/pod_template.hpp"
#include "report/decision_json.hpp"
#include "report/kueue_text.hpp"
#include "tools/files.hpp"
#include "tools/scenario_input.hpp"
#include "tools/scenario_objects.hpp"
#include "tools/scenario_update.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kJobUid = "kueue.x-k8s.io/job-uid";

constexpr Duration kSecond = Duration::seconds(1);
/// How long a run waits for a second pass, as the oracle does.
constexpr Duration kSecondPassWait = Duration::seconds(64);

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

/// Where nothing nearer is known.
void locate(Error& error, const kube::Manifest& manifest, const kube::Value& value) {
  error.at(manifest.path(), value.line(), value.column());
}

class Player {
 public:
  Player(Scenario& scenario, report::JsonWriter& json)
      : scenario_(scenario), json_(json), engine_(scenario.world, scenario.options) {
    if (const kube::Value* objects = scenario.root.find("objects")) {
      for (const kube::Value& object : objects->items()) note_priority(object);
    }
    granular_ = scenario.options.kueue.gates.observability;
  }

  void play() {
    run();
    for (const kube::Value& step : scenario_.steps) {
      ++step_;
      try {
        do_step(step);
        run();
      } catch (Error& error) {
        if (error.line() == 0) locate(error, scenario_.manifest, step.members().back().value);
        throw;
      }
    }
  }

  void write_final() {
    note_texts(engine_.unreported_cycle());
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
    Duration idle;
    for (std::uint32_t n = 0; n < scenario_.options.max_cycles;) {
      if (!engine_.cycle()) {
        if (engine_.is_in_cycle()) return;
        if (idle >= kSecondPassWait || !engine_.awaits_second_pass()) return;
        idle.ns += kSecond.ns;
        engine_.tick(kSecond);
        continue;
      }
      ++n;
      idle = {};
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
    engine_.check_reach(to);
    while (engine_.now() < to) {
      std::optional<Instant> next = engine_.next_due();
      if (engine_.awaits_second_pass() && (!next || engine_.now() + kSecond < *next))
        next = engine_.now() + kSecond;
      Instant at = next && *next < to ? *next : to;
      engine_.tick(at - engine_.now());
      run();
    }
  }

  void do_step(const kube::Value& step) {
    if (const kube::Value* at = step.find("at")) {
      advance(instant_in(scenario_.manifest, *at, "at", engine_.now()));
    }
    for (const kube::Member& member : step.members()) {
      std::string_view action = member.key.text();
      const kube::Value& value = member.value;
      if (action == "at") continue;
      if (action == "finish") {
        engine_.finish(name_in(value, action));
      } else if (action == "activate" || action == "deactivate") {
        engine_.set_active(name_in(value, action), action == "activate");
      } else if (action == "setCheck") {
        set_check(value);
      } else if (action == "provision") {
        provision(value);
      } else if (action == "priority") {
        check_members(scenario_.manifest, value, {"workload", "value"});
        set_priority(workload_in(value), number_in(scenario_.manifest, *need(value, "value"), "value"));
      } else if (action == "reclaim") {
        reclaim(value);
      } else if (action == "podsReady") {
        check_members(scenario_.manifest, value, {"workload", "ready"});
        bool ready = flag_in(scenario_.manifest, *need(value, "ready"), "ready");
        engine_.set_pods_ready(workload_in(value), ready ? decide::PodsReady::ready : decide::PodsReady::starting);
      } else if (action == "stopPolicy") {
        set_stop(value);
      } else if (action == "apply") {
        apply(value);
      } else {
        remove(value);
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

  std::string_view needed_text(const kube::Value& map, std::string_view key) const {
    return text_in(scenario_.manifest, *need(map, key), key);
  }

  std::string_view optional_text(const kube::Value& map, std::string_view key) const {
    const kube::Value* value = map.find(key);
    return value == nullptr ? std::string_view() : text_in(scenario_.manifest, *value, key);
  }

  decide::WorkloadName workload_in(const kube::Value& map) const { return name_in(*need(map, "workload"), "workload"); }

  /// `namespace/name`; without a namespace it is `default`.
  decide::WorkloadName name_in(const kube::Value& value, std::string_view key) const {
    std::string_view text = text_in(scenario_.manifest, value, key);
    auto slash = text.find('/');
    if (slash == std::string_view::npos) return {"default", std::string(text)};
    return {std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
  }

  void reclaim(const kube::Value& value) {
    check_members(scenario_.manifest, value, {"workload", "pods"});
    const kube::Value& given = *need(value, "pods");
    if (!given.is_map())
      throw scenario_.manifest.error("bad-scenario", given, "`pods` is a map from pod sets to numbers of pods");
    std::map<std::string, std::int32_t> pods;
    for (const kube::Member& pod_set : given.members()) {
      std::string name(pod_set.key.text());
      pods[name] = number_in(scenario_.manifest, pod_set.value, name);
    }
    engine_.set_reclaimable(workload_in(value), pods);
  }

  /// The decoder takes what it finds: what it would pass over is refused here.
  const kube::Value* updates_in(const kube::Value& value) const {
    const kube::Value* updates = value.find("podSetUpdates");
    if (updates == nullptr) return nullptr;
    if (!updates->is_list()) throw scenario_.manifest.error("bad-scenario", *updates, "`podSetUpdates` is a list");
    for (const kube::Value& update : updates->items()) {
      check_members(scenario_.manifest, update, {"name", "labels", "annotations", "nodeSelector", "tolerations"});
      optional_text(update, "name");
      for (std::string_view field : {"labels", "annotations", "nodeSelector"}) {
        const kube::Value* map = update.find(field);
        if (map == nullptr) continue;
        if (!map->is_map())
          throw scenario_.manifest.error("bad-scenario", *map, "`" + std::string(field) + "` is a map");
        for (const kube::Member& member : map->members())
          text_in(scenario_.manifest, member.value, member.key.text());
      }
      const kube::Value* tolerations = update.find("tolerations");
      if (tolerations != nullptr && !tolerations->is_list())
        throw scenario_.manifest.error("bad-scenario", *tolerations, "`tolerations` is a list");
    }
    return updates;
  }

  void set_check(const kube::Value& value) {
    check_members(scenario_.manifest, value,
                  {"workload", "check", "state", "message", "requeueAfterSeconds", "podSetUpdates"});
    std::string_view text = needed_text(value, "state");
    CheckState state = CheckState::pending;
    if (text == "Ready") {
      state = CheckState::ready;
    } else if (text == "Retry") {
      state = CheckState::retry;
    } else if (text == "Rejected") {
      state = CheckState::rejected;
    } else if (text != "Pending") {
      throw scenario_.manifest.error("bad-scenario", *need(value, "state"),
                                     "`state` is Pending, Ready, Retry or Rejected");
    }
    decide::CheckAnswer answer;
    answer.check = needed_text(value, "check");
    answer.state = state;
    if (const kube::Value* seconds = value.find("requeueAfterSeconds"))
      answer.requeue_after_seconds = number_in(scenario_.manifest, *seconds, "requeueAfterSeconds");
    answer.message = optional_text(value, "message");
    answer.updates = kube::pod_set_updates_of(updates_in(value));
    decide::WorkloadName name = workload_in(value);
    // A check's controller does not answer about a workload that is deactivated.
    if (engine_.state(name) == decide::State::deactivated || !engine_.object(name).active) return;
    engine_.set_check(name, answer);
  }

  void provision(const kube::Value& value) {
    check_members(scenario_.manifest, value, {"workload", "condition", "message"});
    std::optional<decide::RequestEvent> event = decide::request_event(needed_text(value, "condition"));
    engine_.provision(workload_in(value), event, std::string(optional_text(value, "message")));
  }

  void set_stop(const kube::Value& value) {
    check_members(scenario_.manifest, value, {"clusterQueue", "localQueue", "policy"});
    std::string_view text = needed_text(value, "policy");
    StopPolicy policy = text == "Hold"           ? StopPolicy::hold
                        : text == "HoldAndDrain" ? StopPolicy::hold_and_drain
                                                 : StopPolicy::none;
    if (policy == StopPolicy::none && text != "None")
      throw scenario_.manifest.error("bad-scenario", *need(value, "policy"), "`policy` is None, Hold or HoldAndDrain");
    const kube::Value* queue = value.find("clusterQueue");
    const kube::Value* local_queue = value.find("localQueue");
    if ((queue == nullptr) == (local_queue == nullptr))
      throw scenario_.manifest.error("bad-scenario", value, "the step needs `clusterQueue` or `localQueue`");
    if (queue != nullptr) {
      engine_.set_queue_stop(std::string(text_in(scenario_.manifest, *queue, "clusterQueue")), policy);
    } else {
      decide::WorkloadName local = name_in(*local_queue, "localQueue");
      engine_.set_local_queue_stop(local.name_space, local.name, policy);
    }
  }

  /// Creates or replaces an object, or makes the workloads of a job.
  void apply(const kube::Value& value) {
    World world = without_workloads(engine_.objects());
    world.now = engine_.now();
    std::vector<kube::Object> objects = kube::objects_of(scenario_.manifest, value);
    kube::DecodeOptions decoding = scenario_.decoding;
    decoding.now = engine_.now();
    kube::add_objects(world, objects, decoding);
    for (Workload& workload : world.workloads.edit_all()) {
      if (!workload.owner->kind.empty() && workload.owner->kind != "Workload") workload.created = engine_.now();
      apply_workload(std::move(workload), value);
    }
    for (const kube::Object& object : objects) {
      std::optional<decide::ObjectKind> kind = object_kind(object.kind);
      if (!kind) continue;
      std::string name(object.name);
      std::string name_space(object.name_space);
      World changed = only(world, *kind, name_space.empty() ? "default" : name_space, name);
      const AdmissionCheck* before = find_named(engine_.objects().admission_checks, name);
      if (*kind == decide::ObjectKind::admission_check && before != nullptr &&
          value.find("status") == nullptr) {
        changed.admission_checks[0].active = before->active;
      }
      engine_.apply(changed);
    }
  }

  void apply_workload(Workload workload, const kube::Value& value) {
    decide::WorkloadName name{workload.name_space, workload.name};
    if (!exists(name)) {
      engine_.submit(workload);
      texts_.erase(name);
    } else {
      const Workload& before = engine_.object(name);
      std::string bad = update_refusal(before, workload, engine_.assignment(name), scenario_.options.kueue.gates);
      if (!bad.empty()) throw scenario_.manifest.error("bad-scenario", value, bad);
      bool had_priority = !without_priority_.contains(name);
      // Kueue says once what gates a workload, not which of the gates are left.
      if (engine_.no_quota(name) != decide::NoQuota::gated) {
        said_gates_.erase(name);
      } else {
        said_gates_.try_emplace(
            name, report::kueue_no_quota_message(decide::NoQuota::gated, before, queue_behind(before)));
      }
      note_priority(value);
      workload.generation = before.generation;
      // An unset priority counts as 0, but setting it to 0 is a change.
      if (had_priority == without_priority_.contains(name)) ++workload.generation;
      engine_.apply(workload, value.find("status") != nullptr);
      return;
    }
    note_priority(value);
  }

  void set_priority(const decide::WorkloadName& name, std::int32_t priority) {
    Workload workload = engine_.object(name);
    workload.priority = priority;
    if (without_priority_.erase(name) > 0) ++workload.generation;
    engine_.apply(workload);
  }

  /// Remembers whether a Workload leaves its priority unset.
  void note_priority(const kube::Value& object) {
    const kube::Value* kind = object.find("kind");
    const kube::Value* name = object.at({"metadata", "name"});
    if (kind == nullptr || kind->text() != "Workload" || name == nullptr) return;
    const kube::Value* name_space = object.at({"metadata", "namespace"});
    decide::WorkloadName key{name_space == nullptr ? "default" : std::string(name_space->text()),
                             std::string(name->text())};
    if (object.at({"spec", "priority"}) == nullptr) {
      without_priority_.insert(key);
    } else {
      without_priority_.erase(key);
    }
  }

  bool exists(const decide::WorkloadName& name) const { return engine_.exists(name); }

  void remove(const kube::Value& value) {
    check_members(scenario_.manifest, value, {"kind", "namespace", "name"});
    std::string_view kind = needed_text(value, "kind");
    std::string name(needed_text(value, "name"));
    std::string_view given = optional_text(value, "namespace");
    std::string name_space(given.empty() ? "default" : given);
    std::optional<decide::ObjectKind> known = object_kind(kind);
    if (!known && !kube::is_kind(kind))
      throw scenario_.manifest.error("bad-scenario", *need(value, "kind"), "unknown kind `" + std::string(kind) + "`");
    if (!known) throw decide::Unsupported("the step `delete` of a " + std::string(kind));
    if (!given.empty() && !has_namespace(*known)) {
      throw scenario_.manifest.error("bad-scenario", *value.find("namespace"),
                                     "a " + std::string(kind) + " is in no namespace");
    }
    bool is_namespace = *known == decide::ObjectKind::name_space;  // one that is used exists, though nobody listed it
    if (*known != decide::ObjectKind::workload && !is_namespace &&
        only(engine_.objects(), *known, name_space, name) == World{}) {
      throw scenario_.manifest.error("bad-scenario", value,
                                     "there is no " + std::string(kind) + " `" + name + "`");
    }
    if (*known == decide::ObjectKind::workload) without_priority_.erase({name_space, name});
    engine_.remove(*known, name_space, name);
  }

  void note(const decide::Cycle& cycle) {
    report::add_cycle(json_, cycle, scenario_.world.now, step_,
                      [&](const decide::Decision& decision) { return message(decision); });
    note_texts(cycle);
  }

  /// What conditions say after a cycle.
  void note_texts(const decide::Cycle& cycle) {
    for (const decide::Decision& decision : cycle.decisions) {
      bool assumed = decision.outcome == decide::Outcome::admitted ||
                     decision.outcome == decide::Outcome::quota_reserved;
      if (assumed) {
        texts_.erase(decision.workload);
        continue;
      }
      if (decision.second_pass || !exists(decision.workload)) continue;  // its condition says that it has quota
      texts_[decision.workload] = {{}, report::kueue_reason(decision, granular_), message(decision)};
    }
    for (const decide::Decision& decision : cycle.decisions) {
      if (!decision.migrates_from || !exists(decision.workload)) continue;
      texts_[*decision.migrates_from] = {
          {},
          granular_ ? "PendingEvaluation" : "Pending",
          report::kueue_migration_message(engine_.object(decision.workload).uid)};
    }
    for (const decide::Decision& decision : cycle.decisions) {
      if (!decision.replaced || !exists(decision.workload)) continue;
      const Workload& slice = engine_.object(decision.workload);
      auto job = slice.labels.find(std::string(kJobUid));
      replacements_[*decision.replaced] =
          report::kueue_replacement_message(slice.uid, job == slice.labels.end() ? "" : job->second);
    }
    for (const decide::Decision& decision : cycle.decisions) {
      for (const decide::Victim& victim : decision.victims) {
        if (!exists(decision.workload) || !exists(victim.workload)) continue;  // deleted before the cycle was over
        // Nothing new is written about one that is being evicted already.
        if (!victim.reason_known || engine_.eviction(victim.workload).since != decision.at) continue;
        const Workload* preemptor = &engine_.object(decision.workload);
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
    return report::kueue_message(decision, engine_.object(decision.workload));
  }

  /// `/root/cohort/queue`.
  std::string path(const std::string& queue) const {
    std::string path = "/" + queue;
    std::optional<std::string> cohort;
    for (const ClusterQueue& object : engine_.objects().cluster_queues) {
      if (object.name == queue) cohort = object.cohort;
    }
    for (std::size_t depth = 0; cohort && depth <= engine_.objects().cohorts.size(); ++depth) {
      path = "/" + *cohort + path;
      std::optional<std::string> parent;
      for (const Cohort& object : engine_.objects().cohorts) {
        if (object.name == *cohort) parent = object.parent;
      }
      cohort = parent;
    }
    return path;
  }

  /// What the condition of a workload without quota said from the start.
  static report::ConditionText given_condition(const Workload& workload) {
    for (const Condition& condition : workload.conditions) {
      if (condition.type == "QuotaReserved" && !condition.status) return {{}, condition.reason, condition.message};
    }
    return {};
  }

  /// What the step `finish` writes; a job writes its own words.
  static std::string finished_message(const Workload& workload) {
    for (const Condition& condition : workload.conditions) {
      if (condition.type == "Finished" && condition.status) return condition.message;
    }
    bool is_job = !workload.owner->kind.empty() && workload.owner->kind != "Workload";
    return is_job ? "" : "Job finished successfully";
  }

  /// Kueue names the queue of a LocalQueue that exists.
  std::string queue_behind(const Workload& workload) const {
    const LocalQueue* local = find_named(engine_.objects().local_queues, workload.queue, workload.name_space);
    return local == nullptr ? std::string() : local->cluster_queue;
  }

  std::optional<report::ConditionText> condition(const decide::WorkloadName& name) const {
    report::ConditionText text;
    decide::Eviction eviction = engine_.eviction(name);
    decide::NoQuota said = engine_.no_quota(name);
    decide::State state = engine_.state(name);
    bool preempted = eviction.evicted && (eviction.reason == decide::EvictionReason::preempted ||
                                          eviction.reason == decide::EvictionReason::flavor_migration);
    bool evicted = said == decide::NoQuota::evicted || state == decide::State::evicted;
    if (said == decide::NoQuota::decided || (evicted && preempted)) {
      if (auto it = texts_.find(name); it != texts_.end()) text = it->second;
    } else if (evicted) {
      text = {{}, report::kueue_no_quota_reason(said, granular_), report::kueue_eviction_message(name, eviction)};
    } else {
      const Workload& object = engine_.object(name);
      text = {{}, report::kueue_no_quota_reason(said, granular_),
              report::kueue_no_quota_message(said, object, queue_behind(object))};
      auto gates = said_gates_.find(name);
      if (said == decide::NoQuota::gated && gates != said_gates_.end()) {
        text.message = gates->second;
      } else if (said == decide::NoQuota::not_accepted) {
        text.message = report::kueue_refusal_message(engine_.refusal(name), object, engine_.objects());
      } else if (auto tried = engine_.bypassed_for(name)) {
        if (auto it = texts_.find(*tried); it != texts_.end()) text.reason = it->second.reason;
      }
      if (said == decide::NoQuota::unsaid && engine_.assignment(name).empty()) text = given_condition(object);
    }
    text.evicted = report::kueue_eviction(eviction);
    if (state == decide::State::evicted) text.reason.clear();  // it still holds its quota
    if (state == decide::State::finished) {
      auto replaced = replacements_.find(name);
      text.message = replaced == replacements_.end() ? finished_message(engine_.object(name)) : replaced->second;
    }
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
  std::set<decide::WorkloadName> without_priority_;
  std::map<decide::WorkloadName, report::ConditionText> texts_;
  std::map<decide::WorkloadName, std::string> said_gates_;  // of workloads whose gates were changed while they keep them out
  std::map<decide::WorkloadName, std::string> replacements_;  ///< what slices that were replaced say
  bool granular_ = false;
  bool loop_ = false;
  bool truncated_ = false;
  std::size_t step_ = 0;
};

/// The result line of a scenario that is refused: `FILE:LINE:COLUMN: code: message (help)`.
std::string refused(const std::string& name, const std::string& profile, const Error& error) {
  std::string place = error.file();
  if (error.line() > 0) place += ":" + std::to_string(error.line());
  if (error.column() > 0) place += ":" + std::to_string(error.column());
  report::JsonWriter json(report::JsonWriter::Layout::compact);
  json.begin_object();
  json.member("name", name);
  json.member_if("profile", profile);
  json.key("cycles").begin_array();
  json.end_array();
  json.member("error", place + ": " + error.code() + ": " + error.message() +
                           (error.help().empty() ? "" : " (" + error.help() + ")"));
  json.end_object();
  return json.text();
}

/// Plays a scenario of a manifest: one line of JSON without its end.
std::string play(const kube::Manifest& manifest, const kube::Value& root) {
  std::string name;
  std::string profile;
  try {
    Scenario scenario = read_scenario(manifest, root, name, profile);
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
  } catch (Error& error) {
    if (error.line() == 0) locate(error, manifest, root);
    return refused(name, profile, error);
  }
}

}  // namespace

std::string play_scenario(std::string_view text, const std::string& path, std::uint32_t line) {
  try {
    kube::Manifest manifest = kube::parse_json(std::string(text), path, line);
    if (manifest.documents().size() != 1) {
      auto column = static_cast<std::uint32_t>(text.find_first_not_of(" \t\r\n")) + 1;
      throw Error("bad-scenario", "expected one JSON object").at(path, line, column);
    }
    return play(manifest, manifest.documents()[0]);
  } catch (const Error& error) {
    return refused({}, {}, error);
  }
}

int play_scenarios(Context& context, const std::string& path) {
  std::string text = read_file(context, path, kMaxScenarioBytes);
  std::size_t played = 0;
  auto print = [&](const std::string& result) {
    context.out(result + "\n");
    context.flush();  // one that takes long must not hold back the results before it
    ++played;
  };
  auto end = [&] {
    if (played == 0) throw Error("bad-scenario", "there is no scenario in the file").at(path);
    return exit_fine;
  };
  bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  if (is_yaml || path.ends_with(".json")) {
    kube::Substitutions none;
    none.enabled = false;
    kube::Manifest manifest = kube::parse_manifest(std::move(text), path, none);
    for (const kube::Value& document : manifest.documents()) {
      if (!document.is_list()) print(play(manifest, document));
      for (const kube::Value& one : document.items()) print(play(manifest, one));
    }
    return end();
  }
  std::uint32_t line = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t newline = std::min(text.find('\n', begin), text.size());
    std::string_view one = std::string_view(text).substr(begin, newline - begin);
    begin = newline + 1;
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    print(play_scenario(one, path, line));
  }
  return end();
}

}  // namespace sluice::tools
