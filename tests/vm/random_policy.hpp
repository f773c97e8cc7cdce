#pragma once

#include <cstdint>
#include <string>

/// Policies by chance: rules of every point with conditions, scores and texts over all types.
namespace sluice::test {

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool percent(std::uint64_t p) { return below(100) < p; }

 private:
  std::uint64_t state_;
};

/// A policy of `rules` rules; equal seeds give equal texts.
std::string random_policy(std::uint64_t seed, int rules);

}  // namespace sluice::test
