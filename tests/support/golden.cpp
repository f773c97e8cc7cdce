#include "support/golden.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sluice::test {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  BOOST_REQUIRE_MESSAGE(in.good(), "cannot read " << path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> files_in(const std::string& folder, std::string_view suffix) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string path = entry.path().string();
    if (path.ends_with(suffix)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void check_golden(const std::string& path, std::string_view got) {
  const char* accept = std::getenv("SLUICE_ACCEPT");
  if (accept != nullptr && std::string_view(accept) == "1") {
    std::ofstream(path, std::ios::binary) << got;
    return;
  }
  if (!std::filesystem::exists(path)) {
    BOOST_ERROR("no golden file " << path << "; run with SLUICE_ACCEPT=1 and review it. Got:\n" << got);
    return;
  }
  std::string want = read_file(path);
  if (want == got) {
    BOOST_TEST(true);
    return;
  }
  std::istringstream want_lines{want};
  std::istringstream got_lines{std::string(got)};
  std::string want_line;
  std::string got_line;
  for (int line = 1;; ++line) {
    bool has_want = static_cast<bool>(std::getline(want_lines, want_line));
    bool has_got = static_cast<bool>(std::getline(got_lines, got_line));
    if (!has_want && !has_got) break;
    if (has_want && has_got && want_line == got_line) continue;
    BOOST_ERROR(path << ":" << line << "\n  want: " << (has_want ? want_line : "(end of file)")
                     << "\n  got:  " << (has_got ? got_line : "(end of output)")
                     << "\n  to accept the new text: SLUICE_ACCEPT=1 script/test");
    return;
  }
  BOOST_ERROR(path << ": differs in line ends only");
}

}  // namespace sluice::test
