#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

int run(Context& context, const Args& args) {
  if (args.words().empty()) {
    context.out(overview_text());
    return exit_fine;
  }
  const Verb* verb = find_verb(args.words().front());
  if (verb == nullptr) unknown_verb(args.words().front());
  context.out(usage_text(*verb));
  return exit_fine;
}

}  // namespace

constinit const Verb help_verb{
    .name = "help",
    .usage = "[VERB]",
    .summary = "lists the verbs, or shows how one is called",
    .details = {},
    .flags = {},
    .max_words = 1,
    .run = run,
};

}  // namespace sluice::tools
