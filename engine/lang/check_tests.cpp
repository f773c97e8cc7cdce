#include "lang/check_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/suggest.hpp"
#include "lang/constant.hpp"

namespace sluice::lang {
namespace {

constexpr std::array<std::string_view, 11> states = {"admitted",    "waiting",   "pending",  "held",
                                                     "denied",      "evicted",   "finished", "inadmissible",
                                                     "provisioned", "preempted", "placed"};
constexpr std::array<std::string_view, 4> capacity_states = {"available", "stocked-out", "quota-exceeded",
                                                             "used-up"};
constexpr std::array<std::string_view, 4> check_states = {"ready", "retry", "rejected", "pending"};

struct FieldKind {
  std::string_view word;
  Kind kind;
};
/// What `submit workload { … }` can say, and the kind of its value.
constexpr std::array workload_fields = {
    FieldKind{"queue", Kind::text},          FieldKind{"namespace", Kind::text},
    FieldKind{"name", Kind::text},           FieldKind{"kind", Kind::text},
    FieldKind{"user", Kind::text},           FieldKind{"priority", Kind::number},
    FieldKind{"priority-class", Kind::text}, FieldKind{"max-run", Kind::duration},
    FieldKind{"label", Kind::text},          FieldKind{"annotation", Kind::text},
};

template <class List>
void report_word(Diagnostics& diagnostics, std::string_view code, const ast::Name& name,
                 std::string_view what, const List& words) {
  auto& report = diagnostics.error(code, name.span, fmt::format("no {} is called `{}`", what, name.text));
  std::vector<std::string_view> candidates(words.begin(), words.end());
  std::string_view near = nearest(name.text, candidates);
  report.help = near.empty() ? fmt::format("there are `{}`", fmt::join(candidates, "`, `"))
                             : fmt::format("did you mean `{}`?", near);
}

class TestCheck {
 public:
  TestCheck(const ast::Declaration& declaration, Expressions& expressions)
      : expressions_(expressions), name_(declaration.name.span) {
    place_.scope = &expressions.scopes().of(declaration.span.source);
    place_.has_workload = false;
  }

  void check(const ast::Test& test) {
    if (test.table) check_table(*test.table);
    for (const ast::Step& step : test.steps) {
      if (step.at) check_at(*step.at);
      std::visit([&](const auto& node) { on(node); }, step.node);
    }
    if (!test.steps.empty() || test.table) return;
    error("missing-clause", name_, "this test does nothing");
  }

 private:
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return expressions_.diagnostics().error(code, span, std::move(message));
  }

  void check_table(const ast::Table& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const ast::Name& name = table.columns[column];
      Type type = type_of(Kind::error);
      for (const ast::Table::Row& row : table.rows) {
        if (column >= row.cells.size()) continue;
        Type cell = check_cell(row.cells[column], name);
        if (type.kind == Kind::error) type = cell;
        if (cell.kind == Kind::error || cell == type) continue;
        error("type-mismatch", row.cells[column].value->span,
              fmt::format("column `{}` holds a {}, but this is a {}", name.text, to_string(type),
                          to_string(cell)));
      }
      if (name.text == "expect" || name.text == "waited") continue;
      Local local;
      local.name = name.text;
      local.span = name.span;
      local.type = type;
      local.meaning.what = Meaning::What::column;
      place_.locals.push_back(local);
    }
  }

  Type check_cell(const ast::Table::Cell& cell, const ast::Name& column) {
    if (column.text == "waited") {
      expressions_.check_constant(cell.value, place_, Kind::duration, "how long it waited");
      return type_of(Kind::duration);
    }
    if (is_name(cell.value)) {
      named(cell.value);
      return type_of(Kind::text);
    }
    return expressions_.check_present(cell.value, place_);
  }

  /// A word that is neither a column nor a param stands for itself: a queue, a flavor, a state.
  bool is_name(ast::ExprPtr expr) const {
    if (!ast::is_dotted_name(expr)) return false;
    const auto* word = ast::as<ast::NameRef>(expr);
    if (word == nullptr) return true;
    bool column = std::any_of(place_.locals.begin(), place_.locals.end(),
                              [&](const Local& local) { return local.name == word->text; });
    return !column && place_.scope->find(NameSpace::value, word->text) == nullptr;
  }

