#include "kube/manifest.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

#include "base/limits.hpp"

using namespace sluice;
using namespace sluice::kube;

namespace {

using Kind = Value::Kind;

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"null", "boolean", "number", "string", "list", "map"};
  return names[static_cast<int>(kind)];
}

/// `line:column code: message` of the error that reading throws; empty if it throws none.
template <class Read>
std::string error_of(const Read& read) {
  try {
    read();
    return {};
  } catch (const Error& error) {
    return std::to_string(error.line()) + ":" + std::to_string(error.column()) + " " + error.code() + ": " +
           error.message();
  }
}

// What `kubectl` makes of plain scalars: sigs.k8s.io/yaml v1.6.0 printed these.
struct ScalarCase {
  const char* text;
  Kind kind;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const ScalarCase& c) {
  return out << '`' << c.text << '`';
}
const ScalarCase scalar_cases[] = {
    {"yes", Kind::boolean, "true"},
    {"on", Kind::boolean, "true"},
    {"Y", Kind::boolean, "true"},
    {"TRUE", Kind::boolean, "true"},
    {"n", Kind::boolean, "false"},
    {"Off", Kind::boolean, "false"},
    {"tRue", Kind::string, "tRue"},
    {"~", Kind::null, ""},
    {"NULL", Kind::null, ""},
    {"nULL", Kind::string, "nULL"},
    {"010", Kind::number, "8"},
    {"-010", Kind::number, "-8"},
    {"0o17", Kind::number, "15"},
    {"0x1F", Kind::number, "31"},
    {"0b11", Kind::number, "3"},
    {"08", Kind::number, "8"},
    {"0b2", Kind::string, "0b2"},
    {"0x", Kind::string, "0x"},
    {"1_000", Kind::number, "1000"},
    {"_1", Kind::string, "_1"},
    {"+1", Kind::number, "1"},
    {"-0", Kind::number, "0"},
    {"1e3", Kind::number, "1000"},
    {"1e21", Kind::number, "1e+21"},
    {"1e20", Kind::number, "100000000000000000000"},
    {"1e-7", Kind::number, "1e-7"},
    {"0.000001", Kind::number, "0.000001"},
    {"0.1", Kind::number, "0.1"},
    {"1.50", Kind::number, "1.5"},
    {".5", Kind::number, "0.5"},
    {".7_3", Kind::number, "0.73"},
    {"1.", Kind::number, "1"},
    {"1e400", Kind::string, "1e400"},
    {"18446744073709551615", Kind::number, "18446744073709551615"},
    {"18446744073709551616", Kind::number, "18446744073709552000"},
    {"-9223372036854775808", Kind::number, "-9223372036854775808"},
    {"100Mi", Kind::string, "100Mi"},
    {"1:30", Kind::string, "1:30"},
    {"2026-01-01T00:00:00Z", Kind::string, "2026-01-01T00:00:00Z"},
    {"=", Kind::string, "="},
    {"<<", Kind::string, "<<"},
    {"\"010\"", Kind::string, "010"},
    {"'yes'", Kind::string, "yes"},
    {"\"\"", Kind::string, ""},
    {"!!str 123", Kind::string, "123"},
    {"!!int \"5\"", Kind::number, "5"},
    {"! 123", Kind::string, "123"},
    {"!mine 5", Kind::string, "5"},
    {"\"a\\tb\\u00e9\"", Kind::string, "a\tb\xc3\xa9"},
    {"'it''s'", Kind::string, "it's"},
    {"5#6", Kind::string, "5#6"},
    {"5 #6", Kind::number, "5"},
};

struct KeyCase {
  const char* text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const KeyCase& c) {
  return out << '`' << c.text << '`';
}
const KeyCase key_cases[] = {
    {"on", "true"},   {"n", "false"},   {"1", "1"},     {"010", "8"}, {"1.5", "1.5"},    {"1e6", "1e+06"},
    {".inf", ".inf"}, {"\"on\"", "on"}, {"a b", "a b"}, {"\"\"", ""}, {"1e-5", "1e-05"}, {"0.0001", "0.0001"},
};

