#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/cluster.hpp"
#include "tools/decider.hpp"
#include "tools/policy.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {

/// What `decide`, `why` and `repl` are asked about, from their common flags: a snapshot (-s), policies (-p),
/// manifests, an instant (--at).
struct Question {
  Cluster cluster;
  std::optional<lang::Policy> policy;  ///< empty: no -p
  std::map<std::string, std::string> params;
  bool has_snapshot = false;
  Instant at;  ///< the instant that is asked for; not before `cluster.world.now`
};

/// Flags of every verb that asks a question. `set`, `param`, `policy` and `capacity` may be repeated.
inline constexpr Flag policy_flag{.name = "policy",
                                  .letter = 'p',
                                  .value = "POLICY",
                                  .help = "a policy or a folder of them",
                                  .repeated = true};
inline constexpr Flag snapshot_flag{.name = "snapshot",
                                    .letter = 's',
                                    .value = "FILE",
                                    .help = "the cluster: a file that `sluice load` made"};
inline constexpr Flag at_flag{
    .name = "at",
    .value = "INSTANT",
    .help = "decide at this instant, `2026-01-31T12:00:00Z`, or after a wait, `+15min`"};
inline constexpr Flag set_flag{
    .name = "set", .value = "NAME=VALUE", .help = "for ${NAME} in the manifests behind it", .repeated = true};
inline constexpr Flag param_flag{
    .name = "param", .value = "NAME=VALUE", .help = "a value for a param of the policy", .repeated = true};
inline constexpr Flag capacity_flag{.name = "capacity",
                                    .value = "FILE",
                                    .help = "capacity signals: a policy file with `capacity { … }`",
                                    .repeated = true};

/// The policies of a call: those of -p, then the capacity files.
std::vector<std::string> policy_paths(const Args& args);

/// Whether there must be a cluster.
enum class Manifests : std::uint8_t { required, optional };

/// Reads everything; the manifests are the words from number `first_word` on. Remarks and the policy's
/// diagnostics go to `err`. Empty if the policy has errors. Throws Error.
std::optional<Question> read_question(Context& context, const Args& args, std::size_t first_word,
                                      Manifests manifests = Manifests::required);

/// So many workloads can all be explained: what is told of a preemption grows with their square.
inline constexpr std::size_t few_workloads = 300;

/// The question with every job submitted and run up to its instant. `question` must outlive the result. `explained`: see
/// Decider.
std::unique_ptr<Decider> decide_question(const Question& question, Decider::Explained explained);

}  // namespace sluice::tools
