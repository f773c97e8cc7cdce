#pragma once

#include <string>
#include <string_view>

#include "kube/manifest.hpp"

namespace sluice::kube {

struct Scalar {
  Value::Kind kind = Value::Kind::string;
  std::string text;       ///< numbers in JSON's form, booleans `true` or `false`
  bool is_finite = true;  ///< false: `.inf` or `.nan`, which JSON has no number for
};

/// What a plain (unquoted) YAML scalar means to kubectl: YAML 1.1, with the freedoms of its parser.
/// `as_key`: the text of a map's key, which is always a string (`on:` is the key `true`).
/// Source: go.yaml.in/yaml/v2 resolve, sigs.k8s.io/yaml YAMLToJSON.
Scalar resolve_plain(std::string_view text, bool as_key);

}  // namespace sluice::kube
