#pragma once

#include <compare>
#include <string>

namespace sluice::decide {

/// A workload by name; the order is that of every list in the output.
struct WorkloadName {
  std::string name_space;
  std::string name;

  std::string to_string() const { return name_space + "/" + name; }
  friend auto operator<=>(const WorkloadName&, const WorkloadName&) = default;
};

}  // namespace sluice::decide
