#include "report/affinity_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/names.hpp"
#include "model/selector.hpp"
#include "report/json.hpp"

namespace sluice::report {
namespace {

/// What apimachinery says of an expression, where `at` leads to it.
void add_faults(const Requirement& e, const std::string& at, std::vector<std::string>& texts) {
  auto add = [&](const std::string& text) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  };
  auto add_values = [&](std::string_view rule) {
    std::vector<std::string> values;
    for (const std::string& value : e.values) values.push_back(json_string(value));
    std::string all = values.empty() ? "null" : fmt::format("[{}]", fmt::join(values, ","));
    add(fmt::format("{}.values: Invalid value: {}: {}", at, all, rule));
  };
  if (e.op == "In" || e.op == "NotIn") {
    if (e.values.empty()) add_values("for 'in', 'notin' operators, values set can't be empty");
  } else if (e.op == "Exists" || e.op == "DoesNotExist") {
    if (!e.values.empty()) add_values("values set must be empty for exists and does not exist");
  } else if (e.op == "Gt" || e.op == "Lt") {
    if (e.values.size() != 1) add_values("for 'Gt', 'Lt' operators, exactly one value is required");
    for (std::size_t i = 0; i < e.values.size(); ++i) {
      if (whole_number(e.values[i])) continue;
      add(fmt::format("{}.values[{}]: Invalid value: {}: for 'Gt', 'Lt' operators, the value must be an integer", at, i,
                      json_string(e.values[i])));
    }
  } else {
    add(fmt::format("{}.operator: Unsupported value: {}: supported values: \"In\", \"NotIn\", \"Exists\", "
                    "\"DoesNotExist\", \"Gt\", \"Lt\"",
                    at, json_string(e.op)));
    return;
  }
  constexpr std::size_t kLongestValue = 63;
  constexpr std::string_view kLabelValue =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
      "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
      "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  for (std::size_t i = 0; i < e.values.size(); ++i) {
    const std::string& value = e.values[i];
    std::vector<std::string> faults;
    if (value.size() > kLongestValue) faults.push_back(fmt::format("must be no more than {} bytes", kLongestValue));
    if (!has_label_form(value)) faults.emplace_back(kLabelValue);
    if (faults.empty()) continue;
    add(fmt::format("{}.values[{}][{}]: Invalid value: {}: {}", at, i, e.key, json_string(value),
                    fmt::join(faults, "; ")));
  }
}

}  // namespace

std::string kueue_affinity_error(const std::vector<decide::InvalidRequirement>& all) {
  std::vector<std::string> texts;
  for (const decide::InvalidRequirement& one : all)
    add_faults(one.requirement, fmt::format("nodeSelectorTerms[{}].matchExpressions[{}]", one.term, one.expression), texts);
  return texts.size() == 1 ? texts[0] : fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace sluice::report
