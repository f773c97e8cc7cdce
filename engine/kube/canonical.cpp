#include "kube/canonical.hpp"

#include <algorithm>
#include <vector>

namespace sluice::kube {
namespace {

void write_text(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

bool says_nothing(const Value& v) {
  return v.is_null() || (v.is_list() && v.items().empty()) || (v.is_string() && v.text().empty());
}

void write(std::string& out, const Value& value, std::string_view without = {}) {
  switch (value.kind()) {
    case Value::Kind::null:
      out += "null";
      return;
    case Value::Kind::boolean:
    case Value::Kind::number:
      out += value.text();
      return;
    case Value::Kind::string:
      write_text(out, value.text());
      return;
    case Value::Kind::list: {
      out += '[';
      for (const Value& item : value.items()) {
        if (out.back() != '[') out += ',';
        write(out, item);
      }
      out += ']';
      return;
    }
    case Value::Kind::map: {
      std::vector<const Member*> members;
      for (const Member& m : value.members()) {
        if (!says_nothing(m.value) && (without.empty() || m.key.text() != without)) members.push_back(&m);
      }
      std::sort(members.begin(), members.end(),
                [](const Member* a, const Member* b) { return a->key.text() < b->key.text(); });
      out += '{';
      for (const Member* m : members) {
        if (out.back() != '{') out += ',';
        write_text(out, m->key.text());
        out += ':';
        write(out, m->value);
      }
      out += '}';
      return;
    }
  }
}

void add_field(std::string& out, std::string_view name, const Value* value) {
  if (!value || says_nothing(*value)) return;
  out += name;
  out += '=';
  write(out, *value);
  out += ';';
}

}  // namespace

std::string canonical_ports(const Value& ports) {
  std::string out;
  for (const Value& port : ports.items()) {
    const Value* protocol = port.find("protocol");
    out += protocol ? protocol->text() : "TCP";
    write(out, port, "protocol");
  }
  return out;
}

std::string canonical_shape(const Value& spec) {
  std::string out;
  if (const Value* affinity = spec.find("affinity")) {
    out += "affinity;";
    if (const Value* node = affinity->find("nodeAffinity")) {
      out += "node;";
      add_field(out, "preferredNodeAffinity", node->find("preferredDuringSchedulingIgnoredDuringExecution"));
    }
    add_field(out, "podAffinity", affinity->find("podAffinity"));
    add_field(out, "podAntiAffinity", affinity->find("podAntiAffinity"));
  }
  add_field(out, "topologySpreadConstraints", spec.find("topologySpreadConstraints"));
  add_field(out, "resourceClaims", spec.find("resourceClaims"));
  return out;
}

}  // namespace sluice::kube
