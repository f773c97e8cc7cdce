#include "lang/check_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "base/names.hpp"
#include "base/quantity.hpp"
#include "lang/object_check.hpp"

namespace sluice::lang {
namespace {

constexpr std::string_view kNameHelp =
    "names are of a-z, 0-9, `-` and `.`, begin and end with a letter or digit";

}  // namespace

void ObjectCheck::run() {
  std::visit([&](const auto& node) { on(node); }, declaration_.node);
}

void ObjectCheck::check_name(const ast::Name& name, std::string_view what) {
  if (is_dns_subdomain(name.text)) return;
  error("bad-name", name.span, fmt::format("`{}` can be no name of a {}", name.text, what)).help = kNameHelp;
}

bool ObjectCheck::check_key(const ast::Name& name, std::string_view what) {
  if (is_qualified_name(name.text)) return true;
  error("bad-name", name.span, fmt::format("`{}` can be no {}", name.text, what)).help =
      "write `name` or `domain/name`";
  return false;
}

void ObjectCheck::check_limit(std::size_t count, std::size_t most, Span span, std::string_view what) {
  if (count <= most) return;
  error("too-many", span, fmt::format("{} {}, but Kueue takes {} at most", count, what, most));
}

void ObjectCheck::check_label_value(ast::ExprPtr value, std::string_view what) {
  const Constant* constant = expressions_.check_constant(value, place_, Kind::text, what);
  if (constant == nullptr || is_label_value(constant->text)) return;
  error("bad-name", value->span, fmt::format("`{}` can be no label value", constant->text)).help =
      "values have 63 letters, digits, `-`, `_` and `.` at most, and begin and end with a letter or digit";
}

void ObjectCheck::check_number(ast::ExprPtr value, std::string_view what, std::int64_t least,
                               std::int64_t most) {
  const Constant* constant = expressions_.check_constant(value, place_, Kind::number, what);
  if (constant == nullptr || (constant->value >= least && constant->value <= most)) return;
  error("out-of-range", value->span, fmt::format("{} goes from {} to {}", what, least, most));
}

void ObjectCheck::check_duration(ast::ExprPtr value, std::string_view what) {
  const Constant* constant = expressions_.check_constant(value, place_, Kind::duration, what);
  if (constant == nullptr) return;
  constexpr std::int64_t second = 1'000'000'000;
  if (constant->value < 0 || constant->value % second != 0 ||
      constant->value / second > std::numeric_limits<std::int32_t>::max()) {
    error("out-of-range", value->span, fmt::format("{} is counted in whole seconds, from 0", what));
  }
}

void ObjectCheck::check_weight(ast::ExprPtr value) {
  if (value == nullptr) return;
  if (const auto* literal = ast::as<ast::Literal>(value)) {  // a weight may be a fraction: `0.5`
    bool number = literal->kind == ast::LiteralKind::number || literal->kind == ast::LiteralKind::quantity;
    std::optional<Quantity> quantity = number ? Quantity::parse(literal->text) : std::nullopt;
    if (quantity && quantity->nano() > 0 && quantity->nano() <= 1) {
      error("out-of-range", value->span, "a weight is 0 or more than 1n");
      return;
    }
    if (quantity) return;
  }
  const Constant* constant = expressions_.check_constant(value, place_, Kind::number, "a weight");
  if (constant != nullptr && constant->value < 0) {
    error("out-of-range", value->span, "a weight cannot be negative");
  }
}

void ObjectCheck::on(const ast::LocalQueue& local) {
  if (!is_dns_label(local.name_space.text)) {
    error("bad-name", local.name_space.span, fmt::format("`{}` can be no namespace", local.name_space.text))
        .help = "namespaces are of a-z, 0-9 and `-`, 63 characters at most";
  }
  check_name(local.name, "local queue");
  names_.check(NameSpace::queue, local.queue);
  check_weight(local.weight);
}

void ObjectCheck::on(const ast::PriorityClass& priority) {
  check_name(declaration_.name, "priority class");
  check_number(priority.value, "a priority", std::numeric_limits<std::int32_t>::min(),
               std::numeric_limits<std::int32_t>::max());
}

void check_object(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names) {
  ObjectCheck(declaration, expressions, names).run();
}

void check_cohort_cycles(const Checked& checked, const Scopes& scopes, Diagnostics& diagnostics) {
  std::map<const ast::Declaration*, int> state;  // 1: on the way, 2: done
  for (const ast::Declaration* start : checked.active) {
    std::vector<const ast::Declaration*> path;
    const ast::Declaration* at = start;
    while (at != nullptr && ast::as<ast::Cohort>(*at) != nullptr && state[at] == 0) {
      state[at] = 1;
      path.push_back(at);
      const ast::Name& parent = ast::as<ast::Cohort>(*at)->parent;
      at = parent.empty() ? nullptr : scopes.of(at->span.source).find(NameSpace::cohort, parent.text);
    }
    if (at != nullptr && state[at] == 1) {
      auto first = std::find(path.begin(), path.end(), at);
      std::string circle;
      for (auto it = first; it != path.end(); ++it) circle += fmt::format("`{}` → ", (*it)->name.text);
      const ast::Cohort& last = *ast::as<ast::Cohort>(*path.back());
      diagnostics
          .error("cohort-cycle", last.parent.span,
                 fmt::format("the parents go round in a circle: {}`{}`", circle, at->name.text))
          .help = "leave one `parent` out";
    }
    for (const ast::Declaration* done : path) state[done] = 2;
  }
}

}  // namespace sluice::lang
