#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "kube/manifest.hpp"
#include "model/configuration.hpp"
#include "model/world.hpp"

/// Jobs as users write them to the Workloads that Kueue makes of them.
/// Source: the webhooks and job integrations of Kueue v0.19.2, all of them on, with its default
/// configuration.
namespace sluice::kube {

struct JobOptions {
  Instant now;            ///< creationTimestamp of jobs that have none
  bool scenario = false;  ///< as in DecodeOptions
  Configuration kueue = {};
};

/// Who refused a job.
enum class RefusedBy : std::uint8_t {
  decoding,            ///< unknown field, wrong type
  schema,              ///< the kind's own schema
  mutating_webhook,    ///< Kueue's
  validating_webhook,  ///< Kueue's
  reconciler,          ///< the job is stored and stays suspended: Kueue makes no Workload
  workload_schema,     ///< the same: Kueue makes a Workload that the API server refuses
  workload_webhook,    ///< the same: Kueue's own webhook refuses the Workload
  not_decided,         ///< Sluice does not count this kind or option yet
};

/// The API server takes such a job, but there will be no Workload.
bool is_stored(RefusedBy by);

struct JobRefusal {
  RefusedBy by;
  Error error;
};

/// What Kueue makes of one job.
struct JobResult {
  std::size_t job = 0;  ///< index of the job among the objects given
  /// Ordinary jobs have one; if there is none, `note` or `refusal` says why. With a refusal by
  /// `workload_schema` or `workload_webhook` the Workload that is refused is here too; it is not to be used.
  std::vector<Workload> workloads;
  std::string note;  ///< why there is no Workload though nothing is wrong: `no queue name`
  std::optional<JobRefusal> refusal;
};

/// Is this a kind that Kueue makes Workloads of? A Pod is one only with a queue label or as part of a pod
/// group.
bool is_job(const Object& object);

struct JobKind {
  std::string_view group, version, kind;
};
/// The kinds that is_job knows.
std::vector<JobKind> job_kinds();

/// What Kueue makes of `jobs`, one result each, in their order; the pods of a pod group share one Workload,
/// which the result of the first one holds. Priority classes, local queues, namespaces and so on come from
/// `world`.
std::vector<JobResult> workloads_of(std::span<const Object> jobs, const World& world,
                                    const JobOptions& options);

/// The name that Kueue gives the Workload of an owner: `<kind>-<name>-<hash>`, at most `longest` bytes. `extra` is
/// the generation of an elastic job, else empty.
std::string workload_name(std::string_view kind, std::string_view group, std::string_view name,
                          std::string_view uid, std::string_view extra = {}, std::size_t longest = 253);

}  // namespace sluice::kube
