#pragma once

#include <cstddef>
#include <cstdint>

/// Every limit of the engine, each with the reason for its number.
namespace sluice {

/// Bytes of one policy file. The largest policy we know of has 40 KB; the parser needs about 0.2 ms a kilobyte.
inline constexpr std::size_t kMaxPolicyBytes = 4u << 20;
/// Nesting of brackets, parentheses and unary operators in a policy. ANTLR's parser recurses: about
/// 600 bytes of stack times the depth of the expression grammar a level; 8 MB hold 20,000 at the most.
inline constexpr std::size_t kMaxPolicyNesting = 256;
/// Height of one expression's tree: also a chain of operators (`a and b and …`) grows it. Every pass recurses
/// over it, with less than 1 KB of stack a level.
inline constexpr std::size_t kMaxExpressionHeight = 1000;
/// Diagnostics reported for one compilation; what follows is rarely of use.
inline constexpr std::size_t kMaxDiagnostics = 100;
/// Steps of one rule in each order (constant, per pod set, per workload). A long rule takes some hundred; functions
/// that call each other twice reach a million at the twentieth.
inline constexpr std::int64_t kMaxRuleSteps = 1'000'000;
/// Alternatives that a condition is spread into when rules are compared; more count as "may always hold".
/// A condition written by hand rarely has more than ten.
inline constexpr std::size_t kMaxAlternatives = 256;
/// Bytes of one manifest file. `kubectl get -o yaml` of 20,000 workloads has about 60 MB.
inline constexpr std::size_t kMaxManifestBytes = 64u << 20;
/// Nesting of a manifest. The deepest CRD we know of (RayJob) reaches 24.
inline constexpr std::size_t kMaxManifestNesting = 200;
/// Values of one manifest document. A file of 60 MB, as above, has about 5 million; each takes 48 bytes while it is
/// read.
inline constexpr std::size_t kMaxManifestValues = 8u << 20;
/// Values that the YAML aliases of one document may add: they multiply ("billion laughs"). No manifest we know of
/// repeats more than a few hundred.
inline constexpr std::size_t kMaxAliasValues = 1u << 20;
/// Workloads that one job may become: a Deployment has one a pod. Each takes some 2 KB.
inline constexpr std::int32_t kMaxWorkloadsOfJob = 100'000;

/// Instants that `next(condition)` tries. A year has some 1,500 at which working hours begin or end somewhere.
inline constexpr int kMaxSolveSteps = 4000;
/// How far ahead `next(condition)` looks, in days: every day of the calendar once.
inline constexpr int kMaxSolveDays = 366;
/// Instructions of one expression. Functions and `let` are copied where they are used, which can double with each.
inline constexpr std::size_t kMaxChunkInstructions = 1u << 16;
/// Instructions of one program: a rule takes 20 to 200, and functions and `let` are copied where they are used.
inline constexpr std::size_t kMaxProgramInstructions = 1u << 20;

/// Bytes of one file of scenarios: a million of them, at about 1 KB each. A line is a manifest and has its limit.
inline constexpr std::size_t kMaxScenarioBytes = std::size_t{1} << 30;

}  // namespace sluice
