#include "lang/check_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/names.hpp"
#include "base/suggest.hpp"
#include "lang/constant.hpp"

namespace sluice::lang {
namespace {

using Point = ast::DecisionPoint;

struct PointInfo {
  Point point;
  std::string_view word;
  std::string_view verdicts;
};
constexpr std::array points = {
    PointInfo{Point::submit, "submit", "`deny`, `warn`, `default …`"},
    PointInfo{Point::order, "order", "`score …`"},
    PointInfo{Point::flavor, "flavor", "`skip`, `prefer A over B`"},
    PointInfo{Point::admit, "admit", "`deny`, `hold`, `hold until …`, `require check …`"},
    PointInfo{Point::preempt, "preempt", "`protect`, `cost …`"},
    PointInfo{Point::provision, "provision", "`use …`, `skip`, `score …`"},
    PointInfo{Point::place, "place", "`require …`, `prefer …`, `spread …`, `slice … of …`"},
};
const PointInfo& about(Point point) {
  return points[static_cast<std::size_t>(point)];
}

/// What the author wrote, and where it may stand.
struct VerdictInfo {
  std::string_view word;
  std::array<bool, points.size()> allowed;  ///< by decision point
};

constexpr std::array<bool, points.size()> only(std::initializer_list<Point> allowed) {
  std::array<bool, points.size()> result{};
  for (Point point : allowed) result[static_cast<std::size_t>(point)] = true;
  return result;
}

struct VerdictWord {
  VerdictInfo operator()(const ast::DenyVerdict&) const {
    return {"deny", only({Point::submit, Point::admit})};
  }
  VerdictInfo operator()(const ast::WarnVerdict&) const { return {"warn", only({Point::submit})}; }
  VerdictInfo operator()(const ast::DefaultVerdict&) const { return {"default", only({Point::submit})}; }
  VerdictInfo operator()(const ast::ScoreVerdict&) const {
    return {"score", only({Point::order, Point::provision})};
  }
  VerdictInfo operator()(const ast::SkipVerdict&) const {
    return {"skip", only({Point::flavor, Point::provision})};
  }
  VerdictInfo operator()(const ast::PreferVerdict&) const {
    return {"prefer … over …", only({Point::flavor})};
  }
  VerdictInfo operator()(const ast::HoldVerdict&) const { return {"hold", only({Point::admit})}; }
  VerdictInfo operator()(const ast::RequireCheckVerdict&) const {
    return {"require check", only({Point::admit})};
  }
  VerdictInfo operator()(const ast::ProtectVerdict&) const { return {"protect", only({Point::preempt})}; }
  VerdictInfo operator()(const ast::CostVerdict&) const { return {"cost", only({Point::preempt})}; }
  VerdictInfo operator()(const ast::UseVerdict&) const { return {"use", only({Point::provision})}; }
  VerdictInfo operator()(const ast::PlaceVerdict& place) const {
    switch (place.placement) {
      case ast::Placement::require:
        return {"require", only({Point::place})};
      case ast::Placement::prefer:
        return {"prefer", only({Point::place})};
      case ast::Placement::spread:
        return {"spread", only({Point::place})};
      case ast::Placement::slice:
        return {"slice", only({Point::place})};
    }
    return {"", {}};
  }
};

class RuleCheck {
 public:
  RuleCheck(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names)
      : declaration_(declaration), expressions_(expressions), names_(names) {
    place_.scope = &expressions.scopes().of(declaration.span.source);
  }

  void check(const ast::Rule& rule) {
    place_.point = rule.point;
    for (const ast::Let& let : rule.lets) check_let(let);
    if (rule.when != nullptr) expressions_.check_condition(rule.when, place_);
    bool fits = true;
    for (const ast::Verdict& verdict : rule.then) fits = check_point(rule, verdict) && fits;
    if (fits) check_together(rule);
    for (const ast::Verdict& verdict : rule.then) check_verdict(verdict);
    if (!rule.because) return;
    place_.has_until = std::any_of(rule.then.begin(), rule.then.end(), [](const ast::Verdict& verdict) {
      const auto* hold = std::get_if<ast::HoldVerdict>(&verdict.node);
      return hold != nullptr && hold->until != nullptr;
    });
    expressions_.check_text(*rule.because, place_);
  }

