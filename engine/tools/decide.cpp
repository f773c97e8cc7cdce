#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "base/error.hpp"
#include "report/decision_json.hpp"
#include "report/decision_text.hpp"
#include "report/report_json.hpp"
#include "report/trace_text.hpp"
#include "report/usage_text.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/question.hpp"
#include "tools/scenario.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array<std::string_view, 2> formats = {"text", "json"};

constexpr std::array flags = {
    policy_flag,
    snapshot_flag,
    at_flag,
    set_flag,
    param_flag,
    capacity_flag,
    kueue_flag,
    kueue_config_flag,
    feature_gates_flag,
    Flag{.name = "trace", .help = "show each scheduling cycle, head by head"},
    Flag{.name = "limit", .value = "N", .help = "tell of at most N jobs in full (default 50; 0: all)"},
    Flag{.name = "fail", .help = "exit with 2 unless every job gets quota"},
    Flag{.name = "format", .value = "FORMAT", .help = "text (default) or json"},
    Flag{.name = "scenario",
         .value = "FILE",
         .help = "play scenarios (JSON Lines, .json, .yaml) and print one decision line for each"},
};

/// The jobs that the answer is about, in the order in which they came: those submitted, or all that had no
/// quota.
std::vector<decide::WorkloadName> asked_jobs(const Question& question) {
  std::vector<const Workload*> jobs;
  for (const Workload& workload : question.cluster.submitted) jobs.push_back(&workload);
  if (jobs.empty()) {
    for (const Workload& workload : question.cluster.world.workloads) {
      if (!workload.admitted_queue) jobs.push_back(&workload);
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const Workload* a, const Workload* b) {
      return std::tie(a->created, a->arrival) < std::tie(b->created, b->arrival);
    });
  }
  std::vector<decide::WorkloadName> names;
  for (const Workload* job : jobs) names.push_back({job->name_space, job->name});
  return names;
}

/// Others whose state the jobs asked about changed: preempted, or admitted on the way.
std::vector<decide::WorkloadName> changed_jobs(const Question& question, const Decider& decider,
                                               const std::vector<decide::WorkloadName>& asked) {
  std::set<decide::WorkloadName> skip(asked.begin(), asked.end());
  std::vector<decide::WorkloadName> changed;
  for (const Workload& workload : question.cluster.world.workloads) {
    decide::WorkloadName name{workload.name_space, workload.name};
    if (skip.contains(name)) continue;
    bool had_quota = workload.admitted_queue.has_value();
    bool has_quota = !decider.engine().assignment(name).empty();
    if (had_quota != has_quota) changed.push_back(name);
  }
  return changed;
}

bool has_quota(decide::State state) {
  return state == decide::State::admitted || state == decide::State::quota_reserved ||
         state == decide::State::finished;
}

/// Full reports look into the future of each job: of thousands they take minutes, and nobody reads them.
std::size_t limit_of(const Args& args, std::size_t jobs) {
  constexpr std::size_t usual = 50;
  if (!args.has("limit")) return std::min(jobs, usual);
  std::string text = args.value("limit");
  std::size_t limit = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error("usage", fmt::format("`--limit` cannot be `{}`", text)).help("it is a number of jobs");
  }
  return limit == 0 ? jobs : std::min(jobs, limit);
}

/// `and 2950 more: 2900 Pending, 50 Admitted`.
std::string rest_text(std::span<const decide::WorkloadName> rest, const Decider& decider) {
  if (rest.empty()) return {};
  std::map<std::string_view, std::size_t> counts;
  for (const decide::WorkloadName& name : rest) ++counts[report::state_name(decider.engine().state(name))];
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", count, state));
  return fmt::format("\nand {} more: {}; `sluice why NAME` tells of one, --limit of more\n", rest.size(),
                     fmt::join(parts, ", "));
}

std::string text_of(const std::vector<decide::WorkloadReport>& reports,
                    std::span<const decide::WorkloadName> rest,
                    const std::vector<decide::WorkloadReport>& changed, const Decider& decider, bool trace,
                    bool colour) {
  report::Scene scene = decider.scene(colour);
  std::string text = fmt::format("at {}\n", scene.now.to_string());
  if (trace) {
    text += "\n" + report::trace_text(decider.cycles(), decider.end(), decider.start(), scene);
  }
  if (reports.empty()) text += "no job waits for a decision\n";
  for (const decide::WorkloadReport& job : reports) text += "\n" + report::decision_text(job, scene);
  text += rest_text(rest, decider);
  std::string loop = report::loop_text(decider.cycles(), decider.end(), scene);
  if (!loop.empty()) text += "\n" + loop;
  if (decider.end().truncated) text += "\nnote: the answer is not complete: the run took too many cycles\n";
  if (!changed.empty()) text += "\nalso changed:\n";
  for (const decide::WorkloadReport& job : changed) text += "  " + report::headline(job, scene);
  std::string usage = report::usage_table(decider.engine(), reports, decider.world());
  if (!usage.empty()) text += "\nquota in use afterwards:\n" + usage;
  return text;
}

