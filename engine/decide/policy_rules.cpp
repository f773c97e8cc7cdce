#include "decide/policy_rules.hpp"

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

}  // namespace

void PolicyRules::ask(std::uint32_t workload, Instant now) {
  workload_ = workload;
  now_ = now;
  if (tables_.is_stale()) machine_.bind(tables_.binding());
  machine_.ask(now);
  machine_.set_row(Role::workload, workload);
  machine_.set_row(Role::name_space, tables_.name_space_row(workload));
}

void PolicyRules::set_queue(const QuotaView& quota) {
  const std::string& queue = tables_.queue(workload_);
  tables_.refresh_queue(queue, quota);
  queue_row_ = tables_.queue_row(queue);
}

std::vector<PolicyRules::Hit> PolicyRules::hits(Point point) {
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

RuleFault PolicyRules::fault_of(const program::Fault& fault) const {
  return {fault_kind(fault.kind), program::span_of(program_, fault)};
}

std::string PolicyRules::text(std::uint32_t number) {
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

RuleNote PolicyRules::note(Verb verb, const program::Rule& rule, Span span) {
  RuleNote note;
  note.verb = verb;
  note.rule = rule.name;
  note.span = span;
  note.because = text(rule.because);
  return note;
}

RuleNote PolicyRules::fault_note(Verb verb, const program::Rule& rule, const program::Fault& fault) {
  RuleNote note;
  note.verb = verb;
  note.rule = rule.name;
  note.span = rule.span;
  note.fault = fault_of(fault);
  return note;
}

std::optional<Instant> PolicyRules::first_instant(const std::function<bool()>& holds, const std::function<std::optional<Instant>()>& next) {
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

void PolicyRules::move_to(Instant now) {
  now_ = now;
  machine_.ask(now);
  machine_.set_row(Role::workload, workload_);
  machine_.set_row(Role::name_space, tables_.name_space_row(workload_));
  if (queue_row_) machine_.set_row(Role::queue, *queue_row_);
  if (pod_set_row_) machine_.set_row(Role::pod_set, *pod_set_row_);
  if (flavor_row_) machine_.set_row(Role::flavor, *flavor_row_);
  machine_.set_row(Role::assignment, 0);
}

std::optional<Instant> PolicyRules::next_of(const std::vector<program::TimeAtom>& atoms) {
  std::optional<Instant> next;
  for (const program::TimeAtom& atom : atoms) next = earlier(next, machine_.change(atom));
  return next;
}

std::optional<Instant> PolicyRules::next_of(const program::Rule& rule) {
  std::optional<Instant> next = next_of(rule.changes);
  for (const Action& action : rule.actions) {
    if (action.after > 0 && after(action.after) > now_) next = earlier(next, after(action.after));
  }
  return next;
}

std::optional<Instant> PolicyRules::next_of(const program::Rung& rung) {
  std::optional<Instant> next = next_of(rung.changes);
  if (rung.after && after(rung.after->ns) > now_) next = earlier(next, after(rung.after->ns));
  return next;
}

std::optional<Instant> PolicyRules::ends(const program::Rule& rule) {
  return first_instant([&] { return !machine_.test(rule.when); }, [&] { return next_of(rule); });
}

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

std::unique_ptr<Rules> make_rules(const program::Program& program, const World& world) {
  return std::make_unique<PolicyRules>(program, world);
}

}  // namespace sluice::decide