struct BadCase {
  const char* why;
  std::string text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const BadCase& c) {
  return out << c.why;
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// Each line names the one before ten times.
std::string alias_bomb() {
  std::string text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c <= 'k'; ++c) {
    std::string before(1, static_cast<char>(c - 1));
    text += std::string(1, c) + ": &" + c + " [" + repeat("*" + before + ",", 9) + "*" + before + "]\n";
  }
  return text;
}

std::string indented_maps(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += std::string(i, ' ') + "a:\n";
  return text;
}

const BadCase bad_cases[] = {
    {"a tab as indentation", "a:\n\tb: 1\n", "2:1 bad-manifest: tabs cannot indent YAML"},
    {"a tab after good lines", "a:\n  b: 1\n\tc: 2\n", "3:1 bad-manifest: tabs cannot indent YAML"},
    {"an open bracket", "a: [1, 2\nb: 3\n", "1:4 bad-manifest: the `[` is not closed"},
    {"an open brace", "a: {b: 1\n", "1:4 bad-manifest: the `{` is not closed"},
    {"an open double quote", "a: \"b\nc: 1\n", "1:4 bad-manifest: the quoted text is not closed"},
    {"an open single quote", "a: 'it''s\nc: 1\n", "1:4 bad-manifest: the quoted text is not closed"},
    {"an open quote behind an anchor", "a: &x \"b\n", "1:7 bad-manifest: the quoted text is not closed"},
    {"a line between two levels", "a:\n  b: 1\n c: 2\n",
     "3:2 bad-manifest: a key of the map is expected here"},
    {"a map behind a list", "- a\nb: 1\n",
     "2:1 bad-manifest: this line belongs neither to the map nor to the list above"},
    {"two values without a separator", "{a: 1}\n{b: 2}\n",
     "2:1 bad-manifest: this line belongs neither to the map nor to the list above"},
    {"a comma after an end mark, for which yaml-cpp never ends", "a: 1\n...\n, 2\n",
     "3:1 bad-manifest: this line belongs neither to the map nor to the list above"},
    {"a colon in a plain text", "a: b: c\n", "1:5 bad-manifest: a `:` cannot stand here"},
    {"a character without meaning", "a: @b\n", "1:4 bad-manifest: this character cannot start a value"},
    {"an unknown escape", "a: \"\\q\"\n", "1:7 bad-manifest: an unknown escape in a text in double quotes"},
    {"a key twice", "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n",
     "5:3 bad-manifest: the key `c` is given twice in this map"},
    {"a key twice in JSON", "{\"a\": 1,\n \"a\": 2}",
     "2:2 bad-manifest: the key `a` is given twice in this map"},
    {"two spellings of one key", "yes: 1\ntrue: 2\n",
     "2:1 bad-manifest: the key `true` is given twice in this map"},
    {"a list as a key", "? [a]\n: 1\n",
     "1:3 bad-manifest: a key of a map must be a text, not a map or a list"},
    {"a template that was not rendered", "name: {{ .Values.name }}\n",
     "1:8 bad-manifest: a key of a map must be a text, not a map or a list"},
    {"null as a key", "~: 1\n", "1:1 bad-manifest: a key of a map must be a text"},
    {"infinity", "a: .inf\n", "1:4 bad-manifest: `.inf` is a number that JSON does not have"},
    {"an alias without anchor", "a: *b\n",
     "1:4 bad-manifest: no anchor of this name stands before the alias"},
    {"an alias of what it is part of", "a: &a [1, *a]\n",
     "1:11 bad-manifest: this alias stands inside of what it names"},
    {"a merge of a number", "a:\n  <<: 3\n", "2:7 bad-manifest: `<<` merges a map or a list of maps"},
    {"binary data", "a: !!binary aGk=\n", "1:4 bad-manifest: `!!binary` is not supported"},
    {"a NUL byte", std::string("a: 1\0", 5), "1:5 bad-manifest: a NUL byte: this is no text file"},
    {"an escape character", "a: \x1b[0m\n", "1:4 bad-manifest: a control character (0x1b)"},
    {"a broken UTF-8 sequence", "a: 1\nb: \xc3(\n", "2:4 bad-manifest: the byte 0xc3 is not valid UTF-8"},
    {"an overlong UTF-8 sequence", "\xc0\xaf", "1:1 bad-manifest: the byte 0xc0 is not valid UTF-8"},
    {"a surrogate in UTF-8", "\xed\xa0\x80", "1:1 bad-manifest: the byte 0xed is not valid UTF-8"},
    {"beyond Unicode", "\xf4\x90\x80\x80", "1:1 bad-manifest: the byte 0xf4 is not valid UTF-8"},
    {"UTF-16, little endian",
     std::string("\xff\xfe"
                 "a\0:\0",
                 6),
     "1:1 bad-manifest: the file is encoded as UTF-16"},
    {"UTF-16, big endian", std::string("\xfe\xff\0a\0:", 6),
     "1:1 bad-manifest: the file is encoded as UTF-16"},
    {"10,000 flow lists", "a: " + repeat("[", 10000) + repeat("]", 10000),
     "1:203 manifest-limit: nested more than 200 levels deep"},
    {"300 block maps", indented_maps(300), "201:201 manifest-limit: nested more than 200 levels deep"},
    {"10,000 lists on a line", repeat("- ", 10000) + "a\n",
     "1:401 manifest-limit: nested more than 200 levels deep"},
    {"10,000 JSON lists", "{\"a\":" + repeat("[", 10000),
     "1:205 manifest-limit: nested more than 200 levels deep"},
    {"10,000 JSON maps", repeat("{\"a\":", 10000), "1:1001 manifest-limit: nested more than 200 levels deep"},
    {"aliases that stack up",
     "a: &a " + repeat("[", 150) + repeat("]", 150) + "\nb: " + repeat("[", 60) + "*a" + repeat("]", 60) +
         "\n",
     "2:64 manifest-limit: nested more than 200 levels deep"},
    {"a billion laughs", alias_bomb(),
     "6:32 manifest-limit: the aliases of this document stand for more than 1048576 values"},
    {"a huge line", std::string(kMaxManifestBytes + 1, 'x'),
     "1:1 manifest-limit: the file has 67108865 bytes; at most 67108864 are read"},
    {"JSON: no comma", "{\"a\": 1 \"b\": 2}", "1:9 bad-manifest: a `,` or `}` is expected here"},
    {"JSON: end of the file", "{\"a\": \"x", "1:9 bad-manifest: the string has no closing quote"},
    {"JSON: half a surrogate pair", "{\"a\": \"\\ud800\"}", "1:8 bad-manifest: half of a surrogate pair"},
};

