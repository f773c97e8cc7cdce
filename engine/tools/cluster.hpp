#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "kube/decode.hpp"
#include "kube/manifest.hpp"
#include "model/world.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {

/// The cluster that a question is about: objects, and jobs that are submitted to it in their order.
struct Cluster {
  Configuration kueue;              ///< how its Kueue is set up
  World world;                      ///< without `submitted`
  std::vector<Workload> submitted;  ///< in the order of the manifests
  std::vector<kube::Skipped> skipped;
  kube::GeneratedNames names;  ///< of the manifests so far

  /// `world` with `submitted`: for the names and places of reports.
  World whole() const;
};

/// `${X}` in manifests: the values given, then the environment of the context.
kube::Substitutions substitutions(const Context& context, const std::map<std::string, std::string>& values);

/// Adds the objects of one manifest. Its jobs become `submitted`, unless they have a status: those run
/// already. Throws Error if the cluster would refuse one, or if a job is submitted twice.
void add_manifest(Cluster& cluster, std::string text, const std::string& path,
                  const kube::Substitutions& values);

/// Why nothing of the manifest at `path` was submitted: there is no job, or Kueue makes no Workload of those there.
/// With what to do about it.
Error nothing_submitted(const Cluster& jobs, std::string code, std::string_view path);

/// Whether a path names a snapshot, not a manifest.
bool is_snapshot(std::string_view path);
/// The manifests of a path: itself, or the *.yaml, *.yml and *.json files of a folder, sorted.
std::vector<std::string> manifest_files(const std::string& path);

}  // namespace sluice::tools
