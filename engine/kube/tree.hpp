#pragma once

#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "kube/manifest.hpp"

/// How the parsers make a Manifest's values. Inside of kube only.
namespace sluice::kube {

/// Where values and texts of one manifest live.
class Arena {
 public:
  std::pmr::monotonic_buffer_resource memory{std::size_t{1} << 14};
};

/// A place in the file as the user wrote it; both count from 1.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Builds values from a parser's events, without recursion; checks nesting, size and keys.
/// Every function throws Error.
class TreeBuilder {
 public:
  /// `first_line` is the number of the text's first line in its file. Anchors are numbers from 1, 0 is none.
  explicit TreeBuilder(Manifest& manifest, std::uint32_t first_line = 1) : manifest_(manifest) {
    manifest.first_line_ = first_line;
  }
  std::string_view text() const { return manifest_.text_; }

  void scalar(Place place, Value::Kind kind, std::string_view text, std::size_t anchor = 0);
  void merge_key(Place place);  ///< a plain `<<` where a key is expected; elsewhere the string `<<`
  void begin_list(Place place, std::size_t anchor = 0) { begin(Value::Kind::list, place, anchor); }
  void begin_map(Place place, std::size_t anchor = 0) { begin(Value::Kind::map, place, anchor); }
  void end_list();
  void end_map();
  void alias(Place place, std::size_t anchor);
  void end_document();

  /// True if the next scalar is a key of a map.
  bool expects_key() const;
  /// Where the innermost list or map begins that has not ended; none if there is none.
  std::optional<Place> innermost(Value::Kind kind) const;
  /// Forgets all documents, so that the same text can be read another way.
  void restart();

  [[noreturn]] void fail(std::string code, Place place, std::string message, std::string help = {}) const;

 private:
  struct Open {
    Value value;        // kind and place
    std::size_t first;  // its children are pending_[first..]
    std::size_t anchor;
    std::size_t nodes;   // of what has ended inside, aliases expanded
    std::size_t height;  // of the highest child
  };
  struct Anchored {
    Value value;
    std::size_t nodes;
    std::size_t height;
  };

  void clear();
  void begin(Value::Kind kind, Place place, std::size_t anchor);
  void add(const Value& value, std::size_t nodes, std::size_t height, std::size_t anchor);
  void check_key(const Value& key) const;
  void fill(Value& map, std::span<const Value> keys_and_values);
  void close(Open& open);

  static const char merge_key_text[];

  Manifest& manifest_;
  std::vector<Open> open_;
  std::vector<Value> pending_;
  std::unordered_map<std::size_t, Anchored> anchored_;
  std::size_t from_aliases_ = 0;  ///< values that aliases of this document stand for
};

}  // namespace sluice::kube