  void check(const ast::Fallback& fallback) {
    place_.point = Point::flavor;
    std::optional<std::vector<std::string_view>> flavors = flavors_of_queue();
    if (fallback.rungs.empty()) {
      error("missing-clause", declaration_.name.span, "this fallback tries nothing").help =
          "write `try on-demand`";
    }
    for (const ast::Rung& rung : fallback.rungs) check_rung(rung, flavors);
    place_.present.clear();
    if (fallback.otherwise_hold) {
      place_.point = Point::admit;  // asked about the workload, no flavor is at hand
      expressions_.check_text(*fallback.otherwise_hold, place_);
    }
  }

 private:
  Diagnostic& error(std::string_view code, Span span, std::string message) {
    return expressions_.diagnostics().error(code, span, std::move(message));
  }

  void check_let(const ast::Let& let) {
    Type type = expressions_.check(let.value, place_);
    expressions_.checked().types[let.id] = type;
    for (const Local& other : place_.locals) {
      if (other.name == let.name.text) report_taken(let.name, other.span);
    }
    if (const ast::Declaration* value = place_.scope->find(NameSpace::value, let.name.text)) {
      report_taken(let.name, value->name.span);
    }
    if (!type.list && is_record(type.kind)) {
      error("type-mismatch", let.value->span,
            fmt::format("`{}` is no value that `let` could name", expressions_.source_text(let.value->span)));
      type = type_of(Kind::error);
    }
    Local local;
    local.name = let.name.text;
    local.span = let.name.span;
    local.type = type;
    local.meaning.what = Meaning::What::let;
    local.meaning.node = let.id;
    local.meaning.value = let.value;
    if (const Constant* constant = expressions_.checked().constant(let.value)) local.constant = *constant;
    place_.locals.push_back(std::move(local));
  }

  void report_taken(const ast::Name& name, Span first) {
    error("duplicate-declaration", name.span, fmt::format("`{}` has a meaning here already", name.text))
        .labels.emplace_back(first, "first declared here");
  }

  bool check_point(const ast::Rule& rule, const ast::Verdict& verdict) {
    VerdictInfo info = std::visit(VerdictWord{}, verdict.node);
    const PointInfo& here = about(rule.point);
    if (!info.allowed[static_cast<std::size_t>(rule.point)]) {
      auto& report = error("wrong-verdict", verdict.span,
                           fmt::format("`{}` cannot be said on `{}`", info.word, here.word));
      report.help = fmt::format("on `{}` a rule says {}", here.word, here.verdicts);
      std::string elsewhere;
      for (const PointInfo& other : points) {
        if (!info.allowed[static_cast<std::size_t>(other.point)]) continue;
        elsewhere += fmt::format("{}`on {}`", elsewhere.empty() ? "" : " or ", other.word);
      }
      report.help += fmt::format("; `{}` belongs to {}", info.word, elsewhere);
      return false;
    }
    if (verdict.after != nullptr && rule.point != Point::place) {
      error("wrong-verdict", verdict.after->span, fmt::format("`after` cannot stand before `{}`", info.word))
          .help = fmt::format("write `when waited >= {}`", expressions_.source_text(verdict.after->span));
      return false;
    }
    return true;
  }

  /// Verdicts of one rule that cannot stand together.
  void check_together(const ast::Rule& rule) {
    for (std::size_t i = 0; i < rule.then.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!excludes(rule.then[j], rule.then[i])) continue;
        error("duplicate-verdict", rule.then[i].span, "this rule says that already")
            .labels.emplace_back(rule.then[j].span, "said here");
        break;
      }
    }
  }

