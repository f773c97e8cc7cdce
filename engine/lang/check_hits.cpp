#include "lang/check_hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lang/cases.hpp"
#include "lang/words.hpp"

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

/// A subject that must be one of a few texts wherever a rule matches: `workload.priority-class` in {"batch"}.
struct Choice {
  std::string subject;
  std::set<std::string> texts;
};

/// The first subject that every alternative of `cases` asks to be one of some texts.
std::optional<Choice> choice_of(const Alternatives& cases) {
  if (cases.empty()) return std::nullopt;
  auto chooses = [](const Atom& atom) { return atom.test == Atom::Test::one_of && !atom.negated; };
  for (const Atom& first : cases[0]) {
    if (!chooses(first)) continue;
    Choice choice{first.subject, {}};
    bool everywhere = std::all_of(cases.begin(), cases.end(), [&](const Conjunction& conjunction) {
      auto found = std::find_if(conjunction.begin(), conjunction.end(), [&](const Atom& atom) {
        return chooses(atom) && atom.subject == choice.subject;
      });
      if (found == conjunction.end()) return false;
      choice.texts.insert(found->texts.begin(), found->texts.end());
      return true;
    });
    if (everywhere) return choice;
  }
  return std::nullopt;
}

struct Speaker {
  const ast::Declaration* declaration;
  Alternatives cases;
};

/// The rules that decide one thing. A thousand rules that each look at their own queue or class are not
/// compared pair by pair: those that choose other texts of the same subject exclude each other.
class Speakers {
 public:
  /// The first that matches a case that `cases` matches too, with that case in words.
  std::optional<std::pair<const Speaker*, std::string>> first_overlap(const Alternatives& cases) const {
    for (std::size_t index : candidates(choice_of(cases))) {
      if (std::optional<std::string> shown = witness(all_[index].cases, cases))
        return {{&all_[index], *shown}};
    }
    return std::nullopt;
  }

  void add(const ast::Declaration& declaration, Alternatives cases) {
    if (std::optional<Choice> choice = choice_of(cases)) {
      for (const std::string& text : choice->texts) by_choice_[choice->subject][text].push_back(all_.size());
    } else {
      without_choice_.push_back(all_.size());
    }
    all_.push_back({&declaration, std::move(cases)});
  }

 private:
  std::set<std::size_t> candidates(const std::optional<Choice>& choice) const {
    std::set<std::size_t> result(without_choice_.begin(), without_choice_.end());
    for (const auto& [subject, texts] : by_choice_) {
      for (const auto& [text, indices] : texts) {
        bool excluded = choice && choice->subject == subject && !choice->texts.contains(text);
        if (!excluded) result.insert(indices.begin(), indices.end());
      }
    }
    return result;
  }

  std::vector<Speaker> all_;
  std::vector<std::size_t> without_choice_;
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> by_choice_;
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
      Speakers& speakers = speakers_[{rule.point, aspect}];
      if (auto overlap = speakers.first_overlap(cases)) {
        report_overlap(declaration, rule, aspect, *overlap->first, overlap->second);
      }
      speakers.add(declaration, cases);
    }
  }

  void report_overlap(const ast::Declaration& declaration, const ast::Rule& rule, std::string_view aspect,
                      const Speaker& other, const std::string& shown) {
    std::string what = aspect == "score" ? "one score" : fmt::format("one `{}`", aspect);
    auto& report = diagnostics_.error(
        code_of(aspect), declaration.name.span,
        fmt::format("`{}` takes {}, but `{}` and `{}` both match {}", word_of(point_words, rule.point), what,
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
  std::map<std::pair<ast::DecisionPoint, std::string>, Speakers> speakers_;
};

}  // namespace

void check_hits(const Checked& checked, const SourceMap& sources, Diagnostics& diagnostics) {
  HitCheck(checked, sources, diagnostics).run();
}

}  // namespace sluice::lang
