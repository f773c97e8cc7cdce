#include "lang/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/suggest.hpp"

namespace sluice::lang {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 deduces no aggregates

class Resolver {
 public:
  Resolver(Checked& checked, Diagnostics& diagnostics) : checked_(checked), diagnostics_(diagnostics) {}

  Scopes run(const std::vector<const Module*>& modules) {
    scopes_.scopes.resize(1);  // the files given share the first
    for (const Module* module : modules) {
      std::size_t index = 0;
      if (!module->given) {
        index = scopes_.scopes.size();
        scopes_.scopes.emplace_back();
      }
      scopes_.by_source[module->file->source] = index;
    }
    for (const Module* module : modules) declare_own(*module);
    for (const Module* module : modules) declare_imports(*module);
    find_active(modules);
    return std::move(scopes_);
  }

 private:
  Scope& scope_of(const Module& module) { return scopes_.scopes[scopes_.by_source.at(module.file->source)]; }

  void declare_own(const Module& module) {
    for (const ast::Declaration& declaration : module.file->declarations) {
      std::optional<NameSpace> space = name_space_of(declaration);
      if (!space) continue;
      add(scope_of(module), *space, declaration.name.text, declaration, declaration.name.span);
    }
  }

  void declare_imports(const Module& module) {
    for (const ast::Declaration& declaration : module.file->declarations) {
      const auto* import = ast::as<ast::Import>(declaration);
      auto found = module.imports.find(&declaration);
      if (import == nullptr || found == module.imports.end()) continue;
      const Module& from = *found->second;
      if (import->everything) {
        for (const ast::Declaration& exported : from.file->declarations) {
          std::optional<NameSpace> space = name_space_of(exported);
          if (!space || !is_importable(*space)) continue;
          add(scope_of(module), *space, exported.name.text, exported, import->path.span);
          if (module.given) imported_.push_back(&exported);
        }
      }
      for (const ast::Import::Item& item : import->items) import_item(module, from, item);
    }
  }

  static bool is_importable(NameSpace space) {
    return space != NameSpace::test && space != NameSpace::invariant;
  }

  void import_item(const Module& module, const Module& from, const ast::Import::Item& item) {
    bool found = false;
    std::vector<std::string_view> candidates;
    for (const ast::Declaration& exported : from.file->declarations) {
      std::optional<NameSpace> space = name_space_of(exported);
      if (!space || !is_importable(*space)) continue;
      candidates.push_back(exported.name.text);
      if (exported.name.text != item.name.text) continue;
      found = true;
      const ast::Name& name = item.alias.empty() ? item.name : item.alias;
      add(scope_of(module), *space, name.text, exported, name.span);
      if (module.given) imported_.push_back(&exported);
    }
    if (found) return;
    auto& report = diagnostics_.error("unknown-import", item.name.span,
                                      fmt::format("nothing called `{}` there", item.name.text));
    std::string_view near = nearest(item.name.text, candidates);
    if (!near.empty()) {
      report.help = fmt::format("did you mean `{}`?", near);
    } else if (!candidates.empty()) {
      report.help = fmt::format("it declares `{}`", fmt::join(candidates, "`, `"));
    }
  }

  void add(Scope& scope, NameSpace space, std::string_view name, const ast::Declaration& declaration,
           Span span) {
    const ast::Declaration* first = scope.add(space, name, declaration);
    if (first == nullptr || first == &declaration) return;
    auto& report = diagnostics_.error("duplicate-declaration", span,
                                      space == NameSpace::fallback
                                          ? fmt::format("queue `{}` has a fallback already", name)
                                          : fmt::format("{} `{}` is declared twice", to_string(space), name));
    report.labels.emplace_back(first->name.span, "first declared here");
    report.help =
        space == NameSpace::fallback ? "write one ordered list of rungs" : "rename or remove one of them";
  }

