#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "decide/rule_tables.hpp"
#include "decide/rules.hpp"
#include "program/program.hpp"
#include "vm/machine.hpp"

namespace sluice::decide {

using program::Action;
using program::kNone;
using program::OnError;
using program::Point;
using program::Role;

namespace {

/// Instants that a search for the end of a refusal tries: what opens later than the hundredth change is no plan.
constexpr int kMaxOpenings = 100;

RuleFault::Kind fault_kind(program::FaultKind kind) {
  switch (kind) {
    case program::FaultKind::overflow: return RuleFault::Kind::overflow;
    case program::FaultKind::division_by_zero: return RuleFault::Kind::division_by_zero;
    case program::FaultKind::absent_value: return RuleFault::Kind::absent_value;
    case program::FaultKind::bad_time_zone: return RuleFault::Kind::bad_time_zone;
  }
  return RuleFault::Kind::overflow;
}

std::optional<Instant> earlier(std::optional<Instant> a, std::optional<Instant> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

class PolicyRules final : public Rules {
 public:
  PolicyRules(const program::Program& program, const World& world)
      : program_(program), world_(world), tables_(program, world), machine_(program) {
    for (std::size_t i = 0; i < program.rules.size(); ++i) {
      PointRules& rules = points_[static_cast<std::size_t>(program.rules[i].point)];
      if (rules.count++ == 0) rules.first = static_cast<std::uint32_t>(i);
    }
  }
  PolicyRules(const PolicyRules& other)
      : Rules(other),
        program_(other.program_),
        world_(other.world_),
        tables_(other.tables_),
        machine_(other.program_),
        points_(other.points_) {
    machine_.bind(tables_.binding());
  }
  PolicyRules& operator=(const PolicyRules&) = delete;

  std::uint32_t add(const Workload& workload, const WorkloadState& state) override { return tables_.add(workload, state); }
  void update(std::uint32_t workload, const WorkloadState& state) override { tables_.update(workload, state); }
  void set_capacity(std::span<const CapacitySignal> signals) override { tables_.set_capacity(signals); }
  bool has_order_rules() const override { return points_[static_cast<std::size_t>(Point::order)].count > 0; }
  std::string rule_on(Point point) const override {
    const PointRules& rules = points_[static_cast<std::size_t>(point)];
    return rules.count == 0 ? std::string() : program_.rules[rules.first].name;
  }
  std::unique_ptr<Rules> clone() const override { return std::make_unique<PolicyRules>(*this); }

  SubmitAnswer submit(std::uint32_t workload, Instant now) override;
  ScoreAnswer score(std::uint32_t workload, Instant now, const QuotaView& quota) override;
  FlavorsAnswer flavors(std::uint32_t workload, std::uint32_t pod_set, std::string_view queue, const ResourceGroup& group,
                        Instant now, const QuotaView& quota) override;
  AdmitAnswer admit(std::uint32_t workload, std::span<const PodSetAssignment> assignments, bool borrows, Instant now,
                    const QuotaView& quota) override;
  std::optional<Instant> next_change(std::uint32_t workload, Instant now) override;

 private:
  struct PointRules {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// A rule that had something to say.
  struct Hit {
    const program::Rule* rule = nullptr;
    std::optional<program::Fault> fault;
  };
  using Verb = RuleNote::Verb;

  // Part: asking the machine.

  void ask(std::uint32_t workload, Instant now) {
    workload_ = workload;
    now_ = now;
    if (tables_.is_stale()) machine_.bind(tables_.binding());
    machine_.ask(now);
    machine_.set_row(Role::workload, workload);
    machine_.set_row(Role::name_space, tables_.name_space_row(workload));
  }

  void set_queue(const QuotaView& quota) {
    const std::string& queue = tables_.queue(workload_);
    tables_.refresh_queue(queue, quota);
    queue_row_ = tables_.queue_row(queue);
  }

  Duration waited() const { return now_ - tables_.created(workload_); }
  Instant after(std::int64_t nanoseconds) const { return tables_.created(workload_) + Duration{nanoseconds}; }

  /// The rules of a point that match or fault, in the order of the policy.
  std::vector<Hit> hits(Point point) {
    const PointRules& rules = points_[static_cast<std::size_t>(point)];
    std::vector<Hit> found;
    if (rules.count == 0) return found;
    holds_.resize((rules.count + 63) / 64);
    faults_.resize(holds_.size());
    machine_.match(rules.first, rules.count, holds_, faults_);
    for (std::uint32_t i = 0; i < rules.count; ++i) {
      const program::Rule& rule = program_.rules[rules.first + i];
      if (((faults_[i / 64] >> (i % 64)) & 1U) != 0) {
        found.push_back({&rule, machine_.test(rule.when).fault});
      } else if (((holds_[i / 64] >> (i % 64)) & 1U) != 0) {
        found.push_back({&rule, std::nullopt});
      }
    }
    return found;
  }

  RuleFault fault_of(const program::Fault& fault) const {
    return {fault_kind(fault.kind), program::span_of(program_, fault)};
  }

  std::string text(std::uint32_t number) {
    std::string text;
    if (number == kNone) return text;
    for (const program::Template::Piece& piece : program_.templates[number].pieces) {
      text += piece.literal;
      if (piece.chunk == kNone) continue;
      const program::Chunk& chunk = program_.chunks[piece.chunk];
      const vm::Value value = machine_.evaluate(piece.chunk);
      if (value.fault) {
        text += '?';
      } else if (!value.present) {
        text += "none";
      } else if (chunk.kind == program::ValueKind::text) {
        text += tables_.text(value.value);
      } else {
        text += program::to_string(chunk.kind, value.value);
      }
    }
    return text;
  }

  RuleNote note(Verb verb, const program::Rule& rule, Span span) {
    RuleNote note;
    note.verb = verb;
    note.rule = rule.name;
    note.span = span;
    note.because = text(rule.because);
    return note;
  }

  RuleNote fault_note(Verb verb, const program::Rule& rule, const program::Fault& fault) {
    RuleNote note;
    note.verb = verb;
    note.rule = rule.name;
    note.span = rule.span;
    note.fault = fault_of(fault);
    return note;
  }

  /// The actions of a matching rule that speak already.
  template <class Visit>
  void each_action(const program::Rule& rule, Visit visit) {
    for (const Action& action : rule.actions) {
      if (waited().ns >= action.after) visit(action);
    }
  }

  /// When an instant comes by waiting alone at which `holds` answers yes; asked at the instants at which `next` says
  /// that something changes. The question is at `now` again afterwards.
  std::optional<Instant> first_instant(const std::function<bool()>& holds, const std::function<std::optional<Instant>()>& next) {
    const Instant start = now_;
    std::optional<Instant> found;
    for (int tries = 0; tries < kMaxOpenings; ++tries) {
      const std::optional<Instant> change = next();
      if (!change || *change <= now_) break;
      move_to(*change);
      if (holds()) {
        found = *change;
        break;
      }
    }
    move_to(start);
    return found;
  }

  /// The same question at another instant.
  void move_to(Instant now) {
    now_ = now;
    machine_.ask(now);
    machine_.set_row(Role::workload, workload_);
    machine_.set_row(Role::name_space, tables_.name_space_row(workload_));
    if (queue_row_) machine_.set_row(Role::queue, *queue_row_);
    if (pod_set_row_) machine_.set_row(Role::pod_set, *pod_set_row_);
    if (flavor_row_) machine_.set_row(Role::flavor, *flavor_row_);
    machine_.set_row(Role::assignment, 0);
  }

  std::optional<Instant> next_of(const std::vector<program::TimeAtom>& atoms) {
    std::optional<Instant> next;
    for (const program::TimeAtom& atom : atoms) next = earlier(next, machine_.change(atom));
    return next;
  }

  std::optional<Instant> next_of(const program::Rule& rule) {
    std::optional<Instant> next = next_of(rule.changes);
    for (const Action& action : rule.actions) {
      if (action.after > 0 && after(action.after) > now_) next = earlier(next, after(action.after));
    }
    return next;
  }

  std::optional<Instant> next_of(const program::Rung& rung) {
    std::optional<Instant> next = next_of(rung.changes);
    if (rung.after && after(rung.after->ns) > now_) next = earlier(next, after(rung.after->ns));
    return next;
  }

  /// When the rule stops matching, if waiting alone makes it so.
  std::optional<Instant> ends(const program::Rule& rule) {
    return first_instant([&] { return !machine_.test(rule.when); }, [&] { return next_of(rule); });
  }

  // Part: flavors.

  /// What is known of one flavor of the group.
  struct Candidate {
    FlavorAnswer answer;
    bool held_by_fault = false;
    std::vector<const program::Rung*> rungs;  ///< that name it, in order
    std::optional<Duration> lifted_to;        ///< `prefer`: its rungs open after this, if that is sooner
    std::size_t position = 0;                 ///< among the named flavors
  };
  void ask_flavor_rules(const ResourceGroup& group, std::vector<Candidate>& candidates,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& preferences);
  void ask_rungs(const program::Fallback& fallback, Candidate& candidate);
  bool is_open(const program::Rung& rung, std::optional<Duration> lifted_to, std::optional<program::Fault>* fault);
  const program::Fallback* fallback_of(std::string_view queue) const;
  RuleNote rung_note(Verb verb, const program::Fallback& fallback, const program::Rung& rung);

  const program::Program& program_;
  const World& world_;
  RuleTables tables_;
  vm::Machine machine_;
  std::array<PointRules, program::kPoints> points_{};
  std::vector<std::uint64_t> holds_;
  std::vector<std::uint64_t> faults_;
  // Of the question that is being answered.
  std::uint32_t workload_ = 0;
  Instant now_;
  std::optional<std::uint32_t> queue_row_;
  std::optional<std::uint32_t> pod_set_row_;
  std::optional<std::uint32_t> flavor_row_;
};

// Part: submit.

SubmitAnswer PolicyRules::submit(std::uint32_t workload, Instant now) {
  SubmitAnswer answer;
  if (points_[static_cast<std::size_t>(Point::submit)].count == 0) return answer;
  queue_row_.reset();
  pod_set_row_.reset();
  flavor_row_.reset();
  ask(workload, now);
  bool denied = false;
  bool held = false;
  // Nothing can be held before it exists: a fault with `on error hold` refuses the job, too.
  const auto fail = [&](const program::Rule& rule, const program::Fault& fault) {
    const Verb verb = rule.on_error == OnError::deny ? Verb::deny : rule.on_error == OnError::hold ? Verb::hold : Verb::allow;
    (verb == Verb::allow ? answer.warnings : answer.denied).push_back(fault_note(verb, rule, fault));
    denied = denied || verb == Verb::deny;
    held = held || verb == Verb::hold;
  };
  for (const Hit& hit : hits(Point::submit)) {
    if (hit.fault) {
      fail(*hit.rule, *hit.fault);
      continue;
    }
    each_action(*hit.rule, [&](const Action& action) {
      const auto add_default = [&](Default::Kind kind) {
        std::string value = action.name;
        if (action.value != kNone) {
          const vm::Value computed = machine_.evaluate(action.value);
          const program::ValueKind is = program_.chunks[action.value].kind;
          if (computed.fault) return fail(*hit.rule, *computed.fault);
          if (!computed.present) return;
          value = is == program::ValueKind::text ? std::string(tables_.text(computed.value)) : program::to_string(is, computed.value);
        }
        RuleNote said = note(Verb::set_default, *hit.rule, action.span);
        said.what = action.other + (action.key.empty() ? " " : " " + action.key + " = ") + value;
        answer.defaults.push_back({kind, action.key, std::move(value), std::move(said)});
      };
      switch (action.kind) {
        case Action::Kind::deny:
          denied = true;
          answer.denied.push_back(note(Verb::deny, *hit.rule, action.span));
          break;
        case Action::Kind::warn: answer.warnings.push_back(note(Verb::warn, *hit.rule, action.span)); break;
        case Action::Kind::default_queue: add_default(Default::Kind::queue); break;
        case Action::Kind::default_priority:
        case Action::Kind::default_priority_class: add_default(Default::Kind::priority); break;
        case Action::Kind::default_label: add_default(Default::Kind::label); break;
        case Action::Kind::default_annotation: add_default(Default::Kind::annotation); break;
        case Action::Kind::default_compute_class: add_default(Default::Kind::compute_class); break;
        case Action::Kind::default_max_run: add_default(Default::Kind::max_run); break;
        case Action::Kind::default_topology: add_default(Default::Kind::topology); break;
        case Action::Kind::score:
        case Action::Kind::skip:
        case Action::Kind::prefer:
        case Action::Kind::hold:
        case Action::Kind::require_check:
        case Action::Kind::protect:
        case Action::Kind::cost:
        case Action::Kind::use:
        case Action::Kind::place: break;  // of other points
      }
    });
  }
  if (held) answer.verdict = Verdict::hold;
  if (denied) answer.verdict = Verdict::deny;
  return answer;
}

// Part: order.

ScoreAnswer PolicyRules::score(std::uint32_t workload, Instant now, const QuotaView& quota) {
  ScoreAnswer answer;
  if (!has_order_rules()) return answer;
  pod_set_row_.reset();
  flavor_row_.reset();
  workload_ = workload;
  set_queue(quota);
  ask(workload, now);
  machine_.set_row(Role::queue, *queue_row_);
  for (const Hit& hit : hits(Point::order)) {
    if (hit.fault) {
      answer.notes.push_back(fault_note(Verb::score, *hit.rule, *hit.fault));
      continue;
    }
    each_action(*hit.rule, [&](const Action& action) {
      if (action.kind != Action::Kind::score) return;
      const vm::Value value = machine_.evaluate(action.value);
      std::optional<program::Fault> fault = value.fault;
      std::int64_t sum = value.value;
      if (!fault && answer.score && program_.order_collects_sum &&
          __builtin_add_overflow(*answer.score, value.value, &sum)) {
        fault = program::Fault{program::FaultKind::overflow, program_.chunks[action.value].begin, kNone};
      }
      if (fault) {
        answer.notes.push_back(fault_note(Verb::score, *hit.rule, *fault));
        return;
      }
      // Two scores without `collect sum` are refused by the checker as far as it can see; the first one counts.
      if (!answer.score || program_.order_collects_sum) answer.score = sum;
      answer.notes.push_back(note(Verb::score, *hit.rule, action.span));
    });
  }
  return answer;
}

// Part: flavor.

const program::Fallback* PolicyRules::fallback_of(std::string_view queue) const {
  const auto found = std::lower_bound(program_.fallbacks.begin(), program_.fallbacks.end(), queue,
                                      [](const program::Fallback& f, std::string_view name) { return f.queue < name; });
  return found != program_.fallbacks.end() && found->queue == queue ? &*found : nullptr;
}

RuleNote PolicyRules::rung_note(Verb verb, const program::Fallback& fallback, const program::Rung& rung) {
  RuleNote note;
  note.verb = verb;
  note.rule = "fallback for queue " + fallback.queue;
  note.span = rung.span;
  note.because = text(rung.because);
  return note;
}

bool PolicyRules::is_open(const program::Rung& rung, std::optional<Duration> lifted_to, std::optional<program::Fault>* fault) {
  if (rung.after) {
    const Duration wait = lifted_to ? std::min(*lifted_to, *rung.after) : *rung.after;
    if (waited() < wait) return false;
  }
  const vm::Value when = machine_.test(rung.when);
  if (when.fault && fault != nullptr) *fault = when.fault;
  if (!when) return false;
  if (rung.unless.chunk == kNone) return true;
  const vm::Value unless = machine_.test(rung.unless);
  if (unless.fault && fault != nullptr) *fault = unless.fault;
  return !unless.fault && !unless;
}

void PolicyRules::ask_flavor_rules(const ResourceGroup& group, std::vector<Candidate>& candidates,
                                   std::vector<std::pair<std::uint32_t, std::uint32_t>>& preferences) {
  const auto index_of = [&](const std::string& name) -> std::optional<std::uint32_t> {
    for (std::uint32_t i = 0; i < group.flavors.size(); ++i) {
      if (group.flavors[i].flavor == name) return i;
    }
    return std::nullopt;
  };
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    flavor_row_ = tables_.flavor_row(group.flavors[i].flavor);
    machine_.set_row(Role::flavor, *flavor_row_);
    for (const Hit& hit : hits(Point::flavor)) {
      if (hit.fault) {
        if (hit.rule->on_error == OnError::skip) {
          candidates[i].answer.notes.push_back(fault_note(Verb::allow, *hit.rule, *hit.fault));
          continue;
        }
        // Whether it may be used is not known: then nothing may.
        const Verb verb = hit.rule->on_error == OnError::deny ? Verb::deny : Verb::hold;
        for (Candidate& candidate : candidates) {
          if (!candidate.held_by_fault) candidate.answer.refusals.push_back(fault_note(verb, *hit.rule, *hit.fault));
          candidate.answer.allowed = false;
          candidate.held_by_fault = true;
        }
        continue;
      }
      each_action(*hit.rule, [&](const Action& action) {
        if (action.kind == Action::Kind::skip) {
          RuleNote refusal = note(Verb::skip, *hit.rule, action.span);
          refusal.opens = ends(*hit.rule);
          candidates[i].answer.allowed = false;
          candidates[i].answer.refusals.push_back(std::move(refusal));
        } else if (action.kind == Action::Kind::prefer) {
          const auto preferred = index_of(action.name);
          const auto other = index_of(action.other);
          if (!preferred || !other) return;
          const auto pair = std::pair(*preferred, *other);
          if (std::find(preferences.begin(), preferences.end(), pair) != preferences.end()) return;
          preferences.push_back(pair);
          candidates[*preferred].answer.notes.push_back(note(Verb::prefer, *hit.rule, action.span));
        }
      });
    }
  }
}

void PolicyRules::ask_rungs(const program::Fallback& fallback, Candidate& candidate) {
  std::vector<RuleNote> closed;
  for (const program::Rung* rung : candidate.rungs) {
    std::optional<program::Fault> fault;
    if (is_open(*rung, candidate.lifted_to, &fault)) {
      candidate.answer.notes.push_back(rung_note(Verb::rung_open, fallback, *rung));
      return;
    }
    RuleNote refusal = rung_note(Verb::rung_closed, fallback, *rung);
    if (fault) refusal.fault = fault_of(*fault);
    const std::optional<Duration> wait =
        rung->after && candidate.lifted_to ? std::optional(std::min(*rung->after, *candidate.lifted_to)) : rung->after;
    if (wait && waited() < *wait) {
      refusal.after = wait;
      refusal.because.clear();  // it is about the guard
      if (!candidate.answer.after || *wait < *candidate.answer.after) candidate.answer.after = wait;
    }
    refusal.opens = first_instant([&] { return is_open(*rung, candidate.lifted_to, nullptr); },
                                  [&] {
                                    std::optional<Instant> next = next_of(*rung);
                                    if (wait && after(wait->ns) > now_) next = earlier(next, after(wait->ns));
                                    return next;
                                  });
    closed.push_back(std::move(refusal));
  }
  candidate.answer.allowed = false;
  for (RuleNote& refusal : closed) candidate.answer.refusals.push_back(std::move(refusal));
}

FlavorsAnswer PolicyRules::flavors(std::uint32_t workload, std::uint32_t pod_set, std::string_view queue,
                                   const ResourceGroup& group, Instant now, const QuotaView& quota) {
  const program::Fallback* fallback = fallback_of(queue);
  const bool has_rules = points_[static_cast<std::size_t>(Point::flavor)].count > 0;
  if (fallback == nullptr && !has_rules) return Rules::flavors(workload, pod_set, queue, group, now, quota);

  workload_ = workload;
  set_queue(quota);
  for (const FlavorQuotas& flavor : group.flavors) tables_.refresh_flavor(queue, flavor.flavor, quota);
  ask(workload, now);
  machine_.set_row(Role::queue, *queue_row_);
  pod_set_row_ = tables_.first_pod_set(workload) + pod_set;
  machine_.set_row(Role::pod_set, *pod_set_row_);

  const auto count = static_cast<std::uint32_t>(group.flavors.size());
  std::vector<Candidate> candidates(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> preferences;
  if (has_rules) ask_flavor_rules(group, candidates, preferences);

  // The flavors that the fallback names, at the place of the first of them and in the order of the rungs.
  std::vector<std::uint32_t> named;
  if (fallback != nullptr) {
    for (const program::Rung& rung : fallback->rungs) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (group.flavors[i].flavor != rung.flavor) continue;
        if (candidates[i].rungs.empty()) named.push_back(i);
        candidates[i].rungs.push_back(&rung);
      }
    }
  }
  // The earliest wait of a flavor's rungs: whoever is preferred over it waits no longer.
  const auto wait_of = [&](std::uint32_t i) {
    Duration wait{std::numeric_limits<std::int64_t>::max()};
    for (const program::Rung* rung : candidates[i].rungs) wait = std::min(wait, rung->after.value_or(Duration{0}));
    return candidates[i].rungs.empty() ? Duration{0} : std::min(wait, candidates[i].lifted_to.value_or(wait));
  };
  for (const auto& [preferred, other] : preferences) {
    const Duration wait = wait_of(other);
    candidates[preferred].lifted_to = std::min(candidates[preferred].lifted_to.value_or(wait), wait);
  }
  if (fallback != nullptr) {
    for (const std::uint32_t i : named) {
      flavor_row_ = tables_.flavor_row(group.flavors[i].flavor);
      machine_.set_row(Role::flavor, *flavor_row_);
      ask_rungs(*fallback, candidates[i]);
    }
    // A flavor that a later rung opens is considered at that rung.
    std::vector<std::uint32_t> by_rung;
    const auto first_open = [&](std::uint32_t i) {
      for (const program::Rung* rung : candidates[i].rungs) {
        if (is_open(*rung, candidates[i].lifted_to, nullptr)) return rung;
      }
      return candidates[i].rungs.front();
    };
    std::vector<std::pair<const program::Rung*, std::uint32_t>> places;
    for (const std::uint32_t i : named) places.emplace_back(first_open(i), i);
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < places.size(); ++i) named[i] = places[i].second;
  }

