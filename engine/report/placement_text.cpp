#include "report/placement_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sluice::report {
namespace {

using decide::PlacementError;
using decide::PlacementFailure;
using Kind = PlacementFailure::Kind;

std::string kueue_exclusion(const PlacementFailure::Exclusion& exclusion) {
  switch (exclusion.kind) {
    case PlacementFailure::Exclusion::Kind::node_selector:
      return fmt::format("nodeSelector: {}", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::affinity:
      return fmt::format("affinity: {}", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::outside:
      return fmt::format("topologyDomain: {}", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::taint:
      return fmt::format("taint \"{}\": {}", exclusion.name, exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::resource:
      return fmt::format("resource \"{}\": {}", exclusion.name, exclusion.nodes);
  }
  return {};
}

std::string kueue_tail(const PlacementFailure& failure) {
  if (failure.excluded.empty()) return {};
  std::vector<std::string> parts;
  for (const PlacementFailure::Exclusion& exclusion : failure.excluded)
    parts.push_back(kueue_exclusion(exclusion));
  std::sort(parts.begin(), parts.end());
  return fmt::format(". Total nodes: {}; excluded: {}", failure.nodes, fmt::join(parts, ", "));
}

std::string exclusion_text(const PlacementFailure::Exclusion& exclusion) {
  const char* verb = exclusion.nodes == 1 ? "has" : "have";
  switch (exclusion.kind) {
    case PlacementFailure::Exclusion::Kind::node_selector:
      return fmt::format("{} not selected", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::affinity:
      return fmt::format("{} against the affinity", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::outside:
      return fmt::format("{} in other domains", exclusion.nodes);
    case PlacementFailure::Exclusion::Kind::taint:
      return fmt::format("{} with taint {}", exclusion.nodes, exclusion.name);
    case PlacementFailure::Exclusion::Kind::resource:
      return fmt::format("{} {} too little {}", exclusion.nodes, verb, exclusion.name);
  }
  return {};
}

std::string tail(const PlacementFailure& failure) {
  if (failure.excluded.empty()) return {};
  std::vector<std::string> parts;
  for (const PlacementFailure::Exclusion& exclusion : failure.excluded) parts.push_back(exclusion_text(exclusion));
  return fmt::format("; of {} nodes {}", failure.nodes, fmt::join(parts, ", "));
}

}  // namespace

std::string kueue_placement_text(const PlacementFailure& failure) {
  switch (failure.kind) {
    case Kind::none:
      return {};
    case Kind::not_fit: {
      const char* unit = failure.in_slices ? "slice" : "pod";
      std::string text =
          failure.fits == 0
              ? fmt::format("topology \"{}\" doesn't allow to fit any of {} {}(s)", failure.topology, failure.asked,
                            unit)
              : fmt::format("topology \"{}\" allows to fit only {} out of {} {}(s)", failure.topology, failure.fits,
                            failure.asked, unit);
      return text + kueue_tail(failure);
    }
    case Kind::layers_not_fit: {
      std::string text = fmt::format("topology \"{}\" doesn't allow to fit", failure.topology);
      for (const PlacementFailure::Layer& layer : failure.layers)
        text += fmt::format("; {}/{} slice(s) fit on level {}", layer.fits, layer.asked, layer.level);
      return text + kueue_tail(failure);
    }
    case Kind::no_domains:
      return fmt::format("no topology domains at level: {}", failure.level);
    case Kind::no_level:
      return "topology level not specified";
    case Kind::unknown_level:
      return fmt::format("no requested topology level: {}", failure.level);
    case Kind::unknown_slice_level:
      return fmt::format("no requested topology level for slices: {}", failure.level);
    case Kind::no_slice_size:
      return "slice topology requested, but slice size not provided";
    case Kind::slice_above:
      return fmt::format("podset slice topology {} is above the podset topology {}", failure.level,
                         failure.other_level);
    case Kind::unknown_layer:
      return fmt::format("no requested topology level for additional slice layer: {}", failure.level);
    case Kind::layer_not_lower:
      return fmt::format("additional slice layer topology {} must be at a lower level than {}", failure.level,
                         failure.other_level);
    case Kind::layer_uneven:
      return fmt::format("additional slice layer size {} must evenly divide parent layer size {}", failure.fits,
                         failure.asked);
    case Kind::update_conflict:
      return fmt::format("invalid podSetUpdate for PodSet {}", failure.level);
    case Kind::stale_domain:
      return fmt::format(
          "Cannot replace the node, because the existing topologyAssignment is invalid, as it contains the stale "
          "domain {}",
          failure.level);
    case Kind::no_replacement:
      return fmt::format("cannot find replacement assignment for unhealthy node: {}", failure.level);
  }
  return {};
}

std::string kueue_placement_error(const decide::PodSetDecision& pod_set) {
  switch (pod_set.placement_error) {
    case PlacementError::none:
      return {};
    case PlacementError::no_information:
      return "workload requires Topology, but there is no TAS cache information";
    case PlacementError::no_flavor:
      return "no TAS flavor assigned";
    case PlacementError::several_flavors:
      return fmt::format("more than one TAS flavor assigned: {}", fmt::join(pod_set.placement_flavors, ", "));
  }
  return {};
}

std::string placement_text(const PlacementFailure& failure) {
  switch (failure.kind) {
    case Kind::none:
      return {};
    case Kind::not_fit: {
      const char* unit = failure.in_slices ? "slices" : "pods";
      return fmt::format("no place in topology {}: {} of {} {} fit", failure.topology, failure.fits, failure.asked,
                         unit) +
             tail(failure);
    }
    case Kind::layers_not_fit: {
      std::vector<std::string> parts;
      for (const PlacementFailure::Layer& layer : failure.layers)
        parts.push_back(fmt::format("{} of {} slices fit on {}", layer.fits, layer.asked, layer.level));
      return fmt::format("no place in topology {}: {}", failure.topology, fmt::join(parts, ", ")) + tail(failure);
    }
    case Kind::no_domains:
      return fmt::format("no node of the flavor has the label {}", failure.level);
    case Kind::no_level:
      return "a topology is asked for, but no level of it";
    case Kind::unknown_level:
    case Kind::unknown_slice_level:
    case Kind::unknown_layer:
      return fmt::format("topology {} has no level {}", failure.topology, failure.level);
    case Kind::no_slice_size:
      return "the slices have no size";
    case Kind::slice_above:
      return fmt::format("slices of level {} cannot be above level {}", failure.level, failure.other_level);
    case Kind::layer_not_lower:
      return fmt::format("slices of level {} must be below level {}", failure.level, failure.other_level);
    case Kind::layer_uneven:
      return fmt::format("slices of {} pods cannot be made of slices of {}", failure.asked, failure.fits);
    case Kind::update_conflict:
      return fmt::format("what the checks add does not go together: {}", failure.level);
    case Kind::stale_domain:
      return fmt::format("{} is gone, too", failure.level);
    case Kind::no_replacement:
      return fmt::format("no other node for the pods of {}", failure.level);
  }
  return {};
}

std::string placement_error_text(const decide::PodSetDecision& pod_set) {
  switch (pod_set.placement_error) {
    case PlacementError::none:
      return {};
    case PlacementError::no_information:
      return "no flavor of the queue has a topology";
    case PlacementError::no_flavor:
      return "none of its flavors has a topology";
    case PlacementError::several_flavors:
      return fmt::format("several of its flavors have a topology: {}", fmt::join(pod_set.placement_flavors, ", "));
  }
  return {};
}

}  // namespace sluice::report
