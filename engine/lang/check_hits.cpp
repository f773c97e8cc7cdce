#include "lang/check_hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lang/cases.hpp"

namespace sluice::lang {
namespace {

/// What a verdict decides, if only one rule may decide it for a workload; empty: several may speak.
std::string aspect_of(ast::DecisionPoint point, const ast::Verdict& verdict) {
  if (std::holds_alternative<ast::ScoreVerdict>(verdict.node)) return "score";
  if (std::holds_alternative<ast::UseVerdict>(verdict.node)) return "use";
  if (const auto* place = std::get_if<ast::PlaceVerdict>(&verdict.node)) {
    switch (place->placement) {
      case ast::Placement::require:
      case ast::Placement::prefer:
        return "placement";
      case ast::Placement::spread:
        return "spread";
      case ast::Placement::slice:
        return "slice";
    }
  }
  if (const auto* give = std::get_if<ast::DefaultVerdict>(&verdict.node)) {
    std::string aspect = "default " + std::string(give->field.text);
    if (!give->key.empty()) aspect += " " + std::string(give->key.text);
    return aspect;
  }
  (void)point;
  return {};
}

std::string_view code_of(std::string_view aspect) {
  if (aspect == "score") return "two-scores";
  if (aspect.starts_with("default")) return "two-defaults";
  return "two-verdicts";
}

std::string_view to_string(ast::DecisionPoint point) {
  switch (point) {
    case ast::DecisionPoint::submit:
      return "submit";
    case ast::DecisionPoint::order:
      return "order";
    case ast::DecisionPoint::flavor:
      return "flavor";
    case ast::DecisionPoint::admit:
      return "admit";
    case ast::DecisionPoint::preempt:
      return "preempt";
    case ast::DecisionPoint::provision:
      return "provision";
    case ast::DecisionPoint::place:
      return "place";
  }
  return "";
}

struct Speaker {
  const ast::Declaration* declaration;
  Alternatives cases;
};

class HitCheck {
 public:
  HitCheck(const Checked& checked, const SourceMap& sources, Diagnostics& diagnostics)
      : checked_(checked), sources_(sources), diagnostics_(diagnostics) {}

  void run() {
    for (const ast::Declaration* declaration : checked_.active) {
      const auto* policy = ast::as<ast::HitPolicy>(*declaration);
      if (policy != nullptr && policy->collect_sum) collected_.push_back(policy->point);
    }
    for (const ast::Declaration* declaration : checked_.active) {
      if (const auto* rule = ast::as<ast::Rule>(*declaration)) check_rule(*declaration, *rule);
      if (const auto* fallback = ast::as<ast::Fallback>(*declaration)) check_fallback(*fallback);
    }
  }

 private:
  void check_rule(const ast::Declaration& declaration, const ast::Rule& rule) {
    if (std::find(collected_.begin(), collected_.end(), rule.point) != collected_.end()) return;
    Alternatives cases = cases_of(rule.when, true, checked_);
    std::vector<std::string> aspects;
    for (const ast::Verdict& verdict : rule.then) {
      std::string aspect = aspect_of(rule.point, verdict);
      bool seen = std::find(aspects.begin(), aspects.end(), aspect) != aspects.end();
      if (!aspect.empty() && !seen) aspects.push_back(aspect);
    }
    for (const std::string& aspect : aspects) {
      std::vector<Speaker>& speakers = speakers_[{rule.point, aspect}];
      for (const Speaker& other : speakers) {
        std::optional<std::string> shown = witness(other.cases, cases);
        if (!shown) continue;
        report_overlap(declaration, rule, aspect, other, *shown);
        break;
      }
      speakers.push_back({&declaration, cases});
    }
  }

  void report_overlap(const ast::Declaration& declaration, const ast::Rule& rule, std::string_view aspect,
                      const Speaker& other, const std::string& shown) {
    std::string what = aspect == "score" ? "one score" : fmt::format("one `{}`", aspect);
    auto& report = diagnostics_.error(
        code_of(aspect), declaration.name.span,
        fmt::format("`{}` takes {}, but `{}` and `{}` both match {}", to_string(rule.point), what,
                    other.declaration->name.text, declaration.name.text,
                    shown.empty() ? "every workload" : fmt::format("a workload with {}", shown)));
    report.labels.emplace_back(other.declaration->name.span, "the other rule");
    report.help = rule.point == ast::DecisionPoint::order
                      ? "make the conditions exclude each other, or write `on order collect sum`"
                      : "make the conditions exclude each other";
  }

  void check_fallback(const ast::Fallback& fallback) {
    struct Earlier {
      const ast::Rung* rung;
      std::int64_t after;
      Alternatives cases;
    };
    std::vector<Earlier> earlier;
    for (const ast::Rung& rung : fallback.rungs) {
      const Constant* after = rung.after == nullptr ? nullptr : checked_.constant(rung.after);
      std::int64_t opens = after == nullptr ? 0 : after->value;
      Alternatives cases = cases_of(rung.when, true, checked_);
      if (rung.unless != nullptr) cases = both(cases, cases_of(rung.unless, false, checked_));
      if (!witness(cases, always())) {
        diagnostics_.error("unreachable-rung", rung_span(rung),
                           "this rung can never be reached: its guard is never true");
        continue;
      }
      auto covering = std::find_if(earlier.begin(), earlier.end(), [&](const Earlier& before) {
        return before.rung->flavor.text == rung.flavor.text && before.after <= opens &&
               implies(cases, before.cases);
      });
      if (covering != earlier.end()) {
        auto& report = diagnostics_.error(
            "unreachable-rung", rung_span(rung),
            fmt::format("this rung can never be reached: `{}` is tried before, whenever this one would be",
                        rung.flavor.text));
        report.labels.emplace_back(rung_span(*covering->rung), "tried first");
        report.help = "remove it, or name another flavor";
      }
      earlier.push_back({&rung, opens, std::move(cases)});
    }
  }

  /// `try dws`, without what stands before and after.
  Span rung_span(const ast::Rung& rung) const {
    Span before{rung.span.source, rung.span.begin, rung.flavor.span.begin};
    std::size_t word = sources_.text(before).rfind("try");
    Span span = rung.flavor.span;
    if (word != std::string_view::npos) span.begin = rung.span.begin + static_cast<std::uint32_t>(word);
    return span;
  }

  const Checked& checked_;
  const SourceMap& sources_;
  Diagnostics& diagnostics_;
  std::vector<ast::DecisionPoint> collected_;
  std::map<std::pair<ast::DecisionPoint, std::string>, std::vector<Speaker>> speakers_;
};

}  // namespace

void check_hits(const Checked& checked, const SourceMap& sources, Diagnostics& diagnostics) {
  HitCheck(checked, sources, diagnostics).run();
}

}  // namespace sluice::lang
