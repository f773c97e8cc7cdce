#include "kube/role_hash.hpp"

#include <algorithm>

#include "base/digest.hpp"

// Kueue hashes Go's encoding/json of structs of k8s.io/api/core/v1, so the order of the fields is theirs.
namespace sluice::kube {
namespace {

void write_go_text(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  out += '"';
}

/// The fields of a Go struct in their order; `!` marks those that are written even when they are empty.
struct GoStruct {
  std::string_view fields;
};
constexpr GoStruct kPort{"name hostPort !containerPort protocol hostIP"};
constexpr GoStruct kToleration{"key operator value effect tolerationSeconds"};
constexpr GoStruct kSpread{
    "!maxSkew !topologyKey !whenUnsatisfiable labelSelector minDomains nodeAffinityPolicy nodeTaintsPolicy "
    "matchLabelKeys"};
constexpr GoStruct kClaim{"!name resourceClaimName resourceClaimTemplateName"};
constexpr GoStruct kAffinity{
    "nodeAffinity podAffinity podAntiAffinity requiredDuringSchedulingIgnoredDuringExecution "
    "preferredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms weight preference podAffinityTerm "
    "labelSelector "
    "matchLabels matchExpressions matchFields key operator values namespaces topologyKey namespaceSelector "
    "matchLabelKeys mismatchLabelKeys"};

bool is_go_empty(const Value& v) {
  return v.is_null() || (v.is_list() && v.items().empty()) || (v.is_string() && v.text().empty());
}

void write_go(std::string& out, const Value& v, const GoStruct& type, bool is_text_map = false);

void write_go_members(std::string& out, const Value& map, const GoStruct& type) {
  std::string_view rest = type.fields;
  out += '{';
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    bool always = name.front() == '!';
    if (always) name.remove_prefix(1);
    const Value* v = map.find(name);
    if (!v || (!always && is_go_empty(*v)) || (name == "hostPort" && v->text() == "0")) continue;
    if (out.back() != '{') out += ',';
    write_go_text(out, name);
    out += ':';
    write_go(out, *v, name == "labelSelector" || name == "namespaceSelector" ? kAffinity : type,
             name == "matchLabels");
  }
  out += '}';
}

void write_go(std::string& out, const Value& v, const GoStruct& type, bool is_text_map) {
  if (v.is_list()) {
    out += '[';
    for (const Value& item : v.items()) {
      if (out.back() != '[') out += ',';
      write_go(out, item, type);
    }
    out += ']';
  } else if (v.is_map() && is_text_map) {
    Labels sorted;
    for (const Member& m : v.members()) sorted.emplace(m.key.text(), m.value.text());
    out += '{';
    for (const auto& [key, text] : sorted) {
      if (out.back() != '{') out += ',';
      write_go_text(out, key);
      out += ':';
      write_go_text(out, text);
    }
    out += '}';
  } else if (v.is_map()) {
    write_go_members(out, v, type);
  } else if (v.is_string()) {
    write_go_text(out, v.text());
  } else {
    out += v.is_null() ? std::string_view("null") : v.text();
  }
}

void write_go_field(std::string& out, const Value* spec, std::string_view name, const GoStruct& type) {
  const Value* v = spec ? spec->find(name) : nullptr;
  if (v && !is_go_empty(*v))
    write_go(out, *v, type);
  else
    out += "null";
}

/// An empty map does not survive storing: it is null.
void write_go_resources(std::string& out, const Resources& resources) {
  if (resources.empty()) {
    out += "null";
    return;
  }
  out += '{';
  for (const auto& [name, quantity] : resources) {
    if (out.back() != '{') out += ',';
    write_go_text(out, name);
    out += ':';
    write_go_text(out, quantity.to_string());
  }
  out += '}';
}

void write_go_containers(std::string& out, const Value* list, const std::vector<Container>& containers) {
  if (containers.empty()) {
    out += "null";
    return;
  }
  out += '[';
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Value& value = list->items()[i];
    out += i > 0 ? ",{\"ports\":" : "{\"ports\":";
    write_go_field(out, &value, "ports", kPort);
    out += ",\"resources\":{\"requests\":";
    write_go_resources(out, containers[i].requests);
    out += "}}";
  }
  out += ']';
}

}  // namespace

std::string role_hash(const Value* spec, const PodTemplate& pod) {
  auto find = [spec](std::string_view name) { return spec ? spec->find(name) : nullptr; };
  std::string out = "{\"spec\":{\"affinity\":";
  write_go_field(out, spec, "affinity", kAffinity);
  out += ",\"containers\":";
  write_go_containers(out, find("containers"), pod.containers);
  out += ",\"initContainers\":";
  write_go_containers(out, find("initContainers"), pod.init_containers);
  out += ",\"nodeSelector\":";
  const Value* selector = find("nodeSelector");
  if (selector && !selector->members().empty())
    write_go(out, *selector, kAffinity, true);
  else
    out += "null";
  out += ",\"overhead\":";
  write_go_resources(out, pod.overhead);
  out += ",\"priority\":";
  write_go_field(out, spec, "priority", kAffinity);
  out += ",\"resourceClaims\":";
  write_go_field(out, spec, "resourceClaims", kClaim);
  if (pod.pod_requests) {
    out += ",\"resources\":";
    write_go_resources(out, *pod.pod_requests);
  }
  out += ",\"runtimeClassName\":";
  write_go_field(out, spec, "runtimeClassName", kAffinity);
  out += ",\"tolerations\":";
  write_go_field(out, spec, "tolerations", kToleration);
  out += ",\"topologySpreadConstraints\":";
  write_go_field(out, spec, "topologySpreadConstraints", kSpread);
  out += "}}";

  return sha256_hex(out).substr(0, 8);
}

}  // namespace sluice::kube