struct PlaceCase {
  const char* why;
  const char* text;
  std::initializer_list<std::string_view> path;
  std::uint32_t line;
  std::uint32_t column;
};
std::ostream& operator<<(std::ostream& out, const PlaceCase& c) {
  return out << c.why;
}
const PlaceCase place_cases[] = {
    {"the document", "---\n# about it\na: 1\n", {}, 3, 1},
    {"a value behind its key", "a: 1\nb:   two\n", {"b"}, 2, 6},
    {"a map behind its key", "a:\n  b: 1\n", {"a"}, 2, 3},
    {"a list below its key", "a:\n- x\n", {"a"}, 2, 1},
    {"behind a letter of two bytes", "a: {\xc3\xbc: 1, b: 2}\n", {"a", "b"}, 1, 15},
    {"behind a byte order mark",
     "\xef\xbb\xbf"
     "a: 1\n",
     {"a"},
     1,
     7},
    {"with the line ends of Windows", "a: 1\r\nb:\r\n  c: 2\r\n", {"b", "c"}, 3, 6},
    {"JSON", "{\"a\":\n {\"b\":\t[1]}}", {"a", "b"}, 2, 8},
    {"a block text", "a: 1\nb: |\n  x\n", {"b"}, 2, 4},
    {"an alias stands where it is used", "a: &x {b: 1}\nc: *x\n", {"c"}, 2, 4},
    {"but its inside where it was written", "a: &x {b: 1}\nc: *x\n", {"c", "b"}, 1, 11},
};

