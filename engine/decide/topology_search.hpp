#pragma once

#include <span>
#include <string>
#include <vector>

#include "decide/decision.hpp"
#include "decide/topology.hpp"

namespace sluice::decide {

/// One pod set that wants a place.
struct PlacementAsk {
  std::uint16_t pod_set = 0;
  std::int32_t count = 0;
  DemandId demand = 0;
  const TopologyRequest* request = nullptr;  ///< null: none
  bool implied = false;           ///< asks for no topology, but its queue has nothing else
  std::uint32_t pod_class = 0;    ///< of its pods, with what ready checks add to them
  std::string update_conflict;    ///< what checks add does not go together: Kueue's words; empty: it does
};

/// What a search may assume.
struct SearchSetting {
  bool mixed_profile = true;    ///< gate TASProfileMixed
  bool simulate_empty = false;  ///< as if no workload with a placement were there
  DomainId under = kNoTree;     ///< only below this domain; kNoTree: anywhere
};

/// The layers of slices of a request, outermost first.
std::vector<SliceLayer> layers_of(const TopologyRequest* request);

/// Finds leaves for the pods of one pod set, or of a leader and its workers, in one tree.
/// Source   Kueue pkg/cache/scheduler tas_flavor_snapshot.go findTopologyAssignment.
class TopologySearch {
 public:
  struct Result {
    bool found = false;
    std::vector<LeafCount> workers;  ///< by leaf, each with at least one pod
    std::vector<LeafCount> leader;
    PlacementFailure failure;
  };

  TopologySearch(const Topologies& topologies, const QuotaTree& numbers)
      : topologies_(topologies), numbers_(numbers) {}

  /// `assumed`: what pod sets found before take. `leader` may be null; it is one pod.
  Result find(TreeId tree, const PlacementAsk& workers, const PlacementAsk* leader, const NodeMatch& match,
              std::span<const LeafUse> assumed, const SearchSetting& setting);

 private:
  /// What a domain can take, later what it gets.
  struct State {
    std::int32_t pods = 0;
    std::int32_t slices = 0;
    std::int32_t pods_beside = 0;    ///< beside the leader
    std::int32_t slices_beside = 0;
    std::int32_t leaders = 0;
  };
  using List = std::vector<DomainId>;
  /// Which number of a domain is meant.
  enum class Unit : std::uint8_t { pods, slices };

  bool read_request(const PlacementAsk& ask, PlacementFailure& failure);
  void fill_leaves(const PlacementAsk& workers, const PlacementAsk* leader, const NodeMatch& match,
                   std::span<const LeafUse> assumed, const SearchSetting& setting);
  void roll_up();
  void roll_up_domain(DomainId domain, std::size_t level);
  bool choose(std::size_t level, std::size_t& found_at, List& out, PlacementFailure& failure);
  List spread(List sorted, std::int32_t need, PlacementFailure& failure, std::size_t level);
  List share(List list, std::int32_t pods, std::int32_t leaders, std::int32_t unit, Unit what);
  bool consume_with_leader(DomainId& domain, std::span<const DomainId> rest, std::int32_t& need,
                           std::int32_t& leaders, std::int32_t unit, Unit what);
  void lead_first(List& list, std::int32_t pods, std::int32_t leaders, std::int32_t unit, Unit what) const;
  DomainId tightest(std::span<const DomainId> list, std::int32_t need, std::int32_t leaders, Unit what) const;
  List level_domains(std::size_t level) const;
  List children(DomainId domain) const;
  void sort_for_leader(List& list) const;
  void sort_for_workers(List& list) const;
  PlacementFailure not_fit(std::int32_t fits, std::int32_t asked, std::size_t level) const;
  std::int32_t slices_below(DomainId domain, std::size_t level, std::size_t wanted, std::int32_t size) const;
  void add_exclusions(PlacementFailure& failure) const;

  bool best_fit() const { return !least_free_; }
  std::int32_t value(DomainId domain, Unit what, bool beside) const {
    const State& s = states_[domain];
    if (what == Unit::slices) return beside ? s.slices_beside : s.slices;
    return beside ? s.pods_beside : s.pods;
  }

  const Topologies& topologies_;
  const QuotaTree& numbers_;

  // Of the present search.
  const TopologyTree* tree_ = nullptr;
  const NodeMatch* match_ = nullptr;
  std::int32_t count_ = 0;
  std::int32_t leaders_ = 0;
  std::int32_t slice_size_ = 1;
  std::size_t requested_ = 0;
  std::size_t slice_level_ = 0;
  bool required_ = false;
  bool unconstrained_ = false;
  bool least_free_ = false;  ///< smallest first instead of best fit
  bool layered_ = false;
  std::vector<SliceLayer> layers_;
  std::vector<std::int32_t> inner_size_;  // by level; 0: none
  std::vector<State> states_;
  std::int32_t outside_ = 0;  // leaves that are not below the domain that is needed
  std::vector<std::pair<std::uint32_t, std::int32_t>> lacking_;  // resource, leaves for which it is too little
  std::vector<std::int64_t> row_, assumed_rows_;
  std::vector<std::int32_t> assumed_at_;  // by leaf; -1: nothing
};

}  // namespace sluice::decide
