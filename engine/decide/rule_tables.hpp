#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decide/rules.hpp"
#include "model/world.hpp"
#include "program/program.hpp"
#include "vm/binding.hpp"

/// The objects of a world as the columns that a program reads.
namespace sluice::decide {

/// Which flavor a workload is said to have: that of the last pod set that has one, devices before cpu and memory.
/// Empty if it has none.
std::string_view flavor_of(std::span<const PodSetAssignment> assignments);

class RuleTables {
 public:
  RuleTables(const program::Program& program, const World& world);

  /// Returns the row; its pod sets get the rows that follow those of the workload before.
  std::uint32_t add(const Workload& workload, const WorkloadState& state);
  void update(std::uint32_t workload, const WorkloadState& state);
  void set_capacity(std::span<const CapacitySignal> signals);

  std::uint32_t workloads() const { return static_cast<std::uint32_t>(facts_.size()); }
  std::uint32_t first_pod_set(std::uint32_t workload) const { return pod_set_offsets_[workload]; }
  std::uint32_t pod_sets(std::uint32_t workload) const {
    return pod_set_offsets_[workload + 1] - pod_set_offsets_[workload];
  }
  std::uint32_t name_space_row(std::uint32_t workload) const { return facts_[workload].name_space; }
  Instant created(std::uint32_t workload) const { return facts_[workload].created; }
  const std::string& name(std::uint32_t workload) const { return facts_[workload].name; }
  const std::string& queue(std::uint32_t workload) const { return facts_[workload].queue; }
  /// Rows are made for names that come up.
  std::uint32_t queue_row(std::string_view name);
  std::uint32_t flavor_row(std::string_view name);

  /// Takes over what quota says at this moment; only what the program reads is asked for.
  void refresh_queue(std::string_view queue, const QuotaView& quota);
  void refresh_flavor(std::string_view queue, std::string_view flavor, const QuotaView& quota);
  void set_assignment(std::span<const PodSetAssignment> assignments, bool borrows);

  /// Whether arrays moved or texts were added since the last `binding`.
  bool is_stale() const { return stale_; }
  /// Valid until something is added.
  vm::Binding binding();
  std::string_view text(std::int64_t symbol) const { return texts_.text(static_cast<Symbol>(symbol)); }

 private:
  struct Values {
    std::vector<std::int64_t> values;
    std::vector<std::uint64_t> present;
  };
  /// What is needed of a workload once its columns are filled.
  struct Facts {
    std::string name;
    std::string name_space_name;
    std::string local_queue;
    std::string queue;
    Instant created;
    std::optional<Duration> run_limit;
    Duration past_run;
    std::uint32_t name_space = 0;
    bool gone = false;
  };

  void put(std::uint32_t column, std::uint32_t row, std::optional<std::int64_t> value);
  std::int64_t symbol(std::string_view text);
  std::optional<std::int64_t> label(const Labels& labels, const std::string& key);
  std::optional<std::int64_t> workload_value(const program::Column& column, const Workload& workload, const Facts& facts);
  std::optional<std::int64_t> pod_set_value(const program::Column& column, const PodSet& pod_set, const Resources& requests);
  void put_state(std::uint32_t workload, const WorkloadState& state);
  std::uint32_t add_name_space(std::string_view name);
  /// Numbers of the program's columns of a table.
  const std::vector<std::uint32_t>& columns_of(Table table) const { return by_table_[static_cast<std::size_t>(table)]; }

  const program::Program& program_;
  const World& world_;
  Symbols texts_;
  std::vector<Values> columns_;  // by number of the program's column
  std::vector<std::vector<std::uint32_t>> by_table_;
  std::vector<Facts> facts_;
  std::vector<std::uint32_t> pod_set_offsets_ = {0};
  std::vector<std::uint32_t> living_;  // rows of workloads that are not gone
  std::map<std::string, std::uint32_t, std::less<>> name_spaces_;
  std::map<std::string, std::uint32_t, std::less<>> queues_;
  std::map<std::string, std::uint32_t, std::less<>> flavors_;
  std::vector<vm::StockOut> stock_outs_;
  std::vector<vm::Column> bound_columns_;
  std::vector<vm::Collection> bound_collections_;
  bool reads_requests_ = false;
  bool stale_ = true;
};

}  // namespace sluice::decide
