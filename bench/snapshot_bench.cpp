#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "state/snapshot.hpp"
#include "state/worlds.hpp"
#include "support/temp_folder.hpp"

/// How long a snapshot of 100,000 workloads and 10,000 nodes takes to make, to open and to change.
/// `snapshot_bench [WORKLOADS [NODES]]`

namespace {

template <class Work>
double milliseconds(Work work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

std::size_t number(const char* text) { return static_cast<std::size_t>(std::strtoull(text, nullptr, 10)); }

}  // namespace

int main(int argc, char** argv) {
  using namespace sluice;
  std::size_t workloads = argc > 1 ? number(argv[1]) : 100'000;
  std::size_t nodes = argc > 2 ? number(argv[2]) : 10'000;
  test::TempFolder folder;
  std::string path = folder.file("bench.db");
  World world = test::make_plain_world(workloads, nodes);
  fmt::print("{} workloads, {} nodes\n", workloads, nodes);

  double made = milliseconds([&] { update_snapshot(path, [&](World& held) { held = world; }); });
  auto bytes = std::filesystem::file_size(path);
  fmt::print("make             {:8.1f} ms, {:.1f} MB\n", made, static_cast<double>(bytes) / 1e6);
  for (int round = 0; round < 3; ++round) {
    World read;
    double opened = milliseconds([&] { read = Snapshot::open(path).read_world(); });
    fmt::print("open and read    {:8.1f} ms\n", opened);
    if (read != world) {
      fmt::print("the World that was read differs\n");
      return 1;
    }
  }
  double changed = milliseconds([&] {
    update_snapshot(path, [](World& held) { held.workloads.edit(0).priority += 1; });
  });
  fmt::print("change of one    {:8.1f} ms\n", changed);
  double counted = milliseconds([&] { Snapshot::open(path).query("SELECT * FROM workload_request"); });
  fmt::print("workload_request {:8.1f} ms\n", counted);
  double info = milliseconds([&] { Snapshot::open(path).info(); });
  fmt::print("info             {:8.1f} ms\n", info);
  return 0;
}
