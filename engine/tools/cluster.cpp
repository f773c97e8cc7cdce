#include "tools/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "model/overlay.hpp"
#include "report/scene.hpp"
#include "tools/files.hpp"

namespace sluice::tools {
namespace {

/// A job as a user hands it in: nothing has been decided about it.
bool is_new(const Workload& workload) {
  return !workload.admitted_queue && workload.conditions.empty() && workload.checks.empty();
}

}  // namespace

World Cluster::whole() const {
  World all = world;
  for (const Workload& workload : submitted) all.workloads.push_back(workload);
  sort_objects(all);
  return all;
}

kube::Substitutions substitutions(const Context& context, const std::map<std::string, std::string>& values) {
  kube::Substitutions result;
  result.values.insert(values.begin(), values.end());
  result.environment = [environment = context.environment](const std::string& name) {
    return environment(name);
  };
  return result;
}

void add_manifest(Cluster& cluster, std::string text, const std::string& path,
                  const kube::Substitutions& values) {
  kube::Manifest manifest = kube::parse_manifest(std::move(text), path, values);
  std::vector<kube::Object> objects = kube::objects_of(manifest);
  cluster.names.number(objects);
  std::set<std::pair<std::string_view, std::string_view>> before;
  const World known = cluster.world;  // keeps the names alive
  for (const Workload& workload : known.workloads) before.emplace(workload.name_space, workload.name);
  std::vector<kube::Skipped> skipped = kube::add_objects(
      cluster.world, objects, {.now = cluster.world.now, .kueue = cluster.kueue});
  cluster.skipped.insert(cluster.skipped.end(), skipped.begin(), skipped.end());

  auto is_submitted = [&](const Workload& workload) {
    return is_new(workload) && !before.contains({workload.name_space, workload.name});
  };
  SharedList<Workload> taken = cluster.world.workloads.take_if(is_submitted);
  std::vector<Workload> added(taken.begin(), taken.end());
  std::stable_sort(added.begin(), added.end(),
                   [](const Workload& a, const Workload& b) { return a.arrival < b.arrival; });
  std::set<std::pair<std::string, std::string>> names;
  for (const Workload& workload : cluster.submitted) names.emplace(workload.name_space, workload.name);
  for (Workload& workload : added) {
    if (!names.emplace(workload.name_space, workload.name).second)
      throw Error("submitted-twice", fmt::format("{} is submitted twice", report::user_name(workload)))
          .at(path, workload.origin.line)
          .help("give each job a name of its own, e.g. with --set before its manifest");
    workload.arrival = cluster.submitted.size();
    cluster.submitted.push_back(std::move(workload));
  }
}

Error nothing_submitted(const Cluster& jobs, std::string code, std::string_view path) {
  std::vector<std::string> without;
  bool no_queue = false;
  for (const kube::Skipped& object : jobs.skipped) {
    if (object.reason.empty()) continue;
    without.push_back(fmt::format("{} `{}`: {}", object.kind, object.name, object.reason));
    no_queue = no_queue || object.reason == "no queue name";
  }
  if (without.empty()) return Error(std::move(code), fmt::format("there is no job in `{}`", path));
  constexpr std::size_t most = 3;
  if (without.size() > most) {
    std::string more = fmt::format("{} more", without.size() - most);
    without.resize(most);
    without.push_back(std::move(more));
  }
  Error error(std::move(code),
              fmt::format("Kueue makes no Workload of what is in `{}` ({})", path, fmt::join(without, ", ")));
  if (no_queue) {
    error.help("label the job `kueue.x-k8s.io/queue-name`; without it a job is Kueue's only if the Configuration "
               "(--kueue-config) has `manageJobsWithoutQueueName: true`");
  }
  return error;
}

bool is_snapshot(std::string_view path) {
  return path.ends_with(".db");
}

std::vector<std::string> manifest_files(const std::string& path) {
  if (!is_folder(path)) return {path};
  std::vector<std::string> files;
  for (std::string_view suffix : {".yaml", ".yml", ".json"}) {
    std::vector<std::string> of_suffix = expand_paths({path}, suffix);
    files.insert(files.end(), of_suffix.begin(), of_suffix.end());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sluice::tools
