#include "random_policy.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace sluice::test {

namespace {

enum class Type { number, cpu, memory, devices, duration, instant };

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string policy(int rules) {
    std::string text = "edition 2026\n\nparam zone: string = \"Europe/Paris\"\non order collect sum\n";
    text += "flavor spot { nodes a = \"b\" }\nflavor dws { nodes a = \"c\" }\n";
    text += "fn is-night(t: instant) -> bool = clock(zone, t) in 20:00..06:00\n";
    text += "fn wide(n: number, limit: number) -> bool = n > limit or n + limit > 12\n";
    text += "fn late(t: instant, d: duration) -> bool = t + d > now and weekday(zone, t) in [mon, tue, sat]\n";
    for (int i = 0; i < rules; ++i) text += rule(i);
    return text;
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<const char*, N>& from) {
    return from[random_.below(N)];
  }

  std::string text_value() {
    return pick(std::array{"\"prod\"", "\"batch\"", "\"ml\"", "\"a\"", "\"\""});
  }

  /// A text that is always there.
  std::string text() {
    if (variable_ == "w" && random_.percent(40)) return pick(std::array{"w.user", "w.kind", "w.name"});
    return pick(std::array{"workload.priority-class", "workload.kind", "workload.user", "workload.name", "namespace.name",
                           "(labels[\"team\"] or \"none\")", "min(workload.user, workload.kind)",
                           "(if workload.running then workload.kind else workload.user)"});
  }

  std::string optional_text() {
    return pick(std::array{"labels[\"team\"]", "labels[\"tier\"]", "namespace.labels[\"env\"]", "workload.annotations[\"x\"]",
                           "workload.flavor"});
  }

  std::string literal(Type type) {
    const std::uint64_t n = 1 + random_.below(20);
    switch (type) {
      case Type::number: return fmt::format("{}", n);
      case Type::devices: return fmt::format("{}", n);
      case Type::cpu: return n % 2 == 0 ? fmt::format("{}m", n * 100) : fmt::format("{}", n);
      case Type::memory: return fmt::format("{}Gi", n);
      case Type::duration: return fmt::format("{}min", n * 10);
      case Type::instant: return fmt::format("\"2026-03-{:02}T{:02}:00:00Z\"", 20 + n % 10, n - 1);
    }
    return {};
  }

  std::string field(Type type) {
    const bool in_pod_set = variable_ == "p";
    const bool in_workload = variable_ == "w";
    switch (type) {
      case Type::number:
        if (in_pod_set) return pick(std::array{"p.count", "(p.min-count or 3)", "workload.priority"});
        if (in_workload) return pick(std::array{"w.priority", "workload.priority"});
        return pick(std::array{"workload.priority", "count(p in workload.podsets)", "hours(waited)", "minutes(max-run)"});
      case Type::cpu:
        return in_pod_set ? "p.request(cpu)" : in_workload ? "w.total(cpu)" : "workload.total(cpu)";
      case Type::memory:
        return in_pod_set ? "p.request(memory)" : in_workload ? "w.total(memory)" : "workload.total(memory)";
      case Type::devices:
        return in_pod_set ? "p.total(google.com/tpu)" : in_workload ? "w.total(nvidia.com/gpu)" : "workload.total(google.com/tpu)";
      case Type::duration:
        if (in_workload) return pick(std::array{"w.waited", "w.max-run", "(w.remaining or 2h)"});
        return pick(std::array{"waited", "max-run", "(run-limit or 1h)", "(workload.remaining or 5h)", "waited"});
      case Type::instant: return pick(std::array{"now", "created", "workload.created"});
    }
    return {};
  }

  std::string value(Type type, int depth) {
    // A plain number takes its unit from its place, and a text in quotes is an instant only beside one.
    const bool literals = type == Type::number || type == Type::memory || type == Type::duration;
    if (depth <= 0 || random_.percent(25)) return literals && random_.percent(45) ? literal(type) : field(type);
    const std::uint64_t choice = random_.below(9);
    if (type == Type::instant) {
      if (choice < 4) return fmt::format("({} {} {})", value(type, depth - 1), sign(), value(Type::duration, depth - 1));
      return field(type);
    }
    if (choice < 3) return fmt::format("({} {} {})", value(type, depth - 1), sign(), value(type, depth - 1));
    if (choice == 3) return fmt::format("{} * {}", value(type, 0), value(Type::number, depth - 1));
    if (choice == 4) return fmt::format("({} / {})", value(type, depth - 1), value(Type::number, depth - 1));
    if (choice == 5) {
      return fmt::format("{}({}, {})", random_.percent(50) ? "min" : "max", value(type, depth - 1), value(type, depth - 1));
    }
    if (choice == 6) {
      return fmt::format("(if {} then {} else {})", condition(depth - 1), value(type, depth - 1), value(type, depth - 1));
    }
    if (choice == 7 && variable_.empty()) {
      if (random_.percent(30)) return fmt::format("(80% * {})", value(type, depth - 1));
      return aggregate(type, depth);
    }
    if (type == Type::number && choice == 8) {
      return fmt::format("({} / {})", value(Type::duration, depth - 1), value(Type::duration, 0));
    }
    return fmt::format("abs({})", value(type, depth - 1));
  }

