#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kube/schema.hpp"
#include "model/gates.hpp"
#include "support/golden.hpp"

/// docs/kueue-compatibility.md says what is so, and of everything.

namespace sluice::kube {
namespace {

namespace fs = std::filesystem;

const fs::path root = SLUICE_SOURCE_DIR;

std::string manual() {
  return test::read_file((root / "docs/kueue-compatibility.md").string());
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

using Row = std::vector<std::string>;

/// The rows of the tables below a heading, without their heads; cells without blanks around them and without the
/// backticks of a whole cell.
std::vector<Row> rows_below(const std::string& heading) {
  std::vector<Row> rows;
  std::istringstream in(manual());
  bool inside = false;
  bool head = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) {
      inside = line.substr(line.find_first_not_of("# ")) == heading;
      head = true;
      continue;
    }
    if (!inside || !line.starts_with("|")) continue;
    if (line.starts_with("|---")) {
      head = false;
      continue;
    }
    if (head) continue;
    Row row;
    std::size_t begin = 1;
    for (std::size_t end; (end = line.find('|', begin)) != std::string::npos; begin = end + 1)
      row.push_back(trimmed(line.substr(begin, end - begin)));
    std::string& first = row.front();
    if (first.size() > 2 && first.front() == '`' && std::count(first.begin(), first.end(), '`') == 2)
      first = first.substr(1, first.size() - 2);
    rows.push_back(row);
  }
  BOOST_REQUIRE_MESSAGE(!rows.empty(), "no table below " << heading);
  return rows;
}

std::string word_of(GateState state) {
  switch (state) {
    case GateState::alpha:
    case GateState::beta_off:
    case GateState::deprecated:
      return "off";
    case GateState::beta:
      return "on";
    case GateState::locked_on:
      return "on, locked";
    case GateState::locked_off:
      return "off, locked";
    case GateState::none_on:
      return "– (on)";
    case GateState::none_off:
      return "–";
  }
  return {};
}

std::string word_of(GateUse use) {
  switch (use) {
    case GateUse::decides:
      return "yes";
    case GateUse::refused:
      return "not yet";
    case GateUse::topology:
      return "not yet with a Topology";
    case GateUse::multikueue:
      return "not yet with MultiKueue";
    case GateUse::idle:
      return "no effect";
  }
  return {};
}

/// Whether a row speaks of a field: the field itself, or `spec.x.*` of what is below.
bool covers(const std::string& row, const std::string& path) {
  if (!row.ends_with("*")) return row == path;
  std::string_view prefix(row.data(), row.size() - 1);
  if (prefix.ends_with(".")) prefix.remove_suffix(1);
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '.' ||
                                      path[prefix.size()] == '[');
}

/// Is there what a row names as its test? The last cell begins with topics or files, then remarks.
bool is_shown(const std::string& cell) {
  std::string name = cell.substr(0, cell.find_first_of(":;, "));
  if (name.starts_with("tests/")) return fs::exists(root / name);
  return fs::exists(root / "tests/conformance/admission/rules" / (name + ".scenarios.jsonl"));
}

void check_fields(const std::string& heading, std::string_view group, std::string_view version,
                  std::string_view kind, bool whole) {
  std::vector<Row> rows = rows_below(heading);
  std::vector<std::string> paths = schema_paths(group, version, kind);
  BOOST_REQUIRE(!paths.empty());
  for (const std::string& path : paths) {
    if (!whole && (path == "apiVersion" || path == "kind" || path.starts_with("metadata"))) continue;
    bool is_there =
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return covers(row[0], path); });
    BOOST_TEST(is_there, kind << ": no row speaks of `" << path << "`");
  }
  for (const Row& row : rows) {
    bool exists =
        std::any_of(paths.begin(), paths.end(), [&](const std::string& path) { return covers(row[0], path); });
    BOOST_TEST(exists, kind << ": there is no field `" << row[0] << "`");
    BOOST_TEST((row[1] == "yes" || row[1] == "shown" || row[1] == "no" || row[1] == "not yet"), row[1]);
    BOOST_TEST(parse_kueue_version(row[2]).has_value(), row[2]);
    if (row[1] == "yes" && row[3].find("see ") == std::string::npos)
      BOOST_TEST(is_shown(row[3]), kind << ": there is no test `" << row[3] << "` of `" << row[0] << "`");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compatibility)

BOOST_AUTO_TEST_CASE(every_gate_is_there_with_its_defaults) {
  std::map<std::string, Row> rows;
  for (Row& row : rows_below("Feature gates")) {
    std::string name = row.front();
    rows[name] = std::move(row);
  }
  BOOST_TEST(rows.size() == gate_table().size());
  for (const GateInfo& gate : gate_table()) {
    auto found = rows.find(std::string(gate.name));
    if (found == rows.end()) {
      BOOST_ERROR("no row for the gate " << gate.name);
      continue;
    }
    const Row& row = found->second;
    BOOST_REQUIRE(row.size() == 7);
    for (std::size_t line = 0; line < 4; ++line)
      BOOST_TEST(row[1 + line] == word_of(gate.states[line]), gate.name << ": " << row[1 + line]);
    BOOST_TEST(row[5] == word_of(gate.use), gate.name << ": " << row[5] << ", is " << word_of(gate.use));
    if (gate.use == GateUse::decides) BOOST_TEST(is_shown(row[6]), gate.name << ": there is no test " << row[6]);
  }
}

BOOST_AUTO_TEST_CASE(every_field_is_there) {
  for (const char* kind : {"ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Topology", "AdmissionCheck",
                           "ProvisioningRequestConfig", "WorkloadPriorityClass", "Workload"})
    check_fields(kind, "kueue.x-k8s.io", "v1beta2", kind, false);
  check_fields("Configuration", "config.kueue.x-k8s.io", "v1beta2", "Configuration", true);
}

BOOST_AUTO_TEST_CASE(every_label_and_annotation_is_there) {
  std::set<std::string> known;
  for (const Row& row : rows_below("Labels and annotations")) {
    known.insert(row[0]);
    BOOST_TEST(is_shown(row[2]), "there is no test `" << row[2] << "` of `" << row[0] << "`");
  }
  const std::regex key("\"(kueue\\.x-k8s\\.io/[a-z0-9-]+)\"");
  std::set<std::string> read;
  for (const auto& entry : fs::recursive_directory_iterator(root / "engine")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::string text = test::read_file(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it) read.insert((*it)[1]);
  }
  BOOST_TEST(read.size() > 20u);
  for (const std::string& one : read) BOOST_TEST(known.contains(one), "no row for `" << one << "`");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::kube
