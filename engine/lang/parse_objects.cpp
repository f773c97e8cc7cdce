#include "lang/parse_tree.hpp"

namespace sluice::lang {

using namespace ast;
using P = grammar::SluiceParser;

Flavor Tree::flavor(P::FlavorDeclContext* context) {
  Flavor result;
  std::vector<KeyValue> nodes;
  std::vector<TaintClause> taints;
  std::vector<TolerateClause> tolerations;
  std::vector<Name> checks;
  for (auto* clause : context->flavorClause()) {
    mark(clause, Role::clause);
    if (clause->NODES() != nullptr) {
      mark_items(clause->keyValue());
      for (auto* pair : clause->keyValue()) nodes.push_back(key_value(pair));
    } else if (clause->TAINT() != nullptr) {
      taints.push_back({span(clause), name(clause->name(0)), arith_if(clause->arith(0)),
                        fixed_word(clause->name(1), effect_words, "effect of a taint")});
    } else if (clause->TOLERATE() != nullptr) {
      tolerations.push_back(toleration(clause));
    } else if (clause->TOPOLOGY() != nullptr) {
      once(!result.topology.empty(), span(clause), "topology");
      result.topology = name(clause->name(0));
    } else {
      mark_items(clause->name());
      for (auto* check : clause->name()) checks.push_back(name(check));
    }
  }
  result.nodes = arena_.list(nodes);
  result.taints = arena_.list(taints);
  result.tolerations = arena_.list(tolerations);
  result.checks = arena_.list(checks);
  return result;
}

TolerateClause Tree::toleration(P::FlavorClauseContext* context) {
  TolerateClause result;
  result.span = span(context);
  result.all = context->ALL() != nullptr;
  std::size_t names = 0;
  std::size_t values = 0;
  if (!result.all) result.key = name(context->name(names++));
  if (auto* compare = context->compare()) {
    result.value = arith(context->arith(values++));
    switch (compare->getStart()->getType()) {
      case P::EQUAL:
        result.op = TolerateClause::Op::equal;
        break;
      case P::GREATER:
        result.op = TolerateClause::Op::greater;
        break;
      case P::LESS:
        result.op = TolerateClause::Op::less;
        break;
      default:
        fail("syntax", span(compare), fmt::format("a toleration knows no `{}`", text_of(span(compare))),
             "write `=`, `>` or `<`");
    }
  }
  if (context->COLON() != nullptr)
    result.effect = fixed_word(context->name(names), effect_words, "effect of a taint");
  if (context->FOR() != nullptr) result.seconds = arith(context->arith(values));
  return result;
}

Provision Tree::provision(P::ProvisionDeclContext* context) {
  Provision result;
  std::vector<Name> manage;
  std::vector<KeyValue> parameters;
  std::vector<Provision::NodeUpdate> updates;
  for (auto* clause : context->provisionClause()) {
    mark(clause, Role::clause);
    const Span at = span(clause);
    if (clause->CLASS() != nullptr) {
      once(!result.class_name.empty(), at, "class");
      result.class_name = name(clause->name(0));
    } else if (clause->CONFIG() != nullptr) {
      once(!result.config.empty(), at, "config");
      result.config = name(clause->name(0));
    } else if (clause->MANAGE() != nullptr) {
      mark_items(clause->name());
      for (auto* resource : clause->name()) manage.push_back(name(resource));
    } else if (clause->PARAMETER() != nullptr) {
      parameters.push_back(key_value(clause->keyValue()));
    } else if (clause->RETRY() != nullptr) {
      once(result.retry.has_value(), at, "retry");
      std::size_t values = 0;
      RetryClause retry{at, arith(clause->arith(values++)), nullptr, nullptr};
      if (clause->BACKOFF() != nullptr) retry.backoff = arith(clause->arith(values++));
      if (clause->UP_TO() != nullptr) retry.up_to = arith(clause->arith(values));
      result.retry = retry;
    } else if (clause->SELECT() != nullptr) {
      updates.push_back({name(clause->name(0)), name(clause->name(1))});
    } else {
      once(!result.merge.empty(), at, "merge");
      fixed_word(clause->name(0), merge_words, "way to merge pod sets");
      result.merge = name(clause->name(0));
    }
  }
  result.manage = arena_.list(manage);
  result.parameters = arena_.list(parameters);
  result.node_updates = arena_.list(updates);
  return result;
}

Check Tree::check(P::CheckDeclContext* context) {
  Check result;
  for (auto* clause : context->checkDeclClause()) {
    mark(clause, Role::clause);
    if (clause->CONTROLLER() != nullptr) {
      once(!result.controller.empty(), span(clause), "controller");
      result.controller = name(clause->name(0));
    } else {
      once(!result.parameters_kind.empty(), span(clause), "parameters");
      result.parameters_kind = name(clause->name(0));
      result.parameters_name = name(clause->name(1));
    }
  }
  return result;
}

Topology::Level Tree::topology_level(P::TopologyLevelContext* context) {
  return {name(context->name(0)), name(context->name(1))};
}

Cohort Tree::cohort(P::CohortDeclContext* context) {
  Cohort result;
  std::vector<FlavorQuotas> quotas;
  std::vector<ResourceGroup> groups;
  for (auto* clause : context->cohortClause()) {
    mark(clause, Role::clause);
    if (clause->PARENT() != nullptr) {
      once(!result.parent.empty(), span(clause), "parent");
      result.parent = name(clause->name());
    } else if (clause->WEIGHT() != nullptr) {
      once(result.weight != nullptr, span(clause), "weight");
      result.weight = arith(clause->arith());
    } else if (clause->QUOTA() != nullptr) {
      quotas.push_back(flavor_quotas(clause->flavorQuotas()));
    } else {
      groups.push_back(group(clause->groupClause()));
    }
  }
  result.quotas = arena_.list(quotas);
  result.groups = arena_.list(groups);
  return result;
}

Queue Tree::queue(P::QueueDeclContext* context) {
  Queue result;
  std::vector<ResourceGroup> groups;
  std::vector<CheckClause> checks;
  for (auto* clause : context->queueClause()) {
    mark(clause, Role::clause);
    const Span at = span(clause);
    if (clause->COHORT() != nullptr) {
      once(!result.cohort.empty(), at, "cohort");
      result.cohort = name(clause->name(0));
    } else if (clause->STRATEGY() != nullptr) {
      once(result.strategy.has_value(), at, "strategy");
      result.strategy = fixed_word(clause->name(0), strategy_words, "queueing strategy");
    } else if (auto* accepts = clause->acceptClause()) {
      once(result.accept.has_value(), at, "accept");
      result.accept = accept(accepts);
    } else if (auto* group_clause = clause->groupClause()) {
      groups.push_back(group(group_clause));
    } else if (clause->PREEMPT() != nullptr) {
      once(result.preempt.has_value(), at, "preempt");
      result.preempt = preempt(clause);
    } else if (clause->FUNGIBLE() != nullptr) {
      once(result.fungible.has_value(), at, "fungible");
      result.fungible = fungible(clause);
    } else if (clause->WEIGHT() != nullptr) {
      once(result.weight != nullptr, at, "weight");
      result.weight = arith(clause->arith());
    } else if (clause->STOP() != nullptr) {
      once(result.stop.has_value(), at, "stop");
      result.stop = fixed_word(clause->name(0), stop_words, "stop policy");
    } else if (clause->CHECK() != nullptr) {
      std::vector<Name> names;
      for (auto* written : clause->name()) names.push_back(name(written));
      checks.push_back({at, names.front(), arena_.list(std::vector<Name>(names.begin() + 1, names.end()))});
    } else {
      for (auto* mode : clause->name()) {
        const bool usage_based = fixed_word(mode, admission_words, "way of admission");
        (usage_based ? result.usage_based_fair_sharing : result.concurrent_admission) = true;
      }
    }
  }
  result.groups = arena_.list(groups);
  result.checks = arena_.list(checks);
  return result;
}

AcceptClause Tree::accept(P::AcceptClauseContext* context) {
  AcceptClause result;
  result.span = span(context);
  result.condition = expr_if(context->expr());
  if (context->ALL() == nullptr)
    result.kind = context->NO() != nullptr ? AcceptClause::Kind::no : AcceptClause::Kind::where;
  return result;
}

PreemptClause Tree::preempt(P::QueueClauseContext* context) {
  PreemptClause result;
  result.span = span(context);
  mark_items(context->preemptItem());
  for (auto* item : context->preemptItem()) {
    const Span at = span(item);
    if (item->WITHIN_QUEUE() != nullptr) {
      once(result.within_queue.has_value(), at, "within-queue");
      result.within_queue = fixed_word(item->name(), within_queue_words, "policy of `within-queue`");
    } else if (item->WITHIN_COHORT() != nullptr) {
      once(result.within_cohort.has_value(), at, "within-cohort");
      result.within_cohort = fixed_word(item->name(), within_cohort_words, "policy of `within-cohort`");
    } else {
      once(result.while_borrowing.has_value(), at, "while-borrowing");
      result.while_borrowing = PreemptionPolicy::lower_priority;
      if (item->name() != nullptr)
        result.while_borrowing =
            fixed_word(item->name(), while_borrowing_words, "policy of `while-borrowing`");
      if (auto* threshold = item->threshold()) {
        result.threshold = arith(threshold->arith());
        result.threshold_inclusive = threshold->UP_TO() != nullptr;
      }
    }
  }
  return result;
}

FungibleClause Tree::fungible(P::QueueClauseContext* context) {
  FungibleClause result;
  result.span = span(context);
  mark_items(context->fungibleItem());
  for (auto* item : context->fungibleItem()) {
    const Span at = span(item);
    if (item->CAN_BORROW() != nullptr) {
      once(result.can_borrow.has_value(), at, "can-borrow");
      result.can_borrow = fixed_word(item->name(), fungibility_words, "policy of `can-borrow`");
    } else if (item->CAN_PREEMPT() != nullptr) {
      once(result.can_preempt.has_value(), at, "can-preempt");
      result.can_preempt = fixed_word(item->name(), fungibility_words, "policy of `can-preempt`");
    } else {
      once(result.preference.has_value(), at, "prefer");
      result.preference = fixed_word(item->name(), preference_words, "preference of a queue");
    }
  }
  return result;
}

ResourceGroup Tree::group(P::GroupClauseContext* context) {
  for (auto* flavor : context->FLAVOR()) mark(flavor, Role::clause);
  mark_items(context->name());
  return {span(context), map(context->name(), &Tree::name),
          map(context->flavorQuotas(), &Tree::flavor_quotas)};
}

FlavorQuotas Tree::flavor_quotas(P::FlavorQuotasContext* context) {
  return {span(context), name(context->name()), context->UNLIMITED() != nullptr,
          map_clauses(context->resourceQuota(), &Tree::resource_quota)};
}

ResourceQuota Tree::resource_quota(P::ResourceQuotaContext* context) {
  ResourceQuota result;
  result.span = span(context);
  result.resource = name(context->name());
  std::size_t values = 0;
  if (context->UNLIMITED() == nullptr) result.nominal = arith(context->arith(values++));
  if (context->BORROW() != nullptr) result.borrow = arith(context->arith(values++));
  if (context->LEND() != nullptr) result.lend = arith(context->arith(values));
  return result;
}

LocalQueue Tree::local_queue(P::LocalQueueDeclContext* context, const Name& whole) {
  LocalQueue result;
  const std::size_t slash = whole.text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == whole.text.size())
    fail("syntax", whole.span, fmt::format("`{}` names no namespace", whole.text),
         fmt::format("a local queue is written `namespace/name`: `default/{}`", whole.text));
  const auto in_quotes = static_cast<std::uint32_t>(context->name(0)->STRING() != nullptr ? 1 : 0);
  const auto middle = whole.span.begin + in_quotes + static_cast<std::uint32_t>(slash);
  result.name_space = {whole.text.substr(0, slash), {source_, whole.span.begin + in_quotes, middle}};
  result.name = {whole.text.substr(slash + 1), {source_, middle + 1, whole.span.end - in_quotes}};
  result.queue = name(context->name(1));
  for (auto* clause : context->localQueueClause()) {
    mark(clause, Role::clause);
    if (clause->STOP() != nullptr) {
      once(result.stop.has_value(), span(clause), "stop");
      result.stop = fixed_word(clause->name(), stop_words, "stop policy");
    } else {
      once(result.weight != nullptr, span(clause), "weight");
      result.weight = arith(clause->arith());
    }
  }
  return result;
}

