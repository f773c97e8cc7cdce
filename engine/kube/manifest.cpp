#include "kube/manifest.hpp"

#include <fmt/core.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <cstring>
#include <istream>  // yaml-cpp reads nothing else
#include <streambuf>

#include "base/limits.hpp"
#include "kube/scalar.hpp"
#include "kube/substitute.hpp"
#include "kube/tree.hpp"

namespace sluice::kube {

namespace {

/// Lines and columns of offsets, cheap when they ascend.
class Places {
 public:
  Places(std::string_view text, std::uint32_t first_line)
      : text_(text), first_line_(first_line), line_(first_line) {}

  Place at(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < line_begin_) {
      line_begin_ = 0;
      searched_ = 0;
      line_ = first_line_;
    }
    while (searched_ < offset) {
      const void* newline = std::memchr(text_.data() + searched_, '\n', offset - searched_);
      searched_ = offset;
      if (newline == nullptr) break;
      line_begin_ = static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data()) + 1;
      searched_ = line_begin_;
      ++line_;
    }
    return {line_, static_cast<std::uint32_t>(offset - line_begin_ + 1)};
  }

 private:
  std::string_view text_;
  std::uint32_t first_line_;
  std::size_t line_begin_ = 0;
  std::size_t searched_ = 0;  ///< no line ends from line_begin_ to here: a file may be one line
  std::uint32_t line_;
};

/// The text that is parsed and its places in the text that the user wrote.
class Source {
 public:
  Source(std::string_view original, std::uint32_t first_line)
      : text_(original), places_(original, first_line) {}
  void replace(Substituted substituted) {
    substituted_ = std::move(substituted);
    text_ = substituted_->text;
  }
  void skip(std::size_t bytes) {
    text_.remove_prefix(bytes);
    skipped_ += bytes;
  }

  std::string_view text() const { return text_; }
  Place place(std::size_t offset) {
    offset += skipped_;
    return places_.at(substituted_ ? substituted_->original(offset) : offset);
  }

 private:
  std::string_view text_;
  std::size_t skipped_ = 0;
  Places places_;
  std::optional<Substituted> substituted_;
};

// ---- encoding

/// The length of the UTF-8 sequence at `at`; 0 if it is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if (first == 0xe0 && byte(1) < 0xa0) return 0;
    if (first == 0xed && byte(1) >= 0xa0) return 0;  // surrogates
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if (first == 0xf0 && byte(1) < 0x90) return 0;
    if (first == 0xf4 && byte(1) >= 0x90) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void check_encoding(const TreeBuilder& builder, Source& source) {
  std::string_view text = source.text();
  if (text.size() > kMaxManifestBytes)
    builder.fail("manifest-limit", {1, 1},
                 fmt::format("the file has {} bytes; at most {} are read", text.size(), kMaxManifestBytes),
                 "split it");
  if (text.starts_with("\xfe\xff") || text.starts_with("\xff\xfe"))
    builder.fail("bad-manifest", {1, 1}, "the file is encoded as UTF-16", "save it as UTF-8");
  for (std::size_t at = 0; at < text.size();) {
    unsigned char c = static_cast<unsigned char>(text[at]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
      builder.fail(
          "bad-manifest", source.place(at),
          c == 0 ? "a NUL byte: this is no text file" : fmt::format("a control character (0x{:02x})", c));
    std::size_t length = utf8_length(text, at);
    if (length == 0)
      builder.fail("bad-manifest", source.place(at), fmt::format("the byte 0x{:02x} is not valid UTF-8", c),
                   "save the file as UTF-8");
    at += length;
  }
}

// ---- JSON

class JsonEvents {
 public:
  JsonEvents(TreeBuilder& builder, Source& source, rapidjson::MemoryStream& stream, std::size_t begin)
      : builder_(builder), source_(source), stream_(stream), end_(begin) {}

  bool Null() { return scalar(Value::Kind::null, {}); }
  bool Bool(bool value) { return scalar(Value::Kind::boolean, value ? "true" : "false"); }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  // Numbers come as texts only: a quantity like 0.1 must not go through a double.
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    return scalar(Value::Kind::number, {text, size});
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return scalar(Value::Kind::string, {text, size});
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    return scalar(Value::Kind::string, {text, size});
  }
  bool StartObject() {
    builder_.begin_map(begin());
    ++end_;  // the reader tells of a bracket before it moves behind it
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    begin();
    builder_.end_map();
    return true;
  }
  bool StartArray() {
    builder_.begin_list(begin());
    ++end_;
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    begin();
    builder_.end_list();
    return true;
  }

 private:
  bool scalar(Value::Kind kind, std::string_view text) {
    builder_.scalar(begin(), kind, text);
    return true;
  }

  /// The place of the token that was just read: only blanks, `,` and `:` stand between two tokens.
  Place begin() {
    std::size_t first = source_.text().find_first_not_of(" \t\r\n,:", end_);
    end_ = stream_.Tell();
    return source_.place(first);
  }

  TreeBuilder& builder_;
  Source& source_;
  rapidjson::MemoryStream& stream_;
  std::size_t end_;
};

