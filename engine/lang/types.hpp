#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::lang {

/// What a value is, with its unit. Every value is one int64 (see `unit` in types.def) and a present bit.
enum class Kind : std::uint8_t {
#define KIND(name, word, order, unit) name,
#include "lang/types.def"
#undef KIND
};

/// The type of an expression: a kind, a list of it, or either with `none`.
///
/// Optionals  `a = b` and `a != b` are total: an absent value equals only an absent value, so
///            `labels["team"] = "ml"` is false and `labels["team"] != "ml"` is true where the label is absent.
///            `x in […]` is false for an absent x. Every other operator needs a value: the checker asks for
///            `has x and …`, `x or default` or a comparison with `none` before it.
/// Numbers    plain integers; `*` and `/` of a unit by a number keep the unit, a unit divided by the same unit
///            is a number, percent times a unit is the unit; `/` rounds towards zero. Overflow is a fault.
/// Text       names (flavor, queue, cohort, resource, check, level) compare with strings and with their own kind.
struct Type {
  Kind kind = Kind::error;
  bool optional = false;
  bool list = false;

  friend constexpr bool operator==(Type, Type) = default;
};

constexpr Type type_of(Kind kind) { return {kind, false, false}; }
constexpr Type optional_of(Kind kind) { return {kind, true, false}; }
constexpr Type list_of(Kind kind) { return {kind, false, true}; }
constexpr Type without_none(Type type) { return {type.kind, false, type.list}; }

/// `duration`, `list of string`, `string or none`.
std::string to_string(Type type);
/// `cpu`, `time of day`.
std::string_view to_string(Kind kind);
/// `a duration`, `cpu`, for what to_string gives: kinds that are counted have an article, those that are measured
/// have none.
std::string with_article(std::string_view noun);

bool is_ordered(Kind kind);
bool is_record(Kind kind);
/// string or a name: a symbol at run time.
bool is_text(Kind kind);
/// number, percent, cpu, memory, devices, money, duration: what `+ - * /` work on (instants apart).
bool is_quantity(Kind kind);
/// Whether `=` takes one on each side: the same kind, `none`, or a string beside a name. An error fits everything.
bool comparable(Kind left, Kind right);
/// The kind of a resource's amounts: cpu, memory (also ephemeral-storage, hugepages-*), devices.
Kind kind_of_resource(std::string_view resource);

}  // namespace sluice::lang
