#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lang/format.hpp"
#include "lang/load.hpp"
#include "model/fields.hpp"
#include "support/golden.hpp"

namespace sluice::lang {
namespace {

/// A ```sluice block of the manual.
struct Example {
  std::size_t line;  ///< of its first line, in the manual
  std::string text;
};
std::ostream& operator<<(std::ostream& out, const Example& e) {
  return out << "docs/language.md:" << e.line;
}

std::vector<Example> examples() {
  const std::string manual = test::read_file(std::string(SLUICE_SOURCE_DIR) + "/docs/language.md");
  std::vector<Example> result;
  std::size_t line = 1;
  bool inside = false;
  for (std::size_t begin = 0; begin < manual.size(); ++line) {
    const std::size_t end = std::min(manual.find('\n', begin), manual.size());
    const std::string text = manual.substr(begin, end - begin);
    if (inside && text == "```") {
      inside = false;
    } else if (inside) {
      result.back().text += text + "\n";
    } else if (text == "```sluice") {
      inside = true;
      result.push_back({line + 1, ""});
    }
    begin = end + 1;
  }
  return result;
}

std::string_view points_with(TableScope scope) {
  switch (scope) {
    case TableScope::always: return "every point";
    case TableScope::pod_set: return "`flavor`, `place`";
    case TableScope::queued: return "every point but `submit`";
    case TableScope::flavor: return "`flavor`";
    case TableScope::admit: return "`admit`";
    case TableScope::preempt: return "`preempt`";
    case TableScope::provision: return "`provision`";
    case TableScope::place: return "`place`";
  }
  return {};
}

std::string_view word_of(FieldType type) {
  switch (type) {
    case FieldType::boolean: return "bool";
    case FieldType::text: return "string";
    case FieldType::number: return "number";
    case FieldType::amount: return "amount";
    case FieldType::duration: return "duration";
    case FieldType::instant: return "instant";
    case FieldType::money: return "money";
  }
  return {};
}

/// The lines of the tables in the section `Fields`.
std::vector<std::string> field_lines() {
  std::vector<std::string> lines;
  const auto add = [&](std::initializer_list<std::string_view> parts) {
    std::string& line = lines.emplace_back();
    for (std::string_view part : parts) line += part;
  };
  for (const TableInfo& table : table_infos)
    add({"| `", table.word, "` | ", points_with(table.scope), " | ", table.manual, " |"});
  for (const RoleInfo& role : role_infos)
    add({"| `", role.word, "` | ", points_with(role.scope), " | ", role.manual, "; has the fields of `", info(role.table).word,
         "` |"});
  for (const FieldInfo& field : field_infos) {
    std::string_view key = field.key == FieldKey::label ? "[KEY]" : field.key == FieldKey::resource ? "(RESOURCE)" : "";
    add({"| `", info(field.table).word, ".", field.word, key, "`", field.presence == Presence::optional ? "?" : "", " | ",
         word_of(field.type), field.bare ? " | yes | " : " | | ", field.manual, " |"});
  }
  for (const CollectionInfo& collection : collection_infos) {
    std::string_view owner = collection.owner == kNoTable ? "" : info(static_cast<Table>(collection.owner)).word;
    add({"| `", owner, owner.empty() ? "" : ".", collection.word, "` | list of ", info(collection.element).word, "s | | ",
         collection.manual, " |"});
  }
  return lines;
}

BOOST_AUTO_TEST_SUITE(manual)

BOOST_AUTO_TEST_CASE(has_examples) {
  BOOST_TEST(examples().size() >= 9U);
}

BOOST_DATA_TEST_CASE(examples_are_formatted, examples(), example) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add("language.md", example.text);
  const auto formatted = format(sources, source, diagnostics);
  for (const Diagnostic& d : diagnostics.all())
    BOOST_ERROR(example << ": " << d.message << ": " << sources.text(d.span));
  if (formatted) BOOST_TEST(*formatted == example.text);
}

/// Names that an example does not declare are the snapshot's, so they are no errors here.
BOOST_DATA_TEST_CASE(examples_check, examples(), example) {
  const Policy policy = load({{"language.md", example.text}});
  for (const Diagnostic& d : policy.diagnostics.all())
    BOOST_ERROR(example << ": " << d.message << ": " << policy.sources.text(d.span));
  BOOST_TEST(!policy.has_errors());
}

/// Every word of the lexer stands in the manual's list.
BOOST_AUTO_TEST_CASE(lists_every_word) {
  const std::string root = SLUICE_SOURCE_DIR;
  const std::string manual = test::read_file(root + "/docs/language.md");
  const std::string words = manual.substr(manual.find("\n## Words"));
  const std::string lexer = test::read_file(root + "/grammar/SluiceLexer.g4");
  std::size_t count = 0;
  for (std::size_t begin = lexer.find(": '"); begin != std::string::npos;
       begin = lexer.find(": '", begin + 1)) {
    const std::size_t end = lexer.find('\'', begin + 3);
    const std::string word = lexer.substr(begin + 3, end - begin - 3);
    if (word[0] < 'a' || word[0] > 'z') continue;
    ++count;
    BOOST_TEST(words.find("`" + word + "`") != std::string::npos, word);
  }
  BOOST_TEST(count > 100U);
}

/// Every field stands in the manual's tables, with what fields.def says of it; and nothing else does.
BOOST_AUTO_TEST_CASE(lists_every_field) {
  const std::string manual = test::read_file(std::string(SLUICE_SOURCE_DIR) + "/docs/language.md");
  const std::size_t begin = manual.find("\n## Fields\n");
  BOOST_REQUIRE(begin != std::string::npos);
  const std::string section = manual.substr(begin, manual.find("\n## ", begin + 1) - begin);
  const std::vector<std::string> lines = field_lines();
  for (const std::string& line : lines)
    BOOST_TEST((section.find("\n" + line + "\n") != std::string::npos), "docs/language.md lacks the line\n" << line);
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = section.find("\n| `", at)) != std::string::npos; ++at) ++rows;
  BOOST_TEST(rows == lines.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace sluice::lang