std::string json_message(rapidjson::ParseErrorCode code) {
  using namespace rapidjson;
  switch (code) {
    case kParseErrorObjectMissName:
      return "a key in double quotes is expected here";
    case kParseErrorObjectMissColon:
      return "a `:` is expected after the key";
    case kParseErrorObjectMissCommaOrCurlyBracket:
      return "a `,` or `}` is expected here";
    case kParseErrorArrayMissCommaOrSquareBracket:
      return "a `,` or `]` is expected here";
    case kParseErrorValueInvalid:
      return "no JSON value can start here";
    case kParseErrorDocumentEmpty:
      return "there is no JSON value";
    case kParseErrorDocumentRootNotSingular:
      return "something follows the end of the JSON value";
    case kParseErrorStringMissQuotationMark:
      return "the string has no closing quote";
    case kParseErrorStringUnicodeEscapeInvalidHex:
      return "`\\u` needs four hexadecimal digits";
    case kParseErrorStringUnicodeSurrogateInvalid:
      return "half of a surrogate pair";
    case kParseErrorStringEscapeInvalid:
      return "a line break or an unknown escape in a string";
    case kParseErrorStringInvalidEncoding:
      return "a string that is not UTF-8";
    case kParseErrorNumberTooBig:
      return "the number is too big";
    case kParseErrorNumberMissFraction:
      return "digits are missing after the decimal point";
    case kParseErrorNumberMissExponent:
      return "the exponent has no digits";
    case kParseErrorNone:
    case kParseErrorTermination:
    case kParseErrorUnspecificSyntaxError:
      break;
  }
  return "this is not valid JSON";
}

struct SyntaxError {
  Place place;
  std::string message;  ///< empty: none
  std::string help = {};
};

/// Where the text ends too early, what was opened says more than the end.
SyntaxError syntax_error(const TreeBuilder& builder, Source& source, rapidjson::ParseErrorCode code,
                         std::size_t offset) {
  bool is_list = code == rapidjson::kParseErrorArrayMissCommaOrSquareBracket;
  bool is_map = code == rapidjson::kParseErrorObjectMissCommaOrCurlyBracket;
  bool ends = source.text().find_first_not_of(" \t\r\n", offset) == std::string_view::npos;
  if (ends && (is_list || is_map)) {
    if (auto opened = builder.innermost(is_list ? Value::Kind::list : Value::Kind::map))
      return is_list ? SyntaxError{*opened, "the `[` is not closed", "add `]`"}
                     : SyntaxError{*opened, "the `{` is not closed", "add `}`"};
  }
  return {source.place(offset), json_message(code)};
}

/// Reads one JSON value from `begin` on and moves `begin` behind it.
SyntaxError read_json_value(TreeBuilder& builder, Source& source, std::size_t& begin) {
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                             rapidjson::kParseStopWhenDoneFlag;
  std::string_view text = source.text();
  rapidjson::MemoryStream stream(text.data(), text.size());
  stream.src_ += begin;
  JsonEvents events(builder, source, stream, begin);
  rapidjson::Reader reader;
  rapidjson::ParseResult result = reader.Parse<flags>(stream, events);
  if (result.IsError())
    return syntax_error(builder, source, result.Code(), std::min(result.Offset(), text.size()));
  builder.end_document();
  begin = stream.Tell();
  return {};
}

SyntaxError read_json(TreeBuilder& builder, Source& source) {
  std::size_t at = 0;
  while ((at = source.text().find_first_not_of(" \t\r\n", at)) != std::string_view::npos) {
    SyntaxError error = read_json_value(builder, source, at);
    if (!error.message.empty()) return error;
  }
  return {};
}

// ---- YAML

class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

class YamlEvents : public YAML::EventHandler {
 public:
  YamlEvents(TreeBuilder& builder, Source& source) : builder_(builder), source_(source) {}

