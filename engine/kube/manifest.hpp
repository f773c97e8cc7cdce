#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

/// Manifests as users write them: YAML or JSON text to one tree of values with places.
namespace sluice::kube {

struct Member;

/// One value of a manifest, the same for YAML and JSON. A view: it lives in its Manifest and is cheap to
/// copy.
///
/// Plain YAML scalars are resolved as `kubectl` does (YAML 1.1: `yes` is true, `010` is 8, `~` is null);
/// quotes make strings. Numbers keep their text, in JSON's form.
class Value {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, list, map };

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_string() const { return kind_ == Kind::string; }
  bool is_number() const { return kind_ == Kind::number; }
  bool is_boolean() const { return kind_ == Kind::boolean; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_map() const { return kind_ == Kind::map; }

  /// Place of its first character in the file; both count from 1, the column in bytes.
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }

  /// A string's content, a number's JSON text, `true` or `false`; empty for the other kinds.
  std::string_view text() const;
  bool boolean() const { return kind_ == Kind::boolean && size_ == 4; }
  std::span<const Value> items() const;     ///< empty unless a list
  std::span<const Member> members() const;  ///< in the order of the file, keys unique; empty unless a map

  /// The value of a key; none if this is no map, the key is absent, or its value is null (to the API server
  /// null is absence).
  const Value* find(std::string_view key) const;
  /// `find` along a path of keys: `at({"spec", "template", "metadata"})`.
  const Value* at(std::initializer_list<std::string_view> path) const;

 private:
  friend class TreeBuilder;
  const void* data_ = nullptr;  // chars, Values or Members, in the arena of the Manifest
  std::uint32_t size_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
  Kind kind_ = Kind::null;
};

struct Member {
  Value key;  ///< a string
  Value value;
};

/// Where `${NAME}` in a manifest comes from. Only this form is replaced: `$NAME`, `${NAME:-default}` and
/// `$(...)` stay as they are, so that scripts inside manifests survive.
struct Substitutions {
  bool enabled = true;                                     ///< false: `${X}` is ordinary text
  std::map<std::string, std::string, std::less<>> values;  ///< `--set NAME=value`; wins over the environment
  std::function<std::optional<std::string>(const std::string&)> environment;  ///< may be empty
};

class Arena;

/// One file of manifests. Owns the values; values stay valid when it is moved.
class Manifest {
 public:
  explicit Manifest(std::string path, std::string text);
  Manifest(Manifest&&) noexcept;
  Manifest& operator=(Manifest&&) noexcept;
  ~Manifest();

  const std::string& path() const { return path_; }
  /// One value a document; empty documents are left out.
  std::span<const Value> documents() const { return documents_; }
  /// The text of a line of the file as the user wrote it, without its end; empty if there is no such line.
  std::string_view line(std::uint32_t number) const;
  /// A number or boolean as it was written: `yes`, not `true`.
  std::string_view written(const Value& value) const;
  /// An error at a value: file, line, column and the source line are filled in.
  Error error(std::string code, const Value& value, std::string message) const;

 private:
  friend class TreeBuilder;
  std::string path_;
  std::string text_;
  std::uint32_t first_line_ = 1;
  std::vector<Value> documents_;
  std::unique_ptr<Arena> arena_;
};

/// Reads a file of YAML documents or JSON values (also one after the other).
/// Throws Error: `bad-manifest` (syntax, encoding, duplicate keys), `manifest-limit` (size, nesting,
/// aliases), `unset-variable`.
Manifest parse_manifest(std::string text, std::string path, const Substitutions& substitutions = {});

/// Reads one JSON value; nothing is substituted. `line` is the number of the text's first line in `path`
/// (for JSON Lines); a byte order mark may stand at the start of line 1. Throws as parse_manifest.
Manifest parse_json(std::string text, std::string path, std::uint32_t line = 1);

/// One Kubernetes object of a manifest: what every kind has. Views into the Manifest, which must outlive it.
struct Object {
  const Manifest* manifest = nullptr;
  const Value* value = nullptr;
  std::string_view group;    ///< of apiVersion; empty for core
  std::string_view version;  ///< `v1beta2`
  std::string_view kind;
  std::string_view name;        ///< metadata.name; empty if there is only a generateName
  std::string_view name_space;  ///< metadata.namespace; empty if not given
  std::uint32_t line = 0;       ///< of the object's first line
  std::uint32_t number = 0;     ///< with a generateName: how many of this name came before

  const Value* find(std::string_view key) const { return value->find(key); }
  Error error(std::string code, const Value& at, std::string message) const {
    return manifest->error(std::move(code), at, std::move(message));
  }
};

/// The objects of a manifest; `kind: List` and typed lists (`ClusterQueueList`) are taken apart.
/// Throws Error `bad-object`: no object, no apiVersion or kind, no metadata.name.
std::vector<Object> objects_of(const Manifest& manifest);
/// The same for one value of a manifest: an object or a list of a scenario.
std::vector<Object> objects_of(const Manifest& manifest, const Value& value);

/// Numbers the objects that have only a generateName, so that each gets a name of its own. Asked for several
/// manifests in turn, it goes on counting.
class GeneratedNames {
 public:
  void number(std::span<Object> objects);

 private:
  std::map<std::array<std::string, 4>, std::uint32_t> next_;  ///< by group, kind, namespace, prefix
};

}  // namespace sluice::kube
