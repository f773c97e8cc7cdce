#include <fmt/format.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>

#include "support/golden.hpp"
#include "tools/run_command.hpp"

/// Whole commands: `tests/golden/<verb>/NAME.cmd` holds command lines, NAME.out what they print. A case runs
/// in a copy of its folder, with `examples` and `policies` of the repository beside it, so it may write
/// there.
///
///     $ sluice check none.sluice       the command
///     text                             its stdout
///     ! text                           its stderr
///     exit 3                           unless 0
///
/// Beside `sluice`, a line may say `show FILE` (its content), `copy FILE TO` or `remove FILE`; `#` starts a
/// comment.

namespace {

namespace fs = std::filesystem;
using namespace sluice::test;

const fs::path golden = fs::path(SLUICE_SOURCE_DIR) / "tests" / "golden";

std::vector<std::string> cases() {
  std::vector<std::string> all;
  for (const auto& folder : fs::directory_iterator(golden)) {
    if (!folder.is_directory()) continue;
    for (const std::string& path : files_in(folder.path().string(), ".cmd")) all.push_back(path);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// A scratch folder that is also the working directory, for one case.
class Scratch {
 public:
  explicit Scratch(const fs::path& from) : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "sluice-golden-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    fs::copy(from, folder_, fs::copy_options::recursive);
    for (const char* shared : {"examples", "policies"}) {
      fs::path target = fs::path(SLUICE_SOURCE_DIR) / shared;
      if (fs::exists(target)) fs::create_directory_symlink(target, folder_ / shared);
    }
    fs::current_path(folder_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
    fs::remove_all(folder_, ignored);
  }

 private:
  fs::path before_;
  fs::path folder_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string out;
  for (const std::string& line : lines_of(text))
    out += line.empty() && !prefix.empty() ? "!\n" : prefix + line + "\n";
  return out;
}

std::string play(const std::string& line) {
  std::string text = fmt::format("$ {}\n", line);
  std::size_t space = line.find(' ');
  std::string word = line.substr(0, space);
  if (word == "show") return text + read_file(line.substr(space + 1));
  if (word == "remove") return fs::remove(line.substr(space + 1)), text;
  if (word == "copy") {
    std::size_t second = line.find(' ', space + 1);
    fs::copy(line.substr(space + 1, second - space - 1), line.substr(second + 1),
             fs::copy_options::overwrite_existing);
    return text;
  }
  Outcome outcome = run(parse_command(line));
  text += outcome.out + prefixed(outcome.err, "! ");
  if (!outcome.out.empty() && !outcome.out.ends_with('\n')) text += "(no end of line)\n";
  if (outcome.exit != 0) text += fmt::format("exit {}\n", outcome.exit);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden_commands)

BOOST_DATA_TEST_CASE(prints, boost::unit_test::data::make(cases()), path) {
  std::vector<std::string> lines = lines_of(read_file(path));
  std::string got;
  {
    Scratch scratch(fs::path(path).parent_path());
    for (const std::string& line : lines) {
      if (line.empty() || line.starts_with("#")) continue;
      if (!got.empty()) got += '\n';
      got += play(line);
    }
  }
  check_golden(fs::path(path).replace_extension(".out").string(), got);
}

BOOST_AUTO_TEST_SUITE_END()
