#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/types.hpp"

/// Conditions as alternatives of atoms over subjects: enough logic to find two rules that both match, a rung
/// that is never reached, and a workload that shows it. Sound, not complete: what is not understood becomes an
/// opaque subject that may be true or false.
namespace sluice::lang {

/// One elementary condition about one subject, e.g. `workload.priority > 5`.
struct Atom {
  enum class Test : std::uint8_t {
    unknown,  ///< nothing is known: may hold or not, implies nothing and is implied by nothing
    truth,    ///< the subject is true; opaque conditions too
    present,  ///< has a value
    range,    ///< low <= value <= high
    one_of,   ///< a text of `texts`
  };
  std::string subject;  ///< canonical text of the expression: equal texts mean equal values
  Test test = Test::truth;
  bool negated = false;
  bool optional = false;  ///< the subject may be absent; then every test but a negated one asks for a value
  Kind kind = Kind::boolean;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::set<std::string> texts;
};

/// All of these at once.
using Conjunction = std::vector<Atom>;
/// One of these; empty: never, one empty conjunction: always.
using Alternatives = std::vector<Conjunction>;

inline Alternatives always() { return {Conjunction{}}; }
inline Alternatives never() { return {}; }
Alternatives both(const Alternatives& a, const Alternatives& b);
Alternatives either(Alternatives a, const Alternatives& b);

/// A case that satisfies both, in words: "`workload.priority` is 6 and `labels["x"]` is present". Empty optional
/// if they exclude each other; empty text if every case satisfies both.
std::optional<std::string> witness(const Alternatives& a, const Alternatives& b);

/// Whether every case of `a` certainly is a case of `b`.
bool implies(const Alternatives& a, const Alternatives& b);

}  // namespace sluice::lang