  std::string sign() { return random_.percent(50) ? "+" : "-"; }

  std::string aggregate(Type type, int depth) {
    const bool workloads = type == Type::duration || random_.percent(40);
    variable_ = workloads ? "w" : "p";
    const std::string where = random_.percent(60) ? " where " + condition(depth - 2) : "";
    const std::string of = value(type, depth - 2);
    const std::string collection = workloads ? "workloads" : "workload.podsets";
    std::string text;
    if (random_.percent(60)) {
      text = fmt::format("sum({} of {} in {}{})", of, variable_, collection, where);
    } else {
      text = fmt::format("({}({} of {} in {}{}) or {})", random_.percent(50) ? "min" : "max", of, variable_, collection, where,
                         literal(type));
    }
    variable_.clear();
    return text;
  }

  Type any_type() { return static_cast<Type>(random_.below(6)); }

  std::string comparison() { return pick(std::array{"=", "!=", "<", "<=", ">", ">="}); }

  std::string atom(int depth) {
    switch (random_.below(16)) {
      case 0: return fmt::format("{} {} {}", text(), comparison_of_texts(), random_.percent(70) ? text_value() : text());
      case 1: return fmt::format("{} {} {}", optional_text(), random_.percent(50) ? "=" : "!=", random_.percent(60) ? text_value() : optional_text());
      case 2: return fmt::format("has {}", optional_text());
      case 3: {
        const std::string field = pick(std::array{"labels[\"team\"]", "labels[\"tier\"]", "namespace.labels[\"env\"]"});
        return fmt::format("has {0} and {0} {1} {2}", field, pick(std::array{"<", ">="}), text_value());
      }
      case 4: return fmt::format("{} in [{}, {}, {}]", text(), text_value(), text_value(), text_value());
      case 5: return fmt::format("{} in [{}, {}]", optional_text(), text_value(), random_.percent(50) ? text() : text_value());
      case 6: return fmt::format("{} matches \"{}\"", text(), pick(std::array{"^a", "o.", "[bc]", "^$"}));
      case 7: return fmt::format("clock({}, now) in {}", random_.percent(50) ? "zone" : "\"UTC\"",
                                 pick(std::array{"08:00..20:00", "22:00..06:00", "12:30..12:45", "02:15..02:45"}));
      case 8: return "weekday(zone) in [mon, wed, sun]";
      case 9: return pick(std::array{"is-night(now)", "is-night(created)", "late(created, waited)", "late(now, max-run)"});
      case 10: return fmt::format("wide({}, {})", value(Type::number, depth - 1), value(Type::number, depth - 1));
      case 11:
        if (!variable_.empty()) return "workload.running";
        if (random_.percent(50)) {
          variable_ = "p";
          const std::string text = fmt::format("{}(p in workload.podsets where {})", random_.percent(50) ? "any" : "all", condition(depth - 1));
          variable_.clear();
          return text;
        }
        variable_ = "w";
        {
          const std::string text = fmt::format("{}(w in workloads where {})", random_.percent(50) ? "any" : "all", condition(depth - 1));
          variable_.clear();
          return text;
        }
      case 12: return pick(std::array{"stocked-out(dws)", "stocked-out(spot)", "workload.running", "workload.admitted"});
      case 13: return fmt::format("{} in {}..{}", value(Type::number, depth - 1), random_.below(5), 5 + random_.below(20));
      default: {
        const Type type = any_type();
        return fmt::format("{} {} {}", value(type, depth - 1), comparison(),
                           random_.percent(40) ? literal(type) : value(type, depth - 1));
      }
    }
  }

  std::string comparison_of_texts() { return pick(std::array{"=", "=", "!=", "<", ">="}); }

  std::string condition(int depth) {
    if (depth <= 0 || random_.percent(30)) return atom(depth);
    const std::uint64_t choice = random_.below(5);
    if (choice < 2) return fmt::format("({} and {})", condition(depth - 1), condition(depth - 1));
    if (choice < 4) return fmt::format("({} or {})", condition(depth - 1), condition(depth - 1));
    return fmt::format("not ({})", condition(depth - 1));
  }

  std::string rule(int number) {
    const bool order = random_.percent(30);
    std::string text = fmt::format("rule r{} on {} {{\n", number, order ? "order" : "admit");
    text += fmt::format("  let   mine = {}\n  let   other = {}\n", value(Type::number, 2), value(any_type(), 2));
    const std::string lets = random_.percent(40) ? fmt::format(" and mine < {}", literal(Type::number)) : "";
    text += fmt::format("  when  {}{}\n", condition(3), lets);
    text += order ? fmt::format("  then  score {}\n", value(Type::number, 3)) : std::string("  then  hold\n");
    text += "  because \"{workload.name}: {other} and {mine}\"\n}\n";
    return text;
  }

  Random random_;
  std::string variable_;  // of the aggregate around: `p`, `w`, or empty
};

}  // namespace

std::string random_policy(std::uint64_t seed, int rules) { return Writer(seed).policy(rules); }

}  // namespace sluice::test
