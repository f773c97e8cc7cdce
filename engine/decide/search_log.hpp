#pragma once

#include <unordered_map>
#include <vector>

#include "decide/victims.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// What one search for victims made of each workload that holds quota in the tree, in numbers; kept for those
/// workloads only whose decisions are explained.
class SearchLog {
 public:
  struct Line {
    WorkId work = 0;
    Candidate::Fate fate = Candidate::Fate::not_reached;
    Victim::Reason reason = Victim::Reason::in_cluster_queue;
    NodeId node = QuotaTree::none;
    std::optional<ShareComparison> shares;
    std::uint32_t turn = kNone;  ///< when it was considered, from 0; kNone: it was not
  };
  struct Need {
    FlavorResource cell = 0;
    Amount amount;
    bool missing = false;
  };

  std::vector<Need> needs;
  NodeId queue = QuotaTree::none;
  std::int64_t priority = 0;
  bool found = false;
  bool lacks_place = false;

  void add(WorkId work, Candidate::Fate fate, NodeId node = QuotaTree::none) {
    lines_by_work_[work] = lines_.size();
    lines_.push_back({work, fate, {}, node, {}, kNone});
  }
  bool has(WorkId work) const { return lines_by_work_.contains(work); }
  Line& line(WorkId work) { return lines_[lines_by_work_.at(work)]; }
  void set(WorkId work, Candidate::Fate fate, NodeId node = QuotaTree::none) {
    Line& of = line(work);
    of.fate = fate;
    of.node = node;
    of.shares.reset();
  }
  /// It is looked at now.
  void consider(WorkId work) {
    if (line(work).turn == kNone) line(work).turn = turns_++;
  }
  std::vector<Line>& lines() { return lines_; }
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
  std::unordered_map<WorkId, std::size_t> lines_by_work_;
  std::uint32_t turns_ = 0;
};

}  // namespace sluice::decide
