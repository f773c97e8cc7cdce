#pragma once

#include <span>
#include <vector>

#include "decide/preempt.hpp"
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
};

/// One flavor, considered for one pod set. See FlavorAttempt.
struct Attempt {
  FlavorId flavor = 0;
  std::uint16_t group = 0;
  FlavorAttempt::Refusal refusal = FlavorAttempt::Refusal::none;
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
};

struct PodSetResult {
  std::uint32_t first_attempt = 0;
  std::uint32_t attempts = 0;
  std::uint32_t first_choice = 0;
  std::uint32_t choices = 0;
  bool evaluated = false;
  bool has_reasons = false;      ///< some group was no plain fit
  bool without_groups = false;   ///< the queue has no resource group: Kueue takes it for a topology request
  ResourceId uncovered = kNone;  ///< a resource that no group of the queue has
  Verdicts verdict = Verdicts::fit;
  std::int32_t answer = -1;  ///< the rules' answer for the group in which the search failed
};

struct Assignment {
  std::vector<PodSetResult> pod_sets;
  std::vector<Choice> choices;
  std::vector<Attempt> attempts;
  std::vector<Trial> trials;
  std::vector<FlavorsAnswer> answers;
  std::vector<Demand> usage;  ///< by flavor-resource, each once
  Verdicts verdict = Verdicts::no_fit;
  std::int32_t level = 0;
  Progress progress;

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
  Assigner(Cluster& cluster, Shapes& shapes, const std::vector<Work>& works, Preemptor& preemptor,
           Setting setting)
      : cluster_(cluster), shapes_(shapes), works_(works), preemptor_(preemptor), setting_(setting) {}

  /// `pinned`: choices of an earlier assignment that must be kept; null: free. `progress`: where to go on;
  /// null: at the first flavor. `with_rules`: false leaves the rules out of it.
  void assign(WorkId id, std::uint64_t cycle, std::uint64_t generation, Instant now, const Progress* progress,
              const std::vector<Choice>* pinned, bool with_rules, Assignment& out);

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

  /// Searches the group of `resource` for one pod set; true if it found flavors for it.
  bool search_group(const Context& c, std::uint16_t pod_set, ResourceId resource, std::size_t first_choice,
                    Assignment& out);
  void test(const Context& c, FlavorResource cell, Amount assumed, Trial& trial);
  Amount assumed(const Assignment& a, FlavorResource cell) const;

  Cluster& cluster_;
  Shapes& shapes_;
  const std::vector<Work>& works_;
  Preemptor& preemptor_;
  Setting setting_;
  std::vector<Request> requests_;  // of the present pod set, with `pods`
  std::vector<Choice> candidate_, best_;
  std::vector<Target> targets_;
};

}  // namespace sluice::decide