  bool excludes(const ast::Verdict& first, const ast::Verdict& second) const {
    if (first.node.index() != second.node.index()) return false;
    if (const auto* give = std::get_if<ast::DefaultVerdict>(&first.node)) {
      const auto& other = std::get<ast::DefaultVerdict>(second.node);
      return give->field.text == other.field.text && give->key.text == other.key.text;
    }
    if (const auto* place = std::get_if<ast::PlaceVerdict>(&first.node)) {
      const auto& other = std::get<ast::PlaceVerdict>(second.node);
      auto kind = [](ast::Placement placement) {
        return placement == ast::Placement::require ? ast::Placement::prefer : placement;
      };
      auto text = [&](ast::ExprPtr expr) {
        return expr == nullptr ? std::string_view{} : expressions_.source_text(expr->span);
      };
      return kind(place->placement) == kind(other.placement) && text(first.after) == text(second.after);
    }
    bool several = std::holds_alternative<ast::RequireCheckVerdict>(first.node) ||
                   std::holds_alternative<ast::PreferVerdict>(first.node);
    return !several;
  }

  void check_verdict(const ast::Verdict& verdict) {
    if (verdict.after != nullptr) check_after(verdict.after);
    std::visit([&](const auto& node) { on(node); }, verdict.node);
  }

  void check_after(ast::ExprPtr after) {
    const Constant* constant = expressions_.check_constant(after, place_, Kind::duration, "how long to wait");
    if (constant == nullptr || constant->value >= 0) return;
    error("out-of-range", after->span, "nobody waits a negative time");
  }

  void on(const ast::DenyVerdict&) {}
  void on(const ast::WarnVerdict&) {}
  void on(const ast::SkipVerdict&) {}
  void on(const ast::ProtectVerdict&) {}

  void on(const ast::ScoreVerdict& score) { check_score(score.value, "a score"); }
  void on(const ast::CostVerdict& cost) { check_score(cost.value, "a cost"); }

  /// A count of devices is a number here.
  void check_score(ast::ExprPtr value, std::string_view what) {
    Type type = expressions_.check_present(value, place_, Kind::number);
    if (type.kind == Kind::error || type == type_of(Kind::number) || type == type_of(Kind::devices)) return;
    bool unit = is_quantity(type.kind) && !type.list;
    auto& report = error(unit ? "unit-mismatch" : "type-mismatch", value->span,
                         fmt::format("{} is a number, but `{}` is a {}", what,
                                     expressions_.source_text(value->span), to_string(type)));
    std::string_view text = expressions_.source_text(value->span);
    if (type.kind == Kind::duration) report.help = fmt::format("count hours or minutes: `hours({})`", text);
    if (type.kind == Kind::memory) report.help = fmt::format("count something: `{} / 1Gi`", text);
    if (type.kind == Kind::cpu) report.help = fmt::format("count something: `{} / 1000m`", text);
  }

  void on(const ast::PreferVerdict& prefer) {
    names_.check(NameSpace::flavor, prefer.flavor);
    names_.check(NameSpace::flavor, prefer.over);
    if (prefer.flavor.text == prefer.over.text) {
      error("duplicate-entry", prefer.over.span,
            fmt::format("`{}` cannot be preferred over itself", prefer.over.text));
    }
  }

  void on(const ast::HoldVerdict& hold) {
    if (hold.until == nullptr) return;
    Type type = expressions_.check(hold.until, place_, Kind::instant);
    if (type.kind == Kind::error || type.kind == Kind::none) {
      if (type.kind == Kind::none) error("type-mismatch", hold.until->span, "`none` is no instant");
      return;
    }
    bool fits = !type.list && (type.kind == Kind::instant || (type.kind == Kind::boolean && !type.optional));
    if (fits) return;
    auto& report = error("type-mismatch", hold.until->span,
                         fmt::format("a hold ends at an instant or once a condition holds, but `{}` is a {}",
                                     expressions_.source_text(hold.until->span), to_string(type)));
    if (type.kind == Kind::duration)
      report.help = fmt::format("write `hold until now + {}`", expressions_.source_text(hold.until->span));
    if (type.kind == Kind::time_of_day) {
      report.help =
          fmt::format("write `hold until clock(\"…\") = {}`", expressions_.source_text(hold.until->span));
    }
  }

