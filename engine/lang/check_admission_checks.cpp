#include "lang/object_check.hpp"

#include <fmt/format.h>

#include <limits>

namespace sluice::lang {
namespace {

// Limits of the schemas. Source: CRDs and webhooks of Kueue 0.19.2.
constexpr std::size_t kMaxParameters = 100;
constexpr std::size_t kMaxNodeUpdates = 8;

}  // namespace

void ObjectCheck::on(const ast::Provision& provision) {
  check_name(declaration_.name, "admission check");
  if (provision.class_name.empty()) {
    error("missing-clause", declaration_.name.span,
          fmt::format("`provision {}` does not say which class of request it makes", declaration_.name.text))
        .help = "write `class queued-provisioning.gke.io`";
  } else {
    check_name(provision.class_name, "provisioning class");
  }
  if (!provision.config.empty()) check_name(provision.config, "config");
  for (const ast::Name& resource : provision.manage) check_key(resource, "resource");
  check_unique(
      provision.manage, [](const ast::Name& name) -> const ast::Name& { return name; }, "the resource");
  check_limit(provision.manage.size(), kMaxParameters, declaration_.name.span, "managed resources");
  for (const ast::KeyValue& parameter : provision.parameters) {
    expressions_.check_constant(parameter.value, place_, Kind::text, "a parameter");
  }
  check_unique(
      provision.parameters, [](const ast::KeyValue& entry) -> const ast::Name& { return entry.key; },
      "the parameter");
  check_limit(provision.parameters.size(), kMaxParameters, declaration_.name.span, "parameters");
  for (const ast::Provision::NodeUpdate& update : provision.node_updates) check_key(update.key, "label key");
  check_unique(
      provision.node_updates,
      [](const ast::Provision::NodeUpdate& update) -> const ast::Name& { return update.key; },
      "the node label");
  check_limit(provision.node_updates.size(), kMaxNodeUpdates, declaration_.name.span, "`select` clauses");
  if (!provision.retry) return;
  check_number(provision.retry->times, "the number of retries", 0, std::numeric_limits<std::int32_t>::max());
  if (provision.retry->backoff != nullptr) check_duration(provision.retry->backoff, "a backoff");
  if (provision.retry->up_to != nullptr) check_duration(provision.retry->up_to, "a backoff");
}

void ObjectCheck::on(const ast::Check& check) {
  check_name(declaration_.name, "admission check");
  if (check.controller.empty()) {
    error("missing-clause", declaration_.name.span,
          fmt::format("`check {}` does not say which controller answers it", declaration_.name.text))
        .help = "write `controller example.com/license-server`";
    return;
  }
  check_key(check.controller, "controller name");
}

}  // namespace sluice::lang
