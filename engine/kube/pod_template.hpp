#pragma once

#include <cstdint>

#include "kube/manifest.hpp"
#include "model/objects.hpp"
#include "model/pod.hpp"

namespace sluice::kube {

/// What a null in a map of texts or quantities is: nothing in a custom resource, whose schema prunes it; the
/// empty text or 0 in a built-in kind, which Go decodes.
enum class Nulls : std::uint8_t { absent, zero };

/// A pod template (`metadata` and `spec`) as Kueue sees it: a job's `template`, a Workload's, or a whole Pod.
/// No template (nullptr) is an empty one. The object has passed `check_schema`; what that cannot see (a
/// quantity beyond what Kubernetes reads) is an Error `bad-object` at its place.
PodTemplate pod_template_of(const Manifest& manifest, const Value* pod, Nulls nulls = Nulls::absent);

/// The same of what stands in `spec`, into a template that has its metadata.
void read_pod_spec(const Manifest& manifest, const Value& spec, PodTemplate& into, Nulls nulls = Nulls::absent);
/// A list of containers; none if it is absent.
std::vector<Container> containers_of(const Manifest& manifest, const Value* list, Nulls nulls = Nulls::absent);

/// A map of texts: labels, annotations, a node selector.
Labels labels_of(const Value* map, Nulls nulls = Nulls::absent);
/// Resource name to quantity. Throws Error `bad-object` for a text that is no quantity.
Resources resources_of(const Manifest& manifest, const Value* map, Nulls nulls = Nulls::absent);
std::vector<Toleration> tolerations_of(const Value* list);
/// `podSetUpdates` of a check's state.
std::vector<PodSetUpdate> pod_set_updates_of(const Value* list);
std::vector<Taint> taints_of(const Value* list);
/// The `matchExpressions` of a selector or node selector term.
std::vector<Requirement> requirements_of(const Value* list);

/// A whole number of the manifest; `otherwise` if it is absent. The schema has checked type and range.
std::int64_t integer_or(const Value* value, std::int64_t otherwise);
/// The text of a string; empty if it is absent.
std::string text_of(const Value* value);
/// A boolean; `otherwise` if it is absent.
bool boolean_or(const Value* value, bool otherwise);

}  // namespace sluice::kube
