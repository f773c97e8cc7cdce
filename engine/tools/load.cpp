#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "kube/decode.hpp"
#include "kube/manifest.hpp"
#include "state/snapshot.hpp"
#include "tools/cluster.hpp"
#include "tools/files.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/remarks.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

struct Input {
  std::vector<std::string> paths;  ///< as messages show them
  std::vector<kube::Manifest> manifests;
  std::vector<kube::Object> objects;
};

/// Every manifest is read before the snapshot is touched.
Input read_input(const Context& context, const Args& args, const std::vector<std::string>& words) {
  Input input;
  for (std::size_t i = 0; i < words.size(); ++i) {
    kube::Substitutions values = substitutions(context, pairs_for_word(args, "set", i));
    for (const std::string& path : manifest_files(words[i])) {
      std::string text = read_file(context, path, kMaxManifestBytes);
      input.paths.push_back(path == "-" ? "<stdin>" : path);
      input.manifests.push_back(kube::parse_manifest(std::move(text), input.paths.back(), values));
    }
  }
  if (input.paths.empty()) {
    throw Error("nothing-to-load", "there is no manifest (.yaml, .yml, .json) in these folders");
  }
  // Objects point at their manifest: it may no longer move.
  kube::GeneratedNames names;
  for (const kube::Manifest& manifest : input.manifests) {
    std::vector<kube::Object> objects = kube::objects_of(manifest);
    names.number(objects);
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

template <class T>
bool is_same_elsewhere(const T& old, const T& object) {
  T moved = old;
  moved.origin = object.origin;
  return moved == object;
}

/// Both are sorted alike.
template <class List>
void count(Counts& counts, std::string_view kind, const List& before, const List& after,
           const std::set<std::uint32_t>& loaded) {
  using T = typename List::value_type;
  auto key_of = [](const T& object) {
    if constexpr (requires { object.name_space; }) {
      return std::pair<std::string_view, std::string_view>(object.name_space, object.name);
    } else {
      return std::string_view(object.name);
    }
  };
  Count all;
  auto old = before.begin();
  for (const auto& object : after) {
    while (old != before.end() && key_of(*old) < key_of(object)) ++old, ++all.removed;
    bool is_new = old == before.end() || key_of(object) < key_of(*old);
    const auto* same = is_new ? nullptr : std::addressof(*old++);
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
  count(counts, "ProvisioningRequest", before.provisioning_requests, after.provisioning_requests, loaded);
  count(counts, "Topology", before.topologies, after.topologies, loaded);
  count(counts, "Namespace", before.namespaces, after.namespaces, loaded);
  count(counts, "LimitRange", before.limit_ranges, after.limit_ranges, loaded);
  count(counts, "RuntimeClass", before.runtime_classes, after.runtime_classes, loaded);
  count(counts, "Node", before.nodes, after.nodes, loaded);
  count(counts, "Pod", before.pods, after.pods, loaded);
  count(counts, "Workload", before.workloads, after.workloads, loaded);
  return counts;
}

std::string text_of_counts(const Counts& counts) {
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

/// A queue without its flavor is broken wiring, and found here at best. A job without its queue is not: it
/// waits, and `why` says for what.
void refuse_dangling(const World& world, const std::vector<DanglingReference>& references) {
  auto is_wiring = [](const DanglingReference& reference) { return !reference.from_workload; };
  auto count = std::count_if(references.begin(), references.end(), is_wiring);
  if (count == 0) return;
  const DanglingReference& first = *std::find_if(references.begin(), references.end(), is_wiring);
  Error error("dangling-reference", text_of(first));
  error.at(world.files[first.origin.file], first.origin.line);
  std::string more = count > 1 ? fmt::format("; {} more dangle", count - 1) : "";
  throw error.help(fmt::format("load the manifest that has it too, or allow it with --allow-dangling{}", more));
}

/// Two of one name in the same manifests: only the last one is loaded. A generateName makes a new name for each.
std::string text_of_doubles(const Input& input) {
  std::map<std::array<std::string, 4>, std::string> places;
  std::vector<std::string> lines;
  for (const kube::Object& object : input.objects) {
    if (object.name.empty()) continue;
    std::string name(object.name);
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

/// A job that is loaded again without a creation time has waited since it came first.
void keep_created(World& world, const World& before) {
  using Key = std::pair<std::string_view, std::string_view>;
  std::map<Key, const Workload*> known;
  for (const Workload& old : before.workloads) known.emplace(Key(old.name_space, old.name), &old);
  for (std::size_t i = 0; i < world.workloads.size(); ++i) {
    const Workload& workload = world.workloads[i];
    if (!workload.synthetic_uid || workload.created != world.now) continue;
    auto old = known.find(Key(workload.name_space, workload.name));
    if (old != known.end() && old->second->synthetic_uid)
      world.workloads.edit(i).created = old->second->created;
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
  Configuration kueue = kueue_of(context, args);
  Input input = read_input(context, args, words);
  std::string remarks;
  update_snapshot(args.value("db"), [&](World& world) {
    World before = world;
    if (args.has("replace")) world = World{};
    world.now = now;
    std::vector<kube::Skipped> skipped = kube::add_objects(world, input.objects, {.now = now, .kueue = kueue});
    keep_created(world, before);
    refuse_cohort_cycle(world);
    std::set<std::uint32_t> loaded = numbers_of(world, input.paths);
    std::vector<DanglingReference> references = dangling_references(world, loaded);
    if (!args.has("allow-dangling")) refuse_dangling(world, references);
    remarks = text_of(world, skipped) + text_of_doubles(input) + text_of(world, references) +
              text_of_counts(counts_of(before, world, loaded));
  });
  context.err(remarks);
  return exit_fine;
}

constexpr std::array flags = {
    Flag{.name = "db", .value = "FILE", .help = "the snapshot; made if it is not there"},
    Flag{.name = "set",
         .value = "NAME=VALUE",
         .help = "what ${NAME} in the manifests behind it stands for; in all, if given once",
         .repeated = true},
    Flag{.name = "now", .value = "INSTANT", .help = "the snapshot's instant, instead of the clock"},
    Flag{.name = "allow-dangling", .help = "only warn of objects that name others which are not there"},
    Flag{.name = "replace", .help = "forget what the snapshot held before"},
    kueue_load_flag,
    kueue_config_flag,
    feature_gates_flag,
};

}  // namespace

constinit const Verb load_verb{
    .name = "load",
    .usage = "--db FILE [--set NAME=VALUE] [--now INSTANT] [--allow-dangling] [--replace] [PATH…]",
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
