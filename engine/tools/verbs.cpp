#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/verb.hpp"

namespace sluice::tools {

std::span<const Verb* const> verbs() {
  static constexpr std::array all = {&bench_verb, &check_verb,    &code_verb, &decide_verb,  &explain_verb,
                                     &fmt_verb,   &help_verb,     &load_verb, &repl_verb,    &snapshot_verb,
                                     &test_verb,  &version_verb, &why_verb};
  return all;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : verbs()) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

std::string overview_text() {
  std::string text =
      "sluice decides which jobs of a Kubernetes cluster run where, and says why.\n"
      "\n"
      "usage: sluice VERB [FLAG…] [PATH…]\n"
      "\n";
  std::size_t width = 0;
  for (const Verb* verb : verbs()) width = std::max(width, verb->name.size());
  for (const Verb* verb : verbs()) text += fmt::format("  {:<{}}  {}\n", verb->name, width, verb->summary);
  text +=
      "\n"
      "`sluice help VERB` shows its flags. Exit codes: 0 fine, 1 the tool could not do its job, 2 a "
      "negative\n"
      "answer, 3 the policy has errors, 4 no definite answer.\n";
  return text;
}

}  // namespace sluice::tools
