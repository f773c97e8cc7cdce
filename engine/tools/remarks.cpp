#include "tools/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "report/scene.hpp"

namespace sluice::tools {
namespace {

constexpr std::size_t kMaxLines = 20;
/// Objects of one kind that are named; a count stands for the rest.
constexpr std::size_t kMaxNames = 3;

}  // namespace

std::set<std::uint32_t> numbers_of(const World& world, const std::vector<std::string>& paths) {
  std::set<std::uint32_t> numbers;
  for (const std::string& path : paths) {
    auto found = std::find(world.files.begin(), world.files.end(), path);
    if (found != world.files.end()) numbers.insert(static_cast<std::uint32_t>(found - world.files.begin()));
  }
  return numbers;
}

std::vector<DanglingReference> dangling_references(const World& world, const std::set<std::uint32_t>& files) {
  std::vector<DanglingReference> all = sluice::dangling_references(world);
  std::erase_if(all,
                [&](const DanglingReference& reference) { return !files.contains(reference.origin.file); });
  return all;
}

std::string text_of(const DanglingReference& reference) {
  return fmt::format("{} `{}` names {} `{}`, which is not there", reference.kind, reference.name,
                     reference.target_kind, reference.target);
}

std::string text_of(const World& world, const std::vector<DanglingReference>& references) {
  std::vector<std::string> lines;
  for (const DanglingReference& reference : references) {
    lines.push_back(
        fmt::format("warning: {}: {}", report::place_of(world, reference.origin), text_of(reference)));
  }
  return shortened(lines, "more names of objects that are not there");
}

std::string text_of(const World& world, const std::vector<kube::Skipped>& skipped) {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const kube::Skipped& object : skipped) {
    std::string name = object.name;
    std::string place = report::place_of(world, object.origin);
    if (!place.empty()) name += fmt::format(" ({})", place);
    std::string effect = object.reason.empty() ? "has no effect on decisions"
                                               : fmt::format("gets no Workload ({})", object.reason);
    by_kind[fmt::format("{} ({}) {}", object.kind, object.api_version, effect)].push_back(std::move(name));
  }
  std::vector<std::string> lines;
  for (auto& [kind, names] : by_kind) {
    std::size_t more = names.size() > kMaxNames ? names.size() - kMaxNames : 0;
    names.resize(names.size() - more);
    lines.push_back(fmt::format("note: {}: {}{}", kind, fmt::join(names, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  return shortened(lines, "more kinds have no effect on decisions");
}

std::string shortened(const std::vector<std::string>& lines, std::string_view rest) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) text += lines[i] + "\n";
  if (lines.size() > kMaxLines) text += fmt::format("{} {}\n", lines.size() - kMaxLines, rest);
  return text;
}

void refuse_cohort_cycle(const World& world) {
  std::vector<const Cohort*> cycle = cohort_cycle(world);
  if (cycle.empty()) return;
  std::string way;
  for (const Cohort* cohort : cycle) way += fmt::format("`{}` → ", cohort->name);
  const Origin origin = cycle.front()->origin;
  Error error("cohort-cycle", fmt::format("cohorts go round in a circle: {}`{}`", way, cycle.front()->name));
  if (origin.file < world.files.size()) error.at(world.files[origin.file], origin.line);
  throw error.help("each cohort's `parentName` leads up to one that has no parent");
}

}  // namespace sluice::tools