struct DocumentCase {
  const char* why;
  const char* text;
  std::size_t want;
};
std::ostream& operator<<(std::ostream& out, const DocumentCase& c) {
  return out << c.why;
}
const DocumentCase document_cases[] = {
    {"nothing", "", 0},
    {"only a comment", "# nothing\n", 0},
    {"one without final line break", "a: 1", 1},
    {"empty ones before and after", "---\n---\na: 1\n---\n# none\n---\n\n", 1},
    {"three", "a: 1\n---\nb: 1\n--- # third\nc: 1\n", 3},
    {"after an end mark", "a: 1\n...\nb: 2\n", 2},
    {"after an end mark and a comment", "a: 1\n...\n# second\nb: 2\n", 2},
    {"with a directive", "%YAML 1.1\n---\na: 1\n", 1},
    {"JSON", "{\"a\": 1}\n", 1},
    {"JSON, one after the other", "{\"a\": 1}\n{\"a\":\n2} {\"a\": 3}", 3},
    {"a flow map that is no JSON", "{a: 1}\n---\n{b: 2}\n", 2},
};

struct FillCase {
  const char* why;
  const char* text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const FillCase& c) {
  return out << c.why;
}
const FillCase fill_cases[] = {
    {"a whole value", "v: ${X}\n", "ecks"},
    {"within a word", "v: a-${X}-${Y}\n", "a-ecks-7"},
    {"what is filled in is YAML", "v: ${FLOW}\n", "2"},
    {"what is filled in is not filled in again", "v: ${SELF}\n", "${SELF}"},
    {"from the environment", "v: ${HOST}\n", "from-environment"},
    {"in double quotes", "v: \"${X}\"\n", "ecks"},
    {"in a block text", "v: |-\n  # ${X}\n", "# ecks"},
    {"in a block text that is folded", "v: >-\n\n  a\n\n  # ${X}\n", "\na\n# ecks"},
    {"in a block text with a comment behind its mark", "v: |2- # why\n  # ${X}\n", "# ecks"},
    {"behind a hash without a blank", "v: a#${X}\n", "a#ecks"},
    {"behind a hash in quotes", "v: 'a # ${X}'\n", "a # ecks"},
    {"behind a hash in a quote of two lines", "v: \"a\n  # ${X}\"\n", "a # ecks"},
    {"behind an apostrophe", "v: it's # ${UNSET}\n", "it's"},
    {"not in a comment", "v: 1 # ${UNSET}\n", "1"},
    {"not in a comment line", "# ${UNSET}\nv: 1\n", "1"},
    {"not in a comment after a block text", "w: |\n  # ${X}\n# ${UNSET}\nv: 1\n", "1"},
    {"not without braces", "v: $X\n", "$X"},
    {"not with a default", "v: \"${X:-y}\"\n", "${X:-y}"},
    {"not with another name", "v: \"${1X}${X.y}${}\"\n", "${1X}${X.y}${}"},
    {"an open brace", "v: \"${X\"\n", "${X"},
};

Substitutions test_values() {
  Substitutions substitutions;
  substitutions.values = {
      {"X", "ecks"}, {"Y", "7"}, {"SELF", "${SELF}"}, {"FLOW", "2 # two"}, {"LINES", "a\nb: c"}};
  substitutions.environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "HOST") return "from-environment";
    if (name == "X") return "hidden by the value given";
    return {};
  };
  return substitutions;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(manifest)

BOOST_DATA_TEST_CASE(scalar, scalar_cases, c) {
  Manifest manifest = parse_manifest(std::string("a: ") + c.text + "\n", "t.yaml");
  BOOST_REQUIRE_EQUAL(manifest.documents().size(), 1u);
  const Value& value = manifest.documents()[0].members()[0].value;
  BOOST_TEST(name_of(value.kind()) == name_of(c.kind));
  BOOST_TEST(value.text() == c.want);
}

BOOST_DATA_TEST_CASE(key, key_cases, c) {
  Manifest manifest = parse_manifest(std::string(c.text) + ": 1\n", "t.yaml");
  BOOST_TEST(manifest.documents()[0].members()[0].key.text() == c.want);
}

