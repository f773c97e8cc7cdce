#include <algorithm>

#include "decide/core.hpp"

namespace sluice::decide {
namespace {

/// Searches the largest counts of pods, from those of the spec down to minCount, that pass `fits`; true if the
/// last counts that passed are them. Binary, as Kueue's search: where more pods pass but fewer do not, both miss
/// the same counts. Source   Kueue pkg/scheduler/flavorassigner podset_reducer.go.
template <class Fits>
bool search_counts(const std::vector<PodSetShape>& pod_sets, Fits fits) {
  std::int64_t steps = 0;
  for (const PodSetShape& pod_set : pod_sets) steps += pod_set.spec_count - pod_set.least;
  if (steps <= 0) return false;
  std::vector<std::int64_t> counts(pod_sets.size());
  std::int64_t passed = 0;
  std::int64_t low = 0;
  std::int64_t high = steps + 1;
  while (low < high) {
    std::int64_t middle = (low + high) / 2;
    for (std::size_t i = 0; i < pod_sets.size(); ++i) {
      std::int64_t spare = pod_sets[i].spec_count - pod_sets[i].least;
      counts[i] = pod_sets[i].spec_count - spare * middle / steps;
    }
    if (fits(counts)) {
      passed = high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low == passed;
}

}  // namespace

/// Tries fewer pods, once the full number neither fits nor can be made to fit by preemption. More pods with
/// preemption are better than fewer without.
bool Core::shrink(Entry& entry, const Progress* progress, const std::vector<Choice>* pinned) {
  const Work& work = works[entry.work];
  std::vector<Target> targets;
  bool found = search_counts(shapes[work.shape].pod_sets, [&](std::span<const std::int64_t> counts) {
    assigner_.shrink_to(counts);
    assigner_.assign(entry.work, cycle_number, generation(work.asks()), now, progress, pinned, true, reduced_);
    assigner_.shrink_to({});
    targets.clear();
    if (reduced_.verdict == Verdicts::preempt) find_targets(reduced_, entry.work, entry.replaced, targets);
    if (reduced_.verdict != Verdicts::fit && targets.empty()) return false;
    std::swap(found_, reduced_);
    std::swap(found_targets_, targets);
    return true;
  });
  if (!found) return false;
  std::swap(entry.assignment, found_);
  std::swap(entry.targets, found_targets_);
  return true;
}

bool Core::fits(WorkId id, bool with_rules, Assignment& out) {
  assigner_.assign(id, 0, 0, now, nullptr, nullptr, with_rules, out);
  if (out.verdict == Verdicts::fit || !gates.partial_admission) return out.verdict == Verdicts::fit;
  return search_counts(shapes[works[id].shape].pod_sets, [&](std::span<const std::int64_t> counts) {
    assigner_.shrink_to(counts);
    assigner_.assign(id, 0, 0, now, nullptr, nullptr, with_rules, reduced_);
    assigner_.shrink_to({});
    return reduced_.verdict == Verdicts::fit;
  });
}

}  // namespace sluice::decide
