#include "lang/object_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/names.hpp"
#include "base/suggest.hpp"

namespace sluice::lang {
namespace {

// Limits of the schemas. Source: CRDs and webhooks of Kueue 0.19.2.
constexpr std::size_t kMaxChecksOfQueue = 64;
constexpr std::size_t kMaxConcurrentFlavors = 16;

}  // namespace

void ObjectCheck::on(const ast::Queue& queue) {
  check_name(declaration_.name, "queue");
  if (!queue.cohort.empty()) {
    check_name(queue.cohort, "cohort");
    check_cohort_name(queue.cohort);
  }
  if (queue.accept && queue.accept->condition != nullptr) check_selector(queue.accept->condition);
  check_groups(queue.groups, !queue.cohort.empty(), "cohort", true);
  if (queue.preempt) check_preemption(queue);
  if (queue.fungible) check_fungibility(*queue.fungible);
  check_weight(queue.weight);
  check_queue_checks(queue);
  if (queue.concurrent_admission) check_concurrent(queue);
}

void ObjectCheck::check_cohort_name(const ast::Name& name) {
  if (names_.find(NameSpace::cohort, name) != nullptr) return;
  std::string_view near = nearest(name.text, place_.scope->names(NameSpace::cohort));
  if (near.empty()) return;
  expressions_.diagnostics()
      .warning("undeclared-name", name.span, fmt::format("cohort `{}` is not declared", name.text))
      .help = fmt::format("did you mean `{}`?", near);
}

void ObjectCheck::check_preemption(const ast::Queue& queue) {
  const ast::PreemptClause& preempt = *queue.preempt;
  bool reclaims = preempt.within_cohort.value_or(PreemptionPolicy::never) != PreemptionPolicy::never;
  bool borrows = preempt.while_borrowing.value_or(PreemptionPolicy::never) != PreemptionPolicy::never;
  if (borrows && !reclaims) {
    error("preempt-conflict", preempt.span, "`while-borrowing` needs `within-cohort lower-priority` or `any`")
        .help = "write `within-cohort lower-priority`, or leave `while-borrowing` out";
  }
  if (preempt.threshold != nullptr) {
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    // `below N` is stored as `up to N - 1`.
    std::int64_t shift = preempt.threshold_inclusive ? 0 : 1;
    check_number(preempt.threshold, "a priority", least + shift, most + shift);
  }
}

void ObjectCheck::check_fungibility(const ast::FungibleClause& fungible) {
  if (!fungible.preference) return;
  bool both_try =
      fungible.can_borrow == FungibilityPolicy::try_next_flavor &&
      fungible.can_preempt.value_or(FungibilityPolicy::try_next_flavor) == FungibilityPolicy::try_next_flavor;
  if (both_try) return;
  error("fungible-conflict", fungible.span, "`prefer` needs `can-borrow try-next` and `can-preempt try-next`")
      .help = "write `fungible can-borrow try-next, can-preempt try-next, prefer …`";
}

void ObjectCheck::check_queue_checks(const ast::Queue& queue) {
  std::vector<std::string_view> flavors;
  for (const ast::ResourceGroup& group : queue.groups) {
    for (const ast::FlavorQuotas& quotas : group.flavors) flavors.push_back(quotas.flavor.text);
  }
  for (const ast::CheckClause& clause : queue.checks) {
    names_.check(NameSpace::check, clause.check);
    for (const ast::Name& flavor : clause.flavors) {
      if (std::find(flavors.begin(), flavors.end(), flavor.text) != flavors.end()) continue;
      auto& report = error("unknown-name", flavor.span,
                           fmt::format("queue `{}` has no flavor `{}`", declaration_.name.text, flavor.text));
      std::string_view near = nearest(flavor.text, flavors);
      if (!near.empty()) report.help = fmt::format("did you mean `{}`?", near);
    }
  }
  check_unique(
      queue.checks, [](const ast::CheckClause& clause) -> const ast::Name& { return clause.check; },
      "the check");
  check_limit(queue.checks.size(), kMaxChecksOfQueue, declaration_.name.span, "checks");
}

void ObjectCheck::check_concurrent(const ast::Queue& queue) {
  if (queue.groups.size() != 1) {
    error("admission-conflict", declaration_.name.span, "concurrent admission needs exactly one group");
  } else if (queue.strategy == QueueingStrategy::strict_fifo) {
    error("admission-conflict", declaration_.name.span,
          "concurrent admission does not go with `strategy strict-fifo`");
  } else {
    check_limit(queue.groups[0].flavors.size(), kMaxConcurrentFlavors, queue.groups[0].span,
                "flavors with concurrent admission");
  }
}

void ObjectCheck::check_selector(ast::ExprPtr condition) {
  if (const auto* binary = ast::as<ast::Binary>(condition)) {
    switch (binary->op) {
      case ast::BinaryOp::logical_and:
        check_selector(binary->left);
        check_selector(binary->right);
        return;
      case ast::BinaryOp::equal:
      case ast::BinaryOp::not_equal:
        if (check_selector_key(binary->left)) check_label_value(binary->right, "a label");
        return;
      case ast::BinaryOp::in:
        check_selector_in(*binary);
        return;
      case ast::BinaryOp::logical_or:
      case ast::BinaryOp::less:
      case ast::BinaryOp::less_equal:
      case ast::BinaryOp::greater:
      case ast::BinaryOp::greater_equal:
      case ast::BinaryOp::matches:
      case ast::BinaryOp::add:
      case ast::BinaryOp::subtract:
      case ast::BinaryOp::multiply:
      case ast::BinaryOp::divide:
        break;
    }
  } else if (const auto* unary = ast::as<ast::Unary>(condition)) {
    if (unary->op == ast::UnaryOp::has) {
      check_selector_key(unary->operand);
      return;
    }
    const auto* inner = ast::as<ast::Binary>(unary->operand);
    bool negatable =
        inner != nullptr && (inner->op == ast::BinaryOp::in || inner->op == ast::BinaryOp::equal ||
                             inner->op == ast::BinaryOp::not_equal);
    const auto* has = ast::as<ast::Unary>(unary->operand);
    if (unary->op == ast::UnaryOp::logical_not &&
        (negatable || (has != nullptr && has->op == ast::UnaryOp::has))) {
      check_selector(unary->operand);
      return;
    }
  }
  error("selector", condition->span, "namespaces are chosen by their labels only").help =
      "join `labels[\"k\"] = \"v\"`, `!=`, `in […]` and `has labels[\"k\"]` with `and`";
}

void ObjectCheck::check_selector_in(const ast::Binary& binary) {
  if (!check_selector_key(binary.left)) return;
  const auto* list = ast::as<ast::List>(binary.right);
  if (list != nullptr && !list->items.empty()) {
    for (ast::ExprPtr item : list->items) check_label_value(item, "a label");
    return;
  }
  Type type = expressions_.check(binary.right, place_, Kind::text);
  const Constant* constant = expressions_.checked().constant(binary.right);
  if (type.kind == Kind::error || (constant != nullptr && type.list && is_text(type.kind))) return;
  error("selector", binary.right->span, "`in` needs a list of label values").help = "write `[\"a\", \"b\"]`";
}

bool ObjectCheck::check_selector_key(ast::ExprPtr expr) {
  const auto* index = ast::as<ast::Index>(expr);
  const auto* name = index == nullptr ? nullptr : ast::as<ast::NameRef>(index->object);
  if (name == nullptr || name->text != "labels") {
    error("selector", expr->span, "namespaces are chosen by their labels only").help =
        "write `labels[\"team\"]`";
    return false;
  }
  const Constant* key = expressions_.check_constant(index->key, place_, Kind::text, "a label key");
  if (key == nullptr) return false;
  if (is_qualified_name(key->text)) return true;
  error("bad-name", index->key->span, fmt::format("`{}` can be no label key", key->text));
  return false;
}

}  // namespace sluice::lang