BOOST_DATA_TEST_CASE(refused, bad_cases, c) {
  BOOST_TEST(error_of([&] { parse_manifest(c.text, "t.yaml"); }) == c.want);
}

BOOST_DATA_TEST_CASE(place, place_cases, c) {
  Manifest manifest = parse_manifest(c.text, "t.yaml");
  const Value* value = manifest.documents()[0].at(c.path);
  BOOST_REQUIRE(value != nullptr);
  BOOST_TEST(value->line() == c.line);
  BOOST_TEST(value->column() == c.column);
}

BOOST_DATA_TEST_CASE(count_of_documents, document_cases, c) {
  BOOST_TEST(parse_manifest(c.text, "t.yaml").documents().size() == c.want);
}

BOOST_DATA_TEST_CASE(filled_in, fill_cases, c) {
  Manifest manifest = parse_manifest(c.text, "t.yaml", test_values());
  const Value* value = manifest.documents()[0].find("v");
  BOOST_REQUIRE(value != nullptr);
  BOOST_TEST(value->text() == c.want);
}

BOOST_AUTO_TEST_CASE(unset_variable_has_its_place) {
  auto read = [] { parse_manifest("a: 1\nb: [1, ${NOPE}]\n", "t.yaml", test_values()); };
  BOOST_TEST(error_of(read) == "2:8 unset-variable: `${NOPE}` has no value");
}

BOOST_AUTO_TEST_CASE(places_are_those_of_the_template) {
  Manifest manifest = parse_manifest("a: ${LINES}\nx: [${X}, 1]\nz: 2\n", "t.yaml", test_values());
  const Value& root = manifest.documents()[0];
  BOOST_TEST(root.find("b")->text() == "c");
  BOOST_TEST(root.find("b")->line() == 1u);
  BOOST_TEST(root.find("x")->items()[0].column() == 5u);
  BOOST_TEST(root.find("x")->items()[1].column() == 11u);
  BOOST_TEST(root.find("z")->line() == 3u);
}

BOOST_AUTO_TEST_CASE(errors_behind_a_variable_have_their_place) {
  auto read = [] { parse_manifest("a: ${X}\nb: ${Y}: 1\n", "t.yaml", test_values()); };
  BOOST_TEST(error_of(read) == "2:8 bad-manifest: a `:` cannot stand here");
}

BOOST_AUTO_TEST_CASE(nothing_is_filled_in_when_switched_off) {
  Substitutions off;
  off.enabled = false;
  BOOST_TEST(parse_manifest("v: ${X}\n", "t.yaml", off).documents()[0].find("v")->text() == "${X}");
}

BOOST_AUTO_TEST_CASE(error_shows_the_line_as_it_was_written) {
  try {
    parse_manifest("a: 1\nb: ${X}: 2\n", "t.yaml", test_values());
    BOOST_FAIL("no error");
  } catch (const Error& error) {
    BOOST_TEST(error.file() == "t.yaml");
    BOOST_TEST(error.source_line() == "b: ${X}: 2");
    BOOST_TEST(error.help() == "quote the text if the `:` belongs to it");
  }
}

BOOST_AUTO_TEST_CASE(a_line_of_a_megabyte_is_not_shown) {
  try {
    parse_manifest("a: [" + std::string(1 << 20, 'x') + "\n", "t.yaml");
    BOOST_FAIL("no error");
  } catch (const Error& error) {
    BOOST_TEST(error.source_line().size() < 1000u);
  }
}

BOOST_AUTO_TEST_CASE(merge_keys) {
  Manifest manifest = parse_manifest(
      "base: &base {a: 1, b: 2}\n"
      "more: &more {b: 3, c: 4}\n"
      "one: {<<: *base, b: 5}\n"
      "two: {<<: [*base, *more]}\n"
      "text: {'<<': 1}\n",
      "t.yaml");
  const Value& root = manifest.documents()[0];
  BOOST_TEST(root.at({"one", "a"})->text() == "1");
  BOOST_TEST(root.at({"one", "b"})->text() == "5");
  BOOST_TEST(root.at({"two", "b"})->text() == "2");
  BOOST_TEST(root.at({"two", "c"})->text() == "4");
  BOOST_TEST(root.at({"text", "<<"})->text() == "1");
}

