#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "kube/job_parts.hpp"

// Source: Kueue pkg/controller/jobframework tas.go, tas_validation.go.
namespace sluice::kube::jobs {
namespace {

constexpr std::string_view kRequired = "kueue.x-k8s.io/podset-required-topology";
constexpr std::string_view kPreferred = "kueue.x-k8s.io/podset-preferred-topology";
constexpr std::string_view kUnconstrained = "kueue.x-k8s.io/podset-unconstrained-topology";
constexpr std::string_view kSliceRequired = "kueue.x-k8s.io/podset-slice-required-topology";
constexpr std::string_view kSliceSize = "kueue.x-k8s.io/podset-slice-size";
constexpr std::string_view kSliceLayers = "kueue.x-k8s.io/podset-slice-required-topology-constraints";
constexpr std::size_t kMostLayers = 3;
constexpr std::string_view kGroup = "kueue.x-k8s.io/podset-group-name";

const std::string* find(const Labels& annotations, std::string_view key) {
  auto at = annotations.find(std::string(key));
  return at == annotations.end() ? nullptr : &at->second;
}

std::optional<std::int32_t> go_int32(std::string_view text) {
  std::optional<std::int64_t> n = go_integer(text);
  if (!n || *n != static_cast<std::int32_t>(*n)) return {};
  return static_cast<std::int32_t>(*n);
}

/// The annotation's list, as Go's JSON decoder takes it; empty: it is none.
std::optional<std::vector<SliceLayer>> layers_in(const std::string& text) {
  std::vector<SliceLayer> layers;
  try {
    Manifest manifest = parse_json(text, "annotation", 1);
    if (manifest.documents().size() != 1 || !manifest.documents()[0].is_list()) return {};
    for (const Value& item : manifest.documents()[0].items()) {
      if (!item.is_map()) return {};
      SliceLayer& layer = layers.emplace_back();
      if (const Value* topology = item.find("topology")) layer.level = topology->text();
      if (const Value* size = item.find("size")) {
        std::optional<std::int32_t> number = go_int32(size->text());
        if (!size->is_number() || !number) return {};
        layer.size = *number;
      }
    }
  } catch (const Error&) {
    return {};
  }
  return layers;
}

/// Refuses at an annotation of a template.
[[noreturn]] void refuse(const Job& job, const Draft& draft, std::string_view key, std::string message,
                         std::string help = {}) {
  const Value* at = nullptr;
  if (draft.metadata) at = draft.metadata->at({"annotations", key});
  if (!at) at = draft.template_at ? draft.template_at : job.object->value;
  // The webhook of StatefulSets does not look at these annotations.
  RefusedBy by = job.object->kind == "StatefulSet" ? RefusedBy::reconciler : RefusedBy::validating_webhook;
  job.refuse(by, *at, std::move(message), std::move(help));
}

}  // namespace

void set_topology(const Job& job, Draft& draft, const Labels& annotations, const TopologyLabels& labels) {
  if (!job.options->kueue.gates.topology_aware) return;
  const std::string* required = find(annotations, kRequired);
  const std::string* preferred = find(annotations, kPreferred);
  const std::string* unconstrained = find(annotations, kUnconstrained);
  const std::string* slice = find(annotations, kSliceRequired);
  const std::string* slice_size = find(annotations, kSliceSize);
  const std::string* layers = find(annotations, kSliceLayers);
  const std::string* group = find(annotations, kGroup);

  TopologyRequest request;
  if (required) {
    request.mode = TopologyRequest::Mode::required;
    request.level = *required;
  } else if (preferred) {
    request.mode = TopologyRequest::Mode::preferred;
    request.level = *preferred;
  } else if (unconstrained) {
    std::optional<bool> value = go_boolean(*unconstrained);
    if (!value)
      refuse(job, draft, kUnconstrained, fmt::format("`{}` must be `true` or `false`", kUnconstrained));
    if (*value) request.mode = TopologyRequest::Mode::unconstrained;
  } else if (!(slice && slice_size) && !layers && labels.pod_index.empty() && labels.sub_group_index.empty() &&
             !labels.sub_group_count) {
    return;
  }
  if (layers) {
    std::optional<std::vector<SliceLayer>> list = layers_in(*layers);
    if (!list || list->empty() || list->size() > kMostLayers)
      refuse(job, draft, kSliceLayers, fmt::format("`{}` must be a list of 1 to {} layers", kSliceLayers, kMostLayers));
    request.slice_layers = std::move(*list);
  } else if (slice && slice_size) {
    std::optional<std::int32_t> size = go_int32(*slice_size);
    if (!size) refuse(job, draft, kSliceSize, fmt::format("`{}` must be a whole number", kSliceSize));
    request.slice_level = *slice;
    request.slice_size = size;
  }
  if (!labels.pod_index.empty()) request.pod_index_label = std::string(labels.pod_index);
  if (!labels.sub_group_index.empty()) request.sub_group_index_label = std::string(labels.sub_group_index);
  request.sub_group_count = labels.sub_group_count;
  if (group && (required || preferred)) request.group = *group;
  draft.pod_set.topology = std::move(request);
}

namespace {

void check_layers(const Job& job, const Draft& draft, const std::string& text, bool has_slice) {
  if (has_slice) {
    refuse(job, draft, kSliceLayers,
           fmt::format("`{}` cannot stand beside `{}` and `{}`", kSliceLayers, kSliceRequired, kSliceSize));
  }
  std::optional<std::vector<SliceLayer>> layers = layers_in(text);
  if (!layers || layers->empty() || layers->size() > kMostLayers)
    refuse(job, draft, kSliceLayers, fmt::format("`{}` must be a list of 1 to {} layers", kSliceLayers, kMostLayers),
           "[{\"topology\": NODE LABEL, \"size\": PODS}, …]");
  for (std::size_t i = 0; i < layers->size(); ++i) {
    const SliceLayer& layer = (*layers)[i];
    if (!is_qualified_name(layer.level))
      refuse(job, draft, kSliceLayers, fmt::format("`{}` is no label name: `{}`", layer.level, kSliceLayers));
    if (layer.size < 1)
      refuse(job, draft, kSliceLayers, fmt::format("the size of a layer is at least 1, not {}", layer.size));
    if (i == 0) continue;
    const SliceLayer& above = (*layers)[i - 1];
    for (std::size_t k = 0; k < i; ++k) {
      if ((*layers)[k].level == layer.level)
        refuse(job, draft, kSliceLayers, fmt::format("two layers of `{}` are of `{}`", kSliceLayers, layer.level));
    }
    if (above.size % layer.size != 0)
      refuse(job, draft, kSliceLayers,
             fmt::format("{} pods of a layer cannot be made of slices of {}", above.size, layer.size));
  }
  if (layers->front().size > draft.pod_set.count) {
    refuse(job, draft, kSliceLayers,
           fmt::format("`{}` begins with {}, more than the {} pods of pod set `{}`", kSliceLayers,
                       layers->front().size, draft.pod_set.count, draft.pod_set.name));
  }
}

}  // namespace

void check_topology(const Job& job, const Draft& draft, const Labels& annotations) {
  if (!job.options->kueue.gates.topology_aware) return;
  const std::string* required = find(annotations, kRequired);
  const std::string* preferred = find(annotations, kPreferred);
  const std::string* unconstrained = find(annotations, kUnconstrained);
  const std::string* slice = find(annotations, kSliceRequired);
  const std::string* slice_size = find(annotations, kSliceSize);
  const std::string* group = find(annotations, kGroup);
  const std::string* layers = find(annotations, kSliceLayers);

  if ((required != nullptr) + (preferred != nullptr) + (unconstrained != nullptr) > 1) {
    refuse(job, draft, required ? kRequired : kPreferred,
           fmt::format("`{}` has more than one topology annotation", draft.path),
           fmt::format("keep one of `{}`, `{}`, `{}`", kRequired, kPreferred, kUnconstrained));
  }
  const std::pair<std::string_view, const std::string*> levels[] = {
      {kRequired, required}, {kPreferred, preferred}, {kSliceRequired, slice}};
  for (const auto& [key, level] : levels) {
    if (level && !is_qualified_name(*level))
      refuse(job, draft, key, fmt::format("`{}` is no label name: `{}`", *level, key));
  }
  if (group) {
    if (!group->empty() && group->find_first_not_of("0123456789") == std::string::npos)
      refuse(job, draft, kGroup, fmt::format("`{}` must not be a number", kGroup));
    for (std::string_view other : {kSliceSize, kSliceRequired, kSliceLayers}) {
      if (find(annotations, other))
        refuse(job, draft, kGroup, fmt::format("`{}` cannot stand beside `{}`", kGroup, other));
    }
    if (!preferred && !required)
      refuse(job, draft, kGroup, fmt::format("`{}` needs `{}` or `{}`", kGroup, kPreferred, kRequired));
  }
  if (unconstrained && !go_boolean(*unconstrained)) {
    refuse(job, draft, kUnconstrained,
           fmt::format("`{}` must be `true` or `false`, not `{}`", kUnconstrained, *unconstrained));
  }
  if (layers) {
    check_layers(job, draft, *layers, slice || slice_size);
    return;
  }
  if (slice_size) {
    std::optional<std::int32_t> size = go_int32(*slice_size);
    if (!size || *size < 1) {
      refuse(job, draft, kSliceSize,
             fmt::format("`{}` must be a whole number of at least 1, not `{}`", kSliceSize, *slice_size));
    }
    if (!slice) refuse(job, draft, kSliceSize, fmt::format("`{}` needs `{}`", kSliceSize, kSliceRequired));
    if (*size > draft.pod_set.count) {
      refuse(job, draft, kSliceSize,
             fmt::format("`{}` is {}, more than the {} pods of pod set `{}`", kSliceSize, *size,
                         draft.pod_set.count, draft.pod_set.name));
    }
  } else if (slice) {
    refuse(job, draft, kSliceRequired, fmt::format("`{}` needs `{}`", kSliceRequired, kSliceSize));
  }
}

void check_topology_groups(const Job& job, std::span<const Draft> drafts) {
  if (!job.options->kueue.gates.topology_aware) return;
  std::vector<std::string> names;  // in order of appearance
  for (const Draft& d : drafts) {
    if (!d.pod_set.topology || !d.pod_set.topology->group) continue;
    if (std::find(names.begin(), names.end(), *d.pod_set.topology->group) == names.end())
      names.push_back(*d.pod_set.topology->group);
  }
  for (const std::string& name : names) {
    std::vector<const Draft*> members;
    for (const Draft& d : drafts) {
      if (d.pod_set.topology && d.pod_set.topology->group == name) members.push_back(&d);
    }
    const Draft& first = *members.front();
    if (members.size() != 2) {
      refuse(job, first, kGroup,
             fmt::format("a group of pod sets has exactly two, `{}` has {}", name, members.size()));
    }
    const Draft& second = *members.back();
    if (first.pod_set.count != 1 && second.pod_set.count != 1) {
      refuse(job, first, kGroup,
             fmt::format("one pod set of a group must have a single pod; those of `{}` have {} and {}", name,
                         first.pod_set.count, second.pod_set.count));
    }
    const TopologyRequest& a = *first.pod_set.topology;
    const TopologyRequest& b = *second.pod_set.topology;
    if (a.mode != b.mode || a.level != b.level) {
      refuse(job, second, kGroup,
             fmt::format("pod sets `{}` and `{}` of group `{}` must ask for the same topology level",
                         first.pod_set.name, second.pod_set.name, name));
    }
  }
}

}  // namespace sluice::kube::jobs
