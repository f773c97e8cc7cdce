#pragma once

#include <span>
#include <vector>

#include "decide/placement.hpp"
#include "decide/preempt.hpp"
#include "decide/reach.hpp"
#include "decide/rules.hpp"
#include "decide/work.hpp"

namespace sluice::decide {

/// What is to happen with a whole assignment; the worst of its pod sets.
enum class Verdicts : std::uint8_t { no_fit, preempt, deferred, fit };

/// One resource of one flavor, tested. See ResourceTrial.
struct Trial {
  ResourceId resource = 0;
  Amount asked, assumed, used, nominal, available, capacity, short_by;
  std::int32_t level = 0;
  Mode mode = Mode::fit;
  ResourceTrial::Verdict verdict = ResourceTrial::Verdict::fits;
  bool leaves_slice = false;      ///< the slice that it replaces has another flavor
  FlavorId slice_flavor = kNone;  ///< that one; kNone: it has none for the resource
  std::int32_t search = -1;       ///< for victims, if it is explained: index into Assignment::searches
  std::int32_t reach = -1;        ///< if it is explained and does not fit within the own quota: into Assignment::reaches
};

/// One flavor, considered for one pod set. See FlavorAttempt.
struct Attempt {
  FlavorId flavor = 0;
  std::uint16_t group = 0;
  ResourceId searched_for = 0;
  FlavorAttempt::Refusal refusal = FlavorAttempt::Refusal::none;
  std::uint16_t refused = 0;  ///< the pod set of the group that the refusal is about
  bool blocking = false;
  bool chosen = false;
  Mode mode = Mode::no_fit;
  std::int32_t level = 0;
  std::uint32_t first_trial = 0;
  std::uint32_t trials = 0;
  std::int32_t answer = -1;    ///< index into Assignment::answers
  std::uint32_t position = 0;  ///< of the flavor in its group
};

/// A flavor for one resource of a pod set.
struct Choice {
  std::uint16_t pod_set = 0;
  ResourceId resource = 0;
  FlavorId flavor = 0;
  FlavorResource cell = 0;
  Amount amount;
  Verdicts verdict = Verdicts::fit;
  std::int32_t level = 0;
  std::int32_t tried = -1;  ///< the position of the flavor; -1: the search starts over next time
};

struct PodSetResult {
  std::int64_t count = 0;  ///< pods that it is about
  std::uint32_t first_attempt = 0;
  std::uint32_t attempts = 0;
  std::uint32_t first_choice = 0;
  std::uint32_t choices = 0;
  bool evaluated = false;
  bool has_reasons = false;      ///< some group was no plain fit
  ResourceId uncovered = kNone;  ///< a resource that no group of the queue has
  Verdicts verdict = Verdicts::fit;
  std::int32_t answer = -1;  ///< the rules' answer for the group in which the search failed
  PlacementError placement_error = PlacementError::none;
  std::int32_t placement_failure = -1;  ///< index into Assignment::placement_failures
  FlavorId no_place_at_all = kNone;     ///< the flavor that has no place even when nobody is there
  Delayed delayed = Delayed::none;
  bool is_placed = false;
  bool to_repair = false;  ///< it is placed, but a node of the placement has failed
  PodSetPlacement placement;
};

struct Assignment {
  std::vector<PodSetResult> pod_sets;
  std::vector<Choice> choices;
  std::vector<Attempt> attempts;
  std::vector<Trial> trials;
  std::vector<FlavorsAnswer> answers;
  std::vector<PlacementFailure> placement_failures;
  std::vector<SearchLog> searches;  ///< of what is explained
  std::vector<Reach> reaches;       ///< the same
  std::int32_t search = -1;         ///< the one for everything that is asked for
  std::vector<Demand> usage;  ///< by flavor-resource, each once
  Verdicts verdict = Verdicts::no_fit;
  std::int32_t level = 0;
  Progress progress;