  void find_active(const std::vector<const Module*>& modules) {
    std::set<const ast::Declaration*> active;
    std::vector<const ast::Declaration*> waiting = imported_;
    for (const Module* module : modules) {
      for (const ast::Declaration& declaration : module->file->declarations) {
        if (module->given && ast::as<ast::Import>(declaration) == nullptr) waiting.push_back(&declaration);
        // Values cost nothing and decide nothing by themselves: they are checked wherever they stand.
        if (ast::as<ast::Param>(declaration) != nullptr || ast::as<ast::Function>(declaration) != nullptr) {
          waiting.push_back(&declaration);
        }
      }
    }
    while (!waiting.empty()) {
      const ast::Declaration* next = waiting.back();
      waiting.pop_back();
      if (!active.insert(next).second) continue;
      for_each_reference(*next, [&](NameSpace space, const ast::Name& name) {
        const ast::Declaration* target = scopes_.of(next->span.source).find(space, name.text);
        if (target == nullptr) return;
        if (target->name.text != name.text) checked_.renamed[name.text.data()] = target->name.text;
        waiting.push_back(target);
      });
    }
    for (const Module* module : modules) {
      for (const ast::Declaration& declaration : module->file->declarations) {
        if (active.contains(&declaration)) checked_.active.push_back(&declaration);
      }
    }
  }

  Checked& checked_;
  Diagnostics& diagnostics_;
  Scopes scopes_;
  std::vector<const ast::Declaration*> imported_;  // by the files given
};

}  // namespace

Scopes resolve(const std::vector<const Module*>& modules, Checked& checked, Diagnostics& diagnostics) {
  return Resolver(checked, diagnostics).run(modules);
}

std::string_view to_string(NameSpace space) {
  switch (space) {
    case NameSpace::value:
      return "name";
    case NameSpace::flavor:
      return "flavor";
    case NameSpace::check:
      return "admission check";
    case NameSpace::topology:
      return "topology";
    case NameSpace::cohort:
      return "cohort";
    case NameSpace::queue:
      return "queue";
    case NameSpace::local_queue:
      return "local queue";
    case NameSpace::priority_class:
      return "priority class";
    case NameSpace::compute_class:
      return "compute class";
    case NameSpace::rule:
      return "rule";
    case NameSpace::fallback:
      return "fallback";
    case NameSpace::test:
      return "test";
    case NameSpace::invariant:
      return "invariant";
  }
  return "name";
}

void for_each_reference(const ast::Declaration& declaration,
                        const std::function<void(NameSpace, const ast::Name&)>& visit) {
  auto quotas = [&](std::span<const ast::FlavorQuotas> list) {
    for (const ast::FlavorQuotas& entry : list) visit(NameSpace::flavor, entry.flavor);
  };
  std::visit(Overloaded{
                 [&](const ast::Flavor& flavor) {
                   if (!flavor.topology.empty()) visit(NameSpace::topology, flavor.topology);
                   for (const ast::Name& check : flavor.checks) visit(NameSpace::check, check);
                 },
                 [&](const ast::Cohort& cohort) {
                   if (!cohort.parent.empty()) visit(NameSpace::cohort, cohort.parent);
                   quotas(cohort.quotas);
                   for (const ast::ResourceGroup& group : cohort.groups) quotas(group.flavors);
                 },
                 [&](const ast::Queue& queue) {
                   if (!queue.cohort.empty()) visit(NameSpace::cohort, queue.cohort);
                   for (const ast::ResourceGroup& group : queue.groups) quotas(group.flavors);
                   for (const ast::CheckClause& clause : queue.checks) {
                     visit(NameSpace::check, clause.check);
                     for (const ast::Name& flavor : clause.flavors) visit(NameSpace::flavor, flavor);
                   }
                 },
                 [&](const ast::LocalQueue& local) { visit(NameSpace::queue, local.queue); },
                 [&](const ast::Fallback& fallback) {
                   visit(NameSpace::queue, declaration.name);
                   for (const ast::Rung& rung : fallback.rungs) visit(NameSpace::flavor, rung.flavor);
                 },
                 [&](const ast::Rule& rule) {
                   for (const ast::Verdict& verdict : rule.then) {
                     if (const auto* prefer = std::get_if<ast::PreferVerdict>(&verdict.node)) {
                       visit(NameSpace::flavor, prefer->flavor);
                       visit(NameSpace::flavor, prefer->over);
                     } else if (const auto* require = std::get_if<ast::RequireCheckVerdict>(&verdict.node)) {
                       visit(NameSpace::check, require->check);
                     }
                   }
                 },
                 [](const ast::Import&) {},
                 [](const ast::Param&) {},
                 [](const ast::Function&) {},
                 [](const ast::Provision&) {},
                 [](const ast::Check&) {},
                 [](const ast::Topology&) {},
                 [](const ast::PriorityClass&) {},
                 [](const ast::ComputeClass&) {},
                 [](const ast::HitPolicy&) {},
                 [](const ast::Capacity&) {},
                 [](const ast::Test&) {},
                 [](const ast::Invariant&) {},
             },
             declaration.node);
}

