#include <fmt/format.h>

#include <array>

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
  lang::Policy policy = lang::load(read_policies(context, paths), load_options(pairs_of(args, "param")));
  std::span<const Diagnostic> found = policy.diagnostics.all();
  if (format == "json") {
    context.out(report::to_json(policy.sources, found));
  } else if (format == "compact") {
    context.out(report::to_compact(policy.sources, found));
  } else {
    context.out(report::to_pretty(policy.sources, found, wants_colour(context, context.out_is_terminal)));
  }
  if (policy.has_errors()) return exit_policy;
  if (args.has("cost")) context.out(report::cost_table(policy));
  return exit_fine;
}

}  // namespace

constinit const Verb check_verb{
    .name = "check",
    .usage = "[--format FORMAT] [--cost] [PATH…]",
    .summary = "reads policies and reports what is wrong with them; silent when fine",
    .details =
        "A PATH is a policy, a folder of them (*.sluice) or `-`; without one, stdin is read. All policies of "
        "one\n"
        "call are one policy: they see each other's names.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