  void named(ast::ExprPtr expr) {
    expressions_.checked().types[expr->id] = type_of(Kind::text);
    expressions_.checked().constants.insert_or_assign(
        expr->id, constant_of_text(Kind::text, expressions_.source_text(expr->span)));
  }

  /// A value of the test: known here, or from a column.
  void check_value(ast::ExprPtr value, Kind kind, std::string_view what) {
    if (is_text(kind) && is_name(value)) {
      named(value);
      return;
    }
    expressions_.check_as(value, place_, kind, what);
  }

  void check_at(const ast::AtClause& at) {
    check_value(at.time, at.relative ? Kind::duration : Kind::instant,
                at.relative ? "what follows `at +`" : "what follows `at`");
  }

  void on(const ast::ClusterStep&) {}
  void on(const ast::Capacity& capacity) { check_capacity(capacity, expressions_, place_); }

  void on(const ast::SetStep& step) {
    const ast::Declaration* param = place_.scope->find(NameSpace::value, step.param.text);
    if (param == nullptr || ast::as<ast::Param>(*param) == nullptr) {
      auto& report =
          error("unknown-param", step.param.span, fmt::format("no param is called `{}`", step.param.text));
      std::string_view near = nearest(step.param.text, place_.scope->names(NameSpace::value));
      if (!near.empty()) report.help = fmt::format("did you mean `{}`?", near);
      return;
    }
    auto value = expressions_.checked().params.find(param);
    if (value == expressions_.checked().params.end()) return;
    const Type type = value->second.type;
    if (type.optional && expressions_.source_text(step.value->span) == "none") return;
    if (type.list) {
      const Type got = expressions_.check(step.value, place_, type.kind);
      const bool fits = got.kind == Kind::error || (got.list && got.kind == type.kind);
      if (!fits) {
        error("type-mismatch", step.value->span,
              fmt::format("`{}` is a {}, but `{}` is a {}", step.param.text, to_string(type),
                          expressions_.source_text(step.value->span), to_string(got)));
      }
      return;
    }
    expressions_.check_as(step.value, place_, type.kind, fmt::format("`{}`", step.param.text));
  }

  void on(const ast::SubmitFileStep& step) {
    for (const ast::KeyValue& entry : step.sets) {
      if (is_name(entry.value)) {
        named(entry.value);
      } else {
        expressions_.check_present(entry.value, place_);
      }
    }
    add_alias(step.alias);
  }

  void on(const ast::SubmitWorkloadStep& step) {
    for (const ast::WorkloadField& field : step.fields) {
      auto known = std::find_if(workload_fields.begin(), workload_fields.end(),
                                [&](const FieldKind& entry) { return entry.word == field.key.text; });
      if (known == workload_fields.end()) {
        std::vector<std::string_view> words;
        for (const FieldKind& entry : workload_fields) words.push_back(entry.word);
        report_word(expressions_.diagnostics(), "unknown-field", field.key, "field of a workload", words);
        continue;
      }
      check_value(field.value, known->kind, fmt::format("`{}`", known->word));
    }
    for (const ast::PodSetField& pod_set : step.pod_sets) {
      if (pod_set.count != nullptr) check_value(pod_set.count, Kind::number, "a number of pods");
      for (const ast::KeyValue& request : pod_set.requests) check_request(request);
    }
    add_alias(step.alias);
  }

  /// A column of plain numbers may stand for an amount.
  void check_request(const ast::KeyValue& request) {
    Kind kind = kind_of_resource(request.key.text);
    Type type = expressions_.check_present(request.value, place_, kind);
    if (type.kind == Kind::error || type == type_of(kind) || type == type_of(Kind::number)) return;
    error("unit-mismatch", request.value->span,
          fmt::format("`{}` is a {}, but `{}` is a {}", request.key.text, to_string(kind),
                      expressions_.source_text(request.value->span), to_string(type)));
  }

  void add_alias(const ast::Name& alias) {
    if (alias.empty()) return;
    auto [first, is_new] = aliases_.try_emplace(alias.text, alias.span);
    if (is_new) return;
    error("duplicate-declaration", alias.span, fmt::format("two workloads are called `{}`", alias.text))
        .labels.emplace_back(first->second, "first here");
  }

