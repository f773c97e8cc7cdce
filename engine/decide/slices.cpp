#include "decide/core.hpp"

/// Elastic jobs: a workload that has grown stands in the queue as a new one, and replaces the old one once it is
/// admitted. Source   Kueue pkg/workloadslicing.
namespace sluice::decide {
namespace {

constexpr const char* kReplacement = "kueue.x-k8s.io/workload-slice-replacement-for";

}  // namespace

/// Reads from its annotation what it replaces: `namespace/name`.
void Core::find_replaced(Work& work) const {
  work.replaces.reset();
  if (!gates.elastic_slices) return;
  auto it = work.object->annotations.find(kReplacement);
  if (it == work.object->annotations.end()) return;
  std::string::size_type slash = it->second.find('/');
  if (slash == std::string::npos) return;
  work.replaces = WorkloadName{it->second.substr(0, slash), it->second.substr(slash + 1)};
}

/// The slice that a head replaces: one that holds quota in its queue. kNone: none.
WorkId Core::replaced_slice(const Work& work) const {
  if (!work.replaces || work.replaces->name_space != work.object->name_space) return kNone;
  WorkId id = find(*work.replaces);
  if (id == kNone || !works[id].holds_quota() || works[id].holds_in != work.queue) return kNone;
  return preemptor_.is_left_out(works[id]) ? kNone : id;
}

}  // namespace sluice::decide
