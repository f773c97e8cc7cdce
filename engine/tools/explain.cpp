#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "lang/codes.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

std::string list_text() {
  std::size_t width = 0;
  for (const lang::CodeInfo& info : lang::all_codes()) width = std::max(width, info.code.size());
  std::string text;
  for (const lang::CodeInfo& info : lang::all_codes()) {
    text += fmt::format("{:<{}}  {}\n", info.code, width, info.title);
  }
  return text;
}

int run(Context& context, const Args& args) {
  if (args.words().empty()) {
    context.out(list_text());
    return exit_fine;
  }
  std::string_view code = args.words().front();
  // As it stands in a message: `error[unit-mismatch]`.
  if (std::size_t bracket = code.find('['); bracket != std::string_view::npos && code.ends_with(']')) {
    code = code.substr(bracket + 1, code.size() - bracket - 2);
  }
  const lang::CodeInfo* info = lang::find_code(code);
  if (info == nullptr) {
    std::vector<std::string_view> codes;
    for (const lang::CodeInfo& known : lang::all_codes()) codes.push_back(known.code);
    Error error("unknown-code", fmt::format("no error has the code `{}`", code));
    std::string_view meant = nearest(code, codes);
    throw error.help(meant.empty() ? std::string("`sluice explain` lists the codes")
                                   : fmt::format("did you mean `{}`?", meant));
  }
  context.out(fmt::format("{}: {}\n\n{}", info->code, info->title, info->text));
  return exit_fine;
}

}  // namespace

constinit const Verb explain_verb{
    .name = "explain",
    .usage = "[CODE]",
    .summary = "the long text of an error's code; without one, the list",
    .details = {},
    .flags = {},
    .max_words = 1,
    .run = run,
};

}  // namespace sluice::tools
