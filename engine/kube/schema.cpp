#include "kube/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "base/limits.hpp"
#include "base/quantity.hpp"
#include "base/suggest.hpp"
#include "base/time.hpp"
#include "kube/pattern.hpp"

namespace sluice::kube {
namespace {

// ---- the tables: indices and offsets instead of pointers, so that nothing is relocated at the start ----

enum class K : std::uint8_t {
  any,
  any_object,  // an object of which nothing is known
  object,      // first, count: its fields
  map,         // first: the node of its values
  list,        // first: the node of its items
  string,      // first, count: its enum
  integer,
  number,
  boolean,
  quantity,
  int_or_string,
};
enum Flag : std::uint8_t { nullable = 1, int32 = 2, date_time = 4 };

struct Shape {
  K kind;
  std::uint8_t flags;
  std::uint16_t first;
  std::uint16_t count;
  std::uint16_t limits;  // into bounds; 0: none
};

struct Field {
  std::uint16_t name;
  std::uint16_t shape;
  std::uint16_t fallback;  // JSON text of the default; 0: none
  std::uint8_t required;
};

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

struct Bounds {
  std::int64_t min;  // kNone: none
  std::int64_t max;
  std::int32_t min_size;  // of a text, list or map
  std::int32_t max_size;  // -1: none
  std::uint16_t pattern;
  std::uint16_t keys;  // of a list that is a map: names of fields, separated by blanks
  bool is_set;
};

struct Kind {
  std::uint16_t group, version, kind, shape;
};

#include "kube/schema_tables.inc"

std::string_view text(std::uint16_t at) {
  return texts + at;
}

const Kind* find_kind(std::string_view group, std::string_view version, std::string_view kind) {
  for (const Kind& k : kinds) {
    if (text(k.kind) == kind && text(k.group) == group && text(k.version) == version) return &k;
  }
  return nullptr;
}

std::span<const Field> fields_of(const Shape& shape) {
  return std::span<const Field>(fields).subspan(shape.first, shape.count);
}

const Field* find_field(const Shape& shape, std::string_view name) {
  std::span<const Field> all = fields_of(shape);
  auto at = std::lower_bound(all.begin(), all.end(), name,
                             [](const Field& f, std::string_view n) { return text(f.name) < n; });
  return at != all.end() && text(at->name) == name ? &*at : nullptr;
}

/// What a field, or with `[]` an item, of a shape is; none if it has none.
const Shape* below_shape(const Shape& shape, std::string_view step) {
  if (step == "[]") return shape.kind == K::list || shape.kind == K::map ? &nodes[shape.first] : nullptr;
  const Field* field = shape.kind == K::object ? find_field(shape, step) : nullptr;
  return field ? &nodes[field->shape] : nullptr;
}

// ---- walking an object ----

bool is_pod_spec(const Shape& shape) {
  return shape.kind == K::object && find_field(shape, "containers") && find_field(shape, "restartPolicy") &&
         find_field(shape, "containers")->required;
}

/// A text, number or boolean that may be empty, 0 or false.
bool is_free_scalar(const Shape& shape) {
  const Bounds& b = bounds[shape.limits];
  if (shape.kind == K::string) return shape.count == 0 && b.min_size == 0 && b.pattern == 0;
  if (shape.kind == K::integer) return b.min == kNone || b.min <= 0;
  return shape.kind == K::number || shape.kind == K::boolean;
}

std::string_view kind_word(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "a boolean";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::string:
      return "a text";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::map:
      return "an object";
  }
  return "";
}

std::string_view expected_word(const Shape& shape) {
  switch (shape.kind) {
    case K::any:
      return "anything";
    case K::any_object:
    case K::object:
    case K::map:
      return "an object";
    case K::list:
      return "a list";
    case K::string:
      return shape.flags & date_time ? "a time" : "a text";
    case K::integer:
      return "a whole number";
    case K::number:
      return "a number";
    case K::boolean:
      return "`true` or `false`";
    case K::quantity:
      return "a quantity";
    case K::int_or_string:
      return "a whole number or a text";
  }
  return "";
}

/// Long texts are cut: the message has to fit on a line.
std::string shown(const Value& v) {
  constexpr std::size_t kShown = 60;
  if (v.is_list() || v.is_map() || v.is_null()) return std::string(kind_word(v));
  std::string_view t = v.text();
  if (t.size() <= kShown) return fmt::format("`{}`", t);
  std::size_t cut = kShown;
  while (cut > 0 && (static_cast<unsigned char>(t[cut]) & 0xc0) == 0x80) --cut;
  return fmt::format("`{}…`", t.substr(0, cut));
}

std::optional<std::int64_t> whole_number(const Value& v) {
  std::int64_t n = 0;
  std::string_view t = v.text();
  auto [end, status] = std::from_chars(t.data(), t.data() + t.size(), n);
  if (!v.is_number() || status != std::errc() || end != t.data() + t.size()) return {};
  return n;
}

/// Also as `2.0` and `1e3`, as far as a double is exact.
bool is_whole(const Value& v) {
  if (whole_number(v)) return true;
  constexpr double exact = 9007199254740991;
  std::string_view t = v.text();
  double n = 0;
  auto [end, status] = std::from_chars(t.data(), t.data() + t.size(), n);
  return status == std::errc() && std::abs(n) <= exact && n == std::trunc(n);
}

std::string_view without_blanks(std::string_view t) {
  constexpr std::string_view blanks = " \t\r\n";
  t.remove_prefix(std::min(t.find_first_not_of(blanks), t.size()));
  return t.substr(0, t.find_last_not_of(blanks) + 1);
}

/// Characters, not bytes, as the API server counts them.
std::int64_t length_of(std::string_view t) {
  return std::count_if(t.begin(), t.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

class Checker {
 public:
  Checker(const Object& object, const Kind& kind)
      : manifest_(*object.manifest), kind_of_(kind), kind_(object.kind) {}

  void check(const Value& value, const Shape& shape) {
    if (problems_.size() >= kMaxDiagnostics) return;  // a list of a million mistakes helps nobody
    switch (shape.kind) {
      case K::any:
        return;
      case K::any_object:
        if (!value.is_map()) wrong_type(value, shape);
        return;
      case K::object:
        return check_object(value, shape);
      case K::map:
        return check_map(value, shape);
      case K::list:
        return check_list(value, shape);
      case K::string:
        return check_string(value, shape);
      case K::integer:
        return check_integer(value, shape);
      case K::number:
        if (!value.is_number()) wrong_type(value, shape);
        return;
      case K::boolean:
        return check_boolean(value, shape);
      case K::quantity:
        return check_quantity(value, shape);
      case K::int_or_string:
        if (!value.is_string() && !whole_number(value))
          wrong_type(value, shape);
        else if (value.is_string())
          check_text(value, bounds[shape.limits]);
        return;
    }
  }

  /// The same for the value of a field.
  void check(const Value& value, const Shape& shape, std::string_view field) {
    below(field, [&] { check(value, shape); });
  }

  std::vector<Problem> finish() {
    std::stable_partition(problems_.begin(), problems_.end(), [](const Problem& p) {
      return p.kind == Problem::Kind::unknown_field || p.kind == Problem::Kind::wrong_type;
    });
    return std::move(problems_);
  }

 private:
  Problem& report(Problem::Kind kind, const Value& at, std::string message) {
    return problems_.emplace_back(Problem{kind, &at, path_, std::move(message), {}, false});
  }
  Problem& wrong_type(const Value& value, const Shape& shape) {
    return report(Problem::Kind::wrong_type, value,
                  fmt::format("`{}` must be {}, not {}", path_, expected_word(shape), shown(value)));
  }
  Problem& bad_value(const Value& value, std::string_view must) {
    return report(Problem::Kind::bad_value, value,
                  fmt::format("`{}` must {}, not {}", path_, must, shown(value)));
  }

  /// Runs `what` with one more step on the path.
  template <class What>
  void below(std::string_view step, What what) {
    std::size_t length = path_.size();
    if (!path_.empty() && step.front() != '[') path_ += '.';
    path_ += step;
    steps_.push_back(step.front() == '[' ? std::string_view("[]") : step);
    what();
    steps_.pop_back();
    path_.resize(length);
  }

  void check_object(const Value& value, const Shape& shape) {
    if (!value.is_map()) {
      wrong_type(value, shape);
      return;
    }
    for (const Member& m : value.members()) {
      std::string_view name = m.key.text();
      const Field* field = find_field(shape, name);
      below(name.empty() ? std::string_view("\"\"") : name, [&] {
        if (!field)
          unknown_field(m.key, shape);
        else if (!m.value.is_null())
          check(m.value, nodes[field->shape]);
      });
    }
    for (const Field& f : fields_of(shape)) {
      if (f.fallback || value.find(text(f.name))) continue;
      if (is_pod_spec(nodes[f.shape])) {
        // A pod template without spec has an empty one, without containers.
        below(text(f.name), [&] { below("containers", [&] { missing(value, false); }); });
      }
      if (!f.required) continue;
      below(text(f.name), [&] { missing(value, is_free_scalar(nodes[f.shape])); });
    }
    check_size(value, bounds[shape.limits], static_cast<std::int64_t>(value.members().size()), "fields");
  }

  void missing(const Value& value, bool scalar) {
    report(Problem::Kind::missing_field, value, fmt::format("`{}` is missing in {}", path_, kind_)).scalar =
        scalar;
  }

  void unknown_field(const Value& key, const Shape& shape) {
    Problem& p =
        report(Problem::Kind::unknown_field, key, fmt::format("unknown field `{}` in {}", path_, kind_));
    std::vector<std::string_view> names;
    std::string_view longer;
    for (const Field& f : fields_of(shape)) {
      names.push_back(text(f.name));
      if (text(f.name).starts_with(key.text())) longer = text(f.name);
    }
    std::string_view near = nearest(key.text(), names);
    if (near.empty()) near = longer;
    std::string_view other = other_version();
    if (!other.empty()) {
      p.help = fmt::format("version {} has it{}{}{}", other, near.empty() ? "" : ", this one has `", near,
                           near.empty() ? "" : "`");
    } else if (!near.empty()) {
      p.help = fmt::format("did you mean `{}`?", near);
    }
  }

  /// Another version of the kind that has the field where we are; empty if there is none.
  std::string_view other_version() const {
    for (const Kind& k : kinds) {
      if (k.kind != kind_of_.kind || k.group != kind_of_.group || k.version == kind_of_.version) continue;
      const Shape* shape = &nodes[k.shape];
      for (std::string_view step : steps_) {
        shape = below_shape(*shape, step);
        if (!shape) break;
      }
      if (shape) return text(k.version);
    }
    return {};
  }

  void check_map(const Value& value, const Shape& shape) {
    if (!value.is_map()) {
      wrong_type(value, shape);
      return;
    }
    for (const Member& m : value.members()) {
      below(fmt::format("[{}]", m.key.text()), [&] {
        if (!m.value.is_null()) check(m.value, nodes[shape.first]);
      });
    }
    check_size(value, bounds[shape.limits], static_cast<std::int64_t>(value.members().size()), "entries");
  }

  void check_list(const Value& value, const Shape& shape) {
    if (!value.is_list()) {
      wrong_type(value, shape);
      return;
    }
    const Shape& item_shape = nodes[shape.first];
    std::size_t index = 0;
    for (const Value& item : value.items()) {
      below(fmt::format("[{}]", index++), [&] {
        if (!item.is_null())
          check(item, item_shape);
        else if (item_shape.kind != K::any && !(item_shape.flags & nullable)) {
          bad_value(item, fmt::format("be {}", expected_word(item_shape)));
        }
      });
    }
    const Bounds& limits = bounds[shape.limits];
    check_size(value, limits, static_cast<std::int64_t>(value.items().size()), "items");
    if (limits.keys || limits.is_set) check_keys(value, limits, item_shape);
  }

  void check_keys(const Value& list, const Bounds& limits, const Shape& item_shape) {
    std::set<std::string> seen;
    std::size_t index = 0;
    for (const Value& item : list.items()) {
      std::string key;
      std::string said;
      if (limits.is_set) {
        key = said = std::string(item.text());
      } else {
        if (!item.is_map()) return;  // reported as a wrong type
        for_each_word(text(limits.keys), [&](std::string_view name) {
          const Value* v = item.find(name);
          const Field* field = find_field(item_shape, name);
          std::string_view t = v ? v->text() : field && field->fallback ? text(field->fallback) : "";
          if (!v && t.size() >= 2 && t.front() == '"') t = t.substr(1, t.size() - 2);
          key += t;
          key += '\n';
          said += fmt::format("{}{}: {}", said.empty() ? "" : ", ", name, t);
        });
      }
      if (!seen.insert(key).second) {
        below(fmt::format("[{}]", index), [&] {
          report(Problem::Kind::duplicate, item,
                 fmt::format("`{}` repeats an earlier item: `{}`", path_, said));
        });
      }
      ++index;
    }
  }

  template <class What>
  static void for_each_word(std::string_view words, What what) {
    while (!words.empty()) {
      std::size_t end = std::min(words.find(' '), words.size());
      what(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }

  void check_size(const Value& value, const Bounds& limits, std::int64_t size, std::string_view what) {
    if (size < limits.min_size) {
      report(Problem::Kind::bad_value, value,
             fmt::format("`{}` has {} {}, must have at least {}", path_, size, what, limits.min_size));
    }
    if (limits.max_size >= 0 && size > limits.max_size) {
      report(Problem::Kind::bad_value, value,
             fmt::format("`{}` has {} {}, must have at most {}", path_, size, what, limits.max_size));
    }
  }

  void check_text(const Value& value, const Bounds& limits) {
    check_size(value, limits, length_of(value.text()), "characters");
    if (limits.pattern && !matches_pattern(text(limits.pattern), value.text()))
      bad_value(value, fmt::format("match `{}`", text(limits.pattern)));
  }

  void check_string(const Value& value, const Shape& shape) {
    if (!value.is_string()) {
      Problem& p = wrong_type(value, shape);
      if (value.is_number() || value.is_boolean())
        p.help = fmt::format("put it in quotes: `\"{}\"`", manifest_.written(value));
      return;
    }
    if ((shape.flags & date_time) && !Instant::parse(value.text())) {
      wrong_type(value, shape).help = "write it as `2026-01-31T08:00:00Z`";
      return;
    }
    if (shape.count > 0) check_enum(value, shape);
    check_text(value, bounds[shape.limits]);
  }

  void check_quantity(const Value& value, const Shape& shape) {
    std::string_view t = value.text();
    // The decoder cuts blanks off; the pattern of a CRD does not allow them.
    std::optional<Quantity> q = Quantity::parse(without_blanks(t));
    if ((!value.is_number() && !value.is_string()) || !q) {
      wrong_type(value, shape).help = "write a number with an optional suffix: `500m`, `2`, `20Gi`";
    } else if (without_blanks(t) != t) {
      bad_value(value, "have no blanks around it");
    } else if (value.is_number() && takes_whole_numbers() && !is_whole(value)) {
      bad_value(value, "be a whole number or a text").help =
          fmt::format("put it in quotes: `\"{}\"`", manifest_.written(value));
    }
  }

  /// To a CRD a quantity is a whole number or a text. Of Kueue's own kinds only: jobs pass its webhook first, which
  /// writes all quantities as texts.
  bool takes_whole_numbers() const { return text(kind_of_.group) == "kueue.x-k8s.io"; }

  void check_enum(const Value& value, const Shape& shape) {
    std::vector<std::string_view> words;
    std::string list;
    for (std::uint16_t e : std::span<const std::uint16_t>(enums).subspan(shape.first, shape.count)) {
      words.push_back(text(e));
      list += fmt::format("{}`{}`", list.empty() ? "" : ", ", text(e));
    }
    if (std::find(words.begin(), words.end(), value.text()) != words.end()) return;
    Problem& p = bad_value(value, fmt::format("be {}{}", words.size() > 1 ? "one of " : "", list));
    if (std::string_view near = nearest(value.text(), words); !near.empty())
      p.help = fmt::format("did you mean `{}`?", near);
  }

  void check_integer(const Value& value, const Shape& shape) {
    std::optional<std::int64_t> n = whole_number(value);
    if (!n) {
      wrong_type(value, shape);
      return;
    }
    if ((shape.flags & int32) && *n != static_cast<std::int32_t>(*n)) {
      report(Problem::Kind::wrong_type, value,
             fmt::format("`{}` must fit in 32 bits, not {}", path_, shown(value)));
      return;
    }
    const Bounds& limits = bounds[shape.limits];
    if (limits.min != kNone && *n < limits.min) bad_value(value, fmt::format("be at least {}", limits.min));
    if (limits.max != kNone && *n > limits.max) bad_value(value, fmt::format("be at most {}", limits.max));
  }

  void check_boolean(const Value& value, const Shape& shape) {
    if (value.is_boolean()) return;
    Problem& p = wrong_type(value, shape);
    if (value.text() == "true" || value.text() == "false") p.help = "without the quotes";
  }

  const Manifest& manifest_;
  const Kind& kind_of_;
  std::string_view kind_;
  std::string path_;
  std::vector<std::string_view> steps_;  // of the path; `[]` into a list or map
  std::vector<Problem> problems_;
};

}  // namespace

bool has_schema(std::string_view group, std::string_view version, std::string_view kind) {
  return find_kind(group, version, kind) != nullptr;
}

std::vector<Problem> schema_problems(const Object& object) {
  const Kind* kind = find_kind(object.group, object.version, object.kind);
  if (!kind) return {};
  Checker checker(object, *kind);
  checker.check(*object.value, nodes[kind->shape]);
  return checker.finish();
}

void check_schema(const Object& object) {
  for (const Problem& p : schema_problems(object))
    throw object.error("bad-object", *p.at, p.message).help(p.help);
}

std::vector<Problem> schema_problems(const Object& object, const Value& value, std::string_view version,
                                     std::string_view field) {
  const Kind* kind = find_kind(object.group, version, object.kind);
  const Shape* shape = kind ? below_shape(nodes[kind->shape], field) : nullptr;
  assert(shape && "the caller knows the field");
  Checker checker(object, *kind);
  checker.check(value, *shape, field);
  return checker.finish();
}

void check_schema(const Object& object, const Value& value, std::string_view version, std::string_view field) {
  for (const Problem& p : schema_problems(object, value, version, field))
    throw object.error("bad-object", *p.at, p.message).help(p.help);
}

namespace {

void add_paths(const Shape& shape, const std::string& path, std::vector<std::string>& paths) {
  if (shape.kind == K::list || shape.kind == K::map) {
    add_paths(nodes[shape.first], path + "[]", paths);
  } else if (shape.kind == K::object && shape.count > 0) {
    for (const Field& field : fields_of(shape))
      add_paths(nodes[field.shape], path + (path.empty() ? "" : ".") + std::string(text(field.name)), paths);
  } else {
    paths.push_back(path);
  }
}

}  // namespace

std::vector<std::string> schema_paths(std::string_view group, std::string_view version, std::string_view kind) {
  std::vector<std::string> paths;
  if (const Kind* k = find_kind(group, version, kind)) add_paths(nodes[k->shape], {}, paths);
  return paths;
}

std::optional<std::string_view> default_of(std::string_view group, std::string_view version,
                                           std::string_view kind, std::string_view path) {
  const Kind* k = find_kind(group, version, kind);
  if (!k) return {};
  const Shape* shape = &nodes[k->shape];
  const Field* field = nullptr;
  while (!path.empty()) {
    std::size_t end = std::min(path.find('.'), path.size());
    std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    field = nullptr;
    if (step == "[]") {
      if (shape->kind != K::list && shape->kind != K::map) return {};
      shape = &nodes[shape->first];
      continue;
    }
    if (shape->kind != K::object || !(field = find_field(*shape, step))) return {};
    shape = &nodes[field->shape];
  }
  if (!field || !field->fallback) return {};
  return text(field->fallback);
}

}  // namespace sluice::kube
