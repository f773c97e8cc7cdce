#include "report/unified_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report/source_text.hpp"

namespace sluice::report {
namespace {

using Lines = std::vector<std::string_view>;

/// Lines with their ends, so that a missing last one shows.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    end = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// One line of the edit script.
struct Edit {
  char kind;  ///< ' ', '-' or '+'
  std::string_view line;
};

/// The shortest script, by Myers' greedy algorithm.
std::vector<Edit> edits(const Lines& a, const Lines& b) {
  auto n = static_cast<std::ptrdiff_t>(a.size());
  auto m = static_cast<std::ptrdiff_t>(b.size());
  std::ptrdiff_t most = n + m;
  std::vector<std::ptrdiff_t> reach(static_cast<std::size_t>(2 * most + 2), 0);
  auto at = [&](std::ptrdiff_t k) -> std::ptrdiff_t& { return reach[static_cast<std::size_t>(k + most)]; };
  std::vector<std::vector<std::ptrdiff_t>> history;
  for (std::ptrdiff_t d = 0; d <= most; ++d) {
    history.push_back(reach);
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
      std::ptrdiff_t x = down ? at(k + 1) : at(k - 1) + 1;
      std::ptrdiff_t y = x - k;
      while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) ++x, ++y;
      at(k) = x;
      if (x < n || y < m) continue;
      std::vector<Edit> script;
      for (std::ptrdiff_t step = d; step >= 0; --step) {  // back along the way
        reach = history[static_cast<std::size_t>(step)];
        std::ptrdiff_t diagonal = x - y;
        bool came_down = diagonal == -step || (diagonal != step && at(diagonal - 1) < at(diagonal + 1));
        std::ptrdiff_t from = came_down ? diagonal + 1 : diagonal - 1;
        std::ptrdiff_t from_x = step == 0 ? 0 : at(from);
        std::ptrdiff_t from_y = step == 0 ? 0 : from_x - from;
        while (x > from_x && y > from_y &&
               (step == 0 || x - (came_down ? 0 : 1) > from_x || y - (came_down ? 1 : 0) > from_y)) {
          --x, --y;
          script.push_back({' ', a[static_cast<std::size_t>(x)]});
        }
        if (step == 0) break;
        if (came_down) {
          --y;
          script.push_back({'+', b[static_cast<std::size_t>(y)]});
        } else {
          --x;
          script.push_back({'-', a[static_cast<std::size_t>(x)]});
        }
      }
      std::reverse(script.begin(), script.end());
      return script;
    }
  }
  return {};
}

constexpr std::size_t context = 3;

/// Lines [begin, end) of the script that one hunk shows.
struct Hunk {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Hunk> hunks_of(const std::vector<Edit>& script) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < script.size(); ++i) {
    if (script[i].kind == ' ') continue;
    std::size_t begin = i < context ? 0 : i - context;
    std::size_t end = std::min(i + context + 1, script.size());
    if (!hunks.empty() && begin <= hunks.back().end) {
      hunks.back().end = end;
    } else {
      hunks.push_back({begin, end});
    }
  }
  return hunks;
}

std::string range_text(std::size_t before, std::size_t count) {
  if (count == 1) return fmt::format("{}", before + 1);
  return fmt::format("{},{}", count == 0 ? before : before + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after,
                         bool colour) {
  if (before == after) return {};
  Paint paint{colour};
  std::vector<Edit> script = edits(lines_of(before), lines_of(after));
  std::string text = paint.bold(fmt::format("--- {}", path)) + "\n" +
                     paint.bold(fmt::format("+++ {} (formatted)", path)) + "\n";
  std::size_t done = 0;
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  auto count = [&](std::size_t begin, std::size_t end, char side) {
    return static_cast<std::size_t>(
        std::count_if(script.begin() + static_cast<std::ptrdiff_t>(begin),
                      script.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](const Edit& e) { return e.kind == ' ' || e.kind == side; }));
  };
  for (const Hunk& hunk : hunks_of(script)) {
    old_line += count(done, hunk.begin, '-');
    new_line += count(done, hunk.begin, '+');
    std::size_t old_count = count(hunk.begin, hunk.end, '-');
    std::size_t new_count = count(hunk.begin, hunk.end, '+');
    text += paint.blue(fmt::format("@@ -{} +{} @@", range_text(old_line, old_count),
                                   range_text(new_line, new_count))) +
            "\n";
    for (std::size_t i = hunk.begin; i < hunk.end; ++i) {
      std::string_view line = script[i].line;
      bool has_end = line.ends_with('\n');
      if (has_end) line.remove_suffix(1);
      std::string shown = fmt::format("{}{}", script[i].kind, line);
      text += script[i].kind == '-' ? paint.red(shown) : script[i].kind == '+' ? paint.green(shown) : shown;
      text += has_end ? "\n" : "\n\\ No newline at end of file\n";
    }
    old_line += old_count;
    new_line += new_count;
    done = hunk.end;
  }
  return text;
}

}  // namespace sluice::report
