#include "model/selector.hpp"

#include <algorithm>
#include <charconv>

#include "base/names.hpp"

namespace sluice {

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_valid(const Requirement& e) {
  if (!std::all_of(e.values.begin(), e.values.end(), is_label_value)) return false;
  if (e.op == "In" || e.op == "NotIn") return !e.values.empty();
  if (e.op == "Exists" || e.op == "DoesNotExist") return e.values.empty();
  return (e.op == "Gt" || e.op == "Lt") && e.values.size() == 1 && whole_number(e.values[0]);
}

bool matches(const Requirement& e, const Labels& labels) {
  auto found = labels.find(e.key);
  const std::string* value = found == labels.end() ? nullptr : &found->second;
  auto listed = [&] { return std::find(e.values.begin(), e.values.end(), *value) != e.values.end(); };
  if (e.op == "In") return value != nullptr && listed();
  if (e.op == "NotIn") return value == nullptr || !listed();
  if (e.op == "Exists") return value != nullptr;
  if (e.op == "DoesNotExist") return value == nullptr;
  if (value == nullptr || e.values.size() != 1) return false;
  auto has = whole_number(*value);
  auto bound = whole_number(e.values[0]);
  if (!has || !bound) return false;
  return e.op == "Gt" ? *has > *bound : *has < *bound;
}

bool matches(const LabelSelector& selector, const Labels& labels) {
  if (selector.nothing) return false;
  return std::all_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const Requirement& e) { return matches(e, labels); });
}

}  // namespace sluice
