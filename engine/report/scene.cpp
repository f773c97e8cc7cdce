#include "report/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>


namespace sluice::report {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string user_name(const Workload& workload) {
  std::string name = workload.owner->kind.empty()
                         ? fmt::format("workload/{}", workload.name)
                         : fmt::format("{}/{}", lower(workload.owner->kind), workload.owner->name);
  if (workload.name_space == "default") return name;
  return fmt::format("{}/{}", workload.name_space, name);
}

std::string user_name(const World& world, const decide::WorkloadName& name) {
  const Workload* workload = find_workload(world, name);
  if (workload != nullptr) return user_name(*workload);
  return fmt::format("{}workload/{}", name.name_space == "default" ? "" : name.name_space + "/", name.name);
}

const Workload* find_workload(const World& world, const decide::WorkloadName& name) {
  // Sorted by namespace and name, as every kind of a World.
  auto key = [](const Workload& workload) {
    return std::pair<const std::string&, const std::string&>(workload.name_space, workload.name);
  };
  std::pair<const std::string&, const std::string&> wanted(name.name_space, name.name);
  auto found =
      std::lower_bound(world.workloads.begin(), world.workloads.end(), wanted,
                       [&](const Workload& workload, const auto& other) { return key(workload) < other; });
  if (found == world.workloads.end() || key(*found) != wanted) return nullptr;
  return &*found;
}

std::string place_of(const World& world, Origin origin) {
  if (origin.file >= world.files.size() || origin.line == 0) return {};
  return fmt::format("{}:{}", world.files[origin.file], origin.line);
}

std::string place_of(const Scene& scene, Span span) {
  if (scene.sources == nullptr || span.source >= scene.sources->size() || span.end == 0) return {};
  return fmt::format("{}:{}", scene.sources->path(span.source),
                     scene.sources->line(span));
}

}  // namespace sluice::report