  Place place(const YAML::Mark& mark) { return source_.place(offset(mark)); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // yaml-cpp can come back to the same token for ever.
    bool is_stuck = begin_ == offset(mark);
    bool is_first = !begin_;
    begin_ = offset(mark);
    if (is_stuck || (!is_first && !follows_marker(*begin_))) {
      builder_.fail("bad-manifest", place(mark), "this line belongs neither to the map nor to the list above",
                    "check its indentation; two documents are separated by a line `---`");
    }
  }
  void OnDocumentEnd() override { builder_.end_document(); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.scalar(place(mark), Value::Kind::null, {}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.alias(place(mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Place at = place(mark);
    if (tag != "?") check_closed(offset(mark));
    bool is_key = builder_.expects_key();
    if (tag == "?" && text == "<<" && is_key) return builder_.merge_key(at);
    if (tag == "tag:yaml.org,2002:binary") builder_.fail("bad-manifest", at, "`!!binary` is not supported");
    bool resolves = tag == "?" || tag == "tag:yaml.org,2002:int" || tag == "tag:yaml.org,2002:float" ||
                    tag == "tag:yaml.org,2002:bool" || tag == "tag:yaml.org,2002:null";
    if (!resolves) return builder_.scalar(at, Value::Kind::string, text, anchor);
    Scalar scalar = resolve_plain(text, is_key);
    if (!scalar.is_finite)
      builder_.fail("bad-manifest", at, fmt::format("`{}` is a number that JSON does not have", text),
                    fmt::format("for the text write \"{}\"", text));
    builder_.scalar(at, scalar.kind, scalar.text, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    builder_.begin_list(place(mark), anchor);
  }
  void OnSequenceEnd() override { builder_.end_list(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    builder_.begin_map(place(mark), anchor);
  }
  void OnMapEnd() override { builder_.end_map(); }

 private:
  static std::size_t offset(const YAML::Mark& mark) {
    return static_cast<std::size_t>(std::max(mark.pos, 0));
  }

  /// yaml-cpp begins a new document wherever the last one cannot go on; YAML only after `---` or `...`.
  bool follows_marker(std::size_t offset) const {
    std::string_view text = source_.text();
    if (text.substr(offset).starts_with("---") || text.substr(offset).starts_with("%")) return true;
    while (offset > 0) {
      std::size_t line = text.rfind('\n', offset - 1);
      line = line == std::string_view::npos ? 0 : line + 1;
      std::string_view content = text.substr(line, offset - line);
      if (content.starts_with("---") || content.starts_with("...")) return true;
      std::size_t first = content.find_first_not_of(" \t\r\n");
      if (first != std::string_view::npos && content[first] != '#') return false;
      offset = line == 0 ? 0 : line - 1;
    }
    return false;
  }

  /// yaml-cpp takes the end of the file for the end of a quoted text.
  void check_closed(std::size_t begin) {
    std::string_view text = source_.text();
    // The mark is that of the tag or the anchor, if there is one.
    begin = text.find_first_of("\"'|>\n", begin);
    if (begin == std::string_view::npos || (text[begin] != '"' && text[begin] != '\'')) return;
    char quote = text[begin];
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
      bool is_escape =
          quote == '"' ? text[i] == '\\' : text[i] == quote && text.substr(i + 1).starts_with(quote);
      if (is_escape)
        ++i;
      else if (text[i] == quote)
        return;
    }
    builder_.fail("bad-manifest", source_.place(begin), "the quoted text is not closed",
                  "add the closing quote");
  }

  std::optional<std::size_t> begin_;  ///< of the document; none before the first
  TreeBuilder& builder_;
  Source& source_;
};

struct YamlMessage {
  const char* theirs;  ///< how their message begins; of two that begin alike the longer one stands first
  const char* ours;
  const char* help;
};
const YamlMessage yaml_messages[] = {
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "the `{` is not closed", "add `}`"},
    {YAML::ErrorMsg::END_OF_MAP, "a key of the map is expected here", "check the indentation of this line"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "the `[` is not closed", "add `]`"},
    {YAML::ErrorMsg::END_OF_SEQ, "a `-` of the list is expected here", "check the indentation of this line"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, "tabs cannot indent YAML", "use spaces"},
    {YAML::ErrorMsg::EOF_IN_SCALAR, "the quoted text is not closed", "add the closing quote"},
    {YAML::ErrorMsg::DOC_IN_SCALAR, "`---` inside of a quoted text", "close the quote before"},
    {YAML::ErrorMsg::FLOW_END, "a closing bracket without an opening one", ""},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list item cannot start here", "begin the list on a line of its own"},
    {YAML::ErrorMsg::MAP_KEY, "a key cannot start here", ""},
    {YAML::ErrorMsg::MAP_VALUE, "a `:` cannot stand here", "quote the text if the `:` belongs to it"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "this character cannot start a value", "quote the text"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "no anchor of this name stands before the alias",
     "quote the text if the `*` belongs to it"},
    {YAML::ErrorMsg::ALIAS_NOT_FOUND, "a name is expected after `*`",
     "quote the text if the `*` belongs to it"},
    {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "a name is expected after `&`",
     "quote the text if the `&` belongs to it"},
    {YAML::ErrorMsg::INVALID_ESCAPE, "an unknown escape in a text in double quotes",
     "use single quotes to keep the `\\`"},
    {YAML::ErrorMsg::INVALID_HEX, "a character that is no hexadecimal digit in an escape", ""},
    {YAML::ErrorMsg::CHAR_IN_BLOCK, "the line of `|` or `>` must end there",
     "begin the text on the next line"},
};

[[noreturn]] void fail_yaml(const TreeBuilder& builder, Source& source, const YAML::Exception& exception) {
  std::string_view text = source.text();
  std::size_t offset = std::min(static_cast<std::size_t>(std::max(exception.mark.pos, 0)), text.size());
  Place place = source.place(offset);
  // yaml-cpp takes some tabs for content and then stumbles over what follows.
  std::size_t line_begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  std::size_t content = text.find_first_not_of(" \t", line_begin);
  if (std::size_t tab = text.find('\t', line_begin); tab < content)
    builder.fail("bad-manifest", source.place(tab), "tabs cannot indent YAML", "use spaces");
  // Where a bracket is missed says less than where it was opened.
  if (exception.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW)
    place = builder.innermost(Value::Kind::list).value_or(place);
  if (exception.msg == YAML::ErrorMsg::END_OF_MAP_FLOW)
    place = builder.innermost(Value::Kind::map).value_or(place);
  for (const YamlMessage& message : yaml_messages)
    if (exception.msg.starts_with(message.theirs))
      builder.fail("bad-manifest", place, message.ours, message.help);
  builder.fail("bad-manifest", place, fmt::format("this is not valid YAML: {}", exception.msg));
}

void read_yaml(TreeBuilder& builder, Source& source) {
  YamlEvents events(builder, source);
  try {
    MemoryBuffer buffer(source.text());
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const YAML::DeepRecursion& exception) {
    builder.fail("manifest-limit", events.place(exception.mark),
                 fmt::format("nested more than {} levels deep", kMaxManifestNesting));
  } catch (const YAML::Exception& exception) {
    fail_yaml(builder, source, exception);
  }
}

void fill_in(const TreeBuilder& builder, Source& source, const Substitutions& substitutions) {
  if (!substitutions.enabled || source.text().find("${") == std::string_view::npos) return;
  UnsetVariable unset;
  Substituted filled = substitute(source.text(), substitutions, unset);
  if (!unset.name.empty())
    builder.fail("unset-variable", source.place(unset.offset),
                 fmt::format("`${{{}}}` has no value", unset.name),
                 fmt::format("give it with `--set {0}=VALUE` or in the environment; to keep the text: "
                             "`--set {0}='${{{0}}}'`",
                             unset.name));
  source.replace(std::move(filled));
}

/// `{` and a quote may also begin a flow map of YAML.
bool looks_like_json(std::string_view text) {
  std::size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace != std::string_view::npos && text[brace] == '[') {
    brace = text.find_first_not_of(" \t\r\n", brace + 1);
  }
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  std::size_t next = text.find_first_not_of(" \t\r\n", brace + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

}  // namespace

Manifest parse_manifest(std::string text, std::string path, const Substitutions& substitutions) {
  Manifest manifest(std::move(path), std::move(text));
  TreeBuilder builder(manifest);
  Source source(builder.text(), 1);
  check_encoding(builder, source);
  if (source.text().starts_with("\xef\xbb\xbf")) source.skip(3);
  fill_in(builder, source, substitutions);
  if (looks_like_json(source.text())) {
    SyntaxError error = read_json(builder, source);
    if (error.message.empty()) return manifest;
    builder.restart();
    try {
      read_yaml(builder, source);
    } catch (const Error&) {
      builder.restart();
      builder.fail("bad-manifest", error.place, error.message, error.help);
    }
    return manifest;
  }
  read_yaml(builder, source);
  return manifest;
}

Manifest parse_json(std::string text, std::string path, std::uint32_t line) {
  Manifest manifest(std::move(path), std::move(text));
  TreeBuilder builder(manifest, line);
  Source source(builder.text(), line);
  check_encoding(builder, source);
  if (line == 1 && source.text().starts_with("\xef\xbb\xbf")) source.skip(3);
  std::size_t at = source.text().find_first_not_of(" \t\r\n");
  SyntaxError error{source.place(0), "there is no JSON value"};
  if (at != std::string_view::npos) error = read_json_value(builder, source, at);
  if (error.message.empty()) {
    at = source.text().find_first_not_of(" \t\r\n", at);
    if (at != std::string_view::npos) error = {source.place(at), "something follows the end of the JSON value"};
  }
  if (!error.message.empty()) builder.fail("bad-manifest", error.place, error.message, error.help);
  return manifest;
}

}  // namespace sluice::kube
