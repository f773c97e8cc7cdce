#include <fmt/core.h>

#include "kube/manifest.hpp"

namespace sluice::kube {

namespace {

const Value* text_member(const Manifest& manifest, const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  if (value != nullptr && !value->is_string()) {
    Error error = manifest.error("bad-object", *value, fmt::format("`{}` must be a text", key));
    if (value->is_number() || value->is_boolean()) error.help(fmt::format("quote it: \"{}\"", value->text()));
    throw error;
  }
  return value;
}

class ObjectReader {
 public:
  explicit ObjectReader(const Manifest& manifest) : manifest_(manifest) {}

  /// `api_version` and `kind`: of the items of a typed list, which may leave them out.
  void read(const Value& value, std::string_view api_version, std::string_view kind) {
    if (!value.is_map()) throw manifest_.error("bad-object", value, "a Kubernetes object is expected here");
    api_version = text_or(value, "apiVersion", api_version);
    kind = text_or(value, "kind", kind);
    const Value* items = value.find("items");
    if (kind.ends_with("List") && items != nullptr) {
      read_list(*items, api_version, kind.substr(0, kind.size() - 4));
      return;
    }
    add(value, api_version, kind);
  }

  std::vector<Object> take() { return std::move(objects_); }

 private:
  std::string_view text_or(const Value& value, std::string_view key, std::string_view otherwise) const {
    const Value* found = text_member(manifest_, value, key);
    if (found != nullptr && !found->text().empty()) return found->text();
    if (!otherwise.empty()) return otherwise;
    throw manifest_.error("bad-object", value, fmt::format("the object has no `{}`", key))
        .help("every object begins with `apiVersion`, `kind` and `metadata`");
  }

  void read_list(const Value& items, std::string_view api_version, std::string_view kind) {
    if (!items.is_list()) throw manifest_.error("bad-object", items, "`items` must be a list");
    for (const Value& item : items.items()) {
      if (const Value* inner = item.find("items"); inner != nullptr && kind_of(item).ends_with("List"))
        throw manifest_.error("bad-object", item, "a list inside of a list of objects");
      // The items of a plain List name their own kind.
      read(item, kind.empty() ? std::string_view{} : api_version, kind);
    }
  }

  std::string_view kind_of(const Value& value) const {
    const Value* kind = text_member(manifest_, value, "kind");
    return kind == nullptr ? std::string_view{} : kind->text();
  }

  void add(const Value& value, std::string_view api_version, std::string_view kind) {
    Object object;
    object.manifest = &manifest_;
    object.value = &value;
    object.kind = kind;
    object.line = value.line();
    std::size_t slash = api_version.find('/');
    object.group = slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
    object.version = slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
    const Value* metadata = value.find("metadata");
    if (metadata != nullptr && !metadata->is_map())
      throw manifest_.error("bad-object", *metadata, "`metadata` must be a map");
    const Value* name = metadata == nullptr ? nullptr : text_member(manifest_, *metadata, "name");
    const Value* prefix = metadata == nullptr ? nullptr : text_member(manifest_, *metadata, "generateName");
    bool is_named = name != nullptr && !name->text().empty();
    bool is_generated = prefix != nullptr && !prefix->text().empty();
    if (!is_named && !is_generated)
      throw manifest_.error("bad-object", metadata == nullptr ? value : *metadata,
                            fmt::format("the {} has no `metadata.name`", kind));
    if (is_named) object.name = name->text();
    if (metadata != nullptr)
      if (const Value* name_space = text_member(manifest_, *metadata, "namespace"))
        object.name_space = name_space->text();
    objects_.push_back(object);
  }

  const Manifest& manifest_;
  std::vector<Object> objects_;
};

}  // namespace

std::vector<Object> objects_of(const Manifest& manifest, const Value& value) {
  ObjectReader reader(manifest);
  reader.read(value, {}, {});
  return reader.take();
}

void GeneratedNames::number(std::span<Object> objects) {
  for (Object& object : objects) {
    if (!object.name.empty()) continue;
    std::string name_space(object.name_space.empty() ? "default" : object.name_space);
    std::string prefix(object.value->at({"metadata", "generateName"})->text());
    object.number = next_[{std::string(object.group), std::string(object.kind), name_space, prefix}]++;
  }
}

std::vector<Object> objects_of(const Manifest& manifest) {
  ObjectReader reader(manifest);
  for (const Value& document : manifest.documents()) reader.read(document, {}, {});
  return reader.take();
}

}  // namespace sluice::kube
