#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "kube/decode.hpp"
#include "kube/manifest.hpp"
#include "model/references.hpp"
#include "report/scene.hpp"
#include "state/snapshot.hpp"
#include "tools/cluster.hpp"
#include "tools/files.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

/// Of each kind of remark so many are printed; a count stands for the rest.
constexpr std::size_t kMaxRemarks = 20;

/// Files as given, and what looks like a manifest in folders.
std::vector<std::string> manifest_paths(const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  for (const std::string& word : words) {
    bool is_given = word == "-" || !is_folder(word);
    for (const std::string& path : expand_paths({word}, "")) {
      if (is_given || path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json")) {
        paths.push_back(path);
      }
    }
  }
  if (paths.empty())
    throw Error("nothing-to-load", "there is no manifest (.yaml, .yml, .json) in these folders");
  return paths;
}

struct Input {
  std::vector<kube::Manifest> manifests;
  std::vector<kube::Object> objects;
};

Input read_input(const Context& context, const std::vector<std::string>& paths,
                 const kube::Substitutions& values) {
  Input input;
  for (const std::string& path : paths) {
    std::string text = read_file(context, path, kMaxManifestBytes);
    input.manifests.push_back(kube::parse_manifest(std::move(text), path == "-" ? "<stdin>" : path, values));
  }
  // Objects point at their manifest: it may no longer move.
  for (const kube::Manifest& manifest : input.manifests) {
    std::vector<kube::Object> objects = kube::objects_of(manifest);
    input.objects.insert(input.objects.end(), objects.begin(), objects.end());
  }
  if (input.objects.empty()) throw Error("nothing-to-load", "there is no object in the manifests");
  return input;
}

/// What a load did to the objects of one kind. Objects from other files are not counted.
struct Count {
  std::size_t added = 0;
  std::size_t changed = 0;
  std::size_t same = 0;
  std::size_t removed = 0;
};

using Counts = std::vector<std::pair<std::string_view, Count>>;

/// Files of a World that this load has read.
std::set<std::uint32_t> loaded_files(const World& world, const Input& input) {
  std::set<std::uint32_t> files;
  for (const kube::Manifest& manifest : input.manifests) {
    auto found = std::find(world.files.begin(), world.files.end(), manifest.path());
    if (found != world.files.end()) files.insert(static_cast<std::uint32_t>(found - world.files.begin()));
  }
  return files;
}

template <class T>
bool is_same_elsewhere(const T& old, const T& object) {
  T moved = old;
  moved.origin = object.origin;
  return moved == object;
}

/// Both are sorted alike.
template <class T>
void count(Counts& counts, std::string_view kind, const std::vector<T>& before, const std::vector<T>& after,
           const std::set<std::uint32_t>& loaded) {
  auto key_of = [](const T& object) {
    if constexpr (requires { object.name_space; }) {
      return std::pair<std::string_view, std::string_view>(object.name_space, object.name);
    } else {
      return std::string_view(object.name);
    }
  };
  Count all;
  auto old = before.begin();
  for (const T& object : after) {
    while (old != before.end() && key_of(*old) < key_of(object)) ++old, ++all.removed;
    bool is_new = old == before.end() || key_of(object) < key_of(*old);
    const T* same = is_new ? nullptr : &*old++;
    if (!loaded.contains(object.origin.file)) continue;
    if (is_new) {
      ++all.added;
    } else {
      ++(is_same_elsewhere(*same, object) ? all.same : all.changed);
    }
  }
  all.removed += static_cast<std::size_t>(before.end() - old);
  if (all.added + all.changed + all.same + all.removed > 0) counts.emplace_back(kind, all);
}

