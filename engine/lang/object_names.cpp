#include "lang/object_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"

namespace sluice::lang {
namespace {

template <class Object>
void append_names(std::vector<std::string_view>& names, const std::vector<Object>& objects) {
  for (const Object& object : objects) names.push_back(object.name);
}

}  // namespace

std::vector<std::string_view> names_of(const World& world, NameSpace space) {
  std::vector<std::string_view> names;
  switch (space) {
    case NameSpace::flavor:
      append_names(names, world.flavors);
      break;
    case NameSpace::check:
      append_names(names, world.admission_checks);
      break;
    case NameSpace::topology:
      append_names(names, world.topologies);
      break;
    case NameSpace::cohort:
      append_names(names, world.cohorts);
      break;
    case NameSpace::queue:
      append_names(names, world.cluster_queues);
      break;
    case NameSpace::local_queue:
      append_names(names, world.local_queues);
      break;
    case NameSpace::priority_class:
      append_names(names, world.workload_priority_classes);
      break;
    case NameSpace::value:
    case NameSpace::compute_class:
    case NameSpace::rule:
    case NameSpace::fallback:
    case NameSpace::test:
    case NameSpace::invariant:
      break;
  }
  return names;
}

const ast::Declaration* ObjectNames::find(NameSpace space, const ast::Name& name) const {
  return scopes_.of(name.span.source).find(space, name.text);
}

const ast::Declaration* ObjectNames::check(NameSpace space, const ast::Name& name, bool closed) {
  if (const ast::Declaration* found = find(space, name)) return found;
  const Scope& scope = scopes_.of(name.span.source);
  std::vector<std::string_view> candidates = scope.names(space);
  if (known_ != nullptr) {
    std::vector<std::string_view> others = names_of(*known_, space);
    if (std::find(others.begin(), others.end(), name.text) != others.end()) return nullptr;
    candidates.insert(candidates.end(), others.begin(), others.end());
  }
  std::string_view near = nearest(name.text, candidates);
  if (known_ == nullptr && near.empty()) {
    if (closed && scope.has_any(space) && reported_.emplace(space, name.text).second) {
      diagnostics_.warning("undeclared-name", name.span,
                           fmt::format("{} `{}` is not declared here: the snapshot must have it",
                                       to_string(space), name.text));
    }
    return nullptr;
  }
  if (!reported_.emplace(space, name.text).second) return nullptr;
  auto& report = diagnostics_.error("unknown-name", name.span,
                                    fmt::format("no {} is called `{}`", to_string(space), name.text));
  if (!near.empty()) {
    report.help = fmt::format("did you mean `{}`?", near);
  } else if (candidates.size() == 1) {
    report.help = fmt::format("there is only `{}`", candidates[0]);
  } else if (candidates.empty()) {
    report.help = fmt::format(
        "neither the policy nor the cluster has any {}: declare it, or name the manifests or the "
        "snapshot that have it",
        to_string(space));
  } else if (candidates.size() <= 8) {
    report.help = fmt::format("there are `{}`", fmt::join(candidates, "`, `"));
  }
  return nullptr;
}

}  // namespace sluice::lang
