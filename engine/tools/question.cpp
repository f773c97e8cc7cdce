#include "tools/question.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "model/overlay.hpp"
#include "state/snapshot.hpp"
#include "tools/files.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/remarks.hpp"

namespace sluice::tools {
namespace {

/// The clock in whole seconds, as Kubernetes keeps times.
Instant whole_seconds(Instant instant) {
  constexpr std::int64_t second = 1'000'000'000;
  return {instant.ns - (instant.ns % second + second) % second};
}

/// The instant at which the cluster stands before anything is asked.
void set_start(Question& question, const Context& context, const Args& args) {
  World& world = question.cluster.world;
  if (question.has_snapshot) {
    question.at = instant_of(args, world.now);
    if (question.at >= world.now) return;
    throw Error("usage", fmt::format("`--at` is {}, before the snapshot's {}", question.at.to_string(),
                                     world.now.to_string()))
        .help("this version does not keep earlier states of a cluster");
  }
  world.now = whole_seconds(context.clock());
  question.at = instant_of(args, world.now);
  // Without a snapshot there is no other instant than the one asked for; a wait counts from now.
  if (!args.value("at").starts_with("+")) world.now = question.at;
}

/// Of what the manifests name, with the policy's declarations there.
void warn_of_dangling(Context& context, const Question& question, const std::vector<std::string>& paths) {
  World world = question.cluster.whole();
  std::set<std::uint32_t> files = numbers_of(world, paths);
  if (question.policy) overlay(world, question.policy->declarations);
  context.err(text_of(world, dangling_references(world, files)));
}

}  // namespace

std::vector<std::string> policy_paths(const Args& args) {
  std::vector<std::string> paths = args.values("policy");
  std::vector<std::string> capacity = args.values("capacity");
  paths.insert(paths.end(), capacity.begin(), capacity.end());
  return paths;
}

std::optional<Question> read_question(Context& context, const Args& args, std::size_t first_word,
                                      Manifests manifests) {
  Question question;
  question.cluster.kueue = kueue_of(context, args);
  if (args.has("snapshot")) {
    question.cluster.world = Snapshot::open(args.value("snapshot")).read_world();
    question.has_snapshot = true;
  } else if (manifests == Manifests::required && args.words().size() <= first_word) {
    // What a policy declares is a cluster, but one without jobs.
    throw Error("usage", "there is no cluster to decide on")
        .help(args.has("policy") ? "a policy declares no jobs: name a manifest with one, or a snapshot with -s"
                                 : "name its manifests, or a snapshot with -s");
  }
  set_start(question, context, args);
  std::vector<std::string> paths;
  for (std::size_t i = first_word; i < args.words().size(); ++i) {
    kube::Substitutions values = substitutions(context, pairs_for_word(args, "set", i));
    for (const std::string& path : manifest_files(args.words()[i])) {
      std::string text = read_file(context, path, kMaxManifestBytes);
      paths.push_back(path == "-" ? "<stdin>" : path);
      add_manifest(question.cluster, std::move(text), paths.back(), values);
    }
  }
  context.err(text_of(question.cluster.world, question.cluster.skipped));
  question.params = pairs_of(args, "param");
  std::vector<std::string> policies = policy_paths(args);
  if (policies.empty() && !question.params.empty() && manifests == Manifests::required) {
    throw Error("usage", fmt::format("`--param` sets `{}`, but there is no policy", question.params.begin()->first))
        .help("name the policy with -p; `--set` fills in what manifests leave open");
  }
  if (!policies.empty()) {
    question.policy = load_policies(context, policies, question.params, &question.cluster.world);
    if (!question.policy) return std::nullopt;
  }
  if (!paths.empty()) warn_of_dangling(context, question, paths);
  return question;
}

std::unique_ptr<Decider> decide_question(const Question& question, Decider::Explained explained) {
  auto decider =
      std::make_unique<Decider>(question.cluster.world, question.policy ? &*question.policy : nullptr,
                                question.cluster.kueue, std::move(explained));
  for (const Workload& workload : question.cluster.submitted) decider->submit(workload);
  decider->run();
  if (question.at > decider->engine().now()) decider->advance(question.at);
  return decider;
}

}  // namespace sluice::tools
