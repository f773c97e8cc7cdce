#include "tools/kueue_flags.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/limits.hpp"
#include "kube/configuration.hpp"
#include "tools/files.hpp"

namespace sluice::tools {
namespace {

KueueVersion version_of(const Args& args) {
  if (!args.has("kueue")) return kNewestKueue;
  std::string text = args.value("kueue");
  if (auto version = parse_kueue_version(text)) return *version;
  throw Error("unknown-kueue-version", fmt::format("`--kueue` cannot be `{}`", text))
      .help(fmt::format("it is {}", known_kueue_versions()));
}

/// `A=true,B=false`, as Kueue's own flag takes them.
GateSettings gates_in(const Args& args) {
  GateSettings settings;
  for (const std::string& text : args.values("feature-gates")) {
    std::string_view rest = text;
    while (!rest.empty()) {
      std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      std::string_view name = one.substr(0, one.find('='));
      std::string_view value = name.size() < one.size() ? one.substr(name.size() + 1) : std::string_view();
      if (name.empty() || (value != "true" && value != "false"))
        throw Error("usage", fmt::format("`--feature-gates` cannot be `{}`", one))
            .help("it is NAME=true or NAME=false, several with commas between them");
      settings[std::string(name)] = value == "true";
    }
  }
  return settings;
}

}  // namespace

Configuration kueue_of(const Context& context, const Args& args) {
  KueueVersion version = version_of(args);
  Configuration configuration;
  if (args.has("kueue-config")) {
    std::string path = args.value("kueue-config");
    kube::Substitutions as_written{.enabled = false, .values = {}, .environment = {}};
    std::string text = read_file(context, path, kMaxManifestBytes);
    configuration = kube::read_configuration(
        kube::parse_manifest(std::move(text), path == "-" ? "<stdin>" : path, as_written), version);
  } else {
    configuration.gates = gates_of(version, {});
  }
  GateSettings settings = gates_in(args);
  if (settings.empty()) return configuration;
  set_gates(configuration.gates, settings);
  refuse_unmet_needs(configuration.gates);
  if (configuration.gates.disable_wait_for_pods_ready) configuration.wait_for_pods_ready.reset();
  return configuration;
}

}  // namespace sluice::tools
