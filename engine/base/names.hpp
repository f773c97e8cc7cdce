#pragma once

#include <string_view>

/// The syntax of Kubernetes names. Source: apimachinery pkg/util/validation, RFC 1123.
namespace sluice {

/// A name of most objects: `[a-z0-9]([-a-z0-9]*[a-z0-9])?` parts joined by dots, at most 253 characters.
bool is_dns_subdomain(std::string_view name);
/// A name of a namespace: one part of the above, at most 63 characters.
bool is_dns_label(std::string_view name);
/// A label key, taint key or resource name: `[domain/]name`; name at most 63 characters.
bool is_qualified_name(std::string_view name);
/// A label value: empty, or at most 63 letters, digits, `-`, `_`, `.`, with a letter or digit at both ends.
bool is_label_value(std::string_view value);
/// The same of any length.
bool has_label_form(std::string_view value);

}  // namespace sluice
