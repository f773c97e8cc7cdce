#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "support/golden.hpp"
#include "tools/files.hpp"

namespace fs = std::filesystem;
using namespace sluice;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "sluice-files-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(reading_says_what_is_wrong) {
  Folder folder;
  BOOST_TEST(message_of([&] { tools::read_file(folder / "none", 10); }) ==
             "cannot read `" + (folder / "none") + "`: there is no such file");
  BOOST_TEST(message_of([&] { tools::read_file(folder.path.string(), 10); }) ==
             "cannot read `" + folder.path.string() + "`: it is a folder");
  std::ofstream(folder / "long") << "12345678901";
  BOOST_TEST(message_of([&] { tools::read_file(folder / "long", 10); }) ==
             "`" + (folder / "long") + "` has more than 10 bytes, the most that is read");
  BOOST_TEST(tools::read_file(folder / "long", 11) == "12345678901");
}

BOOST_AUTO_TEST_CASE(writing_replaces_and_keeps_mode_and_links) {
  Folder folder;
  std::ofstream(folder / "a") << "old";
  ::chmod((folder / "a").c_str(), 0640);
  fs::create_symlink("a", folder.path / "link");
  tools::write_file(folder / "link", "new");
  BOOST_TEST(test::read_file(folder / "a") == "new");
  BOOST_TEST(fs::is_symlink(folder.path / "link"));
  struct stat status {};
  ::stat((folder / "a").c_str(), &status);
  BOOST_TEST((status.st_mode & 0777) == 0640u);
}

BOOST_AUTO_TEST_CASE(a_write_that_fails_leaves_nothing) {
  Folder folder;
  BOOST_TEST(message_of([&] { tools::write_file(folder / "no/such", "x"); }) ==
             "cannot write `" + (folder / "no/such") + "`: there is no such file");
  BOOST_TEST(fs::is_empty(folder.path));
}

BOOST_AUTO_TEST_CASE(folders_give_their_files_sorted) {
  Folder folder;
  fs::create_directories(folder.path / "b" / ".git");
  for (const char* name : {"z.sluice", "b/a.sluice", "b/.git/x.sluice", "notes.txt", ".hidden.sluice"}) {
    std::ofstream(folder / name) << "";
  }
  std::vector<std::string> want = {folder / "b/a.sluice", folder / "z.sluice", "other.txt"};
  BOOST_TEST(tools::expand_paths({folder.path.string(), "other.txt"}, ".sluice") == want,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_are_beside_the_policy) {
  BOOST_TEST(tools::path_beside("policies/a.sluice", "b.yaml") == "policies/b.yaml");
  BOOST_TEST(tools::path_beside("a.sluice", "b.yaml") == "b.yaml");
  BOOST_TEST(tools::path_beside("x/y/a.sluice", "../b.yaml") == "x/b.yaml");
  BOOST_TEST(tools::path_beside("a.sluice", "/abs") == "/abs");
}

BOOST_AUTO_TEST_SUITE_END()
