#include <array>

#include "program/disassemble.hpp"
#include "tools/policy.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array flags = {
    Flag{.name = "param",
         .value = "NAME=VALUE",
         .help = "a value for a param of the policy",
         .repeated = true},
};

int run(Context& context, const Args& args) {
  std::optional<lang::Policy> policy = load_policies(context, args.words(), pairs_of(args, "param"), nullptr);
  if (!policy) return exit_policy;
  context.out(program::disassemble(policy->program, policy->sources));
  return exit_fine;
}

}  // namespace

constinit const Verb code_verb{
    .name = "code",
    .usage = "[--param NAME=VALUE]… PATH…",
    .summary = "the program that a policy compiles to, with its source lines and cost",
    .details = {},
    .flags = flags,
    .min_words = 1,
    .run = run,
};

}  // namespace sluice::tools
