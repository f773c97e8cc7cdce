#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kube/manifest.hpp"
#include "support/golden.hpp"
#include "tools/scenario_input.hpp"

/// What is told about searches for victims, on the recorded scenarios: whoever holds quota in the tree is either a victim or
/// spared for exactly one reason, the reasons are true, and telling them changes no decision.

namespace sluice {
namespace {

using decide::Candidate;
using decide::Decision;
using decide::Engine;
using decide::Outcome;
using decide::VictimSearch;
using decide::WorkloadName;
using Fate = decide::Candidate::Fate;

/// The root of the tree of each queue: a cohort, or the queue itself.
class Trees {
 public:
  explicit Trees(const World& world) : world_(world) {
    for (const Cohort& cohort : world.cohorts) {
      if (cohort.parent) parents_[cohort.name] = *cohort.parent;
    }
  }
  std::string root(const std::string& queue) const {
    for (const ClusterQueue& one : world_.cluster_queues) {
      if (one.name != queue || !one.cohort) continue;
      std::string cohort = *one.cohort;
      for (std::size_t step = 0; step < parents_.size() && parents_.contains(cohort); ++step) cohort = parents_.at(cohort);
      return "cohort " + cohort;
    }
    return "queue " + queue;
  }

 private:
  const World& world_;
  std::map<std::string, std::string> parents_;
};

/// Who holds quota, with the queue.
std::map<WorkloadName, std::string> holders(const Engine& engine) {
  std::map<WorkloadName, std::string> out;
  for (const WorkloadName& name : engine.workloads()) {
    decide::State state = engine.state(name);
    bool over = state == decide::State::finished || state == decide::State::deactivated;
    if (!over && !engine.assignment(name).empty()) out[name] = engine.report(name).cluster_queue;
  }
  return out;
}

std::set<WorkloadName> taken(const VictimSearch& search) {
  std::set<WorkloadName> out;
  for (const Candidate& candidate : search.candidates) {
    if (candidate.fate == Fate::taken) out.insert(candidate.workload);
  }
  return out;
}

void check_reason(const Candidate& candidate, const VictimSearch& search, const std::string& queue) {
  bool own = candidate.cluster_queue == queue;
  PreemptionPolicy policy = own ? search.policy.within_cluster_queue : search.policy.reclaim_within_cohort;
  switch (candidate.fate) {
    case Fate::taken:
    case Fate::given_back:
      BOOST_TEST(search.found);
      break;
    case Fate::not_enough:
      BOOST_TEST(!search.found);
      break;
    case Fate::would_borrow:
      BOOST_TEST(!own);
      BOOST_TEST((search.policy.borrow_within_cohort == PreemptionPolicy::never ||
                  candidate.priority >= search.priority || search.policy.borrow_max_priority_threshold));
      break;
    case Fate::back_within_nominal:
    case Fate::within_nominal:
      BOOST_TEST(!candidate.node.empty());
      BOOST_TEST(!own);
      break;
    case Fate::fair_share:
      BOOST_REQUIRE(candidate.shares);
      if (candidate.shares->strategy == FairStrategy::less_than_initial_share) {
        BOOST_TEST(candidate.shares->preemptor >= candidate.shares->before);
      } else {
        BOOST_TEST(candidate.shares->preemptor >= candidate.shares->after);
      }
      break;
    case Fate::policy:
      BOOST_TEST((policy != PreemptionPolicy::any));
      BOOST_TEST((policy == PreemptionPolicy::never || candidate.priority >= search.priority));
      break;
    case Fate::not_reached:
    case Fate::not_needed:
    case Fate::queue_inactive:
    case Fate::left_out:
      break;
  }
  if (decide::is_candidate(candidate.fate)) BOOST_TEST((policy != PreemptionPolicy::never));
}

void check_search(const VictimSearch& search, const std::string& queue) {
  std::set<WorkloadName> names;
  bool others = false;
  for (const Candidate& candidate : search.candidates) {
    BOOST_TEST(names.insert(candidate.workload).second, candidate.workload.to_string() << " twice");
    BOOST_TEST(!(others && decide::is_candidate(candidate.fate)));  // candidates come first
    others = others || !decide::is_candidate(candidate.fate);
    check_reason(candidate, search, queue);
  }
  BOOST_TEST(search.found == !taken(search).empty());
}

void check_decision(const Decision& decision, const std::map<WorkloadName, std::string>& before, const Trees& trees) {
  for (const decide::PodSetDecision& pod_set : decision.pod_sets) {
    for (const decide::FlavorAttempt& attempt : pod_set.attempts) {
      for (const VictimSearch& search : attempt.searches) check_search(search, decision.cluster_queue);
    }
  }
  if (!decision.search) {
    BOOST_TEST((decision.outcome != Outcome::preempting || decision.replaced));
    return;
  }
  check_search(*decision.search, decision.cluster_queue);
  std::set<WorkloadName> told;
  for (const Candidate& candidate : decision.search->candidates) told.insert(candidate.workload);
  told.erase(decision.workload);
  std::set<WorkloadName> there;
  for (const auto& [name, queue] : before) {
    if (name != decision.workload && trees.root(queue) == trees.root(decision.cluster_queue)) there.insert(name);
  }
  BOOST_TEST((told == there), decision.workload.to_string() << " tells of " << told.size() << ", not " << there.size());
  if (decision.outcome == Outcome::no_candidates) BOOST_TEST(!decision.search->found);
  if (decision.outcome != Outcome::preempting) return;
  std::set<WorkloadName> victims;
  for (const decide::Victim& victim : decision.victims) victims.insert(victim.workload);
  BOOST_TEST((victims == taken(*decision.search)));
}

std::map<Fate, std::size_t> fates;  // of all profiles

std::size_t check(const std::string& text) {
  kube::Manifest manifest = kube::parse_json(text, "scenario", 1);
  std::string name;
  std::string profile;
  tools::Scenario scenario = tools::read_scenario(manifest, manifest.documents()[0], name, profile);
  BOOST_TEST_CONTEXT(name) {
    Engine plain(scenario.world, scenario.options);
    decide::Options options = scenario.options;
    options.explained.reset();
    Engine told(scenario.world, options);
    Trees trees(scenario.world);
    std::size_t searches = 0;
    for (int n = 0; n < 20; ++n) {
      std::map<WorkloadName, std::string> before = holders(told);
      bool goes_on = told.cycle();
      BOOST_TEST(plain.cycle() == goes_on);
      if (!goes_on) break;
      std::vector<decide::Cycle> with = told.take_cycles();
      std::vector<decide::Cycle> without = plain.take_cycles();
      BOOST_REQUIRE_EQUAL(with.size(), without.size());
      for (std::size_t c = 0; c < with.size(); ++c) {
        BOOST_REQUIRE_EQUAL(with[c].decisions.size(), without[c].decisions.size());
        for (std::size_t d = 0; d < with[c].decisions.size(); ++d) {
          const Decision decision = told.report(with[c].decisions[d].workload).decision.value();
          BOOST_TEST(decision.workload.to_string() == without[c].decisions[d].workload.to_string());
          BOOST_TEST((decision.outcome == without[c].decisions[d].outcome));
          BOOST_TEST(!plain.report(decision.workload).decision.value().search);
          check_decision(decision, before, trees);
          if (!decision.search) continue;
          ++searches;
          for (const Candidate& candidate : decision.search->candidates) ++fates[candidate.fate];
        }
      }
    }
    return searches;
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explained)

BOOST_DATA_TEST_CASE(searches, boost::unit_test::data::make({"flat", "cohort", "tree", "overlap", "fair", "partial", "slices",
                                                             "gates", "lifecycle", "topology", "vectors"}),
                     profile) {
  std::istringstream lines(
      test::read_file(std::string(SLUICE_CONFORMANCE) + "/admission/" + profile + ".scenarios.jsonl"));
  std::size_t searches = 0;
  for (std::string line; std::getline(lines, line);) {
    try {
      searches += check(line);
    } catch (const Error& error) {
      BOOST_TEST(error.code() == "not-yet-decided");
    }
  }
  BOOST_TEST_MESSAGE(profile << ": " << searches << " searches");
  BOOST_TEST(searches > 0u);
}

// After the profiles: without one of the reasons they would not show it.
BOOST_AUTO_TEST_CASE(every_reason_occurs) {
  for (Fate fate : {Fate::taken, Fate::given_back, Fate::not_reached, Fate::not_enough, Fate::would_borrow,
                    Fate::back_within_nominal, Fate::fair_share, Fate::policy, Fate::within_nominal, Fate::not_needed,
                    Fate::queue_inactive, Fate::left_out}) {
    BOOST_TEST_MESSAGE("fate " << static_cast<int>(fate) << ": " << fates[fate]);
    BOOST_TEST(fates[fate] > 0u, "nobody of fate " << static_cast<int>(fate));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
