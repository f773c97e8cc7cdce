#include "decide/name_index.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>
#include <tuple>

namespace sluice::decide {
namespace {

std::uint32_t hash_of(std::string_view name_space, std::string_view name) {
  std::hash<std::string_view> hash;
  std::size_t both = hash(name) * 31 + hash(name_space);
  return static_cast<std::uint32_t>(both ^ (both >> 32));
}

}  // namespace

void NameIndex::rebuild(std::size_t slots) {
  std::vector<Slot> before(slots);
  before.swap(slots_);
  taken_ = size_;
  for (const Slot& slot : before) {
    if (slot.work >= kLeft) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].work != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

void NameIndex::reserve(std::size_t size) {
  std::size_t slots = std::bit_ceil(std::max<std::size_t>(size * 2, 16));
  if (slots > slots_.size()) rebuild(slots);
}

void NameIndex::insert(const Works& works, WorkId id) {
  if ((taken_ + 1) * 2 > slots_.size()) rebuild(std::bit_ceil(std::max<std::size_t>((size_ + 1) * 4, 16)));
  const Workload& object = *works[id].object;
  std::uint32_t hash = hash_of(object.name_space, object.name);
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].work < kLeft) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].work == kNone) ++taken_;
  ++size_;
  slots_[at] = {id, hash};
}

/// Where it is; otherwise the number of slots.
std::size_t NameIndex::find_slot(const Works& works, std::string_view name_space, std::string_view name) const {
  if (slots_.empty()) return 0;
  std::uint32_t hash = hash_of(name_space, name);
  for (std::size_t at = hash & (slots_.size() - 1); slots_[at].work != kNone; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].work == kLeft || slots_[at].hash != hash) continue;
    const Workload& object = *works[slots_[at].work].object;
    if (object.name == name && object.name_space == name_space) return at;
  }
  return slots_.size();
}

void NameIndex::erase(const Works& works, WorkId id) {
  const Workload& object = *works[id].object;
  std::uint32_t hash = hash_of(object.name_space, object.name);
  if (slots_.empty()) return;
  for (std::size_t at = hash & (slots_.size() - 1); slots_[at].work != kNone; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].work != id) continue;
    slots_[at].work = kLeft;
    --size_;
    return;
  }
}

WorkId NameIndex::find(const Works& works, const WorkloadName& name) const {
  std::size_t at = find_slot(works, name.name_space, name.name);
  return at == slots_.size() ? kNone : slots_[at].work;
}

std::vector<WorkId> NameIndex::sorted(const Works& works) const {
  std::vector<WorkId> ids;
  ids.reserve(size_);
  for (const Slot& slot : slots_) {
    if (slot.work < kLeft) ids.push_back(slot.work);
  }
  std::sort(ids.begin(), ids.end(), [&](WorkId a, WorkId b) {
    const Workload& x = *works[a].object;
    const Workload& y = *works[b].object;
    return std::tie(x.name_space, x.name) < std::tie(y.name_space, y.name);
  });
  return ids;
}

}  // namespace sluice::decide
