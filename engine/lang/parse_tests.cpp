#include "lang/parse_tree.hpp"

namespace sluice::lang {

using namespace ast;
using P = grammar::SluiceParser;

Capacity Tree::capacity(P::CapacityBlockContext* context) {
  return {span(context), map_clauses(context->capacityEntry(), &Tree::capacity_entry)};
}

CapacityEntry Tree::capacity_entry(P::CapacityEntryContext* context) {
  CapacityEntry result;
  result.span = span(context);
  std::size_t names = 0;
  result.subject = name(context->name(names++));
  if (context->IN() != nullptr) result.zone = name(context->name(names++));
  if (names + 1 < context->name().size())
    result.provisioning = fixed_word(context->name(names++), provisioning_words, "way to get machines");
  result.state = name(context->name(names));
  if (context->SINCE() != nullptr) result.since = arith(context->arith());
  return result;
}

Test Tree::test(P::TestDeclContext* context) {
  Test result;
  if (context->table().size() > 1)
    fail("clause-twice", span(context->table(1)), "a test has one table", "make two tests of it");
  result.steps = map_clauses(context->step(), &Tree::step);
  if (!context->table().empty()) result.table = table(context->table(0));
  return result;
}

Step Tree::step(P::StepContext* context) {
  Step result;
  result.span = span(context);
  if (context->AT() != nullptr) {
    mark(context->PLUS(), Role::sign);
    const Span time = span(context->arith());
    result.at = AtClause{
        {source_, span(context->AT()).begin, time.end}, context->PLUS() != nullptr, arith(context->arith())};
  }
  P::ActionContext* action = context->action();
  if (auto* cluster = dynamic_cast<P::ClusterActionContext*>(action)) {
    result.node = ClusterStep{string_value(cluster->STRING()), span(cluster->STRING())};
  } else if (auto* capacity_action = dynamic_cast<P::CapacityActionContext*>(action)) {
    result.node = capacity(capacity_action->capacityBlock());
  } else if (auto* set = dynamic_cast<P::SetActionContext*>(action)) {
    result.node = SetStep{variable_name(set->name(), "a param"), expr(set->expr())};
  } else if (auto* submit_file = dynamic_cast<P::SubmitFileActionContext*>(action)) {
    result.node = SubmitFileStep{string_value(submit_file->STRING()), span(submit_file->STRING()),
                                 map(submit_file->keyValue(), &Tree::key_value), name(submit_file->name())};
  } else if (auto* submit_workload = dynamic_cast<P::SubmitWorkloadActionContext*>(action)) {
    result.node = submitted_workload(submit_workload);
  } else if (auto* finish = dynamic_cast<P::FinishActionContext*>(action)) {
    result.node = EndStep{true, name(finish->name())};
  } else if (auto* remove = dynamic_cast<P::DeleteActionContext*>(action)) {
    result.node = EndStep{false, name(remove->name())};
  } else if (auto* answer = dynamic_cast<P::AnswerActionContext*>(action)) {
    result.node = AnswerStep{name(answer->name(0)), name(answer->name(1)), name(answer->name(2))};
  } else if (auto* expect = dynamic_cast<P::ExpectActionContext*>(action)) {
    result.node = ExpectStep{name(expect->name()), outcome(expect->outcome())};
  }
  return result;
}

SubmitWorkloadStep Tree::submitted_workload(P::SubmitWorkloadActionContext* context) {
  std::vector<WorkloadField> fields;
  std::vector<PodSetField> pod_sets;
  for (auto* field : context->workloadField()) {
    mark(field, Role::clause);
    if (field->PODSET() != nullptr) {
      pod_sets.push_back(pod_set(field));
    } else if (auto* pair = field->keyValue()) {
      fields.push_back(
          {span(field), word_name(span(field->getStart())), name(pair->name()), arith(pair->arith())});
    } else {
      fields.push_back({span(field), name(field->name()), {}, arith(field->arith())});
    }
  }
  return {arena_.list(fields), arena_.list(pod_sets), name(context->name())};
}

PodSetField Tree::pod_set(P::WorkloadFieldContext* context) {
  PodSetField result;
  result.span = span(context);
  result.name = name(context->name());
  std::vector<KeyValue> requests;
  for (auto* item : context->podSetItem()) {
    mark(item, Role::clause);
    const Name key = name(item->name());
    if (key.text != "count") {
      requests.push_back({key, arith(item->arith())});
      continue;
    }
    once(result.count != nullptr, span(item), "count");
    result.count = arith(item->arith());
  }
  result.requests = arena_.list(requests);
  return result;
}

Outcome Tree::outcome(P::OutcomeContext* context) {
  Outcome result;
  result.span = span(context);
  result.state = name(context->name());
  if (context->details() != nullptr)
    result.details = map_clauses(context->details()->detail(), &Tree::detail);
  for (auto* part : context->outcomePart()) {
    if (part->FOR() != nullptr) {
      once(!result.check.empty(), span(part), "for");
      result.check = name(part->name());
    } else if (part->BECAUSE() != nullptr) {
      once(result.because.has_value(), span(part), "because");
      result.because = part->STRING() != nullptr ? string_expr(part->STRING()) : name_as_expr(part->name());
    } else {
      once(result.until != nullptr, span(part), "until");
      result.until = arith(part->arith());
    }
  }
  return result;
}

Expected Tree::detail(P::DetailContext* context) {
  return {span(context), name(context->name()), context->COLON() != nullptr, arith(context->arith())};
}

Table Tree::table(P::TableContext* context) {
  mark(context, Role::clause);
  for (auto* bar : context->BAR()) mark(bar, Role::bar);
  Table result;
  result.span = span(context);
  std::vector<Name> columns;
  for (auto* column : context->name()) columns.push_back(variable_name(column, "a column"));
  result.case_column = columns.front();
  columns.erase(columns.begin());
  std::vector<Table::Row> rows;
  for (auto* row : context->tableRow()) {
    mark(row, Role::row);
    for (auto* bar : row->BAR()) mark(bar, Role::bar);
    const std::vector<P::CellContext*> cells = row->cell();
    if (cells.size() != columns.size())
      fail("table-row", span(row),
           fmt::format("this row has {} cells, the table has {} columns", cells.size() + 1,
                       columns.size() + 1));
    rows.push_back({span(row), string_value(row->STRING()), span(row->STRING()), map(cells, &Tree::cell)});
  }
  result.columns = arena_.list(columns);
  result.rows = arena_.list(rows);
  return result;
}

Table::Cell Tree::cell(P::CellContext* context) {
  Table::Cell result;
  result.id = arena_.next_id();
  result.value = arith(context->arith());
  if (context->details() != nullptr)
    result.details = map_clauses(context->details()->detail(), &Tree::detail);
  return result;
}

InvariantClause Tree::invariant_clause(P::InvariantClauseContext* context) {
  InvariantClause result;
  result.id = arena_.next_id();
  result.span = span(context);
  result.always = context->ALWAYS() != nullptr;
  result.variable = variable_name(context->name(), "a variable");
  result.collection = arith(context->arith());
  if (context->WHERE() != nullptr) result.filter = expr(context->expr(0));
  result.condition = expr(context->expr().back());
  mark(context->expr().back(), Role::body);
  return result;
}

}  // namespace sluice::lang