Counts counts_of(const World& before, const World& after, const std::set<std::uint32_t>& loaded) {
  Counts counts;
  count(counts, "ResourceFlavor", before.flavors, after.flavors, loaded);
  count(counts, "ClusterQueue", before.cluster_queues, after.cluster_queues, loaded);
  count(counts, "Cohort", before.cohorts, after.cohorts, loaded);
  count(counts, "LocalQueue", before.local_queues, after.local_queues, loaded);
  count(counts, "WorkloadPriorityClass", before.workload_priority_classes, after.workload_priority_classes,
        loaded);
  count(counts, "PriorityClass", before.priority_classes, after.priority_classes, loaded);
  count(counts, "AdmissionCheck", before.admission_checks, after.admission_checks, loaded);
  count(counts, "ProvisioningRequestConfig", before.provisioning_configs, after.provisioning_configs, loaded);
  count(counts, "Topology", before.topologies, after.topologies, loaded);
  count(counts, "Namespace", before.namespaces, after.namespaces, loaded);
  count(counts, "LimitRange", before.limit_ranges, after.limit_ranges, loaded);
  count(counts, "RuntimeClass", before.runtime_classes, after.runtime_classes, loaded);
  count(counts, "Node", before.nodes, after.nodes, loaded);
  count(counts, "Workload", before.workloads, after.workloads, loaded);
  return counts;
}

std::string text_of(const Counts& counts) {
  std::string text;
  for (const auto& [kind, count] : counts) {
    std::vector<std::string> parts;
    if (count.added > 0) parts.push_back(fmt::format("{} added", count.added));
    if (count.changed > 0) parts.push_back(fmt::format("{} changed", count.changed));
    if (count.removed > 0) parts.push_back(fmt::format("{} removed", count.removed));
    if (count.same > 0) parts.push_back(fmt::format("{} as before", count.same));
    text += fmt::format("{}: {}\n", kind, fmt::join(parts, ", "));
  }
  return text;
}

/// Lines beyond the first few become one.
std::string shortened(const std::vector<std::string>& lines, std::string_view rest) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxRemarks); ++i) text += lines[i] + "\n";
  if (lines.size() > kMaxRemarks) text += fmt::format("{} {}\n", lines.size() - kMaxRemarks, rest);
  return text;
}

