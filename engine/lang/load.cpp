#include "lang/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "base/suggest.hpp"
#include "lang/check.hpp"
#include "lang/compile.hpp"
#include "lang/declare.hpp"
#include "lang/expression.hpp"
#include "lang/object_names.hpp"
#include "lang/params.hpp"
#include "lang/parse.hpp"
#include "lang/stdlib.hpp"

namespace sluice::lang {
namespace {

constexpr std::string_view kStdlibRoot = "<stdlib>/";

/// `a/./b/../c` as `a/c`: one path for one file.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  std::string result = path.starts_with('/') ? "/" : "";
  while (!path.empty()) {
    std::size_t slash = path.find('/');
    std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  return result + fmt::format("{}", fmt::join(parts, "/"));
}

std::string folder_of(std::string_view path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash + 1));
}

/// Reads files and what they import, each once.
class Reader {
 public:
  Reader(Policy& policy, const LoadOptions& options) : policy_(policy), options_(options) {}

  void read_given(Source source) {
    std::string path = normal_path(source.path);
    if (by_path_.contains(path)) return;
    Module* module = parse_file(path, source.path, std::move(source.text), source.is_typed);
    if (module != nullptr) module->given = true;
  }

  void read_imports() {
    // A copy: reading appends modules, which read their own imports before they return.
    std::vector<Module*> given;
    for (Module& module : modules_) given.push_back(&module);
    for (Module* module : given) read_imports(*module);
  }

  std::vector<const Module*> modules() const {
    std::vector<const Module*> result;
    for (const Module& module : modules_) result.push_back(&module);
    return result;
  }

 private:
  /// Null after an error, which is reported.
  Module* parse_file(const std::string& path, std::string shown, std::string text, bool is_typed = false) {
    std::uint32_t source = policy_.sources.add(std::move(shown), std::move(text));
    auto* read = is_typed ? parse_typed : parse;
    const ast::File* file = read(policy_.sources, source, *policy_.arena, policy_.diagnostics);
    by_path_[path] = nullptr;
    if (file == nullptr) return nullptr;
    policy_.files.push_back(file);
    Module& module = modules_.emplace_back();
    module.file = file;
    by_path_[path] = &module;
    paths_[&module] = path;
    return &module;
  }

  void read_imports(Module& module) {
    if (!done_.insert(&module).second) return;
    on_the_way_.push_back(&module);
    for (const ast::Declaration& declaration : module.file->declarations) {
      const auto* import = ast::as<ast::Import>(declaration);
      if (import == nullptr) continue;
      Module* from = find(module, *import);
      if (from == nullptr) continue;
      if (std::find(on_the_way_.begin(), on_the_way_.end(), from) != on_the_way_.end()) {
        report_cycle(*import, *from);
        continue;
      }
      module.imports[&declaration] = from;
      read_imports(*from);
    }
    on_the_way_.pop_back();
  }

  void report_cycle(const ast::Import& import, const Module& from) {
    std::string circle;
    auto first = std::find(on_the_way_.begin(), on_the_way_.end(), &from);
    for (auto it = first; it != on_the_way_.end(); ++it) circle += fmt::format("`{}` → ", shown_path(**it));
    policy_.diagnostics
        .error("import-cycle", import.path.span,
               fmt::format("the imports go round in a circle: {}`{}`", circle, shown_path(from)))
        .help = "move what both need to a file of its own";
  }

  std::string_view shown_path(const Module& module) const {
    return policy_.sources.path(module.file->source);
  }