BOOST_AUTO_TEST_CASE(aliases_repeat_what_they_name) {
  Manifest manifest = parse_manifest("a: &x [1, {b: 2}]\nc: *x\nd: &x 3\ne: *x\n", "t.yaml");
  const Value& root = manifest.documents()[0];
  BOOST_TEST(root.find("c")->items()[1].find("b")->text() == "2");
  BOOST_TEST(root.find("e")->text() == "3");
}

BOOST_AUTO_TEST_CASE(anchors_end_with_their_document) {
  auto read = [] { parse_manifest("a: &x 1\n---\nb: *x\n", "t.yaml"); };
  BOOST_TEST(error_of(read) == "3:4 bad-manifest: no anchor of this name stands before the alias");
}

BOOST_AUTO_TEST_CASE(null_counts_as_absent) {
  Manifest manifest = parse_manifest("a: ~\nb:\nc: {d: null}\n", "t.yaml");
  const Value& root = manifest.documents()[0];
  BOOST_TEST(root.find("a") == nullptr);
  BOOST_TEST(root.at({"c", "d"}) == nullptr);
  BOOST_TEST(root.members().size() == 3u);
}

BOOST_AUTO_TEST_CASE(json_keeps_the_text_of_numbers) {
  Manifest manifest = parse_json("{\"a\": [1e3, 2.50, -0, 12345678901234567890123]}", "t.jsonl", 7);
  auto items = manifest.documents()[0].find("a")->items();
  BOOST_TEST(items[0].text() == "1e3");
  BOOST_TEST(items[1].text() == "2.50");
  BOOST_TEST(items[2].text() == "-0");
  BOOST_TEST(items[3].text() == "12345678901234567890123");
  BOOST_TEST(items[1].line() == 7u);
  BOOST_TEST(items[1].column() == 13u);
}

BOOST_AUTO_TEST_CASE(json_is_strict_where_it_is_asked_for) {
  auto error = [](const char* text) { return error_of([&] { parse_json(text, "t.jsonl", 3); }); };
  BOOST_TEST(error("") == "3:1 bad-manifest: there is no JSON value");
  BOOST_TEST(error("{a: 1}") == "3:2 bad-manifest: a key in double quotes is expected here");
  BOOST_TEST(error("{\"a\": 1,}") == "3:9 bad-manifest: a key in double quotes is expected here");
  BOOST_TEST(error("{\"a\": 01}") == "3:8 bad-manifest: a `,` or `}` is expected here");
  BOOST_TEST(error("{} {}") == "3:4 bad-manifest: something follows the end of the JSON value");
  BOOST_TEST(error("{\"a\": \"x\ny\"}") == "3:9 bad-manifest: a line break or an unknown escape in a string");
  BOOST_TEST(error("nul") == "3:4 bad-manifest: no JSON value can start here");
  BOOST_TEST(error("{\"a\": [1") == "3:7 bad-manifest: the `[` is not closed");
  BOOST_TEST(error("{\"a\": [1]") == "3:1 bad-manifest: the `{` is not closed");
}

BOOST_AUTO_TEST_CASE(what_comes_first_behind_a_bracket_has_its_place_in_json) {
  Manifest manifest = parse_json("{\"a\": [[{ \"b\": 1}]]}", "t.jsonl");
  const Value& root = manifest.documents()[0];
  BOOST_TEST(root.members()[0].key.column() == 2u);
  const Value& inner = root.find("a")->items()[0];
  BOOST_TEST(inner.column() == 8u);
  BOOST_TEST(inner.items()[0].column() == 9u);
  BOOST_TEST(inner.items()[0].members()[0].key.column() == 11u);
}

