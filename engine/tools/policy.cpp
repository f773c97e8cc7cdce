#include "tools/policy.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "report/diagnostics.hpp"
#include "tools/files.hpp"

namespace sluice::tools {

std::vector<lang::Source> read_policies(const Context& context, const std::vector<std::string>& paths) {
  std::vector<lang::Source> sources;
  std::vector<std::string> files = expand_paths(paths, ".sluice");
  if (files.empty() && !paths.empty()) {
    throw Error("no-policy", fmt::format("there is no policy (*.sluice) in `{}`", fmt::join(paths, "`, `")));
  }
  for (const std::string& path : files) {
    sources.push_back({path == "-" ? "<stdin>" : path, read_file(context, path, kMaxPolicyBytes)});
  }
  return sources;
}

lang::LoadOptions load_options(std::map<std::string, std::string> params) {
  lang::LoadOptions options;
  options.params = std::move(params);
  options.read = [](const std::string& path) -> std::optional<std::string> {
    if (!is_file(path)) return std::nullopt;
    return read_file(path, kMaxPolicyBytes);
  };
  return options;
}

std::optional<lang::Policy> load_policies(Context& context, const std::vector<std::string>& paths,
                                          std::map<std::string, std::string> params, const World* known) {
  lang::LoadOptions options = load_options(std::move(params));
  options.known = known;
  lang::Policy policy = lang::load(read_policies(context, paths), options);
  context.err(report::to_pretty(policy.sources, policy.diagnostics.all(),
                                wants_colour(context, context.err_is_terminal)));
  if (policy.has_errors()) return std::nullopt;
  return policy;
}

}  // namespace sluice::tools
