#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "lang/check_objects.hpp"

namespace sluice::lang {

/// One declared object; the kinds of objects have files of their own.
class ObjectCheck {
 public:
  ObjectCheck(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names)
      : declaration_(declaration), expressions_(expressions), names_(names) {
    place_.scope = &expressions.scopes().of(declaration.span.source);
    place_.has_workload = false;
  }

  void run();

 private:
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return expressions_.diagnostics().error(code, span, std::move(message));
  }

  // What every object has.

  void check_name(const ast::Name& name, std::string_view what);
  bool check_key(const ast::Name& name, std::string_view what);
  void check_limit(std::size_t count, std::size_t most, Span span, std::string_view what);
  void check_label_value(ast::ExprPtr value, std::string_view what);
  /// A whole number from `least` to `most`.
  void check_number(ast::ExprPtr value, std::string_view what, std::int64_t least, std::int64_t most);
  void check_duration(ast::ExprPtr value, std::string_view what);
  void check_weight(ast::ExprPtr value);
  void on(const ast::LocalQueue& local);
  void on(const ast::PriorityClass& priority);
  /// Reports the second of two equal names. True if all differ.
  template <class List, class NameOf>
  bool check_unique(const List& list, NameOf name_of, std::string_view what) {
    std::map<std::string_view, Span> seen;
    bool unique = true;
    for (const auto& item : list) {
      const ast::Name& name = name_of(item);
      auto [first, is_new] = seen.try_emplace(name.text, name.span);
      if (is_new) continue;
      error("duplicate-entry", name.span, fmt::format("{} `{}` stands here twice", what, name.text))
          .labels.emplace_back(first->second, "first here");
      unique = false;
    }
    return unique;
  }

  // Flavors and topologies.

  void on(const ast::Flavor& flavor);
  void check_taints(const ast::Flavor& flavor);
  void check_toleration(const ast::TolerateClause& clause);
  void on(const ast::Topology& topology);

  // Checks and what they provision.

  void on(const ast::Provision& provision);
  void on(const ast::Check& check);

  // Quota of cohorts and queues.

  void on(const ast::Cohort& cohort);
  void check_groups(std::span<const ast::ResourceGroup> groups, bool has_parent, std::string_view parent,
                    bool of_queue);
  /// Each flavor has a quota of each covered resource, and of no other.
  bool check_covered(const ast::ResourceGroup& group, const ast::FlavorQuotas& quotas);
  void check_quota(const ast::ResourceQuota& quota, bool has_parent, std::string_view parent,
                   bool bounds_lending);
  /// A quota in the resource's unit. Null if there is none, or it was reported.
  const Constant* check_amount(ast::ExprPtr amount, std::string_view resource);
  bool reports_unit(ast::ExprPtr amount, const ast::Literal& literal, Kind kind, std::string_view resource);

  // Queues.

  void on(const ast::Queue& queue);
  /// A cohort need not be declared: it exists where it is named. A near miss of a declared one is a mistake.
  void check_cohort_name(const ast::Name& name);
  void check_preemption(const ast::Queue& queue);
  void check_fungibility(const ast::FungibleClause& fungible);
  void check_queue_checks(const ast::Queue& queue);
  void check_concurrent(const ast::Queue& queue);
  void check_selector(ast::ExprPtr condition);
  void check_selector_in(const ast::Binary& binary);
  /// `labels["k"]`: of the namespace.
  bool check_selector_key(ast::ExprPtr expr);

  // Compute classes.

  void on(const ast::ComputeClass& compute);
  void check_machine(const ast::MachineClause& clause);
  void check_options(std::span<const ast::Option> options);

  // Declarations that are no objects.

  void on(const ast::Import&) {}
  void on(const ast::Param&) {}
  void on(const ast::Function&) {}
  void on(const ast::Fallback&) {}
  void on(const ast::Rule&) {}
  void on(const ast::HitPolicy&) {}
  void on(const ast::Capacity&) {}
  void on(const ast::Test&) {}
  void on(const ast::Invariant&) {}

  const ast::Declaration& declaration_;
  Expressions& expressions_;
  ObjectNames& names_;
  Place place_;
  std::set<std::string_view> mismatched_;  // resources of the group at hand that were reported
};

}  // namespace sluice::lang
