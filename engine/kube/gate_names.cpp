#include "kube/gate_names.hpp"

#include <algorithm>
#include <set>

#include "base/names.hpp"

namespace sluice::kube {
namespace {

bool is_domain_path(std::string_view name) {
  constexpr std::size_t kLongest = 63;
  constexpr std::string_view kPath =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~%!$&'()*+,;=:";
  std::size_t slash = name.find('/');
  return slash != std::string_view::npos && is_dns_subdomain(name.substr(0, slash)) &&
         slash + 1 < name.size() && name.size() <= kLongest &&
         name.find_first_not_of(kPath, slash + 1) == std::string_view::npos;
}

}  // namespace

std::optional<std::string_view> bad_gate_name(std::string_view list) {
  if (list.empty()) return {};
  std::set<std::string_view> seen;
  while (true) {
    std::size_t comma = std::min(list.find(','), list.size());
    std::string_view gate = list.substr(0, comma);
    while (gate.starts_with(' ')) gate.remove_prefix(1);
    while (gate.ends_with(' ')) gate.remove_suffix(1);
    if (!is_domain_path(gate) || !seen.insert(gate).second) return gate;
    if (comma == list.size()) return {};
    list.remove_prefix(comma + 1);
  }
}

}  // namespace sluice::kube
