#pragma once

#include <string>
#include <string_view>

#include "kube/decode.hpp"
#include "kube/manifest.hpp"
#include "model/world.hpp"

/// One function a kind: an object that has passed its schema to the struct of the model. They check what
/// Kueue's webhooks and the CRDs' rules check and throw Error `bad-object` at its place. Inside of kube only.
namespace sluice::kube {

struct Input {
  const Object& object;
  const DecodeOptions& options;
  Origin origin;
};

ResourceFlavor resource_flavor_of(const Input& input);
ClusterQueue cluster_queue_of(const Input& input);
Cohort cohort_of(const Input& input);
LocalQueue local_queue_of(const Input& input);
Workload workload_of(const Input& input);
WorkloadPriorityClass workload_priority_class_of(const Input& input);
AdmissionCheck admission_check_of(const Input& input);
ProvisioningRequestConfig provisioning_config_of(const Input& input);
ProvisioningRequest provisioning_request_of(const Input& input);
Topology topology_of(const Input& input);

PriorityClass priority_class_of(const Input& input);
Namespace namespace_of(const Input& input);
LimitRange limit_range_of(const Input& input);
RuntimeClass runtime_class_of(const Input& input);
TrainingRuntime training_runtime_of(const Input& input);
Node node_of(const Input& input);
/// A pod that is bound to a node.
Pod pod_on_node_of(const Input& input);

// What several of them need.

[[noreturn]] void refuse(const Object& object, const Value& at, std::string message, std::string help = {});

/// metadata.name, or what a generateName becomes: the prefix and five digits, `00000` for the first.
std::string name_of(const Object& object);
/// metadata.namespace, `default` if there is none.
std::string namespace_name_of(const Object& object);
std::int64_t generation_of(const Object& object);

Quantity quantity_of(const Object& object, const Value& value);
/// Not negative.
Quantity amount_of(const Object& object, const Value& value);
/// metav1.Time: RFC 3339.
Instant instant_of(const Object& object, const Value& value);

/// metav1.LabelSelector; `nothing` without a value.
LabelSelector selector_of(const Object& object, const Value* value);

void check_labels(const Object& object, const Value* labels);
std::vector<Taint> checked_taints(const Object& object, const Value* list);
std::vector<Toleration> checked_tolerations(const Object& object, const Value* list);

/// status.admission.podSetAssignments[].topologyAssignment: v1beta1 lists the domains, v1beta2 packs them.
TopologyAssignment topology_assignment_of(const Object& object, const Value& value);

/// Is the condition of this type true? It is taken to be when the object has no conditions at all: whoever wrote it
/// down left them out.
bool is_true_or_unsaid(const Object& object, std::string_view type);

}  // namespace sluice::kube
