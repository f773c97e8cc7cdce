#pragma once

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"
#include "lang/checked.hpp"

namespace sluice::lang {

/// What the hit policies of the decision points forbid: two scores, two placements, two defaults of one field for
/// the same workload; and rungs of a fallback that are never reached. Each with a case that shows it.
/// The declarations have no errors.
void check_hits(const Checked& checked, const SourceMap& sources, Diagnostics& diagnostics);

}  // namespace sluice::lang
