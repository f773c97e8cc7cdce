#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "kube/decode.hpp"
#include "model/references.hpp"
#include "model/world.hpp"

/// What verbs say about the objects they were given, beside their answer.
namespace sluice::tools {

/// The numbers in World::files of those that were read now.
std::set<std::uint32_t> numbers_of(const World& world, const std::vector<std::string>& paths);

/// References of objects of these files to what is not there.
std::vector<DanglingReference> dangling_references(const World& world, const std::set<std::uint32_t>& files);
/// ClusterQueue `training` names ResourceFlavor `spot`, which is not there
std::string text_of(const DanglingReference& reference);
/// A warning a line.
std::string text_of(const World& world, const std::vector<DanglingReference>& references);

/// A note for each kind whose objects have no effect on decisions.
std::string text_of(const World& world, const std::vector<kube::Skipped>& skipped);

/// A line each, up to a number that one reads; then how many there are of `rest`.
std::string shortened(const std::vector<std::string>& lines, std::string_view rest);

/// Kueue does not schedule in such a tree; whoever writes it has made a slip. Throws Error "cohort-cycle".
void refuse_cohort_cycle(const World& world);

}  // namespace sluice::tools
