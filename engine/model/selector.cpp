#include "model/selector.hpp"

#include <algorithm>
#include <charconv>

namespace sluice {
namespace {

std::optional<std::int64_t> integer(const std::string& text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool matches(const Requirement& e, const Labels& labels) {
  auto found = labels.find(e.key);
  const std::string* value = found == labels.end() ? nullptr : &found->second;
  auto listed = [&] { return std::find(e.values.begin(), e.values.end(), *value) != e.values.end(); };
  if (e.op == "In") return value != nullptr && listed();
  if (e.op == "NotIn") return value == nullptr || !listed();
  if (e.op == "Exists") return value != nullptr;
  if (e.op == "DoesNotExist") return value == nullptr;
  if (value == nullptr || e.values.size() != 1) return false;
  auto has = integer(*value);
  auto bound = integer(e.values[0]);
  if (!has || !bound) return false;
  return e.op == "Gt" ? *has > *bound : *has < *bound;
}

bool matches(const LabelSelector& selector, const Labels& labels) {
  if (selector.nothing) return false;
  return std::all_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const Requirement& e) { return matches(e, labels); });
}

}  // namespace sluice
