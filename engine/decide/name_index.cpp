#include "decide/name_index.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>

namespace sluice::decide {
namespace {

std::size_t hash_of(std::string_view name_space, std::string_view name) {
  std::hash<std::string_view> hash;
  return hash(name) * 31 + hash(name_space);
}

}  // namespace

void NameIndex::insert(const Works& works, WorkId id) {
  const Workload& object = *works[id].object;
  by_hash_.emplace(hash_of(object.name_space, object.name), id);
}

void NameIndex::erase(const Works& works, WorkId id) {
  const Workload& object = *works[id].object;
  auto [begin, end] = by_hash_.equal_range(hash_of(object.name_space, object.name));
  auto it = std::find_if(begin, end, [&](const auto& entry) { return entry.second == id; });
  if (it != end) by_hash_.erase(it);
}

WorkId NameIndex::find(const Works& works, const WorkloadName& name) const {
  auto [begin, end] = by_hash_.equal_range(hash_of(name.name_space, name.name));
  auto it = std::find_if(begin, end, [&](const auto& entry) {
    const Workload& object = *works[entry.second].object;
    return object.name == name.name && object.name_space == name.name_space;
  });
  return it == end ? kNone : it->second;
}

std::vector<WorkId> NameIndex::sorted(const Works& works) const {
  std::vector<WorkId> ids;
  ids.reserve(by_hash_.size());
  for (const auto& entry : by_hash_) ids.push_back(entry.second);
  std::sort(ids.begin(), ids.end(), [&](WorkId a, WorkId b) {
    const Workload& x = *works[a].object;
    const Workload& y = *works[b].object;
    return std::tie(x.name_space, x.name) < std::tie(y.name_space, y.name);
  });
  return ids;
}

}  // namespace sluice::decide