  void on(const ast::RequireCheckVerdict& require) { names_.check(NameSpace::check, require.check); }

  void on(const ast::UseVerdict& use) {
    for (const ast::Option& option : use.options) {
      std::string_view key = option.key.text;
      if (key == "wait" || key == "max-run" || key == "recycle-lead" || key == "duration") {
        expressions_.check_constant(option.value, place_, Kind::duration, fmt::format("`{}`", key));
      } else if (key == "from" || key == "until") {
        expressions_.check_constant(option.value, place_, Kind::instant, fmt::format("`{}`", key));
      } else if (key == "reservation") {
        name_or_text(option.value);
      } else {
        error("unknown-option", option.key.span, fmt::format("no option is called `{}`", key)).help =
            "options are `wait`, `max-run`, `recycle-lead`, `duration`, `from`, `until` and `reservation`";
      }
    }
  }

  void on(const ast::PlaceVerdict& place) {
    check_level(place.level);
    if (place.size == nullptr) return;
    const Constant* size =
        expressions_.check_constant(place.size, place_, Kind::number, "the size of a slice");
    if (size != nullptr && (size->value < 1 || size->value > std::numeric_limits<std::int32_t>::max())) {
      error("out-of-range", place.size->span, "a slice has at least one pod");
    }
  }

  /// A level of any topology that the policy declares, or a node label. Which topology is asked is known
  /// later.
  void check_level(const ast::Name& level) {
    std::vector<std::string_view> levels;
    for (const ast::Declaration* declaration : expressions_.checked().active) {
      const auto* topology = ast::as<ast::Topology>(*declaration);
      if (topology == nullptr) continue;
      for (const ast::Topology::Level& one : topology->levels) {
        if (one.name.text == level.text || one.node_label.text == level.text) return;
        levels.push_back(one.name.text);
      }
    }
    if (names_.known() != nullptr) {
      for (const Topology& topology : names_.known()->topologies) {
        for (const TopologyLevel& one : topology.levels) {
          if (one.name == level.text || one.node_label == level.text) return;
        }
      }
    }
    if (levels.empty()) return;  // the snapshot's
    auto& report =
        error("unknown-name", level.span, fmt::format("no topology level is called `{}`", level.text));
    std::string_view near = nearest(level.text, levels);
    report.help = near.empty() ? fmt::format("levels are `{}`", fmt::join(levels, "`, `"))
                               : fmt::format("did you mean `{}`?", near);
  }

  /// `default queue user-queue`, `default label team = "ml"`.
  void on(const ast::DefaultVerdict& give) {
    std::string_view field = give.field.text;
    if (field == "priority") {
      const Constant* value = expressions_.check_constant(give.value, place_, Kind::number, "a priority");
      constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
      constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
      if (value != nullptr && (value->value < least || value->value > most)) {
        error("out-of-range", give.value->span, fmt::format("a priority goes from {} to {}", least, most));
      }
    } else if (field == "max-run") {
      expressions_.check_constant(give.value, place_, Kind::duration, "a limit of the run");
    } else if (field == "label" || field == "annotation") {
      if (!is_qualified_name(give.key.text)) {
        error("bad-name", give.key.span, fmt::format("`{}` can be no {} key", give.key.text, field));
      }
      expressions_.check_as(give.value, place_, Kind::text, fmt::format("the {}", field));
    } else if (field == "topology") {
      if (give.value == nullptr) return;
      if (std::optional<std::string_view> level = name_or_text(give.value)) {
        check_level({*level, give.value->span});
      }
    } else if (field == "queue") {
      name_or_text(give.value);
    } else if (field == "priority-class" || field == "compute-class") {
      std::optional<std::string_view> name = name_or_text(give.value);
      NameSpace space = field == "priority-class" ? NameSpace::priority_class : NameSpace::compute_class;
      if (name) names_.check(space, {*name, give.value->span});
    } else {
      static const std::vector<std::string_view> fields = {"queue",         "priority",   "priority-class",
                                                           "label",         "annotation", "topology",
                                                           "compute-class", "max-run"};
      auto& report = error("unknown-field", give.field.span, fmt::format("`{}` has no default", field));
      std::string_view near = nearest(field, fields);
      report.help = near.empty() ? fmt::format("defaults are given to `{}`", fmt::join(fields, "`, `"))
                                 : fmt::format("did you mean `{}`?", near);
    }
  }

