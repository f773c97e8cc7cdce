#pragma once

#include <optional>
#include <string_view>

namespace sluice::kube {

/// The names of an annotation `kueue.x-k8s.io/admission-gated-by`: different ones like `example.com/gate`,
/// separated by commas. Returns the first that is none; empty: all are fine.
/// Source: Kueue pkg/controller/jobframework validation.go; `domain/path` as batch/v1 Job's managedBy.
std::optional<std::string_view> bad_gate_name(std::string_view list);

}  // namespace sluice::kube