/// Of the objects that this load brought; what dangled before was said before.
std::vector<DanglingReference> dangling(const World& world, const std::set<std::uint32_t>& loaded) {
  std::vector<DanglingReference> all = dangling_references(world);
  std::erase_if(all,
                [&](const DanglingReference& reference) { return !loaded.contains(reference.origin.file); });
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

void refuse_dangling(const World& world, const std::vector<DanglingReference>& references) {
  if (references.empty()) return;
  const DanglingReference& first = references.front();
  Error error("dangling-reference", text_of(first));
  error.at(world.files[first.origin.file], first.origin.line);
  std::string more =
      references.size() > 1 ? fmt::format("; {} more references dangle", references.size() - 1) : "";
  throw error.help(fmt::format("load the manifest that has it too, or leave --strict out{}", more));
}

std::string text_of_skipped(const World& world, const std::vector<kube::Skipped>& skipped) {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const kube::Skipped& object : skipped) {
    by_kind[fmt::format("{} ({})", object.kind, object.api_version)].push_back(
        report::place_of(world, object.origin));
  }
  std::vector<std::string> lines;
  for (auto& [kind, places] : by_kind) {
    std::size_t more = places.size() > 3 ? places.size() - 3 : 0;
    if (more > 0) places.resize(3);
    lines.push_back(fmt::format("note: {} has no effect on decisions, skipped: {}{}", kind,
                                fmt::join(places, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  return shortened(lines, "more kinds skipped");
}

/// Two of one name in the same manifests: only the last one is loaded. A generateName makes one name here.
std::string text_of_doubles(const Input& input) {
  std::map<std::array<std::string, 4>, std::string> places;
  std::vector<std::string> lines;
  for (const kube::Object& object : input.objects) {
    std::string name(object.name);
    if (const kube::Value* prefix = object.value->at({"metadata", "generateName"});
        name.empty() && prefix != nullptr) {
      name = fmt::format("{}…", prefix->text());
    }
    std::string name_space(object.name_space.empty() ? "default" : object.name_space);
    std::string place = fmt::format("{}:{}", object.manifest->path(), object.line);
    auto [first, is_new] =
        places.try_emplace({std::string(object.group), std::string(object.kind), name_space, name}, place);
    if (is_new) continue;
    lines.push_back(fmt::format("warning: {}: {} `{}` is there before, at {}; the last one counts", place,
                                object.kind, name, first->second));
    first->second = place;
  }
  return shortened(lines, "more objects are there twice");
}

/// Kueue stops scheduling in such a tree; whoever loads it has made a slip.
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

/// A job that is loaded again without a creation time has waited since it came first.
void keep_created(World& world, const World& before) {
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, const Workload*> known;
  for (const Workload& old : before.workloads) known.emplace(Key(old.name_space, old.name), &old);
  for (Workload& workload : world.workloads) {
    if (!workload.synthetic_uid || workload.created != world.now) continue;
    auto old = known.find(Key(workload.name_space, workload.name));
    if (old != known.end() && old->second->synthetic_uid) workload.created = old->second->created;
  }
}

Instant instant_of_load(const Context& context, const Args& args) {
  if (!args.has("now")) return context.clock();
  std::string text = args.value("now");
  if (std::optional<Instant> instant = Instant::parse(text)) return *instant;
  throw Error("usage", fmt::format("`--now` cannot be `{}`", text))
      .help("it is an instant, `2026-01-31T12:00:00Z`");
}

int run(Context& context, const Args& args) {
  if (!args.has("db"))
    throw Error("usage", "`sluice load` needs `--db FILE`").help("the snapshot to make or to change");
  std::vector<std::string> words = args.words();
  if (words.empty()) {
    if (context.in_is_terminal)
      throw Error("usage", "`sluice load` needs manifests").help("files, folders, or `-` for stdin");
    words = {"-"};
  }
  Instant now = instant_of_load(context, args);
  Input input = read_input(context, manifest_paths(words), substitutions(context, pairs_of(args, "set")));
  std::string remarks;
  update_snapshot(args.value("db"), [&](World& world) {
    World before = world;
    if (args.has("replace")) world = World{};
    world.now = now;
    std::vector<kube::Skipped> skipped = kube::add_objects(world, input.objects, {.now = now});
    keep_created(world, before);
    refuse_cohort_cycle(world);
    std::set<std::uint32_t> loaded = loaded_files(world, input);
    std::vector<DanglingReference> references = dangling(world, loaded);
    if (args.has("strict")) refuse_dangling(world, references);
    remarks = text_of_skipped(world, skipped) + text_of_doubles(input) + text_of(world, references) +
              text_of(counts_of(before, world, loaded));
  });
  context.err(remarks);
  return exit_fine;
}

constexpr std::array flags = {
    Flag{.name = "db", .value = "FILE", .help = "the snapshot; made if it is not there"},
    Flag{.name = "set",
         .value = "NAME=VALUE",
         .help = "what ${NAME} in the manifests stands for",
         .repeated = true},
    Flag{.name = "now", .value = "INSTANT", .help = "the snapshot's instant, instead of the clock"},
    Flag{.name = "strict", .help = "refuse objects that name others which are not there"},
    Flag{.name = "replace", .help = "forget what the snapshot held before"},
};

}  // namespace

constinit const Verb load_verb{
    .name = "load",
    .usage = "--db FILE [--set NAME=VALUE] [--now INSTANT] [--strict] [--replace] [PATH…]",
    .summary = "manifests into a snapshot",
    .details =
        "Paths are files of YAML documents or JSON, folders of them (.yaml, .yml, .json), or `-` for stdin.\n"
        "${NAME} is filled in from --set, then from the environment. All of it is loaded, or nothing.\n"
        "An object that the snapshot holds already is replaced; a job keeps its status and the time since "
        "when\n"
        "it waits. Objects that the manifests do not name stay, unless --replace is given.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