  std::span<const Choice> choices_of(std::size_t pod_set) const {
    return std::span(choices).subspan(pod_sets[pod_set].first_choice, pod_sets[pod_set].choices);
  }
  void clear();
};

/// Chooses flavors for the pod sets of a workload against the usage as it is.
/// Source   Kueue pkg/scheduler/flavorassigner.
class Assigner {
 public:
  struct Setting {
    Gates gates;
    bool ignore_undeclared = false;
    bool fair_sharing = false;
    Rules* rules = nullptr;           ///< may be null
    const QuotaView* view = nullptr;  ///< with rules
  };
  Assigner(Cluster& cluster, Shapes& shapes, const Works& works, Preemptor& preemptor,
           Placer& placer, Setting setting)
      : cluster_(cluster),
        shapes_(shapes),
        works_(works),
        preemptor_(preemptor),
        placer_(placer),
        setting_(setting) {}

  /// `pinned`: choices of an earlier assignment that must be kept; null: free. `progress`: where to go on;
  /// null: at the first flavor. `with_rules`: false leaves the rules out of it.
  void assign(WorkId id, std::uint64_t cycle, std::uint64_t generation, Instant now, const Progress* progress,
              const std::vector<Choice>* pinned, bool with_rules, Assignment& out);

  /// So many pods of each pod set shall be tried from now on; empty: all of them.
  void shrink_to(std::span<const std::int64_t> counts) { counts_ = counts; }
  /// The slice of an elastic job that the workloads from now on replace: they need quota for what they ask for
  /// more, in the same flavors. Null: none.
  void replace(const Work* slice) { slice_ = slice; }
  /// Whether assignments from now on hold what `why` tells beyond the numbers of the trials.
  void explain(bool yes) { explains_ = yes; }
  bool explains() const { return explains_; }
  /// Writes found placements into an assignment.
  static void take_placements(const PlacementResult& result, Assignment& out);

 private:
  struct Context {
    WorkId id;
    const Work* work;
    const Queue* queue;
    Instant now;
    const Progress* progress;
    const std::vector<Choice>* pinned;
    bool with_rules;
  };

  /// Pod sets that get the same flavors: those of one group of the topology request, else each its own.
  void gather_members(const Work& work, std::uint16_t first);
  void read_requests(const Queue& queue, const Shape& shape);
  /// Searches the group of `resource` for the members; true if it found flavors for them.
  bool search_group(const Context& c, ResourceId resource, Assignment& out);
  /// Why no flavor search is needed for a member: the flavor is not for its pods.
  FlavorAttempt::Refusal refuse_flavor(const Context& c, FlavorId flavor, const Group& group,
                                       std::uint16_t& refused);
  FlavorAttempt::Refusal refuse_topology(const Context& c, std::uint16_t pod_set, FlavorId flavor,
                                         const Group& group);
  void hand_out(const Context& c, const Shape& shape, bool found, Assignment& out);
  /// The flavors that a workload holds already: only its placement is open.
  void keep_holdings(const Context& c, const Shape& shape, Assignment& out);
  void add_usage(const Choice& choice, Assignment& out) const;
  static void judge(Assignment& out);

  // assign_placement.cpp
  void place(const Context& c, Assignment& out);
  static void set_verdict(const Context& c, std::uint16_t pod_set, Verdicts verdict, Assignment& out);

  void test(const Context& c, FlavorResource cell, Amount assumed, Trial& trial, Assignment& out);
  // reach.cpp
  Reach reach_of(const Queue& queue, FlavorResource cell, ResourceId resource) const;
  Amount assumed(const Assignment& a, FlavorResource cell) const;

  Cluster& cluster_;
  Shapes& shapes_;
  const Works& works_;
  Preemptor& preemptor_;
  Placer& placer_;
  Setting setting_;
  const Holding* held_by_slice(const std::string& pod_set, ResourceId resource) const;
  const Holding* held_by_slice(std::size_t entry, ResourceId resource) const;
  /// So many pods of a pod set are tried.
  std::int64_t count_of(const Shape& shape, std::size_t pod_set) const {
    std::int64_t count = shape.pod_sets[pod_set].count;
    return counts_.empty() || count == 0 ? count : counts_[pod_set];
  }

  std::span<const std::int64_t> counts_;
  const Work* slice_ = nullptr;
  bool explains_ = false;
  std::vector<std::uint16_t> members_;  // the pod sets that are searched for together
  std::vector<Request> requests_;       // of all of them, with `pods`
  std::vector<Choice> candidate_, best_, found_;
  std::uint16_t handed_out_ = 0;  // pod sets that have been given flavors
  bool has_reasons_ = false;
  std::int32_t answer_ = -1;
  std::vector<Target> targets_;
};

}  // namespace sluice::decide
