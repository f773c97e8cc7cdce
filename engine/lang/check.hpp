#pragma once

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"
#include "lang/checked.hpp"
#include "lang/resolve.hpp"
#include "model/world.hpp"

namespace sluice::lang {

/// Types, units, fields, names, verdicts and what Kueue's own webhooks would refuse; then, if all that is right,
/// what no file shows by itself: overlapping rules, unreachable rungs, costs. Fills the tables of `checked`.
/// `known`: the snapshot that names may come from, or null.
void check(Checked& checked, const Scopes& scopes, const SourceMap& sources, const World* known,
           Diagnostics& diagnostics);

}  // namespace sluice::lang
