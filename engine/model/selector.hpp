#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/objects.hpp"

namespace sluice {

/// A whole number as Go's ParseInt reads it.
std::optional<std::int64_t> whole_number(std::string_view text);

/// Source: Kubernetes API, label selectors and node affinity (`Gt` and `Lt` compare whole numbers).
bool matches(const Requirement& requirement, const Labels& labels);
/// Whether the operator is one of node affinity, and takes the values. Source: apimachinery labels.NewRequirement.
bool is_valid(const Requirement& requirement);
bool matches(const LabelSelector& selector, const Labels& labels);

}  // namespace sluice
