#include "tools/repl_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "lang/compile.hpp"
#include "lang/parse.hpp"
#include "report/decision_text.hpp"
#include "report/diagnostics.hpp"
#include "tools/evaluate.hpp"
#include "tools/files.hpp"
#include "tools/names.hpp"

namespace sluice::tools {
namespace {

/// Diagnostics of what was typed, as an Error whose message is their text.
class Rejected : public Error {
 public:
  explicit Rejected(std::string text) : Error("rejected", std::move(text)) {}
};

lang::Fragment fragment_of(const std::string& text) {
  SourceMap sources;
  lang::ast::Arena arena;
  Diagnostics ignored;
  lang::Fragment fragment = lang::parse_fragment(sources, sources.add("<typed>", text), arena, ignored);
  // Only the kind of the answer leaves here: the tree dies with the arena.
  return fragment;
}

/// Pod set, resource, flavor.
std::map<std::string, std::map<std::string, std::string>> flavors_of(const decide::Engine& engine,
                                                                     const decide::WorkloadName& name) {
  std::map<std::string, std::map<std::string, std::string>> flavors;
  for (const decide::PodSetDecision& pod_set : engine.assignment(name))
    flavors[pod_set.name] = pod_set.flavors;
  return flavors;
}

Instant instant_after(const std::string& text, Instant now) {
  Args args;
  args.add("at", text);
  Instant instant = instant_of(args, now);
  if (instant < now) {
    throw Error("usage", fmt::format("{} lies before {}: time goes forward only", instant.to_string(),
                                     now.to_string()))
        .help("`:undo` takes the last step back");
  }
  return instant;
}

}  // namespace

struct ReplSession::Checked {
  lang::ast::ExprPtr expr = nullptr;
  lang::Type type;
};

ReplSession::ReplSession(const Context& context, std::vector<lang::Source> policies, Question base)
    : context_(context), policies_(std::move(policies)), base_(std::move(base)) {
  state_ = play(actions_, explained_from_start());
  if (!state_->jobs.empty()) current_ = state_->jobs.back();
}

std::unique_ptr<ReplSession::State> ReplSession::play(const std::vector<Action>& actions,
                                                      Decider::Explained explained) const {
  auto state = std::make_unique<State>();
  std::vector<lang::Source> sources = policies_;
  std::map<std::string, std::string> params = base_.params;
  for (const Action& action : actions) {
    if (action.kind == Action::Kind::set) params[action.text] = action.values.at("value");
    if (action.kind != Action::Kind::define) continue;
    sources.push_back(
        {fmt::format("<typed {}>", sources.size() - policies_.size() + 1), action.text, true});
  }
  lang::LoadOptions options = load_options(params);
  options.known = &base_.cluster.world;
  state->policy = lang::load(std::move(sources), options);
  if (state->policy.has_errors()) {
    throw Rejected(report::to_pretty(state->policy.sources, state->policy.diagnostics.all(),
                                     wants_colour(context_, context_.out_is_terminal)));
  }
  state->decider = std::make_unique<Decider>(base_.cluster.world, &state->policy, base_.cluster.kueue,
                                             std::move(explained));
  for (const Workload& workload : base_.cluster.submitted) {
    state->jobs.push_back({workload.name_space, workload.name});
    state->decider->submit(workload);
  }
  state->decider->run();
  if (base_.at > state->decider->engine().now()) state->decider->advance(base_.at);
  for (const Action& action : actions) play_action(*state, action);
  return state;
}

void ReplSession::play_action(State& state, const Action& action) const {
  if (action.kind == Action::Kind::submit) submit_to(state, action);
  if (action.kind == Action::Kind::go_to) {
    state.decider->advance(instant_after(action.text, state.decider->engine().now()));
  }
}

void ReplSession::submit_to(State& state, const Action& action) const {
  Cluster jobs;
  jobs.kueue = base_.cluster.kueue;
  jobs.world = state.decider->world();
  jobs.world.now = state.decider->engine().now();
  jobs.world.workloads.clear();
  add_manifest(jobs, read_file(context_, action.text, kMaxManifestBytes), action.text,
               substitutions(context_, action.values));
  if (jobs.submitted.empty()) throw nothing_submitted(jobs, "no-job", action.text);
  for (Workload& workload : jobs.submitted) {
    decide::WorkloadName name{workload.name_space, workload.name};
    if (report::find_workload(state.decider->world(), name) != nullptr) {
      throw Error("submitted-twice", fmt::format("{} is there already", report::user_name(workload)))
          .help("give it another name, e.g. `:submit job.yaml JOB_ID=2`");
    }
    state.jobs.push_back(name);
    state.decider->submit(std::move(workload));
  }
  state.decider->run();
}

std::string ReplSession::add(Action action) {
  std::vector<Action> actions = actions_;
  actions.push_back(std::move(action));
  std::unique_ptr<State> after = play(actions, explained_from_start());
  std::string text = changes(*state_, *after);
  actions_ = std::move(actions);
  state_ = std::move(after);
  return text;
}

/// The jobs that are new, or whose state or flavors changed.
std::string ReplSession::changes(const State& before, const State& after) const {
  constexpr std::size_t most = 50;
  const decide::Engine& then = before.decider->engine();
  const decide::Engine& now = after.decider->engine();
  report::Scene scene = after.decider->scene(wants_colour(context_, context_.out_is_terminal));
  std::string text;
  std::size_t count = 0;
  for (const decide::WorkloadName& name : now.workloads()) {
    bool is_new = report::find_workload(before.decider->world(), name) == nullptr;
    if (!is_new && then.state(name) == now.state(name) && flavors_of(then, name) == flavors_of(now, name))
      continue;
    if (count++ < most) text += report::headline(after.decider->report(name), scene);
  }
  if (count > most) text += fmt::format("and {} more\n", count - most);
  return text;
}

std::string ReplSession::define(std::string text) {
  return add({Action::Kind::define, std::move(text), {}});
}

std::string ReplSession::submit(const std::string& path, const std::map<std::string, std::string>& values) {
  std::string text = add({Action::Kind::submit, path, values});
  current_ = state_->jobs.back();
  return text;
}

std::string ReplSession::go_to(const std::string& instant) {
  std::string text = add({Action::Kind::go_to, instant, {}});
  return fmt::format("now {}\n", state_->decider->engine().now().to_string()) + text;
}

std::string ReplSession::set(const std::string& name, const std::string& value) {
  return add({Action::Kind::set, name, {{"value", value}}});
}

std::string ReplSession::undo() {
  if (actions_.empty()) throw Error("nothing-to-undo", "there is nothing to undo");
  std::vector<Action> actions = actions_;
  actions.pop_back();
  std::unique_ptr<State> after = play(actions, explained_from_start());
  std::string text = changes(*state_, *after);
  actions_ = std::move(actions);
  state_ = std::move(after);
  current_.reset();
  if (!state_->jobs.empty()) current_ = state_->jobs.back();
  return text;
}

ReplSession::Checked ReplSession::check(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<lang::ast::DecisionPoint> point;
  if (current_) point = lang::ast::DecisionPoint::submit;
  Checked checked;
  checked.expr = lang::check_expression(state_->policy, text, point, diagnostics);
  if (checked.expr == nullptr || diagnostics.has_errors()) {
    throw Rejected(report::to_pretty(state_->policy.sources, diagnostics.all(),
                                     wants_colour(context_, context_.out_is_terminal)));
  }
  checked.type = state_->policy.checked.type(checked.expr);
  return checked;
}

std::string ReplSession::evaluate(const std::string& text) {
  Checked checked = check(text);
  if (lang::is_record(checked.type.kind) || checked.type.list) {
    throw Error("no-value", fmt::format("a {} cannot be printed", lang::to_string(checked.type)))
        .help("name a field of it, or count it: `count(w in workloads)`");
  }
  program::Program program = state_->policy.program;
  Diagnostics diagnostics;
  std::uint32_t chunk = lang::compile_expression(checked.expr, state_->policy.checked, program, diagnostics);
  if (diagnostics.has_errors()) {
    throw Rejected(report::to_pretty(state_->policy.sources, diagnostics.all(),
                                     wants_colour(context_, context_.out_is_terminal)));
  }
  Evaluator::Value value = Evaluator(program, *state_->decider).value(chunk, checked.type, current_);
  if (!value.fault) return fmt::format("{} : {}\n", value.text, lang::to_string(checked.type));
  Diagnostics fault;
  fault.error("fault", program::span_of(program, *value.fault),
              std::string(program::to_string(value.fault->kind)));
  throw Rejected(report::to_pretty(state_->policy.sources, fault.all(),
                                   wants_colour(context_, context_.out_is_terminal)));
}

std::string ReplSession::type_of(const std::string& text) {
  return fmt::format("{}\n", lang::to_string(check(text).type));
}

/// Of many workloads every one explained would take too long: `why` then plays all again for the one asked about.
Decider::Explained ReplSession::explained_from_start() const {
  if (base_.cluster.world.workloads.size() <= few_workloads) return std::nullopt;
  return std::set<decide::WorkloadName>{};
}

std::string ReplSession::why(const std::string& name) {
  decide::WorkloadName workload = find_job(state_->decider->world(), name);
  current_ = workload;
  if (explained_from_start()) state_ = play(actions_, {{workload}});
  return report::why_text(state_->decider->report(workload),
                          state_->decider->scene(wants_colour(context_, context_.out_is_terminal)));
}

bool ReplSession::is_incomplete(const std::string& text) const {
  return fragment_of(text).incomplete;
}

bool ReplSession::is_definition(const std::string& text) const {
  return fragment_of(text).file != nullptr;
}

std::vector<std::string> ReplSession::names() const {
  std::set<std::string> names;
  for (const lang::ast::Declaration* declaration : state_->policy.checked.active) {
    if (!declaration->name.empty()) names.emplace(declaration->name.text);
  }
  for (const FieldInfo& field : field_infos) {
    names.insert(fmt::format("{}.{}", info(field.table).word, field.word));
    if (field.bare) names.emplace(field.word);
  }
  for (const FunctionInfo& function : function_infos) names.emplace(function.word);
  for (const CollectionInfo& collection : collection_infos) names.emplace(collection.word);
  const World& world = state_->decider->world();
  for (const ResourceFlavor& flavor : world.flavors) names.insert(flavor.name);
  for (const ClusterQueue& queue : world.cluster_queues) names.insert(queue.name);
  for (const Workload& workload : world.workloads) names.insert(report::user_name(workload));
  return {names.begin(), names.end()};
}

}  // namespace sluice::tools
