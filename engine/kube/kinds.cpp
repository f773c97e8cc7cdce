#include "kube/kinds.hpp"

#include <fmt/core.h>

#include <set>

#include "base/names.hpp"
#include "kube/pod_template.hpp"

namespace sluice::kube {

void refuse(const Object& object, const Value& at, std::string message, std::string help) {
  Error error = object.error("bad-object", at, std::move(message));
  error.help(std::move(help));
  throw error;
}

std::string name_of(const Object& object) {
  if (!object.name.empty()) return std::string(object.name);
  return fmt::format("{}{:05}", text_of(object.value->at({"metadata", "generateName"})), object.number);
}

std::string namespace_name_of(const Object& object) {
  return object.name_space.empty() ? "default" : std::string(object.name_space);
}

std::int64_t generation_of(const Object& object) {
  return integer_or(object.value->at({"metadata", "generation"}), 1);
}

Quantity quantity_of(const Object& object, const Value& value) {
  std::optional<Quantity> quantity;
  if (value.is_string() || value.is_number()) quantity = Quantity::parse(value.text());
  if (!quantity) {
    bool is_template = value.text().find("${") != std::string_view::npos;
    refuse(object, value, fmt::format("`{}` is no quantity", value.text()),
           is_template ? "only the form `${NAME}` is filled in"
                       : "write a number with an optional suffix: `500m`, `2`, `20Gi`");
  }
  return *quantity;
}

Quantity amount_of(const Object& object, const Value& value) {
  Quantity quantity = quantity_of(object, value);
  if (quantity.is_negative()) refuse(object, value, fmt::format("`{}` is negative", value.text()));
  return quantity;
}

Instant instant_of(const Object& object, const Value& value) {
  auto instant = Instant::parse(value.text());
  if (Instant::is_out_of_range(value.text()))
    refuse(object, value, fmt::format("`{}` lies outside of the years 1678 to 2261", value.text()));
  if (!instant)
    refuse(object, value, fmt::format("`{}` is no time", value.text()), "write it as `2026-01-31T13:00:00Z`");
  // metav1.Time has whole seconds.
  constexpr std::int64_t second = 1'000'000'000;
  std::int64_t part = instant->ns % second;
  return Instant{instant->ns - (part < 0 ? part + second : part)};
}

void check_labels(const Object& object, const Value* labels) {
  if (labels == nullptr) return;
  for (const Member& member : labels->members()) {
    if (!is_qualified_name(member.key.text()))
      refuse(object, member.key, fmt::format("`{}` is no label key", member.key.text()),
             "a key is `name` or `domain/name`: letters, digits, `-`, `_`, `.`");
    if (!is_label_value(member.value.text()))
      refuse(object, member.value, fmt::format("`{}` is no label value", member.value.text()),
             "at most 63 letters, digits, `-`, `_`, `.`, with a letter or digit at both ends");
  }
}

namespace {

constexpr std::string_view effects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

void check_effect(const Object& object, const Value* effect) {
  if (effect == nullptr) return;
  for (std::string_view known : effects)
    if (effect->text() == known) return;
  refuse(object, *effect, fmt::format("`{}` is no taint effect", effect->text()),
         "write `NoSchedule`, `PreferNoSchedule` or `NoExecute`");
}

void check_taint_key(const Object& object, const Value& key) {
  if (!is_qualified_name(key.text()))
    refuse(object, key, fmt::format("`{}` is no taint key", key.text()),
           "a key is `name` or `domain/name`: letters, digits, `-`, `_`, `.`");
}

}  // namespace

std::vector<Taint> checked_taints(const Object& object, const Value* list) {
  if (list == nullptr) return {};
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Value& taint : list->items()) {
    const Value* key = taint.find("key");
    const Value* value = taint.find("value");
    const Value* effect = taint.find("effect");
    if (key == nullptr) refuse(object, taint, "the taint has no `key`");
    check_taint_key(object, *key);
    if (value != nullptr && !is_label_value(value->text()))
      refuse(object, *value, fmt::format("`{}` is no taint value", value->text()));
    if (effect == nullptr) refuse(object, taint, "the taint has no `effect`");
    check_effect(object, effect);
    if (!seen.emplace(key->text(), effect->text()).second)
      refuse(object, taint,
             fmt::format("the taint `{}` with effect `{}` is given twice", key->text(), effect->text()));
  }
  return taints_of(list);
}

std::vector<Toleration> checked_tolerations(const Object& object, const Value* list) {
  if (list == nullptr) return {};
  for (const Value& toleration : list->items()) {
    const Value* key = toleration.find("key");
    const Value* op = toleration.find("operator");
    const Value* value = toleration.find("value");
    const Value* effect = toleration.find("effect");
    bool exists = op != nullptr && op->text() == "Exists";
    if (op != nullptr && !exists && op->text() != "Equal")
      refuse(object, *op, fmt::format("`{}` is no operator of a toleration", op->text()),
             "write `Equal` or `Exists`");
    if (key != nullptr && !key->text().empty()) check_taint_key(object, *key);
    if (key == nullptr && !exists)
      refuse(object, toleration, "a toleration without `key` needs `operator: Exists`");
    if (exists && value != nullptr)
      refuse(object, *value, "a toleration with `operator: Exists` has no `value`");
    check_effect(object, effect);
    if (const Value* seconds = toleration.find("tolerationSeconds"))
      if (effect == nullptr || effect->text() != "NoExecute")
        refuse(object, *seconds, "`tolerationSeconds` needs `effect: NoExecute`");
  }
  return tolerations_of(list);
}

bool is_true_or_unsaid(const Object& object, std::string_view type) {
  const Value* conditions = object.value->at({"status", "conditions"});
  if (conditions == nullptr || conditions->items().empty()) return true;
  for (const Value& condition : conditions->items())
    if (text_of(condition.find("type")) == type) return text_of(condition.find("status")) == "True";
  return false;
}

}  // namespace sluice::kube