  FlavorsAnswer answer;
  bool placed = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (candidates[i].rungs.empty()) {
      answer.order.push_back(i);
    } else if (!std::exchange(placed, true)) {
      answer.order.insert(answer.order.end(), named.begin(), named.end());
    }
  }
  for (const auto& [preferred, other] : preferences) {
    const auto from = std::find(answer.order.begin(), answer.order.end(), preferred);
    const auto to = std::find(answer.order.begin(), answer.order.end(), other);
    if (from > to) std::rotate(to, from, from + 1);
  }
  for (Candidate& candidate : candidates) {
    FlavorAnswer& flavor = candidate.answer;
    // It opens once every skip is over and, if rungs name it, one of them is open.
    if (!flavor.allowed && !candidate.held_by_fault) {
      std::optional<Instant> skips = now_;
      std::optional<Instant> rungs;
      bool has_rung = false;
      for (const RuleNote& refusal : flavor.refusals) {
        if (refusal.verb == Verb::rung_closed) {
          has_rung = true;
          rungs = earlier(rungs, refusal.opens);
        } else {
          skips = skips && refusal.opens ? std::optional(std::max(*skips, *refusal.opens)) : std::nullopt;
        }
      }
      if (!has_rung) {
        flavor.opens = skips;
      } else if (skips && rungs) {
        flavor.opens = std::max(*skips, *rungs);
      }
    }
    answer.flavors.push_back(std::move(flavor));
  }
  if (!named.empty() && fallback->otherwise != kNone) {
    RuleNote otherwise;
    otherwise.verb = Verb::hold;
    otherwise.rule = "fallback for queue " + fallback->queue;
    otherwise.span = fallback->otherwise_span;
    otherwise.because = text(fallback->otherwise);
    answer.otherwise = std::move(otherwise);
  }
  return answer;
}

