#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "decide/engine.hpp"
#include "worlds.hpp"

namespace sluice::decide {
namespace {

using test::add;
using test::finished;
using test::job;
using test::named;
using test::queue;
using test::running;
using Fate = Candidate::Fate;
using Policy = PreemptionPolicy;

/// A workload that runs on flavor `f` of a queue, with so much cpu.
struct Running {
  const char* name;
  const char* queue;
  const char* cpu;
  int priority = 0;
  const char* flavor = "f";
};

/// `head` of queue `own`, priority 10, asks for `cpu`; `own` and `other` have 4 each.
struct Case {
  const char* why;
  Preemption policy;
  const char* cpu;
  std::vector<Running> running;
  std::map<std::string, Fate> want;
  bool fair = false;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.why; }

Preemption policy(Policy within, Policy reclaim, Policy borrow = Policy::never, std::optional<std::int32_t> most = {}) {
  Preemption out;
  out.within_cluster_queue = within;
  out.reclaim_within_cohort = reclaim;
  out.borrow_within_cohort = borrow;
  out.borrow_max_priority_threshold = most;
  return out;
}

const Case cases[] = {
    {"withinClusterQueue Never spares its own", policy(Policy::never, Policy::any), "2",
     {{"low", "own", "2"}, {"other", "other", "6"}}, {{"low", Fate::policy}, {"other", Fate::taken}}},
    {"a higher priority is no candidate", policy(Policy::lower_priority, Policy::never), "3",
     {{"high", "own", "2", 20}, {"low", "own", "2", 0}, {"lower", "own", "4", -5}},
     {{"high", Fate::policy}, {"low", Fate::not_reached}, {"lower", Fate::taken}}},
    {"a queue within its own quota is left alone", policy(Policy::lower_priority, Policy::any), "3",
     {{"low", "own", "4"}, {"modest", "other", "4"}}, {{"low", Fate::taken}, {"modest", Fate::within_nominal}}},
    {"who uses another flavor is no help", policy(Policy::lower_priority, Policy::any), "3",
     {{"low", "own", "4"}, {"elsewhere", "own", "4", -5, "g"}, {"modest", "other", "4"}},
     {{"low", Fate::taken}, {"elsewhere", Fate::not_needed}, {"modest", Fate::within_nominal}}},
    {"what is not needed after all is given back", policy(Policy::lower_priority, Policy::never), "4",
     {{"small", "own", "1", -5}, {"large", "own", "4", 0}, {"other", "other", "3"}},
     {{"small", Fate::given_back}, {"large", Fate::taken}, {"other", Fate::policy}}},
    {"all together are not enough", policy(Policy::lower_priority, Policy::never), "4",
     {{"low", "own", "1"}, {"high", "own", "3", 20}, {"other", "other", "4"}},
     {{"low", Fate::not_enough}, {"high", Fate::policy}, {"other", Fate::policy}}},
    {"for a borrower the threshold counts", policy(Policy::lower_priority, Policy::any, Policy::lower_priority, 2), "5",
     {{"cheap", "other", "1", 2}, {"dear", "other", "5", 5}}, {{"cheap", Fate::not_enough}, {"dear", Fate::would_borrow}}},
    {"with those before it gone the queue has only its own", policy(Policy::lower_priority, Policy::any), "4",
     {{"first", "other", "3", -5}, {"second", "other", "3", 0}, {"third", "own", "2", 20}},
     {{"first", Fate::not_enough}, {"second", Fate::back_within_nominal}, {"third", Fate::policy}}},
    {"fair sharing compares shares", policy(Policy::never, Policy::any), "6",
     {{"one", "other", "4"}, {"two", "other", "2"}}, {{"one", Fate::fair_share}, {"two", Fate::fair_share}}, true},
};

World world_of(const Case& c) {
  World world;
  for (const char* name : {"own", "other"}) {
    ClusterQueue one = queue(name, "team", {{"f", {{"cpu", "4"}}}, {"g", {{"cpu", "4"}}}});
    one.preemption = c.policy;
    add(world, one);
  }
  Workload head = job("head", "own", {{"cpu", c.cpu}}, 1, 10);
  head.pod_sets[0].pod.node_selector = {{"pool", "f"}};
  for (ResourceFlavor& flavor : world.flavors) flavor.node_labels = {{"pool", flavor.name}};
  world.workloads.push_back(head);
  int age = 100;
  for (const Running& one : c.running) {
    world.workloads.push_back(
        running(job(one.name, one.queue, {{"cpu", one.cpu}}, 1, one.priority, age--), one.queue, one.flavor));
  }
  return finished(std::move(world));
}

Options options_of(bool fair) {
  Options options;
  if (fair) options.kueue.fair_sharing.emplace();
  return options;
}

/// The decision about `head` in the first cycle.
Decision first_decision(Engine& engine) {
  BOOST_REQUIRE(engine.cycle());
  std::vector<Cycle> cycles = engine.take_cycles();
  for (const Decision& decision : cycles.at(0).decisions) {
    BOOST_TEST(!decision.search);  // only reports have it
    if (decision.workload.name == "head") return engine.report(decision.workload).decision.value_or(decision);
  }
  BOOST_FAIL("the head was not decided");
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(victims)

BOOST_DATA_TEST_CASE(fates, cases, c) {
  World world = world_of(c);
  Engine engine(world, options_of(c.fair));
  Decision decision = first_decision(engine);
  BOOST_REQUIRE(decision.search);
  BOOST_TEST(decision.search->candidates.size() == c.want.size());
  for (const Candidate& candidate : decision.search->candidates) {
    auto want = c.want.find(candidate.workload.name);
    BOOST_REQUIRE(want != c.want.end());
    BOOST_TEST(static_cast<int>(candidate.fate) == static_cast<int>(want->second), candidate.workload.name);
  }
  bool found = std::any_of(c.want.begin(), c.want.end(), [](const auto& one) { return one.second == Fate::taken; });
  BOOST_TEST(decision.search->found == found);
}

BOOST_AUTO_TEST_CASE(shares_are_told_of_those_refused_by_them) {
  const Case& c = cases[std::size(cases) - 1];
  World world = world_of(c);
  Engine engine(world, options_of(true));
  Decision decision = first_decision(engine);
  BOOST_REQUIRE(decision.search);
  for (const Candidate& candidate : decision.search->candidates) {
    BOOST_REQUIRE(candidate.shares);
    BOOST_TEST(candidate.shares->preemptor == 125);  // 2 of 16 beyond its own, in thousandths
    BOOST_TEST(candidate.shares->before == 125);
  }
}

BOOST_AUTO_TEST_CASE(only_what_is_explained_is_kept) {
  World world = world_of(cases[0]);
  Options options;
  options.explained.emplace();
  Engine nobody(world, options);
  BOOST_TEST(!first_decision(nobody).search);
  options.explained->insert(named("head"));
  Engine somebody(world, options);
  BOOST_TEST(first_decision(somebody).search.has_value());
  options.keep_attempts = false;
  Engine nothing(world, options);
  BOOST_TEST(!first_decision(nothing).search);
}

BOOST_AUTO_TEST_CASE(a_report_remembers_preemptions) {
  World world = world_of(cases[0]);
  Engine engine(world, {});
  engine.run();
  WorkloadReport head = engine.report(named("head"));
  BOOST_REQUIRE(head.decision);
  BOOST_TEST((head.decision->outcome == Outcome::admitted));
  BOOST_REQUIRE(head.preempting);
  BOOST_REQUIRE_EQUAL(head.preempting->victims.size(), 1u);
  BOOST_TEST(head.preempting->victims[0].workload.name == "other");
  BOOST_TEST(!head.preempted);
  WorkloadReport other = engine.report(named("other"));
  BOOST_REQUIRE(other.preempted);
  BOOST_TEST(other.preempted->by.name == "head");
  BOOST_TEST(other.preempted->cluster_queue == "own");
  BOOST_TEST(other.preempted->priority == 10);
  BOOST_TEST((other.preempted->reason == Victim::Reason::in_cohort_reclamation));
  BOOST_TEST((other.preempted->at == test::kNow));
}

struct ReachCase {
  const char* why;
  const char* own;
  const char* borrow;       ///< of the own queue; null: no limit
  const char* lend;         ///< of the sibling; null: all
  const char* mid_borrow;   ///< of the cohort between; null: no limit
  std::int64_t total;
  std::vector<std::pair<std::string, std::int64_t>> sources;
  const char* limit;  ///< whose borrowing limit cuts; null: nobody's
};
std::ostream& operator<<(std::ostream& out, const ReachCase& c) { return out << c.why; }
const ReachCase reach_cases[] = {
    {"all that others have", "2", nullptr, nullptr, nullptr, 19,
     {{"sibling", 4}, {"team", 1}, {"far", 6}, {"unit", 5}, {"company", 1}}, nullptr},
    {"a lending limit keeps", "2", nullptr, "3", nullptr, 18,
     {{"sibling", 3}, {"team", 1}, {"far", 6}, {"unit", 5}, {"company", 1}}, nullptr},
    {"the own borrowing limit cuts", "2", "3", nullptr, nullptr, 5,
     {{"sibling", 4}, {"team", 1}, {"far", 6}, {"unit", 5}, {"company", 1}}, "own"},
    {"that of a cohort above cuts", "2", nullptr, nullptr, "2", 9,
     {{"sibling", 4}, {"team", 1}, {"far", 6}, {"unit", 5}, {"company", 1}}, "team"},
};

/// company: far 6, itself 1; below it team: own, sibling 4, itself 1; and unit: distant 5.
BOOST_DATA_TEST_CASE(reach, reach_cases, c) {
  World world;
  add(world, queue("own", "team", {{"f", {{"cpu", c.own, c.borrow}}}}));
  add(world, queue("sibling", "team", {{"f", {{"cpu", "4", nullptr, c.lend}}}}));
  add(world, queue("distant", "unit", {{"f", {{"cpu", "5"}}}}));
  add(world, queue("far", "company", {{"f", {{"cpu", "6"}}}}));
  Cohort team;
  team.name = "team";
  team.parent = "company";
  team.resource_groups.push_back(test::group({{"f", {{"cpu", "1", c.mid_borrow}}}}));
  Cohort unit;
  unit.name = "unit";
  unit.parent = "company";
  Cohort company;
  company.name = "company";
  company.resource_groups.push_back(test::group({{"f", {{"cpu", "1"}}}}));
  world.cohorts = {team, unit, company};
  world.workloads = {job("head", "own", {{"cpu", "30"}}),
                     running(job("user", "sibling", {{"cpu", "3"}}, 1, 0, 5), "sibling", "f")};
  world = finished(std::move(world));
  Engine engine(world, {});
  Decision decision = first_decision(engine);
  const FlavorAttempt& attempt = decision.pod_sets.at(0).attempts.at(0);
  BOOST_REQUIRE_EQUAL(attempt.reaches.size(), 1u);
  const Reach& reach = attempt.reaches[0];
  BOOST_TEST(reach.total.value() == c.total * 1000);
  BOOST_TEST((reach.total == attempt.resources.at(0).capacity));
  BOOST_TEST(reach.own.value() == 2000);
  BOOST_REQUIRE_EQUAL(reach.sources.size(), c.sources.size());
  std::int64_t sum = reach.own.value();
  for (std::size_t i = 0; i < c.sources.size(); ++i) {
    BOOST_TEST(reach.sources[i].node == c.sources[i].first);
    BOOST_TEST(reach.sources[i].amount.value() == c.sources[i].second * 1000);
    sum += reach.sources[i].amount.value();
  }
  BOOST_TEST(reach.limit.has_value() == (c.limit != nullptr));
  if (reach.limit) BOOST_TEST(reach.limit->node == c.limit);
  BOOST_TEST((reach.limit.has_value() || sum == reach.total.value()));
  BOOST_REQUIRE_EQUAL(reach.holders.size(), 1u);
  BOOST_TEST(reach.holders[0].node == "sibling");
  BOOST_TEST(reach.holders[0].amount.value() == (c.lend == nullptr ? 3000 : 2000));  // without what it keeps
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
