#include "lang/object_check.hpp"

#include <fmt/format.h>

#include <map>

namespace sluice::lang {
namespace {

// Limits of the schemas. Source: CRDs and webhooks of Kueue 0.19.2.
constexpr std::size_t kMaxNodeLabels = 8;
constexpr std::size_t kMaxTaints = 8;
constexpr std::size_t kMaxTolerations = 8;
constexpr std::size_t kMaxTopologyLevels = 16;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

}  // namespace

void ObjectCheck::on(const ast::Flavor& flavor) {
  check_name(declaration_.name, "flavor");
  for (const ast::KeyValue& entry : flavor.nodes) {
    check_key(entry.key, "label key");
    check_label_value(entry.value, "a node label");
  }
  check_unique(
      flavor.nodes, [](const ast::KeyValue& entry) -> const ast::Name& { return entry.key; },
      "the node label");
  check_limit(flavor.nodes.size(), kMaxNodeLabels, declaration_.name.span, "node labels");
  check_taints(flavor);
  for (const ast::TolerateClause& clause : flavor.tolerations) check_toleration(clause);
  check_limit(flavor.tolerations.size(), kMaxTolerations, declaration_.name.span, "tolerations");
  if (!flavor.topology.empty()) {
    names_.check(NameSpace::topology, flavor.topology);
    if (flavor.nodes.empty()) {
      error("topology-without-nodes", flavor.topology.span,
            "a flavor with a topology needs at least one node label")
          .help = "say which nodes these are: `nodes cloud.google.com/gke-nodepool = \"…\"`";
    }
  }
  for (const ast::Name& check : flavor.checks) names_.check(NameSpace::check, check);
  check_unique(
      flavor.checks, [](const ast::Name& name) -> const ast::Name& { return name; }, "the check");
}

void ObjectCheck::check_taints(const ast::Flavor& flavor) {
  std::map<std::pair<std::string_view, ast::TaintEffect>, Span> seen;
  for (const ast::TaintClause& taint : flavor.taints) {
    check_key(taint.key, "taint key");
    if (taint.value != nullptr) check_label_value(taint.value, "a taint");
    auto [first, is_new] = seen.try_emplace({taint.key.text, taint.effect}, taint.key.span);
    if (is_new) continue;
    error("duplicate-entry", taint.key.span,
          fmt::format("the taint `{}` stands here twice with the same effect", taint.key.text))
        .labels.emplace_back(first->second, "first here");
  }
  check_limit(flavor.taints.size(), kMaxTaints, declaration_.name.span, "taints");
}

void ObjectCheck::check_toleration(const ast::TolerateClause& clause) {
  if (!clause.all) check_key(clause.key, "taint key");
  if (clause.op == ast::TolerateClause::Op::greater || clause.op == ast::TolerateClause::Op::less) {
    error("not-in-kueue", clause.span, "a flavor's tolerations only know `=` and the key alone");
    return;
  }
  if (clause.value != nullptr) check_label_value(clause.value, "a toleration");
  if (clause.seconds == nullptr) return;
  check_duration(clause.seconds, "how long a taint is tolerated");
  if (clause.effect != ast::TaintEffect::no_execute) {
    error("not-in-kueue", clause.seconds->span, "only `no-execute` taints are tolerated for a time").help =
        fmt::format("write `tolerate {}: no-execute for …`", clause.key.text);
  }
}

void ObjectCheck::on(const ast::Topology& topology) {
  check_name(declaration_.name, "topology");
  if (topology.levels.empty()) {
    error("missing-clause", declaration_.name.span,
          fmt::format("topology `{}` has no level", declaration_.name.text))
        .help = "write `level block = cloud.google.com/gce-topology-block`";
  }
  check_limit(topology.levels.size(), kMaxTopologyLevels, declaration_.name.span, "levels");
  check_unique(
      topology.levels, [](const ast::Topology::Level& level) -> const ast::Name& { return level.name; },
      "the level");
  check_unique(
      topology.levels, [](const ast::Topology::Level& level) -> const ast::Name& { return level.node_label; },
      "the node label");
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    const ast::Name& label = topology.levels[i].node_label;
    check_key(label, "label key");
    if (label.text == kHostname && i + 1 != topology.levels.size()) {
      error("level-order", label.span, "the hostname can only be the lowest level").help =
          "levels go from the widest to the narrowest";
    }
  }
}

}  // namespace sluice::lang
