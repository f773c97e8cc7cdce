#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "report/cost_text.hpp"
#include "report/diagnostics.hpp"
#include "tools/policy.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array<std::string_view, 3> formats = {"pretty", "compact", "json"};

constexpr std::array flags = {
    Flag{.name = "format", .value = "FORMAT", .help = "pretty (default), compact or json"},
    Flag{.name = "cost", .help = "also print the most steps each rule can take"},
    Flag{.name = "param",
         .value = "NAME=VALUE",
         .help = "a value for a param of the policy",
         .repeated = true},
};

int run(Context& context, const Args& args) {
  std::string format = format_of(args, formats);
  std::vector<std::string> paths = args.words();
  if (paths.empty()) paths.push_back("-");
  std::vector<lang::Policy> policies;
  std::vector<report::Findings> findings;
  for (lang::Source& source : read_policies(context, paths)) {
    policies.push_back(lang::load({std::move(source)}, load_options(pairs_of(args, "param"))));
  }
  for (const lang::Policy& policy : policies) findings.push_back({&policy.sources, policy.diagnostics.all()});
  if (format == "json") context.out(report::to_json(findings));
  bool colour = wants_colour(context, context.out_is_terminal);
  for (const auto& [sources, found] : findings) {
    if (format == "compact") context.out(report::to_compact(*sources, found));
    if (format == "pretty") context.out(report::to_pretty(*sources, found, colour));
  }
  if (std::any_of(policies.begin(), policies.end(), [](const lang::Policy& p) { return p.has_errors(); })) {
    return exit_policy;
  }
  if (args.has("cost")) {
    for (const lang::Policy& policy : policies) context.out(report::cost_table(policy));
  }
  return exit_fine;
}

}  // namespace

constinit const Verb check_verb{
    .name = "check",
    .usage = "[--format FORMAT] [--cost] [--param NAME=VALUE]… [PATH…]",
    .summary = "reads policies and reports what is wrong with them; silent when fine",
    .details =
        "A PATH is a policy, a folder of them (*.sluice) or `-`; without one, stdin is read. Each file is a\n"
        "policy of its own: it sees the names of others if it imports them.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
