#include <fmt/format.h>

#include <array>

#include "report/decision_text.hpp"
#include "report/report_json.hpp"
#include "report/trace_text.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/names.hpp"
#include "tools/question.hpp"
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
    Flag{.name = "format", .value = "FORMAT", .help = "text (default) or json"},
};

int run(Context& context, const Args& args) {
  std::string format = format_of(args, formats);
  std::optional<Question> question = read_question(context, args, 1);
  if (!question) return exit_policy;
  decide::WorkloadName name = find_job(question->cluster.whole(), args.words().front());
  std::unique_ptr<Decider> decider = decide_question(*question, {{name}});
  decide::WorkloadReport job = decider->report(name);
  if (format == "json") {
    report::JsonWriter json(report::JsonWriter::Layout::indented);
    report::add_report(json, job, decider->scene(false));
    context.out(json.text() + "\n");
  } else {
    report::Scene scene = decider->scene(wants_colour(context, context.out_is_terminal));
    std::string loop = report::loop_text(decider->cycles(), decider->end(), scene);
    context.out(report::why_text(job, scene) + (loop.empty() ? "" : "\n") + loop);
  }
  return exit_fine;
}

}  // namespace

constinit const Verb why_verb{
    .name = "why",
    .usage = "NAME [-p POLICY]… [-s SNAPSHOT] [--at INSTANT] [--set NAME=VALUE]… [MANIFEST…]",
    .summary = "why a job got what it got: rules, objects and numbers, and what waiting would change",
    .details =
        "NAME is rayjob/train, job/train (a job of any kind), workload/NAME, with a namespace in front\n"
        "team-a/rayjob/train, or only train. Manifests and flags are those of `sluice decide`.\n",
    .flags = flags,
    .min_words = 1,
    .run = run,
};

}  // namespace sluice::tools