// Part: admit.

AdmitAnswer PolicyRules::admit(std::uint32_t workload, std::span<const PodSetAssignment> assignments, bool borrows,
                               Instant now, const QuotaView& quota) {
  AdmitAnswer answer;
  if (points_[static_cast<std::size_t>(Point::admit)].count == 0 && !has_order_rules()) return answer;
  pod_set_row_.reset();
  flavor_row_.reset();
  workload_ = workload;
  set_queue(quota);
  tables_.set_assignment(assignments, borrows);
  ask(workload, now);
  machine_.set_row(Role::queue, *queue_row_);
  machine_.set_row(Role::assignment, 0);

  bool held = false;
  bool denied = false;
  bool for_ever = false;
  std::optional<Instant> until;
  const auto hold = [&](std::optional<Instant> end, RuleNote reason) {
    held = true;
    reason.opens = end;
    if (!end) for_ever = true;
    if (end) until = until ? std::max(*until, *end) : *end;
    answer.reasons.push_back(std::move(reason));
  };
  const auto fail = [&](const program::Rule& rule, const program::Fault& fault) {
    if (rule.on_error == OnError::skip) {
      answer.notes.push_back(fault_note(Verb::allow, rule, fault));
    } else if (rule.on_error == OnError::deny) {
      denied = true;
      answer.reasons.push_back(fault_note(Verb::deny, rule, fault));
    } else {
      hold(first_instant([&] { return !machine_.test(rule.when).fault; }, [&] { return next_of(rule); }),
           fault_note(Verb::hold, rule, fault));
    }
  };
  // An order rule cannot hold anything; what its fault asks for is done here.
  if (has_order_rules()) {
    for (const Hit& hit : hits(Point::order)) {
      if (hit.fault) fail(*hit.rule, *hit.fault);
      if (hit.fault) continue;
      each_action(*hit.rule, [&](const Action& action) {
        if (action.kind != Action::Kind::score) return;
        if (const vm::Value value = machine_.evaluate(action.value); value.fault) fail(*hit.rule, *value.fault);
      });
    }
  }
  for (const Hit& hit : hits(Point::admit)) {
    if (hit.fault) {
      fail(*hit.rule, *hit.fault);
      continue;
    }
    each_action(*hit.rule, [&](const Action& action) {
      if (action.kind == Action::Kind::deny) {
        denied = true;
        answer.reasons.push_back(note(Verb::deny, *hit.rule, action.span));
      } else if (action.kind == Action::Kind::require_check) {
        answer.checks.push_back(action.name);
        answer.notes.push_back(note(Verb::require_check, *hit.rule, action.span));
        answer.notes.back().what = action.name;
      } else if (action.kind == Action::Kind::hold) {
        std::optional<Instant> end;
        if (action.value == kNone) {
          end = ends(*hit.rule);
        } else {
          const vm::Value value = machine_.evaluate(action.value);
          if (value.fault) return fail(*hit.rule, *value.fault);
          if (value.present && value.value <= now.ns) return;  // it is over
          if (value.present) end = Instant{value.value};
        }
        hold(end, note(Verb::hold, *hit.rule, action.span));
      }
    });
  }
  std::sort(answer.checks.begin(), answer.checks.end());
  answer.checks.erase(std::unique(answer.checks.begin(), answer.checks.end()), answer.checks.end());
  if (held) answer.verdict = Verdict::hold;
  if (held && !for_ever) answer.until = until;
  if (denied) {
    answer.verdict = Verdict::deny;
    answer.until.reset();
  }
  return answer;
}