std::optional<NameSpace> name_space_of(const ast::Declaration& declaration) {
  return std::visit(
      Overloaded{
          [](const ast::Import&) -> std::optional<NameSpace> { return {}; },
          [](const ast::HitPolicy&) -> std::optional<NameSpace> { return {}; },
          [](const ast::Capacity&) -> std::optional<NameSpace> { return {}; },
          [](const ast::Param&) -> std::optional<NameSpace> { return NameSpace::value; },
          [](const ast::Function&) -> std::optional<NameSpace> { return NameSpace::value; },
          [](const ast::Flavor&) -> std::optional<NameSpace> { return NameSpace::flavor; },
          [](const ast::Provision&) -> std::optional<NameSpace> { return NameSpace::check; },
          [](const ast::Check&) -> std::optional<NameSpace> { return NameSpace::check; },
          [](const ast::Topology&) -> std::optional<NameSpace> { return NameSpace::topology; },
          [](const ast::Cohort&) -> std::optional<NameSpace> { return NameSpace::cohort; },
          [](const ast::Queue&) -> std::optional<NameSpace> { return NameSpace::queue; },
          [](const ast::LocalQueue&) -> std::optional<NameSpace> { return NameSpace::local_queue; },
          [](const ast::PriorityClass&) -> std::optional<NameSpace> { return NameSpace::priority_class; },
          [](const ast::ComputeClass&) -> std::optional<NameSpace> { return NameSpace::compute_class; },
          [](const ast::Fallback&) -> std::optional<NameSpace> { return NameSpace::fallback; },
          [](const ast::Rule&) -> std::optional<NameSpace> { return NameSpace::rule; },
          [](const ast::Test&) -> std::optional<NameSpace> { return NameSpace::test; },
          [](const ast::Invariant&) -> std::optional<NameSpace> { return NameSpace::invariant; },
      },
      declaration.node);
}

const ast::Declaration* Scope::find(NameSpace space, std::string_view name) const {
  auto found = names_.find({space, name});
  return found == names_.end() ? nullptr : found->second;
}

std::vector<std::string_view> Scope::names(NameSpace space) const {
  std::vector<std::string_view> result;
  for (const auto& [key, declaration] : names_) {
    if (key.first == space) result.push_back(key.second);
  }
  return result;
}

bool Scope::has_any(NameSpace space) const {
  auto first = names_.lower_bound({space, {}});
  return first != names_.end() && first->first.first == space;
}

const ast::Declaration* Scope::add(NameSpace space, std::string_view name,
                                   const ast::Declaration& declaration) {
  auto [place, is_new] = names_.try_emplace({space, name}, &declaration);
  return is_new ? nullptr : place->second;
}

}  // namespace sluice::lang