BOOST_AUTO_TEST_CASE(values_stay_when_the_manifest_moves) {
  Manifest first = parse_manifest("a: short\n", "t.yaml");
  const Value* value = first.documents()[0].find("a");
  Manifest second = std::move(first);
  BOOST_TEST(value->text() == "short");
  BOOST_TEST(second.documents()[0].find("a") == value);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct ObjectsCase {
  const char* why;
  const char* text;
  const char* want;  ///< `group/version kind namespace/name@line` each
};
std::ostream& operator<<(std::ostream& out, const ObjectsCase& c) {
  return out << c.why;
}
const ObjectsCase objects_cases[] = {
    {"core and other groups",
     "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ns}\n---\n"
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: b}\n",
     "/v1 Pod ns/a@1, batch/v1 Job /b@5"},
    {"a generated name", "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: x-}\n",
     "batch/v1 Job /@1"},
    {"a List",
     "apiVersion: v1\nkind: List\nmetadata: {resourceVersion: \"\"}\nitems:\n"
     "- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n"
     "- apiVersion: v1\n  kind: Node\n  metadata: {name: b}\n",
     "/v1 Pod /a@5, /v1 Node /b@8"},
    {"a typed list, its items without kind",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueueList\nitems:\n- metadata: {name: a}\n",
     "kueue.x-k8s.io/v1beta2 ClusterQueue /a@4"},
    {"an empty list", "apiVersion: v1\nkind: List\nitems: []\n", ""},
    {"JSON", "{\"apiVersion\": \"v1\",\n\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"}}", "/v1 Pod /a@1"},
};

struct NoObjectCase {
  const char* why;
  const char* text;
  const char* want;
};
std::ostream& operator<<(std::ostream& out, const NoObjectCase& c) {
  return out << c.why;
}
const NoObjectCase no_object_cases[] = {
    {"a text", "hello\n", "1:1 bad-object: a Kubernetes object is expected here"},
    {"a list", "- apiVersion: v1\n", "1:1 bad-object: a Kubernetes object is expected here"},
    {"no apiVersion", "kind: Pod\nmetadata: {name: a}\n", "1:1 bad-object: the object has no `apiVersion`"},
    {"no kind", "apiVersion: v1\nmetadata: {name: a}\n", "1:1 bad-object: the object has no `kind`"},
    {"no metadata", "apiVersion: v1\nkind: Pod\n", "1:1 bad-object: the Pod has no `metadata.name`"},
    {"no name", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {}}\n",
     "3:11 bad-object: the Pod has no `metadata.name`"},
    {"an empty name", "apiVersion: v1\nkind: Pod\nmetadata: {name: \"\"}\n",
     "3:11 bad-object: the Pod has no `metadata.name`"},
    {"a number for a name", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 12\n",
     "4:9 bad-object: `name` must be a text"},
    {"a number for a version", "apiVersion: 1\nkind: Pod\n", "1:13 bad-object: `apiVersion` must be a text"},
    {"metadata that is a list", "apiVersion: v1\nkind: Pod\nmetadata: []\n",
     "3:11 bad-object: `metadata` must be a map"},
    {"items that are no list", "apiVersion: v1\nkind: List\nitems: {}\n",
     "3:8 bad-object: `items` must be a list"},
    {"an item that is no object", "apiVersion: v1\nkind: List\nitems:\n- 1\n",
     "4:3 bad-object: a Kubernetes object is expected here"},
    {"an item of a plain List without kind", "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n",
     "4:3 bad-object: the object has no `apiVersion`"},
    {"a list in a list", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items: []\n",
     "4:3 bad-object: a list inside of a list of objects"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(objects)

BOOST_DATA_TEST_CASE(read, objects_cases, c) {
  Manifest manifest = parse_manifest(c.text, "t.yaml");
  std::string got;
  for (const Object& object : objects_of(manifest)) {
    if (!got.empty()) got += ", ";
    got.append(object.group).append("/").append(object.version).append(" ").append(object.kind).append(" ");
    got.append(object.name_space)
        .append("/")
        .append(object.name)
        .append("@")
        .append(std::to_string(object.line));
  }
  BOOST_TEST(got == c.want);
}

BOOST_DATA_TEST_CASE(refused, no_object_cases, c) {
  Manifest manifest = parse_manifest(c.text, "t.yaml");
  BOOST_TEST(error_of([&] { objects_of(manifest); }) == c.want);
}

BOOST_AUTO_TEST_SUITE_END()