  /// A workload of the manifests has its own name, which is known when they are read; a near miss is a
  /// mistake.
  void check_workload(const ast::Name& name) {
    if (aliases_.contains(name.text)) return;
    std::vector<std::string_view> candidates;
    for (const auto& [alias, span] : aliases_) candidates.push_back(alias);
    std::string_view near = nearest(name.text, candidates);
    if (near.empty()) return;
    error("unknown-name", name.span, fmt::format("no workload of this test is called `{}`", name.text)).help =
        fmt::format("did you mean `{}`?", near);
  }

  void on(const ast::EndStep& step) { check_workload(step.workload); }

  void on(const ast::AnswerStep& step) {
    check_workload(step.workload);
    if (std::find(check_states.begin(), check_states.end(), step.state.text) == check_states.end()) {
      report_word(expressions_.diagnostics(), "unknown-state", step.state, "state of a check", check_states);
    }
  }

  void on(const ast::ExpectStep& step) {
    check_workload(step.workload);
    const ast::Outcome& outcome = step.outcome;
    if (std::find(states.begin(), states.end(), outcome.state.text) == states.end()) {
      report_word(expressions_.diagnostics(), "unknown-state", outcome.state, "outcome", states);
    }
    for (const ast::Expected& detail : outcome.details) {
      if (is_name(detail.value)) {
        named(detail.value);
      } else {
        expressions_.check_present(detail.value, place_);
      }
    }
    if (outcome.because && *outcome.because != nullptr) {
      if (is_name(*outcome.because)) {
        named(*outcome.because);
      } else {
        expressions_.check_as(*outcome.because, place_, Kind::text, "a reason");
      }
    }
    if (outcome.until != nullptr) check_value(outcome.until, Kind::instant, "what follows `until`");
  }

  Expressions& expressions_;
  Span name_;
  Place place_;
  std::map<std::string_view, Span> aliases_;
};

}  // namespace

void check_test(const ast::Declaration& declaration, const ast::Test& test, Expressions& expressions) {
  TestCheck(declaration, expressions).check(test);
}

void check_invariant(const ast::Declaration& declaration, const ast::Invariant& invariant,
                     Expressions& expressions) {
  for (const ast::InvariantClause& clause : invariant.clauses) {
    Place place;
    place.scope = &expressions.scopes().of(declaration.span.source);
    place.has_workload = false;
    Type collection = expressions.check(clause.collection, place);
    if (collection.kind == Kind::error) continue;
    const Meaning& meaning = expressions.checked().meaning(clause.collection);
    if (!collection.list || meaning.what != Meaning::What::collection) {
      expressions.diagnostics()
          .error("type-mismatch", clause.collection->span,
                 fmt::format("`{}` is not a collection", expressions.source_text(clause.collection->span)))
          .help = "write `for w in workloads`";
      continue;
    }
    if (const ast::Declaration* value = place.scope->find(NameSpace::value, clause.variable.text)) {
      expressions.diagnostics()
          .error("duplicate-declaration", clause.variable.span,
                 fmt::format("`{}` has a meaning here already", clause.variable.text))
          .labels.emplace_back(value->name.span, "first declared here");
      continue;
    }
    Local variable;
    variable.name = clause.variable.text;
    variable.span = clause.variable.span;
    variable.type = type_of(collection.kind);
    variable.meaning.what = Meaning::What::row;
    variable.meaning.row = {RowRef::Of::variable, info(meaning.collection).element, 0, clause.id};
    place.locals.push_back(variable);
    if (clause.filter != nullptr) expressions.check_condition(clause.filter, place);
    expressions.check_condition(clause.condition, place);
  }
}

void check_capacity(const ast::Capacity& capacity, Expressions& expressions, Place& place) {
  for (const ast::CapacityEntry& entry : capacity.entries) {
    if (std::find(capacity_states.begin(), capacity_states.end(), entry.state.text) ==
        capacity_states.end()) {
      report_word(expressions.diagnostics(), "unknown-state", entry.state, "state of capacity",
                  capacity_states);
    }
    if (entry.since != nullptr)
      expressions.check_as(entry.since, place, Kind::instant, "what follows `since`");
  }
}

}  // namespace sluice::lang