std::string json_of(const Question& question, const std::vector<decide::WorkloadReport>& reports,
                    std::size_t left_out, const Decider& decider) {
  report::JsonWriter json(report::JsonWriter::Layout::indented);
  report::Scene scene = decider.scene(false);
  json.begin_object();
  json.member("now", scene.now.to_string());
  json.key("cycles").begin_array();
  for (const decide::Cycle& cycle : decider.cycles()) {
    report::add_cycle(json, cycle, question.cluster.world.now, 0, nullptr);
  }
  json.end_array();
  if (decider.end().loop) {
    json.key("loop").boolean(true);
    json.member("loopBegin", static_cast<std::int64_t>(decider.end().loop_begin));
    json.member("loopLength", static_cast<std::int64_t>(decider.end().loop_length));
  }
  if (decider.end().truncated) json.key("truncated").boolean(true);
  json.key("final");
  report::add_final(json, decider.engine(), nullptr);
  json.key("workloads").begin_array();
  for (const decide::WorkloadReport& job : reports) report::add_report(json, job, scene);
  json.end_array();
  if (left_out > 0) json.member("workloadsLeftOut", static_cast<std::int64_t>(left_out));
  json.end_object();
  return json.text() + "\n";
}

/// A scenario says all itself; what it would not listen to is not ignored.
void refuse_beside_scenario(const Args& args) {
  for (const Flag& flag : flags) {
    if (flag.name == "scenario" || !args.has(flag.name)) continue;
    bool is_option = flag.name == "kueue" || flag.name == "kueue-config" || flag.name == "feature-gates";
    throw Error("usage", fmt::format("`--{}` says nothing to a scenario", flag.name))
        .help(is_option ? "a scenario has it under `options`: `kueue`, `featureGates`, `fairSharing`, …"
                        : "a scenario has its own objects, time and steps; the result is one line of JSON");
  }
  if (!args.words().empty()) {
    throw Error("usage", fmt::format("the manifest `{}` says nothing to a scenario", args.words().front()))
        .help("a scenario has its own `objects`");
  }
}

int run(Context& context, const Args& args) {
  if (args.has("scenario")) {
    refuse_beside_scenario(args);
    return play_scenarios(context, args.value("scenario"));
  }
  std::string format = format_of(args, formats);
  std::optional<Question> question = read_question(context, args, 0);
  if (!question) return exit_policy;
  std::vector<decide::WorkloadName> asked = asked_jobs(*question);
  std::size_t limit = limit_of(args, asked.size());
  std::set<decide::WorkloadName> explained;  // the text leaves that to `why`
  bool few = question->cluster.world.workloads.size() <= few_workloads;
  if (format == "json" && few) explained.insert(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(limit));
  std::unique_ptr<Decider> decider = decide_question(*question, std::move(explained));
  std::vector<decide::WorkloadReport> reports;
  for (std::size_t i = 0; i < limit; ++i) reports.push_back(decider->report(asked[i]));
  std::span<const decide::WorkloadName> rest = std::span(asked).subspan(limit);
  if (format == "json") {
    context.out(json_of(*question, reports, rest.size(), *decider));
  } else {
    std::vector<decide::WorkloadReport> changed;
    for (const decide::WorkloadName& name : changed_jobs(*question, *decider, asked)) {
      changed.push_back(decider->report(name));
    }
    context.out(text_of(reports, rest, changed, *decider, args.has("trace"),
                        wants_colour(context, context.out_is_terminal)));
  }
  bool all_have_quota = std::all_of(asked.begin(), asked.end(), [&](const decide::WorkloadName& name) {
    return has_quota(decider->engine().state(name));
  });
  return args.has("fail") && !all_have_quota ? exit_negative : exit_fine;
}

}  // namespace

constinit const Verb decide_verb{
    .name = "decide",
    .usage = "[-p POLICY]… [-s SNAPSHOT] [--at INSTANT] [--set NAME=VALUE]… [MANIFEST…]",
    .summary = "what would happen to these jobs now: admitted where, held why, what is provisioned",
    .details =
        "The jobs of the manifests are submitted in their order on top of the snapshot, as a what-if: "
        "nothing is\n"
        "written. Without a snapshot the manifests are the whole cluster. Without manifests the answer is "
        "about the\n"
        "jobs of the snapshot that have no quota. A --set holds for the manifests behind it, so\n"
        "\n"
        "  sluice decide -s cluster.db --set JOB_ID=1 job.yaml --set JOB_ID=2 job.yaml\n"
        "\n"
        "submits two jobs. Without -p the decision is that of Kueue alone.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