  /// The module an import means: beside the importing file, else of the standard library.
  Module* find(const Module& importer, const ast::Import& import) {
    std::string relative(import.path.text);
    if (!relative.ends_with(".sluice")) {  // a module: `gke.tpu`; else the path of a file
      std::replace(relative.begin(), relative.end(), '.', '/');
      relative += ".sluice";
    }
    bool in_stdlib = paths_.at(&importer).starts_with(kStdlibRoot);
    if (!in_stdlib) {
      std::string path = normal_path(folder_of(paths_.at(&importer)) + relative);
      if (auto known = by_path_.find(path); known != by_path_.end()) return known->second;
      if (options_.read) {
        if (std::optional<std::string> text = options_.read(path))
          return parse_file(path, path, std::move(*text));
      }
    }
    std::vector<std::string_view> names;
    for (const StdlibModule& module : stdlib_modules()) {
      names.push_back(module.name);
      if (module.name != import.path.text) continue;
      std::string path = std::string(kStdlibRoot) + relative;
      if (auto known = by_path_.find(path); known != by_path_.end()) return known->second;
      return parse_file(path, path, std::string(module.text));
    }
    auto& report =
        policy_.diagnostics.error("import-not-found", import.path.span,
                                  fmt::format("nothing to import is called `{}`", import.path.text));
    std::string_view near = nearest(import.path.text, names);
    report.help = near.empty()
                      ? fmt::format("neither `{}` beside this file nor the standard library has it", relative)
                      : fmt::format("did you mean `{}`?", near);
    return nullptr;
  }

  Policy& policy_;
  const LoadOptions& options_;
  std::deque<Module> modules_;  // addresses stay
  std::map<std::string, Module*, std::less<>> by_path_;
  std::map<const Module*, std::string> paths_;
  std::set<const Module*> done_;
  std::vector<const Module*> on_the_way_;
};

void make_room(Policy& policy) {
  policy.checked.types.resize(policy.arena->size());
  policy.checked.meanings.resize(policy.arena->size());
}

/// The passes in order. Each may rely on what the one before it found to be right.
void run_passes(Policy& policy, std::vector<Source> sources, const LoadOptions& options) {
  Reader reader(policy, options);
  for (Source& source : sources) reader.read_given(std::move(source));
  if (policy.has_errors()) return;
  reader.read_imports();
  if (policy.has_errors()) return;
  make_room(policy);
  policy.scopes = resolve(reader.modules(), policy.checked, policy.diagnostics);
  if (policy.has_errors()) return;
  read_params(options.params, policy.scopes.scopes[0], *policy.arena, policy.checked, policy.diagnostics);
  if (policy.has_errors()) return;
  check(policy.checked, policy.scopes, policy.sources, options.known, policy.diagnostics);
  if (policy.has_errors()) return;
  policy.declarations = declare(policy.checked, policy.sources);
  policy.program = compile(policy.checked, policy.diagnostics);
}

}  // namespace

Policy load(std::vector<Source> sources, const LoadOptions& options) {
  Policy policy;
  policy.arena = std::make_unique<ast::Arena>();
  run_passes(policy, std::move(sources), options);
  return policy;
}

void check_names(const Policy& policy, const World& world, Diagnostics& diagnostics) {
  ObjectNames names(policy.scopes, &world, diagnostics);
  for (const ast::Declaration* declaration : policy.checked.active) {
    for_each_reference(*declaration, [&](NameSpace space, const ast::Name& name) {
      if (space != NameSpace::cohort) names.check(space, name);  // a cohort exists where it is named
    });
  }
}

ast::ExprPtr check_expression(Policy& policy, std::string text, std::optional<ast::DecisionPoint> point,
                              Diagnostics& diagnostics, bool* incomplete) {
  std::uint32_t source = policy.sources.add("<input>", std::move(text));
  Fragment fragment = parse_fragment(policy.sources, source, *policy.arena, diagnostics);
  if (incomplete != nullptr) *incomplete = fragment.incomplete;
  if (fragment.expression == nullptr) return nullptr;
  make_room(policy);
  if (policy.scopes.scopes.empty()) policy.scopes.scopes.resize(1);
  policy.scopes.by_source[source] = 0;
  Expressions expressions(policy.checked, policy.scopes, policy.sources, diagnostics);
  Place place;
  place.scope = &policy.scopes.scopes[0];
  place.point = point;
  place.has_workload = point.has_value();
  Type type = expressions.check(fragment.expression, place);
  return type.kind == Kind::error ? nullptr : fragment.expression;
}

}  // namespace sluice::lang