  /// A name that stands for itself, or a text. Empty, reported, if it is neither.
  std::optional<std::string_view> name_or_text(ast::ExprPtr value) {
    const auto* word = ast::as<ast::NameRef>(value);
    bool param = word != nullptr && place_.scope->find(NameSpace::value, word->text) != nullptr;
    if (ast::is_dotted_name(value) && !param) {
      std::string_view name = expressions_.source_text(value->span);
      expressions_.checked().types[value->id] = type_of(Kind::text);
      expressions_.checked().constants.insert_or_assign(value->id, constant_of_text(Kind::text, name));
      return name;
    }
    const Constant* constant = expressions_.check_constant(value, place_, Kind::text, "a name");
    if (constant == nullptr) return std::nullopt;
    return constant->text;
  }

  // Fallback.

  /// The flavors of the queue, if the policy or the snapshot declares it.
  std::optional<std::vector<std::string_view>> flavors_of_queue() {
    std::vector<std::string_view> flavors;
    if (const ast::Declaration* queue = names_.check(NameSpace::queue, declaration_.name)) {
      for (const ast::ResourceGroup& group : ast::as<ast::Queue>(*queue)->groups) {
        for (const ast::FlavorQuotas& quotas : group.flavors)
          flavors.push_back(expressions_.checked().name_of(quotas.flavor));
      }
      return flavors;
    }
    if (names_.known() == nullptr) return std::nullopt;
    for (const ClusterQueue& queue : names_.known()->cluster_queues) {
      if (queue.name != declaration_.name.text) continue;
      for (const ResourceGroup& group : queue.resource_groups) {
        for (const FlavorQuotas& quotas : group.flavors) flavors.push_back(quotas.flavor);
      }
      return flavors;
    }
    return std::nullopt;
  }

  void check_rung(const ast::Rung& rung, const std::optional<std::vector<std::string_view>>& flavors) {
    if (rung.after != nullptr) check_after(rung.after);
    if (flavors) {
      std::string_view name = expressions_.checked().name_of(rung.flavor);
      if (std::find(flavors->begin(), flavors->end(), name) == flavors->end()) {
        auto& report =
            error("unknown-name", rung.flavor.span,
                  fmt::format("queue `{}` has no flavor `{}`", declaration_.name.text, rung.flavor.text));
        std::string_view near = nearest(rung.flavor.text, *flavors);
        report.help = near.empty() ? fmt::format("its flavors are `{}`", fmt::join(*flavors, "`, `"))
                                   : fmt::format("did you mean `{}`?", near);
      }
    } else {
      names_.check(NameSpace::flavor, rung.flavor);
    }
    place_.present.clear();
    if (rung.unless != nullptr && expressions_.check_as(rung.unless, place_, Kind::boolean, "a condition")) {
      expressions_.learn(rung.unless, false, place_);
    }
    if (rung.when != nullptr) expressions_.check_condition(rung.when, place_);
    place_.present.clear();  // the text is shown where the rung is closed, too
    if (rung.because) expressions_.check_text(*rung.because, place_);
  }

  const ast::Declaration& declaration_;
  Expressions& expressions_;
  ObjectNames& names_;
  Place place_;
};

}  // namespace

void check_rule(const ast::Declaration& declaration, const ast::Rule& rule, Expressions& expressions,
                ObjectNames& names) {
  RuleCheck(declaration, expressions, names).check(rule);
}

void check_fallback(const ast::Declaration& declaration, const ast::Fallback& fallback,
                    Expressions& expressions, ObjectNames& names) {
  RuleCheck(declaration, expressions, names).check(fallback);
}

}  // namespace sluice::lang
