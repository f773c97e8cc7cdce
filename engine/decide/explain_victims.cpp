#include <algorithm>
#include <tuple>
#include <utility>

#include "decide/core.hpp"
#include "decide/decay.hpp"

namespace sluice::decide {

/// A search for victims in names.
VictimSearch Core::describe(const SearchLog& log) const {
  VictimSearch out;
  QueueId queue = kNone;
  for (QueueId id = 0; id < cluster.queues.size(); ++id) {
    if (cluster.queues[id].node == log.queue) queue = id;
  }
  out.policy = cluster.queues[queue].object->preemption;
  out.priority = log.priority;
  out.found = log.found;
  out.lacks_place = log.lacks_place;
  for (const Group& group : cluster.queues[queue].groups) {
    for (std::size_t place = 0; place < group.cells.size(); ++place) {
      for (const SearchLog::Need& need : log.needs) {
        if (group.cells[place] != need.cell) continue;
        out.needs.push_back({cluster.flavor_names.text(group.flavors[place / group.resources.size()]),
                             cluster.resources.text(group.resources[place % group.resources.size()]), need.amount,
                             need.missing});
      }
    }
  }
  std::vector<SearchLog::Line> lines = log.lines();
  auto rank = [](const SearchLog::Line& line) { return std::pair(!is_candidate(line.fate), line.turn); };
  std::stable_sort(lines.begin(), lines.end(), [&](const SearchLog::Line& a, const SearchLog::Line& b) {
    if (rank(a) != rank(b) || is_candidate(a.fate)) return rank(a) < rank(b);
    const Work& x = works[a.work];
    const Work& y = works[b.work];
    return std::tuple(x.holds_in, name_of(x)) < std::tuple(y.holds_in, name_of(y));
  });
  for (const SearchLog::Line& line : lines) {
    const Work& work = works[line.work];
    std::string node = line.node == QuotaTree::none ? "" : cluster.node_names[line.node];
    out.candidates.push_back({name_of(work), cluster.queues[work.holds_in].object->name, work.priority, work.evicted,
                              line.fate, line.reason, std::move(node), line.shares, std::nullopt});
    if (cluster.queues[work.holds_in].by_usage)
      out.candidates.back().local_usage = cluster.usage_of(work.local);
  }
  return out;
}

/// The workload's own LocalQueue first.
std::vector<LocalQueueUsage> Core::describe_local_usages(const Work& work) const {
  std::vector<LocalQueueUsage> out;
  if (!local_usage || work.queue == kNone || !cluster.queues[work.queue].by_usage) return out;
  for (const auto& [name, info] : cluster.local_queues) {
    if (info.queue != work.queue) continue;
    double weight = info.object->fair_weight ? approximate(*info.object->fair_weight) : 1;
    out.push_back({name.first, name.second, cluster.usage_of(info.id), weight, local_usage->ledger.has_penalty(info.id)});
  }
  std::stable_sort(out.begin(), out.end(), [&](const LocalQueueUsage& a, const LocalQueueUsage& b) {
    auto is_own = [&](const LocalQueueUsage& one) {
      return one.name_space == work.object->name_space && one.name == work.object->queue;
    };
    if (is_own(a) != is_own(b)) return is_own(a);
    return a.usage < b.usage;
  });
  return out;
}

}  // namespace sluice::decide
