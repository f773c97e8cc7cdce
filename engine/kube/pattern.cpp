#include "kube/pattern.hpp"

#include <re2/re2.h>

#include <map>
#include <memory>
#include <string>

namespace sluice::kube {

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // A cache only: compiling takes some 50 us, a list of 20,000 workloads asks 200,000 times, the CRDs have about 20
  // different patterns.
  thread_local std::map<std::string, std::unique_ptr<RE2>, std::less<>> compiled;
  auto at = compiled.find(pattern);
  if (at == compiled.end()) {
    RE2::Options options(RE2::Quiet);
    auto regex = std::make_unique<RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
    at = compiled.emplace(std::string(pattern), std::move(regex)).first;
  }
  if (!at->second->ok()) return true;
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *at->second);
}

}  // namespace sluice::kube
