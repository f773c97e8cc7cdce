#include "report/json.hpp"

#include <fmt/format.h>

namespace sluice::report {
namespace {

/// Bytes of the well-formed UTF-8 sequence at the front; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = first >= 0xf0 && first <= 0xf4  ? 4
                       : first >= 0xe0 && first < 0xf0 ? 3
                       : first >= 0xc2 && first < 0xe0 ? 2
                                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  unsigned char second = byte(1);
  bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
             (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return bad ? 0 : length;
}

bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '\\';
}

/// Appends the text as a JSON string. Most texts are plain from end to end.
void append(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    char c = text.front();
    std::size_t length = sequence_length(text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out;
  append(out, text);
  return out;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append(text_, name);
  text_ += layout_ == Layout::compact ? ":" : ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::string(std::string_view text) {
  before_value();
  append(text_, text);
}
void JsonWriter::number(std::int64_t value) {
  raw(fmt::format("{}", value));
}
void JsonWriter::boolean(bool value) {
  raw(value ? "true" : "false");
}
void JsonWriter::null() {
  raw("null");
}

void JsonWriter::raw(std::string_view json) {
  before_value();
  text_ += json;
}

void JsonWriter::member(std::string_view name, std::string_view text) {
  key(name).string(text);
}

void JsonWriter::member_if(std::string_view name, std::string_view text) {
  if (!text.empty()) key(name).string(text);
}

void JsonWriter::member(std::string_view name, std::int64_t value) {
  key(name).number(value);
}

void JsonWriter::open(char bracket) {
  before_value();
  text_ += bracket;
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) new_line();
  text_ += bracket;
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) text_ += ',';
  has_items_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  if (layout_ == Layout::compact) return;
  text_ += '\n';
  text_.append(2 * has_items_.size(), ' ');
}

}  // namespace sluice::report
