#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

int run(Context& context, const Args&) {
  context.out("sluice " SLUICE_VERSION "\nedition 2026\ndecides as Kueue 0.19.2\n");
  return exit_fine;
}

}  // namespace

constinit const Verb version_verb{
    .name = "version",
    .usage = "",
    .summary = "the version, the edition of the language and the Kueue it follows",
    .details = {},
    .flags = {},
    .max_words = 0,
    .run = run,
};

}  // namespace sluice::tools