ComputeClass Tree::compute_class(P::ClassDeclContext* context) {
  ComputeClass result;
  std::vector<MachineRule> rules;
  for (auto* clause : context->classClause()) {
    mark(clause, Role::clause);
    const Span at = span(clause);
    if (clause->UNSATISFIABLE() != nullptr) {
      once(result.scale_up_anyway.has_value(), at, "unsatisfiable");
      result.scale_up_anyway = fixed_word(clause->name(), unsatisfiable_words, "answer to `unsatisfiable`");
    } else if (clause->MIGRATE() != nullptr) {
      result.migrate_to_higher_priority = fixed_word(clause->name(), migrate_words, "way to migrate");
    } else if (clause->CONSOLIDATE() != nullptr) {
      once(result.consolidate.has_value(), at, "consolidate");
      ConsolidateClause consolidate{at, nullptr, nullptr};
      std::size_t values = 0;
      if (clause->AFTER() != nullptr) consolidate.after = arith(clause->arith(values++));
      if (clause->BELOW() != nullptr) consolidate.below = arith(clause->arith(values));
      result.consolidate = consolidate;
    } else {
      rules.push_back(machine_rule(clause));
    }
  }
  result.rules = arena_.list(rules);
  return result;
}

MachineRule Tree::machine_rule(P::ClassClauseContext* context) {
  for (auto* modifier : context->machineModifier()) mark(modifier, Role::guard);
  for (auto* clause : context->machineClause()) mark(clause, Role::clause);
  std::vector<MachineClause> clauses;
  if (auto* head = context->machineHead()) clauses.push_back(machine_head(head));
  for (auto* modifier : context->machineModifier()) clauses.push_back(machine_modifier(modifier));
  for (auto* clause : context->machineClause())
    clauses.push_back(clause->machineHead() != nullptr ? machine_head(clause->machineHead())
                                                       : machine_modifier(clause->machineModifier()));
  for (std::size_t i = 0; i < clauses.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      once(clauses[i].kind == clauses[k].kind, clauses[i].span, clauses[i].word.text);
  return {span(context), context->SCORE() != nullptr ? arith(context->arith(0)) : nullptr,
          arena_.list(clauses)};
}

MachineClause Tree::machine_clause(antlr4::ParserRuleContext* context,
                                   const std::vector<P::NameContext*>& names) {
  MachineClause result;
  result.span = span(context);
  result.word = word_name(span(context->getStart()));
  result.names = map(names, &Tree::name);
  return result;
}

MachineClause Tree::machine_head(P::MachineHeadContext* context) {
  MachineClause result = machine_clause(context, context->name());
  using Kind = MachineClause::Kind;
  if (context->MACHINE_TYPE() != nullptr) result.kind = Kind::machine_type;
  if (context->FAMILY() != nullptr) result.kind = Kind::family;
  if (context->NODE_POOLS() != nullptr) result.kind = Kind::node_pools;
  if (context->POD_FAMILY() != nullptr) result.kind = Kind::pod_family;
  return result;
}

MachineClause Tree::machine_modifier(P::MachineModifierContext* context) {
  MachineClause result = machine_clause(context, context->name());
  result.value = arith_if(context->arith());
  if (context->settings() != nullptr)
    result.options = map_clauses(context->settings()->setting(), &Tree::option);
  if (context->NONE() != nullptr) result.affinity = ReservationAffinity::none;
  if (context->SPECIFIC() != nullptr) result.affinity = ReservationAffinity::specific;
  using Kind = MachineClause::Kind;
  switch (context->getStart()->getType()) {
    case P::MIN_CORES:
      result.kind = Kind::min_cores;
      break;
    case P::MIN_MEMORY:
      result.kind = Kind::min_memory;
      break;
    case P::ZONES:
      result.kind = Kind::zones;
      break;
    case P::ON_DEMAND:
      result.kind = Kind::on_demand;
      break;
    case P::SPOT:
      result.kind = Kind::spot;
      break;
    case P::RESERVATION:
      result.kind = Kind::reservation;
      break;
    case P::FLEX_START:
      result.kind = Kind::flex_start;
      break;
    case P::MAX_RUN:
      result.kind = Kind::max_run;
      break;
    case P::WAIT:
      result.kind = Kind::wait;
      break;
    case P::PLACEMENT:
      result.kind = Kind::placement;
      break;
    default:
      result.kind = Kind::accelerator;
      break;
  }
  return result;
}

Option Tree::option(P::SettingContext* context) {
  return {name(context->name()), arith(context->arith())};
}

}  // namespace sluice::lang
