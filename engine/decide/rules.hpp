#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/amount.hpp"
#include "base/time.hpp"
#include "decide/rule_note.hpp"
#include "model/world.hpp"

namespace sluice::program {
struct Program;
enum class Point : std::uint8_t;
}

/// The decision points, as the engine sees them: what a policy's rules say to one question.
namespace sluice::decide {

/// What the engine knows of a workload beyond its object.
struct WorkloadState {
  std::string cluster_queue;               ///< behind its LocalQueue; empty: none
  bool reserved = false;                   ///< has quota
  bool admitted = false;                   ///< and every check is ready
  bool inadmissible = false;               ///< parked
  bool gone = false;                       ///< finished or deactivated: no longer among `workloads`
  std::optional<Instant> admitted_at;
  std::vector<PodSetAssignment> assignments;  ///< with quota: what it holds
};

/// Quota as the engine has it at the moment of the question.
class QuotaView {
 public:
  virtual ~QuotaView() = default;
  /// What `queue` could still get of (flavor, resource), borrowing included.
  virtual Amount available(std::string_view queue, std::string_view flavor, std::string_view resource) const = 0;
  virtual Amount used(std::string_view queue, std::string_view flavor, std::string_view resource) const = 0;
  virtual Amount nominal(std::string_view queue, std::string_view flavor, std::string_view resource) const = 0;
  virtual std::int64_t pending(std::string_view queue) const = 0;
};

enum class Verdict : std::uint8_t { allow, hold, deny };

/// A value a rule gives to a field the submitter left open.
struct Default {
  enum class Kind : std::uint8_t { queue, priority, label, annotation, compute_class, max_run, topology };
  Kind kind = Kind::queue;
  std::string key;    ///< of a label or annotation; of a topology `require` or `prefer`
  std::string value;  ///< LocalQueue, priority class, label value, compute class, duration, topology level
  RuleNote note;
};

struct SubmitAnswer {
  Verdict verdict = Verdict::allow;  ///< hold: only from a fault with `on error hold`
  std::vector<RuleNote> denied;
  std::vector<RuleNote> warnings;
  std::vector<Default> defaults;
};

struct ScoreAnswer {
  std::optional<std::int64_t> score;  ///< in place of the priority when the queue is sorted; empty: no rule said anything
  std::vector<RuleNote> notes;
};

/// What rules say about one flavor of a resource group.
struct FlavorAnswer {
  bool allowed = true;
  std::optional<Instant> opens;    ///< refused: the instant at which waiting alone lifts the refusal
  std::optional<Duration> after;   ///< refused by `after D`: D
  std::vector<RuleNote> refusals;  ///< why it is refused
  std::vector<RuleNote> notes;     ///< `prefer`, and the rung that let it pass
};

struct FlavorsAnswer {
  /// Indices into ResourceGroup::flavors in the order to consider them; every flavor once.
  std::vector<std::uint32_t> order;
  std::vector<FlavorAnswer> flavors;  ///< by index into ResourceGroup::flavors
  /// `otherwise hold`: why the workload is held when none of the group's flavors could be used.
  std::optional<RuleNote> otherwise;
};

struct AdmitAnswer {
  Verdict verdict = Verdict::allow;
  std::optional<Instant> until;     ///< hold: when it ends by itself; empty: not by itself
  std::vector<RuleNote> reasons;    ///< of deny and hold, all of them, in the order of the policy
  std::vector<std::string> checks;  ///< admission checks that rules require in addition, sorted
  std::vector<RuleNote> notes;      ///< of required checks
};

/// Asked by the engine at the decision points of the language and nowhere else. This class is the policy without
/// rules: it says yes to everything, keeps the order, and never changes its mind.
class Rules {
 public:
  virtual ~Rules() = default;

  /// Makes a workload known before it is asked about; returns the number it has in all questions, counted from 0 in
  /// the order of the calls. The workload is copied.
  virtual std::uint32_t add(const Workload& workload, const WorkloadState& state);
  /// The engine decided something about it (or a manifest changed its state).
  virtual void update(std::uint32_t workload, const WorkloadState& state);
  /// Capacity signals changed (`at` in a test, `--capacity`).
  virtual void set_capacity(std::span<const CapacitySignal> signals);

  virtual SubmitAnswer submit(std::uint32_t workload, Instant now);
  virtual ScoreAnswer score(std::uint32_t workload, Instant now, const QuotaView& quota);
  /// For pod set number `pod_set` of the workload and one resource group of its queue.
  virtual FlavorsAnswer flavors(std::uint32_t workload, std::uint32_t pod_set, std::string_view queue,
                                const ResourceGroup& group, Instant now, const QuotaView& quota);
  /// `assignments` is what it would get, one for each pod set.
  virtual AdmitAnswer admit(std::uint32_t workload, std::span<const PodSetAssignment> assignments, bool borrows,
                            Instant now, const QuotaView& quota);
  /// The earliest instant after `now` at which any answer about the workload could differ although nothing happens;
  /// may be too early (an answer need not differ), never too late. Empty: waiting alone changes nothing.
  virtual std::optional<Instant> next_change(std::uint32_t workload, Instant now);
  /// Whether any rule is asked at a point; lets the engine leave out questions.
  virtual bool has_order_rules() const;
  /// The first rule of a point that is not asked yet (preempt, provision, place); empty if there is none. The engine
  /// refuses by this name what the rule could change.
  virtual std::string rule_on(program::Point point) const;
  /// A copy that knows the same workloads and shares nothing that changes: for a what-if.
  virtual std::unique_ptr<Rules> clone() const;

 protected:
  std::uint32_t workloads_ = 0;
};

/// The rules of a compiled policy over the objects of a world. Both must outlive it.
std::unique_ptr<Rules> make_rules(const program::Program& program, const World& world);

}  // namespace sluice::decide
