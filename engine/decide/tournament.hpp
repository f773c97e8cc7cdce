#pragma once

#include <span>
#include <vector>

#include "decide/fair_share.hpp"
#include "decide/gates.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// The order of a cycle's heads with fair sharing. In every cohort the head whose queue or child cohort would
/// have the lowest share with it wins and stands for the cohort one level up; the winner at the root is next.
/// What it takes changes the shares of the rest. Source   Kueue pkg/scheduler/fair_sharing_iterator.go.
class Tournament {
 public:
  struct Head {
    std::uint32_t entry = 0;  ///< what `pop` answers
    NodeId queue = 0;
    std::span<const Demand> usage;  ///< what it would take; must outlive the tournament
    bool is_preemptor = false;
    const Work* work = nullptr;
  };

  Tournament(Cluster& cluster, const Gates& gates) : cluster_(cluster), gates_(gates), shares_(cluster) {}

  /// Kueue leaves open which tree is next and who wins a tie: here trees follow one another in the order of
  /// their first head, and ties go by UID.
  void start(std::vector<Head> heads);
  /// kNone: no head is left.
  std::uint32_t pop();
  /// Goes on as `other` would, on a copy of its cluster; `rebind` gives a head what it points to there.
  template <class Rebind>
  void follow(const Tournament& other, Rebind rebind) {
    waiting_ = other.waiting_;
    next_tree_ = other.next_tree_;
    heads_ = other.heads_;
    for (std::vector<Head>* heads : {&waiting_, &heads_}) {
      for (Head& head : *heads) rebind(head);
    }
    standings_ = other.standings_;
    won_ = other.won_;
    best_ = other.best_;
    met_ = other.met_;
    computed_at_ = other.computed_at_;
    computed_ = other.computed_;
    last_ = other.last_;
  }
  /// How the last one that was popped stood when it won: in its queue first, then up the tree.
  std::span<const Share> standing() const { return won_; }

 private:
  void enter_tree();
  void compute_shares();
  bool has_changed(const Head& head) const;
  void offer(NodeId cohort, std::uint32_t contender);
  bool is_better(const Head& a, const Head& b, NodeId cohort) const;
  const Share& share_in(const Head& head, NodeId cohort) const;
  std::uint32_t depth(NodeId node) const;

  Cluster& cluster_;
  const Gates& gates_;
  FairShares shares_;
  std::vector<Head> waiting_;            // of all trees, tree by tree
  std::size_t next_tree_ = 0;            // into waiting_: those before have been entered
  std::vector<Head> heads_;              // of the present tree
  std::vector<std::vector<Share>> standings_;  // by index into heads_; by level, that of the queue first
  std::vector<Share> won_;
  std::vector<std::uint32_t> best_;      // by cohort: index into heads_
  std::vector<std::vector<NodeId>> met_;  // by depth: the cohorts that have a contender
  std::size_t computed_at_ = 0;          // state of the quota tree that the standings belong to
  bool computed_ = false;
  NodeId last_ = QuotaTree::none;        // the queue that won last: what it took changes it and the cohorts above
};

}  // namespace sluice::decide
