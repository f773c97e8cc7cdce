#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::report {

/// A text as a JSON string, with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// Writes one JSON value piece by piece: commas and, if asked, indentation come by themselves.
///
///     JsonWriter json(JsonWriter::Layout::compact);
///     json.begin_object();
///     json.key("name").string("a");
///     json.key("cycles").begin_array();  json.number(1);  json.end_array();
///     json.end_object();
class JsonWriter {
 public:
  enum class Layout : std::uint8_t { compact, indented };
  explicit JsonWriter(Layout layout) : layout_(layout) {}

  JsonWriter& key(std::string_view name);
  void string(std::string_view text);
  void number(std::int64_t value);
  void boolean(bool value);
  void null();
  /// A value that is JSON already.
  void raw(std::string_view json);
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// Key and value at once; `member_if` leaves an empty text out.
  void member(std::string_view name, std::string_view text);
  void member_if(std::string_view name, std::string_view text);
  void member(std::string_view name, std::int64_t value);

  /// The text so far; complete once every open bracket is closed.
  const std::string& text() const { return text_; }

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void new_line();

  Layout layout_;
  std::string text_;
  std::vector<bool> has_items_;  ///< of every open bracket
  bool after_key_ = false;
};

}  // namespace sluice::report
