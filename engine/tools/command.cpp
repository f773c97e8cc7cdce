#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "report/error_text.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

/// Verbs of the design that later versions bring.
constexpr std::array<std::string_view, 11> later_verbs = {"completion", "controller", "diff", "doc",
                                                          "export",     "import",     "lint", "lsp",
                                                          "schema",     "simulate",   "sync"};

}  // namespace

void unknown_verb(std::string_view name) {
  if (std::find(later_verbs.begin(), later_verbs.end(), name) != later_verbs.end() || name == "why-not") {
    throw Error("usage", fmt::format("`sluice {}` is not in this version", name))
        .help("`sluice help` lists what is");
  }
  std::vector<std::string_view> names;
  for (const Verb* verb : verbs()) names.push_back(verb->name);
  Error error("usage", fmt::format("there is no `sluice {}`", name));
  std::string_view meant = nearest(name, names);
  error.help(meant.empty() ? std::string("`sluice help` lists the verbs")
                           : fmt::format("did you mean `sluice {}`?", meant));
  throw error;
}

namespace {

bool asks_for_help(std::span<const std::string_view> words) {
  for (std::string_view word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

int dispatch(Context& context, std::span<const std::string_view> words) {
  if (words.empty()) {
    context.err(overview_text());
    return exit_failed;
  }
  std::string_view name = words.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version" || name == "-V") name = "version";
  const Verb* verb = find_verb(name);
  if (verb == nullptr) unknown_verb(name);
  std::span<const std::string_view> rest = words.subspan(1);
  if (asks_for_help(rest)) {
    context.out(usage_text(*verb));
    return exit_fine;
  }
  return verb->run(context, parse_args(*verb, rest, context));
}

/// What the caller of the program can tell apart, by the error's code.
int exit_of(const Error& error) {
  if (error.code() == "not-yet-decided") return exit_unknown;
  return exit_failed;
}

}  // namespace

int run_command(Context& context, std::span<const std::string_view> words) {
  try {
    return dispatch(context, words);
  } catch (const Error& error) {
    context.err(report::to_text(error, wants_colour(context, context.err_is_terminal)));
    return exit_of(error);
  } catch (const std::bad_alloc&) {
    context.err(report::to_text(Error("out-of-memory", "the memory does not suffice for this input"), false));
    return exit_failed;
  }
}

}  // namespace sluice::tools
