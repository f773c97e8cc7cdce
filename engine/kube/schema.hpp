#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/manifest.hpp"

/// What the API server's schemas say about the kinds that Sluice reads: Kueue v1beta1 and v1beta2, KubeRay,
/// JobSet, LeaderWorkerSet, Kubeflow's training and MPI jobs, ProvisioningRequest, ComputeClass, and the
/// built-in Pod, Job, Deployment, StatefulSet, Namespace, Node, LimitRange, PriorityClass, RuntimeClass.
namespace sluice::kube {

/// Is the kind in the tables? Other kinds are not checked.
bool has_schema(std::string_view group, std::string_view version, std::string_view kind);

/// One thing that is wrong with an object.
struct Problem {
  enum class Kind : std::uint8_t {
    unknown_field,  ///< the decoder refuses it: `kubectl` does so by default
    wrong_type,     ///< the decoder refuses it
    missing_field,
    bad_value,  ///< out of range, not in the enum, too long, no match of the pattern
    duplicate,  ///< two items of a list with the same key
  };
  Kind kind;
  const Value* at;      ///< the key of an unknown field, the value otherwise
  std::string path;     ///< `spec.template.spec.containers[0].image`
  std::string message;  ///< lower case, the user's words in backticks
  std::string help;     ///< what to write instead, or empty
  bool scalar = false;  ///< of a missing field: a text, number or boolean that may be empty, 0, false
};

/// Every problem of an object, first those that the decoder would find, each group in the order of the file.
/// Nothing for a kind without schema. Null counts as absent. CEL rules of the CRDs are not evaluated.
std::vector<Problem> schema_problems(const Object& object);

/// Throws the first problem as Error `bad-object` with place and help.
void check_schema(const Object& object);
/// The same for `value` as if it were the field `field` of the object in another version of its kind.
std::vector<Problem> schema_problems(const Object& object, const Value& value, std::string_view version,
                                     std::string_view field);
void check_schema(const Object& object, const Value& value, std::string_view version, std::string_view field);

/// The default of a field, as JSON text: `default_of("ray.io", "v1", "RayJob", "spec.submissionMode")` is
/// `"K8sJobMode"` with its quotes. Items of lists and values of maps are `[]`. Empty if it has none.
std::optional<std::string_view> default_of(std::string_view group, std::string_view version,
                                           std::string_view kind, std::string_view path);

/// Every field that holds a value, as a path: `spec.podSets[].count`; items of lists and values of maps are `[]`.
/// Empty for a kind without schema.
std::vector<std::string> schema_paths(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace sluice::kube
