#include "decide/view.hpp"

namespace sluice::decide {

Core::View::Place Core::View::find(std::string_view queue, std::string_view flavor,
                                   std::string_view resource) const {
  auto it = core_.cluster.queue_by_name.find(queue);
  FlavorId flavor_id = core_.cluster.flavor_names.find(flavor);
  ResourceId resource_id = core_.cluster.resources.find(resource);
  if (it == core_.cluster.queue_by_name.end() || flavor_id == Names::none || resource_id == Names::none)
    return {};
  const Queue& q = core_.cluster.queues[it->second];
  return {q.node, core_.cluster.cell_of(q, flavor_id, resource_id)};
}

Amount Core::View::available(std::string_view queue, std::string_view flavor,
                             std::string_view resource) const {
  Place place = find(queue, flavor, resource);
  return place.cell == kNone ? Amount(0) : core_.cluster.tree.available(place.node, place.cell);
}

Amount Core::View::used(std::string_view queue, std::string_view flavor, std::string_view resource) const {
  Place place = find(queue, flavor, resource);
  return place.cell == kNone ? Amount(0) : core_.cluster.tree.usage(place.node, place.cell);
}

Amount Core::View::nominal(std::string_view queue, std::string_view flavor, std::string_view resource) const {
  Place place = find(queue, flavor, resource);
  return place.cell == kNone ? Amount(0) : core_.cluster.tree.nominal(place.node, place.cell);
}

std::int64_t Core::View::pending(std::string_view queue) const {
  auto it = core_.cluster.queue_by_name.find(queue);
  if (it == core_.cluster.queue_by_name.end()) return 0;
  const Pending& pending = core_.pending;
  return static_cast<std::int64_t>(pending.active_count(it->second) + pending.parked(it->second).size());
}

}  // namespace sluice::decide
