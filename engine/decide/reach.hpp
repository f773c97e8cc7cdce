#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/amount.hpp"
#include "decide/workload_name.hpp"

namespace sluice::decide {

/// How much of one flavor-resource a queue can have, from where it comes, and who uses it at the moment.
struct Reach {
  enum class Kind : std::uint8_t {
    queue,
    cohort,  ///< with everything below it
    shared,  ///< what a cohort above the queue has itself
  };
  struct Source {
    Kind kind = Kind::queue;
    std::string node;
    Amount amount;  ///< that it lends, at most
  };
  struct Holder {
    Kind kind = Kind::queue;
    std::string node;
    Amount amount;    ///< of what the queue could reach
    Amount borrowed;  ///< the part that it does not lend itself
    std::vector<std::pair<WorkloadName, Amount>> jobs;  ///< that use most, a few
    std::size_t more_jobs = 0;
  };
  /// The nearest borrowing limit that leaves less than is lent.
  struct Limit {
    std::string node;
    Amount amount;
  };
  std::string resource;
  Amount total;  ///< own quota and loans, if nobody used anything
  Amount own;
  std::vector<Source> sources;  ///< nearest first
  std::optional<Limit> limit;
  std::vector<Holder> holders;  ///< the queue itself first, then by amount
};

}  // namespace sluice::decide
