#include "tools/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "report/scene.hpp"

namespace sluice::tools {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// `RayJobs.ray.io` → `rayjob`.
std::string kind_word(std::string_view text) {
  std::string word = lower(text.substr(0, text.find('.')));
  if (word.ends_with("es") && (word.ends_with("sses") || word.ends_with("xes"))) {
    word.erase(word.size() - 2);
  } else if (word.size() > 1 && word.ends_with('s')) {
    word.pop_back();
  }
  return word;
}

bool has_name(const Workload& workload, std::string_view name) {
  return workload.name == name || (!workload.owner->kind.empty() && workload.owner->name == name);
}

bool is_of_kind(const Workload& workload, std::string_view kind, std::string_view name) {
  std::string word = kind_word(kind);
  if (word == "workload" || word == "wl") return workload.name == name;
  if (workload.owner->kind.empty()) return word == "job" && workload.name == name;
  return workload.owner->name == name && (word == "job" || word == lower(workload.owner->kind));
}

/// How a text can be read, the narrowest reading first.
bool fits(const Workload& workload, const std::vector<std::string_view>& parts) {
  switch (parts.size()) {
    case 1:
      return has_name(workload, parts[0]);
    case 2:
      return is_of_kind(workload, parts[0], parts[1]) ||
             (workload.name_space == parts[0] && has_name(workload, parts[1]));
    case 3:
      return workload.name_space == parts[0] && is_of_kind(workload, parts[1], parts[2]);
    default:
      return false;
  }
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    std::size_t slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

[[noreturn]] void unknown(const World& world, std::string_view text) {
  Error error("unknown-workload", fmt::format("there is no job or workload `{}`", text));
  if (world.workloads.empty()) {
    error.help("the cluster has no workloads: name the job's manifest behind it, or a snapshot with -s");
    throw error;
  }
  // Compared with the plain names, and with the names as reports show them.
  std::string_view name = split(text).back();
  std::vector<std::string_view> plain;
  for (const Workload& workload : world.workloads) {
    plain.push_back(workload.owner->kind.empty() ? workload.name : workload.owner->name);
  }
  std::string_view meant = nearest(name, plain);
  for (std::size_t i = 0; i < plain.size() && !meant.empty(); ++i) {
    if (plain[i] != meant) continue;
    error.help(fmt::format("did you mean `{}`?", report::user_name(world.workloads[i])));
    throw error;
  }
  error.help("`sluice decide` lists the jobs");
  throw error;
}

}  // namespace

decide::WorkloadName find_job(const World& world, std::string_view text) {
  std::vector<std::string_view> parts = split(text);
  std::vector<const Workload*> found;
  for (const Workload& workload : world.workloads) {
    if (fits(workload, parts)) found.push_back(&workload);
  }
  // `job/a` is the Job before any other kind of job.
  if (found.size() > 1 && parts.size() > 1 && kind_word(parts[parts.size() - 2]) == "job") {
    auto exact = [](const Workload* workload) { return workload->owner->kind == "Job"; };
    if (std::any_of(found.begin(), found.end(), exact)) {
      found.erase(std::remove_if(found.begin(), found.end(), std::not_fn(exact)), found.end());
    }
  }
  // The namespace that kubectl would take.
  if (found.size() > 1) {
    auto in_default = [](const Workload* workload) { return workload->name_space == "default"; };
    if (std::count_if(found.begin(), found.end(), in_default) == 1 && parts.size() < 3) {
      found.erase(std::remove_if(found.begin(), found.end(), std::not_fn(in_default)), found.end());
    }
  }
  if (found.empty()) unknown(world, text);
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const Workload* workload : found) names.push_back(report::user_name(*workload));
    throw Error("ambiguous-name", fmt::format("`{}` can be any of {}", text, fmt::join(names, ", ")))
        .help("write one of these");
  }
  return {found.front()->name_space, found.front()->name};
}

}  // namespace sluice::tools
