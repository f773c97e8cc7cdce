#include "lang/facts.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/limits.hpp"
#include "lang/literal.hpp"

namespace sluice::lang {
namespace {

/// What is known of one subject.
struct Known {
  Kind kind = Kind::boolean;
  bool optional = false;
  std::optional<bool> truth;
  std::optional<bool> present;
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::vector<std::pair<std::int64_t, std::int64_t>> holes;  ///< ranges that are ruled out
  std::optional<std::set<std::string>> texts;                ///< one of these
  std::set<std::string> excluded;                            ///< none of these
  bool has_value_facts = false;                              ///< a range, a hole or texts were said
};

/// The smallest value of [low, high] outside of the holes that is nearest to zero from above, if any.
std::optional<std::int64_t> pick(const Known& known) {
  std::int64_t value = std::clamp<std::int64_t>(0, known.low, known.high);
  for (std::size_t step = 0; step <= known.holes.size(); ++step) {  // upwards
    auto hole = std::find_if(known.holes.begin(), known.holes.end(),
                             [&](auto h) { return h.first <= value && value <= h.second; });
    if (hole == known.holes.end()) return value;
    if (hole->second >= known.high) break;
    value = hole->second + 1;
  }
  value = std::clamp<std::int64_t>(0, known.low, known.high);
  for (std::size_t step = 0; step <= known.holes.size(); ++step) {  // downwards
    auto hole = std::find_if(known.holes.begin(), known.holes.end(),
                             [&](auto h) { return h.first <= value && value <= h.second; });
    if (hole == known.holes.end()) return value;
    if (hole->first <= known.low) break;
    value = hole->first - 1;
  }
  return std::nullopt;
}

std::optional<std::string> pick_text(const Known& known) {
  if (!known.texts) {
    if (!known.excluded.contains("other")) return "other";
    std::string text = "other-1";
    for (int i = 2; known.excluded.contains(text); ++i) text = "other-" + std::to_string(i);
    return text;
  }
  for (const std::string& text : *known.texts) {
    if (!known.excluded.contains(text)) return text;
  }
  return std::nullopt;
}

/// Several atoms about several subjects; says when they cannot all hold.
class Facts {
 public:
  /// False once the atoms contradict each other.
  bool add(const Atom& atom) {
    if (atom.test == Atom::Test::unknown) return true;
    Known& known = subjects_[atom.subject];
    known.kind = atom.kind;
    known.optional = known.optional || atom.optional;
    switch (atom.test) {
      case Atom::Test::unknown:
        return true;
      case Atom::Test::truth:
        return settle(known.truth, !atom.negated);
      case Atom::Test::present:
        return settle(known.present, !atom.negated) && (atom.negated ? !known.has_value_facts : true);
      case Atom::Test::range:
        if (atom.negated) {
          known.holes.emplace_back(atom.low, atom.high);
        } else {
          known.low = std::max(known.low, atom.low);
          known.high = std::min(known.high, atom.high);
        }
        break;
      case Atom::Test::one_of:
        if (atom.negated) {
          known.excluded.insert(atom.texts.begin(), atom.texts.end());
        } else if (!known.texts) {
          known.texts = atom.texts;
        } else {
          std::erase_if(*known.texts, [&](const std::string& text) { return !atom.texts.contains(text); });
        }
        break;
    }
    // A negated test of an optional subject also holds where the subject is absent.
    if (atom.negated && atom.optional && known.present != true) return true;
    if (!atom.negated || !atom.optional) known.has_value_facts = true;
    if (!atom.negated && !settle(known.present, true)) return false;
    return known.present == false || (known.low <= known.high && pick(known) && pick_text(known));
  }

  bool add_all(const Conjunction& atoms) {
    return std::all_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return add(atom); }) &&
           is_possible();
  }

  std::string to_string() const {
    std::string text;
    for (const auto& [subject, known] : subjects_) {
      std::string said = say(subject, known);
      if (said.empty()) continue;
      if (!text.empty()) text += " and ";
      text += said;
    }
    return text;
  }

 private:
  static bool settle(std::optional<bool>& fact, bool value) {
    if (!fact) fact = value;
    return *fact == value;
  }

  /// Checks again what a later atom may have ruled out: presence learnt after a negated test.
  bool is_possible() const {
    return std::all_of(subjects_.begin(), subjects_.end(), [](const auto& entry) {
      const Known& known = entry.second;
      bool may_be_absent = known.optional && known.present != true;
      return may_be_absent || (known.low <= known.high && pick(known) && pick_text(known));
    });
  }

  static std::string say(const std::string& subject, const Known& known) {
    std::string quoted = "`" + subject + "`";
    if (known.truth) return quoted + (*known.truth ? " true" : " false");
    if (known.present == false) return quoted + " absent";
    if (is_text(known.kind) && (known.texts || !known.excluded.empty())) {
      return quoted + " = \"" + *pick_text(known) + "\"";
    }
    if (known.has_value_facts || !known.holes.empty()) {
      return quoted + " = " + value_text(known.kind, *pick(known));
    }
    if (known.present == true) return quoted + " present";
    return {};
  }

  std::map<std::string, Known> subjects_;
};

Atom unknown_atom() {
  Atom atom;
  atom.test = Atom::Test::unknown;
  return atom;
}

Atom negation(Atom atom) {
  atom.negated = !atom.negated;
  return atom;
}

bool conjunction_implies(const Conjunction& a, const Conjunction& b) {
  Facts alone;
  if (!alone.add_all(a)) return true;  // never holds
  return std::all_of(b.begin(), b.end(), [&](const Atom& atom) {
    if (atom.test == Atom::Test::unknown) return false;
    Conjunction with_negation = a;
    with_negation.push_back(negation(atom));
    return !Facts{}.add_all(with_negation);
  });
}

}  // namespace

Alternatives both(const Alternatives& a, const Alternatives& b) {
  Alternatives result;
  if (a.size() * b.size() > kMaxAlternatives) return {Conjunction{unknown_atom()}};
  for (const Conjunction& left : a) {
    for (const Conjunction& right : b) {
      Conjunction joined = left;
      joined.insert(joined.end(), right.begin(), right.end());
      result.push_back(std::move(joined));
    }
  }
  return result;
}

Alternatives either(Alternatives a, const Alternatives& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::optional<std::string> witness(const Alternatives& a, const Alternatives& b) {
  for (const Conjunction& left : a) {
    for (const Conjunction& right : b) {
      Facts facts;
      if (facts.add_all(left) && facts.add_all(right)) return facts.to_string();
    }
  }
  return std::nullopt;
}

bool implies(const Alternatives& a, const Alternatives& b) {
  return std::all_of(a.begin(), a.end(), [&](const Conjunction& left) {
    return std::any_of(b.begin(), b.end(),
                       [&](const Conjunction& right) { return conjunction_implies(left, right); });
  });
}

}  // namespace sluice::lang