// Part: time.

std::optional<Instant> PolicyRules::next_change(std::uint32_t workload, Instant now) {
  ask(workload, now);
  const std::string& queue = tables_.queue(workload);
  queue_row_ = tables_.queue_row(queue);
  const std::uint32_t first = tables_.first_pod_set(workload);
  const std::uint32_t pod_sets = tables_.pod_sets(workload);
  std::vector<std::uint32_t> flavor_rows;
  const auto object = std::find_if(world_.cluster_queues.begin(), world_.cluster_queues.end(),
                                   [&](const ClusterQueue& q) { return q.name == queue; });
  if (object != world_.cluster_queues.end()) {
    for (const ResourceGroup& group : object->resource_groups) {
      for (const FlavorQuotas& flavor : group.flavors) flavor_rows.push_back(tables_.flavor_row(flavor.flavor));
    }
  }
  tables_.set_assignment({}, false);
  if (tables_.is_stale()) machine_.bind(tables_.binding());

  std::optional<Instant> next;
  // Rules on flavor are asked for each pod set and flavor; the others once.
  const auto each_row = [&](bool by_flavor, auto visit) {
    for (std::uint32_t p = 0; p < (by_flavor ? std::max(pod_sets, 1U) : 1U); ++p) {
      for (std::size_t f = 0; f < (by_flavor ? std::max<std::size_t>(flavor_rows.size(), 1) : 1); ++f) {
        if (by_flavor && (pod_sets == 0 || flavor_rows.empty())) return;
        pod_set_row_ = by_flavor ? std::optional(first + p) : std::nullopt;
        flavor_row_ = by_flavor ? std::optional(flavor_rows[f]) : std::nullopt;
        move_to(now);
        visit();
      }
    }
  };
  for (const Point point : {Point::order, Point::flavor, Point::admit}) {
    const PointRules& rules = points_[static_cast<std::size_t>(point)];
    bool moves = false;
    for (std::uint32_t i = rules.first; i < rules.first + rules.count; ++i) {
      const program::Rule& rule = program_.rules[i];
      moves = moves || !rule.changes.empty() ||
              std::any_of(rule.actions.begin(), rule.actions.end(), [](const Action& a) { return a.after > 0; });
    }
    if (!moves) continue;
    each_row(point == Point::flavor, [&] {
      for (std::uint32_t i = rules.first; i < rules.first + rules.count; ++i) next = earlier(next, next_of(program_.rules[i]));
    });
  }
  if (const program::Fallback* fallback = fallback_of(queue)) {
    each_row(true, [&] {
      for (const program::Rung& rung : fallback->rungs) next = earlier(next, next_of(rung));
    });
  }
  return next;
}

}  // namespace

std::unique_ptr<Rules> make_rules(const program::Program& program, const World& world) {
  return std::make_unique<PolicyRules>(program, world);
}

}  // namespace sluice::decide
