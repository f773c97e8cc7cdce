#include "base/names.hpp"

#include <algorithm>
#include <cstddef>

namespace sluice {
namespace {

bool is_lower_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool is_alphanumeric(char c) {
  return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z');
}

bool is_dns_part(std::string_view part) {
  if (part.empty() || !is_lower_alphanumeric(part.front()) || !is_lower_alphanumeric(part.back())) return false;
  return std::all_of(part.begin(), part.end(), [](char c) { return c == '-' || is_lower_alphanumeric(c); });
}

constexpr std::size_t kMaxSubdomain = 253;
constexpr std::size_t kMaxLabel = 63;

}  // namespace

bool is_dns_label(std::string_view name) {
  return name.size() <= kMaxLabel && is_dns_part(name);
}

bool is_dns_subdomain(std::string_view name) {
  if (name.size() > kMaxSubdomain) return false;
  while (true) {
    std::size_t dot = name.find('.');
    if (!is_dns_part(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

bool has_label_form(std::string_view value) {
  if (value.empty()) return true;
  if (!is_alphanumeric(value.front()) || !is_alphanumeric(value.back())) return false;
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return c == '-' || c == '_' || c == '.' || is_alphanumeric(c); });
}

bool is_label_value(std::string_view value) {
  return value.size() <= kMaxLabel && has_label_form(value);
}

bool is_qualified_name(std::string_view name) {
  std::size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    if (!is_dns_subdomain(name.substr(0, slash))) return false;
    name.remove_prefix(slash + 1);
  }
  return !name.empty() && is_label_value(name);
}

}  // namespace sluice
