#include "state/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "report/json.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

constexpr std::array<std::string_view, 2> formats = {"pretty", "json"};

using report::JsonWriter;

void print_info(Context& context, const std::string& path, const SnapshotInfo& info) {
  std::string text = fmt::format("{}: schema version {}, as of {}, {} bytes\n", path, info.schema_version,
                                 info.instant.to_string(), info.bytes);
  std::size_t width = 0;
  for (const SnapshotInfo::Kind& kind : info.kinds) width = std::max(width, kind.name.size());
  for (const SnapshotInfo::Kind& kind : info.kinds) {
    if (kind.count > 0) text += fmt::format("  {:<{}}  {:>6}\n", kind.name, width, kind.count);
  }
  if (!info.sources.empty()) text += "loaded from\n";
  for (const SnapshotInfo::Source& source : info.sources) {
    text +=
        fmt::format("  {}: {} {}\n", source.path, source.objects, source.objects == 1 ? "object" : "objects");
  }
  if (!info.resource_versions.empty()) text += "in step with the API server up to\n";
  for (const auto& [kind, version] : info.resource_versions) text += fmt::format("  {} {}\n", kind, version);
  context.out(text);
}

void print_info_json(Context& context, const std::string& path, const SnapshotInfo& info) {
  JsonWriter json(JsonWriter::Layout::indented);
  json.begin_object();
  json.member("path", path);
  json.member("schema_version", info.schema_version);
  json.member("instant", info.instant.to_string());
  json.member("bytes", static_cast<std::int64_t>(info.bytes));
  json.key("kinds").begin_object();
  for (const SnapshotInfo::Kind& kind : info.kinds) json.member(kind.name, kind.count);
  json.end_object();
  json.key("sources").begin_array();
  for (const SnapshotInfo::Source& source : info.sources) {
    json.begin_object();
    json.member("path", source.path);
    json.member("objects", source.objects);
    json.end_object();
  }
  json.end_array();
  json.key("resource_versions").begin_object();
  for (const auto& [kind, version] : info.resource_versions) json.member(kind, version);
  json.end_object();
  json.end_object();
  context.out(json.text() + "\n");
}

/// A value in a table: one line, whatever it holds.
std::string cell_of(const SqlValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  std::string cell;
  for (char c : std::get<std::string>(value)) {
    if (c == '\n') {
      cell += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      cell += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      cell += c;
    }
  }
  return cell;
}

bool is_number(const SqlValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// Columns on a terminal; close enough for text outside of Latin.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

void print_table(Context& context, const SqlTable& table) {
  struct Column {
    std::size_t width;
    bool is_right;  // only numbers
  };
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    Column column{width_of(table.columns[i]), !table.rows.empty()};
    for (const auto& row : table.rows) {
      column.width = std::max(column.width, width_of(cell_of(row[i])));
      if (!is_number(row[i]) && !std::holds_alternative<std::monostate>(row[i])) column.is_right = false;
    }
    columns.push_back(column);
  }
  auto add_row = [&](std::string& text, auto cell_at) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string cell = cell_at(i);
      std::string blanks(columns[i].width - width_of(cell), ' ');
      line += (i == 0 ? "" : "  ") + (columns[i].is_right ? blanks + cell : cell + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  std::string text;
  add_row(text, [&](std::size_t i) { return table.columns[i]; });
  add_row(text, [&](std::size_t i) { return std::string(columns[i].width, '-'); });
  for (const auto& row : table.rows) {
    add_row(text, [&](std::size_t i) { return cell_of(row[i]); });
  }
  context.out(text);
}

void print_table_json(Context& context, const SqlTable& table) {
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_array();
  for (const auto& row : table.rows) {
    json.begin_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      json.key(table.columns[i]);
      if (const auto* integer = std::get_if<std::int64_t>(&row[i])) {
        json.number(*integer);
      } else if (const auto* real = std::get_if<double>(&row[i])) {
        // JSON has no infinity.
        json.raw(std::isfinite(*real) ? fmt::format("{}", *real) : "null");
      } else if (const auto* text = std::get_if<std::string>(&row[i])) {
        json.string(*text);
      } else {
        json.null();
      }
    }
    json.end_object();
  }
  json.end_array();
  context.out(json.text() + "\n");
}

int check(Context& context, const Snapshot& snapshot, bool is_json) {
  std::vector<std::string> damages = snapshot.damages();
  if (is_json) {
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object();
    json.key("damages").begin_array();
    for (const std::string& damage : damages) json.string(damage);
    json.end_array();
    json.end_object();
    context.out(json.text() + "\n");
  } else {
    for (const std::string& damage : damages) context.out(damage + "\n");
  }
  return damages.empty() ? exit_fine : exit_negative;
}

int run(Context& context, const Args& args) {
  bool is_json = format_of(args, formats) == "json";
  std::vector<std::string> words = args.words();
  std::string what = words.front();
  words.erase(words.begin());
  std::size_t wanted = what == "query" ? 1 : 0;
  if (what != "info" && what != "query" && what != "check") {
    throw Error("usage", fmt::format("`sluice snapshot {}` is not in this version", what))
        .help("`info`, `query` and `check` are");
  }
  std::string path;
  if (args.has("db")) {
    path = args.value("db");
  } else if (!words.empty()) {
    path = words.front();
    words.erase(words.begin());
  } else {
    throw Error("usage", fmt::format("`sluice snapshot {}` needs a snapshot", what));
  }
  if (words.size() < wanted) throw Error("usage", "`sluice snapshot query` needs a query: one SQL statement");
  if (words.size() > wanted)
    throw Error("usage", fmt::format("`sluice snapshot {}` does not take `{}`", what, words[wanted]));

  Snapshot snapshot = Snapshot::open(path);
  if (what == "info") {
    (is_json ? print_info_json : print_info)(context, path, snapshot.info());
  } else if (what == "query") {
    (is_json ? print_table_json : print_table)(context, snapshot.query(words.front()));
  } else {
    return check(context, snapshot, is_json);
  }
  return exit_fine;
}

constexpr std::array flags = {
    Flag{.name = "db",
         .value = "FILE",
         .help = "the snapshot; may also be the word behind info, query or check"},
    Flag{.name = "format", .value = "FORMAT", .help = "pretty (default) or json"},
};

}  // namespace

constinit const Verb snapshot_verb{
    .name = "snapshot",
    .usage = "{info|query|check} FILE [SQL]",
    .summary = "what a snapshot holds",
    .details =
        "  info FILE        version, instant, how many objects of each kind, and where they came from\n"
        "  query FILE SQL   one statement that reads; docs/snapshot.md describes tables and views\n"
        "  check FILE       reads the whole file and names damages; exit 2 if there are any\n",
    .flags = flags,
    .min_words = 1,
    .max_words = 3,
    .run = run,
};

}  // namespace sluice::tools
