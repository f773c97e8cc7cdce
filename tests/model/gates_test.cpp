#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <set>
#include <string>

#include "base/error.hpp"
#include "model/gates.hpp"

namespace sluice {
namespace {

constexpr KueueVersion kAll[] = {KueueVersion::v0_17, KueueVersion::v0_18, KueueVersion::v0_19,
                                 KueueVersion::v0_20};

struct DefaultCase {
  const char* gate;
  bool Gates::*member;
  bool values[4];  ///< by line
};
std::ostream& operator<<(std::ostream& out, const DefaultCase& c) {
  return out << c.gate;
}

// The gates whose default moves decisions between the lines.
const DefaultCase default_cases[] = {
    {"AdmissionGatedBy", &Gates::admission_gated_by, {false, false, true, true}},
    {"ElasticJobsViaWorkloadSlices", &Gates::elastic_slices, {false, true, true, true}},
    {"FinishOrphanedWorkloads", &Gates::finish_orphaned_workloads, {false, true, true, true}},
    {"FlavorFungibilityPreserveScanProgress", &Gates::preserve_scan_progress, {false, true, true, true}},
    {"HierarchicalCohorts", &Gates::hierarchical_cohorts, {true, true, true, true}},
    {"QuotaCheckStrategy", &Gates::quota_check_strategy, {false, false, true, true}},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap",
     &Gates::recompute_on_overlap,
     {false, false, false, true}},
    {"SchedulingEquivalenceHashing", &Gates::scheduling_equivalence_hashing, {false, true, true, true}},
    {"SkipReassignmentForPodOwnedWorkloads",
     &Gates::skip_reassignment_for_pod_owned_workloads,
     {false, false, true, true}},
    {"TASHandleOverlappingFlavors", &Gates::tas_handle_overlapping_flavors, {false, true, true, true}},
    {"TASMultiLayerTopology", &Gates::tas_multi_layer_topology, {false, false, true, true}},
    {"TASReplaceNodeDueToNotReadyOverFixedTime",
     &Gates::tas_replace_node_due_to_not_ready_over_fixed_time,
     {true, true, false, false}},
    {"UnadmittedWorkloadsObservability", &Gates::observability, {false, false, false, true}},
    {"WorkloadIdentifierAnnotations", &Gates::workload_identifier_annotations, {false, true, true, true}},
    {"WorkloadPriorityClassDefaulting",
     &Gates::workload_priority_class_defaulting,
     {false, false, false, true}},
};

struct RefusedCase {
  const char* why;
  KueueVersion version;
  GateSettings settings;
  const char* code;
  const char* help;
};
std::ostream& operator<<(std::ostream& out, const RefusedCase& c) {
  return out << c.why;
}
const RefusedCase refused_cases[] = {
    {"no gate at all", KueueVersion::v0_19, {{"NoSuchGate", true}}, "unknown-feature-gate", ""},
    {"a slip of the pen",
     KueueVersion::v0_19,
     {{"PartialAdmision", true}},
     "unknown-feature-gate",
     "did you mean `PartialAdmission`?"},
    {"not there yet",
     KueueVersion::v0_17,
     {{"QuotaCheckStrategy", true}},
     "unknown-feature-gate",
     "it is one of Kueue 0.18, 0.19, 0.20"},
    {"gone",
     KueueVersion::v0_20,
     {{"SchedulerLongRequeueInterval", true}},
     "unknown-feature-gate",
     "it is one of Kueue 0.17, 0.18, 0.19"},
    {"locked", KueueVersion::v0_19, {{"HierarchicalCohorts", false}}, "locked-feature-gate", ""},
    {"locked off", KueueVersion::v0_18, {{"DynamicResourceAllocation", true}}, "locked-feature-gate", ""},
};

struct VersionCase {
  const char* text;
  std::optional<KueueVersion> want;
};
std::ostream& operator<<(std::ostream& out, const VersionCase& c) {
  return out << c.text;
}
const VersionCase version_cases[] = {
    {"0.17", KueueVersion::v0_17}, {"v0.18", KueueVersion::v0_18}, {"0.19.2", KueueVersion::v0_19},
    {"0.20", KueueVersion::v0_20}, {"0.16", {}},                   {"0.21", {}},
    {"0.19.", {}},                 {"0.190", {}},                  {"0.19.x", {}},
    {"", {}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(gates)

BOOST_DATA_TEST_CASE(default_of_each_line, default_cases, c) {
  for (KueueVersion version : kAll) {
    Gates gates = gates_of(version, {});
    BOOST_TEST((gates.*(c.member)) == c.values[static_cast<std::size_t>(version)], name_of(version));
  }
}

BOOST_AUTO_TEST_CASE(as_made_it_is_the_newest_release) {
  Gates made;
  Gates asked = gates_of(kNewestKueue, {});
  BOOST_TEST((made.version == asked.version));
  for (const GateInfo& gate : gate_table())
    BOOST_TEST((made.*(gate.member)) == (asked.*(gate.member)), gate.name);
}

BOOST_AUTO_TEST_CASE(every_gate_can_be_set_to_its_default_and_names_are_sorted) {
  std::string before;
  for (const GateInfo& gate : gate_table()) {
    std::string name(gate.name);
    std::string lower = name;
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    BOOST_TEST((before < lower), name);
    before = lower;
    for (KueueVersion version : kAll) {
      GateState state = gate.state(version);
      if (state == GateState::none_on || state == GateState::none_off) continue;
      Gates gates = gates_of(version, {{name, is_on(state)}});
      BOOST_TEST((gates.*(gate.member)) == is_on(state), name);
    }
  }
}

BOOST_AUTO_TEST_CASE(all_of_a_stage_but_for_what_is_named) {
  Gates gates = gates_of(KueueVersion::v0_19, {{"AllAlpha", true}, {"PriorityBoost", false}});
  BOOST_TEST(gates.prioritize_preemptors);
  BOOST_TEST(!gates.priority_boost);
  BOOST_TEST(!gates.observability);
  gates = gates_of(KueueVersion::v0_19, {{"AllBeta", false}, {"PartialAdmission", true}});
  BOOST_TEST(!gates.flavor_fungibility);
  BOOST_TEST(gates.partial_admission);
  BOOST_TEST(gates.hierarchical_cohorts);
  BOOST_TEST(gates_of(KueueVersion::v0_19, {{"AllBeta", true}}).observability);
}

BOOST_DATA_TEST_CASE(refuses, refused_cases, c) {
  BOOST_CHECK_EXCEPTION(gates_of(c.version, c.settings), Error,
                        [&](const Error& e) { return e.code() == c.code && e.help() == c.help; });
}

BOOST_AUTO_TEST_CASE(defaults_of_each_line_meet_their_needs) {
  for (KueueVersion version : kAll) BOOST_CHECK_NO_THROW(refuse_unmet_needs(gates_of(version, {})));
}

BOOST_AUTO_TEST_CASE(a_gate_needs_the_one_it_builds_on) {
  auto code = [](KueueVersion version, const GateSettings& settings) {
    try {
      refuse_unmet_needs(gates_of(version, settings));
      return std::string();
    } catch (const Error& e) {
      return e.code();
    }
  };
  BOOST_TEST(code(KueueVersion::v0_19, {{"TopologyAwareScheduling", false}}) == "feature-gate-needs");
  BOOST_TEST(code(KueueVersion::v0_19, {{"FlavorFungibility", false}}) == "");
  BOOST_TEST(code(KueueVersion::v0_20, {{"FlavorFungibility", false}}) == "feature-gate-needs");
  BOOST_TEST(code(KueueVersion::v0_19, {{"UnadmittedWorkloadsExplicitStatus", true}}) == "feature-gate-needs");
}

BOOST_DATA_TEST_CASE(reads_a_version, version_cases, c) {
  BOOST_TEST((parse_kueue_version(c.text) == c.want));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
