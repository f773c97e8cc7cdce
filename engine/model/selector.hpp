#pragma once

#include "model/objects.hpp"

namespace sluice {

/// Source: Kubernetes API, label selectors and node affinity (`Gt` and `Lt` compare whole numbers).
bool matches(const Requirement& requirement, const Labels& labels);
bool matches(const LabelSelector& selector, const Labels& labels);

}  // namespace sluice
